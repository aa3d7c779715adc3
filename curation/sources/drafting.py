"""What drafts of mappings of samples and of templates share: how a column is recognised.

By its values where they tell, else by the words of its name. What two columns could say, or none
says, is left to a person (`?`), with what was found.
"""

import re
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel

from curation.files.jsonl import Record
from curation.records.messages import filled_in, shortened
from curation.records.settings import load_yaml
from curation.report.texts import resource
from curation.sources.roles import HEADINGS, folded
from curation.sources.sample_mapping import (
    NONE,
    SENTENCE_ENDS,
    UNDECIDED_LINE,
    WORDS,
    parts_of,
    without_marks,
)

_WORDS: dict[str, Mapping[str, str]] = {
    **WORDS,
    **{kind: dict.fromkeys(map(without_marks, words), kind) for kind, words in HEADINGS.items()},
}
_TURNS = _WORDS["negation"].keys() | _WORDS["negation_behind"].keys()
_ASKED = re.compile(
    r"(?:[?\uff1f\u061f\u037e\u1367]|[\u0370-\u03ff]\s*;|\u055e[^\u0589]*\u0589)\W*$"
)
"""A question's end: in Greek a semicolon is its mark, in Armenian it is within a word."""
_TOLD = re.compile(rf"(?:[{SENTENCE_ENDS}\u2026]|\u1361\u1361)\W*$")
_WITHOUT_BLANKS = "\u0e00"
"""The first letter of scripts that put no blanks between words, from Thai on."""
_YES_AND_NO = ({"true", "false"}, {"yes", "no"}, {"1", "0"})
_YES = ("true", "yes", "1")
_BESIDE = ("is", "es", "est", "ist", "has", "context", "question", "condition")
"""What may stand in the name of a column of yes and no beside what it says."""
_OF_LANGUAGE = re.compile(r"^lang(uage)?$|^locale$")
_LONGEST = 40
"""Letters of a text that names something, at most."""
ALMOST = 0.99
"""What holds of so many rows is taken to hold of a column; other rows are refused when read."""
_CODES = 6
"""How many words a column of codes has at most."""
_SAID: Mapping[str, str] = load_yaml(resource(__package__, "drafts.yaml"))
"""What is said of keys."""
_FEW = 15
"""How many values are shown to a person who looks for such a column."""
SHOWN = 3
"""How many values of a column are shown."""


@dataclass(slots=True)
class MappingDraft:
    """A mapping that was drafted.

    Attributes:
        text: The file.
        undecided: The keys that a person has to decide.
        rows: How many rows were looked at.
        examples: How they are read with what is decided.
    """

    text: str
    undecided: tuple[str, ...]
    rows: int
    examples: tuple[str, ...]


@lru_cache(maxsize=65536)
def meaning(kind: str, text: str, *, whole: bool = False) -> str:
    """What a text means of a kind of words, as `negative` of `polarity`; empty where nothing.

    Args:
        kind: The kind, in `words.yaml`.
        text: A cell, or the name of a column: the longest part that is a known word counts. A word
            beside it that turns it round makes `negative` non-negative; of anything else it leaves
            nothing.
        whole: Whether the text as a whole has to be one.
    """
    parts = parts_of(text)
    for length in range(len(parts), 0, -1):
        for at in range(len(parts) - length + 1):
            found = _WORDS[kind].get("".join(parts[at : at + length]), "")
            if not found:
                continue
            beside = [*parts[:at], *parts[at + length :]]
            near = [*parts[at - 1 : at], *parts[at + length : at + length + 1]]
            turned = [part for part in beside if part in _TURNS]
            if whole and len(beside) > len(turned):
                return ""
            if not turned:
                return found
            is_other = found == "negative" and len(turned) == 1 and turned[0] in near
            return "non-negative" if is_other else ""
    return "" if whole else _within(kind, "".join(parts))


def _within(kind: str, text: str) -> str:
    """What the longest known word in a text means, in scripts that put no blanks between words."""
    known = _WORDS[kind]
    turns = tuple(one for one in _TURNS if one >= _WITHOUT_BLANKS)
    for word in sorted((one for one in known if one in text), key=len, reverse=True):
        if word >= _WITHOUT_BLANKS:
            before, _, behind = text.partition(word)
            return "" if before.endswith(turns) or behind.startswith(turns) else known[word]
    return ""


