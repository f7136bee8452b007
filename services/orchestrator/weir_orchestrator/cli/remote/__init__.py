"""Subcommands that speak to a server, through the Python client."""
