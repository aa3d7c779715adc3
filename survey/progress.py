"""The step of every template, and open tasks by person."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curation.annotation.labels import settled
from curation.annotation.labelstudio.store import work_of
from curation.annotation.suggested import usable_suggestions
from curation.annotation.translation.units import Review, reviewed_texts
from curation.bank.status import (
    Status,
    TemplateStep,
    Verdict,
    count_steps,
    where_it_stands,
)
from curation.files.manifest import MANIFEST, of_part, read_manifest
from curation.files.tables import read_table, sha256
from curation.files.workbooks.opening import Glance, glance_at
from curation.files.workspace import Workspace
from curation.records.bank import Template
from curation.records.messages import CurateError, Finding, Severity, frame, warning
from curation.records.survey import Question, Stage
from curation.slots.grammar import is_open
from survey.bank import FILTERED, FinalBank, changed_inputs, final_bank, unasked_comprehension
from survey.open_work import OWED_FIELDS, Owed, People, owe
from survey.outcomes import Questions, renaming_of
from survey.questionnaire import read_questionnaire

if TYPE_CHECKING:
    import pandas as pd

_EMPTY = "the bank holds no template yet"
_RELEASES = "releases.csv"


@dataclass(frozen=True, slots=True)
class Progress:
    """The step of every template, and open tasks.

    Attributes:
        counts: By category, and in total, as `count_steps` gives them.
        steps: Where each template stands.
        owed: Who owes what, in the order of the work; as `owe` gives it.
        findings: What could not be looked at.
        exported: Whether all samples were exported from the files as they are now.
        server: How far everybody is in the projects of Label Studio, as the last pulls saw it.
        released: Whether the version that the settings name was released, and no file that its
            package was made from has changed since.
        suggestions: How many templates have a suggested label that was made of them as they are.
        stale_suggestions: The templates without a consensus that changed since theirs was made.
    """

    counts: tuple[Mapping[str, Any], ...]
    steps: tuple[TemplateStep, ...]
    owed: tuple[Owed, ...]
    findings: tuple[Finding, ...]
    exported: bool = False
    released: bool = False
    server: tuple[Mapping[str, Any], ...] = ()
    suggestions: int = 0
    stale_suggestions: tuple[str, ...] = ()

    def to_frame(self) -> "pd.DataFrame":
        """The step of each template: the fields of `TemplateStep` as columns of dtype `object`."""
        return frame(self.steps, TemplateStep)

    @property
    def next_commands(self) -> list[str]:
        """The commands that are suggested, each once."""
        found = dict.fromkeys(it["do"] for it in self.owed if it["do"].startswith("curate "))
        if not found and not self.owed and any(row.step is Status.KEPT for row in self.steps):
            if self.released:
                return []
            first = [] if self.exported else ["curate export samples --set all,test"]
            return [*first, "curate check --release", "curate export package"]
        return list(found)


def status(workspace: Workspace, named: Collection[str] = ()) -> Progress:
    """Give the step of every template, open tasks by person, and the next command.

    Args:
        workspace: The workspace.
        named: Only these templates or categories, and what is owed of them; all by default.

    Raises:
        CurateError: If a file of the workspace cannot be read.
    """
    final = final_bank(workspace)
    decided = _verdicts(final)
    templates = [item.template for item in final.outcomes]
    unconfirmed = reviewed_texts(workspace)[Review.UNCONFIRMED]
    only = workspace.chosen(named)
    steps = [
        where_it_stands(item, decided.get(str(item.id)), unconfirmed.get(str(item.id), 0))
        for item in templates
        if str(item.id) in only
    ]
    sheets, findings = _sheets(workspace)
    people = People(workspace, templates, steps, sheets, {*unconfirmed}, only)
    empty = [] if templates else [_owed("import", 0, _EMPTY, (), "curate import bbq FILE...")]
    suggested, changed = usable_suggestions(workspace)
    done = settled(workspace.renamed_decisions)
    labelled = {str(item.id) for item in templates if item.label}
    owed = (*empty, *people.owed(), *_of_survey(workspace, final, people))
    if named:
        owed = tuple(_owed_of(owed, only))
    samples = workspace.exports_folder / "samples"
    of_chosen = tuple(of_part(samples, workspace.shown(samples)))
    return Progress(
        counts=tuple(count_steps(steps)),
        steps=tuple(steps),
        # What has a label already waits for nobody else's.
        owed=tuple(
            sorted(owed, key=lambda it: it["what"] == "label" and labelled.issuperset(it["items"]))
        ),
        findings=(
            *findings,
            *_without_manifest(workspace),
            *unasked_comprehension(workspace, final),
            *of_chosen,
        ),
        exported=not of_chosen and _is_as_exported(workspace, samples) is True,
        released=_is_released(workspace),
        server=tuple(work_of(workspace)),
        suggestions=len(suggested),
        stale_suggestions=tuple(name for name in changed if name not in done),
    )


def _owed_of(owed: Iterable[Owed], only: Collection[str]) -> Iterator[Owed]:
    """What is owed of some templates; what is not counted by templates is left out."""
    for item in owed:
        if item["what"] == "texts":  # they are counted by templates already
            yield item
            continue
        *_, text = item["text"].split(" ", 2)
        items = [one for one in item["items"] if one in only]
        yield from owe(item["what"], item["who"], items, text, item["do"], item["link"])


def _is_released(workspace: Workspace) -> bool:
    """Whether the version was released; a package that was made elsewhere cannot be compared."""
    path = workspace.root / _RELEASES
    if not path.exists():
        return False
    versions = [row["version"] for row in read_table(path, required=["version"]).rows]
    kept = _is_as_exported(workspace, workspace.exports_folder / "package")
    return workspace.culture.version in versions and kept is not False


def _is_as_exported(workspace: Workspace, folder: Path) -> bool | None:
    """Whether the files that a folder was made from are as they were; None without a folder."""
    if not (folder / MANIFEST).exists():
        return None
    return all(
        sha256(path) == record.sha256
        for name, record in read_manifest(folder).inputs.items()
        if (path := workspace.root / name).is_file()
    )


def _sheets(workspace: Workspace) -> tuple[list[Glance], list[Finding]]:
    """Look at the workbooks that were handed out; one that cannot be opened is said."""
    sheets: list[Glance] = []
    findings = []
    for found in glance_at(workspace.annotations.sheets):
        if isinstance(found, CurateError):
            findings.append(warning("status-sheet", found.where, found.what, found.hint))
        else:
            sheets.append(found)
    return sheets, findings


def _verdicts(final: FinalBank) -> dict[str, Verdict]:
    """What the decisions make of each template; before a survey undecided means nothing."""
    waiting = {template.id for template in final.open}
    return {
        str(item.template.id): (item.status, item.reason, item.template.id not in waiting)
        for item in final.outcomes
        if item.status is not Status.UNDECIDED or final.tallies
    }


def _of_survey(workspace: Workspace, final: FinalBank, people: People) -> Iterator[Owed]:
    """Yield what is owed for the survey, in the order of the work."""
    templates = {str(item.template.id): item.template for item in final.outcomes}
    reviewed = [row.template_id for row in people.at(Status.REVIEWED)]
    translated = [row.template_id for row in people.at(Status.TRANSLATED)]
    lacking = [name for name in (*translated, *reviewed) if _lacks_groups(templates[name])]
    text = "whose groups are written in the source language alone"
    yield from owe("groups", "", lacking, text, "curate groups sheet")
    asked = _questions_asked(workspace)
    book = Questions(asked, workspace.book)
    ready = [name for name in reviewed if book.match(templates[name])[0] is None]
    counts, do = workspace.published_counts_file, "curate survey build"
    if not asked and counts.exists():
        do = f"curate filter --survey {workspace.shown(counts)}"
    text = "ready for the survey that no question asks about"
    yield from owe("questionnaire", "", ready, text, do)
    answers = workspace.responses_folder / "responses.csv"
    filter_again = "curate filter --survey FILE, or first with --draft"
    if answers.exists():
        filter_again = f"curate filter --survey {workspace.shown(answers)}"
    answered = {tally.question.id for tally in final.tallies if tally.respondents}
    decided = _decided(workspace)
    open_ids = [
        question.id
        for question in asked
        if question.subject not in decided or question.id not in answered
    ]
    text = "of the survey without a decision"
    yield from owe("decision", "respondents", open_ids, text, filter_again, unit="question")
    for what, step, text in (
        ("undecided", Status.UNDECIDED, "that the survey has not decided"),
        ("unfinished", Status.SURVEYED, "kept by the survey that give no samples yet"),
    ):
        names = [row.template_id for row in people.at(step)]
        yield from owe(what, "", names, text, f"curate explain {''.join(names[:1])}")
    if not decided or not (_filtered(workspace) / MANIFEST).exists():
        return
    files = map(workspace.shown, (workspace.bank_file, workspace.groups_file))
    now = changed_inputs(workspace)
    changed = tuple(name for name in files if name in now)
    if changed:
        text = f"{' and '.join(changed)} changed since the survey's decisions were made"
        yield _owed("filter", len(changed), text, changed, filter_again)


def _owed(what: str, count: int, text: str, items: tuple[str, ...], do: str) -> Owed:
    """What nobody in particular has to do, in words that need no count."""
    return dict(zip(OWED_FIELDS, (what, "", count, text, items, do, ""), strict=True))


def _filtered(workspace: Workspace) -> Path:
    return workspace.exports_folder / FILTERED


def _questions_asked(workspace: Workspace) -> list[Question]:
    """The questions of the questionnaire, in the names that things have now."""
    path = workspace.questionnaire_file
    if not path.exists():
        return []
    return [*map(renaming_of(workspace).question, read_questionnaire(path, workspace.book))]


def _decided(workspace: Workspace) -> frozenset[str]:
    """The subjects that the survey has decided on."""
    stages = (Stage.SURVEY, Stage.COMPREHENSION)
    return frozenset(item.subject for item in workspace.renamed_decisions if item.stage in stages)


def _without_manifest(workspace: Workspace) -> Iterator[Finding]:
    """Say what cannot be known where the filter's manifest is gone."""
    folder = _filtered(workspace)
    if _decided(workspace) and not (folder / MANIFEST).exists():
        what = "whether the bank was changed since the survey's decisions is not known"
        hint = "run the filter again: it writes what the decisions were made from"
        place = f"{workspace.shown(folder)}/{MANIFEST}"
        yield Finding("status-no-manifest", Severity.INFO, place, None, "", what, hint)


def _lacks_groups(template: Template) -> bool:
    """Say whether the source names groups where the culture's texts name none."""
    return any(
        variant.texts.has_body
        and bool(variant.source_texts.target_groups)
        and not (variant.texts.target_groups or is_open(variant.texts))
        for variant in template.variants
    )
