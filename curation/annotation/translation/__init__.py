"""Translate the texts of a bank, and write the translations back.

`units` lists the distinct texts of each template, `run` asks an engine and puts the replies that it
chooses beside the translator's text. `sheet` goes to translators, and
`tasks` does so through a server. `collect` verifies what they return, and `merge` puts it into
`translations.csv` and the bank.
"""
