"""What may go wrong with an object store, in words for whoever runs it.

BadInput
└── RangeOutside        a part of an object was asked for that it does not have
CannotRun
├── DiskFull            the folder's disk is full
└── StoreUnavailable    missing bucket, wrong credentials, unreachable, ...: with the remedy
WeirError
└── ObjectNotFound      no object under this key
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from obstore.exceptions import BaseError, PermissionDeniedError, UnauthenticatedError
from weir.errors import WeirError
from weir_engine.errors import BadInput, CannotRun, DiskFull

from weir_orchestrator.objects.url import StoreUrl

__all__ = ["ObjectNotFound", "RangeOutside", "StoreUnavailable", "explained"]

_S3_CODE = re.compile(r"<Code>(\w+)</Code>")
_DISK_FULL = re.compile(r"\(os error (28|122)\)")  # ENOSPC, EDQUOT
_OF_FOLDER = re.compile(r"\(os error \d+\)")

_REMEDIES = {
    "NoSuchBucket": "there is no such bucket: create it, or name another one",
    "InvalidAccessKeyId": "the server knows no such AWS_ACCESS_KEY_ID: set one that it knows",
    "SignatureDoesNotMatch": "AWS_SECRET_ACCESS_KEY is not the secret of this AWS_ACCESS_KEY_ID",
    "AccessDenied": "the user of AWS_ACCESS_KEY_ID may not do this: allow it to list, read, write "
    "and delete objects of this bucket",
    "XMinioStorageFull": "the server's disk is full: make room there",
}


class ObjectNotFound(WeirError):
    """No object is stored under `key`."""

    def __init__(self, key: str) -> None:
        self.key = key
        super().__init__(f"no object {key} in the store")


class RangeOutside(BadInput):
    """A part that begins behind the end of an object of `size_bytes`."""

    def __init__(self, key: str, start: int, size_bytes: int) -> None:
        self.size_bytes = size_bytes
        super().__init__(f"{key}: no byte {start} — allowed: 0 to {size_bytes - 1}")


class StoreUnavailable(CannotRun):
    """The store cannot be used as it is; `str()` says why and what to do."""

    def __init__(self, url: StoreUrl, reason: str) -> None:
        self.url = url
        super().__init__(f"object store {url}: {reason}")


@contextmanager
def explained(url: StoreUrl, key: str = "") -> Iterator[None]:
    """Turn the library's errors about the object `key` into this part's."""
    try:
        yield
    except FileNotFoundError as error:
        if "NoSuchBucket" in str(error):
            raise _unavailable(url, error) from error
        raise ObjectNotFound(key) from error
    except (BaseError, OSError) as error:
        if _DISK_FULL.search(str(error)) and url.folder:
            raise DiskFull(url.folder) from error
        raise _unavailable(url, error) from error


def _unavailable(url: StoreUrl, error: Exception) -> StoreUnavailable:
    said = str(error).partition("\n")[0]
    if (code := _S3_CODE.search(str(error))) and code[1] in _REMEDIES:
        return StoreUnavailable(url, f"{code[1]}: {_REMEDIES[code[1]]}")
    if isinstance(error, (PermissionDeniedError, UnauthenticatedError)):
        return StoreUnavailable(url, f"{said}. {_REMEDIES['AccessDenied']}")
    if _OF_FOLDER.search(said):
        return StoreUnavailable(url, f"{said}. Name a folder that this user may write to")
    if "error sending request" in said:
        where = url.endpoint or "AWS"
        return StoreUnavailable(
            url, f"no answer from {where}: see that the server runs and that the address is right"
        )
    return StoreUnavailable(url, said)
