"""Telling members of worse nights by e-mail: written down with the verdict, sent beside it.

A try is noted before it is made. A process that dies before it notes how that went has it made
again: the message has the same Message-ID then.
"""

from __future__ import annotations

import logging
import smtplib
import ssl
from collections.abc import Sequence
from datetime import timedelta
from email.message import EmailMessage
from typing import Final
from urllib.parse import unquote, urlsplit

from sqlalchemy import select
from sqlalchemy.orm import Session, sessionmaker

from weir_orchestrator.db import Mail, Membership, Schedule, Team, User
from weir_orchestrator.db.dialect import now
from weir_orchestrator.settings import Settings

__all__ = ["members", "send_mail", "write_mail"]

_STEPS: Final = tuple(timedelta(seconds=s) for s in (60, 600, 3600, 6 * 3600))
"""Between one try and the next; after the last one it has failed."""
_TIMEOUT_S: Final = 20.0
_log = logging.getLogger(__name__)


def members(session: Session, team_id: object, asked: Sequence[str]) -> list[str]:
    """Those of these addresses that are of members who may sign in."""
    query = (
        select(User.email)
        .join(Membership, Membership.user_id == User.id)
        .where(Membership.team_id == team_id, User.email.in_(asked), ~User.disabled)
    )
    return list(session.scalars(query.order_by(User.email)))


def write_mail(session: Session, schedule: Schedule, told: Sequence[str]) -> None:
    """Have those who want it told of a worse night."""
    if schedule.mail_to:
        # A line of its own in the message's head, whatever ends lines in a name.
        subject = " ".join(f"{schedule.name}: worse".split())
        session.add(Mail(schedule_id=schedule.id, subject=subject, told=list(told)))


def send_mail(sessions: sessionmaker[Session], settings: Settings) -> bool:
    """Try the message that is due longest; whether there was one."""
    with sessions.begin() as session:
        moment = now(session)
        due = select(Mail).where(Mail.state == "pending", Mail.next_at <= moment)
        mail = session.scalar(due.order_by(Mail.next_at).limit(1).with_for_update(skip_locked=True))
        if mail is None:
            return False
        tries, mail_id = mail.attempts, mail.id
        mail.attempts += 1
        mail.next_at = moment + _STEPS[min(tries, len(_STEPS) - 1)]
        message = _message(session, settings, mail)
    try:
        if message is not None:
            _send(settings, message)
        state, error = "sent", ""
    except (OSError, smtplib.SMTPException) as failed:
        state = "pending" if tries < len(_STEPS) else "failed"
        error = f"{type(failed).__name__}: {failed}"
        _log.warning("mail %d: %s", mail_id, type(failed).__name__)
    with sessions.begin() as session:
        mail = session.get_one(Mail, mail_id)
        mail.state, mail.error = state, error
    return True


def _message(session: Session, settings: Settings, mail: Mail) -> EmailMessage | None:
    """None where nobody is left who wants it, or who is a member."""
    schedule = session.get_one(Schedule, mail.schedule_id)
    team = session.get_one(Team, schedule.team_id)
    to = members(session, team.id, schedule.mail_to)
    if not to or not settings.mail:
        return None
    lines = list(mail.told)
    if link := settings.public_url.rstrip("/"):
        lines += ["", f"{link}/teams/{team.slug}/schedules/{schedule.id}"]
    lines += ["", "You are told since your address stands with this schedule: its page, Edit."]
    message = EmailMessage()
    message["From"], message["Subject"] = settings.mail_from, mail.subject
    message["To"] = ", ".join(to)
    message["Auto-Submitted"] = "auto-generated"
    message["Message-ID"] = (
        f"<weir-{mail.id}-{schedule.id}@{settings.mail_from.rpartition('@')[2]}>"
    )
    message.set_content("\n".join(lines))
    return message


def _send(settings: Settings, message: EmailMessage) -> None:
    """Raises OSError, SMTPException."""
    where = urlsplit(settings.mail)
    assert where.hostname is not None
    context = ssl.create_default_context()
    if where.scheme == "smtps":
        port = where.port or smtplib.SMTP_SSL_PORT
        server: smtplib.SMTP = smtplib.SMTP_SSL(
            where.hostname, port, timeout=_TIMEOUT_S, context=context
        )
    else:
        server = smtplib.SMTP(where.hostname, where.port or 25, timeout=_TIMEOUT_S)
    with server:
        server.ehlo_or_helo_if_needed()
        # A password goes out by TLS alone: who sits between could hide that it is offered.
        if where.scheme == "smtp" and (where.username or server.has_extn("starttls")):
            server.starttls(context=context)
        if where.username:
            server.login(unquote(where.username), settings.mail_password.get_secret_value())
        server.send_message(message)
