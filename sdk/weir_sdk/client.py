"""The clients: one method per operation of the API, named as in its OpenAPI document."""

from __future__ import annotations

from weir_sdk import procedures
from weir_sdk.aio import AsyncSender
from weir_sdk.calls import (
    alarms,
    audit,
    badges,
    bisections,
    campaigns,
    cards,
    events,
    files,
    library,
    results,
    runs,
    schedules,
    session,
    teams,
    tokens,
    trends,
    users,
    webhooks,
)
from weir_sdk.operations import does, goes, lists, watches
from weir_sdk.sync import Sender

__all__ = ["AsyncClient", "Client"]


class _Operations:
    """What can be asked of a server, told once for both clients."""

    ways_in = does(session.ways_in)
    sign_in = does(session.sign_in)
    sign_out = does(session.sign_out)
    show_me = does(session.show_me)
    change_my_password = does(session.change_my_password)
    list_teams = lists(teams.list_teams)
    make_team = does(teams.make_team)
    show_team = does(teams.show_team)
    change_team = does(teams.change_team)
    show_quota = does(teams.show_quota)
    list_members = lists(teams.list_members)
    add_member = does(teams.add_member)
    change_member = does(teams.change_member)
    remove_member = does(teams.remove_member)
    list_users = lists(users.list_users)
    make_user = does(users.make_user)
    show_user = does(users.show_user)
    change_user = does(users.change_user)
    list_team_audit = lists(audit.list_team_audit)
    list_audit = lists(audit.list_audit)
    list_workers = does(audit.list_workers)
    list_tokens = lists(tokens.list_tokens)
    make_token = does(tokens.make_token)
    revoke_token = does(tokens.revoke_token)
    upload_file = does(files.upload_file)
    list_files = lists(files.list_files)
    list_shipped_campaigns = does(library.list_shipped_campaigns)
    show_campaign_schema = does(library.show_campaign_schema)
    list_choices = does(library.list_choices)
    validate_campaign = does(campaigns.validate_campaign)
    estimate_campaign = does(campaigns.estimate_campaign)
    submit_campaign = does(campaigns.submit_campaign)
    submit_with_files = goes(procedures.submit_with_files)
    run_schedule_with_files = goes(procedures.run_schedule_with_files)
    list_campaigns = lists(campaigns.list_campaigns)
    list_tags = lists(campaigns.list_tags)
    show_campaign = does(campaigns.show_campaign)
    change_campaign = does(campaigns.change_campaign)
    show_campaign_document = does(campaigns.show_campaign_document)
    show_campaign_grid = lists(campaigns.show_campaign_grid)
    show_campaign_progress = does(campaigns.show_campaign_progress)
    wait_for_campaign = goes(procedures.wait_for_campaign)
    pause_campaign = does(campaigns.pause_campaign)
    resume_campaign = does(campaigns.resume_campaign)
    cancel_campaign = does(campaigns.cancel_campaign)
    rerun_campaign = does(campaigns.rerun_campaign)
    clone_campaign = does(campaigns.clone_campaign)
    delete_campaign = does(campaigns.delete_campaign)
    list_campaign_history = lists(schedules.list_campaign_history)
    list_runs = lists(runs.list_runs)
    ask_what_if = does(runs.ask_what_if)
    show_run = does(runs.show_run)
    show_run_metrics = does(runs.show_run_metrics)
    show_run_series = does(runs.show_run_series)
    show_run_log = does(runs.show_run_log)
    list_artifacts = does(runs.list_artifacts)
    fetch_artifact = does(runs.fetch_artifact)
    fetch_artifacts = does(runs.fetch_artifacts)
    download_run = goes(procedures.download_run)
    aggregate_metric = does(results.aggregate_metric)
    list_effects = does(results.list_effects)
    score_levels = does(results.score_levels)
    show_answer = does(results.show_answer)
    show_search = does(results.show_search)
    contrast_groups = does(results.contrast_groups)
    list_values = does(results.list_values)
    fetch_table = does(results.fetch_table)
    compare_campaigns = does(results.compare_campaigns)
    compare_runs = does(results.compare_runs)
    find_parting = does(results.find_parting)
    judge_campaign = does(results.judge_campaign)
    show_report = does(results.show_report)
    show_report_page = does(results.show_report_page)
    list_schedules = lists(schedules.list_schedules)
    make_schedule = does(schedules.make_schedule)
    preview_schedule = does(schedules.preview_schedule)
    show_schedule = does(schedules.show_schedule)
    change_schedule = does(schedules.change_schedule)
    delete_schedule = does(schedules.delete_schedule)
    run_schedule = does(schedules.run_schedule)
    list_schedule_ticks = lists(schedules.list_schedule_ticks)
    show_board = does(trends.show_board)
    list_changes = lists(trends.list_changes)
    show_trend = does(trends.show_trend)
    list_pairs = does(trends.list_pairs)
    make_badge = does(badges.make_badge)
    delete_badge = does(badges.delete_badge)
    list_cards = lists(cards.list_cards)
    make_card = does(cards.make_card)
    show_card = does(cards.show_card)
    show_card_picture = does(cards.show_card_picture)
    show_card_page = does(cards.show_card_page)
    change_card = does(cards.change_card)
    delete_card = does(cards.delete_card)
    share_card = does(cards.share_card)
    unshare_card = does(cards.unshare_card)
    estimate_reproduction = does(cards.estimate_reproduction)
    reproduce_card = does(cards.reproduce_card)
    list_reproductions = lists(cards.list_reproductions)
    begin_bisection = does(bisections.begin_bisection)
    list_bisections = lists(bisections.list_bisections)
    show_bisection = does(bisections.show_bisection)
    list_alarms = lists(alarms.list_alarms)
    change_alarm = does(alarms.change_alarm)
    list_webhooks = lists(webhooks.list_webhooks)
    make_webhook = does(webhooks.make_webhook)
    show_webhook = does(webhooks.show_webhook)
    change_webhook = does(webhooks.change_webhook)
    change_webhook_secret = does(webhooks.change_webhook_secret)
    delete_webhook = does(webhooks.delete_webhook)
    try_webhook = does(webhooks.try_webhook)
    list_deliveries = lists(webhooks.list_deliveries)
    redeliver = does(webhooks.redeliver)
    watch_campaign = watches(events.watch_campaign)
    watch_team = watches(events.watch_team)


class Client(_Operations, Sender):
    """A server at `url`, asked as the holder of an API token (without one: as nobody).

    Lists are iterated over all their pages. What may be sent twice is sent up to `tries` times.
    All methods raise ClientError. Threads may share a client. Close it, or use it by `with`.
    """


class AsyncClient(_Operations, AsyncSender):
    """As Client: methods are awaited, lists and watches iterated by `async for`."""
