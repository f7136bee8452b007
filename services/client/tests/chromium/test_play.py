"""What Chromium's program does where the browser fails."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from weir_client import outside
from weir_testing.patience import PATIENCE_S

CLIENT: Any = {
    "player": "chromium",
    "options": {"settings": {}},
    "buffer_s": 20.0,
    "start_s": 0.0,
    "stop_s": None,
}
CONTEXT: Any = {
    "number": 1,
    "server": "10.0.1.2",
    "port": 80,
    "seed": 7,
    "end_s": 20.0,
    "content": {"segment_s": 2.0},
}
PLAY = "import sys; from weir_client.chromium import play; play.main(*sys.argv[1:])"


def test_a_browser_that_ends_is_told(tmp_path: Path) -> None:
    # As any other program, it knows no such option, and opens no pipe.
    script = tmp_path / "player.js"
    script.touch()
    told = outside.environment(CLIENT, CONTEXT, 0.0, tmp_path)
    ended = subprocess.run(
        [sys.executable, "-c", PLAY, "/bin/false", str(script), ""],
        env={"PATH": "/usr/bin:/bin", "WEIR_DONE_FD": "2", **told},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (1, "Chromium: it ended before its time\n")
