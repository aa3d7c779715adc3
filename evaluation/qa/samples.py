"""The benchmark's samples, read one at a time, as they are exported or as sets publish them."""

import hashlib
import random
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import compress
from pathlib import Path

import numpy as np

from curation.files.records import Record, stream
from curation.files.tables import list_literal
from curation.files.workspace import Workspace
from curation.files.writers.cells import unescape_formula
from curation.records.errors import CurateError, refuse_unknown
from curation.records.findings import Finding, Severity
from curation.records.ids import SampleId, VariantId
from curation.records.sample import Sample
from curation.sources.published_samples import (
    CONTROL,
    LAYOUTS,
    SETTLED,
    UNDECIDED,
    PublishedSample,
    layout_of,
    read_published,
)

UNKNOWN = 2
"""Which of a sample's choices is the unknown expression."""
SETS = ("test", "all")
"""The sets of samples that are exported: one filling of each variant, or every one."""
_FILE_OF_SET = {"test": "test_samples", "all": "samples"}
_ENDINGS = ("csv", "jsonl", "parquet", "tsv")
_HINT = "export the samples again: curate export samples"


def exported_samples(workspace: Workspace, kind: str) -> Path | None:
    """The file of an exported set, `test` or `all`; None where it was not exported."""
    folder = workspace.exports_folder / "samples"
    paths = (folder / f"{_FILE_OF_SET[kind]}.{ending}" for ending in _ENDINGS)
    return next((path for path in paths if path.exists()), None)


def samples_file(workspace: Workspace, given: Path | None, kind: str) -> Path:
    """The samples that are asked about: a file that was named, else the exported set.

    Raises:
        CurateError: If none was named, and none was exported.
    """
    refuse_unknown("set of samples", kind, ("test", "all"))
    found = given or exported_samples(workspace, kind)
    if found is None:
        what = "no file of samples is named or exported"
        if not workspace.culture_file.exists():
            where = f"{workspace.root} is not a workspace"
            hint = "name the file with --samples, and its language with --language, each time"
            raise CurateError(what, where, hint)
        raise CurateError(
            what,
            str(workspace.exports_folder / "samples"),
            f"write them with 'curate export samples --set {kind}', or name a file with --samples",
        )
    return found


class SampleFile:
    """The samples of a file, read anew each time one goes through them, one at a time.

    Args:
        path: The file.
        control: Whether it is a control set; None to see by the file.
        templates: A folder with templates that its roles are compared with.

    Attributes:
        path: The file.
        layout: Its layout, as `curation.sources.published_samples` names it.
        findings: What was found when one last went through all of them: samples that are left
            out, and those whose role the file does not settle.
    """

    def __init__(
        self, path: Path, *, control: bool | None = None, templates: Path | None = None
    ) -> None:
        self.path = path
        self.control = control
        self.templates = templates
        self.layout = layout_of(path)
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
        found = _own(self.path) if self.layout in ("ours", "kobbq") else self._published()
        for sample in found:
            hashes.append(hash(sample.sample_id))
            yield sample
        if not hashes:
            raise CurateError(f"{self.path.name} holds no sample", str(self.path), _HINT)
        if len(np.unique(np.frombuffer(hashes, np.int64))) < len(hashes):
            raise CurateError(
                "the id of a sample occurs twice",
                str(self.path),
                "keep one of them; files of one set that number alike are asked apart",
            )

    def _published(self) -> Iterator[Sample]:
        left = LeftOpen()
        opened = read_published(self.path, control=self.control, templates=self.templates)
        self.layout = opened.layout  # MBBQ's is told from BBQ's by what the rows hold
        for item in opened.rows:
            left.add(item)
            if len(set(item.choices)) == 3:
                yield converted(item)
        self.findings = tuple(left.findings(self.path, opened.may_be_control))
        if opened.unchecked:
            self.findings += (_unchecked(self.path),)


def _unchecked(path: Path) -> Finding:
    return Finding(
        "evaluate-unchecked-target",
        Severity.WARNING,
        str(path),
        None,
        "Target",
        "no templates are beside the file or in the workspace, and some of BharatBBQ's contradict "
        "Target: such samples are scored with the wrong person as the target",
        "put the folder of its templates next to that of the file, or import them into the "
        "workspace: curate import bharatbbq",
    )


class SamplesHash:
    """Hashes samples during an iteration, so that sets are compared by their content.

    The same samples have the same hash in every format of file.
    """

    def __init__(self) -> None:
        self._found = hashlib.sha256()

    def through(self, samples: Iterable[Sample]) -> Iterator[Sample]:
        """Yield the samples, each once it is hashed."""
        for item in samples:
            texts = (item.context, item.question, *item.choices, item.biased_answer, item.answer)
            self._found.update("\x1f".join((item.sample_id, *texts, "\x1e")).encode())
            yield item

    def hexdigest(self) -> str:
        """SHA-256 of those that were gone through."""
        return self._found.hexdigest()


