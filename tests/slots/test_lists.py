"""All lists that a variant declares."""
