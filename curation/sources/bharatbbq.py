"""BharatBBQ's template files (Tomar et al. 2025): Indian English, several rows a template.

`Pairing` says who is in the stereotyped role: in a `biased` row the answer to the negative question
is the target, in an `anti` row the other person. So `biased` rows are variants `b` and `d`, `anti`
rows `a` and `c`, whatever the published `version` says. Where `NAME1_info` and `NAME2_info` state
the stereotyped group of the other person alone, the role is open. A template may come with several
lists of people: those with proper names are version `p`, a further list is `c` and `d`. The
published examples are every filling of every row. What is no slot in them is none here either: a
slot without a list stands in the published texts as it is written, and so it does in the bank, with
a finding.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, product, zip_longest
from pathlib import Path

from curation.files.records import stream
from curation.files.tables import Row, list_literal, read_table
from curation.records.bank import OPEN_COLUMN, SLOT_TEXT_FIELDS, Texts, Variant
from curation.records.errors import CurateError
from curation.records.ids import TemplateId, VariantId, VariantLetter, VariantVersion, category_slug
from curation.records.licences import Licence
from curation.slots import Filler, Slot, SlotList, SlotText, parse_text, print_lists, print_text
from curation.sources.bbq_people import simple_target, target_person
from curation.sources.imported import (
    CellError,
    Imported,
    RowReport,
    groups_of,
    lacking,
    read_groups,
    template_files,
)
from curation.sources.roles import folded

LICENCE = Licence(
    "",
    "Aditya Tomar, Nihar Ranjan Sahoo and Pushpak Bhattacharyya",
    "https://github.com/sahoonihar/BharatBBQ",
)
"""The set states no licence."""
TITLE = "BharatBBQ"
"""What the set is called."""
WRITTEN_IN = ("en",)
"""Languages of the published templates."""
SUFFIXES = (".csv",)
"""How names of its files end."""
BESIDE = ""
"""Files that belong to those named and are taken from their folder."""

TEXT_COLUMNS = {
    "ambiguous_context": ("Ambiguous_Context",),
    "disambiguating_context": ("Disambiguating_Context",),
    "biased_question": ("Question_negative", "Question_negative_stereotype"),
    "counter_biased_question": ("Question_non_negative",),
    "biased_answer": ("Answer_negative",),
    "counter_biased_answer": ("Answer_non_negative",),
}
"""Fields of a variant's texts that hold slots, by published column; a file has one of several."""

_PROPER = ("Proper Nouns", "Proper_Nouns", "Proper_Noun", "Proper_nouns_only")
_TARGETS = (
    *("Known_stereotyped_groups", "Known_stereotyped_group"),
    *("Known_stereotyped_race", "Known_stereotyped_var2"),
)
EXTRA_COLUMNS = {
    "version": "bharatbbq_version",
    "Subcategory": "bharatbbq_subcategory",
    "Stated_gender_info": "bharatbbq_stated_gender_info",
}
"""Published columns that the bank keeps as its own, where any row fills them."""
COLUMNS = (
    *("Q_id", "Category", "Names", "Pairing", "Lexical_diversity", *_PROPER, *_TARGETS),
    *(column for columns in TEXT_COLUMNS.values() for column in columns),
    *("Relevant_social_values", "NAME1_info", "NAME2_info", "Notes", *EXTRA_COLUMNS),
)
"""All columns of the published files; each file has its own part of them."""
_REQUIRED = ("Q_id", "Category", "Names", "Pairing")

