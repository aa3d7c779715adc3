"""Samples of published sets, each in its own layout, read one at a time.

A layout is told by columns or keys. Which person is the target is taken from where the set states
it; where it states none, or two, the role is left open with the reason, and never guessed.
"""

import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from curation.files.records import Record, Records, stream
from curation.files.tables import list_literal
from curation.files.writers.cells import unescape_formula
from curation.records.errors import CurateError
from curation.records.ids import SampleId
from curation.records.wording import shortened
from curation.sources import bharatbbq
from curation.sources.roles import (
    DISAGREE,
    Known,
    Person,
    Role,
    by_answers,
    by_labels,
    crossed,
    features,
    folded,
    groups_of_cell,
)

LAYOUTS: Mapping[str, tuple[str, ...]] = {
    "bbq": (
        *("example_id", "question_index", "question_polarity", "context_condition", "category"),
        *("answer_info", "additional_metadata", "context", "question"),
        *("ans0", "ans1", "ans2", "label"),
    ),
    "esbbq": (
        *("instance_id", "question_polarity", "context_condition", "category"),
        *("stereotyped_groups", "context", "question", "question_type"),
        *("ans0", "ans1", "ans2", "label"),
    ),
    "bharatbbq": (
        *("Qid", "Context_type", "Context", "Question", "Question_polarity"),
        *("Option1", "Option2", "Option3", "Label", "Target", "Category", "id"),
    ),
    "cbbq": (
        *("example_id", "question_index", "question_polarity", "context_condition", "category"),
        *("bias_targeted_groups", "context", "question", "ans0", "ans1", "ans2", "label"),
    ),
    "kobbq": (
        *("sample_id", "label_annotation", "context", "question", "choices"),
        *("biased_answer", "answer", "bbq_id", "bbq_category"),
    ),
    "ours": (
        *("sample_id", "category", "label", "context", "question"),
        *("choices", "biased_answer", "answer"),
    ),
}
"""By layout the columns or keys that mark it; `mbbq` has those of `bbq`."""
UNDECIDED = "undecided"
"""The key of `extra` that says why the role is not known."""
SETTLED = "settled_by"
"""The key of `extra` that says by what a role was settled of which the file writes the group in two
ways."""
CONTROL = "control"
"""The value of `UNDECIDED` in MBBQ's control set, in which no person is of a stereotyped group."""

TEMPLATES = "templates"
"""The code of the failure that a file holds templates of a published format."""
_HINT = "name the file as it is published, or as 'curate export samples' writes it"
_LAYOUTS_HINT = "see 'Samples that are published' in docs/formats.md for the columns of each"
_BANK = "bank"
_TEMPLATES: Mapping[str, tuple[str, ...]] = {
    "bbq": ("Q_id", "Ambiguous_Context", "Question_negative_stereotype"),
    "bharatbbq": ("Q_id", "Ambiguous_Context", "Question_negative"),
    "kobbq": ("ID", "Ambiguous_context", "Biased_question"),
    "bbg": ("Template_ID", "Ambiguous_context", "Biased_question"),
    "cbbq": ("question_index", "context", "NAME1", "NAME2", "question"),
    "esbbq": ("esbbq_template_id", "esbbq_category"),
    _BANK: ("template_id", "variant", "ambiguous_context", "biased_question"),
}
"""By published format, and for a bank of ours, columns that mark templates."""
_CONTEXTS = {
    **dict.fromkeys(("ambig", "amb", "ambiguous"), "amb"),
    **dict.fromkeys(("disambig", "disamb", "dis", "disambiguous", "disambiguated"), "dis"),
}
_POLARITIES = {
    **dict.fromkeys(("neg",), "bsd"),
    **dict.fromkeys(("nonneg", "non-neg", "non_neg"), "cnt"),
}
_OPTIONS = ("Option1", "Option2", "Option3")
_PLACES = (0, 1, 2)
_PEOPLE = ((1, 2), (0, 2), (0, 1))
"""By the place of the unknown choice those of the two people."""
_NAMED_BY_GROUP = ("gender", "race")
_PART_OF_BOTH = 4
"""Of the names that occur in several fillings one in so many is of both groups in a control set: at
random half of them are, and in an ordinary set none."""
_ENOUGH_NAMES = 5
"""So many names of one group each are no control set: at random they would be in 1 of 32."""
_NAMED_CONTROL = re.compile(r"(?:^|[\W_])control(?:[\W_]|$)")
_WITHOUT_NAMES = 25
"""In categories of these words people of BBQ's own set are told by proper names, too: in questions
beyond this number, and where two categories cross in any."""


