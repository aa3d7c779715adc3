"""What readers of published templates have in common: one pipeline from files to variants.

What a published format is called and which columns say what is data, in `templates`. A reader
adds what its rows mean: people, roles, wording. Where a source does not say the letters of
variants, they follow from who is in the stereotyped role.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

from pydantic import Field, field_validator, model_validator

from curation.files.jsonl import ENDINGS, stream
from curation.files.tables import Row, Table, list_literal, literal, read_table
from curation.records.bank import (
    FILLED_FIELDS,
    OPEN_COLUMN,
    PUBLISHED,
    SLOT_TEXT_FIELDS,
    TEXT_FIELDS,
    Group,
    Label,
    TemplateId,
    Texts,
    Variant,
    VariantId,
    VariantLetter,
    VariantVersion,
    category_slug,
)
from curation.records.letters import words_of
from curation.records.licences import Licence
from curation.records.messages import (
    CurateError,
    Finding,
    Severity,
    cell_refusal,
    finding,
    shortened,
)
from curation.records.settings import parse_settings
from curation.records.survey import typed_groups
from curation.report.texts import resource
from curation.slots import grammar
from curation.sources.sample_mapping import Coded, Columns, without_none

FORMATS = ("bbq", "kobbq", "bbg", "bharatbbq", "cbbq", "esbbq")
"""The published sets whose templates are imported."""
NO_TEMPLATES = "no-templates"
"""The code of the failure that no file holds templates of a format."""
ROLE_OPEN = "source-role-open"
"""The rule of rows that do not settle who is the target, which are read all the same."""
KEPT = "nothing of it is imported; the file is kept under templates_src/sources"
"""What happens with a file that is passed over."""
_OR = " or "
_NUMBER = re.compile(r"(\d{1,9})(?:\.0)?", re.ASCII)
_SLOT = re.compile(r"[NWX][1-9][0-9]?")
_BRACKETED = re.compile(r"(?:[^\w\s]|_)+\s*\w+\s*(?:[^\w\s]|_)+")
ALIKE = ("__", *"%$#@*_")
"""Brackets of slots that open and close alike, such as `%NAME1%`."""
CURLY = str.maketrans({"“": '"', "”": '"', "„": '"'})
"""Quotes as word processors write them, made straight."""
"""What separates names: not a comma within brackets, as in `non-(A, B)`."""
_QUOTES = "\"'‘’"

_Read = TypeVar("_Read")

Groups = tuple[str, ...]
People = tuple[Groups, Groups]
"""The groups of the two people."""
cell_error = partial(cell_refusal, __package__)
"""A cell that cannot be read, by the key of what `findings.yaml` says and the column."""


@dataclass(frozen=True, slots=True)
class Imported:
    """Templates read from published files.

    `rows_in == rows_read + rows_reported` always holds: a row is read or has a finding.

    Attributes:
        source: Name of the published set.
        language: Language of the variants' `texts`.
        source_language: Language of their `source_texts`.
        variants: What was read, in the order of the files.
        groups: The groups that the files name.
        findings: What could not be read, or was read with a remark.
        rows_in: Rows in the files.
        rows_read: Rows that became variants.
        counts: Survey counts, where the set publishes them: entries of a survey file, `category`,
            `stereotype`, `survey_stats` (votes by option label) and `template_id`.
        samples: The wording of the published samples, for variants whose source texts have another.
        select_all: Categories whose stereotypes the set asked about by target selection.
    """

    source: str
    language: str
    source_language: str
    variants: tuple[Variant, ...]
    groups: tuple[Group, ...]
    findings: tuple[Finding, ...]
    rows_in: int
    rows_read: int
    counts: tuple[Mapping[str, Any], ...] = ()
    samples: Mapping[VariantId, Texts] = field(default_factory=dict)
    select_all: frozenset[str] = frozenset()

    def variants_for(self, language: str) -> tuple[Variant, ...]:
        """The variants as a workspace of a language takes them.

        Where it is not theirs, the source is what people translate: the corrected wording. What
        the published samples say stands in extra columns where it differs, so that they can be
        traced.
        """
        if language == self.language or self.language != self.source_language:
            return self.variants
        return tuple(map(self._as_source, self.variants))

    def _as_source(self, variant: Variant) -> Variant:
        ours, published = variant.texts, self.samples.get(variant.id, variant.source_texts)
        differing = (
            name for name in FILLED_FIELDS if getattr(published, name) != getattr(ours, name)
        )
        columns = tuple((f"{name}{PUBLISHED}", getattr(published, name)) for name in differing)
        return replace(variant, source_texts=ours, extra=(*variant.extra, *columns))

    @property
    def rows_reported(self) -> int:
        """Rows that were not read; each has a finding."""
        return self.rows_in - self.rows_read


@dataclass(slots=True)
class RowReport:
    """Collects the findings of a reader on one table.

    Attributes:
        table: The table.
        findings: What was found so far.
        refused: Rows that cannot become variants.
        shown: By a column what it is called in the file, where that is otherwise.
    """

    table: Table
    findings: list[Finding] = field(default_factory=list)
    refused: set[int] = field(default_factory=set)
    shown: Mapping[str, str] = field(default_factory=dict)

    def say(self, key: str, row: int, column: str, /, **words: Any) -> None:
        """Report something of a row; where it is an error, the row is not read.

        Args:
            key: The key of what is said, in `findings.yaml`.
            row: The row.
            column: The column.
            words: What is put into the message.
        """
        told = finding(__package__, key, "", **words)
        self.add(told.rule, told.severity, row, column, told.message, told.hint)

    def add(
        self, rule: str, severity: Severity, row: int, column: str, what: str, hint: str = ""
    ) -> None:
        """Report something of a row; where it is an error, the row is not read."""
        if severity is Severity.ERROR and rule != ROLE_OPEN:
            self.refused.add(row)
            what = f"{what}; the row is not read"
        place = self.table.file, row, self.shown.get(column, column)
        self.findings.append(Finding(rule, severity, *place, what, hint))

    def open_role(self, row: int, column: str, what: str) -> None:
        """Report a row that is read although it does not settle who is the target."""
        hint = f"say who it is in the bank, and empty the cell {OPEN_COLUMN} (docs/formats.md)"
        self.add(ROLE_OPEN, Severity.ERROR, row, column, what, hint)

    def unknown_columns(self, known: Iterable[str]) -> None:
        """Report columns that the published format does not have."""
        there = {*known}
        for column in self.table.columns:
            if column not in there:
                self.say("unknown-column", 1, column, name=column)


class TemplateFormat(Columns):
    """Where a table of templates says what: of a published format, or of a set of one's own.

    Attributes:
        name: What it is called in commands and in the bank's column `source`.
        reader: The module beside this one whose `read` reads its files, where columns alone do not
            say what its rows mean: people are drawn, or several rows make a template.
        title: What the set is called.
        licence: Its terms.
        written_in: Languages of the texts and of the source texts; one where they are the same.
        source_ending: What is put behind a column's name for the text in the source language.
        languages: Languages of which an import takes one.
        suffixes: How names of its files end.
        beside: Files that belong to those named and are taken from their folder.
        vocabulary: By kind of such a file, `words` or `names`, the column of each thing that
            `Word` or `ProperName` says.
        within: Which files of a folder hold templates, those of its folders too.
        folders: Folders of a file's path that tell it from files of the same name.
        category: The column of the category.
        loose: Whether blanks and marks in a category are written as `_` here.
        splits: Whether rows for which a template has no letter make templates of their own.
        number: The column of the template's number.
        letter: The column of the variant's letter; without it the letters follow the roles.
        letters: By what that column says the letter in the bank, where it is another: in `b` and
            `d` the target is the answer to the biased question, in `a` and `c` the other person.
        variants: By letter the columns of texts that differ, where a row holds several variants.
        polarity: Whether a row has the negative or the non-negative question, where two rows make a
            variant; the non-negative one gives the texts that begin with `counter_biased`.
        version: Which wording of its variant a row has: `m`, `f`, `p`, `pm` or `pf`.
        label: The column of the label.
        labels: By what that column says the label in the bank, where it is another.
        source_id: The column of the id in the source; the number where there is none.
        source_category: The column of the category there; the category where there is none.
        reference: The column that says where the stereotype is documented.
        texts: By field of a variant's texts its column; `a or b` where a file has one of two.
        slots: By slot as the file writes it, brackets and all, its name in the bank: `N1`, `W1`,
            `X1`; without any the texts are in the bank's own grammar.
        lists: By slot in the bank the column that lists what stands there, where each has its own.
        nothing: Cells that say nothing, such as `N/A`.
        only: By column the value of the rows that are read.
        required: Further columns that a file must have.
        kept: Columns that the bank keeps, with their names there: where any row fills them, or
            always where the name is the same.
        others: Further columns that a file may have.
        counts: The column of published counts of a survey, a map of options to votes.
        select_all: Categories whose stereotypes the set asked about by target selection.
        parts: By category its groups that are parts of others beside which they were offered: they
            do not count where a share is divided by the number of groups.
        told_by: By language the columns that only its files have, where a file is in one of
            several; the first that fits counts.
    """

    name: str = ""
    reader: str = ""
    title: str
    licence: Licence
    written_in: tuple[str, ...] = ()
    source_ending: str = ""
    languages: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ENDINGS
    beside: str = ""
    vocabulary: dict[str, dict[str, str]] = Field(default_factory=dict)
    within: str = ""
    folders: int = 0
    category: str = ""
    loose: bool = False
    splits: bool = False
    number: str = ""
    letter: str = ""
    letters: dict[str, VariantLetter] = Field(default_factory=dict)
    variants: dict[VariantLetter, dict[str, str]] = Field(default_factory=dict)
    polarity: Coded | None = None
    version: Coded | None = None
    label: str = ""
    labels: dict[str, Label] = Field(default_factory=dict)
    source_id: str = ""
    source_category: str = ""
    reference: str = ""
    texts: dict[str, str] = Field(default_factory=dict)
    slots: dict[str, str] = Field(default_factory=dict)
    lists: dict[str, str] = Field(default_factory=dict)
    nothing: tuple[str, ...] = ()
    only: dict[str, str] = Field(default_factory=dict)
    required: tuple[str, ...] = ()
    kept: dict[str, str] = Field(default_factory=dict)
    others: tuple[str, ...] = ()
    counts: str = ""
    select_all: tuple[str, ...] = ()
    parts: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    told_by: dict[str, tuple[str, ...]] = Field(default_factory=dict)

    @field_validator("texts", mode="before")
    @classmethod
    def _said(cls, texts: Any) -> Any:
        return without_none(texts)

    @model_validator(mode="after")
    def _goes_together(self) -> "TemplateFormat":
        for key, words in (("polarity", self.polarity), ("version", self.version)):
            if words is not None:
                words.check(key)
        for name in (name for own in (self.texts, *self.variants.values()) for name in own):
            if name not in TEXT_FIELDS:
                raise ValueError(f"texts: '{name}' is not one of {', '.join(TEXT_FIELDS)}")
        for written, name in self.slots.items():
            if not _SLOT.fullmatch(name):
                raise ValueError(f"slots: '{name}' is not a slot of the bank, such as N1 or W1")
            if not _BRACKETED.fullmatch(written):
                raise ValueError(f"slots: write '{written}' with its brackets, as the file has it")
        asked = self.texts.get("biased_question")
        if asked and not self.polarity and asked == self.texts.get("counter_biased_question"):
            raise ValueError(f"texts: one column, '{asked}', holds both questions: write polarity")
        if self.letter and self.variants:
            raise ValueError("letter and variants both say the letter: keep one of them")
        return self

    # --- files

    def lacking(self, columns: Iterable[str]) -> list[str]:
        """The columns that a file with some lacks to hold templates."""
        coded = (item.column for item in (self.polarity, self.version) if item)
        ids = filter(None, (self.number, self.category, self.letter))
        texts = (self.texts | own for own in (*self.variants.values(), {}))
        needed = (own[name] for own in texts for name in SLOT_TEXT_FIELDS if name in own)
        wanted = dict.fromkeys(
            (*ids, *self.required, *needed, *self.lists.values(), *coded, *self.only)
        )
        return [names for names in wanted if not {*names.split(_OR)} & {*columns}]

    def vocabulary_in(self, columns: Iterable[str]) -> str:
        """The kind of vocabulary, `words` or `names`, that a table with some columns is."""
        there = {*columns}
        for kind, own in self.vocabulary.items():
            if self.number not in there and {own["name"], _apart(own)} <= there:
                return kind
        return ""

    @property
    def columns(self) -> set[str]:
        """All columns of the published files; each file has its own part of them."""
        of = (self.category, self.number, self.letter, self.label, self.source_id)
        coded = (item.column for item in (self.polarity, self.version) if item)
        every = (self.texts, self.lists, *self.variants.values())
        texts = (name for own in every for names in own.values() for name in names.split(_OR))
        own = {*of, self.source_category, self.reference, self.counts, *texts, *coded}
        twins = {f"{name}{self.source_ending}" for name in own if name}
        return {*own, *twins, *self.only, *self.required, *self.kept, *self.others}

    @property
    def says_letters(self) -> bool:
        """Whether the file says which variant is which."""
        return bool(self.letter or self.variants)

    def first(self, row: Row, names: str) -> str:
        """The first of several columns, `a or b`, that a row has; the last where it has none."""
        every = names.split(_OR)
        return next((one for one in every if one in row.cells), every[-1])

    def open(self, paths: Iterable[Path]) -> tuple[list[RowReport], list[Finding]]:
        """Read the files that hold templates; others are passed over, each with a finding.

        So are those with the rows of one before them.

        Args:
            paths: The files.

        Raises:
            CurateError: If a file as a whole cannot be read, or none holds templates.
        """
        shown = {path: "/".join(path.parts[-max(self.folders, 1) :]) for path in paths}
        tabbed = self.suffixes == (".tsv",)
        tables = (table_of(path, name, tabbed=tabbed) for path, name in shown.items())
        reports, other = self.sorted(tables)
        for report in reports:
            report.unknown_columns(self.columns)
        return reports, other

    def sorted(self, tables: Iterable[Table]) -> tuple[list[RowReport], list[Finding]]:
        """Tell tables of templates from others, and from those with the rows of one before.

        Args:
            tables: The tables.

        Raises:
            CurateError: If none holds templates.
        """
        reports: list[RowReport] = []
        passed: list[Finding] = []
        drawn = (f"{own['name']} and {_apart(own)}" for own in self.vocabulary.values())
        hint = KEPT + (". A vocabulary has the columns " + ", or ".join(drawn)) * bool(
            self.vocabulary
        )
        for table in tables:
            columns = shortened(self.lacking(table.columns))
            cells = [row.cells for row in table.rows]
            read = ((one.table.file, [row.cells for row in one.table.rows]) for one in reports)
            same = next((file for file, rows in read if cells and cells == rows), "")
            if columns:
                what = f"this is not a template file of {self.title}: the header lacks {columns}"
                passed.append(passed_over(table.file, what, hint))
            elif same:
                passed.append(passed_over(table.file, f"it has the same rows as {same}"))
            else:
                reports.append(RowReport(table))
        if not reports:
            what = passed[0].message if passed else "no file holds templates"
            hint = f"name template files of {self.title}, or their folder"
            raise CurateError(what, passed[0].where if passed else "", hint, code=NO_TEMPLATES)
        return reports, passed

    # --- rows

    def category_of(self, row: Row, otherwise: str = "") -> tuple[str, str]:
        """The category of a row, as ids write it and as the bank does.

        Args:
            row: The row.
            otherwise: The category where none is written.

        Raises:
            CellError: If it is none.
        """
        cells = [row.get(self.category).strip(), otherwise]
        if self.loose:
            cells = ["_".join(words_of(text)) for text in cells]
        category = next(filter(None, cells), "")
        try:
            return category_slug(category), category
        except CurateError as error:
            said = {"what": error.what, "hint": error.hint}
            raise cell_error("no-category-name", self.category, **said) from error

    def number_of(self, row: Row) -> int:
        """The number of a row's template.

        Raises:
            CellError: If it is none.
        """
        found = _NUMBER.fullmatch(row[self.number].strip())
        if found is None:
            raise cell_error("not-a-number", self.number, cell=row[self.number])
        return int(found[1])

    def extra_of(self, rows: Iterable[Row]) -> Callable[[Row], tuple[tuple[str, str], ...]]:
        """What gives a row's cells of the columns that the bank keeps."""
        every = list(rows)
        filled = {
            column: own
            for column, own in self.kept.items()
            if any(row.get(column).strip() or (own == column and own in row.cells) for row in every)
        }
        return lambda row: tuple((own, row.get(name).strip()) for name, own in filled.items())

    def cell(self, row: Row, column: str) -> str:
        """What a cell says; empty where that is nothing."""
        text = row.get(column).strip()
        return "" if text in self.nothing else text

    def variant(
        self, row: Row, name: VariantId, texts: Texts, source: Texts | None = None, **others: Any
    ) -> Variant:
        """The variant that a row makes.

        Args:
            row: The row.
            name: Its id.
            texts: Its wording.
            source: The published wording; the same by default.
            others: Other fields of a variant.
        """
        variant = Variant(
            id=name,
            category=row.get(self.category).strip(),
            texts=texts,
            source_texts=texts if source is None else source,
            source=self.name,
            source_id=self.cell(row, self.source_id or self.number),
            source_category=self.cell(row, self.source_category or self.category),
            reference=self.cell(row, self.reference),
            row=row.number,
        )
        return replace(variant, **others)

    def imported(
        self,
        reports: Sequence[RowReport],
        variants: Iterable[Variant],
        remarks: Iterable[Finding],
        language: str = "",
        groups: Iterable[Group] | None = None,
        **others: Any,
    ) -> Imported:
        """What was read of files: a row that is not refused is read.

        Args:
            reports: Each file, with what was found in it.
            variants: What was read.
            remarks: Findings besides, which come first.
            language: The language that was taken, where there are several.
            groups: The groups that the files name; those of the variants by default.
            others: Other fields of `Imported`.
        """
        made = tuple(variants)
        found = (item for one in reports for item in (*one.table.problems, *one.findings))
        return Imported(
            self.name,
            language or self.written_in[0],
            language or self.written_in[-1],
            variants=made,
            groups=tuple(groups_of(made) if groups is None else groups),
            findings=(*remarks, *found),
            rows_in=sum(one.table.rows_in for one in reports),
            rows_read=sum(len(one.table.rows) - len(one.refused) for one in reports),
            **others,
        )


