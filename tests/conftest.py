"""Fixtures of the end-to-end tests."""

from weir_testing.fixtures import (
    kept_players,
    kernel,
    kernels,
    run,
    run_once,
    server,
    signed_in,
    zygotes,
)

__all__ = [
    "kept_players",
    "kernel",
    "kernels",
    "run",
    "run_once",
    "server",
    "signed_in",
    "zygotes",
]