@dataclass(frozen=True, slots=True)
class PublishedSample:
    """One sample of a published file.

    Attributes:
        row: Its row, line or record in the file.
        sample_id: Its id, one of a kind in the file.
        template_id: The template that the file names.
        category: Category as the file writes it.
        context: What is told.
        question: What is asked.
        choices: The three choices, in the order of the file.
        answer: The right one.
        unknown: The one that says that the context does not tell.
        context_type: `amb` or `dis`; empty where the file does not say.
        question_type: `bsd` for the negative question, `cnt` for the other; empty where the file
            does not say.
        biased_answer: The choice that the stereotype suggests; empty where the role is not known.
        extra: What else the file says of it; `undecided` is why the role is not known.
    """

    row: int
    sample_id: str
    template_id: str
    category: str
    context: str
    question: str
    choices: tuple[str, str, str]
    answer: str
    unknown: str
    context_type: str
    question_type: str
    biased_answer: str
    extra: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PublishedSamples:
    """A file of samples.

    Attributes:
        layout: `ours`, `bbq`, `esbbq`, `bharatbbq`, `cbbq`, `mbbq` or `kobbq`.
        unchecked: Whether its roles could be compared with templates, which were not found.
        may_be_control: Whether it is read as an ordinary set, and its few rows do not show that it
            is no control set.
        rows: The samples, each read when it is asked for; a row that contradicts itself raises
            `CurateError`.
    """

    layout: str
    rows: Iterator[PublishedSample]
    may_be_control: bool = False
    unchecked: bool = False


def layout_of(path: Path) -> str:
    """Tell the layout of a file of samples by its columns or keys.

    Raises:
        CurateError: If there is no such file, or it has none of the known layouts.
    """
    return _layout(stream(path, _HINT), path)


def read_published(
    path: Path,
    language: str | None = None,
    *,
    control: bool | None = None,
    templates: Path | None = None,
) -> PublishedSamples:
    """Open a file of samples in any known layout.

    The file is gone through once before, where what one row leaves open others settle (which of
    two people of one race is the target, whether it is a control set).

    Args:
        path: The file.
        language: Whose words unknown expressions and groups are told by; None for all languages.
        control: Whether it is a control set, in which nobody is of a stereotyped group; None where
            its names and groups tell, or else the file's name.
        templates: A folder with templates that may contradict BharatBBQ's `Target`, beside a folder
            of that name next to the file's own.

    Raises:
        CurateError: If there is no such file, or it has none of the known layouts.
    """
    records = stream(path, _HINT)
    layout = _layout(records, path)
    if layout in ("ours", "kobbq"):
        return PublishedSamples(layout, _placed(records, path, _own))
    known = Known(language)
    if layout == "bharatbbq":
        beside = _templates_of(path, templates)
        bharat = _Bharat(known, bharatbbq.contradicted(beside) if beside else frozenset())
        for number, record in stream(path, _HINT).rows:
            with _where(path, records.kind, number):
                bharat.learn(record)
        rows = _placed(records, path, bharat.read)
        return PublishedSamples(layout, rows, unchecked=not beside)
    facts = _Facts()
    split = _CONVERTERS[layout]
    for number, record in stream(path, _HINT).rows:
        with _where(path, records.kind, number):
            facts.add(split(record, known))
    facts.close()
    may_be_control = False
    if layout == "bbq":
        facts.control, may_be_control = facts.names.are_control(path, control)
        if facts.control or facts.foreign:
            layout = "mbbq"
    rows = _placed(records, path, lambda item: _settled(split(item, known), facts))
    return PublishedSamples(layout, rows, may_be_control)


