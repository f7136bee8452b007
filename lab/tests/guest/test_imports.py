"""What starts inside the lab kernel: the standard library, and little of that."""

from __future__ import annotations

import subprocess
import sys

from weir_lab.packages import python_path

# All but weir_gateway.manager: its shaper takes types from weir.resolved. Not to would move the
# virtual clock of every shaped run by a few nanoseconds, and with it who comes first where two
# things happen at once (weir_lab.guest).
PROGRAMS = (
    "weir_lab.guest.init",
    "weir_lab.guest.zygote",
    "weir_lab.guest.cell",
    "weir_lab.guest.live",
    "weir_lab.guest.hosts",
    "weir_lab.guest.apply",
    "weir_lab.guest.probe",
    "weir_lab.guest.frames",
    "weir_lab.guest.lateness",
    "weir_server.role",
    "weir_gateway.timed",
    "weir_client.role",
)
SLOW = {"typing", "dataclasses", "re", "json", "inspect", "logging", "pathlib"}


def loaded_by(*modules: str) -> set[str]:
    """Modules there are once these are imported, as the guest imports them."""
    code = f"import sys; sys.path[:0] = {python_path()!r}; before = set(sys.modules)\n"
    code += f"import {', '.join(modules)}\nprint(*(set(sys.modules) - before))"
    command = [sys.executable, "-S", "-E", "-B", "-P", "-c", code]
    said = subprocess.run(command, check=True, capture_output=True, text=True)
    return set(said.stdout.split())


def test_roles_and_what_starts_them_import_little() -> None:
    loaded = loaded_by(*PROGRAMS)
    assert set(PROGRAMS) <= loaded
    assert not SLOW & loaded


def test_of_others_only_the_standard_library_is_there() -> None:
    tops = {module.partition(".")[0] for module in loaded_by(*PROGRAMS)}
    own = {"weir", "weir_lab", "weir_server", "weir_gateway", "weir_client"}
    assert tops - own <= set(sys.stdlib_module_names)


def test_types_cost_the_guest_nothing() -> None:
    """Plans' types stand in modules that only the host imports."""
    types = (".plan", ".records", ".resolved", ".resolved_film", ".resolved_network")
    assert not {module for module in loaded_by(*PROGRAMS) if module.endswith(types)}
