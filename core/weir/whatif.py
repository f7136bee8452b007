"""What-ifs: an experiment with one thing changed from a moment on, and all else as it was.

Until then the run has the same bytes: nothing in it knows what is to come.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, cast

from pydantic import ValidationError

from weir.errors import Problem, SpecError
from weir.paths import paths_of
from weir.resolved import Client, Experiment
from weir.resolved_network import Direction, Event, NamedPath
from weir.spec import decisions, experiment
from weir.spec.problems import from_validation

__all__ = ["changed", "decided", "deciders", "event_of", "unchanged", "written"]

_WITHOUT_NAMES: Final = {
    "downlink.rate": ("rate", "downlink"),
    "uplink.rate": ("rate", "uplink"),
    "path.rtt.mean": ("rtt", None),
    "path.loss.downlink": ("loss", "downlink"),
    "path.loss.uplink": ("loss", "uplink"),
}
_OF_NAMED: Final = {place.removeprefix("path."): kind for place, kind in _WITHOUT_NAMES.items()}


def decided(asked: Experiment, client: int, levels: Mapping[int, int]) -> Experiment:
    """Client `client` (1-based) plays these levels, by segment from 0; earlier decisions of other
    segments stay. Raises SpecError: no such client, segment or level, or it does not let others
    decide.
    """
    _require_virtual(asked)
    count = len(asked["clients"])
    if not 1 <= client <= count:
        remedy = "name one that there is"
        raise SpecError([Problem("client", client, f"clients of the run, 1 to {count}", remedy)])
    before = asked["clients"][client - 1]
    both = {**before.get("decisions", {}), **{str(k): level for k, level in levels.items()}}
    in_order = {segment: both[segment] for segment in sorted(both, key=int)}
    after = cast(Client, {**before, "decisions": in_order})
    if problems := list(decisions.broken_rules(f"client {client}", after, asked["content"])):
        raise SpecError(problems)
    clients = list(asked["clients"])
    clients[client - 1] = after
    return {**asked, "clients": clients}


def deciders(asked: Experiment) -> list[int]:
    """The clients (1-based) that `decided` takes."""
    if asked["clock"] != "virtual":
        return []
    lowest = [cast(Client, {**client, "decisions": {"0": 0}}) for client in asked["clients"]]
    return [
        number
        for number, client in enumerate(lowest, 1)
        if not any(decisions.broken_rules("", client, asked["content"]))
    ]


def written(
    experiment_: Mapping[str, Any], client: int, levels: Mapping[int, int]
) -> dict[str, Any]:
    """As `decided`, of an experiment as a campaign says it: of equal clients one is set apart.

    The client must be one that `decided` takes.
    """
    clients: list[dict[str, Any]] = []
    before = 0
    for group in experiment_["clients"]:
        count = group.get("count", 1)
        place = client - 1 - before
        before += count
        if not 0 <= place < count:
            clients.append(group)
            continue
        forced = {**group.get("decisions", {}), **{str(k): level for k, level in levels.items()}}
        one = {**group, "count": 1, "decisions": forced}
        around = [{**group, "count": place}, one, {**group, "count": count - 1 - place}]
        clients += [each for each in around if each["count"]]
    return {**experiment_, "clients": clients}


def changed(asked: Experiment, at_s: float, place: str, value: object) -> Experiment:
    """From at_s on, to the end, the gateway has another rate, RTT or loss.

    place: as in a campaign, `gateway.downlink.rate`; value: as written there. Raises SpecError: it
    cannot change while a run goes on, or not here.
    """
    return _with(asked, experiment.Event.model_validate(event_of(asked, at_s, place, value)), place)


def unchanged(asked: Experiment, at_s: float, place: str) -> Experiment:
    """As `changed`, to what holds already: a program waits in the gateway, as it does there.

    That costs a reading of the clock, 256 ns, here or there: so this run, not one without the
    program, is the same as the changed one until at_s. Raises SpecError.
    """
    name, kind, on = _place(asked, at_s, place)
    path = _path(asked, name)
    link = path["uplink"] if on == "uplink" else path["downlink"]
    rates = link["rate_steps"]
    holds = {
        # A step to the same rate is none; tc's rates are whole bytes.
        "rate": rates[0][1] + 1 if rates else 0.0,
        "rtt": path["path"]["rtt"]["mean_s"],
        "loss": path["path"]["loss"][on or "downlink"],
    }
    fields: dict[str, Any] = {each: holds[each] if each == kind else None for each in holds}
    fields |= {"at": at_s, "for_": asked["duration_s"], "path": name or None, "on": on}
    event = experiment.Event.model_construct(**fields)
    return _with(asked, event, place)


def _with(asked: Experiment, event: experiment.Event, place: str) -> Experiment:
    path = _path(asked, event.path or "")
    value = next(v for v in (event.rate, event.rtt, event.loss) if v is not None)
    if event.rate is not None:
        return _with_rate(asked, path, event.directions[0], event.at, event.rate)
    if "conditions" in path["path"]:
        raise _refused(place, value, "where the path follows no trace of conditions")
    rtt = path["path"]["rtt"]
    if event.rtt is not None and event.rtt < rtt["stddev_s"]:
        raise _refused(place, f"{value:g}s", f"at least the jitter, {rtt['stddev_s']:g}s")
    found: list[Event] = []
    for on in event.directions:
        one: Event = {"at_s": event.at, "for_s": event.for_, "on": on}
        if event.path is not None:
            one["path"] = event.path
        if event.loss is not None:
            found.append({**one, "loss": event.loss})
        elif event.rtt is not None and rtt["on"] in (on, "split"):
            found.append({**one, "rtt_s": event.rtt})
    for other in asked["events"]:
        same = other.get("path") == event.path and other.get("on") in event.directions
        if (same or "down" in other) and other["at_s"] + other["for_s"] > event.at:
            raise _refused("at", f"{event.at:g}s", "after the experiment's own events",
                           "two cannot hold at once")  # fmt: skip
    both = sorted([*asked["events"], *found], key=lambda each: each["at_s"])
    return {**asked, "events": both}


def event_of(asked: Experiment, at_s: float, place: str, value: object) -> dict[str, Any]:
    """The change as an event of a campaign's experiment, sound by itself. Raises SpecError."""
    name, kind, on = _place(asked, at_s, place)
    duration_s = asked["duration_s"]
    # As long as the whole run, whose end cuts it: its own length would have to be rounded.
    raw = {"at": f"{at_s!r}s", "for": f"{duration_s!r}s", kind: value}
    raw |= {"on": on} if on else {}
    raw |= {"path": name} if name else {}
    try:
        experiment.Event.model_validate(raw)
    except ValidationError as error:
        problems = from_validation(error, experiment.Event)
        raise SpecError(replace(problem, path=place) for problem in problems) from None
    return raw


