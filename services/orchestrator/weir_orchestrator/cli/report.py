def report() -> None:
    """Print."""
