"""Experiments drawn from the whole of what can be asked, and what holds whatever was drawn."""
