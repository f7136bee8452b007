"""When a live film's making began, as its manifest says it. Pure."""

from __future__ import annotations

from time import gmtime, strftime

__all__ = ["BEGAN", "date_time"]

BEGAN = "BEGAN"
"""Stands in a manifest for that moment: its server's clock tells."""


def date_time(unix_s: float) -> str:
    """As xs:dateTime, to the millisecond."""
    whole_s, ms = divmod(round(unix_s * 1000), 1000)
    return strftime(f"%Y-%m-%dT%H:%M:%S.{ms:03d}Z", gmtime(whole_s))
