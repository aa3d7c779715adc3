"""Translators' texts that were pulled from a server: which of them holds, and into the bank."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from curation.annotation.labelstudio.answers import FROM_SERVER, read_results
from curation.annotation.translation.returned import (
    NO,
    Given,
    Problem,
    Put,
    Returned,
    confirmed,
    conflict_message,
    problem_of,
    put,
    read_returned,
    recorded,
    returned_file,
    save_taken,
    waiting,
)
from curation.annotation.translation.reviewed import machine_forms
from curation.annotation.translation.rows import unit_uid, units_by_key
from curation.annotation.translation.sheet import where
from curation.annotation.translation.tasks import Translation, merged
from curation.annotation.translation.units import (
    Unit,
    UnitKey,
    Variants,
    machine_text,
    own_texts,
    units_either_way,
)
from curation.files.annotations import AnnotationsFolder
from curation.files.ledger import now
from curation.files.lock import writing
from curation.files.workspace import Workspace
from curation.languages import LanguageOrCode
from curation.records.annotation import person_key
from curation.records.errors import CurateError
from curation.records.findings import Finding, Severity

_SHOWN = 60

Taken = Mapping[UnitKey, Returned]
"""What was put into the bank, by what it translates."""


Offer = tuple[Unit, Returned]
"""One translator's text, with what it translates."""


@dataclass(frozen=True, slots=True)
class Dispute:
    """A unit of which translators have different texts, and nobody has chosen."""

    unit: Unit
    offers: tuple[Returned, ...]


Seen = Mapping[tuple[UnitKey, str], frozenset[str]]
"""The texts of the bank that a translator was shown, by what they translate and by person."""


def choose(
    offers: Iterable[Offer], taken: Taken, by: str = "", seen: Seen = MappingProxyType({})
) -> tuple[list[Offer], list[Dispute]]:
    """Find the text of each unit that holds; where translators differ nothing is guessed.

    A translator's text that was collected from a workbook counts beside those that are offered,
    unless the same person has offered another one since.

    Args:
        offers: The translators' texts, one of each translator and unit.
        taken: What was put into the bank.
        by: The translator whose texts are chosen if translators differ; none by default.
        seen: What they were shown: who writes another text in the place of one has meant to.
    """
    by_unit: dict[Unit, list[Returned]] = {}
    for unit, offer in offers:
        by_unit.setdefault(unit, []).append(offer)
    chosen, disputes = [], []
    for unit, members in by_unit.items():
        earlier = recorded(taken, unit)
        shown = [seen.get((unit.key, person_key(one.translator)), ()) for one in members]
        known = earlier is not None and all(earlier.translation in texts for texts in shown)
        candidates = members if known else _with_workbook(members, earlier)
        found = _settled(candidates, earlier, by)
        if found is None:
            disputes.append(Dispute(unit, tuple(candidates)))
        else:
            chosen.append((unit, found))
    return chosen, disputes


def _with_workbook(offers: list[Returned], earlier: Returned | None) -> list[Returned]:
    """Add the text that somebody returned in a workbook; the later one of one person counts."""
    if earlier is None or earlier.source_file.startswith(FROM_SERVER):
        return offers
    if earlier.confirmed == NO:  # the machine's text, which nobody has looked at
        return offers
    person = person_key(earlier.translator)
    again = next((item for item in offers if person_key(item.translator) == person), None)
    if again is not None and again.collected_at >= earlier.collected_at:
        return offers
    return [earlier, *(item for item in offers if item is not again)]


def _settled(offers: list[Returned], earlier: Returned | None, by: str) -> Returned | None:
    texts = dict.fromkeys(item.translation for item in offers)
    standing = earlier if earlier is not None and earlier.translation in texts else None
    over = standing.over if standing else ()
    wanted = next((o for o in offers if by and person_key(o.translator) == person_key(by)), None)
    if wanted is not None and len(texts) > 1:
        others = tuple(text for text in texts if text != wanted.translation)
        return replace(wanted, over=others)
    # A choice that was made holds until somebody comes up with another text.
    settled = standing is not None and {*texts} <= {standing.translation, *over}
    if len(texts) > 1 and not settled:
        return None
    text = standing.translation if standing else next(iter(texts))
    return replace(next(item for item in offers if item.translation == text), over=over)


@dataclass(frozen=True, slots=True)
class Pulled:
    """What was pulled, compared with the bank as it is now; nothing is written yet.

    Attributes:
        rows: Texts of translators that were looked at.
        chosen: Each unit with the text that holds, and over which of others a person chose it.
        disputes: Units of which translators have different texts.
        findings: Texts that cannot be taken.
        seen: What translators were shown.
    """

    rows: int
    chosen: tuple[Offer, ...]
    disputes: tuple[Dispute, ...]
    findings: tuple[Finding, ...]
    seen: Seen

    def fresh(self, taken: Taken) -> list[Unit]:
        """Units whose text was not put into the bank yet."""
        return [unit for unit, item in self.chosen if not _is_taken(item, taken)]


