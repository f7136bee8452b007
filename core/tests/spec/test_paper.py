"""A paper's file: what it may say, and what is refused with path, value and what is allowed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from weir.errors import Problem, SpecError
from weir.spec.load import all_levels, load_campaign
from weir.spec.paper import Paper
from weir.spec.paper_load import load_paper
from weir.spec.yamlfile import load_yaml
from weir_testing.checkout import ROOT

CAMPAIGNS = ROOT / "campaigns"
PAPERS = sorted(CAMPAIGNS.rglob("paper.yaml"))


def document() -> dict[str, Any]:
    return {
        "citation": "A paper",
        "axes": {
            "queue": {"levels": ["drop-tail", "codel"]},
            "clients": {"factor": "clients.0.count", "levels": [1, 2]},
        },
        "metrics": {"burst": {"title": "Burst", "part": ["drops_burst"], "of": ["drops_burst"]}},
        "findings": [
            {
                "statement": "So it is.",
                "comparisons": [
                    {
                        "metric": "ins",
                        "of": {"queue": "codel"},
                        "expect": "less",
                        "than": {"queue": "drop-tail"},
                        "where": {"clients": 2},
                        "by": "10%",
                    }
                ],
            }
        ],
        "figures": [
            {"title": "A figure", "metrics": ["burst"], "x": "queue", "where": {"clients": [1, 2]}}
        ],
    }


def loaded(tmp_path: Path, content: dict[str, Any]) -> Paper:
    file = tmp_path / "p.yaml"
    file.write_text(yaml.safe_dump(content, sort_keys=False))
    return load_paper(file)


def test_levels_and_thresholds_as_written(tmp_path: Path) -> None:
    paper = loaded(tmp_path, document())
    assert paper.axes["clients"].levels == {"1": "1", "2": "2"}
    (comparison,) = paper.findings[0].comparisons
    assert comparison.where == {"clients": ["2"]}
    assert (comparison.by.value, comparison.by.relative) == (10, True)
    assert paper.figures[0].where == {"clients": ["1", "2"]}
    # The record of a campaign keeps it as JSON.
    assert Paper.model_validate(paper.model_dump(mode="json")) == paper


COMPARISON = "findings.0.comparisons.0"


@pytest.mark.parametrize(
    ("path", "value", "allowed"),
    [
        (f"{COMPARISON}.metric", "inz", "ins"),
        (f"{COMPARISON}.of.queue", "kodel", "drop-tail, codel"),
        (f"{COMPARISON}.where.clients", 4, "1, 2"),
        (f"{COMPARISON}.where.size", "6bdp", "queue, clients"),
        (f"{COMPARISON}.each", ["size"], "queue, clients"),
        (f"{COMPARISON}.expect", "more", "greater, less, effect, little effect"),
        (f"{COMPARISON}.by", "much", "10%"),
        (f"{COMPARISON}.than", {"clients": 1}, "`of` and `than` with the same axes"),
        (f"{COMPARISON}.across", ["queue"], "no `across`"),
        (f"{COMPARISON}.more_for", {"clients": 1}, "`more_for` and `than_for`"),
        (f"{COMPARISON}.where.queue", [], ""),
        ("metrics.burst.part", ["drops_bust"], "drops_burst"),
        ("metrics.burst.of", [], ""),
        ("figures.0.metrics", ["burts"], "burst"),
        ("figures.0.x", "size", "queue, clients"),
        ("figures.0.x", None, "x for every kind but cdf"),
        ("figures.0.series", "queue", "every axis once"),
        ("figures.0.panels", {"columns": "size"}, "queue, clients"),
        ("figures.0.where.clients", 3, "1, 2"),
        ("figures.0.kind", "pie", "lines, bars, heat map, stacked, box, cdf"),
        ("figures.0.kind", "heat map", "series in a heat map"),
        ("figures.0.kind", "shares", "x for every kind but"),
        ("figures.0.kind", "window", "x for every kind but"),
        ("figures.0.metrics", [], "metrics for every kind but transfer and window"),
        ("figures.0.each", "client", "box, cdf and shares"),
        ("figures.0.ladder", True, "a ladder in a cdf"),
        ("figures.0.span_s", 0, ""),
        ("figures.0.colour", "red", "series"),
        ("claims", ["It rains."], "findings"),
    ],
)
def test_refused_with_path_value_and_allowed(
    tmp_path: Path, path: str, value: Any, allowed: str
) -> None:
    content = document()
    *above, last = path.split(".")
    here: Any = content
    for step in above:
        here = here[int(step)] if step.isdecimal() else here.setdefault(step, {})
    here[last] = value
    with pytest.raises(SpecError) as caught:
        loaded(tmp_path, content)
    (problem,) = caught.value.problems
    # What is wrong between two keys is said of what holds both; a list's entry by its number.
    asked = f"p.yaml.{path}"
    assert problem.path.startswith(asked) or asked.startswith(problem.path)
    assert problem.path.startswith(f"p.yaml.{'.'.join(above[:2])}")
    assert allowed in problem.allowed
    assert problem.remedy


def test_figures_of_segments_have_values_of_their_own(tmp_path: Path) -> None:
    content = document()
    figure = {"title": "Steps", "kind": "shares", "each": "segment", "series": "queue"}
    content["figures"] = [{**figure, "metrics": ["level_step"]}]
    assert loaded(tmp_path, content).figures[0].metrics == ["level_step"]
    content["figures"] = [{**figure, "metrics": ["switch_count"]}]
    with pytest.raises(SpecError) as caught:
        loaded(tmp_path, content)
    (problem,) = caught.value.problems
    assert problem.allowed == "metrics: raw_bps, estimate_bps, level_step"


def test_every_unknown_name_is_said_at_once(tmp_path: Path) -> None:
    content = document()
    content["figures"][0] |= {"metrics": ["burts"], "x": "queeu"}
    with pytest.raises(SpecError) as caught:
        loaded(tmp_path, content)
    assert caught.value.problems == [
        Problem("p.yaml.figures.0.metrics.0", "burts", problem_allowed(), "did you mean burst?"),
        Problem("p.yaml.figures.0.x", "queeu", "axes: queue, clients", "did you mean queue?"),
    ]


def problem_allowed() -> str:
    from weir.metrics import CATALOG  # noqa: PLC0415

    return f"metrics: {', '.join([*CATALOG, 'burst'])}"


def _at(experiment: Any, path: str) -> Any:
    """What stands there for all of a campaign's runs."""
    for step in path.split("."):
        if isinstance(experiment, list) and step.isdecimal():
            experiment = dict(enumerate(experiment)).get(int(step))
        else:
            experiment = experiment.get(step) if isinstance(experiment, dict) else None
    return experiment


@pytest.mark.parametrize("path", PAPERS, ids=lambda path: path.parent.name)
def test_shipped_axes_are_what_the_campaigns_vary(path: Path) -> None:
    """Else a finding would be "not measured" for a slip of the pen."""
    paper = load_paper(path)
    assert paper.findings
    assert paper.figures
    had: dict[str, set[str]] = {}
    for file in path.parent.glob("*.yaml"):
        if "name" not in load_yaml(file):
            continue
        campaign = load_campaign(file)
        if campaign.paper_path != path:
            continue
        had.setdefault("campaign", set()).add(campaign.name)
        for factor, levels in all_levels(campaign.axes()).items():
            had.setdefault(factor, set()).update(str(level) for level in levels)
        for axis in paper.axes.values():
            if axis.factor and (fixed := _at(campaign.experiment, axis.factor)) is not None:
                had.setdefault(axis.factor, set()).add(str(fixed))
    for name, axis in paper.axes.items():
        assert set(axis.levels) <= had[axis.factor or name], name
