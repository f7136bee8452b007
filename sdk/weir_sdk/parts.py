"""What both clients are put together from."""

from __future__ import annotations

import importlib.metadata
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import httpx2

from weir_sdk.call import Call

__all__ = ["appearing", "options", "request", "server_url"]


def server_url(url: str) -> str:
    """A server's address without what follows it. Raises ValueError for what is none."""
    try:
        parsed = httpx2.URL(url.strip())
    except httpx2.InvalidURL:
        parsed = httpx2.URL("")
    if parsed.scheme not in {"http", "https"} or not parsed.host or parsed.userinfo:
        raise ValueError(f"{url} — allowed: a server's address such as https://weir.example.org")
    return str(parsed.copy_with(query=None, fragment=None)).rstrip("/").removesuffix("/api/v1")


def options(url: str, token: str | None, timeout_s: float) -> dict[str, Any]:
    """For httpx2's clients. The token goes to this server only, not where a file is redirected."""
    headers = {"User-Agent": f"weir/{importlib.metadata.version('weir')}"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    return {
        "base_url": f"{url}/api/v1",
        "headers": headers,
        "timeout": timeout_s,
        "follow_redirects": True,
    }


def request(call: Call[Any], timeout: httpx2.Timeout | None) -> dict[str, Any]:
    """For httpx2's `stream`."""
    asked: dict[str, Any] = {
        "method": call.method,
        "url": call.path,
        "params": call.params or None,
        "headers": call.headers,
    }
    if call.json is not None:
        asked["json"] = call.json
    if call.content is not None:
        asked["content"] = call.content
    return asked if timeout is None else {**asked, "timeout": timeout}


@contextmanager
def appearing(path: Path) -> Iterator[IO[bytes]]:
    """A file to write that appears under its name when it is whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            yield file
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
