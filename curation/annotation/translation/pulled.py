"""Translators' texts that were pulled from a server, merged into the table and the bank."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from curation.annotation.labelstudio.answers import read_results
from curation.annotation.translation.collect import CollectedTranslations, disagreements_of
from curation.annotation.translation.merge import Merged, Offer, merge
from curation.annotation.translation.rows import units_by_key
from curation.annotation.translation.sheet import where
from curation.annotation.translation.table import Translations, read_translated, row_of
from curation.annotation.translation.tasks import Translation, merged
from curation.annotation.translation.units import Unit, Variants, own_texts, units_either_way
from curation.annotation.translation.verification import Problem, problem_of, short_text
from curation.files.annotations import AnnotationsFolder
from curation.files.ledger import now
from curation.files.lock import writing
from curation.files.workspace import Workspace
from curation.languages import LanguageOrCode
from curation.records.annotation import person_key
from curation.records.errors import CurateError
from curation.records.findings import Finding, Severity

_YES = "true"


@dataclass(frozen=True, slots=True)
class Pulled:
    """What was pulled, compared with the bank as it is now; nothing is written yet.

    Attributes:
        texts: Texts of translators that were looked at.
        merged: What they come to.
        findings: Texts that cannot be taken.
    """

    texts: int
    merged: Merged
    findings: tuple[Finding, ...]


def collect_pulled(
    workspace: Workspace, by: str = "", templates: Sequence[str] = ()
) -> CollectedTranslations:
    """Write pulled translations to the bank, except texts on which translators differ.

    Args:
        workspace: The workspace.
        by: The translator whose texts are chosen if translators differ; none by default.
        templates: Only these; all by default.

    Raises:
        CurateError: If nothing was pulled, or a file cannot be read or written.
    """
    file = AnnotationsFolder(workspace.root).folder / "translate.csv"
    shown = workspace.shown(file)
    with writing(workspace, "curate collect"):
        if not file.exists():
            raise CurateError(
                "no translation was pulled yet", shown, "fetch them: curate pull translate"
            )
        pulled = read_pulled(workspace, read_translated(workspace), by, templates)
        pulled.merged.save(workspace)
    conflicts = (
        Finding(item.rule, item.severity, shown, None, "target", message, item.hint)
        for item, message in pulled.merged.listed()
    )
    return CollectedTranslations(
        texts=pulled.texts,
        accepted=len({offer.origin for offer in pulled.merged.taken}),
        refused=len(pulled.findings),
        cells=pulled.merged.written,
        unchanged=pulled.merged.unchanged,
        open_lists=pulled.merged.open_lists,
        disagreements=disagreements_of(pulled.merged),
        findings=(*pulled.findings, *conflicts),
    )


def read_pulled(
    workspace: Workspace, table: Translations, by: str = "", templates: Sequence[str] = ()
) -> Pulled:
    """Compare what was pulled with the bank.

    Args:
        workspace: The workspace.
        table: What was collected before.
        by: The translator whose texts are chosen if translators differ; none by default.
        templates: Only these; all by default.

    Raises:
        CurateError: If it cannot be read, or what is wanted is not among it.
    """
    file = AnnotationsFolder(workspace.root).folder / "translate.csv"
    rows = read_results(file, Translation)
    known = units_by_key(*units_either_way(workspace))
    variants = {variant.id: variant for variant in workspace.bank.variants}
    meant = [(row, _meant(row, known, variants, table)) for row in rows]
    shown = workspace.shown(file)
    _refuse_unknown(meant, by, templates, shown)
    findings: list[Finding] = []
    offers: list[Offer] = []
    count = 0
    for row, every in meant:
        units = [unit for unit in every if not templates or str(unit.template) in templates]
        if templates and not units and row.template_id not in templates:
            continue
        count += 1
        problem = _problem(row, units, variants, workspace.language)
        if problem is None:
            offers += (_offer(row, unit) for unit in units)
        else:
            said = problem.rule, Severity.ERROR, shown, None, "target", problem.message
            findings.append(Finding(*said, problem.hint))
    return Pulled(count, merge(workspace, table, offers, now(), by), tuple(findings))


def _offer(row: Translation, unit: Unit) -> Offer:
    """A translator's text; who submits a page confirms what the machine wrote there."""
    return Offer(
        unit=unit,
        text=row.target.strip(),
        by=row.annotator,
        at=row.collected_at,
        origin=row,
        remark=row.remark.strip(),
        rank=2 if row.alone == _YES else 1 if unit.letter else 0,
        confirmed=row.annotator,
        before=frozenset(row.seen.splitlines()),
    )


def _meant(
    row: Translation, known: Mapping[str, Sequence[Unit]], variants: Variants, table: Translations
) -> list[Unit]:
    """The units that a text is for.

    A text of several templates is not for one that has quite another text: that was written for it
    alone.
    """
    found = [
        unit
        for unit in known.get(row.unit_id.removeprefix(f"{row.template_id}-"), ())
        if (unit.kind.value, unit.text) == (row.kind, row.source)
    ]
    own = [unit for unit in found if str(unit.template) == row.template_id]
    if len(found) == len(own):
        return own
    usual = {row.target.strip(), *row.seen.splitlines()}
    for unit in own:
        earlier = row_of(table, unit)
        usual |= {earlier.text, *earlier.over, *own_texts(unit, variants)}
    texts = {unit: {*filter(None, own_texts(unit, variants))} for unit in found}
    return [unit for unit in found if unit in own or not texts[unit] or texts[unit] & usual]


def _refuse_unknown(
    meant: Sequence[tuple[Translation, Sequence[Unit]]],
    by: str,
    templates: Sequence[str],
    file: str,
) -> None:
    names = {person_key(row.annotator): row.annotator for row, _ in meant}
    if by and person_key(by) not in names:
        raise CurateError(
            f"nothing was pulled of a translator called '{by}'",
            file,
            f"--by must be one of {', '.join(sorted(names.values())) or '(nobody)'}",
        )
    known = {row.template_id for row, _ in meant}
    known |= {str(unit.template) for _, units in meant for unit in units}
    unknown = [name for name in templates if name not in known]
    if unknown:
        raise CurateError(
            f"nothing was pulled of template {unknown[0]}",
            file,
            "the column template_id there lists what was pulled",
        )


def _problem(
    row: Translation, units: Sequence[Unit], variants: Variants, language: LanguageOrCode
) -> Problem | None:
    """Say why a text cannot be taken; None when it can."""
    if not units:
        return Problem(
            "translation-source-changed",
            f"{row.template_id}: the text that {row.annotator} translated is not in the bank any "
            f"more: '{short_text(row.source)}'",
            "push the texts again (curate push translate), then pull; the translation is not "
            "collected",
        )
    unit, text = units[0], row.target.strip()
    place = f"{unit.template}, {'; '.join(where(unit).splitlines())}"
    if not text:
        return Problem(
            "translation-empty",
            f"{place}: the text of {row.annotator} is empty",
            "pull again: curate pull translate",
        )
    problem = problem_of(merged(units), text, variants, language)
    if problem is None:
        return None
    return Problem(
        problem.rule,
        f"{place}: '{short_text(text)}' of {row.annotator} is not taken: {problem.message}",
        f"{problem.hint}; have it corrected on its page, then pull and collect again: {row.link}",
    )
