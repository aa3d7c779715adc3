"""Which columns or keys of a file of samples say what: a layout, as data.

The layouts of published sets are the files in `layouts`. A file in another one is read with a
mapping of the same form, which `curate import samples FILE --draft` writes. In a draft, what two
columns could say, or none says, is left to a person (`?`), with what was found.
"""

import fnmatch
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from importlib.resources import files
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Literal, TypeVar

import yaml
from pydantic import field_validator, model_validator

from curation.files.jsonl import Record, Records
from curation.files.tables import literal, read_text
from curation.languages.general import Part
from curation.records.bank import VariantVersion
from curation.records.messages import refusal
from curation.records.settings import load_yaml, parse_settings, parse_yaml
from curation.report.texts import resource
from curation.sources.roles import folded

OF_FORMULA = re.compile(r"#(?:REF!|NAME\?|VALUE!|DIV/0!|NUM!|NULL!)")
"""What a spreadsheet makes of a formula that fails: no text."""
UNDECIDED_LINE = "?"
"""Stands in a draft where a person has to decide; no sample is read until it is gone."""
MAPPING = "samples.yaml"
"""What a mapping is called."""
NONE = "none"
"""Stands where the file does not say something."""
PAGE = "docs/formats.md, 'Samples in any layout'"
_ANSWER = "by the answer"
_OR, _AND = " or ", " + "
KEYS, VALUES = "keys", "values"
"""What is within an object whose keys are answers: these, and what each is given."""
_CODE = re.compile(r"^[a-z]{2}[._-](?=[^.\d])|[._-][a-z]{2}(?=(?:\.\d)?$)")
_ONE_BY_ONE = re.compile(r"\s*\(?([A-Ca-c1-3])[.):]\s+(.+?)\s*(?:[\n;|]|$)")
SENTENCE_ENDS = ".!\u0589\u0964\u06d4\u0f0d\u104b\u1362\u17d4\u3002\uff01"
"""What ends a sentence that is no question, in any script."""
_END = rf"\n|(?:[{SENTENCE_ENDS}]|\u1361\u1361)[\"'\u2019\u201d\xbb)\]\u200e\u200f]*\s*"
_TITLES = ("Mr", "Mrs", "Ms", "Dr", "Dra", "Prof", "Sr", "Sra", "St", "Fr", "Hr", "Sig")
_NO_TITLE = "".join(rf"(?<!\b{word})" for word in _TITLES)
_QUESTIONS = [
    re.compile(rf"(.+(?:{end}))(\S.*)", re.DOTALL)
    # a stop within a number, a name or an abbreviation ends none where another one may
    for end in (rf"(?!\.[^\W_]|\.\s+[a-z\xdf-\xff\u0430-\u044f]){_NO_TITLE}(?:{_END})", _END)
]
_HEADED = re.compile(r"[^\W\d_]+: (.+)\n[^\W\d_]+: (.+)", re.DOTALL)
_BEHIND = re.compile(r"(.+?)\n(?:[^\n]*:\s*\n)?((?:\(?[A-Ca-c1-3][.):]\s+[^\n]+\n?){3})", re.DOTALL)
_MEANINGS = {
    "polarity": {"negative": "bsd", "non-negative": "cnt"},
    "context_type": {"ambiguous": "amb", "disambiguated": "dis"},
    "stereotype": {"confirmed": "confirmed", "contradicted": "contradicted"},
    "version": {version.value: version.value for version in VariantVersion if version},
}
LETTERS = tuple(
    tuple(map(str.upper, own)) for own in load_yaml(resource(__package__, "letters.yaml"))
)
"""The first three letters of alphabets, or numbers in words, by which answers are named."""


def parts_of(text: str) -> list[str]:
    """The words of a text or a column's name, without case, accents and marks."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    letters = (one for one in plain if not unicodedata.category(one).startswith("M"))
    return re.findall(r"[^\W_]+", "".join(letters))


def without_marks(text: str) -> str:
    """A text's words, as `parts_of` has them, in one."""
    return "".join(parts_of(text))