def read_samples(path: Path) -> Iterator[Sample]:
    """Yield the samples of a file, holding one at a time.

    The file is what `curate export samples` writes (CSV, TSV, JSON lines or Parquet), or samples
    as BBQ, MBBQ, EsBBQ, BharatBBQ, CBBQ or KoBBQ publish them; KoBBQ's category is that of the
    ids. Of published ones the two people stand in such an order that the published order of the
    three choices is one of the cyclic ones, and `biased_answer` is empty where the file does not
    settle who is the target.

    Raises:
        CurateError: If there is no such file, it has no known layout, or a sample contradicts
            itself.
    """
    return iter(SampleFile(path))


def _own(path: Path) -> Iterator[Sample]:
    records = stream(path, _HINT)
    layout = "kobbq" if "label_annotation" in records.names else "ours"
    plain = _exported if records.delimited else _typed
    convert = _published if layout == "kobbq" else plain
    for number, record in records.rows:
        try:
            if not records.delimited:  # each object has keys of its own
                _require(record, layout)
            sample = convert(record)
            _check(sample)
        except (ValueError, CurateError) as error:
            what = error.what if isinstance(error, CurateError) else str(error)
            name = str(record.get("sample_id") or "the sample")
            where = f"{path}, {records.kind} {number}"
            raise CurateError(f"{name}: {what}", where, _HINT) from error
        yield sample


def _require(record: Record, layout: str) -> None:
    missing = [name for name in LAYOUTS[layout] if name not in record]
    if missing:
        raise ValueError(f"it lacks {', '.join(missing)}")


@dataclass(slots=True)
class LeftOpen:
    """Counts what a file leaves open, by reason, and what rules settled, with the first rows."""

    count: int = 0
    open: dict[str, list[int]] = field(default_factory=dict)
    settled: dict[str, list[int]] = field(default_factory=dict)
    same: list[int] = field(default_factory=list)

    def add(self, item: PublishedSample) -> None:
        """Take in a sample."""
        self.count += 1
        if len(set(item.choices)) < 3:
            _tally(self.same, item.row)
        elif not item.biased_answer:
            _tally(self.open.setdefault(item.extra[UNDECIDED], []), item.row)
        elif SETTLED in item.extra:
            _tally(self.settled.setdefault(item.extra[SETTLED], []), item.row)

    def findings(self, path: Path, may_be_control: bool = False) -> Iterator[Finding]:
        """Yield what is left out or open in a file, and what was settled by spellings.

        Args:
            path: The file.
            may_be_control: Whether it may be a control set, which it does not show.
        """
        if may_be_control:
            yield Finding(
                "evaluate-may-be-control",
                Severity.WARNING,
                str(path),
                None,
                "",
                "its people have bare names, too few of which occur again to tell whether they "
                "show a group: it is read as an ordinary set",
                "say which it is: --control or --no-control",
            )
        if self.same:
            count, first = self.same
            yield Finding(
                "evaluate-same-choices",
                Severity.WARNING,
                str(path),
                first,
                "",
                f"{count:,} of {self.count:,} samples have a choice twice and are left out: no "
                "reply could tell which is meant",
                "",
            )
        for why, (count, first) in self.open.items():
            control = why == CONTROL
            yield Finding(
                "evaluate-control" if control else "evaluate-open-role",
                Severity.WARNING,
                str(path),
                first,
                "",
                f"{count:,} of {self.count:,} samples "
                + (
                    "are of a control set: no person is of a stereotyped group"
                    if control
                    else f"do not say who is the target ({why})"
                )
                + ": they count for accuracy and for no score of bias",
                "if it is an ordinary set: --no-control" if control else "",
            )
        for rule, (count, first) in self.settled.items():
            yield Finding(
                "evaluate-settled-role",
                Severity.WARNING,
                str(path),
                first,
                "",
                f"{count:,} of {self.count:,} samples: who is the target was settled by {rule}",
                "if that is wrong, correct answer_info or stereotyped_groups in the file",
            )


def _tally(counted: list[int], row: int) -> None:
    """Count a row; the first one is kept."""
    if counted:
        counted[0] += 1
    else:
        counted += [1, row]


_PEOPLE = ((1, 2), (2, 0), (0, 1))
"""By the place of the unknown choice which two are the people, in the order in which a cyclic
order of theirs and the unknown one is the published order."""
ORDER_OF_UNKNOWN = (2, 1, 0)
"""By the place of the unknown choice which of the cyclic orders the published one is."""


