#!/usr/bin/python3
"""Build this project's images: build.py [OPTION...] [IMAGE...]; --help tells of both.

Without names: all, and with --builder also the one that compiles what campaigns bring in C; with
--browser the platform's has Chromium, and weir-chromium is a live cell's host that has it. What was
built or fetched outside is handed over in build/images: the lab kernel, MinIO, documentation,
players. So is how this machine reaches PyPI and npm where its settings say so, to stages that no
image is made of.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import of_wheel

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

ROOT = Path(__file__).resolve().parents[2]
HANDED = ROOT / "build" / "images"
LOCAL_CA = Path("/usr/local/share/ca-certificates")
SOURCES = ("core", "lab", "services/client")
LAB = "weir-lab"
FROM_LAB = {"LAB": f"{LAB}:{{version}}"}
PLATFORM = "weir-orchestrator"
BUILDER = "weir-builder"
CHROMIUM = "weir-chromium"
CLIENT = "weir-client"
BROWSER = "chromium-headless-shell"
"""Debian's package."""
STORE = "weir-minio"
BASE = "bookworm"
"""Of Debian's suites the one that images are made from."""


@dataclass(frozen=True)
class Tree:
    """The tree that a kernel was compiled in, and the source of both. alone: while it is read."""

    folder: Path
    source: Path
    alone: AbstractContextManager[None]


@dataclass(frozen=True)
class Image:
    """folder: of its Dockerfile. arguments: name -> value; {version} stands for the images' tag.
    stage: of the Dockerfile; empty: its last."""

    folder: str
    arguments: dict[str, str] = field(default_factory=dict)
    stage: str = ""


def _host(role: str, packages: str = "") -> Image:
    return Image("services", {**FROM_LAB, "ROLE": role, "PACKAGES": packages})


IMAGES = {
    LAB: Image("lab", stage="lab"),
    "weir-server": _host("server", "apache2-bin nginx-light"),
    "weir-gateway": _host("gateway"),
    CLIENT: _host("client"),
    PLATFORM: Image("services/orchestrator", FROM_LAB),
    "weir-postgres": Image("tools/images/postgres"),
    STORE: Image("tools/images/minio"),
    BUILDER: Image("lab", {"PLATFORM": f"{PLATFORM}:{{version}}"}, stage="builder"),
    CHROMIUM: Image(
        "services/client/chromium",
        {"CLIENT": f"{CLIENT}:{{version}}", "PLATFORM": f"{PLATFORM}:{{version}}"},
    ),
}


def images(browser: bool) -> dict[str, Image]:
    """All of them. browser: whether the platform's has one."""
    if not browser:
        return IMAGES
    of_platform = IMAGES[PLATFORM]
    return {
        **IMAGES,
        PLATFORM: replace(of_platform, arguments={**of_platform.arguments, "BROWSER": BROWSER}),
    }


def main() -> int:
    """0: all images are there."""
    parser = argparse.ArgumentParser(prog="build.py", description=__doc__.partition("\n")[0])
    parser.add_argument("--version", default="dev", help="tag of the images (dev)")
    parser.add_argument("image", nargs="*", help=f"of {', '.join(IMAGES)}")
    parser.add_argument("--builder", action="store_true", help=f"{BUILDER}, too")
    parser.add_argument(
        "--browser", action="store_true", help=f"{CHROMIUM}, too, and {PLATFORM} with {BROWSER}"
    )
    parser.add_argument(
        "--kernel", type=Path, help="wheel weir-lab-kernel, instead of this machine's"
    )
    asked = parser.parse_args()
    sys.path[:0] = [str(ROOT / folder) for folder in SOURCES]
    if unknown := set(asked.image) - IMAGES.keys():
        parser.error(f"IMAGE: {', '.join(unknown)} — allowed: {', '.join(IMAGES)}")
    wanted = set(asked.image) or IMAGES.keys() - {BUILDER, CHROMIUM}
    if asked.builder or BUILDER in wanted:
        wanted |= {BUILDER, PLATFORM}
    if asked.browser or CHROMIUM in wanted:
        wanted |= {CHROMIUM, CLIENT, PLATFORM}
    if any(IMAGES[name].arguments for name in wanted):
        wanted.add(LAB)
    shutil.rmtree(HANDED, ignore_errors=True)
    _hand_over_host()
    minio = _built_minio() if STORE in wanted else None
    tree = None
    if LAB in wanted and not (asked.kernel and _hand_over_wheel(asked.kernel, BUILDER in wanted)):
        tree = _hand_over_kernel(with_source=BUILDER in wanted)
    for name, image in images(asked.browser).items():
        if name in wanted:
            # Each as late as may be: what is handed over is sent to every build from then on.
            if name == PLATFORM:
                _hand_over_docs()
                _hand_over_players()
            if name == STORE and minio:
                _hand_over_minio(minio)
            if name == BUILDER and tree:
                _hand_over_tree(tree)
            _build(name, image, asked.version)
    return 0


