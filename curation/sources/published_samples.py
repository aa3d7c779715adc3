"""Samples of any set of the family, read one at a time by a mapping of its columns.

The mappings of published layouts are data (`sample_mapping`). Which person is the target is taken
from where the set states it; where it states none, or two, the role is left open with the reason,
and never guessed.
"""

import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, TypeVar
from unicodedata import normalize

from curation.files.jsonl import Record, Records, stream
from curation.files.tables import unescape_formula
from curation.records.bank import SampleId, VariantId
from curation.records.letters import words_of
from curation.records.messages import CurateError, refusal, shortened
from curation.sources.roles import (
    CONTROL,
    Facts,
    Person,
    Role,
    Stated,
    by_answers,
    by_labels,
    crossed,
    folded,
    groups_of_cell,
    script_of,
    words_for,
)
from curation.sources.sample_mapping import (
    OF_FORMULA,
    Choice,
    SampleMapping,
    Three,
    answers_in,
    getter,
    has,
    joined,
    joined_context,
    known_mappings,
    listed,
    place_of,
    split_question,
)

__all__ = ("CONTROL", "PublishedSample", "PublishedSamples", "layout_of", "read_published")
NO_TARGET = "nothing says who is the target"
"""Why a role is open where the mapping names nothing that says it."""
_HINT = "correct the file, or the mapping where one is named"
_BANK = "bank"
_MARKS_OF_A_BANK = {"template_id", "variant", "ambiguous_context", "biased_question"}
_PLACES = (0, 1, 2)
_PEOPLE = ((1, 2), (0, 2), (0, 1))
"""By the place of the unknown choice those of the two people."""
_MISLABELLED = "the answer of an ambiguous context is not the unknown choice"
"""Why a role is open where a row has another label than its kind of context."""
_CONTRADICTED = "the template's groups contradict Target"
_OF_ID = ("template_id", "variant", "context_type", "question_type")
_ORDER = re.compile(r"-[012]$")
_NOTHING: Mapping[str, str] = {}
_FAULTS = (CurateError, ValueError, KeyError, TypeError)
"""What a row raises that cannot be read."""


class PublishedSample(NamedTuple):
    """One sample of a published file.

    Attributes:
        row: Its row, line or record in the file.
        sample_id: Its id, one of a kind in the file.
        template_id: The template that the file names.
        variant: Its letter, where the id says it.
        category: Category as the file writes it.
        context: What is told.
        question: What is asked.
        choices: The three choices, in the order of the file.
        answer: The right one.
        unknown: The one that says that the context does not tell.
        context_type: `amb` or `dis`.
        question_type: `bsd` for the negative question, `cnt` for the other; empty where the file
            does not say.
        record: The row itself.
        biased_answer: The choice that the stereotype suggests; empty where the role is not known.
        target: The choice that is the target; empty where that is not known.
        undecided: Why the role is not known.
        settled_by: By what a role was settled of which the file writes the group in two ways.
        also: Other fields of a sample that the file has.
    """

    row: int
    sample_id: str
    template_id: str
    variant: str
    category: str
    context: str
    question: str
    choices: Three
    answer: str
    unknown: str
    context_type: str
    question_type: str
    record: Record
    biased_answer: str = ""
    target: str = ""
    undecided: str = ""
    settled_by: str = ""
    also: Mapping[str, str] = _NOTHING


@dataclass(frozen=True, slots=True)
class PublishedSamples:
    """A file of samples.

    Attributes:
        mapping: Which columns say what.
        rows: The samples, each read when it is asked for; a row that contradicts itself raises
            `CurateError`.
        may_be_control: Whether it is read as an ordinary set, and its few rows do not show that it
            is no control set.
        unchecked: Whether its roles could be compared with templates, which were not found.
    """

    mapping: SampleMapping
    rows: Iterator[PublishedSample]
    may_be_control: bool = False
    unchecked: bool = False

    @property
    def layout(self) -> str:
        """What its mapping is called, such as `bbq`."""
        return self.mapping.name


