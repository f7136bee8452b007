"""Rules between fields, over an experiment whose single values are already sound."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from pydantic import ValidationError

from weir.errors import Problem
from weir.resolved import OUTSIDE, PROGRAMS
from weir.spec import (
    content_rules,
    control_options,
    ecn,
    events,
    live,
    packages,
    programs,
    real_clock,
    sessions,
    several_paths,
    traffic,
)
from weir.spec.client import Client, crossed_bounds
from weir.spec.experiment import Experiment
from weir.spec.links import Link, SteppedRate, TracedRate, Uplink, Upstream
from weir.spec.names import nearest
from weir.spec.players import PLAYERS
from weir.spec.problems import SCALAR, from_validation

__all__ = ["broken_rules", "is_file"]

MOST_WITH_UPSTREAM = 5
"""Of paths. The recorder tells bottlenecks apart by one digit, and each path may have two."""
MAX_CLIENTS = 500
"""As far as cells were measured (docs/scale.md)."""


def is_file(player: str) -> bool:
    """Whether `player` names a file with a user's own ABR rather than a known player."""
    return "/" in player or ".py" in player


def broken_rules(experiment: Experiment) -> list[Problem]:
    """Every rule that the experiment breaks; paths are relative to the experiment."""
    if missing := list(_missing(experiment)):
        return missing
    return [
        *content_rules.broken_rules(experiment.content),
        *live.broken_rules(experiment),
        *several_paths.broken_rules(experiment),
        *real_clock.broken_rules(experiment),
        *_paths(experiment),
        *_http(experiment),
        *control_options.broken_rules(experiment.server),
        *ecn.broken_rules(experiment),
        *_initial_ssthresh(experiment),
        *_clients(experiment),
        *_sessions(experiment),
        *events.broken_rules(experiment),
        *_traffic(experiment),
    ]


def _missing(experiment: Experiment) -> Iterator[Problem]:
    if not experiment.clients and experiment.sessions is None:
        yield Problem("clients", None, "players", "add at least 1, or sessions")
    if experiment.clients and experiment.content is None:
        yield Problem("content", None, "", "it is required; add it")


def _sessions(experiment: Experiment) -> Iterator[Problem]:
    if experiment.sessions is None:
        return
    if experiment.server.http_version == "2":
        yield Problem("server.http_version", "2", "1.1 where there are sessions", "set 1.1")
    if experiment.gateway.paths:
        yield Problem("sessions", "with several paths", "without gateway.paths", "remove one")
    yield from sessions.problems_of(experiment.sessions, experiment.server.congestion_control)


def _link(path: str, link: Link | Uplink | Upstream) -> Iterator[Problem]:
    rate = link.rate
    if isinstance(rate, SteppedRate):
        moments = [step.at for step in rate.steps]
        if moments[0] != 0:
            yield Problem(f"{path}.rate.steps.0.at", f"{moments[0]:g}s", "0s", "begin at 0s")
        for index, (before, at) in enumerate(pairwise(moments), start=1):
            if at <= before:
                yield Problem(
                    f"{path}.rate.steps.{index}.at",
                    f"{at:g}s",
                    f"moments after {before:g}s",
                    "put the steps in order of time",
                )
    if isinstance(rate, TracedRate) and rate.format == "pensieve" and rate.bin is not None:
        yield Problem(f"{path}.rate.bin", f"{rate.bin:g}s", "mahimahi traces only", "remove it")
    if link.queue is not None and rate is None:
        yield Problem(
            f"{path}.queue",
            link.queue.discipline,
            "a queue where the link has a rate",
            f"an unshaped link never queues; set {path}.rate or remove the queue",
        )


def _traffic(experiment: Experiment) -> Iterator[Problem]:
    uplinks = {
        at.removeprefix("gateway").removeprefix(".paths.") or None
        for at, path in experiment.gateway.every_path.items()
        if path.uplink.rate is not None
    }
    flows, end_s = experiment.traffic, experiment.duration
    yield from traffic.broken_rules(flows, end_s, experiment.clock, uplinks)


def _paths(experiment: Experiment) -> Iterator[Problem]:
    for at, path in experiment.gateway.every_path.items():
        yield from _link(f"{at}.downlink", path.downlink)
        yield from _link(f"{at}.uplink", path.uplink)
        if path.upstream is not None:
            yield from _upstream(f"{at}.upstream", path.upstream, experiment)
        if path.rtt.stddev > path.rtt.mean:
            yield Problem(
                f"{'gateway.path' if at == 'gateway' else at}.rtt.stddev",
                f"{path.rtt.stddev:g}s",
                f"at most the mean, {path.rtt.mean:g}s",
                "delays cannot be negative; lower it or raise the mean",
            )


def _upstream(at: str, upstream: Upstream, experiment: Experiment) -> Iterator[Problem]:
    yield from _link(at, upstream)
    if len(experiment.gateway.paths) > MOST_WITH_UPSTREAM:
        yield Problem(at, f"{len(experiment.gateway.paths)} paths",
                      f"at most {MOST_WITH_UPSTREAM} paths, where one has an upstream",
                      "the lab kernel records ten bottlenecks; use fewer")  # fmt: skip


def _http(experiment: Experiment) -> Iterator[Problem]:
    if experiment.server.http_version == "2":
        return
    for index, client in enumerate(experiment.clients):
        if client.in_flight > 1:
            yield Problem(
                f"clients.{index}.in_flight",
                client.in_flight,
                "1 with HTTP/1.1, which answers one request after the other",
                "set server.http_version: 2",
            )


