"""The benchmark of a workspace as all exports see it: its final bank and its samples."""

import hashlib
import itertools
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from curation.bank.planning import BANK, Plan, refuse_faults
from curation.bank.sample_set import SampleSet
from curation.checks.settings import refuse_placeholders
from curation.files.workspace import Workspace
from curation.files.writers import FORMATS
from curation.records.bank import ROLE_OPEN
from curation.records.culture import SampleDigest, SampleSettings
from curation.records.messages import Finding, Progress, has_errors, refusal, silent
from curation.records.sample import FILE_OF_SET, Sample
from curation.records.settings import overridden
from survey.bank import FinalBank, final_bank

SETS = tuple(FILE_OF_SET)
KOBBQ = "kobbq"
EXPORT_FORMATS = (*FORMATS, KOBBQ)
TEXTS = ("own", "machine", "control")
"""What samples are made of: the final bank, the machine's translation alone, or the final bank
with names in place of its groups."""

SMALLEST = 5
"""Fewer people who share a value are not told apart in what is published."""
_Value = TypeVar("_Value", bound=Hashable)


def joined(sizes: Mapping[_Value, int], k: int, already: int = 0) -> list[_Value]:
    """Values that fewer than `k` people share, and as many more as make them enough together.

    Args:
        sizes: By value how many share it; of equal ones the first joins first.
        k: How many are enough.
        already: How many people are told together anyway.
    """
    order = sorted(sizes, key=lambda value: sizes[value])
    few = [value for value in order if 0 < sizes[value] < k]
    rest = [value for value in order if sizes[value] >= k]
    while rest and 0 < already + sum(sizes[value] for value in few) < k:
        few.append(rest.pop(0))
    return few


_CELL, _ROW = "\x1f", "\x1e"
"""The unit and record separators of ASCII, which no text holds."""
DUPLICATES = "duplicates"
NOT_DRAWN = "samples_not_drawn"
LEFT_OUT = (DUPLICATES, NOT_DRAWN)
"""What counts call samples that are not written: again, and beyond the bounds."""
_KEPT_SAMPLES = 250_000  # some 200 MB; a larger benchmark is expanded each time it is written


@dataclass(frozen=True, slots=True)
class Edition:
    """The benchmark of a workspace as it is now.

    Attributes:
        workspace: The workspace.
        final: The final bank: what is retained, with the surveyed groups.
        settings: How samples are drawn.
        keeps: Whether samples are kept once they were made, for several exports of one edition.
        progress: Called with the progress of planning, writing and checking.
    """

    workspace: Workspace
    final: FinalBank
    settings: SampleSettings
    keeps: bool = False
    progress: Progress = field(default=silent, repr=False, compare=False)
    _kept: dict[int | None, list[Sample]] = field(default_factory=dict, repr=False, compare=False)
    _plans: dict[int | None, Plan] = field(default_factory=dict, repr=False, compare=False)

    @property
    def seed(self) -> int:
        """The seed of the test set."""
        return self.settings.seed

    def plan(self, seed: int | None = None) -> Plan:
        """Which samples there are: all or the subset, or with a seed those of the test set.

        Raises:
            CurateError: If groups or settings cannot be read.
        """
        if seed not in self._plans:
            templates = self.final.fillable
            found = SampleSet(self.workspace, templates, seed, self.settings)
            self._plans[seed] = found.plan(self.progress)
        return self._plans[seed]

    def samples(self, seed: int | None = None) -> Iterator[Sample]:
        """The samples: all of them or the subset, or with a seed those of the test set.

        Raises:
            CurateError: If templates cannot be filled, naming all of them.
        """
        if seed in self._kept:
            return iter(self._kept[seed])
        made = self._whole(seed).samples()
        if not self.keeps:
            return made
        first = list(itertools.islice(made, _KEPT_SAMPLES + 1))
        if len(first) <= _KEPT_SAMPLES:
            self._kept[seed] = first
        return itertools.chain(first, made)

    def count(self) -> dict[str, int]:
        """The number of samples of each category, counted without making them.

        Raises:
            CurateError: If templates cannot be filled, naming all of them.
        """
        return self._whole().count()

    def _whole(self, seed: int | None = None) -> Plan:
        plan = self.plan(seed)
        refuse_faults((*self.final.findings, *plan.faults))
        return plan

    def left_out(self) -> dict[str, int]:
        """How many samples are not written, by why; only what there is.

        With the samples that are written they are those of all fillings. A sample that was not
        drawn and repeats another counts as a duplicate.

        Raises:
            CurateError: If templates cannot be filled.
        """
        plan = self._whole()
        found = {DUPLICATES: plan.duplicates, NOT_DRAWN: plan.not_drawn}
        return {name: number for name, number in found.items() if number}

    def faults(self, seeds: Iterable[int | None] = (None,)) -> tuple[Finding, ...]:
        """The templates that cannot be filled, each with what is wrong, in the order of the bank.

        Args:
            seeds: Of the test sets that are written too.
        """
        found = [*self.final.findings]
        for seed in seeds:
            found += [item for item in self.plan(seed).faults if item not in found]
        return tuple(sorted(found, key=lambda item: item.row or 0))

    def refuse(self, seeds: Iterable[int | None] = (None,)) -> None:
        """Refuse, before anything is written, placeholders, what cannot be filled or is too large.

        Args:
            seeds: Of the sets that are written: None for all samples, or a test set's.

        Raises:
            CurateError: Naming every placeholder, or every template that cannot be filled; or with
                the number of samples, the largest templates and what to do.
        """
        seeds = tuple(seeds)
        refuse_placeholders(self.workspace, [item.id for item in self.final.templates])
        refuse_faults(self.faults(seeds))
        for seed in seeds:
            self.plan(seed).refuse_large()

    def refuse_empty(self, what: str) -> None:
        """Refuse to go on where no template gives samples.

        Args:
            what: What there is nothing to do of, such as `write`.

        Raises:
            CurateError: If there is none.
        """
        if not self.final.fillable:
            where, count = self.workspace.bank_file, len(self.final.outcomes)
            raise refusal(__package__, "samples-none", where, what=what, count=count)

    def digest(self) -> SampleDigest:
        """The numbers and the hashes of the samples, and of the test set.

        Raises:
            CurateError: If a template cannot be filled, or there are too many samples.
        """
        self.refuse((None, self.seed))
        count, found = digest(self.samples())
        drawn, of_test = digest(self.samples(self.seed))
        return SampleDigest(count, drawn, found, of_test, self.seed)


