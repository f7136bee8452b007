"""What memory there is, as the machine and its control groups say."""

from __future__ import annotations

from pathlib import Path

from weir_engine import machine

MIB = 2**20


def _machine(folder: Path, files: dict[str, str]) -> int:
    proc, group = folder / "proc", folder / "cgroup"
    proc.mkdir(parents=True)
    (proc / "meminfo").write_text("MemTotal: 8388608 kB\nMemAvailable: 4194304 kB\n")
    for name, text in files.items():
        file = group / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return machine.available_bytes(proc, group)


def test_a_machine_without_limits_has_what_it_says(tmp_path: Path) -> None:
    assert _machine(tmp_path / "none", {}) == 4096 * MIB
    unlimited = {"memory.max": "max\n", "memory.current": "1\n", "memory.stat": "inactive_file 0\n"}
    assert _machine(tmp_path / "max", unlimited) == 4096 * MIB


def test_a_container_has_what_its_limit_leaves_cache_aside(tmp_path: Path) -> None:
    second = {
        "memory.max": f"{1024 * MIB}\n",
        "memory.current": f"{900 * MIB}\n",
        "memory.stat": f"anon {300 * MIB}\ninactive_file {600 * MIB}\n",
    }
    assert _machine(tmp_path / "v2", second) == 724 * MIB
    first = {
        "memory/memory.limit_in_bytes": f"{512 * MIB}\n",
        "memory/memory.usage_in_bytes": f"{300 * MIB}\n",
        "memory/memory.stat": f"cache 0\ntotal_inactive_file {100 * MIB}\n",
    }
    assert _machine(tmp_path / "v1", first) == 312 * MIB


def test_this_machine_has_some() -> None:
    assert machine.available_bytes() > 64 * MIB
