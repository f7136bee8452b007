"""Where artifacts are kept: one interface to a folder, to S3 and to memory.

`open_store(url)` gives an `ObjectStore`; `put_folder` stores a run directory so that readers see
it complete or not at all, its small files as one `BUNDLE`. Bundles of several run directories may
be parts of one object, a pack.
"""

from weir_orchestrator.objects.bundle import BUNDLE, pack, unpack
from weir_orchestrator.objects.errors import ObjectNotFound, RangeOutside, StoreUnavailable
from weir_orchestrator.objects.folders import bundle_of, put_folder
from weir_orchestrator.objects.keys import checked_key
from weir_orchestrator.objects.places import (
    FAILED,
    KERNELS,
    PACKS,
    RUNNING,
    failed_prefix,
    file_key,
    kernel_prefix,
    pack_key,
    run_prefix,
    running_prefix,
)
from weir_orchestrator.objects.store import Download, ObjectInfo, ObjectStore, open_store
from weir_orchestrator.objects.url import StoreUrl, parse_url

__all__ = [
    "BUNDLE",
    "FAILED",
    "KERNELS",
    "PACKS",
    "RUNNING",
    "Download",
    "ObjectInfo",
    "ObjectNotFound",
    "ObjectStore",
    "RangeOutside",
    "StoreUnavailable",
    "StoreUrl",
    "bundle_of",
    "checked_key",
    "failed_prefix",
    "file_key",
    "kernel_prefix",
    "open_store",
    "pack",
    "pack_key",
    "parse_url",
    "put_folder",
    "run_prefix",
    "running_prefix",
    "unpack",
]
