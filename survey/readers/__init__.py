"""Readers of survey files as platforms and companies give them."""
