"""YAML read as YAML 1.2's core schema, and safely.

`on`, `off`, `yes` and `no` are words here, not booleans: `on: uplink` is a key of the spec. Files
are small; aliases may not multiply into more than the limit below; duplicate keys are refused.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from weir.errors import Problem, SpecError

__all__ = ["MAX_FILE_BYTES", "MAX_NODES", "load_yaml", "parse_yaml"]

MAX_FILE_BYTES = 512 * 1024
MAX_NODES = 100_000


class _Loader(yaml.SafeLoader):
    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012


for _tag, _pattern, _first in (
    ("merge", r"<<$", ["<"]),
    ("null", r"(?:~|null|Null|NULL|)$", ["~", "n", "N", ""]),
    ("bool", r"(?:true|True|TRUE|false|False|FALSE)$", list("tTfF")),
    ("int", r"[-+]?(?:0|[1-9][0-9]*)$", list("-+0123456789")),
    (
        "float",
        r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$",
        list("-+.0123456789"),
    ),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(_pattern), _first)


def load_yaml(path: Path) -> Any:
    """Content of a YAML or JSON file. Raises SpecError: missing, unreadable, malformed, too big."""
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_FILE_BYTES + 1)
    except FileNotFoundError:
        raise _error(path.name, "there is no such file; check the path", str(path)) from None
    except OSError as error:
        raise _error(path.name, f"it cannot be read: {error.strerror}", str(path)) from None
    if len(raw) > MAX_FILE_BYTES:
        raise _error(path.name, f"a spec has at most {MAX_FILE_BYTES} bytes; split it with `base`")
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        raise _error(path.name, "it is not UTF-8 text; save it as UTF-8") from None
    return parse_yaml(text, path.name)


def parse_yaml(text: str, name: str) -> Any:
    """Content of a YAML text; `name` stands for it in errors. Raises SpecError."""
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
        if node is None:
            return None
        _check_size(node, name)
        return loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        raise _malformed(error, name) from None
    except (yaml.YAMLError, ValueError, AttributeError, LookupError, TypeError) as error:
        # The last three are what PyYAML raises for `!!int ""` and the like.
        raise _error(name, f"it is not YAML: {' '.join(str(error).split())}") from None
    except RecursionError:
        raise _error(name, "it is nested too deeply") from None


def _check_size(root: yaml.Node, name: str) -> None:
    """Count nodes as if every alias were written out, without writing any out."""
    sizes: dict[int, int] = {}
    open_nodes: set[int] = set()

    def size(node: yaml.Node) -> int:
        known = sizes.get(id(node))
        if known is not None:
            return known
        if id(node) in open_nodes:
            raise _error(_at(name, node.start_mark), "an alias refers to what contains it")
        open_nodes.add(id(node))
        total = 1
        if isinstance(node, yaml.SequenceNode):
            total += sum(size(child) for child in node.value)
        elif isinstance(node, yaml.MappingNode):
            _check_keys(node, name)
            total += sum(size(key) + size(value) for key, value in node.value)
        open_nodes.discard(id(node))
        sizes[id(node)] = total
        if total > MAX_NODES:
            raise _error(
                _at(name, node.start_mark),
                f"aliases written out make more than {MAX_NODES} values; use fewer",
            )
        return total

    size(root)


def _check_keys(node: yaml.MappingNode, name: str) -> None:
    seen: set[str] = set()
    for key, _ in node.value:
        if not isinstance(key, yaml.ScalarNode):
            raise _error(_at(name, key.start_mark), "a key must be a plain word")
        if key.value in seen and key.value != "<<":
            raise _error(
                _at(name, key.start_mark), f"the key {key.value!r} stands twice; remove one"
            )
        seen.add(key.value)


def _malformed(error: yaml.MarkedYAMLError, name: str) -> SpecError:
    what = ", ".join(" ".join(part.split()) for part in (error.context, error.problem) if part)
    mark = error.problem_mark or error.context_mark
    return _error(_at(name, mark) if mark else name, f"not valid YAML: {what}")


def _at(name: str, mark: yaml.Mark) -> str:
    return f"{name}, line {mark.line + 1}, column {mark.column + 1}"


def _error(where: str, remedy: str, value: str | None = None) -> SpecError:
    return SpecError([Problem(where, value, "", remedy)])
