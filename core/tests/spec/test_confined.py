"""A confined campaign reads nothing outside its folder, whatever its names try."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from weir.errors import SpecError
from weir.expand import Expansion
from weir.spec.load import load_campaign

EXPERIMENT: dict[str, Any] = {
    "duration": "20s",
    "content": {"ladder": ["1Mbit/s", "2Mbit/s"], "segment": "2s"},
    "gateway": {"downlink": {"rate": "8Mbit/s"}, "path": {"rtt": {"mean": "100ms"}}},
    "clients": [{"player": "bba0", "buffer": "240s"}],
}
TRICKS = ("../secret", "sub/../../secret", "link", "/etc/hostname", "x\0y", "n" * 300, "\ud800")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "campaign"
    (folder / "sub").mkdir(parents=True)
    (tmp_path / "secret").write_text("1000\n2000\n")
    (folder / "link").symlink_to(tmp_path / "secret")
    (folder / "sub" / "trace").write_text("1000\n2000\n")
    return folder


def _write(folder: Path, **campaign: Any) -> Path:
    path = folder / "campaign.yaml"
    path.write_text(yaml.safe_dump({"name": "a", "experiment": EXPERIMENT, **campaign}))
    return path


@pytest.mark.parametrize("trick", TRICKS)
@pytest.mark.parametrize("place", ["base", "paper", "trace", "factor", "player", "sizes", "dash"])
def test_names_that_lead_outside_are_refused_with_their_field(
    folder: Path, place: str, trick: str
) -> None:
    changed: dict[str, dict[str, Any]] = {
        "base": {"base": trick},
        "paper": {"paper": trick},
        "trace": {"factors": {"gateway.downlink.rate": [{"trace": trick, "format": "mahimahi"}]}},
        "factor": {
            "factors": {
                "x": {"one": {"gateway.downlink.rate": {"trace": trick, "format": "mahimahi"}}}
            }
        },
        "player": {"factors": {"clients.0.player": [f"{trick}.py:Abr"]}},
        "sizes": {"factors": {"content.sizes": [trick]}},
        "dash": {"factors": {"content.sizes": [{"dash": trick}]}},
    }
    with pytest.raises(SpecError) as refused:
        load_campaign(_write(folder, **changed[place]), confined=True)
    assert "1000" not in str(refused.value)
    assert refused.value.problems[0].remedy


def test_files_in_the_folder_are_read_also_when_runs_are_made(folder: Path) -> None:
    rate = {"trace": "sub/trace", "format": "mahimahi"}
    path = _write(folder, factors={"gateway.downlink.rate": [rate]})
    (run,) = Expansion(load_campaign(path, confined=True)).runs()
    assert run.experiment["gateway"]["downlink"]["rate_loop_s"] == 2.0


def test_a_file_that_leaves_after_the_check_is_not_looked_for_elsewhere(folder: Path) -> None:
    rate = {"trace": "sub/trace", "format": "mahimahi"}
    campaign = load_campaign(
        _write(folder, factors={"gateway.downlink.rate": [rate]}), confined=True
    )
    (folder / "sub" / "trace").unlink()
    (folder / "sub" / "trace").symlink_to(folder.parent / "secret")
    with pytest.raises(SpecError, match="file of the campaign"):
        list(Expansion(campaign).runs())


def test_without_confinement_a_file_elsewhere_may_be_named(folder: Path) -> None:
    rate = {"trace": "../secret", "format": "mahimahi"}
    outside = load_campaign(_write(folder, factors={"gateway.downlink.rate": [rate]}))
    assert list(Expansion(outside).runs())
