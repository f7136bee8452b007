"""Signing in, and telling who asks."""
