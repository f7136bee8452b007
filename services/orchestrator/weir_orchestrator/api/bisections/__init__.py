"""Looking for the commit that moved a schedule's night."""
