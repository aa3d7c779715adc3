"""What is known of a published benchmark, gathered from the workspace for its card and metadata.

Whatever is made of these facts is pure.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from curation import __version__
from curation.annotation.translation.units import reviewed_texts
from curation.bank.sample_set import Counts, category_counts
from curation.files.bank import bank_columns, bank_rows
from curation.files.manifest import MANIFEST
from curation.files.outcomes import TemplateOutcome
from curation.files.sources import published_set, read_terms
from curation.files.workspace import Workspace
from curation.files.writers import Cell
from curation.languages import name_in_english
from curation.languages.written import unreviewed_lines
from curation.records.bank import Label, Template
from curation.records.culture import Culture
from curation.records.licences import Licence, terms_of
from curation.records.messages import CurateError, own_yaml, refusal
from curation.records.sample import SAMPLE_COLUMNS, Sample
from curation.records.survey import DROPPING_ORDER, QuestionKind, Role, Status, drops
from curation.report.texts import PURPOSE, resource
from evaluation.prompts import chosen_prompts
from exports.card.citation import known, title_of
from exports.edition import DUPLICATES, NOT_DRAWN, Edition
from survey.bank import FILTERED, FinalBank, decided_settings
from survey.outcomes import template_funnel
from survey.rules import target_rows

if TYPE_CHECKING:
    from survey.reporting.data import Report

Part = Mapping[str, Any]
"""Some facts by name."""
FEW = 30
"""With fewer respondents the interval of a question is wide."""
SPLIT = "test"
"""The one split of every configuration: a benchmark is not for training."""
STATUS_COLUMNS = ("survey_status", "survey_question")
"""What the published templates have beyond the bank's columns."""
_LIST = "list"
_TWINS = {"source": " in the source language", "machine": " as machine translated"}
_DRAWN = "Samples of the fillings that were drawn, not of all"


