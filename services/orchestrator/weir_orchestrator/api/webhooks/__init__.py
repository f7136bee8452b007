"""Webhooks: where a team wants to be told of what happens."""
