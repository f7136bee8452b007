"""Getting a kernel's source: Debian's source package, or an archive given by the user."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from weir.errors import Problem, SpecError, WeirError

from weir_lab.kernel import cache, inputs

SUITE = "trixie-backports"
PREFERRED = "linux-source-7.3"
# Before 6.16 UML cannot hold the registers of processors with AMX ("ptrace set fp regs").
OLDEST = (6, 16)
KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")


def obtain(given: Path | None = None, version: str = "") -> cache.Source:
    """A kernel source in the cache: the given archive, one already there, or Debian's.

    version: one that an experiment names; empty: the lab's. Raises WeirError when the archive is
    missing or Debian's package cannot be had; SpecError where it has none of this version.
    """
    if given:
        return _keep(given)
    known = cache.sources(version)
    return known[0] if known else _keep_package(version)


def check(source: cache.Source) -> None:
    """Raises WeirError where a kept archive is another than was noted."""
    if inputs.file_hash(source.archive) != source.sha256:
        raise WeirError(
            f"kernel source {source.archive}: damaged, its sha256 is another than was noted "
            f"({source.sha256[:16]}...); remove it, and weir kernel build gets it again, or give "
            "the archive: weir kernel build --source linux-X.Y.tar.xz"
        )


def _keep(archive: Path, *, of_lab: bool = True) -> cache.Source:
    """of_lab: whether the lab's own kernel is built from it."""
    if not archive.is_file():
        raise WeirError(
            f"kernel source {archive}: no such file; give the path of a linux-*.tar.xz "
            f"(version {OLDEST[0]}.{OLDEST[1]} or newer)"
        )
    folder = cache.root() / "sources"
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / archive.name
    if kept.resolve() != archive.resolve():
        shutil.copyfile(archive, kept.with_suffix(".part"))
        kept.with_suffix(".part").rename(kept)
    sha256 = inputs.file_hash(kept)
    note = {"archive": kept.name, "sha256": sha256, "of_lab": of_lab}
    (folder / f"{kept.name}.json").write_text(json.dumps(note))
    return cache.Source(kept, sha256)


def _keep_package(version: str) -> cache.Source:
    """Debian's source package, from this machine's own mirror plus the backports suite.

    The suite is read with apt's lists in a folder of ours: the system's stay as they are.
    """
    with tempfile.TemporaryDirectory(prefix="weir-source-") as scratch:
        folder = Path(scratch)
        options = _apt_options(folder)
        _run(["apt-get", *options, "update"], folder)
        names = _run(["apt-cache", *options, "search", "--names-only", "^linux-source-"], folder)
        package = _named(version, names) if version else _choose(names)
        _run(["apt-get", *options, "download", package], folder)
        (deb,) = folder.glob("*.deb")
        _run(["dpkg-deb", "-x", str(deb), "unpacked"], folder)
        (archive,) = (folder / "unpacked" / "usr" / "src").glob("linux-source-*.tar.*")
        revision = deb.name.split("_")[1].replace("%3a", "-")
        named = folder / f"linux-{revision}.tar{archive.suffix}"
        archive.rename(named)
        return _keep(named, of_lab=not version)


def _apt_options(folder: Path) -> list[str]:
    for part in ("lists/partial", "cache/archives/partial"):
        (folder / part).mkdir(parents=True)
    listing = _run(
        ["apt-get", "indextargets", "--format", "$(SITE)", "Created-By: Packages", "Label: Debian"],
        folder,
    )
    if not listing.strip() or not KEYRING.exists():
        raise WeirError(
            "the lab kernel's source comes from Debian's package, and this machine has no Debian "
            "mirror configured; download a kernel source archive and give its path: "
            "weir kernel build --source linux-7.3.tar.xz"
        )
    sources = folder / "sources.list"
    sources.write_text(f"deb [signed-by={KEYRING}] {listing.split()[0]} {SUITE} main\n")
    settings: dict[str, str | Path] = {
        "Dir::Etc::sourcelist": sources,
        "Dir::Etc::sourceparts": "-",
        "Dir::State::lists": folder / "lists",
        "Dir::Cache": folder / "cache",
        "APT::Sandbox::User": "",
    }
    return [word for key, value in settings.items() for word in ("-o", f"{key}={value}")]


def _named(version: str, listing: str) -> str:
    """The package of a version. Raises SpecError."""
    package, usable = f"linux-source-{version}", _usable(listing)
    if package not in usable:
        offered = {name.removeprefix("linux-source-") for name in usable}
        shown = ", ".join(sorted(offered.union(cache.versions())))
        allowed = f"{shown} (Debian's {SUITE}, and archives that were given)"
        remedy = (
            "name one of them, or give its archive: weir kernel build --source linux-X.Y.tar.xz"
        )
        raise SpecError([Problem("kernel.version", version, allowed, remedy)])
    return package


def _usable(listing: str) -> dict[str, tuple[int, int]]:
    versions = _versions(listing)
    return {name: version for name, version in versions.items() if version >= OLDEST}


def _versions(listing: str) -> dict[str, tuple[int, int]]:
    return {
        name: (int(major), int(minor))
        for name, major, minor in re.findall(r"^(linux-source-(\d+)\.(\d+)) ", listing, re.M)
    }


def _choose(listing: str) -> str:
    versions, usable = _versions(listing), _usable(listing)
    if PREFERRED in versions:
        return PREFERRED
    if not usable:
        raise WeirError(
            f"{SUITE} offers no kernel source of version {OLDEST[0]}.{OLDEST[1]} or newer "
            f"(found: {', '.join(versions) or 'none'}); give an archive with --source"
        )
    return max(usable, key=lambda name: usable[name])


def _run(command: list[str], folder: Path) -> str:
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if run.returncode:
        last = (run.stderr.strip() or run.stdout.strip()).splitlines()[-1:]
        raise WeirError(f"{command[0]} failed while getting the kernel source: {''.join(last)}")
    return run.stdout
