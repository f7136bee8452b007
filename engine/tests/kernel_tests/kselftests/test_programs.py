"""What kselftests call is compiled, by make and gcc, in a small source of the test's own."""

from __future__ import annotations

from pathlib import Path

import pytest
from weir.errors import WeirError
from weir_engine.kernel_tests.kselftests import chosen, make_tools
from weir_engine.kernel_tests.source import SELFTESTS

FILES = {
    "Makefile": "headers:\n\tmkdir -p usr/include\n\techo '#define MADE 7' >usr/include/made.h\n",
    f"{SELFTESTS}/net/Makefile": "$(OUTPUT)/%: %.c\n\tgcc -I$(top_srcdir)/usr/include $< -o $@\n",
    f"{SELFTESTS}/net/a_good.c": "#include <made.h>\nint main(void) { return MADE - 7; }\n",
    f"{SELFTESTS}/net/a_bad.c": "#include <nowhere.h>\n",
    f"{SELFTESTS}/net/x.sh": "#!/bin/sh\n./a_good && ./a_bad\n",
    f"{SELFTESTS}/net/plain.sh": "#!/bin/sh\n",
    f"{SELFTESTS}/kselftest/runner.sh": "# shared\n",
    f"{SELFTESTS}/bpf/large.c": "not needed\n",
}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "source" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755 if path.suffix == ".sh" else 0o644)
    return tmp_path / "source"


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    (tmp_path / "tools").mkdir()
    return tmp_path / "tools"


def test_against_the_kernels_headers_in_a_copy(source: Path, tools: Path) -> None:
    (failed,) = make_tools(source, chosen(source, ["net/x.sh"]), tools)
    assert (tools / "selftests/net/a_good").stat().st_mode & 0o100
    assert not (source / SELFTESTS / "net/a_good").exists()
    assert failed.startswith("net/a_bad does not compile\n")
    assert "nowhere.h: No such file" in failed


def test_a_test_that_does_not_compile_is_refused(source: Path, tools: Path) -> None:
    with pytest.raises(WeirError, match=r"^net/a_bad does not compile\n.*nowhere\.h"):
        make_tools(source, chosen(source, ["net/a_bad"]), tools)


def test_no_more_than_is_needed(source: Path, tools: Path) -> None:
    assert make_tools(source, chosen(source, ["net/plain.sh"]), tools) == []
    assert not (source / "usr").exists(), "no headers for what has nothing to compile"
    assert sorted(each.name for each in (tools / "selftests").iterdir()) == ["kselftest", "net"]