def layout_of(path: Path) -> str:
    """Tell the layout of a file of samples by its columns or keys.

    Raises:
        CurateError: If there is no such file, or it has none of the known layouts.
    """
    return mapping_of(stream(path, _HINT), path).name


def mapping_of(records: Records, path: Path, *, predicted: bool = False) -> SampleMapping:
    """The known layout of a file.

    Args:
        records: The file, opened.
        path: Its name.
        predicted: Whether it is read for what models answered: layouts for that come first then,
            and else last.

    Raises:
        CurateError: If it has none; it says so where it holds templates.
    """
    names = set(records.names)
    lacking: dict[str, list[str]] = {}
    known = sorted(known_mappings(), key=lambda item: bool(item.samples_in) is not predicted)
    for mapping in known:
        needed = dict.fromkeys(mapping.columns())
        lacking[mapping.name] = [column for column in needed if not has(names, column)]
        if not lacking[mapping.name]:
            return mapping
    from curation.sources.imported import holds_templates  # samples need none

    where = f"{path}, {records.kind} 1"
    name = _BANK if names >= _MARKS_OF_A_BANK else holds_templates(names)
    file = shlex.quote(str(path))
    if name:
        key = "samples-are-a-bank" if name == _BANK else "samples-are-templates"
        raise refusal(__package__, key, where, layout=name, path=file)
    near = min(lacking, key=lambda name: len(lacking[name]))
    told = f": {near} would need {shortened(lacking[near])}" if len(lacking[near]) <= 3 else ""
    raise refusal(__package__, "layout-unknown", where, told=told, path=file)


def read_published(
    path: Path,
    *,
    mapping: SampleMapping | None = None,
    templates: Path | None = None,
    predicted: bool = False,
) -> PublishedSamples:
    """Open a file of samples.

    Where rows do not say each by itself who is the target, the file is gone through once before:
    what one row leaves open others settle (which of two people of one race is the target, whether
    it is a control set).

    Args:
        path: The file.
        mapping: Which columns say what; None for one of the known layouts.
        templates: A folder with templates that may contradict BharatBBQ's `Target`, beside a folder
            of that name next to the file's own.
        predicted: Whether it is read for what models answered.

    Raises:
        CurateError: If there is no such file, it has none of the known layouts, or the mapping is
            of another file.
    """
    records = stream(path, _HINT)
    mapping = mapping or mapping_of(records, path, predicted=predicted)
    by = mapping.answers_of

    def again() -> Records:
        opened = stream(path, _HINT)
        return joined(opened, by, path) if by else opened

    records = joined(records, by, path) if by else records
    is_doubted, unchecked = None, False
    if mapping.name == "bharatbbq":
        from curation.sources.bharatbbq import doubts  # and how templates are read

        is_doubted = doubts(path, templates)
        unchecked = is_doubted is None
    try:
        reader = _Reader(mapping, records, path, is_doubted)
    except _FAULTS as error:
        _refuse(error, path, records.kind, 1)
    if mapping.unknown == "answers":
        for number, record in again().rows:
            try:
                reader.learn(record)
            except _FAULTS as error:
                _refuse(error, path, records.kind, number)
    facts = None
    may_be_control = False
    if mapping.biased_answer is None and mapping.target is None:  # no row says it by itself
        facts = Facts()
        for stated in reader.each(again(), path, reader.role):
            facts.add(stated)
        if mapping.names and mapping.groups and not mapping.stereotype:
            facts.control, may_be_control = facts.are_control(path)
    rows = reader.each(records, path, partial(reader.sample, facts))
    return PublishedSamples(mapping, rows, may_be_control, unchecked)


def is_unknown(text: str) -> bool:
    """Whether a text is an unknown expression of a published set; case and stops are free."""
    return folded(text) in words_for("unknown")


def _refuse(error: Exception, path: Path, kind: str, number: int) -> NoReturn:
    """Say where a row lies that cannot be read."""
    place = f"{path}, {kind} {number}"
    if not isinstance(error, CurateError):
        what = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
        raise CurateError(f"the sample cannot be read: {what}", place, _HINT) from error
    if error.where:
        raise error
    raise CurateError(error.what, place, error.hint or _HINT) from error


