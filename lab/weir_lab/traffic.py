"""Other traffic in a cell: its roles, its flows in the record, was it as asked. Pure."""

from __future__ import annotations

from typing import TypedDict

from weir import ecn
from weir.records import Check, FlowRecord
from weir.resolved import Experiment

from weir_lab import multipath, responses, wiring
from weir_lab.guest.plan import FlowArgs, Plan, ResponsesRole, TrafficRole
from weir_lab.record import AGREED

__all__ = ["Left", "address", "checks", "drawn", "flows", "left_by", "roles"]

FIRST_PORT = 5001
RATE_TOLERANCE = 0.01


class Left(TypedDict):
    """What a flow's sender has left. bytes: with headers (udp), or given to the socket (others).
    ecn: what its connection has agreed on, by TCPI_ECN_MODE_*; -1: there was none.
    """

    bytes: int
    congestion_control: str
    ecn: int


def roles(
    experiment: Experiment, seed: int, epoch_s: float, folder: str
) -> list[TrafficRole | ResponsesRole]:
    """Both ends of each flow; the sender leaves what it has sent in `folder`."""
    found: list[TrafficRole | ResponsesRole] = []
    for number, flow in enumerate(experiment.get("traffic", []), 1):
        own_seed = seed * 1000003 + number
        wanted = responses.drawn(flow, own_seed) if flow["kind"] == "request-response" else None
        for at_home in (False, True):
            host = wiring.traffic_host(number) if at_home else wiring.SERVER
            sends = at_home == (flow["direction"] == "uplink")
            asks = wanted is not None and not sends
            args: FlowArgs = {
                "flow": flow,
                "at_home": at_home,
                "address": address(experiment, number),
                "server": wiring.SERVER_ADDRESS,
                "port": port(number),
                "epoch_s": epoch_s,
                "end_s": experiment["duration_s"],
                "out": f"{folder}/{responses.left_by(number) if asks else left_by(number)}",
            }
            if wanted is None:
                found.append(
                    {
                        "host": host,
                        "module": "weir_client.traffic",
                        "args": {**args, "sends": sends, "seed": own_seed},
                        "awaited": True,
                    }
                )
            else:
                found.append(
                    {
                        "host": host,
                        "module": "weir_client.responses",
                        "args": {**args, "responds": sends, "drawn": wanted if asks else []},
                        "awaited": True,
                    }
                )
    return found


def left_by(number: int) -> str:
    """Name of what the flow's sender leaves."""
    return f"traffic-{number}"


def drawn(cell: Plan) -> dict[int, responses.Drawn]:
    """Of each flow of requests and responses, by its number."""
    return {
        role["args"]["port"] - FIRST_PORT + 1: role["args"]["drawn"]
        for role in cell["roles"]
        if role["module"] == "weir_client.responses" and not role["args"]["responds"]
    }


def address(experiment: Experiment, number: int) -> str:
    """Of the flow's end at home."""
    (way,) = multipath.traffic_ways(experiment)[number - 1]
    return wiring.client_address(len(experiment["clients"]) + number, way)


def port(number: int) -> int:
    """Of both ends of the flow."""
    return FIRST_PORT + number - 1


def flows(experiment: Experiment) -> list[FlowRecord]:
    """As entries of flows.json, without their numbers; client 0 is none.

    The recorder tells datagrams by their address alone: their port is 0 there.
    """
    found: list[FlowRecord] = []
    for number, flow in enumerate(experiment.get("traffic", []), 1):
        found.append(
            {
                "flow": -1,
                "client": 0,
                "traffic": number,
                "local_port": port(number),
                "remote_port": 0 if flow["kind"] == "udp" else port(number),
                "remote_address": address(experiment, number),
                "congestion_control": flow.get("congestion_control", ""),
                "mss_bytes": 0,
            }
        )
    return found


def checks(experiment: Experiment, left: list[Left]) -> list[Check]:
    """Of each flow: a TCP sender's control, and the rate at which datagrams went out.

    Of requests and responses there are more: weir_lab.responses.
    """
    found: list[Check] = []
    for number, (flow, sent) in enumerate(zip(experiment.get("traffic", []), left, strict=True), 1):
        if flow["kind"] != "udp":
            asked, has = flow["congestion_control"], sent["congestion_control"]
            found.append(
                {
                    "name": f"traffic_{number}_congestion_control",
                    "asked": asked,
                    "applied": [],
                    "measured": has,
                    "tolerance": None,
                    "ok": has in (asked, ""),
                }
            )
            found += _ecn(experiment, number, sent)
        elif "on_s" not in flow:
            lasts_s = flow["stop_s"] - flow["start_s"]
            rate_bps = sent["bytes"] * 8 / lasts_s
            # The last datagram is a whole one, however soon after it the flow stops.
            one_more = flow["packet_bytes"] * 8 / lasts_s / flow["rate_bps"]
            tolerance = RATE_TOLERANCE + one_more
            found.append(
                {
                    "name": f"traffic_{number}_rate_bps",
                    "asked": flow["rate_bps"],
                    "applied": [],
                    "measured": round(rate_bps),
                    "tolerance": round(tolerance, 6),
                    "ok": abs(rate_bps / flow["rate_bps"] - 1) <= tolerance,
                }
            )
    return found


def _ecn(experiment: Experiment, number: int, sent: Left) -> list[Check]:
    """Where something is asked of its end at home."""
    if (asks := ecn.of_traffic(experiment, number)) is None:
        return []
    accepts = ecn.of_server(experiment)
    listening = experiment["server"]["congestion_control"]
    has = [AGREED[sent["ecn"]]] if sent["ecn"] >= 0 else []
    return [
        {
            "name": f"traffic_{number}_ecn",
            "asked": {"server": accepts, f"traffic {number}": asks},
            "applied": [],
            "measured": has,
            "tolerance": None,
            "ok": has in ([], [ecn.agreed(asks, accepts, listening)]),
        }
    ]