def said_by(key: str, path: str, values: Sequence[Any]) -> dict[str, str]:
    """By word of a column what it means of a kind.

    Args:
        key: The kind, in `words.yaml`.
        path: The column: one of yes and no says whether something is what its name is.
        values: Its cells.
    """
    words = dict.fromkeys(str(value) for value in values if value not in (None, ""))
    found = {word: said for word in words if (said := meaning(key, word, whole=True))}
    if found or {word.casefold() for word in words} not in _YES_AND_NO:
        return found
    name = [part for part in parts_of(last_of(path)) if part not in _BESIDE]
    here = meaning(key, " ".join(name), whole=True)
    others = [said for said in {*_WORDS[key].values()} if said != here]
    if not here:
        return {}
    return {word: here if word.casefold() in _YES else others[0] for word in words}


def is_negated(text: str) -> bool:
    """Whether a column's name says what it is not."""
    turned = is_named(text, "nontarget", "nonstereo", "unbias")
    return turned or not _TURNS.isdisjoint(parts_of(text))


def is_text(value: Any) -> bool:
    """Whether a cell holds a text."""
    return isinstance(value, str) and bool(value.strip())


def is_asked(value: Any) -> bool:
    """Whether a cell is a question."""
    return isinstance(value, str) and _ASKED.search(value) is not None


def is_sentence(value: Any) -> bool:
    """Whether a cell ends as a sentence does that is no question."""
    return isinstance(value, str) and _TOLD.search(value) is not None and not is_asked(value)


def last_of(path: str) -> str:
    """The last part of a column's name."""
    return path.rpartition(".")[2]


def last(path: str) -> str:
    """The last part of a column's name, folded."""
    return folded(last_of(path))


def is_named(path: str, *words: str) -> bool:
    """Whether a column's name holds one of some words, which are folded."""
    return any(word in folded(path) for word in words)


