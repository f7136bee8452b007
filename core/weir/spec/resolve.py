"""An experiment as written becomes the resolved one: files read, BDPs and defaults worked out."""

from __future__ import annotations

import ast
import hashlib
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from weir import resolved
from weir.errors import Problem, SpecError
from weir.spec import conditions, decisions, events, kernel, sessions, traces, traffic
from weir.spec.client import Client, Deadlines
from weir.spec.experiment import Experiment
from weir.spec.files import Files
from weir.spec.film import content_of
from weir.spec.links import Link, NamedPath, SteppedRate, TracedRate, Uplink, Upstream
from weir.spec.names import nearest
from weir.spec.players import Fixed, completed
from weir.spec.queues import DropTail, Queue
from weir.spec.record_size import too_much
from weir.spec.rules import is_file
from weir.spec.server import Server

__all__ = ["resolve"]

DEFAULT_SCHEDULER = "default"
_DEFAULT_BIN_S = 0.1


def resolve(experiment: Experiment, files: Files) -> resolved.Experiment:
    """The resolved experiment. Raises SpecError with every problem found in files and limits."""
    problems: list[Problem] = []

    def attempt(build: Any, *args: Any) -> Any:
        try:
            return build(*args)
        except SpecError as error:
            problems.extend(error.problems)
            return None

    gateway = experiment.gateway
    drawn = attempt(sessions.resolve, experiment.sessions, experiment.duration) or []
    content = (
        attempt(content_of, experiment.content, files)
        if experiment.content
        else sessions.film_of_none(drawn)
    )
    paths: list[resolved.NamedPath] = [
        {
            "name": at.removeprefix("gateway").removeprefix(".paths."),
            "downlink": attempt(_link, f"{at}.downlink", path.downlink, path, experiment, files),
            "uplink": attempt(_link, f"{at}.uplink", path.uplink, path, experiment, files),
            "path": attempt(_path, at, path, experiment, files),
        }
        for at, path in gateway.every_path.items()
    ]
    for found_path, (at, path) in zip(paths, gateway.every_path.items(), strict=True):
        if path.upstream is not None:
            link = attempt(_link, f"{at}.upstream", path.upstream, path, experiment, files)
            found_path["upstream"] = {"link": link, "rtt_s": path.upstream.rtt}
    clients = [
        attempt(_client, f"clients.{index}", client, experiment, files)
        for index, client in enumerate(experiment.clients)
    ]
    changed = attempt(kernel.resolve, experiment.kernel, files)
    if content is not None:
        for index, client in enumerate(clients):
            if client is not None:
                problems += decisions.broken_rules(f"clients.{index}", client, content)
    if problems:
        raise SpecError(problems)
    found: resolved.Experiment = {
        "duration_s": experiment.duration,
        "clock": experiment.clock,
        "content": content,
        "server": _server(experiment.server),
        "gateway": _gateway(paths, gateway.shaping.resolve()),
        "clients": [
            client
            for client, spec in zip(clients, experiment.clients, strict=True)
            for _ in range(spec.count)
        ]
        + drawn,
        "events": events.resolve(experiment),
        "record": {"tcp": experiment.record.tcp, "queue": experiment.record.queue},
        "checks": _checks(experiment),
    }
    if experiment.traffic:
        found["traffic"] = traffic.resolve(experiment.traffic, experiment.duration)
    if experiment.sessions and experiment.sessions.end != "all-done":
        found["ends"] = experiment.sessions.end
    if changed:
        found["kernel"] = changed
    if problems := list(too_much(found)):
        raise SpecError(problems)
    return found


def _checks(experiment: Experiment) -> resolved.Checks:
    asked, real = experiment.checks, experiment.clock == "real"
    rtt_s, rate = (1e-3, 0.01) if real else (1e-4, 0.005)
    found: resolved.Checks = {
        "rtt_tolerance_s": rtt_s if asked.rtt_tolerance is None else asked.rtt_tolerance,
        "rate_tolerance": rate if asked.rate_tolerance is None else asked.rate_tolerance,
    }
    if real:
        found["timer_lateness_s"] = asked.timer_lateness
        found["cpu_starvation"] = asked.cpu_starvation
    return found


