"""From BBQ's templates to a surveyed, documented benchmark of another culture."""

__version__ = "0.1.0"
DATA_FORMAT = 1
"""Version of the files that are exported: it rises when a column changes its name or meaning."""