_SLOT = re.compile(r"\{\{\s*([A-Za-z0-9]+)\s*\}\}")
_BOUND = ("GEN", "OCC")
"""What a person is besides: slots that change places with the people."""
_UNNUMBERED = 1000
"""What is added to the row of a template whose `Q_id` is no number."""
_PROPER_ROWS = "1"
"""What rows with proper names have in their column; other values but 0 are further lists."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """A row, before it has a place among the rows of its template.

    Attributes:
        report: Where remarks on it go.
        row: The row.
        category: Its category.
        template: The template that `Q_id` names.
        biased: Whether the target is the answer to the negative question.
        people: Which list of people it has: empty, or as `Proper Nouns` says.
        parts: Its texts by field.
        lists: Its fillers.
        targets: The stereotyped groups.
        groups: The groups of the two people.
        role_open: Why it is open who the target is; empty where it is not.
    """

    report: RowReport
    row: Row
    category: str
    template: TemplateId
    biased: bool
    people: str
    parts: Mapping[str, SlotText]
    lists: Mapping[str, tuple[str, ...]]
    targets: tuple[str, ...]
    groups: tuple[tuple[str, ...], tuple[str, ...]]
    role_open: str


Question = tuple[str, str, bool, bool]
"""What rows and published examples have in common: category, number, whether the pairing is
`biased`, and whether people have proper names."""


def question(category: str, number: str, pairing: str, proper: str) -> Question:
    """The question of a published example, by its cells."""
    biased = pairing.strip().casefold() == "biased"
    return (
        folded(category),
        number.strip().removesuffix(".0"),
        biased,
        proper.strip() == _PROPER_ROWS,
    )


def are_templates(path: Path) -> bool:
    """Whether a table has the columns of template files."""
    try:
        names = stream(path, "").names
    except CurateError:
        return False
    return {*_REQUIRED} <= {*names}


def contradicted(paths: Sequence[Path]) -> frozenset[Question]:
    """The questions of which templates leave it open who the target is, whatever `Target` says.

    Raises:
        CurateError: If a file cannot be read, or none holds templates.
    """
    return frozenset(
        (
            folded(item.source_category or item.category),
            item.source_id.removesuffix(".0"),
            item.letter.is_biased,
            item.id.version is VariantVersion.PROPER_NAMES,
        )
        for item in read(paths).variants
        if item.role_open
    )


def read(paths: Sequence[Path]) -> Imported:
    """Read templates.

    The published folder also holds examples, and other files. They are passed over, each with a
    finding, and so is a file with the same rows as one before it.

    Raises:
        CurateError: If a file as a whole cannot be read, or none holds templates.
    """
    readings: list[_Reading] = []
    tables = (read_table(path, shown_as=path.name) for path in paths)
    reports, other = template_files(tables, TITLE, lacking(_REQUIRED, TEXT_COLUMNS.values()))
    for report in reports:
        report.unknown_columns(COLUMNS)
        readings += _readings(report)
    variants = _variants(readings)
    groups = groups_of(variants)
    return Imported.of_files("bharatbbq", ("en", "en"), reports, variants, groups, other)


def _readings(report: RowReport) -> Iterator[_Reading]:
    seen: dict[tuple[str, ...], int] = {}
    for row in report.table.rows:
        first = seen.setdefault(tuple(row.cells.values()), row.number)
        if first != row.number:
            report.refuse("source-row-repeated", row.number, "", f"it repeats row {first}")
            continue
        try:
            yield _reading(row, report)
        except CellError as error:
            report.refuse("source-unreadable-row", row.number, error.column, error.what, error.hint)


def _reading(row: Row, report: RowReport) -> _Reading:
    template, category = _template(row, report)
    pairing = row["Pairing"].strip().casefold()
    told = "write biased where the target is the answer to the negative question, else anti"
    if not pairing:
        raise CellError("Pairing", "it does not say who is in the stereotyped role", told)
    if pairing not in ("biased", "anti"):
        message = f"'{row['Pairing']}' is read as anti, as the published examples have it"
        report.warn("source-corrected-cell", row.number, "Pairing", message, told)
    lists = _slots({**_lists(row, "Names", report), **_words(row, report)})
    parts = {
        field: _text(row, next(name for name in columns if name in row.cells), lists, report)
        for field, columns in TEXT_COLUMNS.items()
    }
    targets = _targets(row)
    negative = _negative_person(parts)
    biased = pairing == "biased"
    groups, role_open = _roles(row, report, targets, negative, biased)
    return _Reading(
        report=report,
        row=row,
        category=category,
        template=template,
        biased=biased,
        people=next((row[name].strip() for name in _PROPER if name in row.cells), "").lstrip("0"),
        parts=parts,
        lists=dict(lists.values()),
        targets=targets,
        groups=groups,
        role_open=role_open,
    )


def _template(row: Row, report: RowReport) -> tuple[TemplateId, str]:
    category = re.sub(r"\W+", "_", row["Category"].strip()).strip("_")
    if not category:
        category = re.sub(r"\W+", "_", Path(report.table.file).stem).strip("_")
        message = f"no category is written; it is called '{category}', as the file is"
        report.note("source-corrected-cell", row.number, "Category", message)
    number = re.fullmatch(r"(\d{1,9})(?:\.0)?", row["Q_id"].strip())
    try:
        slug = category_slug(category)
    except CurateError as error:
        raise CellError("Category", error.what, error.hint) from error
    if number is not None:
        return TemplateId(slug, int(number[1])), category
    name = row["Q_id"].strip()
    rows = (other.number for other in report.table.rows if other["Q_id"].strip() == name)
    template = TemplateId(slug, _UNNUMBERED + (next(rows) if name else row.number))
    message = f"'{name}' is not a template number; the row is of {template}"
    report.warn("source-corrected-cell", row.number, "Q_id", message, "write a whole number")
    return template, category


_Lists = dict[str, tuple[str, ...]]
_Slots = dict[str, tuple[str, tuple[str, ...]]]


def _lists(row: Row, column: str, report: RowReport) -> _Lists:
    """Read `{{NAME1}}: [a, b]; {{NAME2}}: [c]`, as the published examples were made of it."""
    lists: _Lists = {}
    for entry in filter(None, (part.strip() for part in row.get(column).split(";"))):
        name, *written = entry.split(":")
        key = _key(name)
        if not key or len(written) != 1 or not written[0].strip():
            raise CellError(
                column, f"no list can be read at '{entry[:20]}'", "write {{NAME1}}: [a, b]"
            )
        if key in lists:
            raise CellError(column, f"{key} has two lists", "join them into one")
        items = list_literal(written[0].strip()) or written[0].strip("[] \n").split(",")
        lists[key] = tuple(item.strip() for item in items)
        odd = [item for item in lists[key] if not item or {*"[]{}"} & {*item}]
        if odd:
            report.warn(
                "source-odd-name",
                row.number,
                column,
                f"{key} has '{odd[0]}' for a name, and so have the published examples",
                "correct the list in the bank",
            )
    if not lists and column == "Names":
        raise CellError(column, "nobody is named", "write {{NAME1}}: [a, b]; {{NAME2}}: [c]")
    return lists


def _words(row: Row, report: RowReport) -> _Lists:
    try:
        return _lists(row, "Lexical_diversity", report)
    except CellError as error:
        what = f"{error.what}; its slots stay in the texts as they are written"
        report.warn("source-unreadable-cell", row.number, error.column, what, error.hint)
        return {}


def _key(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9]", "", name).upper()


def _slots(lists: _Lists) -> _Slots:
    """The fillers by published slot, each with the name of the slot in the bank.

    Raises:
        CellError: If there are more slots than the grammar has names for.
    """
    names: dict[str, str] = {"NAME1": "N1", "NAME2": "N2"}
    bound = next((kind for kind in _BOUND if {f"{kind}1", f"{kind}2"} <= {*lists}), "")
    if bound:
        names |= {f"{bound}1": "X1", f"{bound}2": "X2"}
    names |= {key: f"W{key[4:]}" for key in lists if re.fullmatch(r"WORD[1-9]\d?", key)}
    free = (name for number in range(1, 100) if (name := f"W{number}") not in {*names.values()})
    for key in lists:
        if key not in names:
            names[key] = next(free, "")
        if not names[key]:
            raise CellError("Lexical_diversity", "there are too many slots", "99 at most")
    return {key: (names[key], fillers) for key, fillers in lists.items()}


def _text(row: Row, column: str, lists: _Slots, report: RowReport) -> SlotText:
    """Read a text; what looks like a slot and has no list is reported, and stays as it is."""
    text = row[column].strip()
    if not text:
        raise CellError(column, "the text is empty", "a template needs all six texts")
    parts: list[str | Slot] = []
    for place, part in enumerate(_SLOT.split(text)):
        if place % 2 == 0:
            parts.append(part)
        elif _key(part) in lists:
            parts.append(Slot(lists[_key(part)][0]))
        else:
            parts.append(f"{{{{{part}}}}}")
    literal = "".join(part for part in parts if isinstance(part, str))
    if found := re.search(r"[{}]", literal):
        near = literal[max(found.start() - 2, 0) :][:20]
        report.warn(
            "source-slot-without-list",
            row.number,
            column,
            f"'{near}' is not a slot that has a list; the published examples show it as it is",
            "write what is meant in the bank, or take the template out",
        )
    return parse_text(print_text(SlotText(tuple(parts))))


def _targets(row: Row) -> tuple[str, ...]:
    """The stereotyped groups; with two attributes, every pair of them."""
    stated = [groups for name in _TARGETS if (groups := read_groups(row.get(name)))]
    return tuple(" ".join(pair) for pair in product(*stated)) if stated else ()


def _negative_person(parts: Mapping[str, SlotText]) -> int | None:
    """Who is the answer to the negative question, 1 or 2; None if it is not told."""
    for field, negative in (("biased_answer", True), ("counter_biased_answer", False)):
        named = {int(name[1]) for name in parts[field].names if name[0] != "W"}
        if len(named) == 1:
            return named.pop() if negative else 3 - named.pop()
    return None


def _roles(
    row: Row, report: RowReport, targets: tuple[str, ...], negative: int | None, biased: bool
) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], str]:
    """The people's groups, and why it is open who the target is.

    Where nothing is stated of the other person, they are of none of the target groups.
    """
    infos = tuple(read_groups(row.get(name)) for name in ("NAME1_info", "NAME2_info"))
    said = target_person(simple_target(targets), infos)
    if negative is None or not targets:
        report.warn(
            "source-target-undecided",
            row.number,
            "Answer_negative" if targets else "Known_stereotyped_groups",
            "the row does not say which person is of the stereotyped groups; its variant follows "
            "the pairing",
            "write target_groups, n1_groups and n2_groups in the bank",
        )
        return (infos[0], infos[1]), ""
    target = negative if biased else 3 - negative
    if said not in (None, target):
        why = f"NAME{said} is stated to be of the target groups, by the pairing it is NAME{target}"
        report.open_role(row.number, "Pairing", f"{why}, and so it is by Target of the examples")
        return (infos[0], infos[1]), why
    other = (infos[2 - target] if said else ()) or (_none_of(targets),)
    return ((targets, other) if target == 1 else (other, targets)), ""


def _none_of(targets: Sequence[str]) -> str:
    """Name those who are of none of the target groups; names of groups have no commas."""
    return f"non-{targets[0]}" if len(targets) == 1 else f"non-({' / '.join(targets)})"


def _variants(readings: Sequence[_Reading]) -> list[Variant]:
    """Give the rows of each template their places, in the order of the rows."""
    columns = {
        column: own
        for column, own in EXTRA_COLUMNS.items()
        if any(reading.row.get(column).strip() for reading in readings)
    }
    order = {id(reading): place for place, reading in enumerate(readings)}
    placed = sorted(_placed(readings), key=lambda item: order[id(item[0])])
    return [_variant(reading, name, swapped, columns) for reading, name, swapped in placed]


def _placed(readings: Sequence[_Reading]) -> Iterator[tuple[_Reading, VariantId, bool]]:
    """Yield each row with its id, and whether its list of N2 comes first."""
    templates: dict[TemplateId, dict[str, tuple[list[_Reading], list[_Reading]]]] = {}
    last: dict[str, int] = {}
    for reading in readings:
        lists = templates.setdefault(reading.template, {})
        anti, biased = lists.setdefault(reading.people, ([], []))
        (biased if reading.biased else anti).append(reading)
        category, number = reading.template.category, reading.template.number
        last[category] = max(last.get(category, 0), number)
    free = {category: count(number + 1) for category, number in last.items()}
    for template, lists in templates.items():
        for version in (VariantVersion.ONLY, VariantVersion.PROPER_NAMES):
            homes = _homes(template, version, free[template.category])
            for people in sorted(lists):
                if (people == _PROPER_ROWS) != (version is VariantVersion.PROPER_NAMES):
                    continue
                for pair in zip_longest(*lists[people]):
                    first = next(homes)
                    for reading, name in zip(pair, (first, first.twin), strict=True):
                        if reading is not None:
                            _tell_moved(reading, name)
                            # In b the product takes N2 first, for people who changed places.
                            kept = name.letter.is_biased and _same_people(pair[0], reading)
                            yield reading, name, kept


def _homes(
    template: TemplateId, version: VariantVersion, free: Iterator[int]
) -> Iterator[VariantId]:
    """Yield the places of a template's pairs: `a` and `c`, then those of new templates."""
    while True:
        for letter in (VariantLetter.A, VariantLetter.C):
            yield VariantId(template, letter, version)
        template = TemplateId(template.category, next(free))


