"""The wheel `weir-lab-kernel`: the kernel, what it was built from, its licence, a source offer."""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Final

from weir.errors import WeirError
from weir_engine import ready_made
from weir_lab.kernel import cache, inputs

from weir_release import offer, tree
from weir_release.origin import Origin
from weir_release.tree import Head

__all__ = ["build", "stage"]

_PROJECT: Final = tree.ROOT / "tools" / "release" / "lab-kernel"


def stage(head: Head, origin: Origin, project: Path) -> Path:
    """A project that hatchling makes the wheel of. Raises WeirError."""
    shutil.copytree(_PROJECT, project, ignore=shutil.ignore_patterns("__pycache__"))
    package = project / ready_made.PACKAGE
    folder = package / "kernel"
    folder.mkdir()
    program = folder / "linux"
    tree.run(["strip", "--strip-all", "-o", str(program), str(origin.kernel.path)], project)
    program.chmod(0o755)
    shutil.copyfile(origin.kernel.path.with_name("config"), folder / "config")
    cache.remember(replace(origin.kernel, path=program, sha256=inputs.file_hash(program)))
    for part in inputs.PARTS:
        shutil.copytree(head.folder / "lab" / part, package / "lab" / part)
    made = {
        "weir": head.version,
        "commit": head.commit,
        "machine": origin.machine,
        "inputs": origin.inputs,
        "source": {"archive": origin.archive, "sha256": origin.archive_sha256},
        "compiler": origin.compiler,
    }
    (package / "built_from.json").write_text(json.dumps(made, indent=1) + "\n")
    offered = offer.text((project / "SOURCE.md").read_text(), head, origin)
    for to in (project, package):
        (to / "SOURCE.md").write_text(offered)
        shutil.copyfile(head.folder / "lab" / "kernel" / "COPYING", to / "COPYING")
    shutil.copytree(project / "LICENSES", package / "LICENSES")
    return project


def build(head: Head, project: Path, out: Path) -> Path:
    """Build it, tagged with the oldest platform that has all that the kernel links to.

    Raises WeirError.
    """
    built = tree.wheel(head, project, out)
    audit = [sys.executable, "-m", "auditwheel", "show", "--json", str(built)]
    told = json.loads(tree.run(audit, project))
    if told["external_libs"]:
        raise WeirError(f"{built.name} needs libraries: {', '.join(told['external_libs'])}")
    epoch = {"SOURCE_DATE_EPOCH": str(head.time_s)}
    tag = [
        sys.executable,
        "-m",
        "wheel",
        "tags",
        "--remove",
        f"--platform-tag={told['overall_tag']}",
    ]
    return out / tree.run([*tag, str(built)], project, epoch).strip().splitlines()[-1]
