"""A patch to the lab kernel's TCP for tests, and what may be wrong with one."""

from __future__ import annotations

from typing import Final

__all__ = ["KEEP_WINDOW", "MISPLACED"]

KEEP_WINDOW: Final = """\
Keep the congestion window after a pause.
--- a/net/ipv4/tcp_output.c
+++ b/net/ipv4/tcp_output.c
@@ -170,3 +170,3 @@

-\twhile ((delta -= inet_csk(sk)->icsk_rto) > 0 && cwnd > restart_cwnd)
+\twhile (0 && cwnd > restart_cwnd)
 \t\tcwnd >>= 1;
"""
MISPLACED: Final = KEEP_WINDOW.replace("delta -=", "delta +=")
"""Its hunk does not apply."""
