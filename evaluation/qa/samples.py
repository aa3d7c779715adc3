"""The benchmark's samples, read one at a time, as they are exported or as sets publish them."""

import random
import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import compress
from pathlib import Path

import numpy as np

from curation.files.culture import load_culture
from curation.files.jsonl import ENDINGS
from curation.files.tables import read_table, refuse_problems
from curation.files.workspace import Workspace
from curation.records.messages import CurateError, Finding, finding, refusal, refuse_unknown
from curation.records.sample import FILE_OF_SET, Sample
from curation.sources.published_samples import PublishedSample, layout_of, read_published
from curation.sources.roles import CONTROL, Languages, folded
from curation.sources.sample_mapping import SampleMapping, read_mapping
from evaluation.folders import Row

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
Told = tuple[str, str, str, str]
"""Category, label, source category and source id of a sample."""
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


def template_rows(
    told: Mapping[str, Iterable[Told]], layout: str, named: Mapping[str, str]
) -> Iterator[Row]:
    """Yield the rows of `templates.csv`.

    Args:
        told: By template what its samples say that it comes from.
        layout: Of the samples, as `curation.sources.published_samples` names it.
        named: By template the set that it comes from, as a bank says.
    """
    for template, sources in told.items():
        given = named.get(template, "")
        for category, label, source_category, number in sources:
            source = "", "", ""
            if number and number.casefold() != _NO_SOURCE:
                set_ = layout  # EsBBQ's instances have numbers of their own, unlike its templates
                if layout != "esbbq":
                    told_by = "" if given.startswith(OWN) else given
                    set_ = set_of(told_by if layout == "ours" else layout, source_category)
                source = set_, source_category, _plain(number)
            elif given.startswith(OWN):  # newly created: it is its own source
                source = given, category, template.rpartition("-")[2]
            row = (template, category, _LABELS.get(label, label), *source)
            yield dict(zip(TEMPLATE_COLUMNS, row, strict=True))


def set_of(source: str, category: str) -> str:
    """The set whose templates are numbered by what a bank says of a source.

    Args:
        source: The bank's `source`.
        category: Its `source_category`.
    """
    if source in _NUMBERED_AS_BBQ or folded(category) in _SHARED.get(source, ()):
        return BBQ
    return source


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


UNKNOWN = 2
"""Which of a sample's choices is the unknown expression."""
_ENDINGS = ("csv", "jsonl", "parquet", "tsv")
_HINT = "correct the file, or export the samples again: curate export samples"


def exported_samples(workspace: Workspace, kind: str) -> Path | None:
    """The file of an exported set, `test` or `all`; None where it was not exported."""
    folder = workspace.exports_folder / "samples"
    paths = (folder / f"{FILE_OF_SET[kind]}.{ending}" for ending in _ENDINGS)
    return next((path for path in paths if path.exists()), None)


Named = Path | Sequence[Path] | None
"""How samples are named: a file or folder, several, or none."""


def sample_paths(given: object) -> tuple[Path, ...]:
    """The files of samples that are named; of a folder those that hold samples.

    Args:
        given: A file or folder, several of them, or what is neither: samples themselves, or None.

    Raises:
        CurateError: If a folder holds no samples.
    """
    several = [given] if isinstance(given, str | Path) else given
    if not isinstance(several, Sequence) or not all(isinstance(x, str | Path) for x in several):
        return ()
    return tuple(file for item in several for file in _files_of(Path(item)))


