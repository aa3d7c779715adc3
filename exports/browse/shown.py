"""What a page shows: the benchmark, and what people and models said of it."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from curation.bank.planning import TemplatePlan
from curation.files.annotations import CLASSIFY_TABLE, AnnotationsFolder
from curation.files.workspace import Workspace
from curation.records.annotation import Annotation
from curation.records.bank import Template, TemplateId
from curation.records.messages import Progress, silent
from exports.edition import Edition
from survey.bank import FinalBank
from survey.outcomes import TemplateOutcome

if TYPE_CHECKING:
    from evaluation.qa.scoring import ScoreInputs


@dataclass(frozen=True)
class Shown:
    """What a page shows.

    Attributes:
        edition: The benchmark as it is now.
        annotations: What annotators said of templates, under the names that the page shows.
        answered: What models replied, and to what; None where no model was asked.
        progress: Called with the progress.
        released: Whether it is published with the benchmark.
    """

    edition: Edition
    annotations: Sequence[Annotation] = ()
    answered: "ScoreInputs | None" = None
    progress: Progress = field(default=silent, repr=False, compare=False)
    released: bool = False

    @property
    def workspace(self) -> Workspace:
        """The workspace."""
        return self.edition.workspace

    @property
    def final(self) -> FinalBank:
        """The status of every template."""
        return self.edition.final

    @property
    def outcomes(self) -> tuple[TemplateOutcome, ...]:
        """Every template of the bank, in the order of the page's rows."""
        return self.final.outcomes

    @cached_property
    def plans(self) -> Mapping[str, TemplatePlan]:
        """By template what samples are taken of it; those that give none are not among them."""
        return {str(item.template.id): item for item in self.edition.plan().templates}

    @cached_property
    def faults(self) -> Mapping[str, str]:
        """By template why it cannot be filled, though it is in."""
        rows = {v.row: str(v.template_id) for v in self.workspace.bank.variants}
        return {rows[item.row]: item.message for item in self.edition.faults() if item.row in rows}

    @cached_property
    def understood(self) -> Mapping[str, Sequence[str]]:
        """By template the questions of comprehension that were asked about it."""
        found: dict[str, list[str]] = {}
        for tally in self.final.tallies:
            if tally.question.template_id:
                found.setdefault(tally.question.template_id, []).append(tally.question.id)
        return found

    @cached_property
    def _now(self) -> Mapping[TemplateId, Template]:
        return {template.id: template for template in self.final.every}

    def now(self, item: TemplateOutcome) -> Template:
        """A template with the surveyed groups put in."""
        return self._now[item.template.id]

    @cached_property
    def annotated(self) -> Mapping[str, Sequence[Annotation]]:
        """By template, under the id that it has now, what annotators said of it."""
        renamed = self.workspace.renamed
        found: dict[str, list[Annotation]] = {}
        for item in self.annotations:
            name = renamed.get(item.template_id, item.template_id)
            found.setdefault(name, []).append(item)
        return found


def said_by_annotators(workspace: Workspace) -> list[Annotation]:
    """What annotators said of templates; nothing where nobody was asked.

    Raises:
        CurateError: If their file cannot be read.
    """
    return CLASSIFY_TABLE.read(AnnotationsFolder(workspace.root).classify)


def fingerprint(workspace: Workspace) -> str:
    """Name a workspace, so that comments written on one state of it belong to the next one too.

    It is made of the canary, which is never changed and stands in no other workspace. Where the
    settings have none it is made of the culture's name, its languages and the release's name.

    Returns:
        Sixteen hexadecimal digits.

    Raises:
        CurateError: If the settings cannot be read.
    """
    culture = workspace.culture
    release = culture.release
    named = (
        ["canary", release.canary]
        if release.canary
        else ["culture", culture.culture, culture.source_language, culture.language, release.name]
    )
    return hashlib.sha256(json.dumps(named, ensure_ascii=False).encode()).hexdigest()[:16]
