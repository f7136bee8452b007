"""API tokens: for programs, of one team each."""