def _apart(own: Mapping[str, str]) -> str:
    """The column by which a vocabulary is told from other lists of names."""
    return own.get("category") or own.get("place") or own["gender"]


@cache
def template_format(name: str) -> TemplateFormat:
    """The published format of a name."""
    text = resource(f"{__package__}.templates", f"{name}.yaml")
    found = parse_settings(text, TemplateFormat, Path(f"{name}.yaml"))
    return found.model_copy(update={"name": name})


def holds_templates(columns: Iterable[str]) -> str:
    """The published format whose templates a file with some columns holds; empty if none."""
    names = {*columns}
    for name in FORMATS:
        form = template_format(name)
        plain = {one.removesuffix(f"_{code}") for code in form.languages for one in names}
        if not form.lacking(names | plain):
            return name
    return ""


def read_rows(
    reports: Iterable[RowReport], read: Callable[[Row, RowReport], _Read]
) -> Iterator[tuple[_Read, Row, RowReport]]:
    """Yield what rows say, each with its row and file; one that cannot be read is refused.

    Args:
        reports: The files.
        read: Reads a row; a `CellError` names the column.
    """
    for report in reports:
        for row in report.table.rows:
            try:
                yield read(row, report), row, report
            except CurateError as error:
                column = getattr(error, "column", "")
                rule = error.code or "source-unreadable-row"
                said = error.what, error.hint
                report.add(rule, Severity.ERROR, row.number, column, *said)


