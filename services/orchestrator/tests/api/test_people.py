"""Users, teams, members, tokens, and the log of what was done to them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from weir_orchestrator.db import Result, Token, UploadedFile, User, utc_now
from weir_testing.platform import OTHER_TEAM, TEAM, Platform, email_of, id_of

API = "/api/v1"
MEMBERS = f"{API}/teams/{TEAM}/members"
TOKENS = f"{API}/teams/{TEAM}/tokens"
ME = f"{API}/me"


def test_a_new_user_joins_a_team_and_leaves_it(platform: Platform) -> None:
    operator, admin = platform.client("operator"), platform.client("admin")
    phrase = "a pass phrase of ada's"
    new = {"email": "Ada@example.org", "name": "Ada", "password": phrase}
    made = operator.post(f"{API}/users", json=new)
    assert made.status_code == 201, made.text
    assert made.json()["email"] == "ada@example.org"
    assert operator.post(f"{API}/users", json=new).status_code == 409

    unknown = admin.post(MEMBERS, json={"email": "who@example.org", "role": "read"})
    assert unknown.status_code == 422 and unknown.json()["problems"][0]["path"] == "email"
    member = {"email": "ADA@example.org", "role": "submit"}
    assert admin.post(MEMBERS, json=member).status_code == 201
    assert admin.post(MEMBERS, json=member).status_code == 409
    listed = {m["email"]: m["role"] for m in admin.get(MEMBERS).json()["items"]}
    assert listed == {
        "ada@example.org": "submit",
        **{email_of(role): role for role in ("read", "submit", "admin")},
    }

    ada = platform.client("nobody")
    assert ada.post(f"{API}/session", json={"email": new["email"], "password": phrase}).is_success
    token = ada.post(TOKENS, json={"name": "ci", "scope": "submit"}).json()["secret"]
    program = platform.client("nobody")
    program.headers["Authorization"] = f"Bearer {token}"
    assert program.get(ME).json()["teams"][0]["role"] == "submit"

    one = f"{MEMBERS}/{made.json()['id']}"
    assert admin.patch(one, json={"role": "read"}).json()["role"] == "read"
    assert program.get(ME).json()["teams"][0]["role"] == "read", "no more than its maker holds"
    assert admin.delete(one).status_code == 204
    assert admin.delete(one).status_code == 404
    assert ada.get(f"{API}/teams/{TEAM}").status_code == 404
    assert program.get(ME).status_code == 401


def test_a_disabled_user_is_out_at_once(platform: Platform) -> None:
    browser, program = platform.client("submit"), platform.token_client("submit")
    assert (browser.get(ME).status_code, program.get(ME).status_code) == (200, 200)
    operator = platform.client("operator")
    path = f"{API}/users/{id_of('submit')}"
    assert operator.patch(path, json={"disabled": True}).json()["disabled"]
    assert (browser.get(ME).status_code, program.get(ME).status_code) == (401, 401)
    operator.patch(path, json={"disabled": False})
    assert browser.get(ME).status_code == 401, "signed out for good"
    assert program.get(ME).status_code == 200


def test_somebody_always_administers_the_installation(platform: Platform) -> None:
    operator = platform.client("operator")
    path = f"{API}/users/{id_of('operator')}"
    for change in ({"is_admin": False}, {"disabled": True}):
        assert operator.patch(path, json=change).status_code == 409
    operator.patch(f"{API}/users/{id_of('admin')}", json={"is_admin": True})
    assert operator.patch(path, json={"is_admin": False}).status_code == 200
    assert operator.get(f"{API}/users").status_code == 403


def test_lists_come_in_pages(platform: Platform) -> None:
    operator = platform.client("operator")
    seen: list[str] = []
    cursor: str | None = None
    while True:
        params = {"limit": "2", **({"cursor": cursor} if cursor else {})}
        page = operator.get(f"{API}/users", params=params).json()
        seen += [user["email"] for user in page["items"]]
        cursor = page["next"]
        if cursor is None:
            break
    assert seen == sorted(map(email_of, ("admin", "operator", "outsider", "read", "submit")))
    assert operator.get(f"{API}/users", params={"cursor": "nonsense"}).status_code == 422


def test_teams_are_seen_by_their_members_and_operators(platform: Platform) -> None:
    def slugs(role: str) -> dict[str, str | None]:
        items = platform.client(role).get(f"{API}/teams").json()["items"]
        return {team["slug"]: team["role"] for team in items}

    assert slugs("read") == {TEAM: "read"}
    assert slugs("outsider") == {OTHER_TEAM: "admin"}
    operator = platform.client("operator")
    new = {"slug": "newcomers", "name": "Newcomers", "max_running": 4}
    assert operator.post(f"{API}/teams", json=new).status_code == 201
    assert operator.post(f"{API}/teams", json=new).status_code == 409
    assert slugs("operator") == {OTHER_TEAM: None, "newcomers": None, TEAM: None}
    assert operator.get(f"{API}/teams/newcomers/quota").json()["max_running"] == 4


def test_quotas_are_set_by_operators_and_tell_what_is_used(platform: Platform) -> None:
    admin, operator = platform.client("admin"), platform.client("operator")
    team = f"{API}/teams/{TEAM}"
    assert admin.patch(team, json={"name": "QoE"}).json()["name"] == "QoE"
    assert admin.patch(team, json={"max_running": 100}).status_code == 403
    assert operator.patch(team, json={"max_stored_bytes": 5000}).status_code == 200
    with platform.sessions.begin() as session:
        kept = {"outcome": "succeeded", "film_s": 1.0, "wall_s": 1.0, "metrics": {}}
        session.add(Result(key="a", team_id=platform.team_id, size_bytes=700, **kept))
        session.add(Result(key="b", team_id=platform.other_team_id, size_bytes=9, **kept))
        session.add(UploadedFile(team_id=platform.team_id, sha256="c" * 64, size_bytes=42))
    quota = platform.client("read").get(f"{team}/quota").json()
    assert (quota["stored_bytes"], quota["max_stored_bytes"]) == (742, 5000)
    assert (quota["running"], quota["max_running"]) == (0, None)
    operator.patch(team, json={"max_stored_bytes": None})
    assert operator.get(f"{team}/quota").json()["max_stored_bytes"] is None


def test_tokens_are_told_once_expire_and_are_revoked(platform: Platform) -> None:
    submit, admin = platform.client("submit"), platform.client("admin")
    assert submit.post(TOKENS, json={"name": "too much", "scope": "admin"}).status_code == 403
    made = submit.post(TOKENS, json={"name": "ci", "scope": "read", "expires_in_days": 1})
    assert made.status_code == 201 and made.headers["content-type"] == "application/json"
    secret, token = made.json()["secret"], made.json()["id"]
    assert secret.startswith("weir_")
    assert secret not in submit.get(TOKENS).text
    program = platform.client("nobody")
    program.headers["Authorization"] = f"Bearer {secret}"
    assert program.get(ME).json()["token"] == "ci"
    used = {t["id"]: t["last_used_at"] for t in submit.get(TOKENS).json()["items"]}
    assert used[token] is not None
    with platform.sessions.begin() as session:
        kept = session.query(Token).where(Token.name == "ci").one()
        assert secret not in str(vars(kept))
        kept.expires_at = utc_now() - timedelta(seconds=1)
    assert "expired" in program.get(ME).json()["detail"]
    with platform.sessions.begin() as session:
        session.query(Token).update({"expires_at": None})
    assert program.get(ME).status_code == 200
    assert platform.client("read").delete(f"{TOKENS}/{token}").status_code == 403, "another's"
    assert admin.delete(f"{TOKENS}/{token}").status_code == 204
    assert program.get(ME).status_code == 401


def test_tokens_make_no_tokens_and_change_no_password(platform: Platform) -> None:
    program = platform.token_client("admin")
    assert program.post(TOKENS, json={"name": "heir", "scope": "read"}).status_code == 403
    change = {"password": "a", "new_password": "a new pass phrase"}
    assert program.put(f"{ME}/password", json=change).status_code == 403
    assert not program.get(ME).json()["is_admin"]


def test_a_token_that_is_used_to_change_something_notes_its_use(platform: Platform) -> None:
    program = platform.token_client("admin")
    added = program.post(MEMBERS, json={"email": email_of("outsider"), "role": "read"})
    assert added.status_code == 201, added.text
    with platform.sessions() as session:
        hers = Token.created_by == id_of("admin")
        assert session.query(Token).where(hers).one().last_used_at is not None


def test_deeds_are_logged(platform: Platform) -> None:
    admin, operator = platform.client("admin"), platform.client("operator")
    platform.token_client("admin").patch(f"{API}/teams/{TEAM}", json={"name": "Renamed"})
    admin.patch(f"{MEMBERS}/{id_of('read')}", json={"role": "submit"})
    password = "a pass phrase nobody may read"
    operator.patch(f"{API}/users/{id_of('read')}", json={"password": password, "name": "R"})
    operator.post(f"{API}/session", json={"email": email_of("read"), "password": "wrong"})

    def entries(path: str, client: Any, **params: str) -> list[tuple[Any, ...]]:
        items = client.get(path, params=params).json()["items"]
        return [(d["action"], d["by"], d["token"], d["detail"]) for d in items]

    of_team = entries(f"{API}/teams/{TEAM}/audit", admin)
    assert of_team == [
        ("member.change", email_of("admin"), None, {"role": "submit"}),
        ("team.change", email_of("admin"), "admin's program", {"name": "Renamed"}),
    ]
    everything = entries(f"{API}/audit", operator)
    assert everything == [
        ("session.refuse", email_of("read"), None, {}),
        ("user.change", email_of("operator"), None, {"name": "R", "password": "changed"}),
        *of_team,
    ]
    assert entries(f"{API}/audit", operator, action="user") == everything[1:2]
    assert entries(f"{API}/audit", operator, action="session.refuse") == everything[:1]
    assert entries(f"{API}/audit", operator, action="sess") == []


def test_one_failed_deed_leaves_nothing(platform_with: Callable[..., Platform]) -> None:
    platform = platform_with()
    operator = platform.client("operator")
    path = f"{API}/users/{id_of('operator')}"
    assert operator.patch(path, json={"name": "Changed", "is_admin": False}).status_code == 409
    with platform.sessions() as session:
        user = session.get_one(User, id_of("operator"))
        assert (user.name, user.is_admin) == ("operator", True)
    assert operator.get(f"{API}/audit").json()["items"] == []
