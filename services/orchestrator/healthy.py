"""Exit code 0 where this container does its work: healthy.py api|worker.

Small, since it is asked every few seconds beside runs on the real clock.
"""

from __future__ import annotations

import os
import platform
import sys
import urllib.request

SILENT_S = 30
TIMEOUT_S = 20


def main() -> int:
    """api: answers, and reaches database and store. worker: its heartbeat is in the database."""
    if sys.argv[1:] == ["worker"]:
        return 0 if _beats() else 1
    port = os.environ.get("WEIR_PORT", "8080")
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/health/ready", timeout=TIMEOUT_S):
        return 0


def _beats() -> bool:
    import psycopg  # noqa: PLC0415 - not what the API needs

    url = os.environ["WEIR_DATABASE"].replace("+psycopg", "", 1)
    asked = (
        "SELECT 1 FROM worker WHERE host = %s AND state <> 'gone'"
        " AND seen_at > now() - make_interval(secs => %s)"
    )
    with psycopg.connect(url, connect_timeout=TIMEOUT_S) as connection:
        return connection.execute(asked, (platform.node(), SILENT_S)).fetchone() is not None


if __name__ == "__main__":
    sys.exit(main())
