"""People against models: a model is asked the survey's own questions."""
