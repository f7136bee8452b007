"""Fetching players by npm, and building what Node.js lacks for them."""

from __future__ import annotations

import base64
import hashlib
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from weir.errors import WeirError
from weir.pinned import Package
from weir.programs import PINNED
from weir_client import web_player

from weir_lab.players import kept

__all__ = ["ALL", "fetch"]

_LIMIT_S = 600.0


ALL = tuple((player, version) for player in PINNED for version in PINNED[player].versions)


def fetch(wanted: Iterable[tuple[str, str]] = ALL, say: Callable[[str], None] = print) -> None:
    """Have these versions of players, and what Node.js lacks for them; what is there stays.

    Raises WeirError: Node.js or npm is missing, npm failed, a package is another than was pinned.
    """
    root = kept.root()
    root.mkdir(parents=True, exist_ok=True)
    node, npm = kept.node(), shutil.which("npm")
    if node is None:
        raise WeirError("Node.js is not installed; apt-get install nodejs npm")
    for source, built in kept.native_sources().items():
        to = root / kept.native() / built
        if not to.exists():
            say(f"building {built}")
            _build(Path(node), source, to)
    for player, version in wanted:
        if version in kept.installed(player):
            continue
        if npm is None:
            raise WeirError("npm is not installed; apt-get install npm")
        package = PINNED[player].package(version)
        say(f"fetching {package.name}")
        _fetch(npm, package, root / web_player.script(player, version))


def _fetch(npm: str, asked: Package, to: Path) -> None:
    with tempfile.TemporaryDirectory(dir=to.parents[1]) as name:
        scratch = Path(name)
        _run([npm, "pack", asked.name, "--silent", "--pack-destination", name], scratch)
        (archive,) = scratch.glob("*.tgz")
        content = archive.read_bytes()
        algorithm, _, wanted = asked.integrity.partition("-")
        found = base64.b64encode(hashlib.new(algorithm, content).digest()).decode()
        if found != wanted:
            raise WeirError(f"{asked.name}: npm gave {algorithm}-{found}, not {asked.integrity}")
        with tarfile.open(archive) as tar:
            script = tar.extractfile(f"package/{asked.file}")
            assert script is not None, "it is a file of this package, whose hash is right"
            _put(script.read(), to)


def _build(node: Path, source: Path, to: Path) -> None:
    headers = node.resolve().parents[1] / "include" / "node"
    if not (headers / "node_api.h").exists():
        raise WeirError(f"{headers}/node_api.h: no such file; apt-get install libnode-dev")
    compiler = shutil.which("cc")
    if compiler is None:
        raise WeirError("there is no C compiler; apt-get install gcc libc6-dev")
    with tempfile.TemporaryDirectory(dir=to.parents[1]) as name:
        built = Path(name) / to.name
        words = [compiler, "-O2", "-shared", "-fPIC", f"-I{headers}", "-o", str(built)]
        _run([*words, str(source), "-ldl"], Path(name))
        _put(built.read_bytes(), to)


def _put(content: bytes, to: Path) -> None:
    """Write a file, whole or not at all."""
    to.parent.mkdir(exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=to.parent, delete=False) as file:
        file.write(content)
    path = Path(file.name)
    path.chmod(0o644)
    path.rename(to)


def _run(words: list[str], folder: Path) -> None:
    try:
        subprocess.run(
            words, cwd=folder, check=True, capture_output=True, text=True, timeout=_LIMIT_S
        )
    except subprocess.CalledProcessError as error:
        raise WeirError(f"{' '.join(words[:3])}: {error.stderr.strip()}") from error
    except subprocess.TimeoutExpired as error:
        raise WeirError(f"{' '.join(words[:3])}: not done within {_LIMIT_S:g} s") from error
