"""The film of an experiment: its ladder, and its segments' sizes from wherever they come."""

from __future__ import annotations

import posixpath
from typing import Any

from weir import resolved_film
from weir.content import BadContent, Film, generate
from weir.content.dash import from_dash
from weir.content.hls import from_hls
from weir.content.sabre import from_sabre
from weir.content.table import from_csv
from weir.errors import Problem, SpecError
from weir.spec import live
from weir.spec.content import Content, Generate, Sizes
from weir.spec.files import Files
from weir.spec.names import SIZE_SOURCES

__all__ = ["content_of"]

_DURATION_TOLERANCE = 0.05
"""Segments of real encodings end at key frames, so their durations differ a little."""


def content_of(content: Content, files: Files) -> resolved_film.Content:
    """The resolved content. Raises SpecError: files, sizes that do not match ladder or segments."""
    segments, sizes = content.segments, None
    if content.sizes is not None:
        path, value, film = _film(content, content.sizes, files)
        _check_match(path, value, film, content)
        have = len(film.sizes_bytes[0])
        segments = have if segments is None else segments
        if segments > have:
            raise _refused(
                "content.segments", segments, f"at most the {have} of {path}",
                "lower it, or add segments there",
            )  # fmt: skip
        sizes = [row[:segments] for row in film.sizes_bytes]
    found: resolved_film.Content = {
        "bitrates_bps": list(content.ladder),
        "segment_s": content.segment,
        "segments": segments,
        "sizes_bytes": sizes,
    }
    if content.live is not None:
        found["live"] = live.resolve(content.live, content.segment)
    return found


def _film(content: Content, sizes: str | Sizes, files: Files) -> tuple[str, Any, Film]:
    """The field the sizes come from, what stands there, and the film."""
    if isinstance(sizes, str):
        path, source, named = "content.sizes", "file", sizes
    else:
        source = next(key for key in SIZE_SOURCES if getattr(sizes, key) is not None)
        path, named = f"content.sizes.{source}", getattr(sizes, source)
    table = None
    if isinstance(sizes, Sizes) and sizes.table is not None:
        table = files.text(sizes.table, "content.sizes.table")

    def read() -> Film:
        if isinstance(named, Generate):
            return Film(
                generate(
                    content.ladder, content.segment, content.segments or 1, seed=named.seed,
                    variation=named.variation, peak=named.peak, scene_s=named.scene,
                )
            )  # fmt: skip
        if source == "file":
            return from_csv(files.text(named, path), len(content.ladder))
        if source == "sabre":
            return from_sabre(files.text(named, path))
        folder = _Folder(files, named, path)
        return from_hls(named, folder) if source == "hls" else from_dash(named, folder, table)

    key = (source, str(named), table, tuple(content.ladder), content.segment, content.segments)
    try:
        return path, named, files.once(key, read)
    except BadContent as error:
        value = named if error.value is None else error.value
        raise _refused(path, value, _ALLOWED[source], str(error)) from None


_ALLOWED = {
    "file": "one size in bytes per level and line, with commas between",
    "generate": "what a film of this ladder and length can have",
    "dash": "an MPD whose segments have sizes",
    "hls": "a master playlist whose segments have sizes",
    "sabre": "a Sabre manifest",
}


def _check_match(path: str, value: Any, film: Film, content: Content) -> None:
    levels = len(film.sizes_bytes)
    if levels != len(content.ladder):
        rates = ", ".join(f"{rate / 1000:g}kbit/s" for rate in film.bitrates_bps or [])
        raise _refused(
            path, f"{value} with {levels} levels", f"{len(content.ladder)}, as content.ladder has",
            f"write content.ladder: [{rates}]" if rates else "give a size for each level",
        )  # fmt: skip
    asked_s, found_s = content.segment, film.segment_s
    if found_s is not None and abs(found_s - asked_s) > _DURATION_TOLERANCE * asked_s:
        raise _refused(
            "content.segment", f"{asked_s:g}s", f"the segments' duration in {value}, {found_s:g}s",
            f"write content.segment: {found_s:g}s",
        )  # fmt: skip


class _Folder:
    """Files beside a manifest (weir.content.Folder), none outside the manifest's folder."""

    def __init__(self, files: Files, manifest: str, path: str) -> None:
        self._files = files
        self._top = (files.folder / posixpath.dirname(manifest)).resolve()
        self._path = path

    def text(self, name: str) -> str:
        return self._files.text(self._inside(name), self._path)

    def size(self, name: str) -> int:
        return self._files.size(self._inside(name), self._path)

    def _inside(self, name: str) -> str:
        if "://" in name or not name.isprintable():
            raise BadContent(name, "it is no file; put the film's files beside the manifest")
        if not (self._files.folder / name).resolve().is_relative_to(self._top):
            raise BadContent(name, "it lies outside the manifest's folder; move it there")
        return name


def _refused(path: str, value: Any, allowed: str, remedy: str) -> SpecError:
    return SpecError([Problem(path, value, allowed, remedy)])
