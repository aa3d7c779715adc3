"""Suggested labels: by rules over the groups of a culture or by a model; never labels themselves.

Who is shown them is drawn and recorded, so that their influence can be measured.
"""
