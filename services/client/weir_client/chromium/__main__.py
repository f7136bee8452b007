"""Chromium as an outside player, in a host of its own on the real clock (docs/outside-players.md).

The scripts of dash.js are those of $WEIR_PLAYERS.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

from weir.resolved import CHROMIUM

from weir_client import outside, web_player
from weir_client.chromium import play
from weir_client.chromium.devtools import BrowserError

__all__ = ["main"]


def main() -> int:
    """Play by what WEIR_* say, and end. 1: the browser failed; 127: this version is not here."""
    version = json.loads(os.environ["WEIR_OPTIONS"])["version"]
    script = Path(os.environ["WEIR_PLAYERS"], web_player.script(CHROMIUM, version))
    if not script.is_file():
        there = sorted(path.name for path in script.parent.parent.glob("dashjs-*"))
        print(f"{script.parent.name} is not here; there is {', '.join(there) or 'none'}")
        return outside.NOT_SUPPORTED
    # It ends at the client's stop by itself, and still has to write what the page noted.
    signal.signal(signal.SIGTERM, lambda *_: None)
    home = tempfile.mkdtemp(prefix="weir-chromium-")
    try:
        page = play.Page(web_player.BROWSER, home, play.files(str(script)))
        try:
            print(page.browser.ask("Browser.getVersion")["product"], flush=True)
            play.play(page)
        finally:
            page.browser.end()
    except BrowserError as error:
        print(f"Chromium: {error}", flush=True)
        return 1
    finally:
        shutil.rmtree(home, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
