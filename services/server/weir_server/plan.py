"""What the server of a cell needs: its sysctls and its role's arguments. Pure."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from weir import ecn
from weir.resolved import EcnMode, Experiment, HttpVersion

from weir_server import mpd

__all__ = [
    "Args",
    "Role",
    "client_commands",
    "commands",
    "file_sizes",
    "role",
    "session_sizes",
    "starts_plain",
    "traffic_commands",
]

# So that one flow never starts from what another one learned (ssthresh, RTT).
FRESH_FLOWS = "net.ipv4.tcp_no_metrics_save=1"

# Where the SYN is lost, ask for ECN again: Linux takes that for a path that drops what asks (RFC
# 3168, section 6.1.1.1), and would give up on one that only loses packets.
ASK_AGAIN = "net.ipv4.tcp_ecn_fallback=0"

# Whatever would be a TCP socket is an MPTCP one, which speaks TCP with those that know no other
# (lab/kernel/modules/mptcp_sockets.c).
MPTCP_SOCKETS = "net.weir.mptcp_sockets=1"


# Congestion controls that do not ask for ECN. Any other may: a listening socket answers by what its
# own asks for, which it got when it was made.
WITHOUT_ECN = frozenset({
    "aimd", "bbr", "bic", "cubic", "cwv_paper", "fixed_window", "htcp", "illinois", "newcwv",
    "newcwv_paper", "reno", "vegas", "westwood",
})  # fmt: skip


class Args(TypedDict):
    """Of `weir_server.role.run`. session_bytes: by number of the client whose film it is. dash:
    the film once more, for players that read a DASH manifest; epoch_s: second 0 on the host's
    monotonic clock, where that film is live.
    """

    http: Literal["nginx", "apache"]
    http_version: HttpVersion
    file_bytes: list[int]
    session_bytes: NotRequired[dict[int, int]]
    dash: NotRequired[mpd.Film]
    epoch_s: NotRequired[float]


class Role(TypedDict):
    """The HTTP server in its host, where it stays."""

    host: str
    module: Literal["weir_server.role"]
    args: Args
    awaited: bool


def commands(experiment: Experiment) -> list[tuple[str, list[str]]]:
    """(program, lines) to run in the server's host, in order."""
    server = experiment["server"]
    transports = {client.get("transport") for client in experiment["clients"]}
    lines = [FRESH_FLOWS, f"net.ipv4.tcp_congestion_control={server['congestion_control']}"]
    if "mptcp" in transports:
        lines.append(MPTCP_SOCKETS)
    if scheduler := server.get("scheduler"):
        lines.append(f"net.mptcp.scheduler={scheduler}")
    if mode := ecn.of_server(experiment):
        lines.append(_ecn(mode))
    lines += [f"{key}={value}" for key, value in sorted(server["sysctls"].items())]
    if options := server.get("congestion_control_options"):
        control = server["congestion_control"]
        given = [f"{control}.{name}={_written(value)}" for name, value in options.items()]
        return [("module", given), ("sysctl", lines)]
    return [("sysctl", lines)]


def starts_plain(experiment: Experiment) -> bool:
    """Whether the HTTP server may be started before `commands` are run: none of them changes what
    a listening socket is."""
    server = experiment["server"]
    return (
        "kernel" not in experiment
        and server["congestion_control"] in WITHOUT_ECN
        and not server["sysctls"]
        and all(client.get("transport") != "mptcp" for client in experiment["clients"])
    )


def _written(value: str | int | bool) -> str:
    return str(int(value)) if isinstance(value, bool) else str(value)


def client_commands(experiment: Experiment, number: int) -> list[tuple[str, list[str]]]:
    """(program, lines) to run in the host of the client (1-based): what it asks of a server."""
    return _asking(ecn.of_client(experiment, number))


def traffic_commands(experiment: Experiment, number: int) -> list[tuple[str, list[str]]]:
    """The same, in the host at home of other traffic (1-based)."""
    return _asking(ecn.of_traffic(experiment, number))


def _asking(mode: EcnMode | None) -> list[tuple[str, list[str]]]:
    return [("sysctl", [_ecn(mode), ASK_AGAIN])] if mode else []


def _ecn(mode: EcnMode) -> str:
    return f"net.ipv4.tcp_ecn={ecn.TCP_ECN[mode]}"


def role(experiment: Experiment, epoch_s: float) -> Role:
    """The HTTP server of the experiment. epoch_s: second 0 on its host's monotonic clock."""
    server = experiment["server"]
    args: Args = {
        "http": server["http"],
        "http_version": server["http_version"],
        "file_bytes": file_sizes(experiment),
    }
    if films := session_sizes(experiment):
        args["session_bytes"] = films
    if film := mpd.film(experiment):
        args["dash"] = film
        if "live" in film:
            args["epoch_s"] = epoch_s
    return {"host": "server", "module": "weir_server.role", "args": args, "awaited": False}


def file_sizes(experiment: Experiment) -> list[int]:
    """Bytes of each level's file: the whole film, one segment after the other."""
    content = experiment["content"]
    if content["sizes_bytes"]:
        return [sum(sizes) for sizes in content["sizes_bytes"]]
    segments = content["segments"] or int(experiment["duration_s"] / content["segment_s"]) + 1
    # A player may be ahead of the clock by its buffer.
    ahead_s = max(client["buffer_s"] for client in experiment["clients"])
    segments += int(ahead_s / content["segment_s"]) + 1 if not content["segments"] else 0
    return [
        segments * round(bitrate * content["segment_s"] / 8) for bitrate in content["bitrates_bps"]
    ]


def session_sizes(experiment: Experiment) -> dict[int, int]:
    """Bytes of each session's own film, by the number of its client."""
    return {
        number: (film["segments"] or 0) * round(film["bitrates_bps"][0] * film["segment_s"] / 8)
        for number, client in enumerate(experiment["clients"], 1)
        if (film := client.get("film"))
    }