def to_collect(workspace: Workspace, pulled: Pulled, taken: Taken) -> list[Unit]:
    """Units whose text was not put into the bank yet, and can be: of a list, when all is there.

    Args:
        workspace: The workspace.
        pulled: What was pulled.
        taken: What was put into the bank.
    """
    given = [_given(*item, taken, pulled.seen) for item in _apart(pulled.chosen)]
    wait = waiting(workspace.bank, given)
    return [unit for unit in pulled.fresh(taken) if unit.key not in wait]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A text on which translators differ.

    Attributes:
        unit_id: The text.
        template_id: Its template.
        where: The fields and variants that it is in.
        source: The source text.
        texts: By translator.
    """

    unit_id: str
    template_id: str
    where: tuple[str, ...]
    source: str
    texts: dict[str, str]


@dataclass(frozen=True, slots=True)
class CollectedPulled:
    """What became of the texts that were pulled.

    Attributes:
        texts: Texts of translators that were looked at.
        accepted: Texts of the bank that one of them holds for.
        refused: Those that cannot be taken.
        cells: Cells of the bank that were written.
        unchanged: Cells that held the translation already.
        conflicts: Cells that were left as they are, for somebody has written there since.
        open_lists: Cells with lists of which a filler is still missing.
        disagreements: Texts on which translators differ.
        findings: What was not taken, and why.
    """

    texts: int
    accepted: int
    refused: int
    cells: int
    unchanged: int
    conflicts: int
    open_lists: int
    disagreements: tuple[Disagreement, ...]
    findings: tuple[Finding, ...]


def collect_pulled(
    workspace: Workspace, by: str = "", templates: Sequence[str] = ()
) -> CollectedPulled:
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
    with writing(workspace, "curate translate collect"):
        if not file.exists():
            raise CurateError(
                "no translation was pulled yet", shown, "fetch them: curate pull translate"
            )
        taken = read_returned(returned_file(workspace.root))
        pulled = read_pulled(workspace, taken, by, templates)
        chosen = [*_apart(pulled.chosen)]
        result = put(workspace.bank, [_given(*item, taken, pulled.seen) for item in chosen])
        at = now()
        found = [(unit, replace(item, collected_at=at)) for unit, item in chosen]
        save_taken(workspace, result, taken, found)
    return CollectedPulled(
        texts=pulled.rows,
        accepted=len(pulled.chosen),
        refused=len(pulled.findings),
        cells=result.written,
        unchanged=result.unchanged,
        conflicts=len(result.conflicts),
        open_lists=result.open_lists,
        disagreements=tuple(map(_disagreement, pulled.disputes)),
        findings=(
            *pulled.findings,
            *_disputes(pulled.disputes, shown),
            *_conflicts(pulled, result, taken, shown),
        ),
    )


def _disagreement(item: Dispute) -> Disagreement:
    return Disagreement(
        unit_id=unit_uid(item.unit),
        template_id=str(item.unit.template),
        where=tuple(where(item.unit).splitlines()),
        source=item.unit.text,
        texts={offer.translator: offer.translation for offer in item.offers},
    )


def read_pulled(
    workspace: Workspace, taken: Taken, by: str = "", templates: Sequence[str] = ()
) -> Pulled:
    """Compare what was pulled with the bank: every text is verified, or said and left out.

    Args:
        workspace: The workspace.
        taken: What was put into the bank.
        by: The translator whose texts are chosen if translators differ; none by default.
        templates: Only these; all by default.

    Raises:
        CurateError: If it cannot be read, or what is wanted is not among it.
    """
    file = AnnotationsFolder(workspace.root).folder / "translate.csv"
    rows = read_results(file, Translation)
    known = units_by_key(*units_either_way(workspace))
    variants = {variant.id: variant for variant in workspace.bank.variants}
    meant = [(row, _meant(row, known, variants, taken)) for row in rows]
    _refuse_unknown(meant, by, templates, workspace.shown(file))
    findings: list[Finding] = []
    offers: list[Offer] = []
    alone: set[UnitKey] = set()
    seen: dict[tuple[UnitKey, str], frozenset[str]] = {}
    count = 0
    for row, every in meant:
        units = [unit for unit in every if not templates or str(unit.template) in templates]
        if templates and not units and row.template_id not in templates:
            continue
        count += 1
        problem = _problem(row, units, variants, workspace.language)
        if problem is not None:
            findings.append(_finding(problem, workspace.shown(file)))
            continue
        for unit in units:
            offers.append((unit, _offer(row, unit, variants, workspace.language)))
            seen[unit.key, person_key(row.annotator)] = frozenset(row.seen.splitlines())
        if row.alone == _YES:
            alone |= {unit.key for unit in units}
    only = {(row.unit_id, row.annotator) for row in rows if row.alone == _YES}
    kept = [
        (unit, offer)
        for unit, offer in offers
        if unit.key not in alone or (unit_uid(unit), offer.translator) in only
    ]
    chosen, disputes = choose(kept, taken, by, seen)
    return Pulled(count, tuple(chosen), tuple(disputes), tuple(findings), seen)


_YES = "true"


def _meant(
    row: Translation, known: Mapping[str, Sequence[Unit]], variants: Variants, taken: Taken
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
        earlier = recorded(taken, unit)
        usual |= {earlier.translation, *earlier.over} if earlier is not None else set()
        usual |= {*own_texts(unit, variants)}
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
            f"more: '{_short(row.source)}'",
            "push the texts again (curate push translate), then pull; the translation is not "
            "collected",
        )
    unit, text = units[0], row.target.strip()
    if not text:
        return Problem(
            "translation-empty",
            f"{_place(unit)}: the text of {row.annotator} is empty",
            "pull again: curate pull translate",
        )
    problem = problem_of(merged(units), text, variants, language)
    if problem is None:
        return None
    link = f": {row.link}" if row.link else ""
    return Problem(
        problem.rule,
        f"{_place(unit)}: '{_short(text)}' of {row.annotator} is not taken: {problem.message}",
        f"{problem.hint}; have it corrected on its page, then pull and collect again{link}",
    )


def _is_taken(offer: Returned, taken: Taken) -> bool:
    """Say whether this very text was put into the bank before."""
    earlier = taken.get(offer.key)
    return earlier is not None and earlier.translation == offer.translation


def _place(unit: Unit) -> str:
    return f"{unit.template}, {'; '.join(where(unit).splitlines())}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 3]}..."


def _offer(row: Translation, unit: Unit, variants: Variants, language: LanguageOrCode) -> Returned:
    """A translator's text; who submits a page confirms what the machine wrote there."""
    said = row.target.strip(), row.remark.strip(), row.annotator
    offer = Returned(*unit.key, *said, row.source_file, row.collected_at)
    if offer.translation not in machine_forms(machine_text(unit, variants), unit.kind, language):
        return offer
    return confirmed(offer, row.annotator, row.source_file, row.collected_at)


