"""What a rule is: what it finds, said in `rules.yaml`, and the function that looks for it."""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from curation.checks.subject import Remark, Subject
from curation.records.findings import Finding, Severity
from curation.records.settings_errors import load_yaml
from curation.report.texts import resource

Look = Callable[[Subject], Iterator[Remark]]
"""A function that yields what there is to say of a subject."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A kind of finding.

    Attributes:
        id: Stable id, words joined by hyphens.
        severity: Weight of its findings.
        title: What it finds, one line.
        hint: What to do about it, one line.
        look: The function; its docstring says why there is the rule. None for what is said of
            files while they are read, and of templates when they are filled.
    """

    id: str
    severity: Severity
    title: str
    hint: str
    look: Look | None = None

    @property
    def why(self) -> str:
        """Why there is the rule; empty where no function looks for it."""
        return (inspect.getdoc(self.look) or "") if self.look else ""

    def findings(self, subject: Subject) -> Iterator[Finding]:
        """Yield what the rule finds."""
        for item in self.look(subject) if self.look else ():
            place = item.file, item.row, item.column
            yield Finding(self.id, self.severity, *place, item.message, item.hint or self.hint)


SECTIONS = {
    section: {
        name: Rule(name, Severity(said["severity"]), said["title"], said["hint"])
        for name, said in rules.items()
    }
    for section, rules in load_yaml(resource(__package__, "rules.yaml")).items()
}
"""By section of `rules.yaml` and id what is said of each rule."""


def rule(look: Look) -> Rule:
    """Make a function the rule of its name; those of a release have its name before theirs."""
    name = look.__name__.replace("_", "-")
    said = SECTIONS["workspace"].get(name) or SECTIONS["release"][f"release-{name}"]
    return replace(said, look=look)
