"""Whether the platform is well, who works for it, and its numbers for Prometheus."""