def _server(server: Server) -> resolved.Server:
    found: resolved.Server = {
        "http": server.http,
        "http_version": server.http_version,
        "congestion_control": server.congestion_control,
        "sysctls": {k: str(v) for k, v in sorted(server.sysctls.items())},
    }
    if server.congestion_control_options:
        found["congestion_control_options"] = dict(
            sorted(server.congestion_control_options.items())
        )
    if server.initial_ssthresh is not None:
        found["initial_ssthresh_segments"] = server.initial_ssthresh
    if server.ecn is not None:
        found["ecn"] = server.ecn
    if server.scheduler != DEFAULT_SCHEDULER:
        found["scheduler"] = server.scheduler
    return found


def _gateway(paths: list[resolved.NamedPath], shaping: resolved.Shaping) -> resolved.Gateway:
    first, *others = paths
    found: resolved.Gateway = {
        "downlink": first["downlink"],
        "uplink": first["uplink"],
        "path": first["path"],
        "shaping": shaping,
    }
    if "upstream" in first:
        found["upstream"] = first["upstream"]
    if first["name"]:
        found["name"], found["others"] = first["name"], others
    return found


def _path(at: str, path: NamedPath, experiment: Experiment, files: Files) -> resolved.Path:
    rtt, loss, asked = path.rtt, path.loss, path.conditions
    found: resolved.Path = {
        "rtt": {
            "mean_s": rtt.mean,
            "stddev_s": rtt.stddev,
            "distribution": rtt.distribution,
            "keep_order": rtt.keep_order,
            "on": rtt.on,
        },
        "loss": {"downlink": loss.downlink, "uplink": loss.uplink},
    }
    if asked is not None:
        where = f"{'gateway.path' if at == 'gateway' else at}.conditions.trace"
        text, end_s = files.text(asked.trace, where), experiment.duration
        try:
            table = conditions.FORMATS[asked.format](text)
            found["conditions"] = conditions.until(table, end_s, rtt, loss.downlink, asked.loop)
        except traces.BadTrace as error:
            raise _refused(where, asked.trace, f"a {asked.format} trace", str(error)) from None
    return found


def _link(
    at: str, link: Link | Uplink | Upstream, path: NamedPath, experiment: Experiment, files: Files
) -> resolved.Link:
    if link.rate is None:
        return {"rate_steps": [], "rate_loop_s": None, "queue": None}
    end_s = experiment.duration
    if isinstance(link.rate, TracedRate):
        steps, period_s = _trace(f"{at}.rate", link.rate, end_s, files)
        mean_bps = traces.mean_rate(steps, period_s)
    else:
        steps, period_s = _written_steps(link.rate), end_s
        mean_bps = traces.mean_rate(steps, end_s)
    if isinstance(link, Link) and link.per_client:
        clients = sum(
            client.count
            for client in experiment.clients
            if at == "gateway.downlink"
            or at.split(".")[2] in client.uses(list(experiment.gateway.paths))
        )
        steps = [[at_s, rate_bps * clients] for at_s, rate_bps in steps]
        mean_bps *= clients
    return {
        "rate_steps": traces.until(events.with_rates(steps, at, experiment), end_s),
        "rate_loop_s": period_s if period_s < end_s else None,
        "queue": _queue(f"{at}.queue", link.queue or DropTail(), mean_bps, path.idle_rtt_s),
    }


def _written_steps(rate: float | SteppedRate) -> traces.Steps:
    if isinstance(rate, SteppedRate):
        return [[step.at, step.rate] for step in rate.steps]
    return [[0.0, rate]]


