"""Draft of a mapping: which columns of a file of samples say what, by their names and values.

What two columns could say, or none says, is left to a person (`?`), with what was found. A role is
never guessed: a column says it, or groups do.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, combinations, islice, pairwise, product
from pathlib import Path
from typing import Any

import yaml

from curation.files.jsonl import Record, stream
from curation.records.messages import CurateError, refusal
from curation.records.settings import load_yaml
from curation.sources.drafting import (
    ALMOST,
    SHOWN,
    Drafting,
    MappingDraft,
    is_asked,
    is_named,
    is_negated,
    is_sentence,
    is_text,
    last,
    last_of,
    meaning,
)
from curation.sources.published_samples import PublishedSample, is_unknown, read_published
from curation.sources.roles import Languages, folded
from curation.sources.sample_mapping import (
    KEYS,
    LETTERS,
    NONE,
    UNDECIDED_LINE,
    VALUES,
    WORDS,
    SampleMapping,
    Three,
    answers_in,
    joined_context,
    listed,
    parsed,
    parts_of,
    place_of,
    split_question,
)

_LOOKED_AT = 4998
"""Rows of a file that are looked at: whole samples, where each answer has a row of its own."""
_CASES = (str.lower, str.capitalize, str)
_ZEROS = "0\u0660\u06f0\u0966\u09e6\u0e50\u1040\u17e0\uff10"
_COUNTED = (tuple(chr(ord(zero) + at + n) for n in range(3)) for zero in _ZEROS for at in (0, 1))
_SETS = tuple(
    dict.fromkeys((*_COUNTED, *(tuple(map(way, own)) for own in LETTERS for way in _CASES)))
)
_ANSWERS = (
    *("label", "answer", "answerlabel", "goldindex", "gold", "answeridx", "answerindex"),
    *("correctanswer", "correct", "correctlabel", "target"),
)
_OTHERS = ("predict", "output", "target", "bias", "stereo", "unknown", "model")
_STEREO = ("stereotyp", "stereotip")
_OF_MODELS = re.compile(
    r"pred|output|response|reply|completion|_op(_|$)|(^|\.)(resps|filtered_resps|scores)(\.|$)"
)
"""Parts of columns' names, in lower case, that models' answers have, as in logs of harnesses."""
_OF_A_MODEL = re.compile(r"(model|llm|system)(name|id)?$")
_GRADE = re.compile(r"(^|\.)scores\..*\bvalue$")
"""Where logs of Inspect say whether an answer is right, by `C` or `I`."""
_IDS = re.compile(r"id$|index$|^id|idx$|^unnamed|^no$")
_NUMBERS = re.compile(r"^q(uestion)?(index|id)$")
_NO_TEXT = ("source", "output", "explanation", "predict", "reason", "reference")
_KINDS = (UNDECIDED_LINE, "from 0", "from 1", "letter", "column", "text")
_YES = ("true", "yes", "1", "correct", "right")
_LENGTH_OF_TEXT = 25
"""Letters that contexts have on average at least."""
_MOST_WORDS = 15
_DISTINCT = 0.9
"""How many values of rows a column has that numbers them, if some occur twice by mistake."""
_MOSTLY = 0.8
"""Of how many cells a column of predictions names an answer at least; others are out-of-choice."""


def draft_mapping(paths: Sequence[Path]) -> MappingDraft:
    """Draft the mapping of files of samples in one layout.

    Args:
        paths: The files; their first rows are looked at.

    Raises:
        CurateError: If one cannot be read.
    """
    records: list[Record] = []
    for path in paths:
        rows = stream(path, "check that the download or export finished").rows
        records += (record for _, record in islice(rows, _LOOKED_AT))
    drafted = _Drafting(records, len(paths))
    drafted.draft()
    return drafted.written(paths, SampleMapping, _examples(paths[0], drafted.lines))


def _leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Yield what is in a cell: each key of an object, of three objects the three of each key."""
    if isinstance(value, str) and value[:1] in ("{", "[", "(", "A", "a", "1"):
        found = parsed(value)
        value = value if found is None else found
    if isinstance(value, dict):
        # keys with blanks are answers, each with what it is given
        if len(value) == 3 and any(" " in str(key) for key in value):
            value = {KEYS: [*value], VALUES: [*value.values()]}
        for key, item in value.items():
            yield from _leaves(item, f"{path}.{key}")
    elif isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        keys = dict.fromkeys(key for item in value for key in item)
        each = {key: [item.get(key) for item in value] for key in keys}
        yield from _leaves(each if len(value) == 3 else dict(enumerate(value)), path)
    elif _is_list(value) and all(map(_lists_of(2), value)):
        yield from ((f"{path}.{at}", pair) for at, pair in enumerate(value))
    else:
        yield path, value


