"""The library's store for a URL."""

from __future__ import annotations

import os
from datetime import timedelta

from obstore.store import LocalStore, MemoryStore, S3Store

from weir_orchestrator.objects.errors import StoreUnavailable, explained
from weir_orchestrator.objects.url import StoreUrl

__all__ = ["Backend", "bucket_store", "open_backend"]

Backend = LocalStore | MemoryStore | S3Store

CREDENTIALS = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")
# Rides out a server's restart; a person who waits for the first answer is not kept for long.
PATIENCE = timedelta(seconds=20)
NO_PATIENCE = timedelta(0)
# The shortest that is drawn: so many retries outlast the patience, whatever is drawn.
FIRST_PAUSE = timedelta(milliseconds=100)


def open_backend(url: StoreUrl) -> Backend:
    """Raises StoreUnavailable when a folder cannot be made or credentials are missing."""
    if url.bucket:
        return bucket_store(url)
    if not url.folder:
        return MemoryStore()
    with explained(url):
        return LocalStore(url.folder, mkdir=True)


def bucket_store(url: StoreUrl, endpoint: str = "", patience: timedelta = PATIENCE) -> S3Store:
    """A client of the URL's bucket, at `endpoint` where one is given.

    Without credentials in the environment, Amazon's clients ask the machine that they run on:
    right on Amazon's machines only.
    """
    endpoint = endpoint or url.endpoint
    if endpoint and (missing := [name for name in CREDENTIALS if not os.environ.get(name)]):
        raise StoreUnavailable(url, f"no credentials: set {' and '.join(missing)}")
    return S3Store(
        url.bucket,
        prefix=url.prefix or None,
        config={
            **({"endpoint": endpoint} if endpoint else {}),
            **({"region": url.region} if url.region else {}),
        },
        client_options={
            "allow_http": endpoint.startswith("http://"),
            "connect_timeout": "5s",
            "read_timeout": "30s",
            "timeout": "1h",  # of a whole download, by a slow reader too
        },
        retry_config={
            "max_retries": patience // FIRST_PAUSE,
            "retry_timeout": patience,
            "backoff": {
                "init_backoff": FIRST_PAUSE,
                "max_backoff": timedelta(seconds=3),
                "base": 2,
            },
        },
    )
