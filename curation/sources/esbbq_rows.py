"""Turn a row of EsBBQ's or CaBBQ's templates into its variants."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from curation.files.tables import Row
from curation.languages import load
from curation.records.bank import ONCE_COLUMN, Label, Texts, Variant
from curation.records.errors import CurateError
from curation.records.ids import (
    TemplateId,
    VariantId,
    VariantLetter,
    VariantVersion,
    category_slug,
)
from curation.slots import (
    Filler,
    Slot,
    SlotList,
    SlotText,
    compile_text,
    print_lists,
    print_text,
)
from curation.slots.joining import joining_of
from curation.sources.esbbq_people import (
    WITH_ARTICLE,
    Cast,
    Cells,
    Vocabularies,
    asked_of,
    cast_of,
    form_key,
    read_lists,
)
from curation.sources.imported import CellError, RowReport, read_groups

TEXT_COLUMNS = {
    "ambiguous_context": "ambiguous_context",
    "disambiguating_context": "disambiguating_context",
    "biased_question": "question_negative_stereotype",
    "counter_biased_question": "question_non_negative",
    "biased_answer": "answer_negative",
    "counter_biased_answer": "answer_non_negative",
}
"""Fields of a variant's texts that hold slots, by published column without its language."""

EXTRA_COLUMNS = {
    "version": "esbbq_version",
    "subcategory": "esbbq_subcategory",
    "proper_nouns_only": "esbbq_proper_nouns_only",
    "stated_gender_info": "esbbq_stated_gender_info",
}
"""Published columns that the bank keeps as its own, where any row fills them."""
FLIPPED = "esbbq_flipped"
"""The bank's column of what the publishers call the instances of a variant."""

_LABELS = {
    "t": Label.SIMPLY_TRANSFERRED,
    "m": Label.TARGET_MODIFIED,
    "n": Label.NEWLY_CREATED,
}
_VERSIONS = {
    "": VariantVersion.ONLY,
    "a": VariantVersion.MASCULINE,
    "b": VariantVersion.FEMININE,
    "p": VariantVersion.PROPER_NAMES,
    "p-a": VariantVersion.MASCULINE_NAMES,
    "p-b": VariantVersion.FEMININE_NAMES,
}
_TWINS = {"a": "b", "b": "a", "p-a": "p-b", "p-b": "p-a"}
_OTHER_ORDER = {
    VariantLetter.A: VariantLetter.C,
    VariantLetter.B: VariantLetter.D,
}
_IN_TEXT = re.compile(
    r"\{\{\s*(?P<kind>NAME|WORD)(?P<number>[1-9])\s*(?:-(?P<form>[\w-]+))?\s*\}\}"
)
_LEFT_OVER = re.compile(r"[{}]")
_BETWEEN_SENTENCES = re.compile(r"([.?!\u2026][\"'\u201d\u2019\u00bb)\]]*)\s+")
_BASE = "base"
_HINT = "slots are written {{NAME1}}, {{NAME2-def}}, {{WORD1}}, ..."


class Mark(NamedTuple):
    """A slot of a published text, `{{NAME1-def}}`."""

    kind: str
    number: int
    form: str

    @property
    def name(self) -> str:
        """The slot's name in the bank."""
        return f"{'N' if self.kind == 'NAME' else 'W'}{self.number}"

    @property
    def is_person(self) -> bool:
        """Whether a person stands in it, and no word."""
        return self.kind == "NAME"

    @property
    def exchanged(self) -> "Mark":
        """The slot of the other person; a word's own."""
        return self._replace(number=3 - self.number) if self.is_person else self


