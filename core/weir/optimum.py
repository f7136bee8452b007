"""The optimal levels of clients that share a link: what a bandwidth manager aims at, and what
infidelity and convergence measure against (Ben Ameur et al. 2018: "the fairest share that still
uses the most bandwidth").

The rule: of all assignments whose bitrates sum to at most the link rate, the one that is
lexicographically max-min in levels. Make the lowest level as high as possible; then have as few
clients as possible at it; then the same for the next level up, and so on.

- It is the fairest: nobody's level can rise without lowering someone at the same or a lower one.
- It uses the most bandwidth that fairness leaves: nobody at all can be raised with what is spare.
  (Maximising the sum first instead is a subset-sum puzzle: with 8 Mbit/s and four clients of the
  paper's ladder it gives 4, 3, 3, 1 where this gives 3, 3, 3, 3.)
- With 8 Mbit/s and 248, 456, 928, 1632, 4256 kbit/s: one client gets 4; two get 4 and 3
  (5888 kbit/s; twice 4 would be 8512); three get 4, 3, 3 (7520); four get 3 each (6528).

Bitrates are taken as they are: protocol overhead is the shaping headroom's business.
Runs in the guest too, so it imports nothing.
"""

from __future__ import annotations

_SLACK = 1e-9  # relative: sums of decimal rates must not miss a level by a rounding error


def optimal_levels(link_bps: float, bitrates_bps: list[float], clients: int) -> list[int]:
    """Levels of `clients` active clients, highest first.

    bitrates_bps: the ladder, lowest first, at least one. If even the lowest level does not fit
    for everyone, all are at level 0, since a player cannot go lower. O(levels + clients).
    """
    levels = [0] * clients
    spare = link_bps * (1 + _SLACK) - clients * bitrates_bps[0]
    climbing = clients  # those at the level below; whoever stays behind can never be raised later
    for level in range(1, len(bitrates_bps)):
        if spare < 0 or climbing == 0:
            break
        step = bitrates_bps[level] - bitrates_bps[level - 1]
        climbing = min(climbing, int(spare / step)) if step > 0 else climbing
        levels[:climbing] = [level] * climbing
        spare -= climbing * step
    return levels
