"""What of a host kernel's own talk gets into a cell."""

from __future__ import annotations

import pytest
from weir_lab.real.bridge import passes

TO, FROM = "020000000201", "02000000020b"


@pytest.mark.parametrize(
    ("frame", "expected"),
    [
        (TO + FROM + "0800" + "45", True),
        (TO + FROM + "86dd" + "60", False),  # IPv6: neighbour discovery
        (TO + FROM + "0806" + "00", False),  # ARP
        ("01005e000016" + FROM + "0800" + "46", False),  # IGMP, to a group
        ("ffffffffffff" + FROM + "0800" + "45", False),
        (TO, False),
    ],
)
def test_only_ipv4_to_one_host_passes(frame: str, expected: bool) -> None:
    assert passes(bytes.fromhex(frame)) is expected
