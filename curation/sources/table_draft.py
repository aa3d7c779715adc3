"""Draft of a mapping of a table of templates: which columns say what, by their names and values.

Letters are taken from a column only where the roles that groups or answers tell agree with it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice, pairwise, permutations
from pathlib import Path
from typing import Any

from curation.records import bank
from curation.records.messages import CurateError
from curation.sources import table
from curation.sources.drafting import (
    SHOWN,
    Drafting,
    MappingDraft,
    is_asked,
    is_named,
    is_sentence,
    is_text,
    last,
    meaning,
)
from curation.sources.imported import ALIKE, Imported, TemplateFormat, table_of
from curation.sources.roles import folded
from curation.sources.sample_mapping import NONE, UNDECIDED_LINE, parts_of

_BRACKETS = (
    *(("{{", "}}"), ("{", "}"), ("[", "]"), ("<", ">"), ("(", ")"), ("\u3010", "\u3011")),
    *((mark, mark) for mark in ALIKE),
)
_INSIDE = r"\s*(?P<name>[^\W\d_](?:\w*[^\W_])?)\s*(?:[:|.-][^\]\[{}<>()]*)?"
_SLOTS = [
    (opens, closes, re.compile(f"{re.escape(opens)}{_INSIDE}{re.escape(closes)}"))
    for opens, closes in _BRACKETS
]
_AS_SLOT = {
    "(": r"[A-Z]+\d+",
    "[": r"[A-Z][A-Za-z_]*\d*|\w+\d",
    **dict.fromkeys(ALIKE, r"[A-Z][A-Z_]*\d*"),
}
"""What a slot's name looks like in brackets that sentences have too."""
_OF_WORDS = re.compile(r"W(?:ORDS?)?_?\d*")
_PEOPLE = ("NAME", "N", "PERSON")
"""What slots of the two people are called, before their number."""
_NUMBERS = ("templateid", "template", "questionindex", "qid", "questionid", "number", "id")
_MOSTLY = 0.8
"""What holds of so many rows is taken to hold of a column; other rows are reported when read."""
_TWINS = 4
"""Columns that have a twin, from which on it is one in another language."""
_PERSON = r"(?:name|n|person|group)0*{}(?:info|groups?)|(?:info|groups?)0*{}"
_LISTS = re.compile(r"\w\W{0,4}:\s*\[")
_VERSIONS = {
    **{version.value: version.value for version in bank.VariantVersion if version},
    **{"masculine": "m", "male": "m", "feminine": "f", "female": "f", "proper": "p"},
}


def draft_templates(paths: Sequence[Path]) -> MappingDraft:
    """Draft the mapping of tables of templates in one layout.

    Args:
        paths: The files.

    Raises:
        CurateError: If one cannot be read.
    """
    rows = [(path, row) for path in paths for row in table_of(path, path.name).rows]
    places = [(path, row.number) for path, row in rows]
    drafted = _Drafting([row.cells for _, row in rows], len(paths), paths=paths, places=places)
    drafted.draft()
    return drafted.written(paths, TemplateFormat, drafted.examples())


