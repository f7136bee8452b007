"""Chromium itself by its DevTools."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from weir_client.chromium.devtools import Browser, BrowserError
from weir_testing.chromium import needs_chromium, running, session_of
from weir_testing.patience import PATIENCE_S, until

pytestmark = needs_chromium


@pytest.fixture
def heard() -> list[dict[str, Any]]:
    return []


@pytest.fixture
def browser(tmp_path: Path, heard: list[dict[str, Any]]) -> Iterator[Browser]:
    with running(tmp_path, heard.append) as made:
        yield made


def test_it_answers_and_what_comes_before_is_heard(
    browser: Browser, heard: list[dict[str, Any]]
) -> None:
    session = session_of(browser)
    browser.ask("Runtime.enable", session)
    asked = {"expression": "console.log('said'); 6 * 7", "returnByValue": True}
    assert browser.ask("Runtime.evaluate", session, **asked)["result"]["value"] == 42
    browser.listen(time.monotonic() + 0.2)
    said = [each["params"]["args"][0]["value"] for each in heard
            if each["method"] == "Runtime.consoleAPICalled"]  # fmt: skip
    assert said == ["said"]


def test_a_long_message_comes_whole_both_ways(browser: Browser) -> None:
    session = session_of(browser)
    text = "ä" * 1_000_000
    asked = {"expression": f"'{text}'", "returnByValue": True}
    assert browser.ask("Runtime.evaluate", session, **asked)["result"]["value"] == text


def test_what_it_refuses_is_told(browser: Browser) -> None:
    with pytest.raises(BrowserError, match=r"Nothing\.ofThatName.*wasn't found"):
        browser.ask("Nothing.ofThatName")


def test_listening_ends_when_it_is_to(browser: Browser) -> None:
    browser.ask("Browser.getVersion")
    began_s = time.monotonic()
    browser.listen(began_s + 0.3)
    assert 0.3 <= time.monotonic() - began_s < PATIENCE_S


def test_its_end_is_told(browser: Browser) -> None:
    browser.ask("Browser.getVersion")
    os.killpg(browser.group, signal.SIGKILL)
    with pytest.raises(BrowserError, match="ended"):
        browser.listen(time.monotonic() + 60)


def test_stopped_it_stays_and_does_nothing_more(browser: Browser) -> None:
    browser.ask("Browser.getVersion")
    browser.stop()

    def states() -> list[str]:
        return [stat.rpartition(") ")[2][0] for stat in stats_of(browser.group)]

    until(lambda: set(states()) == {"T"}, "its standstill")
    # More than the browser alone: its helpers, too.
    assert len(states()) > 2


def stats_of(group: int) -> list[str]:
    """/proc/PID/stat of all processes in a process group."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(FileNotFoundError, ProcessLookupError):
            text = path.read_text()
            if int(text.rpartition(") ")[2].split()[2]) == group:
                found.append(text)
    return found


def test_a_program_that_is_not_there_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    absent = Browser(["/nowhere/chromium"], {}, lambda _: None)
    with pytest.raises(BrowserError, match="ended"):
        absent.ask("Browser.getVersion")
    os.waitpid(absent.group, 0)
    assert "/nowhere/chromium: No such file" in capfd.readouterr().err
