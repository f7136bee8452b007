"""The randomness of a cell's kernels on the real clock."""

from __future__ import annotations

from weir.expand import replicate_seed
from weir_lab.real.conduct import kernel_seed


def test_every_kernel_of_every_run_has_a_seed_of_its_own_in_64_bits() -> None:
    runs = [replicate_seed(2016, k) for k in range(100)]
    seeds = {kernel_seed(seed, number, 4) for seed in runs for number in range(4)}
    assert len(seeds) == 400
    assert max(seeds) < 2**64
