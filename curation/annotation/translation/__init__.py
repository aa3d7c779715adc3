"""Translate the texts of a bank, and write the translations back.

`units` lists the distinct texts of each template, `machine` chooses between the replies of an
engine, `run` asks it and puts them beside the translator's text. `sheet` goes to translators, and
`tasks` does so through a server. `collect` verifies what they return, and `merge` puts it into
`table` and the bank.
"""