def numbers_after(templates: Iterable[TemplateId]) -> dict[str, Iterator[int]]:
    """By category the numbers that come after those of templates."""
    last: dict[str, int] = {}
    for it in templates:
        last[it.category] = max(last.get(it.category, it.number), it.number)
    return {category: count(number + 1) for category, number in last.items()}


def passed_over(file: str, why: str, hint: str = KEPT) -> Finding:
    """Report a file that holds no templates, or none that were not read already."""
    return Finding("source-file-passed-over", Severity.INFO, file, 1, "", why, hint)


# --- cells


def table_of(path: Path, shown: str, *, tabbed: bool = False) -> Table:
    """A file as a table; what is within an object of texts or objects is a column, `a.b`.

    Lists, and objects with lists, are written as JSON.

    Args:
        path: The file.
        shown: What it is called in messages.
        tabbed: Whether its columns are separated by tabs, whatever it is called.

    Raises:
        CurateError: If it cannot be read.
    """
    ending = path.suffix.lower()
    if ending not in ENDINGS or ending in (".csv", ".tsv"):
        mark = "\t" if tabbed or ending == ".tsv" else ","
        return read_table(path, shown_as=shown, delimiter=mark)
    read = stream(path, "check that the download or export finished").rows
    rows = [(number, dict(_flat(record))) for number, record in read]
    columns = tuple(dict.fromkeys(name for _, record in rows for name in record if name))
    cells = ((at, {name: _cell(record.get(name)) for name in columns}) for at, record in rows)
    return Table(shown, columns, tuple(Row(at, own) for at, own in cells), (), len(rows))


