"""Turn a row of BBQ's template files into its variants."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from curation.files.tables import Row
from curation.records.bank import PUBLISHED, Texts
from curation.slots import (
    Filler,
    SlotList,
    declared_conditions,
    declared_lists,
    number_fillings,
    parse_conditions,
    print_lists,
)
from curation.sources.bbq_people import (
    NAME,
    Draw,
    Person,
    Pool,
    Target,
    Vocabulary,
    target_of,
    target_person,
)
from curation.sources.bbq_wording import (
    Lists,
    Note,
    Parts,
    Published,
    Wording,
    read_lists,
    read_literally,
    read_text,
    slot_names,
    with_articles,
    with_latinas,
    worded,
)
from curation.sources.imported import CellError, RowReport, read_groups, template_format

FORMAT = template_format("bbq")
_ONE, _TWO = Published(NAME, 1), Published(NAME, 2)
_SECOND = ("GEN", "OCC")
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class _Body:
    """What a row says apart from who its people are."""

    row: Row
    report: RowReport
    category: str
    parts: Mapping[str, Parts]
    words: Lists
    target: Target
    told: set[tuple[str, str, str]] = field(default_factory=set)

    @property
    def literally(self) -> dict[str, Parts]:
        """The texts as BBQ's generators read them."""
        return {
            field: read_literally(self.row[column].strip())
            for field, column in FORMAT.texts.items()
        }

    @property
    def slots(self) -> frozenset[Published]:
        """The slots of all texts."""
        parts = (part for text in self.parts.values() for part in text)
        return frozenset(part for part in parts if isinstance(part, Published))

    @property
    def negative_person(self) -> int | None:
        """The person who answers the negative question, 1 or 2; None if unknown."""
        found = _people_in(self.parts["biased_answer"])
        if len(found) == 1:
            return found.pop()
        found = _people_in(self.parts["counter_biased_answer"])
        return 3 - found.pop() if len(found) == 1 else None


@dataclass(frozen=True, slots=True)
class _Cast:
    """Who the two people are.

    Attributes:
        lists: The fillers of all slots.
        groups: The groups of both people.
        target: Who is of the target groups, 1 or 2; None if it is not told.
        conditions: What fillings have to meet, slots written as `{NAME1}`.
        people: The fillers that were drawn from a vocabulary.
    """

    lists: Lists
    groups: tuple[tuple[str, ...], tuple[str, ...]]
    target: int | None
    conditions: tuple[str, ...] = ()
    people: tuple[Person, ...] = ()


@dataclass(frozen=True, slots=True)
class Wordings:
    """What a variant says, and who its people are.

    Attributes:
        category: Its category.
        texts: Its wording, as it should be.
        source: Its wording as it was published.
        samples: Its wording as the published samples have it.
        is_biased: Whether the target is in the stereotyped role; None if that is not told.
        people: The fillers that were drawn from a vocabulary.
    """

    category: str
    texts: Texts
    source: Texts
    samples: Texts
    is_biased: bool | None
    people: tuple[Person, ...]


def wordings_of(
    row: Row, report: RowReport, category: str, vocabulary: Callable[[], Vocabulary]
) -> list[Wordings]:
    """Read a row: one variant, or both where it does not name its people.

    Args:
        row: The row.
        report: Where remarks go.
        category: Its category.
        vocabulary: Gives the vocabulary, if the row needs it.

    Raises:
        CellError: If it cannot be read.
    """
    body = _body(row, report, category)
    cell = row.get("Names").strip()
    found = []
    for cast in [_stated(body, cell)] if _is_map(cell) else _drawn(body, vocabulary):
        negative = body.negative_person
        told = cast.target is not None and negative is not None
        role = cast.target == negative if told else None
        found.append(Wordings(category, *_texts(body, cast), role, cast.people))
    return found


def _body(row: Row, report: RowReport, category: str) -> _Body:
    note = _corrections(row, report)
    parts = {field: _text(row, column, note) for field, column in FORMAT.texts.items()}
    words = _fillers(read_lists(row.get("Lexical_diversity"), "Lexical_diversity", note))
    return _Body(row, report, category, parts, words, target_of(row))


def _fillers(lists: Mapping[Published, tuple[str, ...]]) -> Lists:
    return {slot: tuple(map(Filler, texts)) for slot, texts in lists.items()}


