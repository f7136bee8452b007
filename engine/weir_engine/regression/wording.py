"""A judgement in words: for a terminal or a CI step's summary, for programs, and as JUnit's XML."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final
from xml.etree import ElementTree

from weir.metrics import CATALOG

from weir_engine.levels import text
from weir_engine.regression.effects import Effect
from weir_engine.regression.judge import Judged, Judgement
from weir_engine.report.numbers import scale_for

__all__ = ["as_json", "junit", "line", "markdown", "summary"]

_SHOWN: Final = 3
"""Of the worst, in a summary."""


def summary(judgement: Judgement) -> str:
    """`2 worse, 1 better, 40 cannot tell; 3 of 18 combinations changed`."""
    counts = Counter(one.verdict for one in judgement.judged)
    said = ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
    order = f"{judgement.changed} of {judgement.combinations} combinations changed in any way"
    return f"{order}; of the metrics, {said}" if judgement.changed else order


def line(one: Judged) -> str:
    """`worse: Mean stall 1.20 -> 2.31 s (+92 %, 24 pairs) at discipline sfq`."""
    info = CATALOG[one.metric]
    after = one.before + one.difference
    scale = scale_for(info.unit, max(abs(one.before), abs(after)))
    change = "" if one.relative is None else f"{100 * one.relative:+.3g} %, "
    unit = f" {scale.unit}" if scale.unit else ""
    values = f"{scale.number(one.before)} -> {scale.number(after)}{unit}"
    said = f"{one.verdict}: {info.title} {values} ({change}{one.n} pairs) at {_levels(one)}"
    if one.verdict != "cannot tell":
        return said
    if one.replicates is None:
        return f"{said}; more replicates would not tell at the shares seen"
    return f"{said}; about {one.replicates} replicates would"


def markdown(judgement: Judgement, title: str) -> str:
    """A summary with the worst changes and a table of all that is not the same."""
    worse = judgement.worse
    told = [one for one in judgement.judged if one.verdict not in {"same", "no matter"}]
    lines = [f"## {title}: {judgement.verdict}", "", f"{summary(judgement)}.", ""]
    lines += [f"- {line(one)}" for one in worse[:_SHOWN]]
    if told:
        lines += ["", "| verdict | metric | combination | baseline | change | pairs |"]
        lines += ["|---|---|---|---|---|---|"]
        lines += [_row(one) for one in told]
    lines += [f"\nNot compared: {remark}." for remark in judgement.remarks]
    return "\n".join(lines).strip() + "\n"


def as_json(judgement: Judgement, effects: Mapping[str, Effect]) -> dict[str, Any]:
    """For programs; undefined numbers are null."""
    return {
        "worse": bool(judgement.worse),
        "combinations": judgement.combinations,
        "changed": judgement.changed,
        "not_compared": list(judgement.remarks),
        "verdicts": [
            {
                "levels": one.levels,
                "metric": one.metric,
                "unit": CATALOG[one.metric].unit,
                "verdict": one.verdict,
                "pairs": one.n,
                "before": one.before,
                "difference": one.difference,
                "relative": one.relative,
                "replicates_wanted": one.replicates,
                "matters_from": effects[one.metric].of(one.before),
            }
            for one in judgement.judged
        ],
    }


def junit(judgement: Judgement, name: str) -> str:
    """JUnit's XML: a case per metric and combination, failed where worse, skipped where unclear."""
    suite = ElementTree.Element("testsuite", name=name, tests=str(len(judgement.judged)))
    suite.set("failures", str(len(judgement.worse)))
    suite.set("skipped", str(sum(one.verdict == "cannot tell" for one in judgement.judged)))
    for one in judgement.judged:
        case = ElementTree.SubElement(suite, "testcase", name=one.metric, classname=_levels(one))
        if one.verdict == "worse":
            ElementTree.SubElement(case, "failure", message=line(one))
        elif one.verdict == "cannot tell":
            ElementTree.SubElement(case, "skipped", message=line(one))
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, "unicode", xml_declaration=True) + "\n"


def _levels(one: Judged) -> str:
    said = [f"{path} {text(level)}" for path, level in one.levels.items()]
    return ", ".join(said) or "the one combination"


def _row(one: Judged) -> str:
    info = CATALOG[one.metric]
    scale = scale_for(info.unit, max(abs(one.before), abs(one.difference)))
    relative = one.relative
    change = "" if relative is None or not math.isfinite(relative) else f"{100 * relative:+.3g} %"
    cells = [
        one.verdict,
        info.title,
        _levels(one).replace("|", "\\|"),
        f"{scale.number(one.before)} {scale.unit}".strip(),
        change or f"{scale.number(one.difference)} {scale.unit}".strip(),
        str(one.n),
    ]
    return f"| {' | '.join(cells)} |"
