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

from weir.programs import PINNED, scripted_by
from weir.resolved import CHROMIUM

from weir_client import outside, web_player
from weir_client.chromium import play
from weir_client.chromium.devtools import BrowserError

__all__ = ["main"]


def main() -> int:
    """Play by what WEIR_* say, and end. Returns the exit code (docs/outside-players.md)."""
    version = json.loads(os.environ["WEIR_OPTIONS"])["version"]
    scripts = _scripts(Path(os.environ["WEIR_PLAYERS"]))
    if version not in scripts:
        print(f"dash.js {version} is not here; there is {', '.join(scripts) or 'none'}")
        return outside.NOT_SUPPORTED
    # It ends at the client's stop by itself, and still has to write what the page noted.
    signal.signal(signal.SIGTERM, lambda *_: None)
    home = tempfile.mkdtemp(prefix="weir-chromium-")
    try:
        page = play.Page(web_player.BROWSER, home, play.files(str(scripts[version])))
        try:
            print(page.browser.ask("Browser.getVersion")["product"], flush=True)
            play.play(page)
        finally:
            page.browser.end()
    except BrowserError as error:
        print(f"Chromium: {error}", flush=True)
        return outside.NOT_READY if isinstance(error, play.NotReady) else 1
    finally:
        shutil.rmtree(home, ignore_errors=True)
    return 0


def _scripts(kept: Path) -> dict[str, Path]:
    """Those of dash.js that are there, by their versions."""
    versions = PINNED[scripted_by(CHROMIUM)].versions
    paths = {version: kept / web_player.script(CHROMIUM, version) for version in versions}
    return {version: path for version, path in paths.items() if path.is_file()}


if __name__ == "__main__":
    sys.exit(main())
