"""Reports: tables and figures over a campaign."""
