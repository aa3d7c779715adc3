"""Checks of bank, groups and settings: a module a subject, a function a rule.

A rule is a function from a `Subject` to remarks, under the decorator `rule`. `rules.yaml` says by
its name, with hyphens, how severe it is, what it finds and what to do about it; its docstring says
why there is the rule. `curation.checks.workspace` has the rules of all modules and runs them.

To add a rule: write its function in the module of its subject, its texts in `rules.yaml`, and a
test that makes it speak.

A bank may be in work. Texts in the culture's language are empty until they are translated,
and a template without label is not yet classified: neither is a defect.
"""