def _layout(records: Records, path: Path) -> str:
    names = set(records.names)
    found = next((name for name, marks in LAYOUTS.items() if names.issuperset(marks)), None)
    if found is not None:
        return found
    where = f"{path}, {records.kind} 1"
    for name, marks in _TEMPLATES.items():
        if names.issuperset(marks):
            title = "a bank" if name == _BANK else f"the layout '{name}'"
            do = f"curate import {name} {shlex.quote(str(path))}"
            raise CurateError(
                f"these are templates of {title}, not samples",
                where,
                "curate export samples writes their samples" if name == _BANK else do,
                code="" if name == _BANK else TEMPLATES,
            )
    missing = {name: len(set(marks) - names) for name, marks in LAYOUTS.items()}
    near = min(LAYOUTS, key=lambda name: (missing[name] - len(LAYOUTS[name]), missing[name]))
    lacking = [name for name in LAYOUTS[near] if name not in names]
    if 2 * len(lacking) > len(LAYOUTS[near]):
        what = "the columns or keys are those of no known layout of samples"
    else:
        what = f"the samples lack {shortened(lacking)}: of the known layouts {near} is nearest"
    raise CurateError(what, where, _LAYOUTS_HINT)


class _where:
    """Says where a row lies that cannot be read."""

    def __init__(self, path: Path, kind: str, number: int) -> None:
        self._place = f"{path}, {kind} {number}"

    def __enter__(self) -> None:
        return None

    def __exit__(self, _kind: object, error: object, _trace: object) -> None:
        if isinstance(error, CurateError) and not error.where:
            raise CurateError(error.what, self._place, error.hint or _HINT) from error
        if isinstance(error, ValueError | KeyError | TypeError):
            what = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
            raise CurateError(f"the sample cannot be read: {what}", self._place, _HINT) from error


_Convert = Callable[[Record], dict[str, Any]]


def _placed(records: Records, path: Path, convert: _Convert) -> Iterator[PublishedSample]:
    for number, record in records.rows:
        with _where(path, records.kind, number):
            sample = PublishedSample(row=number, **convert(record))
        yield sample


# --- our own layout, and KoBBQ's, whose ids say it all


def _own(record: Record) -> dict[str, Any]:
    """Read a sample as it is exported, or as KoBBQ publishes it."""
    cells = {
        name: unescape_formula(value) if isinstance(value, str) and value[:1] == "'" else value
        for name, value in record.items()
    }
    listed = cells["choices"]
    choices = _three(list_literal(listed) if isinstance(listed, str) else listed)
    found = SampleId.parse(str(cells["sample_id"]))
    told = ("sample_id", "template_id", "category", "context", "question", "choices", "answer")
    left = {name: value for name, value in cells.items() if name not in (*told, "biased_answer")}
    return {
        "sample_id": cells["sample_id"],
        "template_id": str(found.variant.template),
        "category": cells.get("category") or str(found.variant.template.category),
        "context": _text(cells, "context"),
        "question": _text(cells, "question"),
        "choices": choices,
        "answer": _text(cells, "answer"),
        "unknown": choices[2],
        "context_type": found.context_type.value,
        "question_type": found.question_type.value,
        "biased_answer": cells["biased_answer"],
        "extra": {**_texts(left), "variant": found.variant.letter.value},
    }


def _three(value: object) -> tuple[str, str, str]:
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise ValueError("choices is not a list of texts")
    if len(value) != 3:
        raise ValueError("choices are not three")
    return value[0], value[1], value[2]


# --- what the rows of the other layouts state


def is_unknown(text: str, language: str | None = None) -> bool:
    """Whether a text is one of the unknown expressions that published sets have.

    Args:
        text: The text; case, blanks and stops are free.
        language: Whose expressions; None for those of all languages.
    """
    return folded(text) in Known(language).words("unknown")


