"""Views that a team keeps: named, with text, numbers and what they were made of."""
