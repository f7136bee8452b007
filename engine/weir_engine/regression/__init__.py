"""Whether a campaign's results have become better or worse than a baseline's, and by how much."""

from weir_engine.regression.judge import SHOWN, Judged, Judgement, judge
from weir_engine.regression.pairs import Pairs, beside, pair

__all__ = ["SHOWN", "Judged", "Judgement", "Pairs", "beside", "judge", "pair"]
