"""What kselftests are carried out with: their folders, and the C programs that they call, compiled
as upstream's makefiles do it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from weir.errors import WeirError

from weir_engine.kernel_tests.kselftests.kselftest import Kselftest, code_of
from weir_engine.kernel_tests.source import SELFTESTS, make_headers

__all__ = ["called", "make_tools"]

_SHARED: Final = ("kselftest", "lib", "net")
"""Folders that others' scripts include from."""
_MOST_TOLD: Final = 3


def make_tools(source: Path, tests: Sequence[Kselftest], folder: Path) -> list[str]:
    """Fill a folder with what the guest needs: selftests/, with programs compiled in it.

    source: unpacked, with the folders of the tests. Returns a sentence for each program that a
    script may call and that does not compile. Raises WeirError: a test itself does not, or there is
    no compiler.
    """
    copy = folder / "selftests"
    _copy(source / SELFTESTS, {each.name.partition("/")[0] for each in tests}, copy)
    by_folder: dict[str, set[str]] = {}
    for each in tests:
        by_folder.setdefault(each.folder, set()).update(called(each))
    if not any(by_folder.values()):
        return []
    make_headers(source)
    failed = []
    for name, programs in by_folder.items():
        said = _compile(source, copy / name, sorted(programs))
        for program in sorted(programs):
            if not (copy / name / program).is_file():
                failed.append(f"{name}/{program} does not compile{_why(said, program)}")
                if f"{name}/{program}" in {each.name for each in tests}:
                    raise WeirError(failed[-1])
    return failed


def called(test: Kselftest) -> set[str]:
    """Programs of the test's folder that it is, or that its script, or one that it names, may call:
    ./udpgso, or a word like tcp_inq, since one like `tun` is said of much else."""
    folder = test.selftests / test.folder
    if test.compiled:
        return {test.program}
    known = {path.stem for path in folder.glob("*.c")}
    texts = "\n".join(_texts(folder, test.program, set()))
    called_so = re.findall(r'(?:\./|check_gen_prog "?)([\w-]+)', texts)
    return known.intersection([*called_so, *re.findall(r"[\w-]+_[\w-]+", texts)])


def _texts(folder: Path, script: str, seen: set[str]) -> Iterator[str]:
    seen.add(script)
    text = code_of(folder / script)
    yield text
    for name in re.findall(r"[\w-]+\.sh\b", text):
        if name not in seen and (folder / name).is_file():
            yield from _texts(folder, name, seen)


def _copy(selftests: Path, folders: set[str], copy: Path) -> None:
    copy.mkdir()
    for path in selftests.iterdir():
        if path.is_file():
            shutil.copy2(path, copy)
        elif path.name in folders.union(_SHARED):
            shutil.copytree(path, copy / path.name, symlinks=True)


def _compile(source: Path, folder: Path, programs: Sequence[str]) -> str:
    """What was said of it; what does not compile is not there afterwards."""
    if not programs:
        return ""
    command = ["make", "-s", "-k", f"-j{os.cpu_count() or 1}", "-C", str(folder)]
    variables = [f"OUTPUT={folder}", f"top_srcdir={source}"]
    targets = [str(folder / program) for program in programs]
    try:
        said = subprocess.run(
            [*command, *variables, *targets], capture_output=True, text=True, check=False
        )
    except FileNotFoundError as error:
        raise WeirError("make: not here; kselftests are compiled by it and gcc") from error
    return said.stdout + said.stderr


def _why(said: str, program: str) -> str:
    """The compiler's first words of a program."""
    lines = [line for line in said.splitlines() if program in line and "rror" in line]
    return "".join(f"\n    {line}" for line in lines[:_MOST_TOLD])
