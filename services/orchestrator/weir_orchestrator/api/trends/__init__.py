"""How the results of a schedule's campaigns go, night by night."""
