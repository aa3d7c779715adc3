"""What only a release has to obey: one rule a file."""