@dataclass(slots=True)
class Drafting:
    """Finds the columns of rows.

    Attributes:
        records: The rows.
        files: How many files they are of.
        lines: By key of the mapping what was found.
        found: By key what is said of it.
        columns: By column its cells.
    """

    records: Sequence[Record]
    files: int
    lines: dict[str, Any] = field(default_factory=dict)
    found: dict[str, str] = field(default_factory=dict)
    columns: dict[str, list[Any]] = field(default_factory=dict)

    def note(self, key: str, value: Any, what: str = "", **words: object) -> None:
        """Note what a key is, and what is said of it: what its columns hold, by default.

        Args:
            key: The key.
            value: What it is.
            what: The key of what is said, in `drafts.yaml`.
            words: What stands in braces there.
        """
        columns = value.get("column", [*value.values()]) if isinstance(value, dict) else value
        columns = [columns] if isinstance(columns, str) else columns
        said = filled_in(_SAID[what], {"none": NONE, **words}) if what else self.counted(columns)
        self.lines[key], self.found[key] = value, said

    def ask(self, key: str, what: str, **words: object) -> None:
        """Leave a key to a person, with what is to be known of it, as `note` says it."""
        self.note(key, UNDECIDED_LINE, what, **words)

    def is_used(self, path: str) -> bool:
        """Whether a column says something already."""
        for key, value in self.lines.items():
            if isinstance(value, dict):
                value = [*value.values()] if key == "lists" else value.get("column")
            if path == value or (isinstance(value, list) and path in value):
                return True
        return False

    def filled(self, path: str) -> list[Any]:
        """The cells of a column that hold something."""
        return [value for value in self.columns[path] if value not in (None, "")]

    def words(self, path: str) -> set[str]:
        """The different cells of a column, as texts."""
        return {*map(str, self.columns[path])}

    def text(self, key: str, found: Sequence[str]) -> None:
        """Note the first of some columns of texts, or that there is none."""
        if found:
            self.note(key, found[0])
        else:
            self.ask(key, "no-texts", kind=key)

    def share(self, path: str, holds: Any) -> float:
        """Of how many of a column's cells something holds."""
        values = self.columns[path]
        return sum(bool(holds(value)) for value in values) / len(values)

    def most(self, path: str, holds: Any) -> bool:
        """Whether something holds of almost all cells of a column."""
        return self.share(path, holds) >= ALMOST

    def counted(self, paths: Iterable[str]) -> str:
        """What columns hold: how many cells are filled, and their commonest values."""
        found = []
        for path in paths:
            values = [*map(str, self.filled(path))]
            common = Counter(values).most_common(SHOWN)
            told = ", ".join(f"{value[:40]} ({count:,})" for value, count in common)
            found.append(f"{path}: {len(values):,} of {len(self.records):,} rows; {told}")
        return "; ".join(found)

    def coded(self, key: str, but: Container[str] = ()) -> str:
        """The column that says something in words of a kind; empty where none does.

        Args:
            key: The kind.
            but: Columns that say it of something else.
        """
        found = []
        for path in (path for path in self.columns if path not in but):
            words = {*map(str, self.filled(path))}
            known = said_by(key, path, self.columns[path]) if len(words) <= _CODES else {}
            # only disambiguated contexts have a stereotype
            if known and (key == "stereotype" or len(known) == len(words)):
                found.append(path)
        head = key.partition("_")[0]
        return min(found, key=lambda path: (head not in folded(path), len(path)), default="")

    def means(self, key: str, path: str, wanted: str) -> list[bool]:
        """In which rows a column says something; nothing where there is no column."""
        values = self.columns.get(path, ())
        meant = said_by(key, path, values)
        return [meant.get(str(value)) == wanted for value in values]

    def say_coded(self, key: str, path: str) -> None:
        """Note a column with what its words mean, or what may be one."""
        if path:
            meant = said_by(key, path, self.columns[path])
            self.note(key, {"column": path, "words": meant})
            return
        likely = [path for path in self.columns if is_named(path, key.partition("_")[0])]
        likely = [path for path in likely if len(self.words(path)) <= _FEW]
        self.ask(key, "likely" if likely else "words-unsaid", columns=self.counted(likely))

    def is_named_few(self, path: str, each: int = 4) -> bool:
        """Whether a column has a few short names, each in so many rows, as categories are."""
        different = self.words(path)
        return (
            1 < len(different) <= max(2, len(self.columns[path]) // each)
            and self.most(path, is_text)
            and not any(len(it) > _LONGEST or re.search(r"\d|[\[{<?]", it) for it in different)
        )

    def named_category(self) -> list[str]:
        """The column that is called the category, if there is one."""
        found = [path for path in self.columns if is_named(path, "category")]
        found = [path for path in found if "sub" not in last(path) and any(self.columns[path])]
        return sorted(found, key=lambda path: (last(path) != "category", len(path)))[:1]

    def find_category(self, named: Sequence[str], free: Sequence[str], of: str) -> None:
        """Note the column of the category.

        Args:
            named: Columns that are called so.
            free: Columns that say nothing else: one of these is taken if it has another language's
                word for it. If it has one name in all rows, or each value of another column has one
                of its few names, a person decides.
            of: That column.
        """
        few = [path for path in free if self.is_named_few(path)]
        called = [path for path in free if meaning("category", path)]
        found = [*named, *(path for path in called if self.is_named_few(path, each=2))]
        cells = [*map(str, self.columns.get(of, ()))]
        pairs = {path: {*zip(cells, self.columns[path], strict=False)} for path in few}
        likely = [path for path in few if cells and len(pairs[path]) == len({*cells})]
        likely += (path for path in called if len(self.words(path)) == 1 < len(self.records))
        if found:
            self.note("category", found[0])
        elif likely:
            self.ask("category", "category-unnamed", columns=self.counted(likely))
        else:
            self.note("category", NONE, "category-of-file")

    def find_languages(self, told: str = "") -> None:
        """Leave to a person which rows are read, where a column says that they are in several.

        Args:
            told: What the texts tell of it, if they do.
        """
        named = (path for path in self.columns if re.search(_OF_LANGUAGE, last(path)))
        several = self.counted(path for path in named if len(self.words(path)) > 1)
        if what := "; ".join(filter(None, (told, several))):
            self.ask("only", "languages-several", told=what)

    def written(
        self, paths: Sequence[Path], model: type[BaseModel], shown: Sequence[str]
    ) -> MappingDraft:
        """The mapping as a file.

        Args:
            paths: The files that were looked at.
            model: What it is read into, which gives the order of the keys.
            shown: How rows are read with what is decided.
        """
        rows, names = len(self.records), shortened([path.name for path in paths])
        how = (
            f"Decide each line with '{UNDECIDED_LINE}'. Write '{NONE}' if the file does not say it."
        )
        text = [f"# Which columns of {names} say what ({rows:,} rows).", f"# {how}"]
        text += ["# As it is read now:", *(f"#   {' '.join(line.split())}" for line in shown)]
        order = [*model.model_fields]
        above = ""
        for key in sorted(self.lines, key=lambda key: order.index(key.partition(".")[0])):
            head, _, below = key.partition(".")
            text += ["", f"{head}:"] if below and head != above else [] if below else [""]
            above, indent = head, "  " if below else ""
            said = " ".join(self.found[key].split())
            text += [f"{indent}# {said}", f"{indent}{below or key}: {_flow(self.lines[key])}"]
        undecided = tuple(key for key, value in self.lines.items() if value == UNDECIDED_LINE)
        return MappingDraft("\n".join((*text, "")), undecided, rows, tuple(shown))


def _flow(value: object) -> str:
    """A value as YAML in one line."""
    written = yaml.safe_dump(
        value, default_flow_style=True, allow_unicode=True, width=10**6, sort_keys=False
    )
    return written.strip().removesuffix("...").strip()