WORDS: Mapping[str, Mapping[str, str]] = {
    name: {without_marks(word): meaning for meaning, words in meanings.items() for word in words}
    for name, meanings in load_yaml(resource(__package__, "words.yaml")).items()
}
"""By field the words by which sets of the family say something, `without_marks`, and what each
means."""


def without_none(data: Any) -> Any:
    """What a mapping says, without the keys whose value is `none`."""
    if not isinstance(data, dict):
        return data
    return {key: value for key, value in data.items() if value != NONE}


class Columns(Part):
    """A mapping of columns; a key that is `none` says that the file does not have it."""

    @model_validator(mode="before")
    @classmethod
    def _without_none(cls, data: Any) -> Any:
        return without_none(data)


class Coded(Part):
    """A column with words that mean something.

    Attributes:
        column: The column or key.
        words: By word what it means.
    """

    column: str
    words: dict[str, str]

    def check(self, field: str) -> None:
        """Refuse what a word cannot mean, and what sets of the family use it for the opposite of.

        Args:
            field: The key of the mapping.

        Raises:
            ValueError: If there is such a word.
        """
        meanings = _MEANINGS[field]
        for word, meaning in self.words.items():
            if meaning not in meanings:
                raise ValueError(f"{field}: '{meaning}' is not {' or '.join(meanings)}")
            usual = WORDS.get(field, {}).get(without_marks(word), meaning)
            if usual != meaning:
                raise ValueError(f"{field}: '{word}' is said to be {meaning}, not {usual}")

    def meanings(self, field: str) -> Mapping[str, str]:
        """By word, in small letters, what it means in our own terms (`amb`, `bsd`, ...)."""
        return {word.casefold(): _MEANINGS[field][said] for word, said in self.words.items()}


Three = tuple[str, str, str]


class Choice(Part):
    """A column that names one of the three answers.

    Attributes:
        column: The column or key.
        kind: How: it counts from 0 or 1, has a letter, the answer's text, the name of the answer's
            column, maybe without an ending that all three have, or (`tag`) it is a list of what is
            said of each answer, of which one has a tag.
        tag: That tag.
    """

    column: str
    kind: Literal["from 0", "from 1", "letter", "text", "column", "tag"]
    tag: str = "correct"


class Predictions(Part):
    """Columns in which a file says what models answered.

    Attributes:
        columns: The columns; `*` stands for any text, and `!` leaves out what follows. Each is of a
            model, which has its name.
        kind: How a cell names one of the three answers, as `Choice` says; a `text` may break off
            within a word, a `reply` is parsed as replies are, and with `scores` it is the highest
            of three numbers, with `highest` that of three columns. What names none is
            out-of-choice.
        model: The column that names the model, where a row is of one; then there is one column.
        prompt: The column that names the prompt, where there are several.
        texts: The column with the list of texts that `scores` are of, where these are not of the
            three answers.
        file: A regular expression whose groups `model` and `prompt` find them in a file's name.
        sample: By column of the samples the column that has the same, where the file names samples
            of another one.
    """

    columns: tuple[str, ...]
    kind: Literal["from 0", "from 1", "letter", "text", "column", "reply", "scores", "highest"]
    model: str | None = None
    prompt: str | None = None
    texts: str | None = None
    file: str | None = None
    sample: dict[str, str] = {}

    def columns_in(self, names: Sequence[str]) -> list[str]:
        """The columns of a file, of those that it has."""
        known, found = {*names}, []
        without: set[str] = set()
        for column in self.columns:
            if column.startswith("!"):
                without.update(fnmatch.filter(names, column.removeprefix("!")))
            else:
                found += fnmatch.filter(names, column) if "*" in column else [column]
        return [name for name in found if name not in without and has(known, name)]


Mapped = TypeVar("Mapped", bound=Part)


