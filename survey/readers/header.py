"""The names of the columns, from one header row or two."""

import difflib
import json
import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from curation.model.errors import CurateError
from survey.mapping import Preset

_BLANKS = re.compile(r"[\s\u00a0\u200b\ufeff]+")
_FORMULA_MARK = re.compile("'+[=+\\-@\t\r\n＝＋－＠]")
_NEAR = 3


@lru_cache(maxsize=1 << 16)
def plain(text: str) -> str:
    """Give a text for comparison: composed, with single blanks, without a formula's mark."""
    if _FORMULA_MARK.match(text):
        text = text[1:]
    return _BLANKS.sub(" ", unicodedata.normalize("NFC", text)).strip()


def without_trailing(heads: Sequence[Sequence[str]]) -> int:
    """Count the columns, without the one that only a delimiter at the end of every row makes."""
    width = len(heads[0])
    return width - 1 if width > 1 and not any(head[-1].strip() for head in heads) else width


def column_names(heads: Sequence[Sequence[str]], header: int, preset: Preset) -> list[str]:
    """Name the columns.

    Where the header has two rows for questions and their options, the names are
    `question [option]`, the question going on where its cell is empty.

    Args:
        heads: The header rows.
        header: Which of them names the columns, from 1.
        preset: The platform.
    """
    if preset == "surveymonkey" and len(heads) > 1:
        return _composed(heads[0], heads[1])
    return [_name(cell) for cell in heads[header - 1]]


def _composed(questions: Sequence[str], options: Sequence[str]) -> list[str]:
    names, going_on = [], ""
    for question, option in zip(questions, options, strict=True):
        going_on = plain(question) or going_on
        names.append(f"{going_on} [{plain(option)}]" if plain(option) else going_on)
    return names


def _name(cell: str) -> str:
    """Write a name one way; those that are JSON objects with sorted keys."""
    name = plain(cell)
    if not name.startswith("{"):
        return name
    try:
        return json.dumps(json.loads(name), ensure_ascii=False, sort_keys=True)
    except ValueError:
        return name


class Names:
    """Finds columns by the names that a mapping gives.

    The second of two columns of one name is called `name#2`.

    Args:
        names: The names of the columns.
        file: The file, as messages show it.
        row: The header row, as messages show it.
    """

    def __init__(self, names: Sequence[str], file: str, row: int = 1) -> None:
        self._file = file
        self._row = row
        self._at: dict[str, list[int]] = {}
        for at, name in enumerate(names):
            if name:
                self._at.setdefault(name, []).append(at)

    def __contains__(self, name: str) -> bool:
        return self._known(name) is not None

    def find(self, name: str, wanted_by: str) -> int:
        """Give the position of a column.

        Args:
            name: Its name.
            wanted_by: The key of the mapping that names it.

        Raises:
            CurateError: If there is no such column, or more than one.
        """
        found = self._known(name)
        if found is None:
            near = difflib.get_close_matches(_name(name), self._at, n=_NEAR, cutoff=0.5)
            listed = near or list(self._at)[:8]
            raise CurateError(
                f"{wanted_by}: the file has no column '{name}'",
                f"{self._file}, row {self._row}",
                f"{'near it are' if near else 'it begins with'} {', '.join(listed)}; mend the "
                "mapping, or make a draft with 'curate survey inspect'",
            )
        if len(found) > 1:
            raise CurateError(
                f"{wanted_by}: {len(found)} columns are named '{name}'",
                f"{self._file}, row {self._row}",
                f"say which: '{name}#1' to '{name}#{len(found)}'",
            )
        return found[0]

    def all(self, name: str) -> list[int]:
        """Give the positions of the columns of a name."""
        return self._known(name) or []

    def _known(self, name: str) -> list[int] | None:
        wanted = _name(name)
        if wanted in self._at:
            return self._at[wanted]
        stem, sign, number = wanted.rpartition("#")
        several = self._at.get(stem.rstrip(), [])
        if sign and number.isdecimal() and 1 <= int(number) <= len(several):
            return [several[int(number) - 1]]
        return None
