"""Subcommands that run a server and its parts; they need the extra `server`."""
