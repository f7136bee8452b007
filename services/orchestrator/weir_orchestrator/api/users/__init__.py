"""Users: people who sign in."""
