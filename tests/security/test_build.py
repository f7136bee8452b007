"""C that a campaign brings, as it is compiled: it finds the kernel's source, and nothing else."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from weir.errors import WeirError
from weir_lab import confine, kernel
from weir_lab.confine import profile

pytestmark = pytest.mark.kernel

_SECRET = "the store's secret key"
_SOURCES = {
    "incbin": 'asm(".section .rodata\\n.incbin \\"{secret}\\"\\n");',
    "include": '#include "{secret}"',
    "embed_of_a_process": '#include "/proc/self/environ"',
}


def _compiled(
    tree: Path, source: Path, cpu_s: int | None = None
) -> subprocess.CompletedProcess[str]:
    allowed = profile.build(tree)
    if cpu_s is not None:
        assert allowed.limits.cpu_s is not None
        allowed = replace(allowed, limits=replace(allowed.limits, cpu_s=cpu_s))
    with confine.ready(allowed) as confinement:
        return subprocess.run(
            ["gcc", "-c", str(source), "-o", str(tree / "made.o")],
            cwd=tree, env={"PATH": "/usr/bin:/bin", "TMPDIR": str(tree)}, capture_output=True,
            text=True, check=False, preexec_fn=confinement.enter,
        )  # fmt: skip


@pytest.mark.parametrize("name", _SOURCES)
def test_the_compiler_finds_no_other_file(name: str, tmp_path: Path) -> None:
    tree, secret = tmp_path / "tree", tmp_path / "secret"
    tree.mkdir()
    secret.write_text(_SECRET)
    source = tree / f"{name}.c"
    source.write_text(_SOURCES[name].format(secret=secret))
    done = _compiled(tree, source)
    assert done.returncode
    assert _SECRET not in done.stderr
    assert "Permission denied" in done.stderr or "file not found" in done.stderr


def test_a_file_without_end_is_given_up(tmp_path: Path) -> None:
    source = tmp_path / "endless.c"
    twice = "#include __FILE__\n" * 2
    source.write_text(f"#if __INCLUDE_LEVEL__ < 150\n{twice}#endif\n")
    done = _compiled(tmp_path, source, cpu_s=2)
    assert done.returncode
    assert "error: Killed" in done.stderr


def test_the_compiler_works(tmp_path: Path) -> None:
    source = tmp_path / "sound.c"
    source.write_text("#include <stddef.h>\nsize_t x(void) { return 1; }\n")
    done = _compiled(tmp_path, source)
    assert done.returncode == 0, done.stderr


def test_a_kernel_that_would_hold_a_secret_is_not_built(tmp_path: Path) -> None:
    secret, source = tmp_path / "secret", tmp_path / "weir_test_secret.c"
    secret.write_text(_SECRET)
    source.write_text(f'asm(".section .rodata\\n.incbin \\"{secret}\\"\\n");\n')
    with pytest.raises(WeirError, match="does not compile") as failed:
        kernel.build([source])
    assert _SECRET not in str(failed.value)
