#!/usr/bin/python3
"""Make the image debian:bookworm-slim from Debian's packages, where it cannot be pulled.

As root on a Debian system with debootstrap and Docker. The image has this machine's Debian mirror
in its apt sources; it is left alone where Docker has one of that name already.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SUITE = "bookworm"
IMAGE = f"debian:{SUITE}-slim"
# What Debian's own slim images leave out, and what only this machine's downloads need.
LEFT_OUT = (
    *("usr/share/info/*", "usr/share/man/*", "usr/share/locale/*"),
    *("var/cache/apt/archives/*.deb", "var/cache/apt/*.bin", "var/lib/apt/lists/*"),
    *("var/log/*.log", "var/log/apt/*", "dev/*"),
)
LICENCE = "copyright"
"""Of usr/share/doc/PACKAGE, the file that stays: what may be given away has its licence with it."""
DPKG = "\n".join([
    *(f"path-exclude /usr/share/{name}/*" for name in ("doc", "info", "man", "locale", "lintian")),
    f"path-include /usr/share/doc/*/{LICENCE}",
])  # fmt: skip
APT = """\
Acquire::Languages "none";
Acquire::GzipIndexes "true";
Dir::Cache::pkgcache "";
Dir::Cache::srcpkgcache "";
DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb || true"; };
"""


def main() -> int:
    """0: Docker has the image."""
    if _says("docker", "image", "inspect", IMAGE) is not None:
        return 0
    if shutil.which("debootstrap") is None:
        sys.exit("debootstrap is not here: apt-get install debootstrap")
    sources = _sources()
    with tempfile.TemporaryDirectory(prefix="weir-base-") as scratch:
        root = Path(scratch) / "root"
        mirror = [sources[0].split()[1]] if sources else []
        print(f"making {IMAGE} from Debian's packages: a minute or two, once", file=sys.stderr)
        _run(Path(scratch), "debootstrap", "--variant=minbase", SUITE, str(root), *mirror)
        if sources:
            (root / "etc/apt/sources.list").write_text("\n".join(sources) + "\n")
        (root / "etc/dpkg/dpkg.cfg.d/slim").write_text(f"{DPKG}\nforce-unsafe-io\n")
        (root / "etc/apt/apt.conf.d/slim").write_text(APT)
        for path in (root / "usr/share/doc").rglob("*"):
            if path.name != LICENCE and not path.is_dir():
                path.unlink()
        archive = Path(scratch) / "base.tar"
        leave = [f"--exclude=./{path}" for path in LEFT_OUT]
        _run(Path(scratch), "tar", "-C", str(root), "-cf", str(archive), *leave, ".")
        _run(Path(scratch), "docker", "import", "--change", 'CMD ["bash"]', str(archive), IMAGE)
    return 0


def _sources() -> list[str]:
    """This machine's apt sources of the suite, security and updates too; [] where it has none."""
    said = _says(
        "apt-get", "indextargets", "--format", "$(SITE) $(RELEASE)", "Created-By: Packages"
    )
    found = dict.fromkeys((said or "").splitlines())
    lines = [
        f"deb {line} main" for line in found if re.search(rf" {SUITE}(-updates|-security)?$", line)
    ]
    return sorted(lines, key=lambda line: not line.endswith(f" {SUITE} main"))


def _says(*command: str) -> str | None:
    """Its standard output; None where it fails or is not here."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return None
    return done.stdout if done.returncode == 0 else None


def _run(folder: Path, *command: str) -> None:
    """Silent unless it fails."""
    done = subprocess.run(
        command,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{command[0]} failed:\n{done.stdout[-2000:]}")


if __name__ == "__main__":
    sys.exit(main())
