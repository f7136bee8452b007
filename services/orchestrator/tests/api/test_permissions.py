"""Every operation of the API x who asks: nobody, another team, read, submit, admin, operator."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from fastapi.testclient import TestClient
from weir_testing.platform import MEMBERS, ROLES, Platform
from weir_testing.platform.fixtures import SERVED
from weir_testing.platform.world import Operation, World, make_world, operations

# Who may: in the team
READ: Final = frozenset({"read", "submit", "admin"})
SUBMIT: Final = frozenset({"submit", "admin"})
ADMIN: Final = frozenset({"admin"})
# and beside it
OPERATOR: Final = frozenset({"operator"})
SIGNED_IN: Final = frozenset(ROLES) - {"nobody"}
ALL: Final = frozenset(ROLES)

MAY: Final[dict[frozenset[str], str]] = {
    ALL: "ways_in live ready show_badge show_shared_card",
    SIGNED_IN: "show_me sign_out list_teams list_workers"
    " list_shipped_campaigns show_campaign_schema list_choices",
    OPERATOR: "list_users make_user show_user change_user make_team list_audit",
    READ | OPERATOR: "show_team show_quota list_members",
    ADMIN | OPERATOR: "change_team add_member change_member remove_member",
    READ: "list_cards list_reproductions show_card show_card_picture show_card_page"
    " list_tokens list_tags make_token list_campaigns show_campaign show_campaign_document"
    " show_campaign_grid show_campaign_progress list_campaign_history list_files"
    " list_runs show_run show_run_metrics show_run_series list_artifacts fetch_artifact"
    " fetch_artifacts show_run_log aggregate_metric list_effects score_levels show_answer"
    " show_search contrast_groups list_values fetch_table"
    " compare_campaigns compare_runs find_parting judge_campaign"
    " watch_campaign watch_team show_report show_report_page"
    " list_schedules show_schedule list_schedule_ticks preview_schedule"
    " show_board list_changes show_trend list_pairs list_alarms"
    " list_bisections show_bisection",
    SUBMIT: "validate_campaign estimate_campaign submit_campaign upload_file pause_campaign"
    " change_campaign resume_campaign cancel_campaign rerun_campaign clone_campaign ask_what_if"
    " make_schedule change_schedule delete_schedule run_schedule change_alarm"
    " make_card change_card delete_card share_card unshare_card"
    " reproduce_card estimate_reproduction"
    " begin_bisection make_badge delete_badge",
    ADMIN: "list_webhooks make_webhook show_webhook change_webhook delete_webhook try_webhook"
    " change_webhook_secret"
    " list_deliveries redeliver delete_campaign list_team_audit revoke_token",
}
"""Operations by who may."""
ELSEWHERE: Final = frozenset(
    {"sign_in", "change_my_password", "begin_single_sign_on", "end_single_sign_on"}
)
"""What is asked there is a password or a provider: tested where these are."""
OF_OPERATORS: Final = frozenset(MAY[OPERATOR].split())
NOT_BY_TOKEN: Final = frozenset({"make_token"})
SLOW: Final = frozenset({"show_report_page"})
"""Drawn for seconds: of those who may, one asks."""
LACKING: Final = frozenset({"begin_bisection", "reproduce_card"})
"""Who may is told what the world lacks for it, here a repository, and a card of runs."""
REFUSED: Final = frozenset({401, 403, 404})


def test_every_operation_says_who_may() -> None:
    listed = [*ELSEWHERE, *(name for names in MAY.values() for name in names.split())]
    assert len(listed) == len(set(listed))
    assert set(listed) == {operation.id for operation in operations()}


# Who may is decided before a database is asked for more than who it is.
@pytest.mark.parametrize("platform_settings", SERVED, indirect=True)
def test_each_may_what_the_role_says_and_no_more(platform: Platform, tmp_path: Path) -> None:
    world = make_world(platform, tmp_path)
    wrong: list[str] = []
    for operation in sorted(operations(), key=_takes_away):
        allowed = _who_may(operation)
        if allowed is None:
            continue
        # Refusals first; of those who may take something away, one finds it.
        for role in sorted(ROLES, key=lambda role: role in allowed):
            wrong += _asked(world, operation, role, allowed, platform.client(role))
            if role in allowed and (operation.method == "DELETE" or operation.id in SLOW):
                break
            if role in MEMBERS:
                by_token = frozenset[str]() if operation.id in NOT_BY_TOKEN else allowed
                client = platform.token_client(role)
                wrong += _asked(world, operation, role, by_token, client, "'s token")
    assert not wrong, "\n".join(wrong)


def _who_may(operation: Operation) -> frozenset[str] | None:
    return next((may for may, names in MAY.items() if operation.id in names.split()), None)


def _takes_away(operation: Operation) -> tuple[bool, bool, bool, int]:
    """What only looks comes first; what takes something away last, parts before wholes and one's
    session at the very end."""
    takes = operation.method == "DELETE"
    parts = -operation.path.count("/") if takes else 0
    return takes, operation.id == "sign_out", operation.method != "GET", parts


def _asked(
    world: World,
    operation: Operation,
    role: str,
    allowed: frozenset[str],
    client: TestClient,
    how: str = "",
) -> list[str]:
    """What is wrong with the answer."""
    url = world.url(operation)
    with client.stream(operation.method, url, **world.request(operation)) as answer:
        status = answer.status_code
    if role in allowed:
        good = status not in REFUSED and status < 500
        good &= status != 422 or operation.id in LACKING
        return [] if good else [f"{operation.id}: {role}{how} may, but got {status}"]
    expected = _refusal(operation, role)
    good = status == expected
    return [] if good else [f"{operation.id}: {role}{how} should get {expected}, got {status}"]


def _refusal(operation: Operation, role: str) -> int:
    """Nobody signs in first; other teams' things are not there; too small a role is told so."""
    if role == "nobody":
        return 401
    if operation.id in OF_OPERATORS or role in {"read", "submit", "admin"}:
        return 403
    return 404
