"""Subcommands that carry campaigns out and report on them on this machine, without a server."""