def _build(name: str, image: Image, version: str) -> None:
    command = ["docker", "build", "--quiet", "--network", "host", "--tag", f"{name}:{version}"]
    command += ["--file", f"{image.folder}/Dockerfile"]
    if image.stage:
        command += ["--target", image.stage]
    for argument, value in image.arguments.items():
        command += ["--build-arg", f"{argument}={value.format(version=version)}"]
    print(f"building {name}:{version}", file=sys.stderr, flush=True)
    done = subprocess.run(
        [*command, "."],
        cwd=ROOT,
        env={**os.environ, "DOCKER_CLI_HINTS": "false"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        hint = ""
        if "debian" in done.stdout and "pull" in done.stdout:
            hint = "\nwhere it cannot be pulled, make it: make base-image"
        sys.exit(f"{done.stdout[-4000:]}\n{name}: not built{hint}")


def _hand_over_wheel(wheel: Path, with_source: bool) -> bool:
    """Whether images have a wheel's kernel; why not is told."""
    if with_source:
        reason = f"{wheel}: {BUILDER} needs a kernel with what it was compiled from"
    else:
        reason = of_wheel.hand_over(wheel, HANDED / "kernel")
    if reason:
        print(f"not used: {reason}", file=sys.stderr)
    return not reason


def _hand_over_kernel(*, with_source: bool) -> Tree | None:
    """The kernel that this checkout asks for; where it is not built, the image builds it.

    with_source: only together with what it was compiled from, which is returned, and which another
    Debian's compiler cannot go on with.
    """
    from weir_lab.kernel import cache, find, inputs, locks  # noqa: PLC0415 - found by the path of the sources

    found = find() if shutil.which("gcc") else None
    source = cache.source_of(found) if found and with_source and _is_of_base() else None
    folder = cache.shared_tree(inputs.tree_hash(source.sha256)) if source else None
    if found is None or (with_source and not (folder and (folder / "linux").exists())):
        print("the lab kernel is built in the image: some minutes", file=sys.stderr)
        return None
    shutil.copytree(found.path.parent, HANDED / "kernel")
    if source is None or folder is None:
        return None
    return Tree(folder, source.archive, locks.alone(cache.lock(folder.name), most_s=3600))


def _is_of_base() -> bool:
    """Whether this machine has the compiler that images have."""
    return platform.freedesktop_os_release().get("VERSION_CODENAME") == BASE


def _hand_over_tree(tree: Tree) -> None:
    for kind in ("sources", "trees"):
        (HANDED / "cache" / kind).mkdir(parents=True)
    for file in (tree.source, tree.source.with_name(f"{tree.source.name}.json")):
        shutil.copy2(file, HANDED / "cache" / "sources")
    # Packed: of 60,000 files each would be compared with what was built before.
    packed = HANDED / "cache" / "trees" / f"{tree.folder.name}.tar"
    words = ["tar", "--format=posix", "--pax-option=delete=atime,delete=ctime", "--sort=name"]
    with tree.alone:
        subprocess.run(
            [*words, "-C", tree.folder.parent, "-cf", packed, tree.folder.name], check=True
        )


def _built_minio() -> Path:
    built = subprocess.run(
        [ROOT / "tools/minio/build"], stdout=subprocess.PIPE, text=True, check=False
    )
    if built.returncode:
        sys.exit("MinIO was not built; name the other images, and use another S3")
    return Path(built.stdout.strip())


def _hand_over_minio(program: Path) -> None:
    (HANDED / "minio").mkdir(parents=True)
    shutil.copy2(program, HANDED / "minio" / "minio")


def _hand_over_docs() -> None:
    index = "build/docs/site/index.html"
    subprocess.run(["make", "--no-print-directory", index], cwd=ROOT, check=True)
    shutil.copytree((ROOT / index).parent, HANDED / "docs")


def _hand_over_players() -> None:
    """Scripts of others' players that this machine has; C is compiled for the image's Debian."""
    from weir_client.web_player import script  # noqa: PLC0415 - found by the path of the sources
    from weir_lab import players  # noqa: PLC0415

    for player, version in players.ALL:
        if version in players.installed(player):
            to = HANDED / "players" / script(player, version)
            to.parent.mkdir(parents=True)
            shutil.copy2(players.root() / script(player, version), to)


def _hand_over_host() -> None:
    """Certificates, and addresses of package indexes, as this machine's own clients have them."""
    folder = HANDED / "host"
    folder.mkdir(parents=True)
    lines = []
    if own := sorted(LOCAL_CA.glob("*.crt")):
        text = Path("/etc/ssl/certs/ca-certificates.crt").read_text()
        (folder / "certificates.pem").write_text(text or "".join(p.read_text() for p in own))
        names = ("PIP_CERT", "SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "npm_config_cafile")
        lines += [f"{name}=/host/certificates.pem" for name in names]
    for name, command in (
        ("PIP_INDEX_URL", ("pip", "config", "get", "global.index-url")),
        ("npm_config_registry", ("npm", "config", "get", "registry")),
    ):
        if address := os.environ.get(name) or _says(*command):
            lines.append(f"{name}='{address}'")
    if lines:
        (folder / "env").write_text("\n".join(lines) + "\n")


def _says(*command: str) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


if __name__ == "__main__":
    sys.exit(main())
