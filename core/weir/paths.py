"""The paths of a resolved experiment: the gateway's own, or several, each by its name.

Paths are numbered from 0 in the order in which they are written.
"""

from __future__ import annotations

from weir.resolved import Experiment
from weir.resolved_network import Event, Gateway, NamedPath

__all__ = [
    "alone",
    "before_gateway",
    "clients_on",
    "has_names",
    "idle_rtt_s",
    "number_of",
    "outages",
    "paths_of",
    "traffic_on",
    "with_upstream",
]


def has_names(experiment: Experiment) -> bool:
    """Whether the experiment names its paths, be it one only."""
    return "name" in experiment["gateway"]


def paths_of(experiment: Experiment) -> list[NamedPath]:
    """All of them; the only one of an experiment that names none has the name ""."""
    gateway = experiment["gateway"]
    first: NamedPath = {
        "name": gateway.get("name", ""),
        "downlink": gateway["downlink"],
        "uplink": gateway["uplink"],
        "path": gateway["path"],
    }
    if "upstream" in gateway:
        first["upstream"] = gateway["upstream"]
    return [first, *gateway.get("others", [])]


def idle_rtt_s(path: NamedPath) -> float:
    """Its mean round trip while nothing queues."""
    return path["path"]["rtt"]["mean_s"] + (path["upstream"]["rtt_s"] if "upstream" in path else 0)


def with_upstream(experiment: Experiment) -> list[int]:
    """Numbers of the paths that have a second bottleneck."""
    return [number for number, path in enumerate(paths_of(experiment)) if "upstream" in path]


def before_gateway(experiment: Experiment, number: int) -> Experiment:
    """As `alone`, with the path's upstream in place of the gateway's own link."""
    one = alone(experiment, number)
    gateway: Gateway = {
        **one["gateway"],
        "downlink": paths_of(experiment)[number]["upstream"]["link"],
        "shaping": {**one["gateway"]["shaping"], "method": "none"},
    }
    return {**one, "gateway": gateway}


def number_of(experiment: Experiment, name: str) -> int:
    """Of the path with this name."""
    return [path["name"] for path in paths_of(experiment)].index(name)


def clients_on(experiment: Experiment, number: int) -> dict[int, int]:
    """Client (1-based) -> how many addresses it has on that path; without those who have none."""
    name = paths_of(experiment)[number]["name"]
    counts = {
        client: one.get("paths", [""]).count(name)
        for client, one in enumerate(experiment["clients"], 1)
    }
    return {client: count for client, count in counts.items() if count}


def traffic_on(experiment: Experiment, number: int) -> list[int]:
    """The other traffic (1-based) on that path."""
    name = paths_of(experiment)[number]["name"]
    flows = enumerate(experiment.get("traffic", []), 1)
    return [flow for flow, one in flows if one.get("path", "") == name]


def outages(experiment: Experiment, number: int) -> list[Event]:
    """Those of that path which take the carrier from its clients' interfaces."""
    name = paths_of(experiment)[number]["name"]
    down = [event for event in experiment["events"] if "down" in event]
    return [event for event in down if event.get("path", "") == name]


def alone(experiment: Experiment, number: int) -> Experiment:
    """The experiment as one path's gateway knows it: that path's links and events, and no other's.

    The clients are all there, so that they keep their numbers.
    """
    if not has_names(experiment):
        return experiment
    path = paths_of(experiment)[number]
    events = [event for event in experiment["events"] if event["path"] == path["name"]]
    gateway: Gateway = {
        "name": path["name"],
        "downlink": path["downlink"],
        "uplink": path["uplink"],
        "path": path["path"],
        "shaping": experiment["gateway"]["shaping"],
    }
    if "upstream" in path:
        gateway["upstream"] = path["upstream"]
    return {**experiment, "gateway": gateway, "events": events}