Parts = tuple[str | Mark, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """A row as variants whose template has no number yet.

    Attributes:
        row: The row.
        category: Its category.
        number: Its template's number as published.
        version: Its version as published.
        variants: Letter, what the publishers call its instances, and wording of each variant.
        label: Its label.
        source_id: The template of BBQ that it came from.
        source_category: Its category in BBQ.
        reference: Where the stereotype is documented.
        extra: The bank's own columns.
        members: Fillers with the group that each is of.
    """

    row: int
    category: str
    number: int
    version: str
    variants: tuple[tuple[VariantLetter, str, Texts], ...]
    label: Label | None
    source_id: str
    source_category: str
    reference: str
    extra: Mapping[str, str]
    members: tuple[tuple[str, Filler], ...]


def draft_of(row: Row, report: RowReport, cells: Cells, vocabularies: Vocabularies) -> Draft | None:
    """Read a row; one that cannot be read is refused in the report."""
    try:
        draft = _draft(row, cells, vocabularies)
    except CellError as error:
        column = cells.column(report.table, error.column)
        report.refuse("source-unreadable-row", row.number, column, error.what, error.hint)
    except CurateError as error:
        report.refuse("source-unreadable-row", row.number, "", error.what, error.hint)
    else:
        label = row.get("label").strip()
        if label and draft.label is None:
            what, known = f"'{label}' is not a label, and is left out", ", ".join(_LABELS)
            report.warn("source-label", row.number, "label", what, f"labels are {known}")
        return draft
    return None


def _draft(row: Row, cells: Cells, vocabularies: Vocabularies) -> Draft:
    category, number = row.get("esbbq_category").strip(), row.get("esbbq_template_id").strip()
    try:
        category_slug(category)
    except CurateError as error:
        raise CellError("esbbq_category", error.what, error.hint) from error
    if not (number.isdecimal() and number.isascii()) or len(number) > 9:
        raise CellError(
            "esbbq_template_id", f"'{number}' is not a template number", "write a whole number"
        )
    words = load(cells.language).samples
    cast = cast_of(asked_of(row, cells), vocabularies, words.instead if words else {})
    return Draft(
        row=row.number,
        category=category,
        number=int(number),
        version=row.get("version").strip().casefold(),
        variants=tuple(_variants(_Body.of(row, cells, cast))),
        label=_LABELS.get(row.get("label").strip().casefold()),
        source_id=row.get("bbq_template_id").strip(),
        source_category=row.get("bbq_category").strip(),
        reference="; ".join(read_groups(cells.of(row, "esbbq_source"))),
        extra={own: row.get(column).strip() for column, own in EXTRA_COLUMNS.items()},
        members=cast.members,
    )


@dataclass(frozen=True, slots=True)
class _Body:
    """What a row says: its texts, its people and its words."""

    language: str
    stereotype: str
    targets: tuple[str, ...]
    parts: Mapping[str, Parts]
    words: Mapping[str, tuple[Filler, ...]]
    cast: Cast

    @classmethod
    def of(cls, row: Row, cells: Cells, cast: Cast) -> "_Body":
        """Read the texts and words of a row.

        Raises:
            CellError: If one of them cannot be read.
        """
        parts = {
            field: _read_text(cells.of(row, column), column, cells.language)
            for field, column in TEXT_COLUMNS.items()
        }
        words = read_lists(cells.of(row, "lexical_diversity"), "lexical_diversity")
        people = next((name for name in words if name.startswith("NAME")), None)
        if people is not None:
            raise CellError("lexical_diversity", f"{people} is not a word", "list it in names")
        targets = read_groups(cells.of(row, "stereotyped_groups"))
        stereotype = cells.of(row, "relevant_social_values")
        return cls(cells.language, stereotype, targets, parts, words, cast)

    @property
    def negative(self) -> int:
        """Who is the answer to the negative question, 1 or 2.

        Raises:
            CellError: If the two answers do not name one person each.
        """
        one, two = (
            {part.number for part in self.parts[field] if isinstance(part, Mark) and part.is_person}
            for field in ("biased_answer", "counter_biased_answer")
        )
        if len(one) == len(two) == 1 and one != two:
            return one.pop()
        raise CellError(
            "answer_negative",
            "the two answers do not name one person each",
            "let one hold {{NAME1}} and the other {{NAME2}}",
        )


def _read_text(text: str, column: str, language: str) -> Parts:
    """Read a text with slots; it begins with a capital, and one blank is between sentences.

    So the publishers fill it.
    """
    if not text:
        raise CellError(column, "the text is empty", "a template needs all six texts")
    plain = _BETWEEN_SENTENCES.sub(r"\1 ", text)
    parts: list[str | Mark] = []
    at = 0
    for match in _IN_TEXT.finditer(plain):
        parts += _literal(plain[at : match.start()], column)
        mark = Mark(match["kind"], int(match["number"]), form_key(match["form"] or ""))
        if mark.is_person and mark.number > 2:
            raise CellError(column, f"{match[0]} is not a slot: there are two people", _HINT)
        parts.append(mark)
        at = match.end()
    parts += _literal(plain[at:], column)
    if isinstance(parts[0], str):
        parts[0] = joining_of(language).capital(parts[0])
    return tuple(parts)


def _literal(text: str, column: str) -> list[str]:
    found = _LEFT_OVER.search(text)
    if found:
        near = text[max(found.start() - 2, 0) :][:20]
        raise CellError(column, f"'{near}' looks like a slot and is not one", _HINT)
    return [text] if text else []


def _variants(body: _Body) -> Iterable[tuple[VariantLetter, str, Texts]]:
    """The variants of a row, each role in each order of mention, in the publishers' order.

    With the lists exchanged, as between KoBBQ's `a` and `b`, the same texts mention the people in
    the other order and in the other role. Where the ambiguous context has their slots exchanged
    too, the role alone is another one. People who draw from one list have no lists to exchange,
    and no second order either: every two of them come in both.
    """
    letter = VariantLetter.B if body.cast.target == body.negative else VariantLetter.A
    if body.cast.exchangeable:
        after = ("disambiguating_context", "biased_answer", "counter_biased_answer")
        yield letter, "original", _texts(body, letter, ())
        yield letter.twin, "disambig", _texts(body, letter.twin, after)
        return
    other, ambiguous = _OTHER_ORDER[letter], ("ambiguous_context",)
    exchanged = letter.twin, "all", _texts(body, letter.twin, (), lists_exchanged=True)
    yield letter, "original", _texts(body, letter, ())
    if body.cast.both_ways:  # then the publishers have it as another original
        yield exchanged
    yield other, "ambig", _texts(body, other, ambiguous)
    yield other.twin, "disambig", _texts(body, other.twin, ambiguous, lists_exchanged=True)
    if not body.cast.both_ways:
        yield exchanged


def _texts(
    body: _Body, letter: VariantLetter, exchanged: Sequence[str], lists_exchanged: bool = False
) -> Texts:
    """The wording of one variant.

    Args:
        body: The row.
        letter: Its letter.
        exchanged: The fields whose two people are exchanged.
        lists_exchanged: Whether their lists are.
    """
    cast, step = body.cast, -1 if lists_exchanged else 1
    names = [SlotList(f"N{at}", own) for at, own in enumerate(cast.people[::step], start=1)]
    if cast.exchangeable and letter.is_biased:
        names.reverse()  # the product takes the second person first in b, which is the same here
    words = [SlotList(_word_slot(name), own) for name, own in body.words.items()]
    n1_groups, n2_groups = cast.groups[::step]
    return Texts(
        stereotype=body.stereotype,
        target_groups=body.targets,
        names=print_lists(names, cast.conditions),
        words=print_lists(words),
        n1_groups=n1_groups,
        n2_groups=n2_groups,
        **{field: _wording(body, field, field in exchanged) for field in body.parts},
    )


def _word_slot(name: str) -> str:
    return f"W{name.removeprefix('WORD')}"


def _wording(body: _Body, field: str, exchanged: bool) -> str:
    """Write a text in the bank's grammar.

    A plain slot becomes `[N1.base]` where its filler begins a sentence or melts into the word
    before it, as a named form does.
    """
    parts: list[str | Slot] = []
    for part in body.parts[field]:
        if isinstance(part, str):
            parts.append(part)
            continue
        mark = part.exchanged if exchanged else part
        fillers = _fillers(body, mark, TEXT_COLUMNS[field])
        form = mark.form
        if mark.is_person and body.cast.article and not form:
            form = WITH_ARTICLE if all(item.feature(WITH_ARTICLE) for item in fillers) else ""
        _refuse_missing(mark, form, fillers, TEXT_COLUMNS[field])
        if not form and _is_changed(parts, mark.name, fillers, body.language):
            form = _BASE
        parts.append(Slot(mark.name, named=form or None))
    return print_text(SlotText(tuple(parts)))


def _fillers(body: _Body, mark: Mark, column: str) -> tuple[Filler, ...]:
    """All that can stand in a slot; people change places, so those of both."""
    if mark.is_person:
        return (*body.cast.people[0], *body.cast.people[1])
    fillers = body.words.get(f"WORD{mark.number}")
    if fillers is None:
        raise CellError(
            column, f"WORD{mark.number} has no list of words", "declare it in lexical_diversity"
        )
    return fillers


def _refuse_missing(mark: Mark, form: str, fillers: Iterable[Filler], column: str) -> None:
    lacking = next((item for item in fillers if form and item.feature(form) is None), None)
    if lacking is not None:
        raise CellError(
            column,
            f"'{lacking.text}' has no form '{form}', which {{{{{mark.kind}{mark.number}-{form}}}}} "
            "asks for",
            f"list it: {mark.kind}{mark.number}-{form}: [...], and for the other person too",
        )


def _is_changed(
    parts: Sequence[str | Slot], name: str, fillers: tuple[Filler, ...], language: str
) -> bool:
    """Whether a filler is written in another way after what precedes it."""
    before = parts[-1] if parts and isinstance(parts[-1], str) else ""
    if len(parts) > (1 if before else 0):
        before = f"x{before}"  # not the first words of the text
    plain, named = (
        compile_text(
            SlotText((*filter(None, (before,)), Slot(name, named=form))),
            {name: SlotList(name, fillers)},
            (name,),
            language,
        )
        for form in (None, _BASE)
    )
    return any(plain.render((at,)) != named.render((at,)) for at in range(len(fillers)))


def settle(drafts: Sequence[tuple[Draft, RowReport]]) -> list[Variant]:
    """Give the drafts their templates, and make the variants of the bank.

    A version that another row of the template has, or that is none, makes a template of its own; a
    row that says what another one says is refused.
    """
    columns = [
        name for name in EXTRA_COLUMNS.values() if any(draft.extra[name] for draft, _ in drafts)
    ]
    last: dict[str, int] = {}
    for draft, _ in drafts:
        slug = category_slug(draft.category)
        last[slug] = max(last.get(slug, 0), draft.number)
    taken: set[tuple[str, int, str]] = set()
    first: dict[object, Draft] = {}
    made: dict[TemplateId, int] = {}
    variants: list[Variant] = []
    for draft, report in drafts:
        slug, number, version = category_slug(draft.category), draft.number, draft.version
        known = first.setdefault((slug, number, version, draft.variants), draft)
        if known is not draft:
            message = f"it repeats row {known.row} of {TemplateId(slug, number)}"
            report.refuse("source-row-repeated", draft.row, "", message, "take one of them out")
            continue
        if version not in _VERSIONS or (slug, number, version) in taken:
            last[slug] += 1
            number = last[slug]
            report.warn(
                "source-version",
                draft.row,
                "version",
                f"version '{version}' "
                + ("is not known" if version not in _VERSIONS else "is that of another row")
                + f"; the row is template {TemplateId(slug, number)}",
                f"versions are {', '.join(filter(None, _VERSIONS))}, or nothing",
            )
        else:
            taken.add((slug, number, version))
        template = TemplateId(slug, number)
        made[template] = made.get(template, 0) + len(draft.variants)
        variants += _made(draft, template, columns, made[template] - len(draft.variants) + 1)
    _tell_twins(drafts, taken)
    return variants


def _made(
    draft: Draft, template: TemplateId, columns: Sequence[str], first: int
) -> Iterable[Variant]:
    version = _VERSIONS.get(draft.version, VariantVersion.ONLY)
    numbered = enumerate(draft.variants)
    for at, (letter, flipped, texts) in sorted(numbered, key=lambda item: item[1][0]):
        yield Variant(
            id=VariantId(template, letter, version),
            category=draft.category,
            label=draft.label,
            texts=texts,
            source_texts=texts,
            source="esbbq",
            source_id=draft.source_id,
            source_category=draft.source_category,
            reference=draft.reference,
            extra=(
                (ONCE_COLUMN, str(first + at)),
                (FLIPPED, flipped),
                *((column, draft.extra[column]) for column in columns),
            ),
            row=draft.row,
        )


def _tell_twins(
    drafts: Sequence[tuple[Draft, RowReport]], taken: set[tuple[str, int, str]]
) -> None:
    """Report versions of one gender that the other gender has no twin of."""
    for draft, report in drafts:
        slug, twin = category_slug(draft.category), _TWINS.get(draft.version)
        if twin is not None and (slug, draft.number, twin) not in taken:
            report.warn(
                "source-version-alone",
                draft.row,
                "version",
                f"{TemplateId(slug, draft.number)} has version {draft.version} and no {twin}",
                "add the wording of the other gender, or empty the cell where there is one wording",
            )
