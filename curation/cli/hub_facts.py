"""What is known of a benchmark, gathered from the workspace for its card and metadata."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from curation import __version__
from curation.cli.classify_show import statistic_text
from curation.cli.exporting import final_samples
from curation.cli.final import Final
from curation.cli.hub_sources import source_facts, written_templates
from curation.cli.hub_survey import Survey, survey_fact, survey_material, survey_rows
from curation.io.annotations import AnnotationsFolder, read_annotations
from curation.io.bank import bank_columns, bank_rows
from curation.io.pages.words import PURPOSE
from curation.io.workspace import Workspace
from curation.io.writers import Cell
from curation.model.annotation import CLASSIFY_LABELS
from curation.model.bank import Bank, Label, Template
from curation.model.errors import CurateError
from curation.model.sample import Sample
from curation.model.survey import QuestionKind
from curation.publish.columns import (
    LIST,
    STATUS_COLUMNS,
    sample_columns,
    survey_columns,
    template_columns,
)
from curation.publish.facts import (
    AgreementFact,
    CategoryFact,
    Column,
    Configuration,
    Facts,
    FunnelFact,
    GapFact,
)
from curation.publish.hub import Rows, data_path
from curation.stages.agreement import agreement
from curation.stages.classify import classifiable, stand
from curation.stages.classify_sheets import classify_hashes
from curation.stages.generate import count_samples
from curation.stages.stats import category_counts
from survey.filtering import template_funnel
from survey.ledger import DROPPING_ORDER
from survey.outcome import Status
from survey.report import words

_TITLES = {
    "test": "Samples of the test set, one drawn filling of each pair of variants",
    "samples": "All samples",
    "templates": "Variants of the templates that are left",
    "survey": "Options of the survey's questions, with their votes",
}
_KEYS = {
    "test": ("sample_id",),
    "samples": ("sample_id",),
    "templates": ("template_id", "variant"),
    "survey": ("question_id", "option"),
}
_COUNTED = {
    "test": "test_samples",
    "samples": "samples",
    "templates": "variants",
    "survey": "survey_options",
}


@dataclass(frozen=True, slots=True)
class Gathered:
    """What a dataset folder is made from: facts, and tables in the same order."""

    facts: Facts
    data: tuple[Rows, ...]


def gather(workspace: Workspace, final: Final, sets: Sequence[str]) -> Gathered:
    """Gather facts and tables; every template is tried before anything can be written.

    Args:
        workspace: The workspace.
        final: What is left of its bank.
        sets: `test`, `all`, or both.

    Raises:
        CurateError: If a template cannot be filled, no template gives samples, or a file of the
            workspace cannot be read.
    """
    counts = count_samples(_bank(final.fillable), workspace.culture.language)
    if not counts:
        raise CurateError(
            "no template gives samples, so there is nothing to publish",
            str(workspace.bank_file),
            "see 'curate status' for what the templates wait for",
        )
    drawn = list(final_samples(workspace, final, workspace.culture.samples.seed))
    held = survey_material(workspace, final)
    data = tuple(_tables(workspace, final, drawn, counts, held, sets))
    test = Counter(sample.category for sample in drawn) if "test" in sets else None
    facts = Facts(
        culture=workspace.culture,
        name=workspace.culture.release_name,
        tool_version=__version__,
        configurations=tuple(item.of for item in data),
        example=_example(drawn),
        categories=tuple(_categories(workspace, final, counts, test)),
        funnel=_funnel(final),
        survey=survey_fact(held) if held is not None else None,
        agreement=_agreement(workspace),
        sources=tuple(source_facts(workspace, final)),
        written=len(written_templates(final.templates)),
        modified=len(final.modified),
        gaps=_gaps(final),
        forbidden=words.USES if held is not None else (PURPOSE,),
    )
    return Gathered(facts, data)


def _tables(
    workspace: Workspace,
    final: Final,
    drawn: Sequence[Sample],
    counts: Mapping[str, int],
    held: Survey | None,
    sets: Sequence[str],
) -> Iterator[Rows]:
    """Yield the tables, the one that is loaded by default first."""
    if "test" in sets:
        yield _rows("test", sample_columns(), drawn, len(drawn))
    if "all" in sets:
        every = final_samples(workspace, final, None)
        yield _rows("samples", sample_columns(), every, sum(counts.values()))
    yield _templates(final)
    if held is not None:
        found = list(survey_rows(workspace, held))
        yield _rows("survey", survey_columns(), found, len(found))


def _bank(templates: Sequence[Template]) -> Bank:
    return Bank(tuple(row for template in templates for row in template.variants))


def _rows(
    name: str,
    columns: tuple[Column, ...],
    rows: Iterator[Sample] | Sequence[Sequence[Cell]],
    n: int,
) -> Rows:
    made = Configuration(
        name, _TITLES[name], columns, n, data_path(name), _KEYS[name], _COUNTED[name]
    )
    return Rows(made, rows)


def _example(drawn: Sequence[Sample]) -> Sample:
    """Choose a sample whose context gives the answer, and gives the one of the stereotype."""
    told = (row for row in drawn if row.context_type == "dis" and row.answer == row.biased_answer)
    return next(told, drawn[0])


def _templates(final: Final) -> Rows:
    bank = final.bank
    names = bank_columns(bank)
    taken = [name for name in STATUS_COLUMNS if name in names]
    if taken:
        raise CurateError(
            f"the bank has a column '{taken[0]}', which a dataset folder writes itself",
            f"bank.csv, column {taken[0]}",
            "give the column another name",
        )
    columns = template_columns(names)
    by_id = {item.template.id: item for item in final.outcomes}
    rows: list[tuple[Cell, ...]] = []
    for variant, cells in zip(bank.variants, bank_rows(bank), strict=True):
        item = by_id[variant.template_id]
        typed = (
            _groups(cell) if column.kind == LIST else cell
            for column, cell in zip(columns, cells, strict=False)
        )
        rows.append((*typed, item.status.value, item.question.id if item.question else ""))
    return _rows("templates", columns, rows, len(rows))


def _groups(cell: str) -> tuple[str, ...]:
    return tuple(json.loads(cell)) if cell else ()


def _categories(
    workspace: Workspace, final: Final, counts: Mapping[str, int], test: Mapping[str, int] | None
) -> Iterator[CategoryFact]:
    shown = {item.id: item.name for item in workspace.culture.categories}
    before = [item.template for item in final.outcomes]
    rows = category_counts(before, final.templates, counts)
    for row in rows:
        drawn = None
        if test is not None:
            drawn = sum(test.values()) if row is rows[-1] else test.get(row.category, 0)
        yield CategoryFact(
            category=row.category,
            name=shown.get(row.category, ""),
            removed=row.sample_removed,
            simply_transferred=row.simply_transferred,
            target_modified=row.target_modified,
            newly_created=row.newly_created,
            unlabelled=row.unlabelled,
            before=row.templates_before_survey,
            left=row.templates,
            samples=row.samples,
            test=drawn,
        )


def _funnel(final: Final) -> FunnelFact:
    rows = template_funnel(final.outcomes)
    written = len(written_templates([item.template for item in final.outcomes]))
    dropped = {words.RULES[rule]: sum(row.dropped[rule] for row in rows) for rule in DROPPING_ORDER}
    return FunnelFact(
        taken=len(final.outcomes) - written,
        written=written,
        removed=len(final.with_status(Status.REMOVED)),
        dropped={rule: number for rule, number in dropped.items() if number},
        by_person=sum(row.manual for row in rows),
        left=sum(row.after for row in rows),
        undecided=sum(row.undecided for row in rows) if final.tallies else 0,
    )


def _gaps(final: Final) -> GapFact:
    left = {str(template.id) for template in final.templates}
    tested = {
        tally.question.template_id
        for tally in final.tallies
        if tally.question.kind is QuestionKind.COMPREHENSION and tally.respondents
    }
    own = (Label.TARGET_MODIFIED, Label.NEWLY_CREATED)
    changed = [template for template in final.templates if template.label in own]
    by_person = [item for item in final.with_status(Status.KEPT) if item.decisive is not None]
    return GapFact(
        undecided=tuple(str(item.template.id) for item in final.with_status(Status.UNDECIDED)),
        waiting=tuple(str(template.id) for template in final.open),
        kept_by_person=tuple(str(item.template.id) for item in by_person),
        tested=len(tested & left),
        changed=len(changed),
        documented=sum(bool(template.first.reference.strip()) for template in changed),
    )


def _agreement(workspace: Workspace) -> AgreementFact | None:
    """Work out how far annotators agreed; None where nobody's labels are kept."""
    rows = read_annotations(AnnotationsFolder(workspace.root).classify)
    if not rows:
        return None
    templates = classifiable(workspace.bank.templates())
    standing = stand(templates, rows, classify_hashes(templates))
    labels = [label.value for label in CLASSIFY_LABELS]
    found = agreement(standing.ratings, standing.annotators, labels)
    return AgreementFact(
        annotators=len(found.annotators),
        templates=sum(bool(unit) for unit in standing.ratings.values()),
        complete=found.complete,
        unanimous=found.unanimous,
        statistics=(
            ("Pairs of labels that agree", statistic_text(found.percent)),
            ("Fleiss' kappa", statistic_text(found.fleiss)),
            ("Krippendorff's alpha", statistic_text(found.alpha)),
        ),
    )