def _initial_ssthresh(experiment: Experiment) -> Iterator[Problem]:
    if (asked := experiment.server.initial_ssthresh) is None:
        return
    if experiment.gateway.paths:
        yield Problem("server.initial_ssthresh", asked, "null where gateway.paths are named",
                      "the server's route to one client is given it; use one path")  # fmt: skip


def _clients(experiment: Experiment) -> Iterator[Problem]:
    total = sum(client.count for client in experiment.clients)
    total += sessions.count(experiment.sessions)
    if total > MAX_CLIENTS:
        which = "clients" if experiment.sessions is None else "clients and sessions"
        yield Problem("clients", f"{total} {which}", f"at most {MAX_CLIENTS}", "use fewer")
    flows = sum(flow.count for flow in experiment.traffic)
    if flows and total + flows > MAX_CLIENTS:
        yield Problem("traffic", f"{flows} flows and {total} clients",
                      f"at most {MAX_CLIENTS} together", "use fewer")  # fmt: skip
    content = experiment.content
    if content is None:
        return
    for index, client in enumerate(experiment.clients):
        path = f"clients.{index}"
        if client.start >= experiment.duration:
            yield Problem(
                f"{path}.start",
                f"{client.start:g}s",
                f"before the end, {experiment.duration:g}s",
                "it would never play; start it earlier or raise duration",
            )
        if client.stop is not None and client.stop <= client.start:
            yield Problem(
                f"{path}.stop",
                f"{client.stop:g}s",
                f"after its start, {client.start:g}s",
                "stop it later or remove stop",
            )
        if client.buffer < content.segment:
            yield Problem(
                f"{path}.buffer",
                f"{client.buffer:g}s",
                f"at least one segment, {content.segment:g}s",
                "raise it",
            )
        if client.live and client.in_flight > 1:
            yield Problem(f"{path}.in_flight", client.in_flight, "1 with live",
                          "later segments are not there yet; remove it or live")  # fmt: skip
        if client.live and client.player == OUTSIDE:
            yield Problem(f"{path}.live", True, "with a player of Weir's own",
                          "a program of yours waits by itself; remove it")  # fmt: skip
        yield from _player(path, client, experiment.clock, len(content.ladder))
        if client.player in PROGRAMS or packages.is_package(client.player):
            yield from programs.broken_rules(path, client, experiment)
        yield from _asked_of_aimd(path, client, experiment)


def _asked_of_aimd(path: str, client: Client, experiment: Experiment) -> Iterator[Problem]:
    control = experiment.server.congestion_control
    deadlines = client.deadlines
    told = deadlines is not None and deadlines.moves != "none"
    remedy = "set server.congestion_control: aimd, or "
    if client.aimd is not None and control != "aimd":
        yield Problem(f"{path}.aimd", control, "aimd as the server's congestion control",
                      f"{remedy}remove it")  # fmt: skip
    if told and control != "aimd":
        yield Problem(f"{path}.deadlines", control, "aimd, the one control that takes deadlines",
                      f"{remedy}moves: none to measure lateness alone")  # fmt: skip
    if (told or client.aimd is not None) and experiment.server.http_version == "2":
        yield Problem("server.http_version", "2", "1.1 where clients ask something of aimd",
                      "it reads their headers, which HTTP/2 compresses; set 1.1")  # fmt: skip
    if told and client.aimd is not None:
        yield Problem(f"{path}.aimd", "beside deadlines", "one of them",
                      "deadlines set alpha and beta themselves; remove it")  # fmt: skip
    if client.aimd is not None and client.player == OUTSIDE:
        yield Problem(f"{path}.aimd", client.player, "a player of Weir's own",
                      "a program of yours sends the header Weir-AIMD itself")  # fmt: skip
    if deadlines is None:
        return
    if client.player != "fixed":
        yield Problem(f"{path}.deadlines", client.player, "the player `fixed`",
                      "bytes of a film that adapts have no deadlines beforehand")  # fmt: skip
    yield from crossed_bounds(f"{path}.deadlines", deadlines)


def _player(path: str, client: Client, clock: str, levels: int) -> Iterator[Problem]:
    if client.player not in PLAYERS and not packages.is_package(client.player):
        trees = (name for name, value in client.options.items() if isinstance(value, dict))
        yield from (Problem(f"{path}.options.{name}", "a mapping", *SCALAR) for name in trees)
    if client.player == OUTSIDE:
        if clock != "real":
            yield Problem(
                f"{path}.player",
                client.player,
                "a player of Weir's own on the virtual clock, which only they keep",
                "set clock: real",
            )
        return
    if client.player not in PLAYERS and not is_file(client.player):
        near = nearest(client.player, (*PLAYERS, OUTSIDE))
        yield Problem(
            f"{path}.player",
            client.player,
            f"{', '.join(PLAYERS)}, {OUTSIDE}, a file such as ./abr.py:MyAbr, or a folder such as "
            "./player/",
            f"did you mean {near}?" if near else "write one of them",
        )
    if client.player in PLAYERS:
        yield from _options(f"{path}.options", client, levels)


def _options(path: str, client: Client, levels: int) -> Iterator[Problem]:
    model = PLAYERS[client.player]
    try:
        model.model_validate(client.options)
    except ValidationError as error:
        yield from from_validation(error, model, path)
        return
    level = client.options.get("level", 0)
    if client.player == "fixed" and level not in range(levels):
        allowed = f"a level of the ladder, 0 to {levels - 1}"
        yield Problem(f"{path}.level", level, allowed, "name one that there is")