class _Row(NamedTuple):
    """A sample before its role is told.

    Attributes:
        sample: The sample.
        number: The number of its template, as the file has it.
        answer: The place of the right answer.
        unknown: The place of the unknown choice.
        mislabelled: Whether its context is ambiguous, and its answer not the unknown choice.
    """

    sample: PublishedSample
    number: str
    answer: int
    unknown: int
    mislabelled: bool


_Get = Callable[[Record], Any]
Made = TypeVar("Made")


class _Reader:
    """Reads the rows of a file by a mapping."""

    def __init__(
        self,
        mapping: SampleMapping,
        records: Records,
        path: Path,
        is_doubted: Callable[[Record], bool] | None,
    ) -> None:
        self.mapping = mapping
        self._is_doubted = is_doubted
        names = set(records.names)
        self._names = names
        self._file = path.stem
        take = self._take
        self._parts = (mapping.context,) if isinstance(mapping.context, str) else mapping.context
        self._contexts = [*map(take, self._parts)]
        self._question, self._ids = take(mapping.question), [*map(take, mapping.id)]
        self._template, self._category = take(mapping.template), take(mapping.category)
        columns = mapping.choices
        self._columns = () if isinstance(columns, str) else columns
        self._choices = [*map(take, self._columns)]
        self._list = take(columns) if isinstance(columns, str) else None
        self._answer, self._target = map(self._place_in, (mapping.answer, mapping.target))
        chosen = mapping.unknown if isinstance(mapping.unknown, Choice) else None
        self._biased, self._unknown_in = map(self._place_in, (mapping.biased_answer, chosen))
        self._polarity = self._coded("polarity")
        self._kind = None if mapping.by_the_answer else self._coded("context_type")
        self._stereotype = self._coded("stereotype", strict=False)
        self._named = [*map(take, mapping.names or ())]
        self._groups = [*map(take, mapping.groups or ())]
        self._stereotyped = take(mapping.stereotyped)
        self._subcategory = take(mapping.subcategory)
        there = ((name, column) for name, column in mapping.also.items() if has(names, column))
        self._also = [(name, take(column)) for name, column in there]
        self._only = [(take(column), value) for column, value in mapping.only.items()]
        texts = mapping.unknown if isinstance(mapping.unknown, tuple) else ()
        self._texts = frozenset(map(folded, texts))
        self._learnt: set[str] = set()
        self._escaped = mapping.escaped and records.delimited
        self._words = words_for("unknown")
        self._of_id = [(at, name) for at, name in enumerate(_OF_ID) if name in names]

    # --- columns

    def _take(self, column: str | None) -> Any:
        return None if column is None else getter(self._names, column)

    def _coded(self, field: str, *, strict: bool = True) -> _Get | None:
        """What takes the meaning of a column's word; a word that has none is refused if strict."""
        coded = getattr(self.mapping, field)
        if coded is None:
            return None
        take, known = getter(self._names, coded.column), coded.meanings(field)

        def meaning(record: Record) -> str:
            value = take(record)
            found: str = known.get(value) or known.get(str(value).strip().casefold(), "")
            if strict and not found:
                listed = ", ".join(known)
                raise ValueError(f"{coded.column} is '{value}', which is not one of {listed}")
            return found

        return meaning

    def _place_in(self, choice: Choice | None) -> Callable[[Record, Three], int | None] | None:
        """What takes the answer that a column names; None where the cell is empty."""
        if choice is None:
            return None
        take, column, kind = self._take(choice.column), choice.column, choice.kind
        named = [folded(one.rpartition(".")[2]) for one in self._columns]
        if kind == "tag":
            named = [choice.tag]

        known: dict[object, int] = {}  # a file has few such texts, and each is read once
        scripts: set[str] = set()

        def place(record: Record, choices: Three) -> int | None:
            value = take(record)
            if value.__class__ in (str, int) and value in known:
                return known[value]
            if value is None or value == "":
                return None
            found = place_of(kind, value, choices, named)
            if found is None:
                raise ValueError(f"{column} is {value}, which is not a choice ({kind})")
            if kind == "letter":  # a Cyrillic Ve, the third letter there, looks like a B
                scripts.update(map(script_of, filter(str.isalpha, normalize("NFKC", str(value)))))
                if len(scripts) > 1:
                    raise ValueError(
                        f"{column} is {value}: its letters are {' and '.join(sorted(scripts))}"
                    )
            if kind != "text" and value.__class__ in (str, int):
                known[value] = found
            return found

        return place

    # --- a row

    def each(self, records: Records, path: Path, do: Callable[[_Row], Made]) -> Iterator[Made]:
        """Yield what is made of each row."""
        for number, record in records.rows:
            try:
                if self._only and any(str(take(record)) != said for take, said in self._only):
                    continue
                made = do(self._row(record, number))
            except _FAULTS as error:
                _refuse(error, path, records.kind, number)
            yield made

    def learn(self, record: Record) -> None:
        """Take in what an ambiguous context says of the file's unknown expressions."""
        kind = self._kind(record) if self._kind else ""
        if self.mapping.ids:
            kind = _parts(self._sample_id(record))[2]
        if self._answer and kind == "amb":
            choices = self._three(record)
            at = self._answer(record, choices)
            if at is not None:
                self._learnt.add(folded(choices[at]))

    def _sample_id(self, record: Record) -> str:
        """The id of KoBBQ's form; in predictions the number of an order may follow it."""
        told = str(self._ids[0](record))
        return _ORDER.sub("", told) if self.mapping.predictions else told

    def _row(self, record: Record, number: int) -> _Row:
        mapping = self.mapping
        # most rows have no cell that begins so, which one search through all of them tells
        if self._escaped and "\0'" in "\0".join(("", *record.values())):
            record = {
                name: unescape_formula(text) if text[:1] == "'" else text
                for name, text in record.items()
            }
        choices = self._three(record)
        category = str(self._category(record)) if self._category else self._file
        template_number = variant = context_type = question_type = ""
        if mapping.ids:
            sample_id = self._sample_id(record)
            told = template_id, variant, context_type, question_type = _parts(sample_id)
            if not self._category:
                category = template_id.rpartition("-")[0]
            for at, name in self._of_id:
                if record.get(name, told[at]) != told[at]:
                    raise ValueError(f"{name} is '{record[name]}', which its id contradicts")
        else:
            said = [str(take(record)) for take in self._ids] or [str(number)]
            sample_id = f"{_slug(category)}-{'-'.join(said)}"
            template_number = str(self._template(record)) if self._template else said[-1]
            template_id = _template(category, template_number)
        answer = self._answer(record, choices) if self._answer else None
        if answer is None:
            raise ValueError(f"{mapping.answer.column} is empty")
        if self._kind:
            context_type = self._kind(record)
        if self._polarity:
            question_type = self._polarity(record)
        unknown, mislabelled = self._unknown(record, choices, answer, context_type)
        if mapping.by_the_answer:
            context_type = "amb" if answer == unknown else "dis"
        sample = PublishedSample(
            number,
            sample_id,
            template_id,
            variant,
            category,
            *self._asked(record, context_type),
            choices,
            choices[answer],
            choices[unknown],
            context_type,
            question_type,
            record,
        )
        return _Row(sample, template_number, answer, unknown, mislabelled)

    def _asked(self, record: Record, context_type: str) -> tuple[str, str]:
        """Context and question."""
        question = _text(self._question(record), self.mapping.question)
        first = _text(self._contexts[0](record), self._parts[0])
        if self.mapping.context == self.mapping.question:
            first, question = split_question(question)
            return _text(first, self.mapping.question), question
        if len(self._contexts) > 1:
            both = first, str(self._contexts[1](record) or "")
            first = joined_context(both, is_ambiguous=context_type == "amb")
        return first, question

    def _three(self, record: Record) -> Three:
        if self._list is not None:
            value = self._list(record)
            return _three_of(value) if isinstance(value, str) else _checked(value)
        takes = zip(self._choices, self._columns, strict=True)
        a, b, c = (_text(take(record), column) for take, column in takes)
        return a, b, c

    def expressions(self, choices: Three) -> list[int]:
        """The places of the choices that are unknown expressions of a language."""
        return [place for place in _PLACES if folded(choices[place]) in self._words]

    def _unknown(
        self, record: Record, choices: Three, answer: int, context_type: str
    ) -> tuple[int, bool]:
        """The place of the unknown choice, and whether an ambiguous context has another answer."""
        how = self.mapping.unknown
        if how == "last":
            return 2, False
        if how == "groups":
            places = [at for at in _PLACES if folded(str(self._groups[at](record))) == "unknown"]
            if len(places) != 1:
                raise ValueError("not exactly one answer is of the group 'unknown'")
            return places[0], False
        if self._unknown_in:
            at = self._unknown_in(record, choices)
            if at is None:
                raise ValueError("no answer is named as the unknown one")
            return at, False
        places = self.expressions(choices)
        if how == "answers" and context_type == "amb":
            return answer, places not in ([], [answer])
        if self._texts:
            places = [at for at in _PLACES if folded(choices[at]) in self._texts]
        elif len(places) != 1:
            places = [at for at in _PLACES if folded(choices[at]) in self._learnt]
        target = self._target(record, choices) if self._target and len(places) != 1 else None
        if how == "answers" and target not in (None, answer):
            places = [at for at in _PLACES if at not in (target, answer)]
        if len(places) != 1:
            told = ", ".join(choices)
            raise ValueError(f"it is not known which of its choices is the unknown one: {told}")
        return places[0], False

    # --- roles

    def role(self, row: _Row) -> Stated:
        """What a row states of its role."""
        people = _PEOPLE[row.unknown]
        sample = row.sample
        record, choices = sample.record, sample.choices
        named: tuple[tuple[str, str], ...] = (("", ""), ("", ""))
        place: tuple[object, ...] = ()
        role, kind = Role(None, NO_TARGET), ""
        if self._target:
            target = self._target(record, choices)
            if target == row.unknown:
                raise ValueError(f"{self.mapping.target.column} is the unknown choice")  # type: ignore[union-attr]
            role = Role(None if target is None else people.index(target), "its cell is empty")
        elif self._groups and self._stereotyped:
            names, labels = (
                [str(takes[at](record) or "") if takes else "" for at in people]
                for takes in (self._named, self._groups)
            )
            named = tuple(zip(names, labels, strict=True))
            kind = str(self._subcategory(record) or "") if self._subcategory else ""
            both = [Person(*who, choices[at]) for who, at in zip(named, people, strict=True)]
            role = self._by_groups(both, listed(self._stereotyped(record)), kind)
        elif self._stereotyped:
            cell = ";".join(listed(self._stereotyped(record)))
            first, second = people
            role = by_answers((choices[first], choices[second]), groups_of_cell(cell))
            # answers stand as in the template's row, whatever fills it
            kind_of_row = sample.category, sample.context_type, sample.question_type
            place = (row.number, row.unknown, *kind_of_row, sample.question, cell)
        if row.mislabelled:
            role, place = Role(None, _MISLABELLED), ()
        target = None if role.at is None else people[role.at]
        why = role.why
        if self._stereotype and sample.context_type == "dis":
            told = self._stereotype(record)
            if told:
                asked = (told == "confirmed") == (sample.question_type == "bsd")
                target, why = row.answer if asked else sum(people) - row.answer, ""
        question = sample.category, row.number
        return Stated(choices, question, people, named, target, why, role.rule, kind, place)

    def _by_groups(self, both: Sequence[Person], groups: tuple[str, ...], kind: str) -> Role:
        first, second = both
        strange = crossed((first, second))
        if all(strange):
            raise ValueError(
                f"the names exchange the two people: '{first.name}' is the choice "
                f"'{second.choice}', and '{second.name}' is '{first.choice}'"
            )
        if any(strange):
            return Role(None, "a person has the name of the other one's choice")
        return by_labels((first, second), groups, kind)

    # --- samples

    def sample(self, facts: Facts | None, row: _Row) -> PublishedSample:
        """The sample, its role settled by the file where its row leaves it open."""
        sample, people = row.sample, _PEOPLE[row.unknown]
        choices, rule, why = sample.choices, "", ""
        asked = sample.question_type
        target = biased = None
        if self._biased:
            biased = self._biased(sample.record, choices)
            why = "" if biased is not None else NO_TARGET
            if biased == row.unknown:
                raise ValueError("biased_answer is the unknown choice")
            if biased is not None and asked:
                target = biased if asked == "bsd" else sum(people) - biased
        else:
            stated = self.role(row)
            if facts is not None:
                facts.settle(stated)
            target, rule, why = stated.target, stated.rule, stated.why
            if self._is_doubted is not None and self._is_doubted(sample.record):
                target, why = None, _CONTRADICTED
            if target is not None and not asked:
                target, why = None, "it is not said which question is negative"
            if target is not None:
                biased = target if asked == "bsd" else sum(people) - target
        if not self.mapping.ids:
            if sample.context_type == "amb" and row.answer != row.unknown:
                raise ValueError("the context is ambiguous, and the answer is not the unknown one")
            if sample.context_type == "dis" and row.answer == row.unknown:
                raise ValueError("the context is disambiguated, and the answer is the unknown one")
        role = (
            "" if biased is None else choices[biased],
            "" if target is None else choices[target],
            why if biased is None else "",
            rule if biased is not None else "",
            {name: str(take(sample.record) or "") for name, take in self._also},
        )
        return PublishedSample._make((*sample[: -len(role)], *role))