def _trace(path: str, rate: TracedRate, end_s: float, files: Files) -> tuple[traces.Steps, float]:
    text = files.text(rate.trace, f"{path}.trace")
    try:
        if rate.format == "mahimahi":
            steps, period_s = traces.mahimahi(text, rate.bin or _DEFAULT_BIN_S)
        elif rate.format == "pensieve":
            steps, period_s = traces.pensieve(text)
        else:
            columns, period_s = conditions.rows(text)
            if "rate_mbit" not in columns:
                raise traces.BadTrace("it has no column rate_mbit")
            steps = columns["rate_mbit"]
    except traces.BadTrace as error:
        raise _refused(f"{path}.trace", rate.trace, f"a {rate.format} trace", str(error)) from None
    if period_s < end_s and not rate.loop:
        raise _refused(
            f"{path}.trace",
            rate.trace,
            f"a trace of {end_s:g}s or more",
            f"it lasts {period_s:g}s: set {path}.loop to true or lower duration",
        )
    if not any(rate for _, rate in traces.until(steps, end_s)):
        raise _refused(
            f"{path}.trace",
            rate.trace,
            "a trace that sends something",
            f"its rate is zero for the run's {end_s:g}s; cut its beginning or raise duration",
        )
    return steps, period_s


def _queue(path: str, queue: Queue, mean_bps: float, rtt_s: float) -> resolved.Queue:
    try:
        return queue.resolve(mean_bps, rtt_s)
    except SpecError as error:
        below = [replace(each, path=f"{path}.{each.path}") for each in error.problems]
        raise SpecError(below) from None


def _client(path: str, client: Client, experiment: Experiment, files: Files) -> resolved.Client:
    player, source, end_s = client.player, None, experiment.duration
    if is_file(player):
        source = _source(f"{path}.player", player, files)
        player = source["name"] + (f":{source['class']}" if source["class"] else "")
    stop, options = client.stop, dict(sorted(client.options.items()))
    if player in resolved.PROGRAMS:
        # Its version is part of the run key, also where it is the default.
        options = completed(player, options)
    found: resolved.Client = {
        "player": player,
        "options": options,
        "buffer_s": client.buffer,
        "in_flight": client.in_flight,
        "start_s": client.start,
        "stop_s": stop if stop is not None and stop < end_s else None,
        "source": source,
    }
    if client.live:
        found["live"] = True
    if client.ecn is not None:
        found["ecn"] = client.ecn
    if client.decisions:
        in_order = sorted(client.decisions, key=int)
        found["decisions"] = {segment: client.decisions[segment] for segment in in_order}
    if client.aimd is not None:
        found["aimd"] = {"alpha": client.aimd.alpha, "beta": client.aimd.beta}
    if client.deadlines is not None:
        found["deadlines"] = _deadlines(client.deadlines, client, experiment)
    if client.transport == "mptcp":
        found["transport"] = "mptcp"
    if experiment.gateway.paths:
        found["paths"] = client.uses(list(experiment.gateway.paths))
        found["backup"] = client.backup
    return found


def _deadlines(asked: Deadlines, client: Client, experiment: Experiment) -> resolved.Deadlines:
    """Of what the client plays: the film, or as much of it as its time holds."""
    content = experiment.content
    assert content is not None, "clients have a film"
    end_s = min(client.stop or experiment.duration, experiment.duration)
    length_s = end_s - client.start
    if content.segments is not None:
        length_s = min(length_s, content.segments * content.segment)
    return {
        "after_s": asked.after,
        "length_s": length_s,
        "rate_bps": content.ladder[Fixed.model_validate(client.options).level],
        "moves": asked.moves,
        "lower_s": asked.lower,
        "upper_s": asked.upper,
    }


def _source(path: str, player: str, files: Files) -> resolved.ClientSource:
    name, _, class_name = player.partition(":")
    text = files.text(name, path)
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        where = f"line {line}: " if line else ""
        raise _refused(
            path, player, "a Python file", f"{where}{getattr(error, 'msg', error)}"
        ) from None
    classes = [node.name for node in module.body if isinstance(node, ast.ClassDef)]
    if class_name and class_name not in classes:
        near = nearest(class_name, classes)
        hint = f"did you mean {near}?" if near else f"it defines {', '.join(classes) or 'none'}"
        raise _refused(path, player, f"a class of {name}", hint)
    return {
        "name": PurePath(name).name,
        "class": class_name or None,
        "sha256": hashlib.sha256(text.encode()).hexdigest(),
        "text": text,
    }


def _refused(path: str, value: Any, allowed: str, remedy: str) -> SpecError:
    return SpecError([Problem(path, value, allowed, remedy)])