@dataclass(slots=True)
class _Drafting(Drafting):
    """Finds the columns of templates.

    Attributes:
        paths: The files.
        places: The file and the number of each row.
    """

    paths: Sequence[Path] = ()
    places: Sequence[tuple[Path, int]] = ()
    _open: set[str] = field(default_factory=set)
    _untied: str = ""

    def draft(self) -> None:
        """Find everything, in the order in which one thing tells another."""
        names = dict.fromkeys(name for record in self.records for name in record if name)
        self.columns.update({name: [row.get(name, "") for row in self.records] for name in names})
        self._find_twins()
        self.note("licence", {"name": "", "holder": "", "address": ""}, "licence-needed")
        self.ask("written_in", "language-asked")
        self._find_ids()
        self._find_contexts()
        self._find_questions()
        self._find_slots()
        self._find_groups()
        self._find_lists()
        self._find_further()
        self._find_ids_by_values()
        self.find_languages()
        self._find_letter()
        if rest := [name for name in self.columns if not self.is_used(name)]:
            self.note("others", rest, "others-unread")
        stem = self.paths[0].stem  # last, for a column may be called so
        name = re.sub(r"[\W_]+", "-", stem.casefold()).strip("-") or "own"
        self.note("name", name, "name-in-bank")
        self.note("title", stem, "title-of-set")

    def _free(self, *words: str) -> list[str]:
        """Columns that nothing has taken, by words of their names."""
        free = (name for name in self.columns if not self.is_used(name) and name not in self._open)
        return [name for name in free if not words or is_named(name, *words)]

    def _find_twins(self) -> None:
        """Put aside the columns that have the text of another one in the source language."""
        twins: dict[str, list[str]] = {}
        for one, other in permutations(self.columns, 2):
            if other.startswith(one):
                twins.setdefault(other.removeprefix(one), []).append(other)
        ending, found = max(twins.items(), key=lambda item: len(item[1]), default=("", []))
        if len(found) < _TWINS:
            return
        self.note("source_ending", ending, "twins", count=len(found))
        for name in found:
            del self.columns[name]

    # --- ids

    def _find_ids(self) -> None:
        if found := self.named_category():
            self.note("category", found[0])
        numbers = [name for word in _NUMBERS for name in self.columns if last(name) == word]
        numbers += [name for name in self.columns if last(name).endswith(_NUMBERS)]
        numbers = [name for name in numbers if self.share(name, _slots_of) == 0]
        if numbers:
            self.note("number", numbers[0])

    def _find_ids_by_values(self) -> None:
        """Find them where no name tells, among the columns that nothing else has taken."""
        if "category" not in self.lines:
            whole = [name for name in self._free() if self.share(name, str.isdecimal) == 1]
            of = whole[0] if len(whole) == 1 else self.lines["texts.ambiguous_context"]
            self.find_category([], self._free(), of)
        if self.lines["category"] in self.columns:
            self.note("loose", True, "category-loose")
        if "number" in self.lines:
            return
        found = [name for name in self._free() if self._is_numbering(name)]
        if len(found) == 1:
            self.note("number", found[0], "numbers-together", columns=self.counted(found))
        else:
            self.ask("number", "number-unnamed")

    def _is_numbering(self, name: str) -> bool:
        """Whether a column numbers the contexts of each category, one after another."""
        if self.share(name, str.isdecimal) < 1:
            return False
        of = self.columns.get(self.lines["category"], [""] * len(self.records))
        told = self.columns.get(self.lines["texts.ambiguous_context"], of)
        cells = [*zip(of, map(int, self.columns[name]), told, strict=True)]
        different = [*dict.fromkeys(cells)]
        together = sum(one != other for one, other in pairwise(cells)) + 1 == len(different)
        rising = all(one[0] != other[0] or one[1] < other[1] for one, other in pairwise(different))
        return 1 < len(different) < len(cells) and together and rising

    # --- texts

    def _find_contexts(self) -> None:
        told = self._texts_of(self._free("context", "scenario"))
        likely = [name for name in self._texts_of(self._free()) if self._is_told(name)]
        if len(told) < 2 <= len(likely):
            told = likely
        said = {name: meaning("context_type", name) for name in told}
        after = [name for name in told if said[name] == "disambiguated"]
        before = [name for name in told if name not in after]
        if len(told) == 2 and not after:
            # In Catalan "amb" is "with".
            first = [n for n in told if said[n] == "ambiguous" and "amb" not in parts_of(n)]
            first = [n for n in first if not any(self._begins(o, n) for o in told if o != n)]
            first = first or [one for one, other in (told, told[::-1]) if self._begins(one, other)]
            both = [n for n in told if self.share(n, lambda cell: len(_slots_of(cell)) > 1) == 1]
            if all(map(self._is_told, told)):
                first = first or (both if len(both) == 1 else [])
                pairs = told, told[::-1]
                first = first or [one for one, other in pairs if self._is_shared(one, other)]
            if len(first) == 1:
                before, after = first, [name for name in told if name not in first]
        self._one("texts.ambiguous_context", before)
        self._one("texts.disambiguating_context", after)

    def _is_shared(self, one: str, other: str) -> bool:
        """Whether each template has one text in a column, and some have several in the other."""
        texts = self._by_template(one, other)
        alone = all(len(known) == 1 for known in texts.values())
        is_told = self.lines.get("number") in self.columns
        several = any(len(rest) > 1 for known in texts.values() for rest in known.values())
        return is_told and alone and several

    def _by_template(self, one: str, other: str) -> dict[tuple[str, str], dict[str, set[str]]]:
        """By template, and by what a column says, what another one says."""
        of = (self.lines.get("category", ""), self.lines.get("number", ""), one, other)
        cells = [self.columns.get(name) or [""] * len(self.records) for name in of]
        found: dict[tuple[str, str], dict[str, set[str]]] = {}
        for category, number, text, more in zip(*cells, strict=True):
            found.setdefault((category, number), {}).setdefault(text, set()).add(more)
        return found

    def _texts_of(self, names: Iterable[str]) -> list[str]:
        return [name for name in names if self.share(name, is_text) >= _MOSTLY]

    def _is_told(self, name: str) -> bool:
        """Whether a column holds sentences that are no questions, and has slots as templates do."""
        return self.share(name, is_sentence) > 0.5 and self.share(name, _slots_of) > 0.5

    def _answers_in(self, context: str) -> list[str]:
        """Columns whose cells name a person of a context."""

        def answers(name: str) -> bool:
            rows = zip(self.columns[name], self.columns[context], strict=True)
            named = [
                bool(slots & _slots_of(told)) if (slots := _slots_of(cell)) else cell in told
                for cell, told in rows
                if cell
            ]
            return sum(named) >= _MOSTLY * len(named)

        free = [name for name in self._texts_of(self._free()) if not self._is_told(name)]
        free = [name for name in free if self.share(name, _is_list_or_number) < 0.5]
        return [*filter(answers, free)]

    def _begins(self, one: str, other: str) -> bool:
        rows = zip(self.columns[one], self.columns[other], strict=True)
        return all(text and whole.startswith(text) for text, whole in rows)

    def _one(self, key: str, found: Sequence[str], doubt: str = "") -> None:
        """Note the one column that may be a text; of several, or in doubt, a person has to decide.

        These are then taken for nothing else.
        """
        if len(found) == 1 and not doubt:
            self.note(key, found[0])
            return
        what = "; ".join(filter(None, (self.counted(found), doubt)))
        self._open.update(found)
        self.ask(key, "likely" if what else "text-unnamed", columns=what)

    def _find_questions(self) -> None:
        asked = [name for name in self._free() if self.share(name, is_asked) > 0.5]
        asked += [name for name in self._free("question") if name not in asked]
        asked = [name for name in self._texts_of(asked) if not is_named(name, "ans")]
        context = self.lines["texts.ambiguous_context"]
        answers = [name for name in self._texts_of(self._free("ans")) if name not in asked]
        if len(answers) < min(len(asked), 2) and context in self.columns:
            answers = [name for name in self._answers_in(context) if name not in asked]
        if len(asked) == 1:
            column = self.coded("polarity")
            both = len({*self.columns.get(column, ())}) > 1
            self.say_coded("polarity", column if both else "")
            asked, answers = asked * 2, answers[:1] * 2
        for kind, found in (("question", asked), ("answer", answers)):
            named = [name for name in found if meaning("polarity", name) == "negative"]
            others = [name for name in found if meaning("polarity", name) == "non-negative"]
            if not (len(named) == len(others) == 1):  # one column, or nothing tells them apart
                every = list(dict.fromkeys(found))
                # the answer to one of two questions is not that to the other
                apart = kind == "answer" and len(every) == 1 < len({*asked}) and (named or others)
                named, others = (named, others) if apart else (every, every)
            self._one(f"texts.biased_{kind}", named)
            self._one(f"texts.counter_biased_{kind}", others)

    def _text_columns(self, fields: Iterable[str]) -> list[str]:
        found = (self.lines.get(f"texts.{name}") for name in fields)
        return [column for column in dict.fromkeys(found) if column in self.columns]

    # --- slots

    def _find_slots(self) -> None:
        everywhere = self._slots_in(self._text_columns(bank.SLOT_TEXT_FIELDS))
        if not everywhere:
            return
        told = ", ".join(f"{written} ({count:,})" for written, count in everywhere.items())
        if all(re.fullmatch(r"\[[NWX][1-9]\d?\]", written) for written in everywhere):
            return  # the bank's own grammar
        in_answers = self._slots_in(self._text_columns(bank.ANSWER_FIELDS))
        of_people = [one for one in everywhere if one in in_answers]
        of_people = [one for one in of_people if not _OF_WORDS.fullmatch(_word(one).upper())]
        undecided = any(
            self.lines[f"texts.{name}"] == UNDECIDED_LINE for name in bank.ANSWER_FIELDS
        )
        called = [one for one in everywhere if _called_person(one)]
        if undecided and len(called) == 2:  # by their names, where answers do not tell
            undecided, of_people = False, called
        kinds: dict[str, list[str]] = {}
        for written in sorted(of_people, key=_digits):  # without a number, by their first use
            kind = re.sub(r"\d+", "", _word(written)).upper() if _digits(written) else ""
            kinds.setdefault(kind, []).append(written)
        if undecided or len(kinds) > 2 or any(len(found) != 2 for found in kinds.values()):
            self.ask("slots", "answers-unknown" if undecided else "people-unclear", told=told)
            return
        first = sorted(kinds, key=lambda kind: (kind not in (*_PEOPLE, ""), kind))
        names: dict[str, str] = {}
        for kind, letter in zip(first, "NX", strict=False):
            names |= {written: f"{letter}{at}" for at, written in enumerate(kinds[kind], start=1)}
        for written in sorted(set(everywhere) - {*names}, key=_word):
            wanted = (*re.findall(r"[1-9]\d?$", _word(written)), *range(1, 100))
            free = (name for at in wanted if (name := f"W{at}") not in names.values())
            names[written] = next(free)
        letters = [_word(written) for written in kinds.get("", ())]
        if letters and not (max(map(len, letters)) == 1 and letters == sorted(letters)):
            self._untied = f"nothing says whose groups they are: N1 is {kinds[''][0]}"
        self.note("slots", names, "slots-of-answers", told=told)

    def _slots_in(self, columns: Sequence[str]) -> Counter[str]:
        """The slots of some columns as they are written, with how many cells have each."""
        cells = (cell for name in columns for cell in self.columns[name])
        return Counter(written for cell in cells for written in _written_in(cell))

    # --- people

    def _find_groups(self) -> None:
        marks = ("stereotypedgroup", "targetgroup", "targetedgroup", "biasgroup")
        if found := [name for name in self._free(*marks) if "nonst" not in folded(name)]:
            self._one("texts.target_groups", found)
        pair = self._people_by_number(found)
        for at in (1, 2):
            pattern = re.compile(_PERSON.format(at, at))
            of = [name for name in self._free() if pattern.fullmatch(last(name))]
            of = of or pair[at - 1 : at]
            if of and any(self.columns[of[0]]):
                self._one(f"texts.n{at}_groups", of[:1], self._untied)
        if not found:
            key, people = "texts.target_groups", [f"texts.n{at}_groups" for at in (1, 2)]
            named = self._free("target", "stereotyped")
            named = named or [name for name in self._free() if meaning("target", name)]
            likely = self._one_of_both([*map(self.lines.get, people)], self._free())
            if not named and likely:
                self.ask(key, "group-of-whom", columns=self.counted(likely))
                self._open.update(likely)
            else:
                self._one(key, named)
            if self.lines[key] == UNDECIDED_LINE:
                self.found[key] += f"; {NONE}: who is the target stays open in every row"

    def _names_of_slots(self) -> dict[str, str]:
        """By what the file calls a slot its name in the bank; none where that is undecided."""
        slots = self.lines.get("slots", UNDECIDED_LINE)
        named = {} if slots == UNDECIDED_LINE else slots
        return {_word(written).casefold(): own for written, own in named.items()}

    def _people_by_number(self, targets: Sequence[str]) -> list[str]:
        """Two columns of a few names that differ by the numbers 1 and 2; there is no third one.

        They are called a person's or a group's, or another column names one of the two.
        """
        free = [name for name in self._free() if self.is_named_few(name)]
        pairs = [(name, name.replace("1", "2")) for name in free if name.count("1") == 1]
        two = [[one, two] for one, two in pairs if two in free]
        more = {one: {one.replace("1", mark) for mark in "03"} for one, _ in two}
        likely = [pair for pair in two if more[pair[0]].isdisjoint(self.columns)]
        named = [pair for pair in likely if meaning("person", pair[0].replace("1", ""))]
        told = (pair for pair in likely if self._one_of_both(pair, [*self._free(), *targets]))
        return named[0] if named else next(told, [])

    def _one_of_both(self, people: Sequence[Any], of: Sequence[str]) -> list[str]:
        """Of some columns those that name in each row the group of one of the two people."""
        if any(name not in self.columns for name in people):
            return []
        cells = [self.columns[name] for name in people]
        pairs = [*zip(*cells, strict=True)]

        def names_one(name: str) -> bool:
            rows = zip(self.columns[name], pairs, strict=True)
            return all(cell and pair.count(cell) == 1 for cell, pair in rows)

        return [name for name in of if name not in people and names_one(name)]

    def _find_lists(self) -> None:
        named = self._names_of_slots()
        lists = {named[last(name)]: name for name in self._free() if last(name) in named}
        if lists:
            self.note("lists", lists)
        for name in self._free():
            cells = [cell for cell in self.columns[name] if cell]
            several = [cell for cell in cells if _LISTS.search(cell)]
            if not cells or len(several) < _MOSTLY * len(cells):
                continue
            keys = {key.casefold() for key in re.findall(r"\w+(?=\W{0,4}:)", "\n".join(cells))}
            of_people = any(named.get(key, "W")[0] != "W" for key in keys)
            of_people = of_people or is_named(name, "name", "people")
            key = "texts.names" if of_people else "texts.words"
            if key not in self.lines:
                self.note(key, name)

    def _find_further(self) -> None:
        if found := self._free("socialvalue") or self._free("stereotype"):
            self.note("texts.stereotype", found[0])
        for name in self._free():
            words = {*self.filled(name)}
            if words and words <= {*bank.Label}:
                self.note("label", name)
                break
        for name in self._free("version", "gender", "wording"):
            words = {*self.filled(name)}
            known = len(words) > 1 and {word.casefold() for word in words} <= {*_VERSIONS}
            if known and (not is_named(name, "gender") or self._is_wording(name)):
                meant = {word: _VERSIONS[word.casefold()] for word in sorted(words)}
                self.note("version", {"column": name, "words": meant})
                break
        named = self._free("reference", "source", "notes")
        if found := [name for name in named if any(self.columns[name])]:
            self.note("reference", found[0])

    def _is_wording(self, name: str) -> bool:
        """Whether templates have rows with each of several words, and these name the same people.

        Else a gender is said of a person, or of a template.
        """
        people = self._by_template(name, self.lines.get("texts.biased_answer", ""))
        several = [[*words.values()] for words in people.values() if len(words) > 1]
        return any(several) and all(each == words[0] for words in several for each in words)

    # --- letters

    def _find_letter(self) -> None:
        """Take a column for the letter if the roles of the rows agree with it."""
        letters = {
            name: [cell.strip().casefold() for cell in self.columns[name]]
            for name in self._free("version", "variant", "letter")
        }
        likely = [name for name, own in letters.items() if len({*own}) > 1]
        likely = [name for name in likely if {*letters[name]} <= {*bank.VariantLetter}]
        alone = [(path, self._read([path])) for path in self.paths if likely]
        if not any(got for _, got in alone):
            return
        roles = {
            (path, item.row): item.letter.is_biased
            for path, got in alone
            for item in (got.variants if got else ())
            if not item.role_open
        }
        name = likely[0]
        told = zip(self.places, map(bank.VariantLetter, letters[name]), strict=True)
        agree = [letter.is_biased == roles[place] for place, letter in told if place in roles]
        if agree and all(agree):
            self.note("letter", name)
        elif agree:
            words = {"name": name, "count": agree.count(False), "every": len(agree)}
            self.note("letter", NONE, "letters-other", **words)
        else:
            self.ask("letter", "letters-alone", columns=self.counted([name]))

    # --- examples

    def _read(self, paths: Sequence[Path]) -> Imported | None:
        """The templates of files by what is decided; None where they cannot be read yet."""
        data: dict[str, Any] = {"title": "", "written_in": ["und"], "texts": {}}
        for key, value in self.lines.items():
            head, _, rest = key.partition(".")
            if value != UNDECIDED_LINE:
                (data[head] if rest else data)[rest or head] = value
        try:
            return table.read(paths, TemplateFormat.model_validate(data))
        except (CurateError, ValueError, KeyError):
            return None

    def examples(self) -> list[str]:
        """Templates as they are read with what is decided, and how many rows are not."""
        got = self._read(self.paths)
        if got is None:
            return ["no template can be read yet: keys that are needed have a '?'"]
        lines = [_example(item) for item in islice(got.variants, SHOWN)]
        rules = Counter(item.message for item in got.findings if item.severity.value == "error")
        told = "; ".join(f"{text} ({count:,})" for text, count in rules.most_common(SHOWN))
        read = f"{got.rows_read:,} of {got.rows_in:,} rows are read"
        return [*lines, f"{read}; {told}" if told else read]


