"""Looking for the commit that made a schedule's night worse."""