class TableColumn(NamedTuple):
    """A column of a table: its name, what it holds (of `parquet.KINDS`), and what it says."""

    name: str
    kind: str
    meaning: str


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """A table that is published, which users load by its name as a configuration.

    Attributes:
        name: Its name.
        columns: Its columns.
        size: How many rows it has.
        rows: The rows, which are taken once.
        title: What its rows are, in words.
        key: The columns that tell its rows apart.
    """

    name: str
    columns: tuple[TableColumn, ...]
    size: int
    rows: Iterable[Sequence[Cell]]
    title: str
    key: tuple[str, ...]

    @property
    def path(self) -> str:
        """Its one file, below the folder."""
        return f"{self.name}/{SPLIT}-00000-of-00001.parquet"

    @property
    def counted(self) -> str:
        """What its rows are called where they are counted."""
        return str(known()["tables"][self.name]["counted"])


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything that a published benchmark says of itself.

    Attributes:
        culture: The settings, with those of the release.
        tool_version: Version of the toolkit.
        tables: The tables, the one that is loaded by default first.
        example: A sample to show.
        categories: Table 1 of KoBBQ's paper, the total last.
        names: The categories as they are shown to people.
        test: By category how many samples the test set has; None where it is not published.
        funnel: What became of the templates: how many were `taken` from a published set and newly
            `written`, `removed` by their label, set `aside` by a person, `dropped` by each rule (in
            words) and `by_person`, how many are `left`, and `undecided` by the survey.
        survey: What `survey_part` tells of the survey; None where none was held.
        agreement: How far annotators agreed: how many `annotators` and `templates` there were, how
            many all labelled (`complete`) and labelled alike (`unanimous`), and the `statistics` by
            name, in words; None where there are no annotations.
        sources: The published sets that templates were taken from, as `sources_part` tells them.
        written: Retained templates that were newly written.
        modified: Retained templates whose groups the survey replaced.
        gaps: What is missing or doubtful: ids of templates that are `undecided`, `waiting` for
            translation or groups, and `kept_by_person`; how many retained ones were `tested` for
            comprehension, how many are labelled TM or NC (`changed`) and have a reference
            (`documented`); by the name of a language how many lines of the language's file are
            `taken_over` from it and not reviewed.
        forbidden: What the data must not be used for.
        drawn: Where there are not the samples of every filling: how many samples all fillings would
            give (`possible`), except for `duplicates` of others of their template; and where
            fillings were drawn `per_template` and `proper_names` as set, with the `seed`.
        conditioned: Templates with conditions on which names and words go together.
        unasked: Why the toolkit cannot ask a model by itself; empty where it can.
        folders: By name what a release package has beside the tables, and why it is not there.
        machine: What became of the machine's text: how many `texts` there are, and how many are as
            it wrote them, `confirmed` by a person or `unconfirmed`; None where none is.
        drafts: How many new templates of people and of models were accepted, as
            `curation.annotation.drafts.acceptance` tells it; nothing where none were handed out.
    """

    culture: Culture
    tool_version: str
    tables: tuple[PublishedTable, ...]
    example: Sample
    categories: Sequence[Counts]
    names: Mapping[str, str]
    test: Mapping[str, int] | None
    funnel: Part
    survey: Part | None
    agreement: Part | None
    sources: tuple[Part, ...]
    written: int
    modified: int
    gaps: Part
    forbidden: tuple[str, ...]
    drawn: Part | None = None
    conditioned: int = 0
    unasked: str = ""
    folders: Mapping[str, tuple[str, str]] | None = None
    machine: Part | None = None
    drafts: tuple[Part, ...] = ()

    @property
    def is_drawn(self) -> bool:
        """Whether not every filling is in."""
        return self.drawn is not None and self.drawn["is_drawn"]

    @property
    def title(self) -> str:
        """Its name for readers."""
        return title_of(self.culture)

    @property
    def total(self) -> Counts:
        """The last row of table 1."""
        return self.categories[-1]

    def has(self, name: str) -> bool:
        """Say whether a table is published."""
        return any(item.name == name for item in self.tables)


@cache
def _told() -> dict[str, Any]:
    """What each column of each table says, from the file beside this one."""
    return dict(own_yaml(resource(__package__, "columns.yaml")))


def columns_of(table: str, names: Iterable[str] = ()) -> tuple[TableColumn, ...]:
    """The columns of a table; texts of templates have twins in the language of their source.

    Args:
        table: `samples`, `templates`, `survey`, or `status`: what the survey made of templates.
        names: The columns; by default all that are known.
    """
    told = _told()[table]
    kinds = {name: kind for kind, of in _told()["holds"].items() for name in of}

    def column(name: str) -> TableColumn:
        stem, _, ending = name.rpartition("_")
        twin = _TWINS.get(ending, "") if name not in told and stem in told else ""
        stem = stem if twin else name
        if stem not in told and table == "templates":
            return TableColumn(name, "text", "as it was imported or added by the curators")
        return TableColumn(name, kinds.get(stem, "text"), f"{told[stem]}{twin}")

    return tuple(map(column, names or told))


def gather(edition: Edition, sets: Sequence[str]) -> Facts:
    """Facts and tables of a dataset folder; every template is tried before anything is written.

    Args:
        edition: The benchmark.
        sets: `test`, `all`, or both.

    Raises:
        CurateError: If a template cannot be filled, no template gives samples, or a file of the
            workspace cannot be read.
    """
    workspace, final = edition.workspace, edition.final
    counts = edition.count()
    edition.refuse_empty("publish")
    drawn = list(edition.samples(edition.seed))
    survey, results, forbidden = _surveyed(workspace, final) if final.tallies else (None, (), ())
    # One whose context gives the answer, and gives the one of the stereotype.
    told = (row for row in drawn if row.context_type == "dis" and row.answer == row.biased_answer)
    tables, columns = [], columns_of("samples", SAMPLE_COLUMNS)
    if "test" in sets:
        tables.append(_table("test", columns, drawn, len(drawn)))
    if "all" in sets:
        title = _DRAWN if NOT_DRAWN in edition.left_out() else ""
        every = edition.samples()
        tables.append(_table("samples", columns, every, sum(counts.values()), title))
    tables.append(_templates(final))
    if survey is not None:
        tables.append(_table("survey", columns_of("survey"), results, len(results)))
    return Facts(
        culture=workspace.culture,
        tool_version=__version__,
        tables=tuple(tables),
        example=next(told, drawn[0]),
        categories=category_counts(final.before, final.templates, counts),
        names={item.id: item.name for item in workspace.culture.categories},
        test=Counter(sample.category for sample in drawn) if "test" in sets else None,
        funnel=_funnel(final),
        survey=survey,
        agreement=_agreement(workspace),
        drafts=_drafts(workspace),
        sources=sources_part(workspace, final),
        written=sum(map(_is_written, final.templates)),
        modified=len(final.modified),
        gaps=_gaps(workspace, final),
        forbidden=forbidden or (PURPOSE,),
        drawn=_drawn(edition),
        conditioned=sum(item.is_conditioned for item in edition.plan().templates),
        unasked=_unasked(workspace),
        machine=_machine(workspace, final),
    )


def _table(
    name: str,
    columns: tuple[TableColumn, ...],
    rows: Iterable[Sequence[Cell]],
    size: int,
    title: str = "",
) -> PublishedTable:
    told = known()["tables"][name]
    return PublishedTable(name, columns, size, rows, title or told["rows"], tuple(told["key"]))


def _templates(final: FinalBank) -> PublishedTable:
    bank = final.bank
    names = bank_columns(bank)
    for taken in set(STATUS_COLUMNS) & set(names):
        raise refusal("exports", "card-column", f"bank.csv, column {taken}", taken=taken)
    columns = (*columns_of("templates", names), *columns_of("status", STATUS_COLUMNS))
    by_id = {item.template.id: item for item in final.outcomes}
    rows: list[tuple[Cell, ...]] = []
    for variant, cells in zip(bank.variants, bank_rows(bank), strict=True):
        item = by_id[variant.template_id]
        pairs = zip(columns, cells, strict=False)
        typed = (tuple(json.loads(it or "[]")) if of.kind == _LIST else it for of, it in pairs)
        rows.append((*typed, item.status.value, item.question.id if item.question else ""))
    return _table("templates", columns, rows, len(rows))


def _is_written(template: Template) -> bool:
    """Say whether a template was newly written: it has no source."""
    taken = (Label.SIMPLY_TRANSFERRED, Label.TARGET_MODIFIED, Label.SAMPLE_REMOVED)
    return not template.first.source and template.label not in taken


def sources_part(workspace: Workspace, final: FinalBank) -> tuple[Part, ...]:
    """The published sets that templates were taken from, in the order of the bank.

    Of each its `id`, its `title`, its `licence` (without a name where it states none; None where no
    file of it was imported), the language that its texts were `translated_from` (empty where they
    were not), how many `templates` were taken from it, and how many of them were `taken` as they
    are, `modified` for the culture, `created` by the set's own makers, `removed` by their label and
    `dropped` by the survey or a person.

    Raises:
        CurateError: If the list of what was imported was damaged.
    """
    terms = read_terms(workspace.sources_folder)
    by_source: dict[str, list[TemplateOutcome]] = {}
    for item in final.outcomes:
        if not _is_written(item.template):
            by_source.setdefault(item.template.first.source, []).append(item)
    return tuple(
        {
            "id": name,
            "title": published_set(name)[0] or "A source that the bank does not name",
            "licence": _licence(terms.get(name)),
            "translated_from": _translated_from(workspace, name, members),
            "templates": len(members),
            **dict.fromkeys(("taken", "modified", "created", "removed", "dropped"), 0),
            **Counter(_fate(item, final) for item in members),
        }
        for name, members in by_source.items()
    )


def _fate(item: TemplateOutcome, final: FinalBank) -> str:
    if item.status is Status.REMOVED:
        return "removed"
    if item.status in (Status.DROPPED, Status.SET_ASIDE):
        return "dropped"
    if item.template.label is Label.NEWLY_CREATED:
        return "created"
    modified = str(item.template.id) in final.modified
    return "modified" if modified or item.template.label is Label.TARGET_MODIFIED else "taken"


def _licence(terms: Licence | None) -> Licence | None:
    if terms is None or not (terms.name or terms.address):
        return None
    known = terms_of(terms.name)
    return replace(terms, share_alike=known is not None and known.share_alike)


def _translated_from(workspace: Workspace, name: str, members: Sequence[TemplateOutcome]) -> str:
    """The language that the texts of a source were translated from, if they were."""
    source = workspace.culture.source_language
    known = published_set(name)[1] or (source,)
    plain = {code.split("-")[0] for code in known}
    left = (item for item in members if item.status in (Status.KEPT, Status.UNDECIDED))
    there = any(item.template.first.texts.has_body for item in left)
    if not there or workspace.culture.language.split("-")[0] in plain:
        return ""
    return source if source.split("-")[0] in plain else known[0]


def _unasked(workspace: Workspace) -> str:
    try:
        chosen_prompts(workspace, None, (), None, workspace.language)
    except CurateError as error:
        return error.what
    return ""


def _drawn(edition: Edition) -> Part | None:
    settings, left_out = edition.settings, edition.left_out()
    if not left_out:
        return None
    is_drawn, duplicates = NOT_DRAWN in left_out, left_out.get(DUPLICATES, 0)
    return {
        "possible": edition.plan().possible - duplicates,
        "duplicates": duplicates,
        "is_drawn": is_drawn,
        "per_template": settings.per_template if is_drawn else None,
        "proper_names": settings.proper_names if is_drawn else None,
        "seed": settings.seed,
    }


def _funnel(final: FinalBank) -> Part:
    from survey.reporting.data import RULES  # a report, which others do without

    rows = template_funnel(final.outcomes)
    written = sum(_is_written(item.template) for item in final.outcomes)
    dropped = {rule: sum(row["dropped"][rule] for row in rows) for rule in DROPPING_ORDER}
    return {
        "taken": len(final.outcomes) - written,
        "written": written,
        "removed": len(final.with_status(Status.REMOVED)),
        "aside": len(final.with_status(Status.SET_ASIDE)),
        "dropped": {RULES[rule]: number for rule, number in dropped.items() if number},
        "by_person": sum(row["manual"] for row in rows),
        "left": sum(row["after"] for row in rows),
        "undecided": sum(row["undecided"] for row in rows) if final.tallies else 0,
    }


def _surveyed(
    workspace: Workspace, final: FinalBank
) -> tuple[Part, list[tuple[Cell, ...]], tuple[str, ...]]:
    """What is said of the survey, its results as rows, and what they must not be used for.

    It says the `kinds` of questions, the fewest and the most respondents of one, how many questions
    there are, how many of them are `near` a threshold or were kept with `few` respondents, the
    `people`, the `exclusions`, and the `method` as headings with texts.
    """
    from survey.reporting import data as words  # a report, which others do without

    # What the last filter left; where its manifest is gone, thresholds are the ledger's.
    if (workspace.exports_folder / FILTERED / MANIFEST).exists():
        report, _ = words.from_filter(workspace)
    else:
        report = words.report_on(workspace, final, decided_settings(workspace))
    fewest, most = report.answers
    kept = [row for row in report.questions if row["decision"] is words.QuestionDecision.KEPT]
    told = {
        "kinds": [
            {
                "asked": line["before"],
                "kept": line["after"] - line["undecided"],
                "unanswered": line["undecided"],
                "name": words.KINDS[line["category"]],
                "dropped": {words.RULES[rule]: count for rule, count in line["dropped"].items()},
            }
            for line in report.question_funnel
        ],
        "fewest": fewest,
        "most": most,
        "near": len(report.borderline),
        "questions": len(report.questions),
        "few": sum(row["respondents"] < FEW for row in kept),
        "people": report.respondents,
        "exclusions": report.quality,
        # What the report says of numbers that the card does not have is left out.
        "method": [pair for pair in words.method(report) if pair[0] not in words.TESTS],
    }
    return told, list(_survey_rows(report)), tuple(words.USES)


def _survey_rows(report: "Report") -> Iterator[tuple[Cell, ...]]:
    """Yield the results, one row an option, in the order of `survey_columns`."""
    for tally, row in zip(report.final.tallies, report.questions, strict=True):
        question = tally.question
        selects = question.kind is not QuestionKind.COMPREHENSION and tally.respondents
        standing = iter(target_rows(tally, report.settings) if selects else ())
        for option, votes in zip(question.options, tally.votes, strict=True):
            stands = None if option.role is Role.NONE else next(standing, None)
            yield (
                *(question.id, question.kind.value, question.category, row["stereotype"]),
                *(row["templates"], option.code, option.groups),
                # As respondents read it; that is the groups where nothing else was written.
                "" if option.text == option.label else option.text,
                *(option.role.value, option.counts, votes, tally.respondents),
                stands.role.value if stands else "",
                row["decision"].value,
                tuple(f"{item.rule.value}: {item.reason}" for item in drops(row["decisions"])),
                row["near"],
            )


def _gaps(workspace: Workspace, final: FinalBank) -> Part:
    taken = unreviewed_lines(workspace.language.text)
    left = {str(template.id) for template in final.templates}
    tested = {
        tally.question.template_id
        for tally in final.tallies
        if tally.question.kind is QuestionKind.COMPREHENSION and tally.respondents
    }
    own = (Label.TARGET_MODIFIED, Label.NEWLY_CREATED)
    changed = [template for template in final.templates if template.label in own]
    kept = final.with_status(Status.KEPT)
    return {
        "undecided": [str(item.template.id) for item in final.with_status(Status.UNDECIDED)],
        "waiting": [str(template.id) for template in final.open],
        "kept_by_person": [str(item.template.id) for item in kept if item.decisive is not None],
        "tested": len(tested & left),
        "changed": len(changed),
        "documented": sum(bool(template.first.reference.strip()) for template in changed),
        "taken_over": {name_in_english(code): count for code, count in taken.items()},
    }


def _machine(workspace: Workspace, final: FinalBank) -> Part | None:
    reviewed = reviewed_texts(workspace)
    left = [str(template.id) for template in final.templates]
    told = {it: sum(counts[name] for name in left) for it, counts in reviewed.items()}
    return told if told["confirmed"] + told["unconfirmed"] else None


def _drafts(workspace: Workspace) -> tuple[Part, ...]:
    if not workspace.annotations.drafts.exists():
        return ()
    from curation.annotation.drafts import acceptance  # and workbooks

    return acceptance(workspace)


def _agreement(workspace: Workspace) -> Part | None:
    if not workspace.annotations.classify.exists():
        return None
    from curation.annotation.classify import current_labels, label_agreement  # and workbooks

    standing = current_labels(workspace)
    if not standing.annotators:
        return None
    found = label_agreement(workspace)
    return {
        "annotators": len(found.annotators),
        "templates": sum(bool(unit) for unit in standing.ratings.values()),
        "complete": found.complete,
        "unanimous": found.unanimous,
        "statistics": (
            ("Pairs of labels that agree", str(found.percent)),
            ("Fleiss' kappa", str(found.fleiss)),
            ("Krippendorff's alpha", str(found.alpha)),
        ),
    }
