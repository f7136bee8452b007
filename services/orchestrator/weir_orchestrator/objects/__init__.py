"""Where artifacts are kept: one interface to a folder, to S3 and to memory.

`open_store(url)` gives an `ObjectStore`; `put_folder` stores a run directory so that readers see
it complete or not at all, its small files as one `BUNDLE`.
"""

from weir_orchestrator.objects.bundle import BUNDLE, pack, unpack
from weir_orchestrator.objects.errors import ObjectNotFound, RangeOutside, StoreUnavailable
from weir_orchestrator.objects.folders import put_folder
from weir_orchestrator.objects.keys import checked_key
from weir_orchestrator.objects.places import (
    FAILED,
    KERNELS,
    RUNNING,
    failed_prefix,
    file_key,
    kernel_prefix,
    run_prefix,
    running_prefix,
)
from weir_orchestrator.objects.store import Download, ObjectInfo, ObjectStore, open_store
from weir_orchestrator.objects.url import StoreUrl, parse_url

__all__ = [
    "BUNDLE",
    "FAILED",
    "KERNELS",
    "RUNNING",
    "Download",
    "ObjectInfo",
    "ObjectNotFound",
    "ObjectStore",
    "RangeOutside",
    "StoreUnavailable",
    "StoreUrl",
    "checked_key",
    "failed_prefix",
    "file_key",
    "kernel_prefix",
    "open_store",
    "pack",
    "parse_url",
    "put_folder",
    "run_prefix",
    "running_prefix",
    "unpack",
]
