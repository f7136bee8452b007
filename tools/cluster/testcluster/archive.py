"""A container image of one static program, as the archive that `docker save` would write."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from pathlib import Path


def write(archive: Path, image: str, program: Path, user: str) -> None:
    """One static program, executable for all, as the image's entry point.

    user: numeric id; empty for root.
    """
    layer = io.BytesIO()
    with tarfile.open(fileobj=layer, mode="w") as tar:
        for folder, mode in (("bin", 0o755), ("tmp", 0o1777)):
            made = tarfile.TarInfo(folder)
            made.type, made.mode = tarfile.DIRTYPE, mode
            tar.addfile(made)
        entry = tarfile.TarInfo(f"bin/{program.name}")
        entry.size, entry.mode = program.stat().st_size, 0o755
        with program.open("rb") as source:
            tar.addfile(entry, source)
    digest = hashlib.sha256(layer.getvalue()).hexdigest()
    config = {
        "architecture": "amd64",
        "os": "linux",
        "config": {"Entrypoint": [program.name], "User": user, "Env": ["PATH=/bin"]},
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{digest}"]},
    }
    manifest = [{"Config": "config.json", "RepoTags": [image], "Layers": ["layer.tar"]}]
    parts = {
        "manifest.json": json.dumps(manifest).encode(),
        "config.json": json.dumps(config).encode(),
        "layer.tar": layer.getvalue(),
    }
    with tarfile.open(archive, "w") as tar:
        for name, content in parts.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
