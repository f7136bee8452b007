"""How the parts import each other, beside the layers that lint-imports holds (pyproject.toml)."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from graphlib import TopologicalSorter

import grimp
from weir_lab.packages import python_path
from weir_testing.checkout import ROOT

PACKAGES = (
    "weir",
    "weir_server",
    "weir_gateway",
    "weir_client",
    "weir_lab",
    "weir_engine",
    "weir_gym",
    "weir_orchestrator",
    "weir_sdk",
)
SOURCES = (
    "core/weir",
    "services/*/weir_*",
    "lab/weir_lab",
    "engine/weir_engine",
    "gym/weir_gym",
    "sdk/weir_sdk",
)
BY_NAME = re.compile(r"\bimport_module\(|\b__import__\(")


def test_no_modules_import_each_other() -> None:
    """Not by way of others either, nor for their types alone."""
    graph = grimp.build_graph(*PACKAGES)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    order = list(TopologicalSorter(imports).static_order())  # CycleError names a circle
    assert order.index("weir.resolved") < order.index("weir_lab.plan")


def test_only_what_a_plan_or_a_campaign_names_is_imported_by_name() -> None:
    found = {
        str(path.relative_to(ROOT))
        for pattern in SOURCES
        for folder in ROOT.glob(pattern)
        for path in folder.rglob("*.py")
        if BY_NAME.search(path.read_text())
    }
    assert found == {
        "lab/weir_lab/guest/hosts.py",  # a role's module
        "services/client/weir_client/abr/__init__.py",  # a shipped ABR's
    }


def test_an_agent_needs_the_standard_library_alone() -> None:
    """The images of the roles have no other package."""
    command = [sys.executable, "-S", "-c", "import weir_lab.real.serve, weir_client.role"]
    done = subprocess.run(
        command,
        env={"PYTHONPATH": os.pathsep.join(python_path())},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
