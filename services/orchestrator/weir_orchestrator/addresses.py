"""Which addresses webhooks and subjects' repositories may be at: those that anybody could reach
from outside.

Both are requests that somebody else has this platform make (server-side request forgery): they
must not reach what only this platform's network can. Names are judged by the addresses that they
resolve to, in whatever form those are written.
"""

from __future__ import annotations

import ipaddress
import socket
from typing import Final

import httpx2
from weir.errors import Problem, WeirError

__all__ = ["Refused", "check_url", "private", "resolve"]

_SCHEMES: Final = frozenset({"http", "https"})
_METADATA: Final = frozenset({ipaddress.ip_address("168.63.129.16")})
"""Public addresses that a cloud answers on to its own machines only (Azure's)."""
_Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class Refused(WeirError):
    """An address is none that the platform may go to for somebody."""


def check_url(url: str, *, to_private: bool) -> list[Problem]:
    """What is wrong with a webhook's URL as far as it shows without asking for names."""
    allowed, remedy = "https://HOST/PATH or http://HOST/PATH", ""
    try:
        parsed = httpx2.URL(url)
    except httpx2.InvalidURL:
        parsed = httpx2.URL("")
    if parsed.scheme not in _SCHEMES or not parsed.host:
        remedy = "write the whole address"
    elif parsed.port is not None and not 0 < parsed.port < 65536:
        remedy = "give a port from 1 to 65535"
    elif parsed.userinfo:
        remedy = "leave user and password out"
    elif parsed.fragment:
        remedy = "leave out what follows #"
    elif not to_private and (told := private(parsed.host)):
        allowed, remedy = "an address that can be reached from outside", told
    return [Problem("url", url, allowed, remedy)] if remedy else []


def resolve(host: str, port: int, *, to_private: bool) -> list[str]:
    """The addresses of a name, all of which may be gone to. Raises Refused, OSError."""
    return _checked(host, port, 0, to_private=to_private)


def private(host: str) -> str:
    """Why a host is not to be gone to, as far as it shows without asking for names; else empty."""
    host = host.rstrip(".").lower()
    if host == "localhost" or host.endswith(".localhost"):
        return f"{host} is this machine"
    try:
        _checked(host, 0, socket.AI_NUMERICHOST, to_private=False)
    except Refused as refused:
        return str(refused)
    except (OSError, UnicodeError):
        pass  # a name: it is asked for when it is needed
    return ""


def _checked(host: str, port: int, flags: int, *, to_private: bool) -> list[str]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=flags)
    addresses = list(dict.fromkeys(str(each[4][0]) for each in found))
    for text in addresses:
        if not to_private and not _public(ipaddress.ip_address(text)):
            raise Refused(f"{host} is {text}, which is private, local or reserved")
    return addresses


def _public(address: _Address) -> bool:
    return (
        address.is_global
        and not address.is_multicast
        and not address.is_reserved  # also IPv4 in IPv6: ::127.0.0.1 and 64:ff9b::/96
        and not (isinstance(address, ipaddress.IPv6Address) and address.is_site_local)
        and address not in _METADATA
    )
