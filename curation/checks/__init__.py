"""Checks of bank, groups and settings: one rule a file, each yields findings.

A rule is a class with the attributes of `curation.checks.base.Check`: a stable id, its
severity, one line on what it finds, what to do about it, and a method that yields the
findings of a `Subject`. `curation.checks.catalogue` lists all rules and runs them.

To add a rule: write its file, name its class in the catalogue, and add a test file named
after its id.

A bank may be in work. Texts in the culture's language are empty until they are translated,
and a template without label is not yet classified: neither is a defect.
"""
