"""Nights of a schedule that are really run: `weir up`, and a git server with what is under test."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx2
import yaml
from sqlalchemy import func, select
from weir_orchestrator.db import Result, connect, make_sessions, reading
from weir_orchestrator.schedules import judge_next
from weir_testing import kills
from weir_testing.git_server import BRANCH, GitServer, serving
from weir_testing.patience import PATIENCE_S, until

__all__ = ["Nightly", "opened"]

_TEAM: Final = "/teams/local"
_MOST_REPLICATES: Final = 96
"""What the web UI offers for a new schedule."""
_POLL_S: Final = 0.2


@dataclass(frozen=True)
class Nightly:
    """judge: what a housekeeper does every few seconds, here as soon as there is something to."""

    client: httpx2.Client
    git: GitServer
    judge: Callable[[], object]
    results: Callable[[], int]

    def schedule(self, name: str, campaign: Mapping[str, Any], file: str, path: str) -> str:
        """The id of a schedule of that name, instead of an earlier one's, that takes a file of its
        campaign from a path in the repository."""
        for old in self._get(f"{_TEAM}/schedules", limit=500)["items"]:
            if old["name"] == name:
                self._good(self.client.delete(f"/schedules/{old['id']}"))
        subject = {"name": file, "repository": self.git.url, "branch": BRANCH, "path": path}
        given = {
            "name": name,
            "cron": "30 2 1 1 *",
            "campaign": _document(campaign),
            "subjects": [subject],
            "baseline": "last-good",
            "most_replicates": _MOST_REPLICATES,
        }
        return str(self._good(self.client.post(f"{_TEAM}/schedules", json=given)).json()["id"])

    def submit_from_now_on(self, schedule: str, campaign: Mapping[str, Any]) -> None:
        """Another campaign for the nights to come."""
        change = {"campaign": _document(campaign)}
        self._good(self.client.patch(f"/schedules/{schedule}", json=change))

    def night(self, schedule: str) -> Any:
        """The next one, run and judged: its tick."""
        self._good(self.client.post(f"/schedules/{schedule}/run", json={}))

        def newest() -> Any:
            self.judge()
            return self._get(f"/schedules/{schedule}/ticks", limit=1)["items"][0]

        until(lambda: newest()["night"], "a verdict", _POLL_S, progress=self.results)
        return newest()

    def board(self, schedule: str) -> Any:
        """The newest night."""
        return self._get(f"/schedules/{schedule}/board")

    def changes(self, schedule: str) -> list[Any]:
        """With which a trend's segment begins."""
        found, cursor = [], None
        while True:
            page = self._get(f"/schedules/{schedule}/changes", limit=500, cursor=cursor)
            found += page["items"]
            if (cursor := page["next"]) is None:
                return found

    def bisected(self, schedule: str, bad: str) -> Any:
        """The end of a bisection."""
        where = f"/schedules/{schedule}/bisections"
        begun = self._good(self.client.post(where, json={"bad": bad})).json()

        def now() -> Any:
            return self._get(f"/bisections/{begun['id']}")

        until(lambda: now()["state"] != "running", "a commit", _POLL_S, progress=self.results)
        return now()

    def _get(self, path: str, **query: Any) -> Any:
        given = {name: value for name, value in query.items() if value is not None}
        return self._good(self.client.get(path, params=given)).json()

    @staticmethod
    def _good(answer: httpx2.Response) -> httpx2.Response:
        if not answer.is_success:
            raise RuntimeError(answer.text)
        return answer


@contextmanager
def opened(data: Path) -> Iterator[Nightly]:
    """A platform whose results stay in a folder; what of it was going on before is cancelled."""
    data.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="weir-git-") as folder, serving(Path(folder)) as git:
        variables = {
            "GIT_SSL_CAINFO": str(git.authorities),
            "WEIR_KERNEL_CODE": "true",
            "WEIR_KEEP_UNUSED": "P3650D",
            "WEIR_WEBHOOKS_TO_PRIVATE": "true",
        }
        database = f"sqlite:///{data / 'weir.db'}"
        backend = kills.Backend(["--data", str(data)], variables, database, str(data / "store"), {})
        up = kills.Up(backend, data / "log.txt", jobs=0)
        try:
            sessions = make_sessions(connect(database))
            with httpx2.Client(base_url=f"{up.url}/api/v1", timeout=PATIENCE_S) as client:
                _cancel_all(client)
                yield Nightly(
                    client,
                    git,
                    lambda: judge_next(sessions),
                    lambda: _counted(sessions),
                )
            up.drain()
        finally:
            up.kill()


def _cancel_all(client: httpx2.Client) -> None:
    listed = client.get(f"{_TEAM}/campaigns", params={"limit": 500}).json()["items"]
    for campaign in listed:
        if campaign["state"] in {"expanding", "active"}:
            client.post(f"/campaigns/{campaign['id']}/cancel")


def _counted(sessions: Any) -> int:
    with reading(sessions)() as session:
        return session.scalar(select(func.count()).select_from(Result)) or 0


def _document(campaign: Mapping[str, Any]) -> dict[str, str]:
    return {"document": yaml.safe_dump(dict(campaign), sort_keys=False)}
