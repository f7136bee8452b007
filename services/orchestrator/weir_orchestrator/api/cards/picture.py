"""Pictures that people hand in: taken only as what they say they are."""

from __future__ import annotations

import base64
import binascii
from typing import Final
from xml.parsers import expat

from weir_orchestrator.api.cards.schemas import Picture
from weir_orchestrator.errors import FieldProblem, Unprocessable

__all__ = ["bytes_of"]

_PNG: Final = b"\x89PNG\r\n\x1a\n"
_SVG: Final = "http://www.w3.org/2000/svg svg"


def bytes_of(picture: Picture) -> bytes:
    """The picture's bytes. Raises Unprocessable where they are none of that type."""
    try:
        content = base64.b64decode(picture.base64, validate=True)
    except binascii.Error as error:
        raise _refused(picture) from error
    good = content.startswith(_PNG) if picture.type == "image/png" else _is_svg(content)
    if not good:
        raise _refused(picture)
    return content


def _is_svg(content: bytes) -> bool:
    """Whether it is one SVG element, without a document type, whose entities could grow."""
    roots: list[str] = []
    depth = 0

    def begin(name: str, _: object) -> None:
        nonlocal depth
        if depth == 0:
            roots.append(name)
        depth += 1

    def end(_: str) -> None:
        nonlocal depth
        depth -= 1

    def refuse(*_: object) -> None:
        raise expat.ExpatError("a document type")

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = begin
    parser.EndElementHandler = end
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(content, True)
    except (expat.ExpatError, ValueError):
        return False
    return roots == [_SVG]


def _refused(picture: Picture) -> Unprocessable:
    problem = FieldProblem(
        path="picture.base64",
        value=picture.base64[:40],
        allowed=f"the bytes of a picture of type {picture.type}",
        remedy="send an SVG without a document type, or a PNG",
    )
    return Unprocessable("1 problem", [problem])
