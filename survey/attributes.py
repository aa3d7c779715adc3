"""What is known of respondents, checked: quality checks go by it, and must not miss anybody.

`attention` and `status` are read by the words of every language pack, and by those of
`survey.quality.values` in `culture.yaml`. A value that no word stands for is refused: who failed a
check in words that are not known would be counted otherwise.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from curation.files.tables import Row, read_table, refuse_problems
from curation.languages import received_words
from curation.records.culture import QUALITY_VALUES, Culture, SurveySettings
from curation.records.messages import Finding
from survey.answers import RESERVED_ATTRIBUTES, Answers, id_column
from survey.mapping import RespondentsPart
from survey.readers.frames import compared, plain, refusal, tell

RESPONDENTS = "respondents.csv"
"""The file beside answers in normal form that holds what is known of their respondents."""
_WORDS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "attention": {
        "passed": ("attention_passed",),
        "failed": ("attention_failed", "status_screened_out"),
    },
    "status": {
        "complete": ("status_complete",),
        "partial": ("status_partial",),
        "screened_out": ("status_screened_out",),
    },
}
"""Which words of the language packs stand for each value."""
_SECONDS = "duration_s"


@cache
def _known(name: str) -> Mapping[str, str]:
    """By word what it stands for, of one attribute."""
    found: dict[str, str] = {}
    for value, lists in _WORDS[name].items():
        words = (word for part in lists for word in received_words(part))
        every = {compared(word) for word in (value, *words)}
        found |= dict.fromkeys({*every, *(word.replace(" ", "") for word in every)}, value)
    return found


def quality_value(name: str, word: str, settings: SurveySettings) -> str | None:
    """What a word says of a respondent.

    Args:
        name: The attribute, `attention` or `status`.
        word: What a file writes.
        settings: The settings, whose own words go first.

    Returns:
        The value; empty for an empty word, None where no word is known that says so.
    """
    text = compared(word)
    if not text:
        return ""
    for value, words in settings.quality.values.get(name, {}).items():  # type: ignore[call-overload]
        if text in map(compared, words):
            return str(value)
    return _known(name).get(text)


def with_known_values(answers: Answers, settings: SurveySettings) -> Answers:
    """Answers whose respondents have known values of the attributes that quality checks go by.

    Raises:
        CurateError: If a value is not known, or a duration is no number of seconds.
    """
    changed = {}
    for name in QUALITY_VALUES:
        if name in answers.attributes:
            changed[name] = _read(answers, name, settings)
    words = filter(str.strip, answers.attributes.get(_SECONDS, ()))
    strange = [word for word in words if math.isnan(seconds_of(word))]
    if strange:
        told = {"people": len(strange), "cells": _counted(strange)}
        raise refusal("people-seconds", _place(answers, _SECONDS), **told)
    return replace(answers, attributes={**answers.attributes, **changed}) if changed else answers


_NOTHING = frozenset({"CONSENT_REVOKED", "DATA_EXPIRED"})
"""What Prolific writes where it may not say more."""


class PeopleList:
    """The list of people beside a file of answers, such as a panel's; empty where there is none.

    A panel's export is read with its own headings: the ids in a column that is called as panels
    call it, and attributes with a meaning in any capitals.

    Args:
        answers: The file of answers.
        ids: Its respondents: of several columns that may hold ids, theirs is taken.
        part: What a mapping says of the list.

    Attributes:
        path: The list.
        part: What a mapping says of it.
        rows: By id the row of each person.
        columns: By attribute its column.

    Raises:
        CurateError: If it cannot be read, has no column of ids or several, or names a respondent
            twice; or if a mapping names it and it is not there.
    """

    def __init__(
        self, answers: Path, ids: Sequence[str], part: RespondentsPart | None = None
    ) -> None:
        self._answers, self._ids, self.part = answers, ids, part
        self.path = answers.with_name(RESPONDENTS if part is None else part.file)
        self.rows: dict[str, Row] = {}
        self.columns: dict[str, str] = {}
        if part is None and not self.path.exists():
            return
        table = read_table(self.path, required=() if part is None else (part.id, *part.keep))
        refuse_problems(table)
        called = part.id if part is not None else id_column(table, set(ids))
        for row in table.rows:
            who = plain(row[called])
            if who in self.rows:
                told = {"who": who, "one": self.rows[who].number, "other": row.number}
                raise refusal("person-twice", f"{table.file}, row {row.number}", **told)
            self.rows[who] = row
        small = {name.casefold(): name for name in table.columns}
        known = {small[name]: name for name in RESERVED_ATTRIBUTES if name in small}
        self.columns = {known.get(name, name): name for name in table.columns if name != called}

    def attributes(self, ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """What it says of some respondents, by attribute."""

        def cell(who: str, column: str) -> str:
            said = plain(self.rows[who][column]) if who in self.rows else ""
            return "" if said in _NOTHING else said

        names = self.columns.items()
        return {name: tuple(cell(who, column) for who in ids) for name, column in names}

    def joined(
        self, ids: Sequence[str], own: Mapping[str, Sequence[str]], settings: SurveySettings
    ) -> dict[str, tuple[str, ...]]:
        """What the file of answers says of its respondents, with what the list says.

        Where both say whether somebody passed or finished, the worse of the two holds: a platform
        calls complete a person that a panel has rejected.

        Args:
            ids: The respondents.
            own: By attribute what the file says of each.
            settings: With the words of `survey.quality`.

        Raises:
            CurateError: If the list says something else of somebody.
        """
        found = {name: tuple(cells) for name, cells in own.items()}
        for name, beside in self.attributes(ids).items():
            both = zip(ids, found.get(name, ("",) * len(ids)), beside, strict=True)
            found[name] = tuple(_one(self._answers, name, each, settings) for each in both)
        return found

    def left_out(self) -> dict[str, str]:
        """The respondents that it leaves out, and why."""
        found: dict[str, str] = {}
        for column, values in self.part.keep.items() if self.part else ():
            for who in (who for who in self._ids if who in self.rows):
                if (cell := plain(self.rows[who][column])) not in map(plain, values):
                    where = f"row {self.rows[who].number} of {self.path.name}"
                    found.setdefault(who, f"{where}: {column} is '{cell}'")
        return {who: found[who] for who in dict.fromkeys(self._ids) if who in found}

    def findings(self, culture: Culture) -> list[Finding]:
        """Find what it says that nothing goes by.

        Args:
            culture: Says which attributes are gone by.

        Returns:
            Findings on respondents that the answers lack, respondents that it says nothing of, and
            columns that are not used; none where there is no such file.

        Raises:
            CurateError: If none of its ids is a respondent's, or a column seems to be one that
                quality checks go by, under another name.
        """
        if self.part is None and not self.path.exists():
            return []
        listed, known = list(self.rows), set(self._ids)
        strangers = [name for name in listed if name not in known]
        if listed and len(strangers) == len(listed):
            told = {"ids": len(listed), "strangers": strangers, "answers": list(self._ids)}
            raise refusal("people-of-others", str(self.path), **told)
        columns = list(self.columns)
        _refuse_misnamed(self.path, columns)
        unknown, used = sorted(known - {*listed}), used_attributes(culture)
        unused = [name for name in columns if name not in used]
        found = (
            ("survey-respondents-unmatched", None, "respondent_id", strangers),
            ("survey-respondents-unknown", None, "respondent_id", unknown),
            ("survey-respondents-columns", 1, "".join(unused[:1]), unused),
        )
        return [
            tell(key, str(self.path), row, column, count=len(names), people=len(names), names=names)
            for key, row, column, names in found
            if names
        ]


def people_part(
    path: Path, ids: Collection[str], settings: SurveySettings
) -> RespondentsPart | None:
    """What a mapping says of `respondents.csv` beside a file of answers; None without one.

    Of a panel's list those count whose submission is not returned, rejected or timed out: a column
    says so whose name ends in 'status', other than that which quality checks go by.

    Args:
        path: The file of answers.
        ids: Its respondents.
        settings: With the words of `survey.quality`.

    Raises:
        CurateError: If the list cannot be read.
    """
    beside = path.with_name(RESPONDENTS)
    if not beside.exists():
        return None
    table = read_table(beside)
    refuse_problems(table)
    keep = {}
    for name in table.columns:
        if name != "status" and compared(name).endswith("status"):
            words = dict.fromkeys(plain(row[name]) for row in table.rows)
            meant = {word: quality_value("status", word, settings) for word in words}
            if not {"partial", "screened_out"}.isdisjoint(meant.values()):
                out = ("partial", "screened_out")
                keep[name] = tuple(word for word, says in meant.items() if says not in out)
    return RespondentsPart(id=id_column(table, set(ids)), keep=keep)


def _one(path: Path, name: str, said: tuple[str, str, str], settings: SurveySettings) -> str:
    """What holds of one respondent, by what a file of answers and what the other file says."""
    who, own, beside = said
    if not (own and beside) or compared(own) == compared(beside):
        return own or beside
    if name in QUALITY_VALUES:
        order = ("", *QUALITY_VALUES[name], None)  # a word that is not known is refused later
        return max((own, beside), key=lambda word: order.index(quality_value(name, word, settings)))
    where = f"{path.with_name(RESPONDENTS)}, column {name}"
    told = {"name": name, "who": who, "own": own, "beside": beside}
    raise refusal("people-contradict", where, answers=path.name, **told)


def _read(answers: Answers, name: str, settings: SurveySettings) -> tuple[str, ...]:
    cells = answers.attributes[name]
    meant = {cell: quality_value(name, cell, settings) for cell in dict.fromkeys(cells)}
    strange = [cell for cell in cells if meant[cell] is None]
    if strange:
        known = QUALITY_VALUES[name]
        told = {"name": name, "people": len(strange), "cells": _counted(strange)}
        raise refusal("people-words", _place(answers, name), known=known, last=known[-1], **told)
    return tuple(meant[cell] or "" for cell in cells)


def seconds_of(word: str) -> float:
    """The seconds that a word says; NaN where it says none."""
    try:
        seconds = float(word or "nan")
    except ValueError:
        return float("nan")
    return seconds if 0 <= seconds < float("inf") else float("nan")


def _place(answers: Answers, column: str) -> str:
    return f"{answers.source}, or {RESPONDENTS} beside it, column {column}"


def _counted(cells: Iterable[str]) -> list[str]:
    """Cells by how often they occur."""
    return [f"'{cell}' ({count})" for cell, count in Counter(cells).items()]


def used_attributes(culture: Culture) -> set[str]:
    """The attributes that quality checks, quotas or weights go by."""
    quotas = culture.questionnaire.quotas
    return {*RESERVED_ATTRIBUTES, *quotas, *culture.survey.margins, "gender", "age_band"}


_FEW = 3
"""Fewer may well have failed a check, or broken off, all of them."""


def check_people(answers: Answers, *, checked: bool = False) -> list[Finding]:
    """Find respondents that an attention check says nothing of, and ids that may be one person's.

    Args:
        answers: Answers of a file, as they were read.
        checked: Whether there was a check, and who fails it is excluded.
    """
    found = []
    attention = answers.attributes.get("attention") or ("",) * len(answers.respondents)
    silent = sum(not cell.strip() for cell in attention)
    if silent and (checked or silent < len(attention)):
        told = {"silent": silent, "all": len(attention)}
        found.append(tell("survey-attention-empty", answers.source, None, "attention", **told))
    for name, value in (("attention", "failed"), ("status", "partial")):
        said = [*filter(None, map(str.strip, answers.attributes.get(name, ())))]
        if len(said) >= _FEW and {*said} == {value}:
            found.append(tell(f"survey-all-{value}", answers.source, None, name, count=len(said)))
    small = Counter(name.casefold() for name in answers.respondents)
    if len(small) < len(answers.respondents):
        pairs = sorted(name for name in answers.respondents if small[name.casefold()] > 1)
        key = "survey-respondents-alike"
        found.append(
            tell(key, answers.source, None, "respondent_id", count=len(pairs), names=tuple(pairs))
        )
    return found


def _refuse_misnamed(path: Path, columns: Sequence[str]) -> None:
    """Refuse a column that would be gone by if it had the name for that."""
    checks = re.compile("|".join(received_words("attention")), re.IGNORECASE)
    names = {compared(name): name for name in RESERVED_ATTRIBUTES}
    for column in columns:
        meant = names.get(compared(column), "attention" if checks.search(column) else "")
        if meant and meant not in columns:
            where = f"{path}, row 1, column {column}"
            raise refusal("people-column", where, column=column, meant=meant)
