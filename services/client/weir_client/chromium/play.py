"""The program of a client whose player is chromium: it keeps the contract of outside players.

The browser is started at once, opens the page before the client's start, and is asked for what the
page noted at its stop. The page and the player's script have the address of the cell's server, and
are given by DevTools: nothing of them crosses the link.
"""

from __future__ import annotations

import base64
import json
import os
import time
from pathlib import Path

from weir_client.chromium.devtools import Browser, BrowserError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["main"]

PAGE = "/weir/"
"""The path of what DevTools gives in place of the server."""
FLAGS = (
    "--headless",
    "--no-sandbox",  # the lab kernel is one
    "--disable-gpu",
    "--mute-audio",
    "--window-size=200,150",
    "--no-first-run",
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--disable-dev-shm-usage",
    "--no-proxy-server",
    # The page's own address is none of the network's, as DevTools gave it.
    "--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests",
    "--autoplay-policy=no-user-gesture-required",
    "--remote-debugging-pipe",
)
_HERE = Path(__file__).parent


class _Page:
    """The page in the browser. served: what each path below PAGE is."""

    def __init__(self, program: str, folder: str, served: dict[str, tuple[str, bytes]]) -> None:
        Path(folder, "home").mkdir()
        variables = {"HOME": f"{folder}/home", "TMPDIR": f"{folder}/home", "LANG": "C.UTF-8",
                     "PATH": os.environ["PATH"], "DBUS_SESSION_BUS_ADDRESS": "disabled:"}  # fmt: skip
        command = [program, *FLAGS, f"--user-data-dir={folder}/home/profile", "about:blank"]
        self._served = served
        self.browser = Browser(command, variables, self._hear)
        (target,) = (
            each["targetId"]
            for each in self.browser.ask("Target.getTargets")["targetInfos"]
            if each["type"] == "page"
        )
        attached = self.browser.ask("Target.attachToTarget", targetId=target, flatten=True)
        self.session = str(attached["sessionId"])

    def open(self, server: str) -> None:
        """Have it load the page. Raises BrowserError."""
        ask, session = self.browser.ask, self.session
        ask("Runtime.enable", session)
        ask("Page.enable", session)
        ask("Fetch.enable", session, patterns=[{"urlPattern": f"{server}{PAGE}*"}])
        ask("Page.navigate", session, url=f"{server}{PAGE}")

    def left(self) -> dict[str, Any]:
        """What the page noted. Raises BrowserError."""
        asked = {"expression": "weir.left()", "returnByValue": True}
        answer = self.browser.ask("Runtime.evaluate", self.session, **asked)
        if "exceptionDetails" in answer:
            raise BrowserError(f"the page has nothing: {_told(answer['exceptionDetails'])}")
        noted: dict[str, Any] = answer["result"]["value"]
        return noted

    def _hear(self, event: dict[str, Any]) -> None:
        method, params = event["method"], event["params"]
        if method == "Fetch.requestPaused":
            self._give(params["requestId"], params["request"]["url"])
        elif method == "Runtime.consoleAPICalled":
            said = (str(each.get("value", each.get("description"))) for each in params["args"])
            print(*said, flush=True)
        elif method == "Runtime.exceptionThrown":
            print(_told(params["exceptionDetails"]), flush=True)

    def _give(self, request: str, url: str) -> None:
        name = url.rpartition(PAGE)[2]
        kind, body = self._served.get(name, ("text/plain", b""))
        self.browser.tell(
            "Fetch.fulfillRequest",
            self.session,
            requestId=request,
            responseCode=200 if name in self._served else 404,
            responseHeaders=[{"name": "Content-Type", "value": kind}],
            body=base64.b64encode(body).decode(),
        )


def _told(details: dict[str, Any]) -> str:
    return str(details.get("exception", {}).get("description") or details.get("text"))


def main(program: str, player: str) -> None:
    """program: the browser. player: its script."""
    env = os.environ
    zero_s = float(env["WEIR_EPOCH_UNIX_S"]) - (time.time() - time.monotonic())
    told = {
        "content": json.loads(Path(env["WEIR_CONTENT"]).read_text()),
        "options": json.loads(env["WEIR_OPTIONS"]),
        "epochUnixS": float(env["WEIR_EPOCH_UNIX_S"]),
        **{name: float(env[of]) for name, of in (
            ("startS", "WEIR_START_S"), ("stopS", "WEIR_STOP_S"), ("bufferS", "WEIR_BUFFER_S"),
        )},
    }  # fmt: skip
    script = "text/javascript; charset=utf-8"
    served = {
        "": ("text/html; charset=utf-8", (_HERE / "page.html").read_bytes()),
        "told.js": (script, f"const told = {json.dumps(told)};".encode()),
        "page.js": (script, (_HERE / "page.js").read_bytes()),
        "player.js": (script, Path(player).read_bytes()),
    }
    page = _Page(program, env["WEIR_OUT"], served)
    # Browsers leave the port out.
    page.open(env["WEIR_SERVER"].removesuffix(":80"))
    page.browser.listen(zero_s + told["stopS"])
    noted = page.left()
    for name in ("rows", "events"):
        lines = (f"{json.dumps(each)}\n" for each in noted[name])
        Path(env["WEIR_OUT"], f"{name}.jsonl").write_text("".join(lines))
    print(noted["told"], flush=True)
    os.write(int(env["WEIR_DONE_FD"]), b".")
    while True:
        time.sleep(2**30)
