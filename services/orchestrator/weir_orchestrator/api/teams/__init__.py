"""Teams: who owns campaigns; quotas; members."""
