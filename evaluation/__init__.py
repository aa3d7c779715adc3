"""Models on the benchmark: asked, read, scored, compared."""
