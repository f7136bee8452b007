"""Campaigns carried out on one machine, and reported on: no database, no server."""
