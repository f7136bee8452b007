"""The source offer that comes with a kernel, as section 3 of the GPL-2.0 asks for."""

from __future__ import annotations

from string import Template

from weir_release.origin import Origin
from weir_release.tree import Head

__all__ = ["text"]


def text(template: str, head: Head, origin: Origin) -> str:
    """SOURCE.md of a kernel. Raises KeyError, ValueError where the template asks for what is not
    known."""
    return Template(template).substitute(
        release=origin.kernel.release,
        version=origin.kernel.release.rpartition(".")[0],
        hash=origin.kernel.hash,
        machine=origin.machine,
        archive=origin.archive,
        sha256=origin.archive_sha256,
        compiler=origin.compiler,
        weir=head.version,
        commit=head.commit,
    )
