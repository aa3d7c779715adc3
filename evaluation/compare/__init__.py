"""Whether scores differ by more than chance: groups, models, benchmarks, sets.

The values that are tested are scores of single units, each over all that was asked of it:
templates by default, or prompts.
"""
