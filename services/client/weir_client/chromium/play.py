"""Chromium plays: a program that keeps the contract of outside players, on either clock.

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
    from collections.abc import Mapping
    from typing import Any

    Files = dict[str, tuple[str, bytes]]

__all__ = ["NotReady", "Page", "files", "main", "play"]

_PAGE = "/weir/"
"""The path of what DevTools gives in place of the server."""
_FLAGS = (
    "--headless",
    "--incognito",  # caches in memory: files in the guest cost a quarter of a run
    "--no-sandbox",  # the lab kernel is one, and a container of the real clock's agent
    "--disable-gpu",
    "--mute-audio",
    "--window-size=200,150",  # what is drawn costs time
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
_WITHOUT_RDRAND = "~0x4000000000000000"
"""OPENSSL_ia32cap: BoringSSL asks Intel's processors for random numbers (RDRAND) beside the kernel,
and those follow no seed."""
_HERE = Path(__file__).parent
_TEXT, _SCRIPT = "text/html; charset=utf-8", "text/javascript; charset=utf-8"
_OF_PAGE = ("media.js", "requests.js", "page.js")
_FAILED = 1
_LATE_S = 0.1
"""A page that begins so much after its client's start is not what was asked for."""
_TOLD_S = 1.0
"""So much after the start it is looked at: what the page tells may come later than it began."""


class NotReady(BrowserError):
    """Its page was not there at its client's start."""


class Page:
    """The page in a browser that is its own. files: type and content of each path below _PAGE."""

    def __init__(
        self, program: str, home: str, files: Files, beside: Mapping[str, str] | None = None
    ) -> None:
        """Start the browser `program`; it keeps what it keeps in the folder `home`. beside: further
        variables of its environment. Raises BrowserError.
        """
        variables = {
            "HOME": home,
            "TMPDIR": home,
            "LANG": "C.UTF-8",
            "PATH": os.environ["PATH"],
            "DBUS_SESSION_BUS_ADDRESS": "disabled:",
            **(beside or {}),
        }
        command = [program, *_FLAGS, f"--user-data-dir={home}/profile", "about:blank"]
        self.began_s: float | None = None
        """When dash.js was started, in s of the experiment."""
        self._files = files
        self.browser = Browser(command, variables, self._hear)
        targets = self.browser.ask("Target.getTargets")["targetInfos"]
        (target,) = (each["targetId"] for each in targets if each["type"] == "page")
        attached = self.browser.ask("Target.attachToTarget", targetId=target, flatten=True)
        self._session = str(attached["sessionId"])

    def open(self, server: str) -> None:
        """Have it load the page. server: its address. Raises BrowserError."""
        for domain in ("Inspector", "Page", "Runtime"):
            self.browser.ask(f"{domain}.enable", self._session)
        self.browser.ask("Runtime.addBinding", self._session, name="began")
        given = [{"urlPattern": f"{server}{_PAGE}*"}]
        self.browser.ask("Fetch.enable", self._session, patterns=given)
        self.browser.ask("Page.navigate", self._session, url=f"{server}{_PAGE}")

    def left(self) -> dict[str, Any]:
        """What the page noted. Raises BrowserError."""
        asked = {"expression": "left()", "returnByValue": True}
        answer = self.browser.ask("Runtime.evaluate", self._session, **asked)
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
        elif method == "Runtime.bindingCalled":
            self.began_s = float(params["payload"])
        elif method == "Runtime.exceptionThrown":
            print(_told(params["exceptionDetails"]), flush=True)
        elif method == "Inspector.targetCrashed":
            raise BrowserError("the page crashed")

    def _give(self, request: str, url: str) -> None:
        name = url.rpartition(_PAGE)[2]
        kind, body = self._files.get(name, (_TEXT, b""))
        self.browser.tell(
            "Fetch.fulfillRequest",
            self._session,
            requestId=request,
            responseCode=200 if name in self._files else 404,
            responseHeaders=[{"name": "Content-Type", "value": kind}],
            body=base64.b64encode(body).decode(),
        )


def _told(details: dict[str, Any]) -> str:
    return str(details.get("exception", {}).get("description") or details.get("text"))


def main(program: str, player: str, preloaded: str) -> None:
    """Play in a guest by what WEIR_* say, and stay. program: the browser. player: its script.
    preloaded: a library that the browser is started with.

    Exits with code 1 where the browser fails; why stands on standard output.
    """
    done = int(os.environ["WEIR_DONE_FD"])
    os.set_inheritable(done, False)  # the browser may outlive this process
    home = f"{os.environ['WEIR_OUT']}/home"
    Path(home).mkdir()
    try:
        beside = {"LD_PRELOAD": preloaded, "OPENSSL_ia32cap": _WITHOUT_RDRAND}
        page = Page(program, home, files(player), beside)
        play(page)
    except BrowserError as error:
        print(f"Chromium: {error}", flush=True)
        os._exit(_FAILED)
    page.browser.stop()
    os.write(done, b".")
    while True:
        time.sleep(2**30)


def files(player: str) -> Files:
    """Of the page, as WEIR_* say. player: the script of dash.js."""
    env = os.environ
    told = {
        "content": json.loads(Path(env["WEIR_CONTENT"]).read_text()),
        "options": json.loads(env["WEIR_OPTIONS"]),
        "epochUnixS": float(env["WEIR_EPOCH_UNIX_S"]),
        "startS": float(env["WEIR_START_S"]),
        "bufferS": float(env["WEIR_BUFFER_S"]),
    }
    found = {name: (_SCRIPT, (_HERE / name).read_bytes()) for name in _OF_PAGE}
    return found | {
        "": (_TEXT, (_HERE / "page.html").read_bytes()),
        "told.js": (_SCRIPT, f"const told = {json.dumps(told)};".encode()),
        "player.js": (_SCRIPT, Path(player).read_bytes()),
    }


def play(page: Page) -> None:
    """Have it play until the client's stop, and leave what it noted.

    Raises BrowserError; NotReady soon after the client's start.
    """
    env = os.environ
    zero_s = float(env["WEIR_EPOCH_UNIX_S"]) - time.time() + time.monotonic()
    start_s, stop_s = float(env["WEIR_START_S"]), float(env["WEIR_STOP_S"])
    # Browsers leave the port out.
    page.open(env["WEIR_SERVER"].removesuffix(":80"))
    page.browser.listen(zero_s + min(start_s + _TOLD_S, stop_s))
    if page.began_s is None or page.began_s - start_s > _LATE_S:
        raise NotReady(f"its page was not there {_LATE_S:g} s after its client's start")
    page.browser.listen(zero_s + stop_s)
    noted = page.left()
    for name in ("rows", "events"):
        lines = (f"{json.dumps(each)}\n" for each in noted[name])
        Path(env["WEIR_OUT"], f"{name}.jsonl").write_text("".join(lines))
