"""What there is to choose from: shipped campaigns, the schema, names."""
