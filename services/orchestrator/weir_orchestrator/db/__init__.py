"""The database: models by noun, and the engine. The schema itself is built by migrations/."""

from weir_orchestrator.db.alarms import Alarm
from weir_orchestrator.db.audit import AuditEntry
from weir_orchestrator.db.base import Base, utc_now
from weir_orchestrator.db.bisections import Bisection
from weir_orchestrator.db.blocks import Block, BlockValues
from weir_orchestrator.db.campaigns import (
    Campaign,
    CampaignTag,
    Combination,
    IdempotencyKey,
    UploadedFile,
)
from weir_orchestrator.db.cards import Card
from weir_orchestrator.db.engine import connect, finds, make_sessions, reading, singly
from weir_orchestrator.db.events import Event, EventCursor
from weir_orchestrator.db.mail import Mail
from weir_orchestrator.db.nights import Baseline, MoreReplicates, Night
from weir_orchestrator.db.queued import IS_QUEUED, any_open, any_queued
from weir_orchestrator.db.reproductions import Certificate, Reproduction
from weir_orchestrator.db.results import Metric, Pack, Result, ResultValues
from weir_orchestrator.db.runs import Lease, Run, Worker
from weir_orchestrator.db.schedules import OPEN_OUTCOMES, Schedule, ScheduleSubject, ScheduleTick
from weir_orchestrator.db.teams import LoginSession, Membership, Team, Token, User
from weir_orchestrator.db.trends import Trend, TrendPoint
from weir_orchestrator.db.tries import TryCount
from weir_orchestrator.db.webhooks import Webhook, WebhookDelivery

__all__ = [
    "IS_QUEUED",
    "OPEN_OUTCOMES",
    "Alarm",
    "AuditEntry",
    "Base",
    "Baseline",
    "Bisection",
    "Block",
    "BlockValues",
    "Campaign",
    "CampaignTag",
    "Card",
    "Certificate",
    "Combination",
    "Event",
    "EventCursor",
    "IdempotencyKey",
    "Lease",
    "LoginSession",
    "Mail",
    "Membership",
    "Metric",
    "MoreReplicates",
    "Night",
    "Pack",
    "Reproduction",
    "Result",
    "ResultValues",
    "Run",
    "Schedule",
    "ScheduleSubject",
    "ScheduleTick",
    "Team",
    "Token",
    "Trend",
    "TrendPoint",
    "TryCount",
    "UploadedFile",
    "User",
    "Webhook",
    "WebhookDelivery",
    "Worker",
    "any_open",
    "any_queued",
    "connect",
    "finds",
    "make_sessions",
    "reading",
    "singly",
    "utc_now",
]
