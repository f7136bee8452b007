"""The notebook of docs/notebooks, as a reader would execute it."""

from __future__ import annotations

from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from weir_testing.checkout import ROOT
from weir_testing.live import Live
from weir_testing.patience import PATIENCE_S

pytestmark = pytest.mark.kernel

NOTEBOOK = ROOT / "docs" / "notebooks" / "aggregate.ipynb"


def test_it_ends_in_a_figure(server: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEIR_SERVER", server.url)
    monkeypatch.delenv("WEIR_TOKEN", raising=False)
    # Inline figures, whatever the machine's own choice is.
    monkeypatch.setenv("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    notebook: Any = nbformat.reads(NOTEBOOK.read_text(), as_version=4)  # type: ignore[no-untyped-call]
    assert not any(cell.get("outputs") for cell in notebook.cells), "commit it without outputs"
    short = next(c for c in notebook.cells if "parameters" in c.metadata.get("tags", []))
    short.source = 'film = {"duration": "20s"}'
    NotebookClient(notebook, timeout=round(PATIENCE_S), kernel_name="python3").execute()
    outputs = [each for cell in notebook.cells for each in cell.get("outputs", [])]
    said = "".join(each.get("text", "") for each in outputs)
    assert "finished {'succeeded': 18}" in said
    assert said.count("n=3") == 6
    assert "36 rows" in said
    pictures = [each for each in outputs if "image/png" in each.get("data", {})]
    assert len(pictures) == 1