@dataclass(slots=True)
class _Drafting(Drafting):
    """Finds the columns of samples."""

    _choices: list[Three] = field(default_factory=list)
    _right: list[int | None] = field(default_factory=list)
    _unknown: list[int | None] = field(default_factory=list)
    _negative: list[bool] = field(default_factory=list)
    _kinds: dict[str, str] = field(default_factory=dict)
    _labelled: bool = False
    _labels: set[str] = field(default_factory=set)
    _by_role: bool = False
    _contexts: list[str] = field(default_factory=list)
    _groups: list[tuple[Any, ...]] = field(default_factory=list)

    def _find_columns(self) -> None:
        rows = [
            dict(leaf for name, cell in record.items() for leaf in _leaves(cell, name))
            for record in self.records
        ]
        paths = dict.fromkeys(path for row in rows for path in row)
        self.columns = {path: [row.get(path) for row in rows] for path in paths}

    def draft(self) -> None:
        """Find everything, in the order in which one thing tells another."""
        self._find_columns()
        languages = self._find_twins()
        self._find_choices()
        self._find_texts()
        if not self._choices:
            return
        of_contexts = {"polarity": self._of_contexts()}
        coded = {field: self.coded(field, of_contexts.get(field, ())) for field in WORDS}
        self._unknown = self._likely_unknown()
        self._find_groups()
        self._find_answer(coded["context_type"])
        self._find_unknown(coded["context_type"])
        if "groups" not in self.lines:  # now it is known where the unknown answers are
            self._find_groups()
        if ours := [path for path in self.columns if self.most(path, _is_our_id)]:
            self.note("id", ours[:1])
            self.note("ids", "kobbq", "ids-of-ours")
            self._negative = [str(value).endswith("bsd") for value in self.columns[ours[0]]]
        else:
            self.say_coded("polarity", coded["polarity"])
            self._find_context_type(coded["context_type"])
            self._negative = self.means("polarity", coded["polarity"], "negative")
        answer = self.lines["answer"]
        said = answer.values() if isinstance(answer, dict) else ()
        used = (*self.lines.get("groups", ()), *said)
        if coded["stereotype"] and coded["stereotype"] not in used:
            self.say_coded("stereotype", coded["stereotype"])
        self._find_target()
        self._find_predictions()
        self._find_numbers()
        self._find_languages()
        if languages:
            self.ask("context", "both", told=languages, columns=self.found["context"])

    # --- columns

    @property
    def _asked(self) -> list[Any]:
        """The questions; none where no column holds them."""
        return self.columns.get(str(self.lines["question"]), [])

    def _find_twins(self) -> str:
        """Put aside texts that are there twice, such as in two languages.

        Then the names of two questions differ by the same as those of two contexts.
        """
        alike: dict[tuple[str, str], list[tuple[str, str]]] = {}
        for one, other in combinations(self.columns, 2):
            alike.setdefault(_apart(one, other), []).append((one, other))
        told: dict[str, None] = {}
        for every in alike.values():
            pairs = [pair for pair in every if self.columns.keys() >= {*pair}]
            contexts = next((pair for pair in pairs if all(map(self._is_told, pair))), ())
            if contexts and any(all(map(self._is_question, pair)) for pair in pairs):
                told |= dict.fromkeys(contexts)
                for _, other in every:
                    self.columns.pop(other, None)
        several = " and in ".join(told)
        return several and f"texts are there in {several}: drafted are those of the first"

    def _texts(self) -> list[str]:
        """The columns of texts."""
        return [path for path in self.columns if self.most(path, is_text)]

    def _is_question(self, path: str) -> bool:
        named = "question" in folded(path) and self.most(path, is_text)
        return named or self.share(path, is_asked) > 0.5

    def _is_told(self, path: str) -> bool:
        """Whether a column holds longer texts that are no questions."""
        if not self.most(path, is_text) or self._is_question(path):
            return False
        return self._length(path) > _LENGTH_OF_TEXT * len(self.records)

    def _is_constant(self, path: str) -> bool:
        """Whether each of several rows has the same, such as what a model is told to do."""
        return len(self.words(path)) == 1 < len(self.records)

    def _length(self, path: str) -> int:
        return sum(map(len, filter(is_text, self.columns[path])))

    def _triples(self) -> Iterator[Three]:
        """Yield columns that differ by a number or letter alone: `ans0`, `ans1`, `ans2`."""
        seen = set()
        for path in self.columns:
            for marks in (marks for marks in _SETS if marks[0] in path):
                for found in re.finditer(marks[0], path):
                    a, b, c = (
                        f"{path[: found.start()]}{mark}{path[found.end() :]}" for mark in marks
                    )
                    if b in self.columns and c in self.columns and (a, b, c) not in seen:
                        seen.add((a, b, c))
                        yield a, b, c

    # --- texts

    def _find_choices(self) -> None:
        # every row has the same three: what answers are called, or their tags
        several = len(self.records) > 1
        triples = [*self._triples()]
        labels = [one for one in triples if several and len({*map(str, self._rows(one))}) == 1]
        self._labels |= {path for three in labels for path in three}
        triples = [one for one in triples if all(self.most(path, is_text) for path in one)]
        triples = [one for one in triples if self._differ(one) and not self._labels >= {*one}]
        triples.sort(key=self._rank_of_choices)
        lists = [path for path in self.columns if self.most(path, _three_of)]
        lists = [path for path in lists if len(self.words(path)) > 1] or lists[:1]
        told = {path: self._told_of([path], map(_three_of, self.columns[path])) for path in lists}
        lists.sort(key=lambda path: (self.most(path, is_text), -told[path]))
        strange, unnamed = self._rank_of_choices(triples[0])[:2] if triples else (True, True)
        if triples and (not lists or not (strange or unnamed)):
            self._take(triples[0])
        elif lists:
            self._choices = [_three_of(value) or ("", "", "") for value in self.columns[lists[0]]]
            self.note("choices", lists[0])
        elif named := self._named_by_role():
            self._by_role = True
            self._take(named[0])
        elif self._are_rows_of_answers():
            self._find_choices()
        else:
            self.ask("choices", "no-answers")

    def _take(self, three: Three) -> None:
        """Take three columns for the answers."""
        self._choices = [(_said(a), _said(b), _said(c)) for a, b, c in self._rows(three)]
        self.note("choices", list(three))

    def _named_by_role(self) -> list[Three]:
        """Three columns of answers that are called by what each is; the unknown one comes last."""
        texts = self._texts()
        for no in (one for one in texts if self.most(one, is_unknown) or is_named(one, "unknown")):
            head = re.split(r"[._](?=[^._]*$)", no)[0] if re.search(r"[._]", no) else ""
            others = [path for path in texts if path != no]
            beside = [path for path in others if path.startswith(head)]
            people = [path for path in others if meaning("target", path) or is_negated(path)]
            pair = beside if head and len(beside) == 2 else people
            if len(pair) == 2 and self._differ((pair[0], pair[1], no)):
                return [(pair[0], pair[1], no)]
        return []

    def _are_rows_of_answers(self) -> bool:
        """Whether each answer has a row; then the three of a sample become one."""
        names = [*self.columns]
        threes = [self.records[at : at + 3] for at in range(0, len(self.records), 3)]

        def is_alike(name: str) -> bool:
            return all(len({str(row.get(name)) for row in rows}) == 1 for rows in threes)

        alike = [*filter(is_alike, names)]
        apart = [name for name in alike if len(self.words(name)) == len(threes)]
        others = [name for name in names if name not in alike and self.most(name, is_text)]
        if len(threes) < 2 or len(threes[-1]) < 3 or not apart or not others:
            return False
        by = min(apart, key=lambda name: (not last(name).endswith("id"), len(name)))
        self.note("answers_of", [by], "answers-in-rows", columns=self.counted([by]))
        samples = ({name: [row.get(name) for row in rows] for name in names} for rows in threes)
        self.records = [{**own, **{name: own[name][0] for name in alike}} for own in samples]
        self._find_columns()
        return True

    def _rank_of_choices(self, three: Three) -> tuple[object, ...]:
        path = three[0]
        strange = is_named(path, "info", "group", "name", "predict", "meta")
        named = is_named(path, "ans", "option", "choice", "output")
        told = 0 if named else self._told_of(three, self._rows(three))
        return strange, not named, -told, path.count("."), len(path)

    def _told_of(self, columns: Sequence[str], threes: Iterable[Sequence[Any]]) -> int:
        """In how many rows a text tells of all of three answers, which columns have, but one."""
        texts = [path for path in self.columns if path not in columns]
        found = 0
        for answers, cells in zip(threes, self._rows(texts), strict=True):
            long = (cell for cell in cells if is_text(cell) and len(cell) > _LENGTH_OF_TEXT)
            told = [cell.casefold() for cell in long]
            found += sum(any(_said(one).casefold() in cell for cell in told) for one in answers) > 1
        return found

    def _rows(self, paths: Iterable[str]) -> list[tuple[Any, ...]]:
        """The rows of some columns."""
        columns = [self.columns[path] for path in paths]
        return [tuple(column[at] for column in columns) for at in range(len(self.records))]

    def _differ(self, three: Three) -> bool:
        found = sum(len({*map(str, row)}) == 3 for row in self._rows(three))
        return found >= ALMOST * len(self.records) * 0.9

    def _find_texts(self) -> None:
        own = self.lines["choices"]
        behind = [own] if own in [*self.columns] and self.most(own, is_text) else []
        texts = [path for path in self._texts() if not self.is_used(path)]
        texts = [path for path in texts if not is_named(path, *_NO_TEXT)]
        named = ("context", "question")
        texts = [path for path in texts if "prompt" not in last(path) or is_named(path, *named)]
        length = {path: self._length(path) for path in (*texts, *behind)}
        asked = behind or [path for path in texts if self.share(path, is_asked) > 0.5]
        asked += [path for path in texts if last(path) == "question" and path not in asked]
        asked.sort(key=lambda path: ("question" not in folded(path), len(path)))
        self.text("question", asked)
        told = [path for path in texts if path not in asked[:1]]
        told = [path for path in told if length[path] > _LENGTH_OF_TEXT * len(self.records)]
        told = [path for path in told if "context" in folded(path) or not self._is_constant(path)]
        told.sort(key=lambda path: ("context" not in folded(path), -length[path]))
        self.text("context", told)
        both = self.lines["question"]
        if told and both in self.columns:
            pairs = [[*map(_said, pair)] for pair in self._rows((both, told[0]))]
            told = [] if all(one in other or other in one for one, other in pairs) else told
        if not told and length.get(both, 0) > 2 * _LENGTH_OF_TEXT * len(self.records):
            self.note("context", both, "question-behind", columns=self.counted([both]))
            self._contexts = [split_question(str(text))[0] for text in self.columns[both]]
        if told:
            self._contexts = [*map(str, self.columns[told[0]])]
            if not self._find_rest(told):
                self._choose_context(told)

    def _choose_context(self, told: Sequence[str]) -> None:
        """Leave to a person which of several columns is the context, where names do not tell."""
        first = told[0]
        likely = told
        if "context" in folded(first):  # that may be shorter ones, too
            named = [path for path in self.columns if "context" in folded(path)]
            likely = [path for path in named if path in told or self.share(path, is_sentence) > 0.5]
        named = [
            path
            for path in likely
            if path == first or not (self.is_used(path) or self._is_part(path, first))
        ]
        if len(named) > 1:
            self._contexts = [" ".join(map(str, row)) for row in self._rows(named)]
            columns = self.counted(named)
            self.ask("context", "contexts-several", joined=" + ".join(named), columns=columns)

    def _is_part(self, one: str, other: str) -> bool:
        """Whether each text of a column is in one of another."""
        rows = self._rows((one, other))
        return all(_said(part).strip() in _said(whole) for part, whole in rows)

    def _find_rest(self, told: Sequence[str]) -> bool:
        """Find the second part of contexts that are in two columns; whether there is one."""
        asked = self.lines["question"]
        said = {path: meaning("context_type", path) for path in self.columns}
        rest = [path for path in self.columns if said[path] == "disambiguated" and path != asked]
        rest = [path for path in rest if max(map(len, self.words(path))) > _LENGTH_OF_TEXT]
        rest = [path for path in rest if not self._kind(path)]
        first = [path for path in told if said[path] == "ambiguous"]
        if len(rest) != 1 or len(first) != 1:
            return False
        (before,), (after,) = first, rest
        what = self.counted([before, after])
        parts = self._rows((before, after))
        ambiguous = self.means("context_type", self.coded("context_type"), "ambiguous")
        if not ambiguous and self.most(after, is_text):
            self.ask("context", "contexts-two", columns=what)
            return True
        self.note("context", [before, after])
        kinds = ambiguous or [False] * len(parts)
        self._contexts = [
            joined_context(map(_said, both), is_ambiguous=kind)
            for both, kind in zip(parts, kinds, strict=True)
        ]
        return True

    # --- which of the answers

    def _kind(self, path: str) -> str:
        """How a column names one of the answers; empty where it does not, `?` for 1 or 2 alone."""
        if path not in self._kinds:
            self._kinds[path] = self._kind_of(path)
        return self._kinds[path]

    def _names_answers(self, path: str) -> bool:
        """Whether it is known how a column names one of the answers."""
        return self._kind(path) not in ("", UNDECIDED_LINE)

    def _kind_of(self, path: str) -> str:
        values = self.filled(path) if self._choices else ()
        if not values or any(isinstance(value, bool | list | dict) for value in values):
            return ""
        for kind in _KINDS[1:]:
            found = self._places(path, kind)
            named = len(found) - found.count(None)
            if named == len(values) or (kind == "text" and named >= ALMOST * len(values)):
                return UNDECIDED_LINE if kind == "from 0" and 0 not in found else kind
        return ""

    def _marks(self) -> dict[str, str]:
        """Columns of three words, or lists of them, of which one has a yes, with that word."""
        found = {}
        listing = {path: own for path, own in self.columns.items() if all(map(_is_list, own))}
        for path, values in listing.items():
            rows = [[*map(listed, value)] for value in values]
            words = {word for row in rows for own in row for word in own}
            are_lists = any(isinstance(item, list) for value in values for item in value)
            for yes in (word for word in words if word.casefold() in _YES):
                once = all(sum(yes in own for own in row) == 1 for row in rows)
                if once and (are_lists or len(words) == 2):
                    found[path] = yes
        return found

    def _places(self, path: str, kind: str, tag: str = "") -> list[int | None]:
        """Which answer each row names."""
        own = self.lines["choices"]
        names = [last(one) for one in own] if isinstance(own, list) else []
        names = [tag] if tag else names
        return [
            None if value in (None, "") else place_of(kind, value, choices, names)
            for value, choices in zip(self.columns[path], self._choices, strict=True)
        ]

    def _find_answer(self, context_type: str) -> None:
        named = [*filter(self._may_be_answer, self.columns)]
        rank = {name: at for at, name in enumerate(_ANSWERS)}
        named.sort(key=lambda path: (rank.get(last(path), len(_ANSWERS)), len(path)))
        marked = [path for path in self._marks() if not is_named(last(path), *_OTHERS)]
        if not named and len(marked) == 1:
            path, tag = marked[0], self._marks()[marked[0]]
            self._right = self._places(path, "tag", tag)
            self.note("answer", {"column": path, "kind": "tag", "tag": tag})
            return
        what = self.counted(named)
        if context_type:  # a model's answers are not the unknown one in each ambiguous context
            fitting = [one for one in named if self._fits(one, self._kind(one), context_type)]
            named = fitting or named
        found = named[:1]
        if len(named) > 1 and last(named[0]) not in _ANSWERS:
            # the right answer is sometimes the unknown one, and the target never
            found = [path for path in named if self._names_unknown(path)]
        if len(found) != 1:
            self.ask("answer", "likely" if what else "answer-unnamed", columns=what)
            return
        path, kind = found[0], self._kind(found[0])
        ways = [kind] if kind != UNDECIDED_LINE else ["from 0", "from 1"]
        if len(ways) > 1:
            ways = [one for one in ways if self._fits(path, one, context_type)]
        if len(ways) == 1:
            self._right = self._places(path, ways[0])
            self.note("answer", {"column": path, "kind": ways[0]})
        else:
            self.ask("answer", "answer-counted", columns=self.counted([path]))

    def _may_be_answer(self, path: str) -> bool:
        """Whether a column may name the right answer."""
        name = last(path)
        if _is_of_models(path) or meaning("template", path) or path in self._labels:
            return False
        if name not in _ANSWERS and (is_named(path, *_OTHERS) or self.words(path) <= {"0", "1"}):
            return False
        kind = "" if path in self.lines["choices"] else self._kind(path)
        return (kind == "letter" and self._names_unknown(path)) if name == "target" else bool(kind)

    def _fits(self, path: str, kind: str, context_type: str) -> bool:
        """Whether the answer is the unknown one wherever the context is ambiguous."""
        places = self._places(path, kind)
        ambiguous = self.means("context_type", context_type, "ambiguous")
        rows = zip(places, self._unknown, ambiguous or [True] * len(places), strict=True)
        return all(at == no for at, no, is_ambiguous in rows if is_ambiguous)

    # --- words

    def _find_context_type(self, path: str) -> None:
        if path:
            self.say_coded("context_type", path)
            return
        known = self._right and any(at is not None for at in self._unknown)
        if not (known and self._contexts):
            self.say_coded("context_type", "")
            return
        texts = [*map(str, self._contexts)]
        by_answer = [at == right for at, right in zip(self._unknown, self._right, strict=True)]
        extended = {a for a, b in pairwise(sorted({*texts})) if b.startswith(a)}
        rows = Counter(zip((text in extended for text in texts), by_answer, strict=True))
        told = {"count": rows[True, True] + rows[False, False], "every": len(texts)}
        said = UNDECIDED_LINE if rows[True, False] else "by the answer"
        self.note("context_type", said, "by-the-answer", **told)

    def _of_contexts(self) -> list[str]:
        """Columns that say the same with both questions of each context: not which one it is."""
        found = []
        for path, values in self.columns.items():
            told: dict[str, dict[str, str]] = {}
            for context, question, value in zip(self._contexts, self._asked, values, strict=False):
                told.setdefault(context, {})[str(question)] = str(value)
            pairs = [{*both.values()} for both in told.values() if len(both) > 1]
            if pairs and all(len(words) == 1 for words in pairs):
                found.append(path)
        return found

    # --- people

    def _find_groups(self) -> None:
        own = self.lines["choices"]
        marks = self._marks()
        beside = {path for three in self._triples() for path in three}
        cells = {path: self.columns[path] for path in self.columns if path not in marks}
        for path, column in cells.items():
            # a list of three says what three columns would, and so do three lists of two
            counts = () if path == own or is_named(path, *_STEREO) else (2, 3)
            several = [
                n for n in counts if self.most(path, _lists_of(n)) and (n > 2 or path in beside)
            ]
            for at in range(max(several, default=0)):
                part = [_said(cell[at]) if _lists_of(several[0])(cell) else "" for cell in column]
                self.columns[f"{path}.{at}"] = part
            if several:
                self._labels |= {f"{path}.{at}" for at in range(3) if len({*map(str, column)}) == 1}
                del self.columns[path]
        triples = [three for three in self._triples() if list(three) != own]
        named = ("info", "group", "label")
        triples.sort(
            key=lambda one: (not is_named(one[0], *named), len(one[0]), one[0][-2:] == ".0")
        )
        for three in triples:
            if self._label_unknown(self._rows(three)):
                self.note("groups", list(three))
                self._groups = self._rows(three)
                others = (one for one in triples if one != three and self._are_names(one))
                if names := next(others, None):
                    self.note("names", list(names))
                return

    def _label_unknown(self, rows: Sequence[tuple[Any, ...]]) -> bool:
        """Whether three columns have one group in every row where the unknown answer is.

        If it is called `unknown`, it tells where that is; else it stands nowhere else.
        """
        found = [_one([folded(str(one)) == "unknown" for one in row]) for row in rows]
        if len(found) - found.count(None) >= ALMOST * len(found):
            self._unknown, self._labelled = found, True
            return True
        labels = Counter(_said(one) for row in rows for one in row)
        own = {_said(row[at or 0]) for row, at in zip(rows, self._unknown, strict=True)}
        is_one = len(own) == 1 and labels[own.pop()] == len(rows)
        return is_one and not labels[""] and None not in self._unknown

    def _are_names(self, three: Three) -> bool:
        names, choices = chain(*self._rows(three)), chain(*self._choices)
        pairs = zip(names, choices, strict=True)
        held = [folded(str(name)) in folded(choice) for name, choice in pairs]
        return sum(held) > 0.5 * len(held)

    def _find_unknown(self, context_type: str) -> None:
        if self._labelled:
            self.note("unknown", "groups", "unknown-by-group")
            if self._right and not self._agrees_with_words():
                self.ask("groups", "groups-turned")
            return
        own = self.lines["choices"]
        if self._by_role:
            self._unknown = [2] * len(self._choices)
            self.note("unknown", "last", "unknown-in-column", columns=self.counted([own[2]]))
            return
        columns = [path for path in self.columns if is_named(path, "unknown")]
        if columns := [*filter(self._names_answers, columns)]:
            kind = self._kind(columns[0])
            self._unknown = self._places(columns[0], kind)
            self.note("unknown", {"column": columns[0], "kind": kind})
            return
        words = self._where(is_unknown)
        learnt = self._learnt(context_type)
        places = self._where(learnt.__contains__)
        known = len(words) - words.count(None)
        if known >= ALMOST * len(words):
            self._unknown = words
            how = "answers" if context_type else "words"
            self.note("unknown", how, "unknown-by-words", texts=self._expressions())
        elif learnt and len(places) - places.count(None) >= ALMOST * len(places):
            self._unknown = places
            what = "unknown-right" if context_type else "unknown-in-all"
            value = "answers" if context_type else sorted(learnt)
            self.note("unknown", value, what, texts=self._expressions())
        else:
            self._unknown = [None] * len(self._choices)
            self.ask("unknown", "unknown-in-some", count=known, every=len(words))

    def _expressions(self) -> str:
        rows = zip(self._choices, self._unknown, strict=True)
        counted = Counter(choices[at] for choices, at in rows if at is not None)
        return ", ".join(f"{text} ({count:,})" for text, count in counted.most_common(SHOWN))

    def _learnt(self, context_type: str) -> set[str]:
        """Texts that are unknown expressions: answers of ambiguous contexts, or in every row.

        These stand in no context, nor does their longest word: nobody is called so.
        """
        ambiguous = self.means("context_type", context_type, "ambiguous")
        if ambiguous and self._right:
            rows = zip(self._choices, self._right, ambiguous, strict=True)
            return {
                choices[at] for choices, at, is_ambiguous in rows if is_ambiguous and at is not None
            }
        told = "\n".join({*self._contexts}).casefold()

        @cache
        def is_of_nobody(text: str) -> bool:
            return max(parts_of(text), key=len, default="") not in told

        learnt: set[str] = set()
        rest = [dict.fromkeys(choices) for choices in self._choices if all(choices)]
        while rest and len(learnt) < _MOST_WORDS:
            common = Counter(text for row in rest for text in row if is_of_nobody(text))
            text = next((text for text, _ in common.most_common(1)), None)
            if text is None:
                return set()
            learnt.add(text)
            rest = [row for row in rest if text not in row]
        return set() if rest else learnt

    def _where(self, holds: Callable[[str], bool]) -> list[int | None]:
        """In each row the place of the one answer of which something holds."""
        return [_one([*map(holds, choices)]) for choices in self._choices]

    def _likely_unknown(self) -> list[int | None]:
        """Where the unknown answers stand: by expressions of languages, or by a few texts."""
        words, learnt = self._where(is_unknown), self._learnt("") if self._contexts else set()
        places = self._where(learnt.__contains__)
        return words if None not in words or None in places else places

    def _agrees_with_words(self) -> bool:
        """Whether no row has its unknown expression at another place than the group `unknown`."""
        pairs = list(zip(self._where(is_unknown), self._unknown, strict=True))
        wrong = sum(at is not None and at != group for at, group in pairs)
        return wrong <= (1 - ALMOST) * len(pairs)

    def _find_target(self) -> None:
        marks = (*_STEREO, "targetedgroup", "targetgroup")
        groups = [path for path in self.columns if is_named(path, *marks) and not is_negated(path)]
        groups = [path for path in groups if not is_named(path, "questiontype", "socialvalue")]
        groups = [path for path in groups if not self._kind(path)]
        if self._find_tag():
            return
        own = self.lines["choices"] if self._by_role else []
        named = [path for path in own[:2] if meaning("target", path)]
        said = self._said_by(named[0]) if len(named) == 1 else ""
        if said:
            self.note(said, {"column": named[0], "kind": "text"})
            return
        self._open_lists_of_one(
            path for path in [*self.columns] if is_named(path, "target", "stereo")
        )
        answer = self.lines["answer"]
        used = (*self.lines["choices"], answer["column"] if isinstance(answer, dict) else "")
        chosen = [path for path in self.columns if path not in used and not is_negated(path)]
        about = ("target", "bias", "stereo")
        chosen = [path for path in chosen if is_named(path, *about) or meaning("target", path)]
        chosen = [path for path in chosen if self._names_answers(path)]
        chosen = [path for path in chosen if not self._names_unknown(path)]
        if groups := groups or self._groups_of_rows():
            path = min(groups, key=lambda one: ("group" not in folded(one), len(one)))
            self.note("stereotyped", path)
        said = self._said_by(chosen[0]) if len(chosen) == 1 else ""
        if said == "target" and (other := self._contradicted(chosen[0])):
            told = {"column": chosen[0], "kind": self._kind(chosen[0]), "count": other}
            self.ask("target", "target-contradicted", columns=self.counted(chosen), **told)
        elif said:
            self.note(said, {"column": chosen[0], "kind": self._kind(chosen[0])})
        elif chosen:
            self.ask("target", "target-of-several", columns=self.counted(chosen))
        elif not groups:
            likely = [
                path for path in self.columns if not (self.is_used(path) or _is_of_models(path))
            ]
            likely = [path for path in likely if self._kind(path) and not self._names_unknown(path)]
            likely.sort(key=lambda path: not meaning("target", path))
            what = "target-unnamed" if likely else "target-unsaid"
            self.ask("target", what, columns=self.counted(likely))

    def _open_lists_of_one(self, paths: Iterable[str]) -> None:
        """Add what is in columns whose cells are lists of one."""
        for path in paths:
            items = [parsed(cell) if is_text(cell) else cell for cell in self.columns[path]]
            ones = [item[0] for item in items if isinstance(item, list) and len(item) == 1]
            if len(ones) == len(items):
                self.columns[f"{path}.0"] = ones

    def _find_tag(self) -> bool:
        """Note the word for the target that one of three answers has, in a list of them."""
        marked = {
            path: tag for path, tag in self._marks().items() if meaning("target", last_of(path))
        }
        for path, tag in marked.items() if len(marked) == 1 else ():
            self.note("target", {"column": path, "kind": "tag", "tag": tag})
        return len(marked) == 1

    def _groups_of_rows(self) -> list[str]:
        """Columns that are called the target's and name in each row the group of an answer."""
        free = [one for one in self.columns if meaning("target", one) and not self.is_used(one)]
        rows = {one: zip(self.columns[one], self._groups, strict=False) for one in free}
        held = (one for one in free if all(cell in row for cell, row in rows[one]))
        return [*held] if self._groups else []

    def _contradicted(self, path: str) -> int:
        """In how many rows the groups alone say that somebody else is the target."""
        cells = self.columns.get(str(self.lines.get("stereotyped")), ())
        found = 0
        for cell, row, at in zip(
            cells, self._groups, self._places(path, self._kind(path)), strict=False
        ):
            wanted = {*map(folded, listed(cell))}
            held = [folded(_said(one)) in wanted for one in row]
            found += at is not None and sum(held) == 1 and not held[at]
        return found

    def _names_unknown(self, path: str) -> bool:
        places = zip(self._places(path, self._kind(path)), self._unknown, strict=True)
        return any(at is not None and at == no for at, no in places)

    def _said_by(self, path: str) -> str:
        """Whether a column names the target, or the biased answer, which the other question turns.

        Empty where no context has both questions.
        """
        questions = self._negative or self._asked
        places = self._places(path, self._kind(path))
        seen: dict[tuple[object, ...], dict[object, set[str]]] = {}
        rows = zip(self._contexts, self._choices, questions, places, self._unknown, strict=False)
        for context, choices, question, at, no in rows:
            if at is not None:
                people = sorted(text for place, text in enumerate(choices) if place != no)
                both = seen.setdefault((str(context), *people), {})
                both.setdefault(question, set()).add(choices[at])
        pairs = [[*both.values()] for both in seen.values() if len(both) == 2]
        same = sum(one == other for one, other in pairs)
        if pairs and same == len(pairs):
            return "target"
        return "biased_answer" if pairs and not same else ""

    # --- numbers

    def _find_numbers(self) -> None:
        rows = len(self.records)
        used = {str(value) for value in self.lines.values()}
        different = {
            path: len(self.words(path))
            for path, values in self.columns.items()
            if path not in used and all(isinstance(value, str | int) for value in values)
        }
        category = self.named_category()
        free = [path for path in different if not self.is_used(path) and not self._kind(path)]
        if "ids" not in self.lines:
            self._find_id(different, category)
            numbers = [path for path in different if path not in self.lines["id"]]
            numbers = [path for path in numbers if 1 < different[path] < rows]
            numbers = [path for path in numbers if re.search(_NUMBERS, last(path))]
            named = [path for path in different if meaning("template", path)]
            if numbers := named or numbers:
                self.note("template", numbers[0])
            else:
                self.note("template", self.lines["question"], "template-by-question")
        told = self.lines["context"]
        of = told[0] if isinstance(told, list) else told
        self.find_category(category, [] if "ids" in self.lines else free, of)
        if kind := next((path for path in different if last(path) == "subcategory"), ""):
            self.note("subcategory", kind)

    def _find_id(self, different: Mapping[str, int], category: Sequence[str]) -> None:
        """Find columns that tell the rows apart, with others that say more of them."""
        likely = [path for path in different if re.search(_IDS, last(path))]
        if not likely:
            short = [path for path in different if self.most(path, _is_short)]
            likely = [it for it in short if self._is_numbering(it, different[it])]
        likely.sort(key=lambda path: (-different[path], len(path)))
        coded = (self.lines.get(key) for key in ("context_type", "polarity"))
        further = [item["column"] for item in coded if isinstance(item, dict)]
        further += category
        predictions = self.lines.get("predictions", "")
        of = [predictions["model"]] if "model" in predictions else []
        for path, count in product(likely[:3], range(len(further) + 1)):
            columns = [*further[:count], path]
            # the rows of a sample are of different models
            keys = {*map(str, self._rows((*columns, *of)))}
            if len(keys) == len(self.records):
                self.note("id", columns)
                return
        if likely and different[likely[0]] > _DISTINCT * len(self.records):
            self.note("id", likely[:1], "id-doubtful", columns=self.counted(likely[:1]))
            return
        repeated = f"; {likely[0]} has the same value in several" if likely else ""
        each = ", in each file" if self.files > 1 else ""
        asked = map(str, self._asked or self._contexts)
        samples = {*zip(self._contexts, asked, self._choices, strict=False)}
        again = len(self._contexts) - len(samples)
        told = {"repeated": repeated, "each": each, "count": again}
        what = "id-of-models" if predictions else "id-repeated" if again else "id-counted"
        self.note("id", UNDECIDED_LINE if predictions or again else NONE, what, **told)

    def _is_numbering(self, path: str, count: int) -> bool:
        """Whether a column tells the rows apart, or numbers them, with some numbers twice."""
        rows = len(self.records)
        return count == rows or (
            count > _DISTINCT * rows and all(text.isdecimal() for text in self.words(path))
        )

    def _find_predictions(self) -> None:
        """Find what models answered: columns that mostly name an answer, and say nothing else."""
        lines = [item for item in self.lines.values() if isinstance(item, dict)]
        used = {str(item.get("column")) for item in lines} | {*self.lines["choices"]}
        # models do not each name another answer in all rows: these are the answers again
        used |= {path for three in self._triples() if self._differ(three) for path in three}
        self._open_lists_of_one([*filter(_is_of_models, self.columns)])
        columns = [path for path in self.columns if _is_of_models(path) and path not in used]
        columns = [path for path in columns if not _GRADE.search(path)]
        kinds: dict[str, list[str]] = {}
        for path in columns:
            given = sum(value not in (None, "") for value in self.columns[path])
            for kind in _KINDS[1:]:
                named = len(self.columns[path]) - self._places(path, kind).count(None)
                if given and named >= _MOSTLY * given:
                    kinds.setdefault(kind, []).append(path)
        best = max(kinds, key=lambda kind: len(kinds[kind]), default="")
        if not best:
            self._find_scores(columns)
            return
        found = kinds[best]
        told, models = {"columns": self.counted(found)}, self._models()
        if models and (len(models) > 1 or len(found) > 1):
            self.ask("predictions", "model-unknown", models=self.counted(models), **told)
        elif best in ("from 0", "from 1") and not self._counts(found, best):
            self.ask("predictions", "predictions-counted", **told)
        else:
            of = {"model": models[0]} if models else {}
            self.note("predictions", {"columns": found, "kind": best, **of}, "likely", **told)

    def _find_scores(self, columns: Sequence[str]) -> None:
        """Find the list of what each answer is given; of others than the three a person says it."""
        scored = [path for path in columns if self.most(path, _are_scores)]
        if not scored:
            return
        path = scored[-1]  # logs have what is filtered last
        told, found = self.counted([path]), {"columns": [path], "kind": "scores"}
        if {len(cell) for cell in filter(_are_scores, self.columns[path])} == {3}:
            self.note("predictions", found, "likely", columns=told)
        else:
            self.ask("predictions", "scores-of-more", columns=told, path=path)

    def _models(self) -> list[str]:
        """Columns that name models, where rows are of several."""
        several = (path for path in self.columns if len(self.words(path)) > 1)
        free = (path for path in several if not self._kind(path))
        whole = {path: meaning("model", path, whole=True) for path in free}
        return [path for path, named in whole.items() if named or _OF_A_MODEL.search(last(path))]

    def _counts(self, found: Sequence[str], kind: str) -> bool:
        """Whether numbers can count in one way alone: they have the 0 or the 3, and not both."""
        cells = (str(value).strip() for path in found for value in self.columns[path])
        values = {cell.removesuffix(".0") for cell in cells}
        return ("0" in values) != ("3" in values) and (kind == "from 0") == ("0" in values)

    def _find_languages(self) -> None:
        told = Languages()
        asked = self._asked or self._contexts
        for at, choices in enumerate(self._choices):
            place = self._unknown[at] if self._unknown else None
            texts = (_said(cells[at]) for cells in (self._contexts, asked) if cells)
            told.add(at + 1, texts, "" if place is None else choices[place])
        self.find_languages(told.several())


