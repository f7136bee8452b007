"""How a lab kernel is booted for a cell."""

from __future__ import annotations

from weir.spec.rules import MAX_CLIENTS
from weir_lab.boot import Boot


def test_a_cell_of_any_size_has_memory_that_a_lab_kernel_can_have() -> None:
    sizes_mib = [Boot(0, clients, 0, 0).memory_mib for clients in range(1, MAX_CLIENTS + 1)]
    assert sizes_mib[:3] == [168, 176, 184]
    assert sizes_mib == sorted(set(sizes_mib)), "no fewer for one client more"
    # Its memory is a file of at most 4 GiB.
    assert sizes_mib[-1] < 4096