def _place(asked: Experiment, at_s: float, place: str) -> tuple[str, str, Direction | None]:
    """The path's name, the kind of event, its direction."""
    _require_virtual(asked)
    duration_s = asked["duration_s"]
    if not 0 <= at_s < duration_s:
        allowed = f"moments of the run, from 0s and before {duration_s:g}s"
        raise SpecError([Problem("at", f"{at_s:g}s", allowed, "name one that there is")])
    known = _places(asked)
    if place not in known:
        raise _refused("set", place, f"what can change while a run goes on: {', '.join(known)}",
                       "what stands still in a run is changed in its campaign")  # fmt: skip
    return known[place]


def _path(asked: Experiment, name: str) -> NamedPath:
    (found,) = [path for path in paths_of(asked) if path["name"] == name]
    return found


def _places(asked: Experiment) -> dict[str, tuple[str, str, Direction | None]]:
    """Place -> the path's name, the kind of event, its direction."""
    found: dict[str, tuple[str, str, Direction | None]] = {}
    for path in paths_of(asked):
        name = path["name"]
        at, kinds = (f"gateway.paths.{name}", _OF_NAMED) if name else ("gateway", _WITHOUT_NAMES)
        for place, (kind, on) in kinds.items():
            found[f"{at}.{place}"] = name, kind, cast("Direction | None", on)
    return found


def _with_rate(
    asked: Experiment, path: NamedPath, on: Direction, at_s: float, rate_bps: float
) -> Experiment:
    link = path["downlink"] if on == "downlink" else path["uplink"]
    if len(link["rate_steps"]) != 1:
        raise _refused(f"{on}.rate", f"{rate_bps:g} bit/s", "on a link of constant rate",
                       "write the steps of its rate into the campaign")  # fmt: skip
    before = link["rate_steps"] if at_s > 0 else []
    found = {**path, on: {**link, "rate_steps": [*before, [at_s, rate_bps]]}}
    gateway: Any = dict(asked["gateway"])
    if path["name"] == gateway.get("name", ""):
        gateway[on] = found[on]
    else:
        gateway["others"] = [
            found if other["name"] == path["name"] else other for other in gateway["others"]
        ]
    return {**asked, "gateway": gateway}


def _require_virtual(asked: Experiment) -> None:
    if asked["clock"] != "virtual":
        raise SpecError(
            [
                Problem(
                    "clock",
                    asked["clock"],
                    "virtual: on the real clock no two runs are alike, so what differs tells "
                    "nothing of the change",
                    "run the campaign with clock: virtual",
                )
            ]
        )


def _refused(path: str, value: object, allowed: str, remedy: str = "change it") -> SpecError:
    return SpecError([Problem(path, value, allowed, remedy)])