@dataclass(slots=True)
class _Stated:
    """What a row states of its sample, before the role is settled.

    Attributes:
        fields: Fields of `PublishedSample` that it states.
        question: The question it belongs to: category and number.
        unknown: Which choice is the unknown one.
        people: The places of the two others.
        named: For each person what the file calls them, and their group.
        target: Which choice is the target, where the row states it; None where not.
        why: Why it does not.
        rule: By what it was settled, where the row writes the group in two ways.
        kind: BBQ's `subcategory`.
        place: What rows have in common of which the target stands at one place; empty where it
            does not.
    """

    fields: dict[str, Any]
    question: tuple[str, str]
    unknown: int
    people: tuple[int, int]
    named: tuple[tuple[str, str], tuple[str, str]]
    target: int | None
    why: str
    rule: str = ""
    kind: str = ""
    place: tuple[object, ...] = ()


_literal = lru_cache(maxsize=4096)(list_literal)  # a template's rows have their lists in common


def _people(record: Record, places: Sequence[int], info: Callable[[int], object]) -> list[Any]:
    found = []
    for place in places:
        value = info(place)
        if isinstance(value, str):
            value = _literal(value)
        if not isinstance(value, list | tuple) or len(value) != 2:
            raise ValueError(f"answer_info of ans{place} is not a pair of name and group")
        found.append((str(value[0] or ""), str(value[1] or "")))
    return found


def _from_info(record: Record, info: Callable[[int], object]) -> tuple[list[Any], int]:
    """The names and groups of the three answers, and which of them is the unknown one."""
    named = _people(record, _PLACES, info)
    unknown = [place for place in _PLACES if folded(named[place][1]) == "unknown"]
    if len(unknown) != 1:
        raise ValueError("not exactly one answer is marked unknown in answer_info")
    return named, unknown[0]


def _asked(record: Record, choices: tuple[str, str, str], first: int = 0) -> dict[str, Any]:
    """The fields that BBQ's children have in common."""
    label = _number(record["label"], "label") - first
    if label not in _PLACES:
        raise ValueError(f"label is {record['label']}, which is not a choice")
    return {
        "category": str(record["category"]),
        "context": _text(record, "context"),
        "question": _text(record, "question"),
        "choices": choices,
        "answer": choices[label],
        "context_type": _one_of(_CONTEXTS, record["context_condition"], "context_condition"),
        "question_type": _one_of(_POLARITIES, record["question_polarity"], "question_polarity"),
    }


def _one_of(known: Mapping[str, str], value: object, name: str) -> str:
    found = known.get(value) if isinstance(value, str) else None
    found = found or known.get(str(value).strip().casefold())
    if found is None:
        raise ValueError(f"{name} is '{value}', which is not one of {', '.join(known)}")
    return found


def _number(value: object, name: str) -> int:
    if type(value) is int:
        return value
    text = str(value).strip()
    if not re.fullmatch(r"[0-9]+(\.0)?", text):
        raise ValueError(f"{name} is '{value}', which is not a number")
    return int(text.partition(".")[0])


def _text(record: Record, name: str) -> str:
    value = record[name]
    if value is not None and not isinstance(value, str):
        kind = {list: "a list", dict: "an object", bool: "true or false"}.get(
            type(value), "a number"
        )
        raise ValueError(f"{name} is {kind}, not a text")
    if value is None or not value.strip():
        raise ValueError(f"{name} is empty")
    return value


def _choices(record: Record, names: Sequence[str]) -> tuple[str, str, str]:
    a, b, c = (_text(record, name) for name in names)
    return a, b, c


def _texts(record: Mapping[str, object]) -> dict[str, str]:
    return {name: "" if value is None else str(value) for name, value in record.items()}


@lru_cache(maxsize=4096)
def _slug(category: str) -> str:
    return re.sub(r"[\W_]+", "_", category.strip().lower()).strip("_") or "samples"


@lru_cache(maxsize=65536)
def _template(category: str, number: str) -> str:
    return f"{_slug(category)}-{number.zfill(3) if number.isdecimal() else number}"


