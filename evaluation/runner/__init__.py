"""Requests to models: asked by a backend, many at once, each reply kept as it arrives."""