def _example(item: bank.Variant) -> str:
    target = "?"
    if not item.role_open:
        texts = item.texts
        target = texts.biased_answer if item.letter.is_biased else texts.counter_biased_answer
        if slot := bank.target_slot(texts):
            target = f"{target} ({slot})"
    return (
        f"row {item.row}: {item.id}: target: {target}; negative question: "
        f"{item.texts.biased_question} {item.texts.biased_answer}"
    )


@lru_cache(maxsize=65536)
def _written_in(cell: str) -> tuple[str, ...]:
    """The slots of a cell as they are written, each once."""
    found = []
    for opens, closes, pattern in _SLOTS:
        names = dict.fromkeys(match["name"] for match in pattern.finditer(cell))
        like = _AS_SLOT.get(opens, r"\w+")  # what stands so in a sentence is mostly no slot
        found += [f"{opens}{name}{closes}" for name in names if re.fullmatch(like, name)]
        cell = pattern.sub("", cell)
    return tuple(found)


def _slots_of(cell: str) -> set[str]:
    """The names of the slots in a cell."""
    return {*map(_word, _written_in(cell))}


def _called_person(written: str) -> bool:
    """Whether a slot is called as that of one of the two people, by its name and number."""
    return re.sub(r"[12]$", "", _word(written).upper()) in _PEOPLE and bool(_digits(written))


def _is_list_or_number(cell: str) -> bool:
    return cell.isdecimal() or _LISTS.search(cell) is not None


def _word(written: str) -> str:
    return re.sub(r"\W", "", written).strip("_")


def _digits(written: str) -> str:
    return "".join(re.findall(r"\d+", written))
