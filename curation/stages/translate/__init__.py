"""What of a bank is to be translated, and what becomes of the translations.

`units` lists the distinct texts of each template, `settle` chooses between the replies of an
engine, `apply` puts machine text beside the person's, `sheet` and `collect` go to the translator
and back, `choose` finds which of several translators' texts holds, `progress` counts.
"""
