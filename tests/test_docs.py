"""The documentation as a site: all that is linked to is there, and nothing comes from elsewhere."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from weir.metrics import CATALOG, PARTS
from weir_testing.checkout import ROOT
from weir_testing.command import WEIR

LOADED = re.compile(
    r"<(?:script|img|iframe|source)[^>]*\ssrc=[\"']?(?:https?:)?//[^\"'\s>]+"
    r"|<link(?![^>]*rel=[\"']?canonical)[^>]*\shref=[\"']?(?:https?:)?//[^\"'\s>]+"
    r"|(?:@import|url\()\s*[\"']?(?:https?:)?//[^\"')]+"
)


def build(out: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """What `make docs` does."""
    return subprocess.run(
        [sys.executable, "-m", "docsite", "--out", str(out), *words],
        env={**os.environ, "PYTHONPATH": str(ROOT / "tools/docs")},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def site() -> Path:
    """The site as built, strictly: by make, which does not build again what is there."""
    page = Path("build/docs/site/index.html")
    subprocess.run(["make", "--silent", page], cwd=ROOT, check=True)
    return ROOT / page.parent


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    pages = [path for path in site.rglob("*") if path.suffix in {".html", ".css"}]
    assert len(pages) > 50
    found = {(path.name, link[0]) for path in pages for link in LOADED.finditer(path.read_text())}
    assert not found


def test_reference_pages_tell_what_the_sources_hold(site: Path) -> None:
    metrics = (site / "reference/metrics.html").read_text()
    assert all(f"<code>{name}</code>" in metrics for name in CATALOG)
    # The site raises the letters of 95th.
    plain = metrics.replace("<sup>", "").replace("</sup>", "")
    formulas = {info.formula for info in (*CATALOG.values(), *PARTS)}
    assert not formulas - {html.unescape(cell) for cell in re.findall("<td>(.*?)</td>", plain)}
    assert "congestion_control" in (site / "reference/fields.html").read_text()
    assert 'id="weir-replay"' in (site / "reference/command.html").read_text()
    assert 'id="submit_campaign"' in (site / "reference/operations.html").read_text()
    assert 'id="problemdetails"' in (site / "reference/models.html").read_text()


def test_dead_links_end_the_build(tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    for each in ROOT.iterdir():
        if each.name != "docs":
            (checkout / each.name).symlink_to(each)
    shutil.copytree(ROOT / "docs", checkout / "docs")
    with (checkout / "docs/lab.md").open("a") as page:
        page.write("\n[a](../core/weir/no_such.py) [b](cli.md#no-such-heading)\n")
    built = build(tmp_path / "out", "--checkout", str(checkout))
    assert built.returncode == 1
    source = "docs/lab.md: (../core/weir/no_such.py) — no such file or page"
    assert source in built.stderr
    assert "cli.md#no-such-heading" in built.stderr


def test_the_tutorial_can_be_followed(tmp_path: Path) -> None:
    write_tutorial(tmp_path)
    done = weir(tmp_path, "validate", "bufferbloat.yaml")
    assert "40 runs, 1 h 20 min of film" in done.stdout


@pytest.mark.kernel
def test_the_tutorials_claims_are_judged(tmp_path: Path) -> None:
    write_tutorial(tmp_path)
    weir(tmp_path, "run", "bufferbloat.yaml", "--replicates", "2", "--set", "duration=30s")
    found = json.loads(weir(tmp_path, "report", "bufferbloat.yaml", "--json").stdout)
    assert "queueing_delay_mean_s" in json.dumps(found)
    assert "CoDel keeps a long queue short." in json.dumps(found, ensure_ascii=False)


def write_tutorial(folder: Path) -> None:
    """The files that the tutorial has one write."""
    text = (ROOT / "docs/tutorial.md").read_text()
    campaign, claims, added = re.findall(r"^```yaml\n(.*?)^```", text, re.M | re.S)
    claims = claims.replace("figures:", f"{added}figures:")
    (folder / "bufferbloat.yaml").write_text(campaign)
    (folder / "claims.yaml").write_text(claims)


def weir(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A command of the tutorial, which must not fail."""
    return subprocess.run([WEIR, *words], cwd=folder, capture_output=True, text=True, check=True)