def _same_people(one: _Reading | None, other: _Reading) -> bool:
    if one is None:
        return False
    people = [(reading.lists.get("N1"), reading.lists.get("N2")) for reading in (one, other)]
    return people[0] == people[1] and people[0][0] != people[0][1]


def _tell_moved(reading: _Reading, name: VariantId) -> None:
    if name.template != reading.template:
        reading.report.note(
            "source-template-split",
            reading.row.number,
            "Q_id",
            f"{reading.template} has more lists of people than a template has letters; this row "
            f"is {name}",
        )


def _variant(
    reading: _Reading, name: VariantId, swapped: bool, columns: Mapping[str, str]
) -> Variant:
    row = reading.row
    people = sorted((slot for slot in reading.lists if slot[0] == "N"), reverse=swapped)
    words = [slot for slot in reading.lists if slot[0] != "N"]

    def lists(slots: Sequence[str]) -> str:
        return print_lists(
            SlotList(slot, tuple(Filler(text) for text in reading.lists[slot])) for slot in slots
        )

    texts = Texts(
        stereotype=row.get("Relevant_social_values").strip(),
        target_groups=reading.targets,
        names=lists(people),
        words=lists(words),
        n1_groups=reading.groups[0],
        n2_groups=reading.groups[1],
        **{field: print_text(reading.parts[field]) for field in SLOT_TEXT_FIELDS},
    )
    published = row.get("version").strip().casefold()
    return Variant(
        id=name,
        category=reading.category,
        texts=texts,
        source_texts=texts,
        source="bharatbbq",
        source_id=row["Q_id"].strip(),
        source_category=row["Category"].strip(),
        reference=row.get("Notes").strip(),
        note=f"published as version {published}" if published not in ("", name.letter) else "",
        extra=tuple(
            (own, row.get(column).strip())
            for column, own in EXTRA_COLUMNS.items()
            if own in columns
        )
        + (((OPEN_COLUMN, reading.role_open),) if reading.role_open else ()),
        row=row.number,
    )
