"""Bills of materials, in CycloneDX's JSON: what Weir installs, what the kernel was built from."""

from __future__ import annotations

import base64
import json
import sys
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from cyclonedx.factory.license import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType, Property
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import DisjunctiveLicense
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL
from weir.errors import WeirError
from weir_engine.ready_made import built_of
from weir_lab.kernel.inputs import file_hash

from weir_release import tree
from weir_release.origin import Origin
from weir_release.tree import Head

__all__ = ["of_kernel", "of_weir"]

_EXTRAS: Final = "weir[server,gym]"
_GPL: Final = "GPL-2.0-only"


def of_weir(head: Head, out: Path) -> list[Path]:
    """The packages that the wheel and its extras ask for, as they are locked, with their hashes,
    and those of npm that are bundled in its page.

    Beside it the part of the lock that it was made of. Call it once the wheel is built: the page
    says what is bundled. Raises WeirError.
    """
    locked = out / f"weir-{head.version}.lock"
    locked.write_text(tree.run([sys.executable, "tools/images/locked.py", _EXTRAS], head.folder))
    made = out / f"weir-{head.version}.cdx.json"
    command = [sys.executable, "-m", "cyclonedx_py", "requirements", "--pyproject=pyproject.toml"]
    command += ["--mc-type=application", "--short-PURLs", "--output-reproducible"]
    command += [f"--output-file={made}", str(locked)]
    tree.run(command, head.folder, {"SOURCE_DATE_EPOCH": str(head.time_s)})
    _add(made, Bom(components=_of_page(head.folder / "web")))
    return [locked, made]


def _add(made: Path, parts: Bom) -> None:
    """As cyclonedx-py wrote the others: it tells of no package by which others it came."""
    whole, more = json.loads(made.read_text()), json.loads(_text(parts))
    for kind in ("components", "dependencies"):
        whole[kind] += more[kind]
    made.write_text(f"{json.dumps(whole, indent=1, ensure_ascii=False)}\n")


def _of_page(web: Path) -> Iterator[Component]:
    """What vite.config.ts has the build say of the page, with the hashes that npm installed by."""
    locked = json.loads((web / "package-lock.json").read_text())["packages"]
    for each in json.loads((web / "dist" / "licenses.json").read_text()):
        name, version = each["name"], each["version"]
        found = [
            entry["integrity"]
            for path, entry in locked.items()
            if path.endswith(f"node_modules/{name}") and entry["version"] == version
        ]
        if not found:
            raise WeirError(f"{name} {version} is in the page, and not in web/package-lock.json")
        namespace, _, short = name.rpartition("/")
        sha512 = base64.b64decode(found[0].removeprefix("sha512-")).hex()
        yield Component(
            name=short,
            group=namespace or None,
            version=version,
            type=ComponentType.LIBRARY,
            bom_ref=f"npm:{name}@{version}",
            purl=PackageURL("npm", namespace or None, short, version),
            licenses=[LicenseFactory().make_from_string(each["identifier"])],
            hashes=[HashType(alg=HashAlgorithm.SHA_512, content=sha512)],
        )


def of_kernel(head: Head, origin: Origin, out: Path) -> Path:
    """Linux's source, the lab's patches and C files, and the compiler."""
    kernel = Component(
        name="weir-lab-kernel",
        bom_ref="weir-lab-kernel",
        version=head.version,
        type=ComponentType.OPERATING_SYSTEM,
        purl=PackageURL("pypi", None, "weir-lab-kernel", head.version),
        licenses=[DisjunctiveLicense(id=_GPL)],
        properties=[
            Property(name="weir:kernel-hash", value=origin.kernel.hash),
            Property(name="weir:commit", value=head.commit),
            Property(name="weir:compiler", value=origin.compiler),
        ],
    )
    linux = Component(
        name="linux",
        version=origin.kernel.release,
        type=ComponentType.OPERATING_SYSTEM,
        bom_ref="linux",
        licenses=[DisjunctiveLicense(id=_GPL)],
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=origin.archive_sha256)],
        properties=[Property(name="weir:archive", value=origin.archive)],
    )
    files = [
        Component(
            name=str(path.relative_to(head.folder)),
            type=ComponentType.FILE,
            bom_ref=str(path.relative_to(head.folder)),
            licenses=[DisjunctiveLicense(id=_GPL)],
            hashes=[HashType(alg=HashAlgorithm.SHA_256, content=file_hash(path))],
        )
        for path in built_of(head.folder / "lab")
    ]
    number = uuid.uuid5(uuid.NAMESPACE_OID, f"{head.commit} {origin.kernel.hash}")
    bom = Bom(components=[linux, *files], serial_number=number)
    bom.metadata.timestamp = datetime.fromtimestamp(head.time_s, UTC)
    bom.metadata.component = kernel
    bom.register_dependency(kernel, [linux, *files])
    made = out / f"weir-lab-kernel-{head.version}.cdx.json"
    made.write_text(_text(bom))
    return made


def _text(bom: Bom) -> str:
    return f"{JsonV1Dot6(bom).output_as_string(indent=1)}\n"
