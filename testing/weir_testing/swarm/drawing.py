"""How Hypothesis draws here: from its seed alone.

Its own way also draws constants that it finds in whatever modules a process has imported, so that
one seed gives other campaigns beside other tests.
"""

from __future__ import annotations

from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS, HypothesisProvider

__all__ = ["FROM_ITS_SEED"]

FROM_ITS_SEED = "weir-swarm"


class _Provider(HypothesisProvider):
    def _maybe_draw_constant(self, *_: object, **__: object) -> None:
        return None


AVAILABLE_PROVIDERS[FROM_ITS_SEED] = _Provider
