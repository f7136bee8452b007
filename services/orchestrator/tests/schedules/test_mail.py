"""Members are told of a worse night by e-mail, once, and of no other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from pydantic import ValidationError
from sqlalchemy import update
from weir_orchestrator.db import Mail, Membership, utc_now
from weir_orchestrator.schedules import send_mail
from weir_orchestrator.settings import Settings
from weir_testing.mailbox import Mailbox, receiving_mail
from weir_testing.platform import Platform, email_of, id_of
from weir_testing.platform.campaigns import HERE, body
from weir_testing.platform.nights import judged, night, schedule
from weir_testing.platform.results import Made, store

ADA, BEN = email_of("read"), email_of("submit")


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    with receiving_mail() as found:
        yield found


@pytest.fixture
def platform(platform_with: Callable[..., Platform], mailbox: Mailbox) -> Platform:
    """It sends e-mail."""
    return platform_with(
        mail=f"smtp://127.0.0.1:{mailbox.port}",
        mail_from="weir@example.org",
        public_url="https://weir.example.org",
    )


def sent(platform: Platform) -> int:
    """Send what is due; how many messages were tried."""
    tried = 0
    while send_mail(platform.sessions, platform.settings):
        tried += 1
    return tried


def worse_night(platform: Platform, before: Made, after: Made, **fields: Any) -> Any:
    nightly = schedule(platform, str(store(platform, before)), **fields)
    night(platform, nightly, before)
    night(platform, nightly, after, bitrate=0.5)
    judged(platform, nightly)
    return nightly


def test_a_worse_night_is_told_once(
    platform: Platform, before: Made, after: Made, mailbox: Mailbox
) -> None:
    nightly = worse_night(platform, before, after, mail_to=[ADA, BEN])
    assert nightly["mail_to"] == [ADA, BEN]
    assert sent(platform) == 1
    ((message, to),) = mailbox.got
    assert to == [ADA, BEN]
    assert (message["From"], message["Subject"]) == (
        "weir@example.org",
        f"{nightly['name']}: worse",
    )
    text = message.get_content()
    assert "worse: Mean bitrate" in text
    assert f"https://weir.example.org/teams/qoe-lab/schedules/{nightly['id']}" in text
    assert sent(platform) == 0


def test_only_members_are_told(
    platform: Platform, before: Made, after: Made, mailbox: Mailbox
) -> None:
    worse_night(platform, before, after, mail_to=[ADA, BEN])
    with platform.sessions.begin() as session:
        session.delete(session.get_one(Membership, (platform.team_id, id_of("read"))))
    assert sent(platform) == 1
    assert [to for _, to in mailbox.got] == [[BEN]]
    given = {"name": "n", "cron": "30 2 * * *", "campaign": body()}
    for address in (ADA, "anybody@example.org"):
        answer = platform.client("submit").post(
            f"{HERE}/schedules", json={**given, "mail_to": [address]}
        )
        (problem,) = answer.json()["problems"]
        assert (answer.status_code, problem["path"], problem["value"]) == (422, "mail_to", address)


def test_what_is_not_taken_is_tried_again_and_given_up(
    platform: Platform, before: Made, after: Made, mailbox: Mailbox
) -> None:
    mailbox.refusing = True
    worse_night(platform, before, after, mail_to=[ADA])
    for number in range(1, 6):
        assert sent(platform) == 1
        with platform.sessions.begin() as session:
            mail = session.query(Mail).one()
            assert mail.attempts == number
            assert mail.state == ("failed" if number == 5 else "pending")
            assert mail.next_at > utc_now()
            session.execute(update(Mail).values(next_at=utc_now() - timedelta(seconds=1)))
    assert sent(platform) == 0
    assert mailbox.got == []


def test_a_name_is_one_line_and_no_password_goes_out_in_plain(
    platform_with: Callable[..., Platform], before: Made, after: Made, mailbox: Mailbox
) -> None:
    platform = platform_with(
        mail=f"smtp://weir@127.0.0.1:{mailbox.port}", mail_from="weir@example.org"
    )
    worse_night(platform, before, after, mail_to=[ADA], name="night\u2028ly")
    assert sent(platform) == 1
    with platform.sessions() as session:
        mail = session.query(Mail).one()
        assert mail.subject == "night ly: worse"
        assert (mail.state, mail.error.partition(":")[0]) == ("pending", "SMTPNotSupportedError")
    assert mailbox.got == []


def test_without_a_mail_server_nobody_is_promised_mail(
    platform_with: Callable[..., Platform],
) -> None:
    given = {"name": "n", "cron": "30 2 * * *", "campaign": body(), "mail_to": [ADA]}
    answer = platform_with().client("submit").post(f"{HERE}/schedules", json=given)
    assert (answer.status_code, "WEIR_MAIL" in answer.text) == (422, True)
    for wrong in ("http://mail.example.org", "smtp://ada:secret@mail.example.org", "smtp://"):
        with pytest.raises(ValidationError, match="mail"):
            Settings(mail=wrong, mail_from="weir@example.org")
    with pytest.raises(ValidationError, match="WEIR_MAIL_FROM"):
        Settings(mail="smtp://mail.example.org")
