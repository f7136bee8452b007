"""Files that campaigns refer to, uploaded by their SHA-256."""
