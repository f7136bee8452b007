"""What comes with Weir is found in a checkout, and in a wheel, which has it within the package."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest
from weir_orchestrator import shipped
from weir_testing.checkout import ROOT


@pytest.mark.parametrize("part", get_args(shipped.Part))
def test_a_checkout_has_it_where_it_is_written_or_made(part: shipped.Part) -> None:
    assert shipped.folder(part) == ROOT / shipped.FOLDERS[part]


def test_a_wheel_has_it_beside_the_modules(tmp_path: Path) -> None:
    assert shipped.folder("page", in_wheel=tmp_path) == tmp_path / "page"


def test_migrations_and_campaigns_are_there() -> None:
    assert (shipped.folder("migrations") / "env.py").is_file()
    assert (shipped.folder("campaigns") / "quickstart.yaml").is_file()