def _text(value: object, name: str) -> str:
    if isinstance(value, str) and value and not value.isspace():
        if OF_FORMULA.fullmatch(value):
            raise ValueError(f"{name} is {value}, an error of a spreadsheet")
        return value
    if value is None or isinstance(value, str):
        raise ValueError(f"{name} is empty")
    kind = {list: "a list", dict: "an object", bool: "true or false"}.get(type(value), "a number")
    raise ValueError(f"{name} is {kind}, not a text")


@lru_cache(maxsize=256)  # the samples of one filling have their choices in common
def _three_of(text: str) -> Three:
    return _checked(answers_in(text))


def _checked(found: object) -> Three:
    if not isinstance(found, list | tuple) or not all(isinstance(item, str) for item in found):
        raise ValueError("choices is not a list of texts")
    if len(found) != 3:
        raise ValueError("choices are not three")
    return found[0], found[1], found[2]


@lru_cache(maxsize=4096)
def _slug(category: str) -> str:
    return "_".join(words_of(category.lower())) or "samples"


@lru_cache(maxsize=65536)
def _template(category: str, number: str) -> str:
    told = number.zfill(3) if number.isdecimal() else number
    return f"{_slug(category)}-{told}"


_ENDS = frozenset((context, asked) for context in ("amb", "dis") for asked in ("bsd", "cnt"))


def _parts(sample_id: str) -> tuple[str, str, str, str]:
    """Take an id of KoBBQ's form apart: template, variant, context type, question type.

    Raises:
        CurateError: If it is none.
    """
    # there are few variants, and few ways to end: each is parsed once
    name, number, *end = sample_id.rsplit("-", 3) if sample_id.count("-") > 2 else ("", "", "", "")
    is_number = len(number) == 3 and number.isdecimal() and number != "000"
    if not is_number or (end[0], end[1]) not in _ENDS:
        SampleId.parse(sample_id)
    return (*_variant(name), end[0], end[1])


@lru_cache(maxsize=65536)
def _variant(text: str) -> tuple[str, str]:
    """The template and the letter that a variant's id names."""
    found = VariantId.parse(text)
    return str(found.template), found.letter.value
