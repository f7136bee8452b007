"""Alarms of schedules: what became worse, and what people made of it."""
