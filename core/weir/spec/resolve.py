"""An experiment as written becomes the resolved one: files read, BDPs and defaults worked out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from weir import resolved, resolved_network
from weir.errors import Problem, SpecError
from weir.spec import (
    clients,
    conditions,
    decisions,
    events,
    kernel,
    live,
    programs,
    sessions,
    traces,
    traffic,
)
from weir.spec.experiment import Experiment
from weir.spec.files import Files
from weir.spec.film import content_of
from weir.spec.links import Link, NamedPath, SteppedRate, TracedRate, Uplink, Upstream
from weir.spec.queues import DropTail, Queue
from weir.spec.record_size import too_much
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
    paths: list[resolved_network.NamedPath] = [
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
    of_clients = [
        attempt(clients.resolve, f"clients.{index}", client, experiment, files)
        for index, client in enumerate(experiment.clients)
    ]
    changed = attempt(kernel.resolve, experiment.kernel, files)
    if content is not None:
        for index, client in enumerate(of_clients):
            if client is not None:
                problems += decisions.broken_rules(f"clients.{index}", client, content)
        problems += live.broken_by_files(content, of_clients, experiment.duration)
        problems += programs.broken_by_files(content, of_clients)
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
            for client, spec in zip(of_clients, experiment.clients, strict=True)
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


def _gateway(
    paths: list[resolved_network.NamedPath], shaping: resolved_network.Shaping
) -> resolved_network.Gateway:
    first, *others = paths
    found: resolved_network.Gateway = {
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


def _path(at: str, path: NamedPath, experiment: Experiment, files: Files) -> resolved_network.Path:
    rtt, loss, asked = path.rtt, path.loss, path.conditions
    found: resolved_network.Path = {
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
) -> resolved_network.Link:
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
        viewers = sum(
            client.count
            for client in experiment.clients
            if at == "gateway.downlink"
            or at.split(".")[2] in client.uses(list(experiment.gateway.paths))
        )
        steps = [[at_s, rate_bps * viewers] for at_s, rate_bps in steps]
        mean_bps *= viewers
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


def _queue(path: str, queue: Queue, mean_bps: float, rtt_s: float) -> resolved_network.Queue:
    try:
        return queue.resolve(mean_bps, rtt_s)
    except SpecError as error:
        below = [replace(each, path=f"{path}.{each.path}") for each in error.problems]
        raise SpecError(below) from None


def _refused(path: str, value: Any, allowed: str, remedy: str) -> SpecError:
    return SpecError([Problem(path, value, allowed, remedy)])