def _left(record: Record, *told: str) -> dict[str, str]:
    """What a row says besides what has a field of its own."""
    common = ("category", "context", "question", "ans0", "ans1", "ans2")
    return _texts({key: value for key, value in record.items() if key not in (*common, *told)})


def _groups(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        value = _literal(value) or [value]
    items = value if isinstance(value, list | tuple) else ()
    return tuple(str(item) for item in items if str(item).strip())


# --- BBQ and MBBQ


def _bbq(record: Record, known: Known) -> _Stated:
    info, more = record["answer_info"], record["additional_metadata"]
    if not isinstance(info, Mapping) or not isinstance(more, Mapping):
        raise ValueError("answer_info and additional_metadata are not objects")
    number = str(record["question_index"])
    fields = _asked(record, _choices(record, ("ans0", "ans1", "ans2")))
    fields["sample_id"] = f"{_slug(fields['category'])}-{record['example_id']}"
    fields["template_id"] = _template(fields["category"], number)
    fields["extra"] = {
        **_left(record, "answer_info", "additional_metadata"),
        **{name: str(value) for name, value in more.items()},
    }
    named, unknown = _from_info(record, lambda place: info.get(f"ans{place}"))
    groups = _groups(more.get("stereotyped_groups"))
    kind = str(more.get("subcategory") or "")
    return _stated(fields, number, named, unknown, groups, known, kind)


def _stated(
    fields: dict[str, Any],
    number: str,
    named: Sequence[tuple[str, str]],
    unknown: int,
    groups: tuple[str, ...],
    known: Known,
    kind: str = "",
) -> _Stated:
    places = _PEOPLE[unknown]
    first, second = (Person(*named[at], fields["choices"][at]) for at in places)
    strange = crossed((first, second))
    if all(strange):
        raise ValueError(
            f"answer_info exchanges the two people: '{first.name}' is the choice "
            f"'{second.choice}', and '{second.name}' is '{first.choice}'"
        )
    role = by_labels((first, second), groups, kind, known)
    if any(strange):
        role = Role(None, "answer_info gives a person the name of the other one's choice")
    return _Stated(
        fields=fields,
        question=(fields["category"], number),
        unknown=unknown,
        people=places,
        named=(named[places[0]], named[places[1]]),
        kind=kind,
        target=None if role.at is None else places[role.at],
        why=role.why,
        rule=role.rule,
    )


# --- EsBBQ and CaBBQ


def _esbbq(record: Record, known: Known) -> _Stated:
    info = record.get("answer_info")
    nested = info if isinstance(info, Mapping) else None
    number = str(record.get("template_id") or record.get("question_index") or "")
    if not number:
        raise KeyError("template_id")
    fields = _asked(record, _choices(record, ("ans0", "ans1", "ans2")))
    fields["sample_id"] = f"{_slug(fields['category'])}-{record['instance_id']}"
    fields["template_id"] = _template(fields["category"], number)
    fields["extra"] = _left(record, "template_id", "answer_info")
    named, unknown = _from_info(
        record,
        lambda place: (
            nested[f"ans{place}"] if nested is not None else record[f"answer_info.ans{place}"]
        ),
    )
    item = _stated(fields, number, named, unknown, _groups(record["stereotyped_groups"]), known)
    told = str(record["question_type"]).strip().casefold()
    if fields["context_type"] == "dis" and told in ("pro-stereo", "anti-stereo"):
        label = _number(record["label"], "label")
        asked = (told == "pro-stereo") == (fields["question_type"] == "bsd")
        others = [place for place in item.people if place != label]
        item.target = label if asked else others[0]
        item.why = ""
    return item


# --- CBBQ

_MISLABELLED = "the answer of an ambiguous context is not the unknown choice"
"""Why a role is open where a row of CBBQ has another label than its kind of context."""
_OF_ONE_ROW = ("category", "context_type", "question_type", "question")
"""Fields that the samples of one row of CBBQ's templates have in common."""


def _cbbq(record: Record, known: Known) -> _Stated:
    choices = _choices(record, ("ans0", "ans1", "ans2"))
    fields = _asked(record, choices)
    number = str(record["question_index"])
    polarity = str(record["question_polarity"]).strip()
    fields["sample_id"] = (
        f"{_slug(fields['category'])}-{fields['context_type']}-{polarity}-{record['example_id']}"
    )
    fields["template_id"] = _template(fields["category"], number)
    fields["extra"] = _left(record, "bias_targeted_groups")
    if fields["context_type"] == "amb":
        unknown = choices.index(fields["answer"])
    else:
        unknown = _told_unknown(choices, known)
    cell = str(record["bias_targeted_groups"])
    places = _PEOPLE[unknown]
    # answers stand as in the template's row, whatever fills it
    place: tuple[object, ...] = (number, *(fields[name] for name in _OF_ONE_ROW), cell)
    role = by_answers((choices[places[0]], choices[places[1]]), groups_of_cell(cell), known)
    if _unknowns(choices, known) not in ([], [unknown]):
        role, place = Role(None, _MISLABELLED), ()
    return _Stated(
        fields=fields,
        question=(fields["category"], number),
        unknown=unknown,
        people=places,
        named=(("", ""), ("", "")),
        target=None if role.at is None else places[role.at],
        why=role.why,
        place=place,
    )


def _unknowns(choices: Sequence[str], known: Known) -> list[int]:
    return [place for place in _PLACES if is_unknown(choices[place], known.language)]


def _told_unknown(choices: Sequence[str], known: Known) -> int:
    found = _unknowns(choices, known)
    if len(found) != 1:
        raise ValueError(
            f"it is not known which of its choices is the unknown one: {', '.join(choices)}"
        )
    return found[0]


_CONVERTERS: Mapping[str, Callable[[Record, Known], _Stated]] = {
    "bbq": _bbq,
    "esbbq": _esbbq,
    "cbbq": _cbbq,
}


# --- what rows leave open, and the file settles


@dataclass(slots=True)
class _Facts:
    """What the rows of a file say together.

    Attributes:
        control: Whether it is a control set.
        foreign: Whether an unknown expression is none of BBQ's.
        names: Whether the people's names show their groups.
        seconds: By question the second feature of its targets, where all have one.
        targets: By question and two groups which group is the target, where all agree.
        places: By what rows have in common the places at which the target stands. None where the
            choices of the file are not in one order, as the unknown one shows.
    """

    control: bool = False
    foreign: bool = False
    seconds: dict[tuple[str, str], str] = field(default_factory=dict)
    targets: dict[tuple[object, ...], str] = field(default_factory=dict)
    places: dict[tuple[object, ...], set[int]] = field(default_factory=dict)
    names: "_Names" = field(default_factory=lambda: _Names())
    _unknowns: set[int] = field(default_factory=set)
    _features: dict[tuple[str, str], dict[str, set[object]]] = field(default_factory=dict)
    _targets: dict[tuple[object, ...], set[str]] = field(default_factory=dict)

    def add(self, item: _Stated) -> None:
        """Take in what a row states."""
        choices = item.fields["choices"]
        if not _may_have_names(item.question):
            self.names.add(item)
        self.foreign = self.foreign or not is_unknown(choices[item.unknown], "en")
        if is_unknown(choices[item.unknown]):
            self._unknowns.add(item.unknown)
        if item.target is None:
            return
        if item.place:
            self.places.setdefault(item.place, set()).add(item.target)
        group = item.named[item.people.index(item.target)][1]
        self._targets.setdefault(_pair(item), set()).add(group)
        second = features(group)[0]
        if second:
            pairs = self._features.setdefault(item.question, {}).setdefault(second, set())
            if len(pairs) < 2:
                pairs.add(_pair(item))

    def close(self) -> None:
        """Settle what all rows agree on."""
        if len(self._unknowns) > 1:
            self.places.clear()
        for question, found in self._features.items():
            if len(found) == 1:
                ((second, pairs),) = found.items()
                if len(pairs) > 1:  # one pair of people could be chance
                    self.seconds[question] = second
        self.targets = {key: next(iter(one)) for key, one in self._targets.items() if len(one) == 1}


@lru_cache(maxsize=4096)
def _may_have_names(question: tuple[str, str]) -> bool:
    """Whether BBQ's own set has proper names in a question."""
    category, number = question[0].casefold(), question[1]
    if not any(word in category for word in _NAMED_BY_GROUP):
        return False
    return "_x_" in category or not number.isdecimal() or int(number) > _WITHOUT_NAMES


@dataclass(slots=True)
class _Names:
    """Whether the people's names show their groups.

    In a control set names are drawn for both people, so that a name is of one group in some rows,
    and of the opposite one in others: of `old` beside `nonOld`, and of `nonOld` beside `old`.
    """

    _groups: dict[tuple[object, ...], set[str]] = field(default_factory=dict)
    _fillings: dict[tuple[object, ...], set[object]] = field(default_factory=dict)
    _bare: int = 0

    def add(self, item: _Stated) -> None:
        """Take in the people of a row."""
        choices = item.fields["choices"]
        names = [name for name, _ in item.named]
        bare = all(name == choices[at] for at, name in zip(item.people, names, strict=True))
        self._bare += 1 if bare else -1
        groups = frozenset(group for _, group in item.named)
        if len(groups) < 2:
            return
        for at, (name, group) in enumerate(item.named):
            self._groups.setdefault((name, groups), set()).add(group)
            filling = item.question, names[1 - at]
            self._fillings.setdefault((name, groups), set()).add(filling)

    def are_control(self, path: Path, said: bool | None) -> tuple[bool, bool]:
        """Whether a file is a control set, and whether that is in doubt.

        Its people have bare names, and many of those that occur again are of both groups. Where too
        few occur again, the name of the file tells.

        Args:
            path: The file.
            said: What a person says of it.
        """
        if said is not None:
            return said, False
        several = [key for key, found in self._fillings.items() if len(found) > 1]
        both = sum(len(self._groups[key]) > 1 for key in several)
        if self._bare <= 0:
            return False, False
        if both:
            return both * _PART_OF_BOTH >= len(several), both * _PART_OF_BOTH < len(several)
        if len(several) >= _ENOUGH_NAMES:
            return False, False
        named = _NAMED_CONTROL.search(path.stem.casefold()) is not None
        return named, not named


def _pair(item: _Stated) -> tuple[object, ...]:
    """A question with the groups of its two people, in any order."""
    return (*item.question, *sorted(group for _, group in item.named))


def _settled(item: _Stated, facts: _Facts) -> dict[str, Any]:
    """The fields of a sample, its role settled by the file where the row leaves it open."""
    found = facts.places.get(item.place, set())
    if facts.control:
        item.target, item.why = None, CONTROL
    elif len(found) > 1:
        item.target, item.why = None, DISAGREE
    elif item.target is None:
        item.target = next(iter(found), None) if item.place else _from_facts(item, facts)
    if item.target is not None and item.rule:
        item.fields["extra"][SETTLED] = item.rule
    return _finished(item.fields, item.unknown, item.people, item.target, item.why)


def _from_facts(item: _Stated, facts: _Facts) -> int | None:
    labels = [group for _, group in item.named]
    group = facts.targets.get(_pair(item))
    one_race = _are_of_one_race(item)
    if group is not None and labels[0] != labels[1] and not one_race:
        return item.people[labels.index(group)]
    second = facts.seconds.get(item.question)
    if not one_race or second is None:
        return None
    seconds = [features(label)[0] for label in labels]
    if seconds.count(second) == 1:
        return item.people[seconds.index(second)]
    if second not in seconds and labels.count("") == 1:
        return item.people[labels.index("")]  # the other person has the other feature
    return None


def _are_of_one_race(item: _Stated) -> bool:
    """Whether a second feature tells two people apart, where two categories cross."""
    races = {features(group)[1] for _, group in item.named}
    return item.kind.endswith("_a") or ("_x_" in item.question[0].casefold() and len(races) == 1)


def _finished(
    fields: dict[str, Any], unknown: int, people: Sequence[int], target: int | None, why: str
) -> dict[str, Any]:
    choices = fields["choices"]
    biased = ""
    if target is not None:
        others = [place for place in people if place != target]
        biased = choices[target if fields["question_type"] == "bsd" else others[0]]
        fields["extra"]["target"] = choices[target]
    else:
        fields["extra"][UNDECIDED] = why
    if fields["context_type"] == "amb" and fields["answer"] != choices[unknown]:
        raise ValueError("the context is ambiguous, and the answer is not the unknown one")
    if fields["context_type"] == "dis" and fields["answer"] == choices[unknown]:
        raise ValueError("the context is disambiguated, and the answer is the unknown one")
    return {**fields, "unknown": choices[unknown], "biased_answer": biased}


# --- BharatBBQ


def _templates_of(path: Path, folder: Path | None) -> list[Path]:
    """Template files of BharatBBQ: in a folder of templates beside that of a file, else in one."""
    beside = sorted(path.resolve().parent.parent.glob("*[Tt]emplate*"))
    for place in (*beside, *([folder] if folder is not None else ())):
        found = [item for item in sorted(place.rglob("*.csv")) if bharatbbq.are_templates(item)]
        if found:
            return found
    return []


@dataclass(slots=True)
class _Bharat:
    """Reads BharatBBQ, whose `Target` is a choice, counted from 1, as is its `Label`.

    Attributes:
        known: Words by which unknown expressions are told.
        contradicted: Questions of which the templates say otherwise than `Target`.
        unknown: Those of the file: what answers its ambiguous contexts.
    """

    known: Known
    contradicted: frozenset[bharatbbq.Question] = frozenset()
    unknown: set[str] = field(default_factory=set)

    def learn(self, record: Record) -> None:
        """Take in what an ambiguous context says of the file's unknown expressions."""
        kind = _one_of(_CONTEXTS, record["Context_type"], "Context_type")
        if kind == "amb":
            label = _place(record, "Label")
            self.unknown.add(folded(_choices(record, _OPTIONS)[label]))

    def read(self, record: Record) -> dict[str, Any]:
        """Read one example."""
        choices = _choices(record, _OPTIONS)
        names = {name: name.capitalize() for name in ("context", "question", "category", "label")}
        plain = {name: record[column] for name, column in names.items()}
        plain["context_condition"] = record["Context_type"]
        plain["question_polarity"] = record["Question_polarity"]
        fields = _asked(plain, choices, 1)
        label, target = _place(record, "Label"), _place(record, "Target")
        unknown = self._unknown(choices, fields["context_type"], label, target)
        if target == unknown:
            raise ValueError("Target is the unknown choice")
        fields["sample_id"] = f"{_slug(fields['category'])}-{record['id']}"
        fields["template_id"] = _template(fields["category"], str(record["Qid"]))
        fields["extra"] = _left(record, *names.values(), *_OPTIONS, "Options", "id")
        asked = bharatbbq.question(
            *(str(record.get(name) or "") for name in ("Category", "Qid", "Pairing", "Proper_Noun"))
        )
        open_ = asked in self.contradicted
        why = "the template's groups contradict Target" if open_ else ""
        return _finished(fields, unknown, _PEOPLE[unknown], None if open_ else target, why)

    def _unknown(self, choices: tuple[str, str, str], kind: str, label: int, target: int) -> int:
        if kind == "amb":
            return label
        if label != target:
            return 3 - label - target
        found = [place for place in _PLACES if folded(choices[place]) in self.unknown]
        return found[0] if len(found) == 1 else _told_unknown(choices, self.known)


def _place(record: Record, name: str) -> int:
    """A choice that a column names by its number, counted from 1."""
    at = _number(record[name], name) - 1
    if at not in _PLACES:
        raise ValueError(f"{name} is {record[name]}, which is not a choice")
    return at
