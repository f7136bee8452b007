"""Pages of other sites must not act with a signed-in browser's rights (beside SameSite=Lax)."""

from __future__ import annotations

from urllib.parse import urlsplit

from fastapi import Request

from weir_orchestrator.errors import NotAllowed

__all__ = ["refuse_other_sites"]

_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


def refuse_other_sites(request: Request) -> None:
    """Raises NotAllowed for a change that a browser says another site asked for.

    Browsers send Sec-Fetch-Site (W3C Fetch Metadata), older ones Origin only; programs neither.
    """
    if request.method in _SAFE:
        return
    site = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin")
    if site is not None:
        allowed = site in {"same-origin", "none"}
    else:
        allowed = origin is None or urlsplit(origin).netloc == request.headers.get("host")
    if not allowed:
        raise NotAllowed("this request comes from another site")
