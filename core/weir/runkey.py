"""The run key: under the virtual clock, the same key means the same bytes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

from weir.programs import relevant_hash

__all__ = ["canonical_json", "key_of_seed", "run_key"]

_KEY_LENGTH = 32


def canonical_json(value: Any) -> str:
    """JSON with sorted keys and no spaces; equal values give equal text.

    Whole floats are written as integers, so 8000000.0 and 8000000 are the same rate. Raises
    ValueError for infinities and NaN, TypeError for what is not JSON.
    """
    return json.dumps(
        _plain(value), sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
    )


def run_key(experiment: Mapping[str, object], seed: int, kernel_hash: str, roles_hash: str) -> str:
    """32 hexadecimal digits over everything that a run's bytes depend on.

    experiment: resolved. kernel_hash: the lab kernel's inputs. roles_hash: the programs in it;
    what it says of Node.js and Chromium counts only where a client plays there.
    """
    return key_of_seed(experiment, kernel_hash, roles_hash)(seed)


def key_of_seed(
    experiment: Mapping[str, object], kernel_hash: str, roles_hash: str
) -> Callable[[int], str]:
    """What gives the run key of each seed, as `run_key`; all but the seed is hashed once."""
    roles = relevant_hash(experiment, roles_hash)
    content = canonical_json(
        {"experiment": experiment, "kernel": kernel_hash, "roles": roles, "seed": 0}
    )
    # The seed stands last, as keys are sorted.
    common = hashlib.sha256(content.removesuffix("0}").encode())

    def key(seed: int) -> str:
        digest = common.copy()
        digest.update(f"{seed}}}".encode())
        return digest.hexdigest()[:_KEY_LENGTH]

    return key


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value
