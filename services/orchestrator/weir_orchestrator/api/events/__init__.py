"""What happens, as it happens (server-sent events), and what has happened."""