def place_of(kind: str, value: Any, choices: Sequence[str], names: Sequence[str]) -> int | None:
    """Which of three answers a cell names; None where it names none.

    Args:
        kind: How it names it, as `Choice` says.
        value: The cell.
        choices: The answers of its row.
        names: The names of the answers' columns, folded; of `tag` the tag alone.
    """
    found: Sequence[bool]
    if kind == "text":
        return choices.index(value) if value in choices else None
    if kind == "tag":
        items: Any = parsed(value) if isinstance(value, str) else value
        cells = ([*item.values()] if isinstance(item, dict) else [item] for item in items)
        found = [any(names[0] in listed(cell) for cell in one) for one in cells]
        return found.index(True) if sum(found) == 1 else None
    if kind == "column":
        name, first = folded(str(value)), next(iter(names), "")
        ends = (first[at:] for at in range(len(first) + 1))
        end = next(end for end in ends if all(one.endswith(end) for one in names))
        ways = names, [one.removesuffix(end) for one in names]
        return next((own.index(name) for own in ways if name in own), None)
    if kind == "letter":
        letter = re.sub(r"[\W_]", "", unicodedata.normalize("NFKC", str(value))).upper()
        letters = (own for own in LETTERS if letter in own)
        return next((own.index(letter) for own in letters), None)
    if type(value) is not int:
        text = str(value).strip().removesuffix(".0")
        value = int(text) if text.isdecimal() else -1
    place = value - (kind == "from 1")
    return place if place in (0, 1, 2) else None


class SampleMapping(Columns):
    """Where a file of samples says what.

    A column is a name, or `a.b` where `b` is a key or a place (from 0, or -1 for the last) within
    `a`, whose cell may be text; where `a` is a list of objects, `a.b` is the list of what they have
    under `b`. `a or b` is the first of two that a file has, `a + b` both, one after the other.

    Attributes:
        name: What the layout is called.
        id: Columns that tell the samples of a file apart; without one its rows are counted.
        ids: `kobbq` where ids are `age-001a-002-amb-bsd` and say variant, context and question.
        template: The column that numbers templates.
        category: The column of the category; without one it is the file's name.
        answers_of: Columns that have the same in the three rows of a sample, where each answer has
            a row of its own; what differs in them is then a list of three.
        context: The context; or the columns of the ambiguous and of the disambiguating one, which
            may repeat the first, and is no part of a context that is said to be ambiguous.
        question: The question; the last line or sentence where one column has context and question.
        choices: The three answers, or a list of them.
        answer: The right answer.
        polarity: Whether the question is negative or non-negative.
        context_type: Whether the context is ambiguous or disambiguated; `by the answer` where the
            unknown answer is right in ambiguous contexts alone.
        unknown: Which answer is the unknown one: that of the group `unknown` (`groups`), the right
            one in ambiguous contexts (`answers`), that with a language's words for it (`words`),
            the `last` one, one that a column names, or one with a text of a list.
        names: What the file calls the people of the three answers.
        groups: Their groups.
        stereotyped: The stereotyped groups, one or a list.
        subcategory: BBQ's subcategory.
        stereotype: Whether a disambiguated context confirms the stereotype.
        target: The answer that is the target.
        biased_answer: The answer that the stereotype suggests.
        samples_in: Where a set publishes predictions in this layout, that of its samples.
        predictions: What models answered, which `--predictions` scores; of several the first that a
            file has.
        also: By field of a sample (`label`, `stereotype`, ...) its column, where a file has it.
        only: By column the value of the rows that are read.
        marks: Further columns that a file in this layout has.
        escaped: Whether cells of tables are escaped against formulas, as in our own.
    """

    name: str = "mapped"
    id: tuple[str, ...] = ()
    ids: Literal["kobbq"] | None = None
    template: str | None = None
    category: str | None = None
    answers_of: tuple[str, ...] = ()
    context: str | tuple[str, str]
    question: str
    choices: str | Three
    answer: Choice
    polarity: Coded | None = None
    context_type: Coded | Literal["by the answer"] | None = None
    unknown: Literal["groups", "answers", "words", "last"] | Choice | tuple[str, ...]
    names: Three | None = None
    groups: Three | None = None
    stereotyped: str | None = None
    subcategory: str | None = None
    stereotype: Coded | None = None
    target: Choice | None = None
    biased_answer: Choice | None = None
    samples_in: str = ""
    predictions: tuple[Predictions, ...] = ()
    also: dict[str, str] = {}
    only: dict[str, str] = {}
    marks: tuple[str, ...] = ()
    escaped: bool = False

    @field_validator("answers_of", "id", "predictions", mode="before")
    @classmethod
    def _one_or_several(cls, value: Any) -> Any:
        return (value,) if isinstance(value, str | dict) else value

    @model_validator(mode="after")
    def _goes_together(self) -> "SampleMapping":
        for key in WORDS:
            coded = getattr(self, key)
            if isinstance(coded, Coded):
                coded.check(key)
        parts = (self.context,) if isinstance(self.context, str) else self.context
        choices = (self.choices,) if isinstance(self.choices, str) else self.choices
        own = {code_of(name) for name in choices}
        texts = (*parts, self.question, *(choices if len(own) == 1 else ()))
        codes = {code for name in texts if (code := code_of(name).strip("._-"))}
        if len(codes) > 1:
            raise ValueError(f"texts are in {' and '.join(sorted(codes))}")
        if self.target and self.biased_answer:
            raise ValueError("target and biased_answer are both named: keep one of them")
        if self.unknown == "groups" and not self.groups:
            raise ValueError("unknown is 'groups', and no groups are named")
        return self

    def columns(self) -> Iterator[str]:
        """Yield every column that a file needs."""
        coded = (self.polarity, self.context_type, self.stereotype, self.target)
        choices = (self.answer, self.biased_answer, self.unknown)
        said = (item.column for item in (*coded, *choices) if isinstance(item, Coded | Choice))
        single = (self.template, self.category, self.stereotyped, self.subcategory)
        for item in filter(None, (*said, self.choices, self.context, self.question, *single)):
            yield from (item,) if isinstance(item, str) else item
        several = (self.answers_of, self.id, self.names, self.groups, self.only, self.marks)
        yield from (column for columns in several for column in columns or ())

    @property
    def by_the_answer(self) -> bool:
        """Whether the right answer tells the kind of context."""
        return self.context_type == _ANSWER


