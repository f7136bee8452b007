"""A whole platform with login, on Postgres and MinIO, that one team attacks and another uses."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import weir_engine
import yaml
from weir_sdk import Client, models

from weir_testing import cells, kills
from weir_testing.files import named
from weir_testing.guest_attacks import SAID, abr, abr_of_all
from weir_testing.patience import PATIENCE_S
from weir_testing.platform import OTHER_TEAM, TEAM, fill

__all__ = [
    "Besieged", "attempt", "begin", "carry_out", "ended", "film", "require_all_denied",
    "require_denied", "submit", "up",
]  # fmt: skip

SECRET: Final = b"# another team's ABR\n"
_FILM: Final = {
    "duration": "4s",
    "content": {"ladder": ["248kbit/s", "928kbit/s"], "segment": "2s"},
    "gateway": {"downlink": {"rate": "8Mbit/s"}, "path": {"rtt": {"mean": "20ms"}}},
    "clients": [{"player": "fixed", "options": {"level": 1}}],
}


@dataclass(frozen=True)
class Besieged:
    """attacker: a member with scope submit. other: of another team. targets: see guest_attacks."""

    url: str
    attacker: Client
    other: Client
    targets: Mapping[str, Any]


@contextmanager
def up(folder: Path, jobs: int = 2) -> Iterator[Besieged]:
    """`weir up` with one worker, which takes C, too; folder: for its log."""
    with kills.served() as make:
        backend = make()
        told = {"WEIR_AUTH": "login", "WEIR_AS_ROOT": "true", "WEIR_KERNEL_CODE": "true"}
        backend = replace(backend, variables={**backend.variables, **told})
        fill(backend.database)
        platform = kills.Up(backend, folder / "log.txt", jobs)
        try:
            with (
                Client(platform.url, "token-of-submit", timeout_s=PATIENCE_S) as attacker,
                Client(platform.url, "token-of-outsider", timeout_s=PATIENCE_S) as other,
            ):
                uploaded = other.upload_file(OTHER_TEAM, SECRET)
                store = backend.servers["store"]
                files = named(store.data, "*")
                targets = {
                    "secret": str(next(one for one in files if uploaded.sha256 in one.parent.name)),
                    "data": backend.options[-1],
                    "kernel": str(cells.kernel().path),
                    "package": str(Path(weir_engine.__file__)),
                    "database": urlsplit(backend.database).port,
                    "store": int(store.access.endpoint.rpartition(":")[2]),
                    "api": int(platform.url.rpartition(":")[2]),
                }
                yield Besieged(platform.url, attacker, other, targets)
        finally:
            platform.kill()


def film(
    name: str,
    changes: Mapping[str, Any] | None = None,
    factors: Mapping[str, list[str]] | None = None,
    replicates: int = 1,
    seed: int = 1,
) -> str:
    """A campaign of 4 s of film with one client; changes: to its experiment."""
    spec: dict[str, Any] = {"name": name, "experiment": {**_FILM, **(changes or {})}}
    spec |= {"replicates": replicates, "seed": seed}
    return yaml.safe_dump(spec | ({"factors": dict(factors)} if factors else {}), sort_keys=False)


def submit(
    weir: Client, team: str, document: str, files: Mapping[str, str] | None = None
) -> models.CampaignOut:
    """Submit a campaign with the texts of its files by name."""
    contents = {name: text.encode() for name, text in (files or {}).items()}
    return weir.submit_with_files(team, document, contents)


def carry_out(
    weir: Client, document: str, files: Mapping[str, str] | None = None, team: str = TEAM
) -> list[models.RunDetail]:
    """Submit a campaign; all about its runs once it has ended."""
    return ended(weir, submit(weir, team, document, files))


def ended(weir: Client, campaign: models.CampaignOut) -> list[models.RunDetail]:
    """All about a campaign's runs, in its order, once it has ended."""
    weir.wait_for_campaign(campaign.id, PATIENCE_S)
    return [weir.show_run(run.id) for run in weir.list_runs(campaign.id)]


def begin(
    weir: Client,
    attacks: Mapping[str, str],
    targets: Mapping[str, Any],
    team: str = TEAM,
    changes: Mapping[str, Any] | None = None,
    replicates: int = 1,
) -> models.CampaignOut:
    """A campaign with a run of each attack, in their order, by a player that does it."""
    texts = (abr(attack, targets) for attack in attacks.values())
    files = {f"attack_{number}.py": text for number, text in enumerate(texts)}
    document = film(
        "attacks",
        {"clients": [{"player": next(iter(files))}], **(changes or {})},
        {"clients.0.player": list(files)},
        replicates,
    )
    return submit(weir, team, document, files)


def attempt(
    weir: Client,
    attacks: Mapping[str, str],
    targets: Mapping[str, Any],
    team: str = TEAM,
    changes: Mapping[str, Any] | None = None,
) -> dict[str, models.RunDetail]:
    """What became of each attack's run, by the attack's name."""
    runs = ended(weir, begin(weir, attacks, targets, team, changes))
    return dict(zip(attacks, runs, strict=True))


def require_denied(attempted: Mapping[str, models.RunDetail]) -> None:
    """Raises AssertionError where an attack was not denied."""
    for name, run in attempted.items():
        assert run.state == "failed", name
        assert "denied: " in run.reason, (name, run.reason)
        assert "the attack succeeded" not in run.reason, name


def require_all_denied(
    weir: Client,
    attacks: Mapping[str, str],
    targets: Mapping[str, Any],
    team: str = TEAM,
    changes: Mapping[str, Any] | None = None,
) -> None:
    """Do all attacks in one run, whose price is not paid for each. Raises AssertionError where one
    was not denied."""
    files = {"attacks.py": abr_of_all(attacks, targets)}
    document = film("attacks", {"clients": [{"player": "attacks.py"}], **(changes or {})})
    (run,) = carry_out(weir, document, files, team)
    assert run.state == "failed", run.reason
    told = run.reason.partition(SAID)[2]
    assert told, run.reason
    said = json.JSONDecoder().raw_decode(told)[0]
    assert said.keys() == attacks.keys()
    assert not [name for name, raised in said.items() if not raised]
