"""A client as written becomes the resolved one, with the code of a player that it brings."""

from __future__ import annotations

import ast
import hashlib
from pathlib import PurePath

from weir import resolved
from weir.errors import Problem, SpecError
from weir.spec import packages
from weir.spec.client import Client, Deadlines
from weir.spec.experiment import Experiment
from weir.spec.files import Files
from weir.spec.names import nearest
from weir.spec.players import Fixed, completed
from weir.spec.rules import is_file

__all__ = ["resolve"]


def resolve(path: str, client: Client, experiment: Experiment, files: Files) -> resolved.Client:
    """One client, of which `count` are alike. Raises SpecError where its own player is no code."""
    player, source, end_s = client.player, None, experiment.duration
    package = None
    if packages.is_package(player):
        package = packages.read(f"{path}.player", player, files)
        player = f"{PurePath(player).name.strip('.') or 'player'}/"
    elif is_file(player):
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
    if package is not None:
        found["package"] = package
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
        said = f"{where}{getattr(error, 'msg', error)}"
        raise SpecError([Problem(path, player, "a Python file", said)]) from None
    classes = [node.name for node in module.body if isinstance(node, ast.ClassDef)]
    if class_name and class_name not in classes:
        near = nearest(class_name, classes)
        hint = f"did you mean {near}?" if near else f"it defines {', '.join(classes) or 'none'}"
        raise SpecError([Problem(path, player, f"a class of {name}", hint)])
    return {
        "name": PurePath(name).name,
        "class": class_name or None,
        "sha256": hashlib.sha256(text.encode()).hexdigest(),
        "text": text,
    }