def _corrections(row: Row, report: RowReport) -> Note:
    def note(column: str, message: str) -> None:
        report.note("source-corrected-cell", row.number, column, message)

    return note


def _text(row: Row, column: str, note: Note) -> Parts:
    if not row[column].strip():
        raise CellError(column, "the text is empty", "a template needs all six texts")
    return read_text(row[column].strip(), column, note)


def _people_in(parts: Parts) -> set[int]:
    slots = (part for part in parts if isinstance(part, Published))
    return {slot.number for slot in slots if slot.kind != "WORD"}


def _is_map(cell: str) -> bool:
    return bool(cell) and (
        not cell.startswith("[") or re.match(r"\[\{*\s*NAME\d", cell) is not None
    )


def _infos(row: Row) -> tuple[tuple[str, ...], tuple[str, ...]]:
    cells = (row.get("NAME1_info").strip(), row.get("NAME2_info").strip())
    one, two = (
        read_groups(cell) if cell.startswith("[") else ((cell,) if cell else ()) for cell in cells
    )
    return one, two


def _stated(body: _Body, cell: str) -> _Cast:
    """Take the people that the row names."""
    lists = read_lists(cell, "Names", _corrections(body.row, body.report))
    infos = _infos(body.row)
    said = infos
    if not any(infos):
        one, two = (
            names if all(body.target.has([name]) for name in names) else ()
            for names in (lists.get(_ONE, ()), lists.get(_TWO, ()))
        )
        said = (one, two)
    groups = _spelled(body.target, infos)
    return _Cast(_join(_fillers(lists), body.words), groups, target_person(body.target, said))


