"""`weir doctor`: what this machine can do."""

from __future__ import annotations

from dataclasses import asdict

from rich.table import Table

from weir_orchestrator.cli import exits
from weir_orchestrator.cli.common import DEFAULT_STORE, JsonOption, StoreOption, output, print_json

__all__ = ["doctor"]

_COLOURS = {"ok": "green", "warning": "yellow", "missing": "red"}


def doctor(store: StoreOption = DEFAULT_STORE, as_json: JsonOption = False) -> int:
    """Say what this machine can do and how to mend what it cannot."""
    from weir_engine.doctor import findings  # noqa: PLC0415

    found = list(findings(store))
    able = all(finding.level != "missing" for finding in found)
    if as_json:
        print_json({"able": able, "findings": [asdict(finding) for finding in found]})
        return exits.OK if able else exits.CANNOT
    table = Table(box=None, pad_edge=False, show_header=False)
    for finding in found:
        colour = _COLOURS[finding.level]
        told = finding.found + (f"\n-> {finding.remedy}" if finding.remedy else "")
        table.add_row(finding.name, f"[{colour}]{finding.level}[/]", told)
    output.print(table)
    output.print("ready to run" if able else "not ready: see the lines marked missing")
    return exits.OK if able else exits.CANNOT
