"""A card's runs, carried out again by the platform's worker: real runs in the lab kernel."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from weir_orchestrator.objects import BUNDLE, run_prefix, unpack
from weir_sdk import Client, campaign, errors, models
from weir_testing import command
from weir_testing.files import contents
from weir_testing.live import Live
from weir_testing.patience import until

pytestmark = pytest.mark.kernel


@pytest.fixture
def weir(server: Live) -> Iterator[Client]:
    with Client(server.url) as client:
        yield client


def carried_out(weir: Client, folder: Path, seed: int) -> models.CampaignOut:
    """A campaign of two runs that have ended; seed: its own, that its runs are known nowhere."""
    document = command.campaign(folder).read_text()
    made = weir.submit_campaign("local", campaign(document, seed=seed))
    until(lambda: weir.show_campaign(made.id).state == "finished", "the campaign's end")
    return weir.show_campaign(made.id)


def kept(weir: Client, made: models.CampaignOut) -> models.CardDetail:
    view = {
        "name": "Figure 3",
        "title": "Mean bitrate",
        "view": f"/teams/local/campaigns/{made.id}/results",
        "numbers": {"columns": ["runs"], "rows": [[made.run_count]]},
        "campaigns": [str(made.id)],
    }
    return weir.make_card("local", view)


def reproduced(weir: Client, card: models.CardDetail) -> models.ReproductionOut:
    """The verdict on a card, from when its runs have been carried out again."""
    begun = weir.reproduce_card(card.id)
    assert (begun.verdict, begun.runs, begun.ended) == (None, 2, 0)

    def last() -> models.ReproductionOut:
        return next(iter(weir.list_reproductions(card.id)))

    until(lambda: last().verdict is not None, "the verdict")
    assert last().id == begun.id
    return last()


def with_changed(bundle: bytes, name: str) -> bytes:
    """A bundle in which one byte of one file is another."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for each, content in sorted(unpack(bundle).items()):
            changed = content[:-2] + b" \n" if each == name else content
            member = tarfile.TarInfo(each)
            member.size = len(changed)
            tar.addfile(member, io.BytesIO(changed))
    return packed.getvalue()


def test_runs_are_carried_out_again_and_have_the_same_bytes(
    weir: Client, server: Live, tmp_path: Path
) -> None:
    made = carried_out(weir, tmp_path, 1101)
    card = kept(weir, made)
    keys = {run.key for run in card.runs}
    before = {key: contents(server.store / run_prefix(key)) for key in keys}
    told = weir.estimate_reproduction(card.id)
    assert (told.runs, told.film_s, told.left_out, told.allowed) == (2, 20.0, [], True)
    assert told.wall_s > 0

    found = reproduced(weir, card)
    assert (found.verdict, found.same, found.differing) == ("same", 2, [])
    assert (found.failed, found.left_out, found.ended) == ([], [], 2)
    assert {key: contents(server.store / run_prefix(key)) for key in keys} == before
    (again,) = found.campaigns
    runs = list(weir.list_runs(again))
    assert {run.key for run in runs} == keys
    # Carried out, which runs that share a result are not.
    assert all(run.attempts == 1 and run.started_at is not None for run in runs)
    assert {run.state for run in runs} == {"succeeded"}
    assert "all 2 runs have the same bytes" in weir.show_card_page(card.id)

    # Whoever submits the same again still shares the results.
    shared = weir.clone_campaign(again)
    until(lambda: weir.show_campaign(shared.id).state == "finished")
    assert {run.attempts for run in weir.list_runs(shared.id)} == {0}


def test_a_stored_file_that_was_changed_is_told(weir: Client, server: Live, tmp_path: Path) -> None:
    card = kept(weir, carried_out(weir, tmp_path, 1102))
    changed, other = card.runs
    bundle = server.store / run_prefix(changed.key) / BUNDLE
    whole = bundle.read_bytes()
    bundle.write_bytes(with_changed(whole, "metrics.json"))

    found = reproduced(weir, card)
    assert (found.verdict, found.same) == ("different", 1)
    (told,) = found.differing
    assert (told.run, told.key, told.files) == (changed.id, changed.key, ["metrics.json"])
    run = weir.show_run(told.again)
    assert (run.state, "metrics.json" in run.reason) == ("failed", True)
    files = {file.name for file in weir.list_artifacts(told.again)}
    assert {"metrics.json", "run.json"} <= files
    page = weir.show_card_page(card.id)
    assert "1 of 2 runs have the same bytes, 1 differs" in page

    bundle.write_bytes(whole)
    assert reproduced(weir, card).verdict == "same"
    assert "all 2 runs have the same bytes" in weir.show_card_page(card.id)
    weir.delete_campaign(weir.show_run(told.again).campaign_id)
    assert [each.verdict for each in weir.list_reproductions(card.id)] == ["same", "different"]
    assert weir.show_run(other.id).state == "succeeded"


def test_what_is_gone_is_told(weir: Client, server: Live, tmp_path: Path) -> None:
    made = carried_out(weir, tmp_path, 1103)
    card = kept(weir, made)
    gone, _ = card.runs
    for path in sorted((server.store / run_prefix(gone.key)).iterdir()):
        path.unlink()
    found = reproduced(weir, card)
    assert (found.verdict, found.same, found.differing) == ("incomplete", 1, [])
    assert [(each.runs, "is gone" in each.reason) for each in found.failed] == [(1, True)]

    weir.delete_campaign(made.id)
    told = weir.estimate_reproduction(card.id)
    assert (told.runs, [(each.runs, each.reason) for each in told.left_out]) == (
        0,
        [(2, "their campaign has been deleted")],
    )
    with pytest.raises(errors.Unprocessable) as raised:
        weir.reproduce_card(card.id)
    (problem,) = raised.value.problems
    assert (problem.path, problem.value) == ("card", "2 runs")
    assert "deleted" in problem.allowed
    assert "weir reproduce" in problem.remedy
