"""The clients: one method per operation of the API, named as in its OpenAPI document."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from uuid import UUID

from weir_sdk import aio, flows, sync
from weir_sdk.call import path
from weir_sdk.calls import (
    audit,
    campaigns,
    files,
    library,
    results,
    runs,
    schedules,
    session,
    teams,
    tokens,
    users,
    webhooks,
)
from weir_sdk.events import Event, Resuming

__all__ = ["AsyncClient", "Client"]


class Client(sync.Sender):
    """A server at `url`, asked as the holder of an API token (without one: as nobody).

    Lists are iterated over all their pages. What may be sent twice is sent up to `tries` times.
    All methods raise ClientError. Threads may share a client. Close it, or use it by `with`.
    """

    def watch_campaign(
        self, campaign: UUID | str, kinds: Sequence[str] | None = None, after: int | None = None
    ) -> Iterator[Event]:
        """What happens in a campaign as it happens, without end: first `open`, then events."""
        return self.watch(Resuming(path("campaigns", campaign, "events"), kinds, after, self.tries))

    def watch_team(
        self, team: str, kinds: Sequence[str] | None = None, after: int | None = None
    ) -> Iterator[Event]:
        """The same of all campaigns of a team, its schedules and webhooks."""
        return self.watch(Resuming(path("teams", team, "events"), kinds, after, self.tries))

    ways_in = sync.does(session.ways_in)
    sign_in = sync.does(session.sign_in)
    sign_out = sync.does(session.sign_out)
    show_me = sync.does(session.show_me)
    change_my_password = sync.does(session.change_my_password)
    list_teams = sync.lists(teams.list_teams)
    make_team = sync.does(teams.make_team)
    show_team = sync.does(teams.show_team)
    change_team = sync.does(teams.change_team)
    show_quota = sync.does(teams.show_quota)
    list_members = sync.lists(teams.list_members)
    add_member = sync.does(teams.add_member)
    change_member = sync.does(teams.change_member)
    remove_member = sync.does(teams.remove_member)
    list_users = sync.lists(users.list_users)
    make_user = sync.does(users.make_user)
    show_user = sync.does(users.show_user)
    change_user = sync.does(users.change_user)
    list_team_deeds = sync.lists(audit.list_team_deeds)
    list_deeds = sync.lists(audit.list_deeds)
    list_workers = sync.does(audit.list_workers)
    list_tokens = sync.lists(tokens.list_tokens)
    make_token = sync.does(tokens.make_token)
    revoke_token = sync.does(tokens.revoke_token)
    upload_file = sync.does(files.upload_file)
    list_files = sync.lists(files.list_files)
    list_shipped_campaigns = sync.does(library.list_shipped_campaigns)
    show_campaign_schema = sync.does(library.show_campaign_schema)
    list_choices = sync.does(library.list_choices)
    validate_campaign = sync.does(campaigns.validate_campaign)
    estimate_campaign = sync.does(campaigns.estimate_campaign)
    submit_campaign = sync.does(campaigns.submit_campaign)
    submit_with_files = sync.goes(flows.submit_with_files)
    list_campaigns = sync.lists(campaigns.list_campaigns)
    show_campaign = sync.does(campaigns.show_campaign)
    show_campaign_document = sync.does(campaigns.show_campaign_document)
    show_campaign_grid = sync.lists(campaigns.show_campaign_grid)
    show_campaign_progress = sync.does(campaigns.show_campaign_progress)
    wait_for_campaign = sync.goes(flows.wait_for_campaign)
    pause_campaign = sync.does(campaigns.pause_campaign)
    resume_campaign = sync.does(campaigns.resume_campaign)
    cancel_campaign = sync.does(campaigns.cancel_campaign)
    rerun_campaign = sync.does(campaigns.rerun_campaign)
    clone_campaign = sync.does(campaigns.clone_campaign)
    delete_campaign = sync.does(campaigns.delete_campaign)
    list_campaign_history = sync.lists(schedules.list_campaign_history)
    list_runs = sync.lists(runs.list_runs)
    show_run = sync.does(runs.show_run)
    show_run_metrics = sync.does(runs.show_run_metrics)
    show_run_series = sync.does(runs.show_run_series)
    show_run_log = sync.does(runs.show_run_log)
    list_artifacts = sync.does(runs.list_artifacts)
    fetch_artifact = sync.does(runs.fetch_artifact)
    fetch_artifacts = sync.does(runs.fetch_artifacts)
    download_run = sync.goes(flows.download_run)
    aggregate_metric = sync.does(results.aggregate_metric)
    contrast_cells = sync.does(results.contrast_cells)
    list_values = sync.does(results.list_values)
    fetch_table = sync.does(results.fetch_table)
    compare_campaigns = sync.does(results.compare_campaigns)
    compare_runs = sync.does(results.compare_runs)
    show_report = sync.does(results.show_report)
    show_report_page = sync.does(results.show_report_page)
    list_schedules = sync.lists(schedules.list_schedules)
    make_schedule = sync.does(schedules.make_schedule)
    preview_schedule = sync.does(schedules.preview_schedule)
    show_schedule = sync.does(schedules.show_schedule)
    change_schedule = sync.does(schedules.change_schedule)
    delete_schedule = sync.does(schedules.delete_schedule)
    run_schedule = sync.does(schedules.run_schedule)
    list_schedule_ticks = sync.lists(schedules.list_schedule_ticks)
    list_webhooks = sync.lists(webhooks.list_webhooks)
    make_webhook = sync.does(webhooks.make_webhook)
    show_webhook = sync.does(webhooks.show_webhook)
    change_webhook = sync.does(webhooks.change_webhook)
    change_webhook_secret = sync.does(webhooks.change_webhook_secret)
    delete_webhook = sync.does(webhooks.delete_webhook)
    try_webhook = sync.does(webhooks.try_webhook)
    list_deliveries = sync.lists(webhooks.list_deliveries)
    redeliver = sync.does(webhooks.redeliver)


class AsyncClient(aio.AsyncSender):
    """As Client: methods are awaited, lists and watches iterated by `async for`."""

    def watch_campaign(
        self, campaign: UUID | str, kinds: Sequence[str] | None = None, after: int | None = None
    ) -> AsyncIterator[Event]:
        """What happens in a campaign as it happens, without end: first `open`, then events."""
        return self.watch(Resuming(path("campaigns", campaign, "events"), kinds, after, self.tries))

    def watch_team(
        self, team: str, kinds: Sequence[str] | None = None, after: int | None = None
    ) -> AsyncIterator[Event]:
        """The same of all campaigns of a team, its schedules and webhooks."""
        return self.watch(Resuming(path("teams", team, "events"), kinds, after, self.tries))

    ways_in = aio.does(session.ways_in)
    sign_in = aio.does(session.sign_in)
    sign_out = aio.does(session.sign_out)
    show_me = aio.does(session.show_me)
    change_my_password = aio.does(session.change_my_password)
    list_teams = aio.lists(teams.list_teams)
    make_team = aio.does(teams.make_team)
    show_team = aio.does(teams.show_team)
    change_team = aio.does(teams.change_team)
    show_quota = aio.does(teams.show_quota)
    list_members = aio.lists(teams.list_members)
    add_member = aio.does(teams.add_member)
    change_member = aio.does(teams.change_member)
    remove_member = aio.does(teams.remove_member)
    list_users = aio.lists(users.list_users)
    make_user = aio.does(users.make_user)
    show_user = aio.does(users.show_user)
    change_user = aio.does(users.change_user)
    list_team_deeds = aio.lists(audit.list_team_deeds)
    list_deeds = aio.lists(audit.list_deeds)
    list_workers = aio.does(audit.list_workers)
    list_tokens = aio.lists(tokens.list_tokens)
    make_token = aio.does(tokens.make_token)
    revoke_token = aio.does(tokens.revoke_token)
    upload_file = aio.does(files.upload_file)
    list_files = aio.lists(files.list_files)
    list_shipped_campaigns = aio.does(library.list_shipped_campaigns)
    show_campaign_schema = aio.does(library.show_campaign_schema)
    list_choices = aio.does(library.list_choices)
    validate_campaign = aio.does(campaigns.validate_campaign)
    estimate_campaign = aio.does(campaigns.estimate_campaign)
    submit_campaign = aio.does(campaigns.submit_campaign)
    submit_with_files = aio.goes(flows.submit_with_files)
    list_campaigns = aio.lists(campaigns.list_campaigns)
    show_campaign = aio.does(campaigns.show_campaign)
    show_campaign_document = aio.does(campaigns.show_campaign_document)
    show_campaign_grid = aio.lists(campaigns.show_campaign_grid)
    show_campaign_progress = aio.does(campaigns.show_campaign_progress)
    wait_for_campaign = aio.goes(flows.wait_for_campaign)
    pause_campaign = aio.does(campaigns.pause_campaign)
    resume_campaign = aio.does(campaigns.resume_campaign)
    cancel_campaign = aio.does(campaigns.cancel_campaign)
    rerun_campaign = aio.does(campaigns.rerun_campaign)
    clone_campaign = aio.does(campaigns.clone_campaign)
    delete_campaign = aio.does(campaigns.delete_campaign)
    list_campaign_history = aio.lists(schedules.list_campaign_history)
    list_runs = aio.lists(runs.list_runs)
    show_run = aio.does(runs.show_run)
    show_run_metrics = aio.does(runs.show_run_metrics)
    show_run_series = aio.does(runs.show_run_series)
    show_run_log = aio.does(runs.show_run_log)
    list_artifacts = aio.does(runs.list_artifacts)
    fetch_artifact = aio.does(runs.fetch_artifact)
    fetch_artifacts = aio.does(runs.fetch_artifacts)
    download_run = aio.goes(flows.download_run)
    aggregate_metric = aio.does(results.aggregate_metric)
    contrast_cells = aio.does(results.contrast_cells)
    list_values = aio.does(results.list_values)
    fetch_table = aio.does(results.fetch_table)
    compare_campaigns = aio.does(results.compare_campaigns)
    compare_runs = aio.does(results.compare_runs)
    show_report = aio.does(results.show_report)
    show_report_page = aio.does(results.show_report_page)
    list_schedules = aio.lists(schedules.list_schedules)
    make_schedule = aio.does(schedules.make_schedule)
    preview_schedule = aio.does(schedules.preview_schedule)
    show_schedule = aio.does(schedules.show_schedule)
    change_schedule = aio.does(schedules.change_schedule)
    delete_schedule = aio.does(schedules.delete_schedule)
    run_schedule = aio.does(schedules.run_schedule)
    list_schedule_ticks = aio.lists(schedules.list_schedule_ticks)
    list_webhooks = aio.lists(webhooks.list_webhooks)
    make_webhook = aio.does(webhooks.make_webhook)
    show_webhook = aio.does(webhooks.show_webhook)
    change_webhook = aio.does(webhooks.change_webhook)
    change_webhook_secret = aio.does(webhooks.change_webhook_secret)
    delete_webhook = aio.does(webhooks.delete_webhook)
    try_webhook = aio.does(webhooks.try_webhook)
    list_deliveries = aio.lists(webhooks.list_deliveries)
    redeliver = aio.does(webhooks.redeliver)
