"""Readers of survey files as platforms and companies give them."""

from survey.readers.received import Received, read_survey

__all__ = ["Received", "read_survey"]
