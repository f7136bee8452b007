"""DASH: an MPD with SegmentList or SegmentTemplate (ISO/IEC 23009-1), sizes from what it names.

The first Period's video AdaptationSet counts, its Representations ordered by bandwidth. A size is
the length of SegmentURL@mediaRange, or that of the file beside the MPD, or comes from a table.
SegmentBase (one file per level with an index inside) is not read: name sizes in a table.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from statistics import median
from xml.etree import ElementTree

from weir.content.table import BadContent, Film, Folder, film, from_csv

__all__ = ["from_dash"]

_MAX_SEGMENTS = 100_000
_DURATION = re.compile(r"P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?")
_IDENTIFIER = re.compile(r"\$(RepresentationID|Number|Bandwidth|Time|)(?:%0(\d{1,2})d)?\$")

Element = ElementTree.Element


def from_dash(name: str, folder: Folder, table: str | None = None) -> Film:
    """The film of an MPD; table: the text of a CSV file of sizes instead of files.

    Raises BadContent.
    """
    root = _parsed(name, folder.text(name))
    period = root.find("{*}Period")
    if period is None:
        raise BadContent(name, "it has no Period")
    chosen = _video(period, name)
    levels = sorted(chosen.findall("{*}Representation"), key=_bandwidth)
    if not levels:
        raise BadContent(name, "its video AdaptationSet has no Representation")
    total_s = _seconds(period.get("duration") or root.get("mediaPresentationDuration"))
    base = posixpath.dirname(name)
    base = _joined(_joined(_joined(base, root), period), chosen)
    named = [_segments(level, [level, chosen, period], total_s) for level in levels]
    segment_s = median(duration for duration, _ in named)
    rates = [_bandwidth(level) for level in levels]
    if table is not None:
        sizes = from_csv(table, len(levels)).sizes_bytes
        if len(sizes[0]) != len(named[0][1]):
            raise BadContent(
                f"{len(sizes[0])} rows in the table", f"{name} has {len(named[0][1])} segments; "
                "give a row for each",
            )  # fmt: skip
        return Film(sizes, rates, segment_s)
    rows = [
        [
            size if size is not None else folder.size(posixpath.join(_joined(base, level), url))
            for url, size in segments
        ]
        for level, (_, segments) in zip(levels, named, strict=True)
    ]
    return film(rows, rates, segment_s)


def _parsed(name: str, text: str) -> Element:
    # A DTD is where entities are declared, which can multiply or reach other files; MPDs need none.
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise BadContent(name, "it declares a DTD, which is not read; remove it")
    try:
        root = ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError) as error:
        raise BadContent(name, f"it is not XML: {error}") from None
    if root.tag.rpartition("}")[2] != "MPD":
        raise BadContent(name, f"its root is {root.tag.rpartition('}')[2]}, not MPD")
    return root


def _video(period: Element, name: str) -> Element:
    sets = period.findall("{*}AdaptationSet")
    for found in sets:
        kinds = [found.get("contentType"), found.get("mimeType")]
        kinds += [level.get("mimeType") for level in found.findall("{*}Representation")]
        if any(kind and kind.startswith("video") for kind in kinds):
            return found
    if len(sets) == 1:
        return sets[0]
    raise BadContent(name, "it has no AdaptationSet of contentType or mimeType video")


def _segments(
    level: Element, nested: list[Element], total_s: float | None
) -> tuple[float, list[tuple[str, int | None]]]:
    """Segment duration in s and (file, size where a range gives it) of each segment."""
    for kind in ("SegmentTemplate", "SegmentList"):
        # What stands further in wins over what it inherits.
        parts = [found for node in nested if (found := node.find(f"{{*}}{kind}")) is not None]
        if not parts:
            continue
        of = {key: value for part in reversed(parts) for key, value in part.attrib.items()}
        timeline = next((t for p in parts if (t := p.find("{*}SegmentTimeline")) is not None), None)
        scale = _whole(of.get("timescale", "1"), f"{kind}@timescale")
        times = list(_times(timeline, of, scale, total_s, kind))
        if kind == "SegmentTemplate":
            lengths = [length for _, length in times]
            if not lengths:
                raise BadContent(kind, "it has no segments")
            return median(lengths) / scale, list(_template(level, of, times))
        urls = next((urls for part in parts if (urls := part.findall("{*}SegmentURL"))), [])
        listed = [(url.get("media", ""), _range(url.get("mediaRange"))) for url in urls]
        if not listed:
            raise BadContent(kind, "it lists no SegmentURL")
        lengths = [length for _, length in times] or [
            _whole(of.get("duration"), f"{kind}@duration")
        ]
        return median(lengths) / scale, listed
    raise BadContent(
        f"Representation {level.get('id')}",
        "it has no SegmentList and no SegmentTemplate; segment the film so, or use "
        "sizes: {file: table.csv}",
    )


def _times(
    timeline: Element | None, of: dict[str, str], scale: int, total_s: float | None, kind: str
) -> Iterator[tuple[int, int]]:
    """Start and length of each segment, in units of the timescale."""
    if timeline is None:
        if kind == "SegmentList":
            return
        length = _whole(of.get("duration"), f"{kind}@duration")
        if total_s is None:
            raise BadContent(kind, "the MPD has no mediaPresentationDuration; add it")
        count = max(1, -(-round(total_s * scale) // length))
        _bounded(count)
        yield from ((index * length, length) for index in range(count))
        return
    at = count = 0
    for entry in timeline.findall("{*}S"):
        length = _whole(entry.get("d"), "S@d")
        at = _whole(entry.get("t"), "S@t", 0) if entry.get("t") is not None else at
        repeat = entry.get("r", "0")
        if not repeat.isdecimal():
            raise BadContent(f"S@r {repeat}", "open repeats are not read; write how many follow")
        count += int(repeat[:8]) + 1
        _bounded(count)
        for _ in range(int(repeat[:8]) + 1):
            yield at, length
            at += length


def _bounded(count: int) -> None:
    if count > _MAX_SEGMENTS:
        raise BadContent(f"{count} segments", f"at most {_MAX_SEGMENTS} are read")


def _template(
    level: Element, of: dict[str, str], times: list[tuple[int, int]]
) -> Iterator[tuple[str, None]]:
    media = of.get("media")
    if media is None:
        raise BadContent("SegmentTemplate", "it has no media attribute")
    first = _whole(of.get("startNumber", "1"), "SegmentTemplate@startNumber", 0)
    values = {"RepresentationID": level.get("id", ""), "Bandwidth": level.get("bandwidth", "")}
    values[""] = "$"

    def filled(identifier: re.Match[str]) -> str:
        return values[identifier[1]].zfill(int(identifier[2] or 0))

    for index, (at, _) in enumerate(times):
        values |= {"Number": str(first + index), "Time": str(at)}
        yield _IDENTIFIER.sub(filled, media), None


def _range(text: str | None) -> int | None:
    if text is None:
        return None
    first, _, last = text.partition("-")
    if not (first.isdecimal() and last.isdecimal()) or len(text) > 40 or int(last) < int(first):
        raise BadContent(f"SegmentURL@mediaRange {text}", "it is first-last, in bytes")
    return int(last) - int(first) + 1


def _bandwidth(level: Element) -> float:
    return float(_whole(level.get("bandwidth"), "Representation@bandwidth"))


def _joined(base: str, node: Element) -> str:
    return posixpath.join(base, (node.findtext("{*}BaseURL") or "").strip())


def _whole(text: str | None, what: str, least: int = 1) -> int:
    if text is None or not text.isdecimal() or len(text) > 18 or int(text) < least:
        raise BadContent(f"{what} {text}", f"it is a whole number of {least} or more")
    return int(text)


def _seconds(text: str | None) -> float | None:
    if text is None:
        return None
    found = _DURATION.fullmatch(text)
    if found is None or not any(found.groups()):
        raise BadContent(f"duration {text}", "it is written like PT9M56.46S")
    days, hours, minutes, seconds = (float(part or 0) for part in found.groups())
    return ((days * 24 + hours) * 60 + minutes) * 60 + seconds