def read_mapping(path: Path) -> SampleMapping:
    """Read a mapping of samples, as `read_decided` does."""
    return read_decided(path, SampleMapping, PAGE)


def read_decided(path: Path, model: type[Mapped], page: str) -> Mapped:
    """Read a mapping.

    Args:
        path: The file.
        model: What it is read into.
        page: Where it is documented.

    Raises:
        CurateError: If it is none, or has a line that a person has to decide.
    """
    text = read_text(path)
    root, _ = parse_yaml(text, path)
    for key, line in _undecided(root):
        raise refusal("curation", "mapping-undecided", f"{path}, line {line}", name=key, none=NONE)
    return parse_settings(text, model, path, page)


def _undecided(node: yaml.Node | None) -> Iterator[tuple[str, int]]:
    """Yield the keys that a person has to decide, with their lines."""
    for key, value in node.value if isinstance(node, yaml.MappingNode) else ():
        if value.value == UNDECIDED_LINE:
            yield key.value, key.start_mark.line + 1
        yield from _undecided(value)


@cache
def known_mappings() -> tuple[SampleMapping, ...]:
    """The layouts of published sets, and ours."""
    folder = sorted((files(__package__) / "layouts").iterdir(), key=lambda item: item.name)
    texts = ((file.read_text(encoding="utf-8"), Path(file.name)) for file in folder)
    return tuple(parse_settings(text, SampleMapping, path, PAGE) for text, path in texts)


# --- a column, wherever it is


def joined(records: Records, by: Sequence[str], path: Path) -> Records:
    """The samples of a file in which each answer has a row.

    Args:
        records: The file, opened.
        by: Columns that have the same in the rows of a sample.
        path: Its name.

    Returns:
        A record of three rows each; what is not the same in them is a list.
    """

    def rows() -> Iterator[tuple[int, Record]]:
        same = itemgetter(*by)
        for _, group in groupby(records.rows, key=lambda item: same(item[1])):
            numbers, cells = zip(*group, strict=True)
            if len(cells) != 3:
                place = f"{path}, {records.kind} {numbers[0]}"
                raise refusal(__package__, "rows-of-answers", place, rows=len(cells), by=by)
            columns = {name: [row.get(name) for row in cells] for name in records.names}
            alike = {name: own[0] for name, own in columns.items() if own == own[:1] * 3}
            yield numbers[0], {**columns, **alike}

    return replace(records, rows=rows(), delimited=False)