def _spelled(
    target: Target, infos: tuple[tuple[str, ...], tuple[str, ...]]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    one, two = (tuple(target.spelled(name) for name in names) for names in infos)
    return one, two


def _join(names: Lists, words: Lists) -> Lists:
    twice = next((slot for slot in names if slot in words), None)
    if twice is not None:
        raise CellError("Lexical_diversity", f"{twice} has a list in Names too", "keep one")
    return {**names, **words}


def _drawn(body: _Body, vocabulary: Callable[[], Vocabulary]) -> Iterator[_Cast]:
    """Draw the people from the names that the row lists, or from the vocabularies."""
    infos = _infos(body.row)
    fixed = target_person(body.target, infos)
    own = {slot for slot in body.slots if slot.kind in _SECOND}
    # A slot without a list is filled with the second of two attributes.
    second = min((slot.kind for slot in own - set(body.words) if body.target.races), default="")
    elsewhere = not second and (bool(own) or fixed is not None)
    draw = Draw(body.row, body.category, body.target, second, elsewhere, infos, vocabulary)
    pool = draw.pool()
    draw.tell(pool, body.report)
    negative = body.negative_person
    if fixed is None and negative is None:
        raise CellError("Answer_negative", "the answer names neither or both of the people")
    targets = [fixed] if fixed is not None else [3 - (negative or 0), negative or 0]
    for target in targets:
        yield _draw_cast(body, target, pool, infos)


def _draw_cast(
    body: _Body, target: int, pool: Pool, infos: tuple[tuple[str, ...], tuple[str, ...]]
) -> _Cast:
    people = {
        Published(kind, number): (pool.targets if number == target else pool.others)[kind]
        for kind in pool.targets
        for number in (1, 2)
    }
    names = {slot: fillers for slot, fillers in people.items() if slot.kind == NAME}
    lists = {**_join(names, body.words), **people}
    groups = (body.target.groups, pool.groups) if target == 1 else (pool.groups, body.target.groups)
    if not pool.groups:
        groups = _spelled(body.target, infos)
    return _Cast(lists, groups, target, pool.conditions, pool.people)


def _texts(body: _Body, cast: _Cast) -> tuple[Texts, Texts, Texts]:
    """The wording as it should read, as it was published, and as published samples read."""
    lists, conditions, changed = with_latinas(body.parts.values(), cast.lists, cast.conditions)
    names = slot_names(lists)
    ours = {field: _wording(body, field, lists, names) for field in body.parts}
    texts = _filled(body, cast, ours, "text", _cells(lists, names, conditions))
    _check_met(texts)
    parts, theirs, names = with_articles(body.literally, lists, names)
    published = ours
    if parts != body.parts:
        published = {field: worded(text, names, theirs) for field, text in parts.items()}
    samples = _filled(body, cast, published, "published", _cells(theirs, names, conditions))
    source = texts if samples == texts else samples
    is_corrected = changed or any(item.template != item.text for item in ours.values())
    if source is texts and is_corrected:
        raw = {field: worded(text, names, cast.lists) for field, text in body.parts.items()}
        cells = _cells(cast.lists, names, cast.conditions)
        source = _filled(body, cast, raw, "template", cells)
    wrong = {name: wording.wrong for name, wording in ours.items()}
    for name, changes in {"names": changed, **wrong}.items():
        _tell_wrong(body, name, changes, keeps_words=source != samples)
    return texts, source, samples


def _check_met(texts: Texts) -> None:
    """Refuse people when no two of them meet the conditions.

    Raises:
        CellError: If no filling meets them.
    """
    conditions = declared_conditions(texts.names, texts.words)
    lists = declared_lists(texts.names, texts.words) if conditions else {}
    if conditions and not number_fillings(lists, tuple(lists), conditions).count:
        raise CellError(
            "Names",
            f"no two of the people meet {'; '.join(map(str, conditions))}",
            "the lists or vocabularies need a person of the other gender, race or status",
        )


def _filled(
    body: _Body, cast: _Cast, wordings: Mapping[str, Wording], side: str, cells: Mapping[str, str]
) -> Texts:
    return Texts(
        stereotype=body.row.get("Relevant_social_values").strip(),
        target_groups=body.target.groups,
        n1_groups=cast.groups[0],
        n2_groups=cast.groups[1],
        **cells,
        **{field: getattr(wording, side) for field, wording in wordings.items()},
    )


def _cells(
    lists: Lists, names: Mapping[Published, str], conditions: Iterable[str]
) -> dict[str, str]:
    """The lists and conditions as the bank's columns `names` and `words` hold them."""
    slots = {str(slot): name for slot, name in names.items()}
    written = parse_conditions("; ".join(item.format(**slots) for item in conditions))
    people = sorted(slot for slot in lists if slot.kind == NAME)
    words = [slot for slot in lists if slot.kind != NAME]
    of_people = [item for item in written if {*item.slots} <= {names[slot] for slot in people}]
    return {
        column: print_lists((SlotList(names[slot], lists[slot]) for slot in found), told)
        for column, found, told in (
            ("names", people, of_people),
            ("words", words, [item for item in written if item not in of_people]),
        )
    }


def _wording(body: _Body, field: str, lists: Lists, names: Mapping[Published, str]) -> Wording:
    parts, column = body.parts[field], FORMAT.texts[field]
    for part in parts:
        if isinstance(part, Published) and part not in lists:
            raise CellError(
                column,
                f"slot {part} has no list of fillers",
                "declare it in Names or Lexical_diversity",
            )
    return worded(parts, names, lists)


def _tell_wrong(
    body: _Body, name: str, wrong: Sequence[tuple[str, str]], *, keeps_words: bool
) -> None:
    """Report what was put right: articles, which the samples have wrong, and other words."""
    column = FORMAT.texts.get(name, "Names")
    by_rule: dict[str, list[str]] = {}
    for said, should in wrong:
        is_word = re.sub(r"\ban? ", "", said.casefold()) != re.sub(r"\ban? ", "", should.casefold())
        rule = "source-word" if is_word else "source-article"
        by_rule.setdefault(rule, []).append(f"'{should}' for '{said}'")
    for rule, changes in by_rule.items():
        more = f" and {len(changes) - _SHOWN} more" if len(changes) > _SHOWN else ""
        message = f"corrected: {', '.join(changes[:_SHOWN])}{more}"
        if rule == "source-article":
            # In a workspace of another language the source is corrected, and the column beside it.
            message += f"; what BBQ's samples say is kept in {name}_source or {name}{PUBLISHED}"
        else:
            message += ", as in BBQ's samples"
            kept = f"; in an English workspace {name}_source keeps the template's words"
            message += kept if keeps_words else ""
        if (column, rule, message) not in body.told:
            body.told.add((column, rule, message))
            body.report.note(rule, body.row.number, column, message)
