"""From BBQ's templates to a surveyed, documented benchmark of another culture."""

__version__ = "0.1.0"
