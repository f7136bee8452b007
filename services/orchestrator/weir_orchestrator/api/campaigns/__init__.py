"""Campaigns: submitted, watched, steered."""
