"""`curate translate collect --labelstudio`: what was pulled from a server, into the bank."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import click

from curation.cli.clock import now
from curation.cli.common import (
    count_findings,
    finding_dict,
    plural,
    print_findings,
    print_json,
)
from curation.cli.translate_save import conflict_message, save_taken, show_put
from curation.cli.translate_work import choice_of, units_of
from curation.io.annotations import AnnotationsFolder
from curation.io.labelstudio.results import Translation, read_results
from curation.io.translation.returned import Returned, read_returned, returned_file
from curation.io.workspace import Workspace
from curation.model.annotation import person_key
from curation.model.errors import CurateError
from curation.model.findings import Finding, Severity, has_errors
from curation.stages.translate.cells import Variants
from curation.stages.translate.choose import Chosen, Dispute, Offer, Taken, choose
from curation.stages.translate.collect import Given, Put, problem_of, put
from curation.stages.translate.sheet import unit_uid, where
from curation.stages.translate.units import Unit

_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Wanted:
    """What of that which was pulled is to be collected.

    Attributes:
        by: Whose texts are chosen where translators differ; nobody's where it is empty.
        templates: Only these; all where there are none.
    """

    by: str = ""
    templates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pulled:
    """What was pulled, held against the bank as it is now; nothing is written yet.

    Attributes:
        rows: Texts of translators that were looked at.
        chosen: The text of each unit that holds.
        disputes: Units of which translators have different texts.
        findings: Texts that cannot be taken.
    """

    rows: int
    chosen: tuple[Chosen, ...]
    disputes: tuple[Dispute, ...]
    findings: tuple[Finding, ...]

    def fresh(self, taken: Taken) -> list[Chosen]:
        """Give what was not put into the bank yet."""
        return [item for item in self.chosen if not _is_taken(item.offer, taken)]


def collect_pulled(ctx: click.Context, workspace: Workspace, wanted: Wanted, as_json: bool) -> None:
    """Put what was pulled into the bank, and show it.

    Raises:
        CurateError: If nothing was pulled, or a file cannot be read or written.
    """
    file = AnnotationsFolder(workspace.root).folder / "translate.csv"
    if not file.exists():
        raise CurateError(
            "no translation was pulled yet",
            workspace.shown(file),
            "fetch them: curate pull translate",
        )
    taken = read_returned(returned_file(workspace.root))
    pulled = read_pulled(workspace, taken, wanted)
    result = put(workspace.bank, [_given(item, taken) for item in pulled.chosen])
    at = now()
    save_taken(workspace, result, taken, [_returned(item, at) for item in pulled.chosen])
    shown = workspace.shown(file)
    findings = [
        *pulled.findings,
        *(_dispute(item, shown) for item in pulled.disputes),
        *_conflicts(
            result, {item.offer.unit.key: item.offer for item in pulled.chosen}, taken, shown
        ),
    ]
    if as_json:
        print_json(_as_dict(pulled, result, findings))
    else:
        _show(pulled, result, findings)
    if has_errors(findings):
        ctx.exit(1)


def read_pulled(workspace: Workspace, taken: Taken, wanted: Wanted) -> Pulled:
    """Hold what was pulled against the bank: every text is verified, or said and left out.

    Raises:
        CurateError: If it cannot be read, or what is wanted is not among it.
    """
    file = AnnotationsFolder(workspace.root).folder / "translate.csv"
    rows = read_results(file, Translation)
    _refuse_unknown(rows, wanted, workspace.shown(file))
    chosen_rows = [
        row for row in rows if not wanted.templates or row.template_id in wanted.templates
    ]
    choice = choice_of(workspace.culture, unlabelled=True, missing=False)
    units = {unit_uid(unit): unit for unit in units_of(workspace, workspace.bank, choice)[0]}
    variants = {variant.id: variant for variant in workspace.bank.variants}
    findings: list[Finding] = []
    offers = []
    for row in chosen_rows:
        problem = _problem(row, units, variants, workspace.culture.language)
        if problem is None:
            offers.append(_offer(row, units[row.unit_id]))
        else:
            findings.append(_finding(problem, workspace.shown(file)))
    chosen, disputes = choose(offers, taken, wanted.by)
    return Pulled(len(chosen_rows), tuple(chosen), tuple(disputes), tuple(findings))


def _refuse_unknown(rows: Sequence[Translation], wanted: Wanted, file: str) -> None:
    names = {person_key(row.annotator): row.annotator for row in rows}
    if wanted.by and person_key(wanted.by) not in names:
        raise CurateError(
            f"nothing was pulled of a translator called '{wanted.by}'",
            file,
            f"--by takes one of {', '.join(sorted(names.values())) or '(nobody)'}",
        )
    known = {row.template_id for row in rows}
    unknown = [name for name in wanted.templates if name not in known]
    if unknown:
        raise CurateError(
            f"nothing was pulled of template {unknown[0]}",
            file,
            "see template_id there for what was",
        )


_Said = tuple[str, str, str]
"""What is said of a text: rule, message, what to do."""


def _problem(
    row: Translation, units: Mapping[str, Unit], variants: Variants, language: str
) -> _Said | None:
    """Say why a text cannot be taken; None when it can."""
    unit = units.get(row.unit_id)
    if unit is None or (str(unit.template), unit.kind.value, unit.text) != (
        row.template_id,
        row.kind,
        row.source,
    ):
        return (
            "translation-source-changed",
            f"{row.template_id}: the text that {row.annotator} translated is not in the bank any "
            f"more: '{_short(row.source)}'",
            "push the texts anew (curate push translate), then pull; it is not taken",
        )
    text = row.target.strip()
    if not text:
        return (
            "translation-empty",
            f"{_place(unit)}: the text of {row.annotator} is empty",
            "pull again: curate pull translate",
        )
    problem = problem_of(unit, text, variants, language)
    if problem is None:
        return None
    return (
        problem.rule,
        f"{_place(unit)}: '{_short(text)}' of {row.annotator} is not taken: {problem.message}",
        f"{problem.hint}; have it mended on its page, then pull and collect again",
    )


def _is_taken(offer: Offer, taken: Taken) -> bool:
    """Say whether this very text was put into the bank before."""
    earlier = taken.get(offer.unit.key)
    return earlier is not None and earlier.translation == offer.text


def _place(unit: Unit) -> str:
    return f"{unit.template}, {'; '.join(where(unit).splitlines())}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 3]}..."


def _offer(row: Translation, unit: Unit) -> Offer:
    text, remark = row.target.strip(), row.remark.strip()
    return Offer(unit, row.annotator, text, remark, row.source_file, row.collected_at)


def _given(item: Chosen, taken: Taken) -> Given:
    """Give a text with what may be written over: what was collected for its unit before."""
    unit = item.offer.unit
    before = {taken[unit.key].translation} if unit.key in taken else set()
    return Given(unit, item.offer.text, frozenset(before))


def _returned(item: Chosen, at: str) -> tuple[Unit, Returned]:
    offer = item.offer
    return offer.unit, Returned(
        *offer.unit.key,
        *(offer.text, offer.remark, offer.translator, offer.source_file, at),
        over=item.over,
    )


def _dispute(item: Dispute, file: str) -> Finding:
    texts = ", ".join(f"{offer.translator or 'a workbook'} '{offer.text}'" for offer in item.offers)
    return _finding(
        (
            "translation-disagreement",
            f"{_place(item.unit)}: translators differ, so none is taken: {texts}",
            "agree on the page and pull again, or choose: --by NAME, of one template with "
            "--template ID",
        ),
        file,
    )


def _conflicts(
    result: Put, offers: Mapping[tuple[str, str, str], Offer], taken: Taken, file: str
) -> Iterator[Finding]:
    """Say what was left out because of what stands in the bank.

    Who edits a text there after it was collected meant to: that is no error later.
    """
    for conflict in result.conflicts:
        edited = _is_taken(offers[conflict.unit.key], taken)
        said = "translation-bank-changed", *conflict_message(conflict)
        yield _finding(said, file, Severity.INFO if edited else Severity.ERROR)


def _finding(said: _Said, file: str, severity: Severity = Severity.ERROR) -> Finding:
    rule, message, hint = said
    return Finding(rule, severity, file, None, "target", message, hint)


def _as_dict(pulled: Pulled, result: Put, findings: Sequence[Finding]) -> dict[str, object]:
    return {
        "texts": pulled.rows,
        "accepted": len(pulled.chosen),
        "cells": result.written,
        "unchanged": result.unchanged,
        "conflicts": len(result.conflicts),
        "open_lists": result.open_lists,
        "disagreements": [
            {
                "unit_id": unit_uid(item.unit),
                "template_id": str(item.unit.template),
                "where": where(item.unit).splitlines(),
                "source": item.unit.text,
                "texts": {offer.translator: offer.text for offer in item.offers},
            }
            for item in pulled.disputes
        ],
        "findings": [finding_dict(item) for item in findings],
    }


def _show(pulled: Pulled, result: Put, findings: Sequence[Finding]) -> None:
    if findings:
        print_findings(findings)
        click.echo(count_findings(findings))
    texts = len(pulled.chosen)
    click.echo(
        f"{pulled.rows} {plural('text', pulled.rows)} of translators: {texts} accepted, "
        f"{len(pulled.disputes)} on which they differ, {len(pulled.findings)} not taken."
    )
    show_put(result)