def _flat(record: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in record.items():
        inner = value.values() if isinstance(value, dict) else ()
        if inner and not any(isinstance(one, list) for one in inner):
            yield from _flat(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", value


def _cell(value: object) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False)


def text_of(row: Row, column: str) -> str:
    """A text of a row.

    Raises:
        CellError: If it is empty.
    """
    if text := row[column].strip():
        return text
    raise cell_error("text-empty", column)


def pieces(
    text: str, slot: re.Pattern[str], column: str, left_over: re.Pattern[str]
) -> Iterator[str | re.Match[str]]:
    """Yield what a text is made of: the slots that a pattern finds, and what stands between.

    Args:
        text: The text.
        slot: What a slot looks like.
        column: Its column, for errors.
        left_over: What may not stand between slots, for it looks like one.

    Raises:
        CellError: If something looks like a slot and is none.
    """
    at = 0
    for match in (*slot.finditer(text), None):
        literal = text[at : match.start() if match else None]
        if found := left_over.search(literal):
            near = literal[max(found.start() - 2, 0) :][:20]
            raise cell_error("not-a-slot", column, near=near)
        if literal:
            yield literal
        if match:
            yield match
            at = match.end()


def as_published(
    parts: Iterable[str | grammar.Slot], row: Row, column: str, report: RowReport
) -> grammar.SlotText:
    """A text in which what looks like a slot and is none stays as it is, which is reported."""
    text = grammar.SlotText(tuple(parts))
    literal = "".join(part for part in text.parts if isinstance(part, str))
    if found := re.search(r"[{}]", literal):
        near = literal[max(found.start() - 2, 0) :][:20]
        report.say("slot-as-published", row.number, column, near=near)
    return grammar.parse_text(grammar.print_text(text))


def list_cells(
    lists: Mapping[str, Iterable[grammar.Filler | str]],
    conditions: Iterable[grammar.Condition] = (),
) -> dict[str, str]:
    """The lists of a variant as the bank's columns `names` and `words` hold them.

    Args:
        lists: By slot in the bank what can stand there.
        conditions: What fillings have to meet; those on people alone stand with these.
    """
    of_people = {name for name in lists if name[0] == "N"}
    cells: dict[str, str] = {}
    for column, is_of in (("names", of_people), ("words", lists.keys() - of_people)):
        own = [
            grammar.SlotList(
                name, tuple(grammar.Filler(it) if isinstance(it, str) else it for it in fillers)
            )
            for name, fillers in lists.items()
            if name in is_of
        ]
        told = [item for item in conditions if ({*item.slots} <= of_people) == (column == "names")]
        cells[column] = grammar.print_lists(own, told)
    return cells


def answering(negative: Iterable[str], other: Iterable[str]) -> int | None:
    """Who answers the negative question, 1 or 2; None if that is not told.

    Args:
        negative: The slots in the answer to that question, in whatever grammar; `W1` is a word,
            and `X3` goes with `N1`.
        other: Those of the other answer.
    """
    own, others = (
        {2 - int(re.sub(r"\D", "", name)) % 2 for name in names if name[0] != "W"}
        for names in (negative, other)
    )
    if len(own) == 1:
        return own.pop()
    return 3 - others.pop() if len(others) == 1 else None


def entries(cell: str, entry: re.Pattern[str], column: str) -> Iterator[re.Match[str]]:
    """Yield the entries of a cell that holds lists of fillers, each with its slot.

    Raises:
        CellError: If the cell holds anything else.
    """
    at = 0
    while at < len(cell):
        match = entry.match(cell, at)
        if match is None:
            raise cell_error("no-list", column, near=cell[at : at + 20])
        yield match
        at = match.end()


def read_groups(cell: str) -> tuple[str, ...]:
    """Read a list of groups, each once, as `listed_groups` does."""
    return tuple(dict.fromkeys(listed_groups(cell)))


def listed_groups(cell: str) -> tuple[str, ...]:
    """Read a list of groups: JSON, Python-style, with curly quotes, or names with commas.

    A name in brackets that is no such list is read name by name, so that one wrong quote does
    not cost the row.
    """
    text = cell.translate(CURLY).strip()
    if text.startswith("["):
        found = list_literal(text)
        if found is not None:
            return tuple(item.strip() for item in found if item.strip())
        text = text.strip("[]")
    names = (part.strip(_QUOTES).strip() for part in typed_groups(text))
    return tuple(name for name in names if name)


def read_words(cell: str, column: str) -> tuple[tuple[str, ...], ...]:
    """Read a JSON or Python-style list of words; nothing in it is ever run.

    Args:
        cell: The cell, for example `["rich", ["poor", "needy"]]`.
        column: Its column, for errors.

    Returns:
        The entries, each with its synonyms.

    Raises:
        CellError: If the cell is no list of texts and lists of texts, or an empty one.
    """
    found = literal(cell.translate(CURLY).strip())
    items = found if isinstance(found, list) else [None]
    entries = [item if isinstance(item, list) else [item] for item in items]
    if all(isinstance(word, str) for entry in entries for word in entry):
        named = (map(str.strip, entry) for entry in entries)
        words = tuple(tuple(dict.fromkeys(filter(None, entry))) for entry in named)
        if any(words):
            return tuple(dict.fromkeys(filter(None, words)))
    raise cell_error("no-list-of-names", column)


def groups_of(
    variants: Iterable[Variant],
    tells: Callable[[Variant], bool] = lambda _: True,
    members: Mapping[tuple[str, str], Iterable[grammar.Filler]] | None = None,
    printed: Callable[[Iterable[grammar.Filler]], str] = grammar.print_fillers,
) -> tuple[Group, ...]:
    """List the groups that templates are about, with the names used for them.

    A name goes to a group where it is certain: the person has one group only, or the name is
    the group's own. Hierarchy, levels and what counts are for people to add.

    Args:
        variants: The variants of the templates.
        tells: Whether the names of a variant stand for groups.
        members: By category and group names that are known to be of it.
        printed: Writes the names of a group.
    """
    fillers: dict[tuple[str, str], dict[grammar.Filler, None]] = {}
    for variant in variants:
        texts = variant.texts if not variant.texts.is_empty else variant.source_texts
        try:
            lists = grammar.parse_lists(texts.names) if tells(variant) else {}
        except grammar.SlotError:
            lists = {}
        for slot, groups in (("N1", texts.n1_groups), ("N2", texts.n2_groups)):
            for group in groups:
                fillers.setdefault((variant.category, group), {})
            for filler in lists[slot].fillers if slot in lists else ():
                group = groups[0] if len(groups) == 1 else filler.text
                if group in groups:
                    fillers[variant.category, group].setdefault(filler)
        for group in texts.target_groups:
            fillers.setdefault((variant.category, group), {})
    told = members or {}
    made = []
    for (category, group), names in fillers.items():
        every = dict.fromkeys((*names, *told.get((category, group), ())))
        made.append(Group(category, group, fillers=printed(every)))
    return tuple(made)


UNTOLD = "the stereotyped groups are those of both people or of neither"
"""Why a role is open of which the groups of the people tell nothing."""
_PAIRS = ((VariantLetter.A, VariantLetter.B), (VariantLetter.C, VariantLetter.D))


@dataclass(frozen=True, slots=True)
class UnletteredVariant:
    """A variant that has no place yet among those of its template.

    Attributes:
        report: Where remarks on its row go.
        row: Its row.
        template: Its template.
        category: Its category.
        texts: Its wording, as it should be.
        source: Its wording as it was published.
        samples: Its wording as the published samples have it.
        is_biased: Whether the target is in the stereotyped role; None if that is not told.
        published: The published version, where the row stands for one variant.
        people: The fillers that were drawn from a vocabulary.
        version: Which wording of its variant it is.
        label: Its label.
        open: Why it is open who the target is, where it is.
        letter: Its letter, where the source states it.
        unit: What the rows have in common whose variants get letters of one pair, and its rank
            among others; by default a row is alone, and those whose role is told come first.
        says: What no two rows of a template say; its wording by default.
    """

    report: RowReport
    row: Row
    template: TemplateId
    category: str
    texts: Texts
    source: Texts
    samples: Texts
    is_biased: bool | None
    published: str
    people: tuple[tuple[str, str], ...] = ()
    version: VariantVersion = VariantVersion.ONLY
    label: Label | None = None
    open: str = ""
    letter: VariantLetter | None = None
    unit: tuple[Any, ...] = ()
    says: object = None

    def variant(
        self, form: TemplateFormat, name: VariantId, extra: Sequence[tuple[str, str]]
    ) -> Variant:
        """The variant with its id, and with what the bank keeps of its row."""
        differs = self.published not in ("", name.letter.value)
        note = f"published as version {self.published}" if differs else ""
        made = form.variant(self.row, name, self.texts, self.source, category=self.category)
        is_open = ((OPEN_COLUMN, self.open),) if self.open else ()
        return replace(made, label=self.label, note=note, extra=(*extra, *is_open))

    def letter_in(self, pair: tuple[VariantLetter, VariantLetter]) -> VariantLetter | None:
        """Its letter: as stated, or in a pair by the role, else as published; None if it has none.

        In a pair the second letter is that of the target in the stereotyped role.
        """
        if self.letter or self.is_biased is not None:
            return self.letter or pair[bool(self.is_biased)]
        return next((letter for letter in pair if letter.value == self.published), None)


Placed = tuple[UnletteredVariant, Variant]


def settled(
    form: TemplateFormat, drafts: Sequence[UnletteredVariant]
) -> tuple[list[Placed], dict[VariantId, Texts]]:
    """Give variants their places: which row is which variant of which template.

    Those of a row, or of rows that belong together, have the letters that they state, or by their
    roles those of one pair: `a` and `b`, or `c` and `d` for a second list of names. A row that
    says what another one says is refused. So is one for which no letter is left, but where the set
    has more lists of people than letters: these make templates of their own.

    Returns:
        The variants in the order of the drafts, each with its draft, and the wording of the
        published samples for those whose source is another.
    """
    extra = form.extra_of(draft.row for draft in drafts)
    templates: dict[tuple[TemplateId, VariantVersion], dict[int, Variant]] = {}
    for place, name in sorted(_places(form, drafts).items()):
        draft = drafts[place]
        made = draft.variant(form, name, extra(draft.row))
        templates.setdefault((name.template, name.version), {})[place] = made
        if draft.open and (draft.letter or draft.is_biased is None):
            column = "version" if draft.letter else "NAME1_info"
            draft.report.open_role(draft.row.number, column, draft.open)
    variants: dict[int, Variant] = {}
    samples: dict[VariantId, Texts] = {}
    for own in templates.values():
        are_stated = any(drafts[place].letter for place in own)
        for place, variant in (own if are_stated else _aligned(own)).items():
            variants[place] = variant
            wording = drafts[place].samples
            if variant is not own[place]:
                wording = _second_first(wording)
            if wording != variant.source_texts:
                samples[variant.id] = wording
    return [(drafts[place], variants[place]) for place in sorted(variants)], samples


def _places(form: TemplateFormat, drafts: Sequence[UnletteredVariant]) -> dict[int, VariantId]:
    """By place of a draft the id of its variant; those of refused rows have none."""
    first: dict[object, UnletteredVariant] = {}
    units: dict[tuple[Any, ...], list[int]] = {}
    order: dict[int, int] = {}
    for place, draft in enumerate(drafts):
        known = first.setdefault(
            (draft.template, draft.version, draft.letter, draft.says or draft.texts), draft
        )
        if known.row is not draft.row:
            if draft.row.number not in draft.report.refused:
                _refuse(draft, known, "says the same")
            continue
        row = order.setdefault(id(draft.row), place)
        units.setdefault(draft.unit or (draft.is_biased is None, row), []).append(place)
    free = numbers_after(draft.template for draft in drafts)
    taken: dict[object, dict[VariantLetter, UnletteredVariant]] = {}
    latest: dict[object, TemplateId] = {}
    found: dict[int, VariantId] = {}
    for unit in sorted(units):
        own = [drafts[place] for place in units[unit]]
        key = own[0].template, own[0].version
        home = latest.setdefault(key, own[0].template)
        others = taken.setdefault((home, key[1]), {})
        letters = _letters(own, others, any_file=form.splits)
        if letters is None and form.splits:
            home = latest[key] = TemplateId(home.category, next(free[home.category]))
            others = taken.setdefault((home, key[1]), {})
            letters = _letters(own, others, any_file=True)
        if letters is None:
            _refuse_unplaced(own[0], others)
            continue
        for place, letter in zip(units[unit], letters, strict=True):
            found[place] = VariantId(home, letter, key[1])
            others[letter] = drafts[place]
            if form.splits:  # who has another list of people is no twin
                others.setdefault(letter.twin, drafts[place])
        for draft in {id(one.row): one for one in own if home != one.template}.values():
            said = {"template": draft.template, "home": home}
            draft.report.say("template-split", draft.row.number, "Q_id", **said)
    return found


def _letters(
    own: Sequence[UnletteredVariant],
    taken: Mapping[VariantLetter, UnletteredVariant],
    *,
    any_file: bool,
) -> list[VariantLetter] | None:
    """Letters for variants: of one pair, and not taken; None where there are none.

    Only a row of the same file can be another list of names, but of sets that have many.
    """
    strange = any(other.report is not own[0].report for other in taken.values())
    for pair in _PAIRS[: 1 if strange and not any_file else None]:
        letters = [letter for draft in own if (letter := draft.letter_in(pair))]
        if len(letters) == len(own) and taken.keys().isdisjoint(letters):
            return letters
    return None


def _refuse(draft: UnletteredVariant, known: UnletteredVariant, what: str) -> None:
    """Refuse a row, for another one is the variant or says the same."""
    said = {"first": known.row.number, "beside": known.report.table.file, "what": what}
    column = "version" if draft.letter else "Q_id"
    draft.report.say("row-twice", draft.row.number, column, **said)


def _refuse_unplaced(
    draft: UnletteredVariant, taken: Mapping[VariantLetter, UnletteredVariant]
) -> None:
    letters = (draft.letter_in(pair) for pair in _PAIRS)
    letter = next((letter for letter in letters if letter in taken), None)
    if letter is None:
        draft.report.say("version-unclear", draft.row.number, "NAME1_info")
        return
    name = VariantId(draft.template, letter, draft.version)
    _refuse(draft, taken[letter], f"is {name}")


def _aligned(variants: Mapping[int, Variant]) -> dict[int, Variant]:
    """Have filling n pair the same people in both variants of a pair.

    In `b` the product takes N2 before N1, because its people have usually changed places.
    Where they have not, and only the text differs, its lists are declared in that order.
    """
    by_letter = {variant.letter: place for place, variant in variants.items()}
    aligned = {**variants}
    for letter, place in by_letter.items():
        if not letter.is_biased or letter.twin not in by_letter:
            continue
        first, second = variants[by_letter[letter.twin]].texts, variants[place].texts
        same = first.n1_groups == second.n1_groups and first.n2_groups == second.n2_groups
        if same and first.n1_groups != first.n2_groups:
            source = _second_first(variants[place].source_texts)
            aligned[place] = replace(
                variants[place], texts=_second_first(second), source_texts=source
            )
    return aligned


def _second_first(texts: Texts) -> Texts:
    return replace(texts, names=_exchanged(texts.names), words=_exchanged(texts.words))


def _exchanged(cell: str) -> str:
    """A cell in which the lists of the two people have changed places."""
    lists = grammar.parse_lists(cell)
    order = grammar.exchange_lists(lists, lists)
    return grammar.print_lists([lists[name] for name in order], grammar.parse_conditions(cell))
