"""What connections have of what was asked: congestion control, ssthresh, ECN. Pure."""

from __future__ import annotations

from weir import ecn
from weir.notes import IDLE_RESTART, idle_restart
from weir.records import Check, Command
from weir.resolved import Experiment

from weir_lab.checks.row import check, lines
from weir_lab.record import Record

__all__ = ["control_options", "of_connections"]


def of_connections(experiment: Experiment, record: Record, applied: list[Command]) -> list[Check]:
    """Those of what TCP recorded, in the order of checks.json."""
    return [
        _congestion_control(experiment, record, applied),
        *_idle_restart(experiment, applied),
        *_initial_ssthresh(experiment, record, applied),
        *_ecn(experiment, record, applied),
    ]


def _congestion_control(experiment: Experiment, record: Record, applied: list[Command]) -> Check:
    """Where no client asked for anything (its stop or an outage came first) nothing ran on any."""
    asked = experiment["server"]["congestion_control"]
    flows = [flow for flow in record.flows if "traffic" not in flow]
    found = sorted({flow["congestion_control"] for flow in flows})
    said = lines(applied, "tcp_congestion_control")
    ok = found == [asked] or not (found or _unknown_data(record))
    return check("congestion_control", asked, said, found, None, ok)


def _unknown_data(record: Record) -> bool:
    """Whether TCP carried data of a connection that the record does not tell of."""
    return any(
        bool(((rows["flow"] < 0) & (rows[name] > 0)).any())
        for rows, name in ((record.queue, "payload"), (record.crossings, "payload_bytes"))
        if rows
    )


def _idle_restart(experiment: Experiment, applied: list[Command]) -> list[Check]:
    """Told where they disagree; nothing is wrong with asking for it."""
    if (found := idle_restart(experiment)) is None:
        return []
    made_for, has = found
    said = lines(applied, IDLE_RESTART)
    return [check("idle_restart_of_the_control", made_for, said, has, None, True)]


def _initial_ssthresh(
    experiment: Experiment, record: Record, applied: list[Command]
) -> list[Check]:
    """What each connection's first ACK found: it is recorded before it is processed."""
    asked = experiment["server"].get("initial_ssthresh_segments")
    if asked is None:
        return []
    found = sorted(set(record.initial_ssthresh))
    said = lines(applied, "ssthresh lock")
    return [check("initial_ssthresh_segments", asked, said, found, None, found in ([], [asked]))]


def _ecn(experiment: Experiment, record: Record, applied: list[Command]) -> list[Check]:
    """What the connections of each client have agreed on, by the kernel, and should have."""
    if not ecn.recorded(experiment) and not _sets_ecn(experiment):
        return []
    accepts = ecn.of_server(experiment)
    asks = {
        number: ecn.of_client(experiment, number)
        for number in range(1, len(experiment["clients"]) + 1)
    }
    control = experiment["server"]["congestion_control"]
    found: dict[int, set[str]] = {}
    for flow, agreed in zip(record.flows, record.ecn, strict=False):  # other traffic comes last
        found.setdefault(flow["client"], set()).add(agreed)
    ok = all(
        modes == {ecn.agreed(asks[number], accepts, control)} for number, modes in found.items()
    )
    asked = {"server": accepts} | {f"client {number}": mode for number, mode in asks.items()}
    measured = {f"client {number}": sorted(modes) for number, modes in sorted(found.items())}
    return [check("ecn", asked, lines(applied, "tcp_ecn="), measured, None, ok)]


def _sets_ecn(experiment: Experiment) -> bool:
    return any("ecn" in each for each in (experiment["server"], *experiment["clients"]))


def control_options(
    experiment: Experiment, found: dict[str, str], applied: list[Command]
) -> list[Check]:
    """The options that the congestion control was given, as its module shows them."""
    asked = experiment["server"].get("congestion_control_options", {})
    said = [one["line"] for one in applied if one["program"] == "module"]
    shown = {name: _shown(value) for name, value in asked.items()}
    return (
        [check("congestion_control_options", asked, said, found, None, found == shown)]
        if asked
        else []
    )


def _shown(value: str | int | bool) -> str:
    """As the kernel writes a parameter."""
    return ("N", "Y")[value] if isinstance(value, bool) else str(value)
