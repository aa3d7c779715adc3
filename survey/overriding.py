"""Overrides: a person keeps or drops templates, whatever the survey says."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from curation.bank.status import Status
from curation.files.ledger import DECISIONS, now
from curation.files.lock import writing
from curation.files.workspace import Workspace
from curation.records.errors import CurateError
from curation.records.frames import frame
from curation.records.survey import (
    Additions,
    Decision,
    Outcome,
    Rule,
    Stage,
    additions,
    set_aside,
)
from curation.records.wording import given_name
from survey.bank import TALLIES, FinalBank, final_bank, finalize
from survey.explaining import unknown_subject
from survey.tallies import read_tallies

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Overridden:
    """The status of a template before and after the override."""

    template_id: str
    before: Status
    before_reason: str
    after: Status


@dataclass(frozen=True, slots=True)
class Override:
    """What an override did.

    Attributes:
        templates: The templates, by their ids of now.
        added: What the ledger gains.
    """

    templates: tuple[Overridden, ...]
    added: Additions

    def to_frame(self) -> "pd.DataFrame":
        """The templates: a column a field of `Overridden`, all of dtype `object`."""
        return frame(self.templates, Overridden)


@dataclass(frozen=True, slots=True)
class Overriding:
    """A person's decision on one template.

    Attributes:
        template: Its id, also one that it had before.
        keep: Whether it is kept; else it is dropped.
        reason: The reason, for later readers.
    """

    template: str
    keep: bool
    reason: str


def override(
    workspace: Workspace,
    templates: Sequence[str],
    *,
    keep: bool,
    reason: str,
    by: str,
    dry_run: bool = False,
) -> Override:
    """Keep or drop templates by a person's decision, which overrides those of the survey.

    Args:
        workspace: The workspace.
        templates: Their ids, also those that they had before.
        keep: Whether they are kept; else they are dropped.
        reason: The reason, for later readers.
        by: The person who takes responsibility; the ledger names them.
        dry_run: Whether to write nothing.

    Raises:
        CurateError: If reason or name is empty, a template is not there or removed by its label,
            or the ledger cannot be written.
    """
    decided = [Overriding(name, keep, reason) for name in templates]
    return override_each(workspace, decided, by=by, dry_run=dry_run)


def override_each(
    workspace: Workspace, decided: Sequence[Overriding], *, by: str, dry_run: bool = False
) -> Override:
    """Keep some templates and drop others, each for a reason of its own; all of them or none.

    Args:
        workspace: The workspace.
        decided: What is decided on each template.
        by: The person who takes responsibility; the ledger names them.
        dry_run: Whether to write nothing.

    Raises:
        CurateError: If a reason or the name is empty, a template is named with two decisions, is
            not there or removed by its label, or the ledger cannot be written.
    """
    who = given_name(by, "--by")
    whole = [replace(item, reason=" ".join(item.reason.split())) for item in decided]
    if not who or not all(item.reason for item in whole):
        raise CurateError(
            f"{'the reason' if who else 'the name of the person who decides'} is empty"
        )
    with writing(workspace, "curate override", dry_run=dry_run):
        done = _override(workspace, whole, who)
        if not dry_run:
            DECISIONS.append(workspace.ledger_file, done.added.decisions)
    return done


def _override(workspace: Workspace, decided: Sequence[Overriding], who: str) -> Override:
    before = final_bank(workspace)
    found: dict[str, Overriding] = {}
    for item in decided:
        (subject,) = _subjects(workspace, before, [item.template])
        known = found.setdefault(subject, item)
        if (known.keep, known.reason) != (item.keep, item.reason):
            raise CurateError(
                f"{subject} is decided twice, and differently", subject, "name it once"
            )
    subjects = list(found)
    decisions = [
        Decision(
            name,
            Stage.MANUAL,
            Rule.OVERRIDE,
            Outcome.KEEP if item.keep else Outcome.DROP,
            item.reason,
        )
        for name, item in found.items()
    ]
    added = additions(workspace.renamed_decisions, decisions, who, now())
    tallies = read_tallies(workspace.responses_folder / TALLIES, workspace.book)
    ledger = [*workspace.decisions, *added.decisions]
    after = finalize(workspace, tallies, ledger, workspace.targets)
    first = {str(item.template.id): item for item in before.outcomes}
    then = {str(item.template.id): item for item in after.outcomes}
    turned = (
        Overridden(name, first[name].status, first[name].reason, then[name].status)
        for name in subjects
    )
    return Override(tuple(turned), added)


def _subjects(workspace: Workspace, final: FinalBank, asked: Sequence[str]) -> list[str]:
    """The ids of templates of the bank, each once, by former ids too.

    Raises:
        CurateError: If one is not there, a label has removed it, or it is set aside.
    """
    standing = {str(item.template.id): item for item in final.outcomes}
    aside = set_aside(workspace.renamed_decisions)
    found: dict[str, None] = {}
    for name in asked:
        subject = workspace.renamed.get(name, name)
        item = standing.get(subject)
        if item is None and (template := _template_of(subject, standing)):
            raise CurateError(
                f"'{name}' is a part of {template}; only whole templates are overridden",
                name,
                f"name the template: {template}",
            )
        if item is None:
            raise unknown_subject(final, workspace, name)
        if item.status is Status.REMOVED:
            raise CurateError(
                f"{subject} is labelled SR, which no override can change",
                workspace.shown(workspace.bank_file),
                "give it another label: curate classify resolve --template "
                f"{subject} --label ST --by NAME --why TEXT",
            )
        if subject in aside:
            raise CurateError(
                f"{subject} is set aside, which no override can change",
                workspace.shown(workspace.ledger_file),
                f"bring it back first: curate templates {subject} --restore --by NAME --reason "
                "TEXT",
            )
        found[subject] = None
    return list(found)


def _template_of(subject: str, known: Collection[str]) -> str:
    """The template that a variant or a sample is of; empty where it is of none."""
    match = re.match(r".+?-\d{3}(?=[a-d])", subject)
    return match[0] if match and match[0] in known else ""
