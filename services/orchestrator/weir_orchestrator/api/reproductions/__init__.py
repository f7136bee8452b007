"""Carrying a card's runs out again, and certifying their bytes."""
