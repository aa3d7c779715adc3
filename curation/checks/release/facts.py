"""What the rules of a release look at, gathered by the command."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from curation.checks.base import CULTURE_FILE, Check, Subject
from curation.model.bank import Template
from curation.model.errors import CurateError
from curation.model.findings import Finding
from curation.model.licences import Licence
from curation.model.released import Release, SampleDigest


@dataclass(frozen=True, slots=True)
class Undecided:
    """A template that the survey has not decided.

    Attributes:
        template_id: Which one.
        row: Its row in the bank.
        reason: Why it is undecided.
        hint: What may be done.
    """

    template_id: str
    row: int | None
    reason: str
    hint: str


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A text that the package would hold, beside those of the templates themselves."""

    file: str
    row: int | None
    column: str
    text: str


@dataclass(frozen=True)
class ReleaseFacts:
    """What is known of a benchmark that is to be released.

    Attributes:
        undecided: Templates that the survey has not decided.
        left: Ids of the templates that are left.
        waiting: Ids of those of them that give no samples.
        surveyed: Ids of those whose target groups a survey found or confirmed.
        sources: By name of a source, its terms; sources without a record are not there.
        outgoing: Texts beside those of the templates.
        annotators: Names of who annotated and translated.
        respondents: Ids of the respondents.
        has_survey: Whether answers of a survey were counted.
        problems: Why something of what is left cannot be worked out.
        digest: What identifies the samples; None where they cannot be made.
        releases: The releases that were made before.
        canary_before: The canary of the last of them, as far as it was kept.
    """

    undecided: tuple[Undecided, ...] = ()
    left: frozenset[str] = frozenset()
    waiting: tuple[str, ...] = ()
    surveyed: frozenset[str] = frozenset()
    sources: Mapping[str, Licence] | None = None
    outgoing: tuple[Outgoing, ...] = ()
    annotators: frozenset[str] = frozenset()
    respondents: frozenset[str] = frozenset()
    has_survey: bool = False
    problems: tuple[CurateError, ...] = ()
    digest: SampleDigest | None = None
    releases: tuple[Release, ...] = ()
    canary_before: str = ""


def templates_left(subject: Subject, facts: ReleaseFacts) -> Iterator[Template]:
    """Yield the templates of the bank that are left."""
    return (template for template in subject.templates if str(template.id) in facts.left)


def sources_used(subject: Subject, facts: ReleaseFacts) -> dict[str, Template]:
    """Give the sources whose texts are in what is left, each with its first template."""
    found: dict[str, Template] = {}
    for template in templates_left(subject, facts):
        for variant in template.variants:
            if variant.source.strip():
                found.setdefault(variant.source.strip(), template)
    return found


def of_settings(check: Check, key: str, message: str, hint: str = "") -> Finding:
    """Make a finding on a key of the settings."""
    return Finding(check.rule, check.severity, CULTURE_FILE, None, key, message, hint or check.hint)
