"""Schedules: campaigns that are submitted again and again."""
