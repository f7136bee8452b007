"""Make what a release consists of: python -m weir_release [--out FOLDER] [--wheels-only].

What is committed is built, and nothing else; the lab kernel is the one in this machine's cache.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from weir.errors import WeirError

from weir_release import kernel_wheel, origin, sbom, sums, tree, weir_wheel


def main() -> int:
    """0: all is in the folder, and its files' names were printed; else 1."""
    parser = argparse.ArgumentParser(prog="weir_release", description=__doc__)
    parser.add_argument("--out", type=Path, default=tree.ROOT / "dist")
    parser.add_argument("--wheels-only", action="store_true", help="no SBOM, no SHA256SUMS")
    asked = parser.parse_args()
    try:
        # Beside the checkout, where packages that are kept can be linked to.
        build = tree.ROOT / "build"
        build.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="of-release-", dir=build) as scratch:
            made = _make(asked.out, Path(scratch), asked.wheels_only)
    except WeirError as error:
        print(error, file=sys.stderr)
        return 1
    print("\n".join(map(str, made)))
    return 0


def _make(out: Path, scratch: Path, wheels_only: bool) -> list[Path]:
    out = out.absolute()
    tree.emptied(out)
    head = tree.committed(scratch / "tree")
    of = origin.of_commit(head)
    ready = kernel_wheel.stage(head, of, scratch / "lab-kernel")
    made = [weir_wheel.build(head, out), kernel_wheel.build(head, ready, out)]
    if not wheels_only:
        made += [*sbom.of_weir(head, out), sbom.of_kernel(head, of, out)]
        made.append(sums.write(out))
    return made


if __name__ == "__main__":
    sys.exit(main())
