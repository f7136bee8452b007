"""Where artifacts are kept: one interface to a folder, to S3 and to memory.

`open_store(url)` gives an `ObjectStore`; `put_folder` and `delete_folder` store and remove a run
directory so that readers see it complete or not at all.
"""

from weir_orchestrator.objects.errors import ObjectNotFound, RangeOutside, StoreUnavailable
from weir_orchestrator.objects.folders import LAST, delete_folder, put_folder
from weir_orchestrator.objects.keys import checked_key
from weir_orchestrator.objects.store import Download, ObjectInfo, ObjectStore, open_store
from weir_orchestrator.objects.url import StoreUrl, parse_url

__all__ = [
    "LAST",
    "Download",
    "ObjectInfo",
    "ObjectNotFound",
    "ObjectStore",
    "RangeOutside",
    "StoreUnavailable",
    "StoreUrl",
    "checked_key",
    "delete_folder",
    "open_store",
    "parse_url",
    "put_folder",
]