@lru_cache(maxsize=4096)  # a template's rows have their lists in common
def parsed(text: str) -> object:
    """What a text stands for that is a list or an object; None if it is none.

    Three lines behind the letters A to C, or 1 to 3, are a list.
    """
    lines = [*_ONE_BY_ONE.finditer(text)]
    marks = "".join(line[1] for line in lines).upper()
    if marks in ("ABC", "123") and "".join(line[0] for line in lines) == text:
        return [line[2] for line in lines]
    return literal(text)


def answers_in(text: str) -> object:
    """The answers that a text is, or that stand behind letters at its end."""
    behind = _BEHIND.fullmatch(text.strip()) if "\n" in text else None
    return parsed(behind[2] if behind else text)


def code_of(column: str) -> str:
    """The code of a language at the beginning or end of a column's name, with its mark."""
    found = _CODE.search(column)
    return found[0] if found else ""


def joined_context(parts: Iterable[str], *, is_ambiguous: bool) -> str:
    """The context of an ambiguous and a disambiguating text."""
    before, after = (text.strip() for text in parts)
    if is_ambiguous or not after:
        return before
    return after if after.startswith(before) else f"{before} {after}"


def split_question(text: str) -> tuple[str, str]:
    """A context and the question behind it: the last line of a text, or else the last sentence.

    Answers behind letters are left out, and what `Passage: ...` and `Question: ...` begin with.
    """
    behind = _BEHIND.fullmatch(text.strip())
    text = behind[1] if behind else text.strip()
    told = (one.fullmatch(text) for one in (_HEADED, *_QUESTIONS))
    found = next(filter(None, told), None)
    return (found[1].strip(), found[2]) if found else ("", text)


def has(names: set[str], column: str) -> bool:
    """Whether a file with some columns may have one: itself, or what it is within."""
    ways = (one.split(_AND) for one in column.split(_OR))
    return any(all(_head(names, part) for part in parts) for parts in ways)


def _head(names: set[str], column: str) -> str:
    parts = column.split(".")
    heads = (".".join(parts[:at]) for at in range(len(parts), 0, -1))
    return next((head for head in heads if head in names), "")


def getter(names: set[str], column: str) -> Callable[[Record], Any]:
    """What takes a column out of a record of a file.

    Raises:
        CurateError: If the file does not have it.
    """
    for one in column.split(_OR):
        if _AND in one and has(names, one):
            takes = [getter(names, part) for part in one.split(_AND)]
            return lambda record: " ".join(str(take(record) or "") for take in takes).strip()
        head = _head(names, one)
        if head == one:
            return itemgetter(one)
        if head:
            rest = one.removeprefix(f"{head}.").split(".")
            return lambda record: within(record[head], rest, one)
    raise refusal("curation", "mapping-column-unknown", name=column, names=", ".join(sorted(names)))


def within(value: Any, rest: list[str], column: str) -> Any:
    """What is within a cell, which may be text.

    Raises:
        ValueError: If it is not there.
    """
    for part in rest:
        if isinstance(value, str):
            value = parsed(value)
        try:
            if type(value) is dict:  # as JSON, Parquet and literals give them
                if part in (KEYS, VALUES) and part not in value:
                    value = [*(value if part == KEYS else value.values())]
                else:
                    value = value[part] if part in value else value[int(part)]
            elif part.removeprefix("-").isdecimal():
                value = value[int(part)]
            else:
                value = [item[part] for item in value]
        except (ValueError, LookupError, TypeError):
            raise ValueError(f"{column} is not there") from None
    return value


def listed(value: object) -> tuple[str, ...]:
    """The texts of a list, which may be written as text; what is no list is one text."""
    if isinstance(value, str):
        found = parsed(value) if value[:1] in ("[", "(") else None
        value = found if isinstance(found, list | tuple) else [value]
    none = value is None or isinstance(value, dict)
    items = value if isinstance(value, list | tuple) else [] if none else [value]
    return tuple(str(item) for item in items if str(item).strip())
