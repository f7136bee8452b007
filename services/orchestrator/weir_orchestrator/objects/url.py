"""Reading a store's URL.

/path, file:///path                              a folder
s3://bucket/prefix?endpoint=http://host:9000     S3, or a server that speaks it
memory://                                        for trials: gone when the program ends
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from weir_engine.errors import BadInput

from weir_orchestrator.objects.keys import checked_key

__all__ = ["StoreUrl", "parse_url"]

_ALLOWED = (
    "a folder's path, file:///path, s3://bucket/prefix?endpoint=http://host:port or memory://"
)
_OPTIONS = ("endpoint", "public_endpoint", "region")


@dataclass(frozen=True)
class StoreUrl:
    """Where objects are kept; a folder, a bucket, or (neither) memory.

    endpoint: the S3 server's URL; empty: Amazon's of `region`.
    public_endpoint: the same server as those see it who get presigned URLs; empty: `endpoint`.
    """

    folder: Path | None = None
    bucket: str = ""
    prefix: str = ""
    endpoint: str = ""
    public_endpoint: str = ""
    region: str = ""

    def __str__(self) -> str:
        if self.folder:
            return str(self.folder)
        if not self.bucket:
            return "memory://"
        where = "/".join(filter(None, ("s3:/", self.bucket, self.prefix)))
        given = {name: getattr(self, name) for name in _OPTIONS if getattr(self, name)}
        return f"{where}?{urlencode(given, safe=':/')}" if given else where


def parse_url(url: str) -> StoreUrl:
    """The parts of a store's URL, or of a folder's path. Raises BadInput."""
    scheme, separator, _ = url.partition("://")
    if not separator and url:
        return StoreUrl(folder=Path(url).expanduser().absolute())
    match scheme:
        case "file":
            return _folder(url)
        case "s3":
            return _bucket(url)
        case "memory" if url == "memory://":
            return StoreUrl()
    raise BadInput(f"store: {url!r} — allowed: {_ALLOWED}")


def _folder(url: str) -> StoreUrl:
    parts = urlsplit(url)
    if parts.netloc or parts.query or not parts.path.startswith("/"):
        raise BadInput(f"store: {url!r} — allowed: file:///path, with three slashes")
    return StoreUrl(folder=Path(unquote(parts.path)))


def _bucket(url: str) -> StoreUrl:
    parts = urlsplit(url)
    if "@" in parts.netloc:
        raise BadInput(
            "store: an s3:// URL with credentials in it, which would end in logs. Leave them out "
            "and set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment"
        )
    if not parts.netloc:
        raise BadInput(f"store: {url!r} names no bucket — allowed: s3://bucket/prefix")
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    for name, value in options.items():
        if name not in _OPTIONS:
            raise BadInput(f"store: option {name!r} — allowed: {', '.join(_OPTIONS)}")
        if name != "region" and not _is_http(value):
            raise BadInput(f"store: {name}={value!r} — allowed: http://host:port or https://host")
    prefix = parts.path.strip("/")
    return StoreUrl(
        bucket=parts.netloc,
        prefix=checked_key(prefix) if prefix else "",
        endpoint=options.get("endpoint", ""),
        public_endpoint=options.get("public_endpoint", ""),
        region=options.get("region", ""),
    )


def _is_http(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme in ("http", "https") and bool(parts.hostname) and "@" not in parts.netloc
