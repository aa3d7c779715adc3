"""Stories (BBG, Jin et al. 2025): built, continued, read, scored, held against QA."""