def open_edition(
    workspace: Workspace,
    progress: Progress = silent,
    *,
    keeps: bool = False,
    roles_open: bool = False,
    **drawing: int | None,
) -> Edition:
    """Give the edition of a workspace: its final bank, and how samples are drawn.

    Args:
        workspace: The workspace.
        progress: Called with the progress of planning, writing and checking.
        keeps: Whether samples are kept once they were made.
        roles_open: Whether templates of which it is open who the target is are passed over, and not
            refused.
        drawing: What is set otherwise: of `per_template`, `proper_names` and `seed`.

    Raises:
        CurateError: If a file cannot be read.
    """
    final = final_bank(workspace)
    if roles_open:
        final = replace(final, findings=tuple(x for x in final.findings if x.rule != ROLE_OPEN))
    settings = overridden(workspace.culture.samples, drawing)
    return Edition(workspace, final, settings, keeps, progress)


def unfillable(workspace: Workspace) -> tuple[Finding, ...]:
    """The retained templates that an export could not fill, each with what is wrong.

    There are none to tell of while the bank or the groups cannot be read.

    Raises:
        CurateError: If another file cannot be read.
    """
    unread = (*workspace.bank_and_findings[1], *workspace.groups_and_findings[1])
    if has_errors(unread):
        return ()
    edition, file = open_edition(workspace), workspace.shown(workspace.bank_file)
    found = edition.faults((edition.seed,))
    return tuple(replace(item, file=file if item.file == BANK else item.file) for item in found)


def left_out_words(counts: Mapping[str, int]) -> list[str]:
    """What is said of samples that were not written, a sentence for each reason.

    Args:
        counts: The counts of an export.
    """
    told = {
        DUPLICATES: "that repeat others of their template",
        NOT_DRAWN: "of fillings that were not drawn",
    }
    there = {name: words for name, words in told.items() if counts.get(name)}
    return [f"Left out: {counts[name]:,} samples {words}." for name, words in there.items()]


def digest(samples: Iterable[Sample]) -> tuple[int, str]:
    """Count and hash samples: the same ones have the same hash in whatever file they are.

    The hash is SHA-256 of the UTF-8 text of all cells in the order of the columns of
    `samples.csv`, the three choices one by one, each cell followed by U+001F and each sample by
    U+001E.

    Returns:
        How many samples there are, and the hash, hexadecimal.
    """
    found = hashlib.sha256()
    count = 0
    for sample in samples:
        count += 1
        found.update(_CELL.join((*sample[:10], *sample.choices, *sample[11:], _ROW)).encode())
    return count, found.hexdigest()