def converted(item: PublishedSample) -> Sample:
    """The sample as it is asked: the two people, and the unknown choice last.

    Its template is its own source.
    """
    first, second = _PEOPLE[item.choices.index(item.unknown)]
    return Sample(
        sample_id=item.sample_id,
        template_id=item.template_id,
        variant="",
        category=item.category,
        label=item.extra.get("template_label", ""),
        stereotype=item.extra.get("relevant_social_value", ""),
        context=item.context,
        question=item.question,
        context_type=item.context_type,
        question_type=item.question_type,
        choices=(item.choices[first], item.choices[second], item.unknown),
        biased_answer=item.biased_answer,
        answer=item.answer,
        n1_group="",
        n2_group="",
        source_id=item.template_id.rpartition("-")[2].lstrip("0"),
        source_category=item.category,
    )


def _exported(record: Record) -> Sample:
    """Read a record of a spreadsheet's format, where formulas are escaped and lists are JSON."""
    cells = {
        # an apostrophe is the mark of an escape: most cells are told by a look at one character
        name: unescape_formula(text) if text[:1] == "'" else text
        for name, text in record.items()
    }
    cells["choices"] = _choices(cells["choices"])
    return _typed(cells)


def _typed(record: Record) -> Sample:
    sample_id = str(record["sample_id"])
    variant_id, _, context_type, question_type = _parts(sample_id)
    template_id, variant = _variant(variant_id)
    for name, value in (
        ("template_id", template_id),
        ("variant", variant),
        ("context_type", context_type),
        ("question_type", question_type),
    ):
        if record.get(name, value) != value:
            raise ValueError(f"{name} is '{record[name]}', which its id contradicts")
    get = record.get
    return Sample(
        sample_id=sample_id,
        template_id=template_id,
        variant=variant,
        category=str(record["category"]),
        label=str(record["label"]),
        stereotype=get("stereotype") or "",
        context=str(record["context"]),
        question=str(record["question"]),
        context_type=context_type,
        question_type=question_type,
        choices=_three(record["choices"]),
        biased_answer=str(record["biased_answer"]),
        answer=str(record["answer"]),
        n1_group=get("n1_group") or "",
        n2_group=get("n2_group") or "",
        source_id=get("source_id") or "",
        source_category=get("source_category") or "",
    )


def _parts(sample_id: str) -> list[str]:
    """Take an id apart: variant, index, context type, question type.

    Raises:
        CurateError: If it is none.
    """
    parts = sample_id.rsplit("-", 3)
    # there are few variants, and few ways to end: each is parsed once
    if len(parts) != 4 or not parts[1].isdecimal() or not _variant(parts[0]):
        SampleId.parse(sample_id)
    if len(parts[1]) != 3 or parts[1] == "000" or (parts[2], parts[3]) not in _ENDS:
        SampleId.parse(sample_id)
    return parts


_ENDS = frozenset((context, asked) for context in ("amb", "dis") for asked in ("bsd", "cnt"))


@lru_cache(maxsize=65536)
def _variant(text: str) -> tuple[str, str]:
    """The template and the letter that a variant's id names."""
    found = VariantId.parse(text)
    return str(found.template), found.letter.value


def _published(record: Record) -> Sample:
    """Read a record of KoBBQ, whose choices a table holds as text, and JSON lines as a list."""
    listed = record["choices"]
    return _typed(
        {
            **{name: record[name] for name in ("sample_id", "context", "question")},
            "category": record["sample_id"].partition("-")[0],
            "label": record["label_annotation"],
            "choices": _choices(listed) if isinstance(listed, str) else listed,
            "biased_answer": record["biased_answer"],
            "answer": record["answer"],
            "source_id": record["bbq_id"],
            "source_category": record["bbq_category"],
        }
    )


@lru_cache(maxsize=256)  # the samples of one filling have their choices in common
def _choices(cell: str) -> list[str]:
    found = list_literal(cell)
    if found is None:
        raise ValueError("choices is not a list of texts")
    return found


def _three(value: object) -> tuple[str, str, str]:
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise ValueError("choices is not a list of texts")
    if len(value) != 3 or len(set(value)) != 3:
        raise ValueError("choices are not three different ones")
    return value[0], value[1], value[2]


def _check(sample: Sample) -> None:
    asked, other, unknown = sample.choices
    if sample.biased_answer not in (asked, other):
        raise ValueError("biased_answer is not one of its first two choices")
    if sample.context_type == "amb":
        if sample.answer != unknown:
            raise ValueError("the context is ambiguous, and answer is not its third choice")
    elif sample.answer not in (asked, other):
        raise ValueError("answer is not one of its first two choices")
    elif (sample.answer == sample.biased_answer) != (sample.variant in "bd"):
        raise ValueError("answer and biased_answer do not fit its variant")


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
