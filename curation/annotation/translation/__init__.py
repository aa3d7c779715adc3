"""Translate the texts of a bank, and write the translations back.

`units` lists the distinct texts of each template, `machine` chooses between the replies of an
engine, `run` asks it and puts them beside the translator's text; `sheet` and `collect` go to
translators and back, `tasks` and `pulled` do so through a server, and `returned` verifies their
texts and puts them into the bank.
"""