def _apart(chosen: Iterable[Offer]) -> Iterator[Offer]:
    """Take the places out of a text of several variants that have one of their own."""
    offers = [*chosen]
    own = {place for unit, _ in offers if unit.letter for place in unit.places}
    for unit, item in offers:
        left = unit.places if unit.letter else tuple(p for p in unit.places if p not in own)
        if left:
            yield replace(unit, places=left), item


def _given(unit: Unit, item: Returned, taken: Taken, seen: Seen) -> Given:
    """A text with what may be written over: what was collected before, and what was shown."""
    earlier = recorded(taken, unit)
    before = {earlier.translation} if earlier is not None else set()
    before |= seen.get((unit.key, person_key(item.translator)), frozenset())
    return Given(unit, item.translation, frozenset(before))


def _disputes(found: Iterable[Dispute], file: str) -> Iterator[Finding]:
    """Say on which texts translators differ, once where it is the same text of several."""
    groups: dict[tuple[str, tuple[tuple[str, str], ...]], list[Dispute]] = {}
    for item in found:
        offers = tuple((one.translator, one.translation) for one in item.offers)
        groups.setdefault((item.unit.text, offers), []).append(item)
    for same in groups.values():
        yield _dispute(same[0], len(same) - 1, file)


def _dispute(item: Dispute, more: int, file: str) -> Finding:
    texts = ", ".join(
        f"{offer.translator or 'a workbook'} '{offer.translation}'" for offer in item.offers
    )
    return _finding(
        Problem(
            "translation-disagreement",
            f"{_place(item.unit)}{f', and {more} more' if more else ''}: translators differ, so "
            f"none is collected: {texts}",
            "agree on the page and pull again, or choose: --by NAME, of one template with "
            "--template ID",
        ),
        file,
    )


def _conflicts(pulled: Pulled, result: Put, taken: Taken, file: str) -> Iterator[Finding]:
    """Say what was left out because of what stands in the bank.

    Who edits a text there after it was collected meant to: that is no error later.
    """
    fresh = {*pulled.fresh(taken)}
    for conflict in result.conflicts:
        edited = conflict.unit not in fresh
        said = Problem("translation-bank-changed", *conflict_message(conflict))
        yield _finding(said, file, Severity.INFO if edited else Severity.ERROR)


def _finding(said: Problem, file: str, severity: Severity = Severity.ERROR) -> Finding:
    return Finding(said.rule, severity, file, None, "target", said.message, said.hint)
