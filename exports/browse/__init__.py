"""A page to look at a benchmark: templates, decisions, samples, votes and replies, in a folder."""