def _files_of(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = sorted(item for item in path.rglob("*") if item.suffix.lower() in ENDINGS)
    if not found:
        raise CurateError(f"{path.name} holds no file of samples", str(path), _HINT)
    return found


def samples_files(workspace: Workspace, given: object, kind: str) -> tuple[Path, ...]:
    """The samples that are asked about: files that were named, else the exported set.

    Raises:
        CurateError: If none was named, and none was exported.
    """
    refuse_unknown("set of samples", kind, FILE_OF_SET)
    found = sample_paths(given or exported_samples(workspace, kind))
    if not found:
        where = str(workspace.exports_folder / "samples")
        raise refusal("evaluation", "samples-none", where, kind=kind)
    return found


class SampleFile:
    """The samples of a file or several, read anew each time one goes through them, one at a time.

    Of published ones the two people stand in such an order that the published order of the three
    choices is one of the cyclic ones, and `biased_answer` is empty where the file does not settle
    who is the target.

    Args:
        paths: The files.
        mapping: Which columns say what, or the file that says it, where their layout is no known
            one.
        templates: A folder with templates that its roles are compared with.

    Attributes:
        paths: The files.
        layout: What the mapping of the first is called.
        findings: What was found when one last went through all of them: samples that are left
            out, and those whose role the file does not settle.
    """

    def __init__(
        self,
        *paths: Path,
        mapping: SampleMapping | Path | None = None,
        templates: Path | None = None,
    ) -> None:
        self.paths = sample_paths(paths)
        self.mapping = read_mapping(mapping) if isinstance(mapping, Path) else mapping
        self.templates = templates
        self.layout = self.mapping.name if self.mapping else layout_of(self.paths[0])
        self.findings: tuple[Finding, ...] = ()

    def __iter__(self) -> Iterator[Sample]:
        """The samples.

        Raises:
            CurateError: If a sample cannot be read, or contradicts itself: choices that are not
                three different ones with both answers among them, an answer that does not go
                with its context or its id. After the last one: if an id occurs twice.
        """
        self.findings = ()
        hashes = array("q")  # numbers: there may be a million samples
        for path in self.paths:
            before = len(hashes)
            for sample in self._of(path):
                hashes.append(hash(sample.sample_id))
                yield sample
            if len(hashes) == before:
                raise CurateError(f"{path.name} holds no sample", str(path), _HINT)
        if len(np.unique(np.frombuffer(hashes, np.int64))) < len(hashes):
            raise refusal("evaluation", "sample-twice", ", ".join(map(str, self.paths)))

    def _of(self, path: Path) -> Iterator[Sample]:
        left = LeftOpen()
        opened = read_published(path, mapping=self.mapping, templates=self.templates)
        for item in opened.rows:
            if item.variant:
                _check(item, path)
            left.add(item)
            if len(set(item.choices)) == 3:
                yield converted(item)
        self.findings += tuple(left.findings(path, opened.may_be_control))
        if opened.unchecked:
            unchecked = finding("evaluation", "evaluate-unchecked-target", str(path))
            self.findings += (unchecked,)


_LEFT_OPEN = {"same-choices": 0, "control": 1, "open-role": 1, "settled-role": 2}
"""What a file leaves open, in the order in which it is said."""


@dataclass(slots=True)
class LeftOpen:
    """Counts what a file leaves open and what rules settled, by what it is and why.

    Attributes:
        count: How many samples there are.
        counted: How many are so, and the first row.
        languages: The languages of their texts.
    """

    count: int = 0
    counted: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    languages: Languages = field(default_factory=Languages)

    def add(self, item: PublishedSample) -> None:
        """Take in a sample."""
        self.count += 1
        self.languages.add(item.row, (item.context, item.question), item.unknown)
        if len(set(item.choices)) < 3:
            key = "same-choices", ""
        elif not item.biased_answer:
            key = "control" if item.undecided == CONTROL else "open-role", item.undecided
        elif item.settled_by:
            key = "settled-role", item.settled_by
        else:
            return
        self.counted.setdefault(key, [0, item.row])[0] += 1

    def findings(self, path: Path, may_be_control: bool = False) -> Iterator[Finding]:
        """Yield what is left out or open in a file, and what was settled by spellings.

        Args:
            path: The file.
            may_be_control: Whether it may be a control set, which it does not show.
        """
        told: list[tuple[str, str, Sequence[int | None]]] = []
        if may_be_control:
            told.append(("may-be-control", "", (0, None)))
        if several := self.languages.several():
            told.append(("several-languages", several, (0, None)))
        ordered = sorted(self.counted.items(), key=lambda item: _LEFT_OPEN[item[0][0]])
        for rule, why, (count, row) in (*told, *((*key, counted) for key, counted in ordered)):
            key, every = f"evaluate-{rule}", self.count
            found = finding("evaluation", key, str(path), count=count, every=every, why=why)
            yield replace(found, row=row)


_PEOPLE = ((1, 2), (2, 0), (0, 1))
"""By the place of the unknown choice which two are the people, in the order in which a cyclic
order of theirs and the unknown one is the published order."""


def converted(item: PublishedSample) -> Sample:
    """The sample as it is asked: the two people, and the unknown choice last.

    Without another source its template is its own.
    """
    first, second = _PEOPLE[item.choices.index(item.unknown)]
    also = item.also.get
    return Sample(
        item.sample_id,
        item.template_id,
        item.variant,
        item.category,
        also("label", ""),
        also("stereotype", ""),
        item.context,
        item.question,
        item.context_type,
        item.question_type,
        (item.choices[first], item.choices[second], item.unknown),
        item.biased_answer,
        item.answer,
        also("n1_group", ""),
        also("n2_group", ""),
        also("source_id", "") if item.variant else item.template_id.rpartition("-")[2].lstrip("0"),
        also("source_category", "") if item.variant else item.category,
    )


def _check(item: PublishedSample, path: Path) -> None:
    """Refuse a sample that contradicts the variant that its id names."""
    asked, other, unknown = item.choices
    what = ""
    if len({asked, other, unknown}) != 3:
        what = "choices are not three different ones"
    elif item.biased_answer not in (asked, other):
        what = "biased_answer is not one of its first two choices"
    elif item.context_type == "amb":
        if item.answer != unknown:
            what = "the context is ambiguous, and answer is not its third choice"
    elif item.answer not in (asked, other):
        what = "answer is not one of its first two choices"
    elif (item.answer == item.biased_answer) != (item.variant in "bd"):
        what = "answer and biased_answer do not fit its variant"
    if what:
        raise CurateError(f"{item.sample_id}: {what}", f"{path}, row {item.row}", _HINT)


def drawn(samples: Iterable[Sample], count: int, limit: int, seed: int) -> Iterator[Sample]:
    """Yield a seeded draw of samples, in their order.

    Args:
        samples: All of them.
        count: How many they are.
        limit: How many to draw.
        seed: The seed of the draw.
    """
    if limit >= count:
        return iter(samples)
    kept = bytearray(count)
    for at in random.Random(seed).sample(range(count), limit):  # noqa: S311  # a seeded draw
        kept[at] = 1
    return compress(samples, kept)
