"""A report's colours are the web page's, whose tests say that any eye tells them apart."""

from __future__ import annotations

import re
from importlib import resources

from weir_engine.report.svg import COLOURS, SHOWN, figure, inline
from weir_testing.checkout import ROOT

HEX = re.compile(r"#[0-9a-f]{6}")


def of_page(scheme: str) -> list[str]:
    palette = (ROOT / "web/src/shared/theme/palette.ts").read_text()
    (series,) = re.findall(r"SERIES_COLOURS[^{]*\{(.*?)\};", palette, re.DOTALL)
    (colours,) = re.findall(rf"{scheme}: \[([^]]*)\]", series)
    return HEX.findall(colours)


def test_they_are_those_of_the_page_on_either_ground() -> None:
    assert list(COLOURS) == of_page("light")
    css = (resources.files("weir_engine.report") / "templates/report.css").read_text()
    dark = dict(re.findall(r"--series-(\d): (#[0-9a-f]{6})", css))
    assert [dark[str(number)] for number in range(1, 9)] == of_page("dark")


def test_a_figure_takes_them_from_the_page_around_it() -> None:
    made, (axis,) = figure(2, 2)
    for number, colour in enumerate(COLOURS):
        axis.plot([0, 1], [number, number], color=colour)
    svg = inline(made, "Lines")
    assert all(f"stroke: {shown}" in svg for shown in SHOWN)
    assert not any(f"stroke: {colour}" in svg for colour in COLOURS)