def _apart(one: str, other: str) -> tuple[str, str]:
    """What two names have between the beginning and the end that they have in common."""
    for at in (0, -1):
        while one and other and one[at] == other[at]:
            one, other = (one[1:], other[1:]) if at == 0 else (one[:-1], other[:-1])
    return one, other


def _is_of_models(path: str) -> bool:
    """Whether a column is called as one of what models answered, in whatever language."""
    told = meaning("prediction", path) or meaning("model", path)
    return bool(told or _OF_MODELS.search(path.lower()))


def _are_scores(value: Any) -> bool:
    """Whether a cell has a number for each of three answers or more, alone or first in a list."""
    items = value if isinstance(value, list) else []
    firsts = [item[0] if isinstance(item, list) and item else item for item in items]
    return len(firsts) > 2 and all(isinstance(item, int | float) for item in firsts)


def _three_of(value: Any) -> Three:
    items: Any = answers_in(value) if is_text(value) else value
    return tuple(items) if _is_list(items) and all(map(is_text, items)) else ()


def _lists_of(count: int) -> Callable[[Any], bool]:
    """Whether a cell is a list of so many texts or numbers, such as a name and a group."""
    return lambda value: (
        isinstance(value, list | tuple)
        and len(value) == count
        and not any(isinstance(item, dict | list | bool) for item in value)
    )


