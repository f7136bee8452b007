"""Changes to a linked tree, by the real `patch`: a small tree, in which nothing is compiled."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from weir.errors import SpecError
from weir_lab.kernel import Changes, linked, rehearse, tree
from weir_lab.kernel.changed import change, left_out
from weir_lab.kernel.changes import Patch
from weir_testing.patience import PATIENCE_S

LINES = "".join(f"line {number}\n" for number in range(1, 30))


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    """As a kernel's tree, of which net/core and include hold nothing that was built."""
    root = tmp_path / "trees" / "shared"
    for name, text, at_s in (
        ("net/ipv4/tcp_output.c", LINES, 100),
        ("include/net/tcp.h", LINES, 100),
        (
            "net/Kconfig",
            "config TCP_CONG_YEAH\n\tbool\n\nmenuconfig NET_SCHED\n\nconfig NUMA\n",
            100,
        ),
        (tree.FIRST_CHANGED, "", 200),
        ("net/ipv4/tcp_output.o", "object", 300),
        (".config", "CONFIG_NET=y\n", 300),
    ):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        os.utime(path, (at_s, at_s))
    return root


@pytest.fixture
def own(shared: Path) -> Path:
    made = shared.with_name("own.part")
    linked.make(shared, made)
    return made


def changed(text: str, name: str = "fix.patch") -> Changes:
    digest = hashlib.sha256(text.encode()).hexdigest()
    return Changes(patches=(Patch(name, text, digest, "kernel.patches.0"),))


def replacing(line: int, *, context: str = "") -> str:
    """A patch of one line in tcp_output.c."""
    before = context or f"line {line - 1}"
    return (
        "--- a/net/ipv4/tcp_output.c\n+++ b/net/ipv4/tcp_output.c\n"
        f"@@ -{line - 1},3 +{line - 1},3 @@\n {before}\n-line {line}\n+changed {line}\n"
        f" line {line + 1}\n"
    )


def refused(own: Path, shared: Path, changes: Changes) -> str:
    with pytest.raises(SpecError) as error:
        change(own, shared, changes)
    (problem,) = error.value.problems
    return f"{problem.path} {problem.remedy}"


def test_a_patch_changes_a_file_of_its_own(own: Path, shared: Path) -> None:
    header = replacing(10).replace("net/ipv4/tcp_output.c", "include/net/tcp.h")
    change(own, shared, changed(replacing(10) + header))
    for name in ("net/ipv4/tcp_output.c", "include/net/tcp.h"):
        assert "changed 10\n" in (own / name).read_text()
        assert (own / name).stat().st_mtime > (own / "net/ipv4/tcp_output.o").stat().st_mtime
        assert (shared / name).read_text() == LINES
    assert (own / "net/Kconfig").is_symlink()


def test_parts_for_self_tests_are_left_out(own: Path, shared: Path) -> None:
    tests = replacing(10).replace("net/ipv4/tcp_output.c", "tools/testing/selftests/net/tcp.c")
    change(own, shared, changed(tests + replacing(10)))
    assert "changed 10\n" in (own / "net/ipv4/tcp_output.c").read_text()
    assert not (own / "tools").exists()
    assert "tools/testing/selftests/net/tcp.c alone" in refused(own, shared, changed(tests))


def test_one_that_does_not_apply_is_refused_with_file_and_hunk(own: Path, shared: Path) -> None:
    second = replacing(20, context="line nineteen")
    said = refused(own, shared, changed(replacing(5) + second[second.index("@@") :]))
    assert said.startswith("kernel.patches.0 ")
    assert "net/ipv4/tcp_output.c: hunk 2 does not apply at line 19" in said


@pytest.mark.parametrize(
    ("alter", "says"),
    [
        (lambda text: text.replace("tcp_output.c", "tcp_nowhere.c"), "no file b/net/ipv4/tcp_now"),
        (lambda text: text.replace("-line 10\n+changed 10", "-changed 10\n+line 10"), "already"),
    ],
)
def test_other_patches_that_do_not_fit(
    own: Path, shared: Path, alter: Callable[[str], str], says: str
) -> None:
    assert says in refused(own, shared, changed(alter(replacing(10))))


def test_a_patch_reaches_nothing_outside(own: Path, shared: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.c"
    outside.write_text(LINES)
    for name in ("../../outside.c", "../shared/net/ipv4/tcp_output.c", str(outside)):
        text = replacing(10).replace("net/ipv4/tcp_output.c", name)
        refused(own, shared, changed(text))
    (own / "net/ipv4/link.c").symlink_to(outside)
    refused(own, shared, changed(replacing(10).replace("tcp_output.c", "link.c")))
    assert outside.read_text() == LINES
    assert (shared / "net/ipv4/tcp_output.c").read_text() == LINES


def test_a_rehearsal_tells_what_a_build_would_and_leaves_the_source(shared: Path) -> None:
    first, second = changed(replacing(10)), changed(replacing(10, context="changed 9"))
    rehearse(first, shared, PATIENCE_S)
    both = Changes(patches=(*changed(replacing(9)).patches, *second.patches))
    rehearse(both, shared, PATIENCE_S)
    with pytest.raises(SpecError, match="hunk 1 does not apply at line 9"):
        rehearse(second, shared, PATIENCE_S)
    assert (shared / "net/ipv4/tcp_output.c").read_text() == LINES


def test_a_rehearsal_says_nothing_without_source_or_time(shared: Path, tmp_path: Path) -> None:
    broken = changed(replacing(10, context="no such line"))
    rehearse(broken, tmp_path / "trees" / "none", PATIENCE_S)
    rehearse(broken, shared, 0)


def test_an_option_that_the_kernel_has_not_is_refused_by_name(own: Path, shared: Path) -> None:
    said = refused(own, shared, Changes(config=(("TCP_CONG_YEA", "y"),)))
    assert said == "kernel.config.TCP_CONG_YEA did you mean TCP_CONG_YEAH?"


def test_an_option_that_is_asked_for_if_offered_may_be_left_out(own: Path, shared: Path) -> None:
    # As Kconfig where NUMA depends on what this architecture has not.
    (own / "Makefile").write_text("olddefconfig:\n\tsed -i /NUMA/d .config\n")
    asked = Changes(
        config=(("TCP_CONG_YEAH", "n"),),
        if_offered=(("NET_SCHED", "y"), ("NUMA", "y"), ("TCP_CONG_YEAH", "y")),
    )
    change(own, shared, asked)
    config = (own / ".config").read_text()
    assert "CONFIG_NET_SCHED=y\n" in config
    assert "# CONFIG_TCP_CONG_YEAH is not set\n" in config, "what is asked for plainly counts"
    assert left_out(config, asked) == ["NUMA"]
    assert "it cannot be set" in refused(own, shared, Changes(config=(("NUMA", "y"),)))
