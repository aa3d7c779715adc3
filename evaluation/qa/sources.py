"""`templates.csv` of scores: which template of a published set each template comes from.

Benchmarks are compared template by template where they come from the same source. A number means
something within its own set alone, so that the set is kept with it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from curation.files.culture import load_culture
from curation.files.tables import read_table, refuse_problems
from curation.files.workspace import Workspace
from curation.records.sample import Sample
from evaluation.qa.score import Row

TEMPLATES = "templates.csv"
"""The file's name in a folder of scores."""
TEMPLATE_COLUMNS = (
    *("template_id", "category", "label", "source", "source_category", "source_id"),
)
"""The columns: a row for each template and each template of a set that it comes from."""
BBQ = "bbq"
_NUMBERED_AS_BBQ = frozenset({BBQ, "kobbq", "esbbq"})
"""Sources, as banks name them, whose templates carry the numbers of BBQ's."""
_SHARED = {"bharatbbq": frozenset({"age"})}
"""Sets with numbers of their own, by their categories that are numbered as BBQ's."""
_LABELS = {"t": "ST", "m": "TM", "n": "NC"}
"""EsBBQ's labels, in KoBBQ's words."""
_BANK = Path("templates_src") / "bank.csv"
_NO_SOURCE = "n/a"
OWN = "own: "
"""Before the name of a culture, in which templates that come from no set are their own source."""


@dataclass(frozen=True, slots=True, order=True)
class Source:
    """A template of a published set.

    Attributes:
        set: The set; empty where it is not known.
        category: Its category, without the case and blanks in which sets differ.
        number: Its number, without the letter of a version.
    """

    set: str
    category: str
    number: str


@dataclass(slots=True)
class Origins:
    """Collects the sources of templates during an iteration over samples."""

    _found: dict[str, dict[tuple[str, str, str, str], None]] = field(default_factory=dict)

    def through(self, samples: Iterable[Sample]) -> Iterator[Sample]:
        """Yield the samples, each once its source is noted."""
        for item in samples:
            told = (item.category, item.label, item.source_category, item.source_id)
            self._found.setdefault(item.template_id, {}).setdefault(told)
            yield item

    def rows(self, layout: str, named: Mapping[str, str]) -> Iterator[Row]:
        """Yield the rows of `templates.csv`.

        Args:
            layout: Of the samples, as `curation.sources.published_samples` names it.
            named: By template the set that it comes from, as a bank says.
        """
        for template, told in self._found.items():
            for category, label, source_category, number in told:
                there = bool(number) and number.casefold() != _NO_SOURCE
                given = named.get(template, "")
                if given.startswith(OWN):
                    if not there:
                        yield _own(template, category, label, given)
                        continue
                    given = ""
                source = _set_of(layout, given, source_category) if there else ""
                yield {
                    "template_id": template,
                    "category": category,
                    "label": _LABELS.get(label, label),
                    "source": source,
                    "source_category": source_category if there else "",
                    "source_id": _plain(number) if there else "",
                }


def _own(template: str, category: str, label: str, culture: str) -> Row:
    """The row of a template that was newly created: it is its own source."""
    return {
        "template_id": template,
        "category": category,
        "label": _LABELS.get(label, label),
        "source": culture,
        "source_category": category,
        "source_id": template.rpartition("-")[2],
    }


def _set_of(layout: str, named: str, category: str) -> str:
    """The set whose templates a number of a file of samples counts."""
    if layout == "esbbq":
        return layout  # its instances have numbers of their own, unlike its templates
    return set_of(named if layout == "ours" else layout, category)


def set_of(source: str, category: str) -> str:
    """The set whose templates are numbered by what a bank says of a source.

    Args:
        source: The bank's `source`.
        category: Its `source_category`.
    """
    if source in _NUMBERED_AS_BBQ or folded(category) in _SHARED.get(source, ()):
        return BBQ
    return source


@lru_cache(maxsize=4096)
def folded(text: str) -> str:
    """A category without the case and blanks in which sets differ."""
    return re.sub(r"[\W_]+", "", text.casefold())


@lru_cache(maxsize=65536)
def _plain(number: str) -> str:
    """A number as BBQ's samples have it: `1.0` is 1, and `19b` belongs to 19."""
    found = re.fullmatch(r"0*([0-9]+)(?:\.0)?[a-z]?", number.strip())
    return found.group(1) if found else number.strip()


def source_of(source: str, category: str, number: str) -> Source | None:
    """The source that a row of `templates.csv`, or of a bank, names; None where it names none."""
    if not number.strip() or number.strip().casefold() == _NO_SOURCE:
        return None
    return Source(source, folded(category), _plain(number))


def sets_named_by_bank(workspace: Workspace, samples: Path | None) -> dict[str, str]:
    """By template the set that it comes from, as the bank says that samples were made from.

    Args:
        workspace: The workspace, whose bank it is where no samples are named.
        samples: The file of samples; the bank is that of the workspace or package that it is in.

    Returns:
        Nothing where there is no bank. A template that was newly created comes from the culture
        itself, where culture.yaml beside the bank names it.

    Raises:
        CurateError: If the bank or the settings cannot be read.
    """
    above = list(samples.resolve().parents)[:4] if samples else [workspace.root]
    places = [folder / inner for folder in above for inner in ("", "workspace")]
    bank = next((place / _BANK for place in places if (place / _BANK).exists()), None)
    if bank is None:
        return {}
    table = read_table(bank, required=("template_id",))
    refuse_problems(table)
    settings = bank.parent.parent / "culture.yaml"
    own = f"{OWN}{load_culture(settings).culture}" if settings.exists() else ""
    return {row["template_id"]: row.get("source").strip() or own for row in table.rows}
