"""What is known of a benchmark, gathered from the workspace for its card and metadata."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from curation import __version__
from curation.annotation.classify import current_labels, label_agreement
from curation.annotation.translation.status import Review, reviewed_texts
from curation.bank.stats import category_counts
from curation.files.bank import bank_columns, bank_rows
from curation.files.sources import read_terms
from curation.files.workspace import Workspace
from curation.files.writers import Cell
from curation.importing import published_set
from curation.records.bank import Label, Template
from curation.records.errors import CurateError
from curation.records.licences import Licence, terms_of
from curation.records.sample import Sample
from curation.records.survey import DROPPING_ORDER, QuestionKind
from curation.report.texts import PURPOSE
from evaluation.prompts import chosen_prompts
from exports.card.facts import (
    LIST,
    STATUS_COLUMNS,
    Column,
    Configuration,
    DrawnFact,
    Facts,
    Part,
    Rows,
    SourceFact,
    data_path,
    sample_columns,
    survey_columns,
    template_columns,
)
from exports.card.survey import Survey, survey_fact, survey_material, survey_rows
from exports.edition import DUPLICATES, NOT_DRAWN, Edition
from survey.bank import FinalBank
from survey.outcomes import Status, TemplateOutcome, template_funnel
from survey.reporting import words

_UNNAMED = "A source that the bank does not name"


def written_templates(templates: Iterable[Template]) -> list[Template]:
    """The templates that were newly written: those without a source."""
    return [item for item in templates if _is_written(item)]


def _is_written(template: Template) -> bool:
    taken = (Label.SIMPLY_TRANSFERRED, Label.TARGET_MODIFIED, Label.SAMPLE_REMOVED)
    return not template.first.source and template.label not in taken


def source_facts(workspace: Workspace, final: FinalBank) -> Iterator[SourceFact]:
    """Yield the sources, in the order of the bank.

    Raises:
        CurateError: If the list of what was imported was damaged.
    """
    terms = read_terms(workspace.sources_folder)
    by_source: dict[str, list[TemplateOutcome]] = {}
    for item in final.outcomes:
        if not _is_written(item.template):
            by_source.setdefault(item.template.first.source, []).append(item)
    for name, members in by_source.items():
        yield _fact(workspace, final, name, members, terms.get(name))


def _fact(
    workspace: Workspace,
    final: FinalBank,
    name: str,
    members: Sequence[TemplateOutcome],
    terms: Licence | None,
) -> SourceFact:
    left = [item for item in members if item.status in (Status.KEPT, Status.UNDECIDED)]
    modified = created = 0
    for item in left:
        if item.template.label is Label.NEWLY_CREATED:
            created += 1
        elif (
            item.template.label is Label.TARGET_MODIFIED or str(item.template.id) in final.modified
        ):
            modified += 1
    return SourceFact(
        id=name,
        title=published_set(name).title or _UNNAMED,
        licence=_licence(terms),
        translated_from=_translated_from(workspace, name, left),
        taken=len(left) - modified - created,
        modified=modified,
        created=created,
        removed=sum(item.status is Status.REMOVED for item in members),
        dropped=sum(item.status in (Status.DROPPED, Status.SET_ASIDE) for item in members),
    )


def _licence(terms: Licence | None) -> Licence | None:
    if terms is None or not (terms.name or terms.address):
        return None
    known = terms_of(terms.name)
    share_alike = known is not None and known.share_alike
    return replace(terms, share_alike=share_alike)


def _translated_from(workspace: Workspace, name: str, left: Sequence[TemplateOutcome]) -> str:
    """The language that the texts of a source were translated from, if they were."""
    source = workspace.culture.source_language
    known = published_set(name).languages or (source,)
    plain = {code.split("-")[0] for code in known}
    there = any(item.template.first.texts.has_body for item in left)
    if not there or workspace.culture.language.split("-")[0] in plain:
        return ""
    return source if source.split("-")[0] in plain else known[0]


_TITLES = {
    "test": "Samples of the test set, one drawn filling of each pair of variants",
    "samples": "All samples",
    "templates": "Variants of the retained templates",
    "survey": "Options of the survey's questions, with their votes",
}
_DRAWN = "Samples of the fillings that were drawn, not of all"
_KEYS = {
    "test": ("sample_id",),
    "samples": ("sample_id",),
    "templates": ("template_id", "variant", "version"),
    "survey": ("question_id", "option"),
}
_COUNTED = {
    "test": "test_samples",
    "samples": "samples",
    "templates": "variants",
    "survey": "survey_options",
}


def gather(edition: Edition, sets: Sequence[str]) -> tuple[Facts, tuple[Rows, ...]]:
    """Facts and tables of a dataset folder; every template is tried before anything is written.

    Args:
        edition: The benchmark.
        sets: `test`, `all`, or both.

    Returns:
        The facts, and the tables in the order of their configurations.

    Raises:
        CurateError: If a template cannot be filled, no template gives samples, or a file of the
            workspace cannot be read.
    """
    workspace, final = edition.workspace, edition.final
    counts = edition.count()
    edition.refuse_empty("publish")
    drawn = list(edition.samples(edition.seed))
    held = survey_material(workspace, final)
    data = tuple(_tables(edition, drawn, counts, held, sets))
    test = Counter(sample.category for sample in drawn) if "test" in sets else None
    facts = Facts(
        culture=workspace.culture,
        name=workspace.culture.release_name,
        tool_version=__version__,
        configurations=tuple(item.of for item in data),
        example=_example(drawn),
        categories=tuple(category_counts(final.before, final.templates, counts)),
        names={item.id: item.name for item in workspace.culture.categories},
        test=test,
        funnel=_funnel(final),
        survey=survey_fact(held) if held is not None else None,
        agreement=_agreement(workspace),
        sources=tuple(source_facts(workspace, final)),
        written=len(written_templates(final.templates)),
        modified=len(final.modified),
        gaps=_gaps(final),
        forbidden=words.USES if held is not None else (PURPOSE,),
        drawn=_drawn(edition),
        conditioned=sum(item.is_conditioned for item in edition.plan().templates),
        unasked=_unasked(workspace),
        machine=_machine(workspace, final),
    )
    return facts, data


def _unasked(workspace: Workspace) -> str:
    """Say why models cannot be asked without a file of prompts; nothing where they can."""
    try:
        chosen_prompts(workspace, None, (), None, workspace.language)
    except CurateError as error:
        return error.what
    return ""


def _drawn(edition: Edition) -> DrawnFact | None:
    """Which samples there are; None where they are those of every filling."""
    settings, left_out = edition.drawing, edition.left_out()
    if not left_out:
        return None
    is_drawn, duplicates = NOT_DRAWN in left_out, left_out.get(DUPLICATES, 0)
    return DrawnFact(
        possible=edition.plan().possible - duplicates,
        duplicates=duplicates,
        per_template=settings.per_template if is_drawn else None,
        proper_names=settings.proper_names if is_drawn else None,
        seed=settings.seed,
    )


def _tables(
    edition: Edition,
    drawn: Sequence[Sample],
    counts: Mapping[str, int],
    held: Survey | None,
    sets: Sequence[str],
) -> Iterator[Rows]:
    """Yield the tables, the one that is loaded by default first."""
    if "test" in sets:
        yield _rows("test", sample_columns(), drawn, len(drawn))
    if "all" in sets:
        every = edition.samples()
        made = _rows("samples", sample_columns(), every, sum(counts.values()))
        if NOT_DRAWN in edition.left_out():
            made = replace(made, of=replace(made.of, title=_DRAWN))
        yield made
    yield _templates(edition.final)
    if held is not None:
        found = list(survey_rows(edition.workspace, held))
        yield _rows("survey", survey_columns(), found, len(found))


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


def _templates(final: FinalBank) -> Rows:
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


def _funnel(final: FinalBank) -> Part:
    rows = template_funnel(final.outcomes)
    written = len(written_templates([item.template for item in final.outcomes]))
    dropped = {words.RULES[rule]: sum(row.dropped[rule] for row in rows) for rule in DROPPING_ORDER}
    return {
        "taken": len(final.outcomes) - written,
        "written": written,
        "removed": len(final.with_status(Status.REMOVED)),
        "aside": len(final.with_status(Status.SET_ASIDE)),
        "dropped": {rule: number for rule, number in dropped.items() if number},
        "by_person": sum(row.manual for row in rows),
        "left": sum(row.after for row in rows),
        "undecided": sum(row.undecided for row in rows) if final.tallies else 0,
    }


def _gaps(final: FinalBank) -> Part:
    left = {str(template.id) for template in final.templates}
    tested = {
        tally.question.template_id
        for tally in final.tallies
        if tally.question.kind is QuestionKind.COMPREHENSION and tally.respondents
    }
    own = (Label.TARGET_MODIFIED, Label.NEWLY_CREATED)
    changed = [template for template in final.templates if template.label in own]
    by_person = [item for item in final.with_status(Status.KEPT) if item.decisive is not None]
    return {
        "undecided": tuple(str(item.template.id) for item in final.with_status(Status.UNDECIDED)),
        "waiting": tuple(str(template.id) for template in final.open),
        "kept_by_person": tuple(str(item.template.id) for item in by_person),
        "tested": len(tested & left),
        "changed": len(changed),
        "documented": sum(bool(template.first.reference.strip()) for template in changed),
    }


def _machine(workspace: Workspace, final: FinalBank) -> Part | None:
    """What became of the machine's text; None where none is left as it was."""
    reviewed = reviewed_texts(workspace)
    left = [str(template.id) for template in final.templates]
    counts = Counter[Review]()
    for name in left:
        counts.update(reviewed.counts.get(name, {}))
    if not counts.total():
        return None
    return {
        "texts": sum(reviewed.texts[name] for name in left if name in reviewed.texts),
        "confirmed": counts[Review.CONFIRMED],
        "unconfirmed": counts[Review.UNCONFIRMED],
    }


def _agreement(workspace: Workspace) -> Part | None:
    """Work out how far annotators agreed; None where nobody's labels are kept."""
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
