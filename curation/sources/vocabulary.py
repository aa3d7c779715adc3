"""The words and proper names from which a set draws people, in files beside its templates.

Which columns say what is `vocabulary` in the mapping of the set (`curation/sources/templates`).
"""

from collections.abc import Iterable
from typing import NamedTuple

from curation.files.tables import Row, Table, read_flag
from curation.records.messages import Finding, Severity
from curation.slots.grammar import Filler
from curation.sources.imported import TemplateFormat, cell_error

WITH_ARTICLE = "def"
"""The named form of a filler with its definite article."""


class Word(NamedTuple):
    """A word for people.

    Attributes:
        category: Its category.
        subcategory: Its subcategory.
        name: The word.
        info: The group that it names, or what the vocabulary says of it.
        filler: What stands in a text.
        feminine: What stands in a text of women.
        included: Whether it is used.
    """

    category: str
    subcategory: str
    name: str
    info: str
    filler: Filler
    feminine: Filler
    included: bool


class ProperName(NamedTuple):
    """A first or last name; `place` is `first`, `last` or `first_only`, if the set says it."""

    name: str
    filler: Filler
    place: str
    gender: str
    ethnicity: str


class Vocabulary:
    """What vocabularies hold.

    Args:
        form: The set.
        tables: Its files.

    Attributes:
        words: The words of all of them; none where no table is a vocabulary of words.
        findings: Rows that cannot be read, and words that are left out.
        templates: The tables that are no vocabularies.
    """

    def __init__(self, form: TemplateFormat, tables: Iterable[Table]) -> None:
        self._columns = form.vocabulary
        self.findings: list[Finding] = []
        self.templates: list[Table] = []
        words: dict[Word, None] = {}
        names: dict[ProperName, None] = {}
        for table in tables:
            kind = form.vocabulary_in(table.columns)
            if not kind:
                self.templates.append(table)
                continue
            self.findings += table.problems
            if kind == "names":
                names |= dict.fromkeys(self._name(row) for row in table.rows if self._is_used(row))
                continue
            found = [self._word(row) for row in table.rows if self._is_used(row, "words")]
            words |= dict.fromkeys(found)
            self._left_out(table, [word for word in found if not word.included])
        self.words, self._names = (*words,), (*names,)

    def _said(self, row: Row, kind: str) -> dict[str, str]:
        return {key: row.get(name).strip() for key, name in self._columns[kind].items()}

    def _is_used(self, row: Row, kind: str = "names") -> bool:
        return self._said(row, kind)["name"] not in ("", "-")

    def _word(self, row: Row) -> Word:
        said = self._said(row, "words")
        name, feminine = said["name"], said.get("feminine", "")
        own = _with_article(name, said.get("with_article", ""))
        included = flag(said["included"], default=True)
        woman = _with_article(feminine, said.get("feminine_with_article", "")) if feminine else own
        of = said["category"], said["subcategory"]
        return Word(*of, name, said["info"], own, woman, included)

    def _name(self, row: Row) -> ProperName:
        said = self._said(row, "names")
        filler = _with_article(said["name"], said.get("with_article", ""))
        place = said.get("place", "").casefold()
        return ProperName(said["name"], filler, place, said["gender"], said["ethnicity"])

    def _left_out(self, table: Table, words: Iterable[Word]) -> None:
        column = self._columns["words"]["included"]
        if told := ", ".join(f"{word.name} ({word.category})" for word in words):
            what = f"{column} is No for {told}: no template draws them"
            place = table.file, None, column
            hint = "empty the cell to have them drawn"
            rule = "source-vocabulary-left-out"
            self.findings.append(Finding(rule, Severity.INFO, *place, what, hint))

    def names(self, asked: str) -> tuple[ProperName, ...]:
        """The proper names.

        Args:
            asked: The column that asks for them.

        Raises:
            CellError: If there are none.
        """
        if not self._names:
            raise cell_error("no-proper-names", asked)
        return self._names


def flag(cell: str, *, default: bool) -> bool:
    """Whether a cell says yes, as any text does that is no plain no; the default where empty."""
    try:
        return read_flag(cell, default=default)
    except ValueError:
        return True


def _with_article(name: str, form: str) -> Filler:
    return Filler(name, features=((WITH_ARTICLE, form),) if form else ())