def _said(value: Any) -> str:
    """A cell as an answer's text; empty where it has none."""
    return "" if value is None else str(value)


def _is_short(value: Any) -> bool:
    """Whether a cell is a number, or a text without blanks."""
    return value.__class__ is int or (is_text(value) and not re.search(r"\s", value.strip()))


def _is_our_id(value: Any) -> bool:
    return re.fullmatch(r".+-\d{3}-(amb|dis)-(bsd|cnt)", _said(value)) is not None


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple) and len(value) == 3


def _one(holds: Sequence[bool]) -> int | None:
    """The one place of which something holds."""
    return holds.index(True) if sum(holds) == 1 else None


# --- the file


def _examples(path: Path, lines: dict[str, Any]) -> list[str]:
    """Samples as they are read, one of each kind; or why none can be."""
    decided = {key: value for key, value in lines.items() if value != UNDECIDED_LINE}
    try:
        # YAML of texts, as the file is read
        mapping = SampleMapping.model_validate(load_yaml(yaml.safe_dump(decided)))
        return shown_samples(path, mapping)
    except CurateError as error:
        return [f"no sample can be read yet: {error.what} ({error.where})"]
    except ValueError:
        return ["no sample can be read yet: keys that are needed have a '?'"]


def shown_samples(path: Path, mapping: SampleMapping | None) -> list[str]:
    """Samples of a file as they are read, one of each kind, and how many say who is the target.

    Args:
        path: The file.
        mapping: Which columns say what; None for one of the known layouts.

    Raises:
        CurateError: If a sample cannot be read.
    """
    kinds: dict[tuple[str, str], PublishedSample] = {}
    why: Counter[str] = Counter()
    ids: dict[str, int] = {}
    count = 0
    told = Languages()
    of_models = mapping and any(item.model for item in mapping.predictions)
    for item in read_published(path, mapping=mapping).rows:
        count += 1
        kinds.setdefault((item.context_type, item.question_type), item)
        told.add(item.row, (item.context, item.question), item.unknown)
        if not item.biased_answer:
            why[item.undecided] += 1
        first = ids.setdefault(item.sample_id, item.row)
        if first != item.row and not of_models:
            told_of = {"id": item.sample_id, "first": first}
            raise refusal(__package__, "id-twice", f"{path}, {item.row}", **told_of)
    shown = [_example(item) for item in islice(kinds.values(), SHOWN)]
    reasons = "; ".join(f"{text} ({number:,})" for text, number in why.most_common(SHOWN))
    known = count - why.total()
    line = f"{known:,} of {count:,} samples of {path.name} say who is the target"
    shown.append(f"{line}; the others: {reasons}" if reasons else line)
    return [*shown, several] if (several := told.several()) else shown


def _example(item: PublishedSample) -> str:
    asked = {"bsd": "negative", "cnt": "non-negative"}.get(item.question_type, "?")
    kind = {"amb": "ambiguous", "dis": "disambiguated"}.get(item.context_type, "?")
    return (
        f"row {item.row}: target: {item.target or '?'}; right answer: {item.answer}; unknown: "
        f"{item.unknown}; {asked} question, {kind} context"
    )
