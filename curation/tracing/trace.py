"""From a file of published samples to the templates and fillings that give them."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curation.bank.generate import prepare
from curation.files.workspace import Workspace
from curation.languages import LanguageOrCode
from curation.records.bank import ANSWER_FIELDS, FILLED_FIELDS, ORIGIN, SampleId, Template, Variant
from curation.records.messages import CurateError, frame, refusal
from curation.sources.published_samples import PublishedSample, read_published
from curation.sources.roles import folded
from curation.sources.sample_mapping import read_mapping
from curation.tracing import search

if TYPE_CHECKING:
    import pandas as pd

Progress = Callable[[int, int], None]
"""Is told how many rows are done, and of how many."""
_NUMBERED_ANEW = frozenset({"ours", "kobbq", "esbbq"})
"""Layouts that number their templates themselves; the others have the numbers of the source."""


@dataclass(frozen=True, slots=True)
class TracedSample:
    """The template and filling of one row of a samples file.

    Attributes:
        row: Its row, line or record in the file.
        sample_id: Its id in the file.
        context: Its context.
        question: Its question.
        found: Whether a template gives it.
        exact: Whether the texts are identical, except for white space, letters with marks apart,
            the order of the choices and the unknown choice.
        template_id: The template that gives it, or else the nearest one; empty if none is similar.
        variant: Its variant, with the version where there are several: `a` or `a.f`.
        index: The number of the filling, from 1; None if no template gives it.
        our_id: The id of the same sample in the workspace; empty if no template gives it, or if the
            wording is that of the source and the culture's lists differ.
        context_type: `amb` or `dis`.
        question_type: `bsd` or `cnt`.
        fillers: Each slot with its filler.
        free: Slots that do not occur in its texts, so that their filler is unknown.
        wording: `own`, or `source` if it is the wording of the source language.
        same_answer: Whether its answer agrees with the template; None if no template gives it.
        same_bias: Whether its biased answer agrees with the template; None if one of the two
            leaves it open, or no template gives the sample.
        others: Other variants that give it too.
        differences: Where it differs from what the template gives.
    """

    row: int
    sample_id: str
    context: str
    question: str
    found: bool = False
    exact: bool = False
    template_id: str = ""
    variant: str = ""
    index: int | None = None
    our_id: str = ""
    context_type: str = ""
    question_type: str = ""
    fillers: tuple[tuple[str, str], ...] = ()
    free: tuple[str, ...] = ()
    wording: str = "own"
    same_answer: bool | None = None
    same_bias: bool | None = None
    others: tuple[str, ...] = ()
    differences: tuple[search.Difference, ...] = ()


@dataclass(frozen=True, slots=True)
class Trace:
    """The template and filling of each row of a samples file.

    Attributes:
        file: The file.
        layout: Its layout, such as `bbq`.
        rows: Every row.
        untraced: Variants that cannot be filled and were not compared, each with the reason.
    """

    file: Path
    layout: str
    rows: tuple[TracedSample, ...]
    untraced: tuple[tuple[str, CurateError], ...]

    @property
    def found(self) -> tuple[TracedSample, ...]:
        """The rows that a template gives."""
        return tuple(item for item in self.rows if item.found)

    @property
    def missing(self) -> tuple[TracedSample, ...]:
        """The rows that none gives."""
        return tuple(item for item in self.rows if not item.found)

    def to_frame(self) -> "pd.DataFrame":
        """The rows.

        `row` is int64, `index` Int64, `found` and `exact` bool, `same_answer` and `same_bias`
        boolean with gaps, `fillers`, `free`, `others` and `differences` tuples; the rest is text.
        """
        return frame(
            self.rows,
            TracedSample,
            row="int64",
            index="Int64",
            found="bool",
            exact="bool",
            same_answer="boolean",
            same_bias="boolean",
        )


def trace(
    workspace: Workspace,
    file: Path | str,
    templates: Sequence[Template] | None = None,
    *,
    mapping: Path | None = None,
    progress: Progress = lambda _done, _total: None,
) -> Trace:
    """Find the template, variant and filling of each row of a samples file.

    Texts are matched with templates, which are not expanded. White space, the order of the choices
    and the wording of the unknown choice may differ. A row that no template gives has the nearest
    template, with the words that differ.

    Args:
        workspace: The workspace.
        file: Samples of ours, of a set of the BBQ family, or as the mapping says.
        templates: Those to look among, such as those of `survey.final_bank(workspace)` with the
            surveyed groups; by default all of the bank, removed ones too.
        mapping: The file that says which columns of the samples say what.
        progress: Told after each row how many are done, and of how many.

    Raises:
        CurateError: If the bank cannot be read or has no template that can be filled, or the file
            is of no known layout or cannot be read.
    """
    path = Path(file)
    published = read_published(path, mapping=read_mapping(mapping) if mapping else None)
    if templates is None:
        templates = list(workspace.bank.templates())
    wordings, untraced = wordings_of(templates, workspace.language, workspace.source_language)
    if not wordings:
        raise refusal("curation", "nothing-to-trace", workspace.shown(workspace.bank_file))
    tracer = Tracer(wordings, published.layout)
    samples = list(published.rows)
    rows = []
    for done, item in enumerate(samples, start=1):
        rows.append(tracer.traced(item))
        progress(done, len(samples))
    return Trace(path, published.layout, tuple(rows), tuple(untraced.items()))


def wordings_of(
    templates: Sequence[Template], language: LanguageOrCode, source_language: LanguageOrCode
) -> tuple[list[search.IndexedText], dict[str, CurateError]]:
    """The wordings of templates, the culture's first, then the source's where that is another.

    Args:
        templates: The templates.
        language: The culture's language.
        source_language: That of the source.

    Returns:
        The wordings, and by variant why it cannot be filled.
    """
    own: list[search.IndexedText] = []
    sources: list[search.IndexedText] = []
    untraced: dict[str, CurateError] = {}
    for variant in (item for template in templates for item in template.variants):
        texts, source = variant.texts, variant.source_texts
        places = [(own, texts, language), (sources, source, source_language)]
        if variant.published_texts != source:
            places.append((sources, variant.published_texts, source_language))
        for into, wording, spoken in places:
            is_source = into is sources
            same = (getattr(wording, name) == getattr(texts, name) for name in FILLED_FIELDS)
            if not wording.has_body or (is_source and all(same)):
                continue
            try:
                into.append(
                    search.IndexedText(prepare(variant, spoken, wording), is_source=is_source)
                )
            except CurateError as error:
                if not (is_source and texts.has_body):  # else ours is what is looked for
                    untraced[str(variant.id)] = error
    return own + sources, untraced


class Tracer:
    """Traces samples, those with the same texts once.

    Args:
        wordings: What they are matched against.
        layout: That of their file: it says whose numbers its templates have.
    """

    def __init__(self, wordings: Sequence[search.IndexedText], layout: str = "ours") -> None:
        self._layout = layout
        self._own = {item.name: item for item in wordings if not item.is_source}
        index = search.Index(wordings)
        self._hits = cache(partial(search.hits, index))
        self._near = cache(partial(search.nearest, index))

    def traced(self, sample: PublishedSample) -> TracedSample:
        """Where a sample comes from."""
        texts = search.asked(sample.context, sample.question, sample.choices, sample.unknown)
        known = TracedSample(sample.row, sample.sample_id, sample.context, sample.question)
        by_id = self._by_id(sample.sample_id, texts)
        if by_id is not None:
            return self._found(known, sample, by_id, ())
        found = self._hits(texts)
        if found:
            best = found[0]
            if len(found) > 1:
                best = max(found, key=lambda hit: _fit(hit, sample, self._layout))
            return self._found(known, sample, best, found)
        near = self._near(texts)
        if near is None:
            return known
        return replace(known, **_at(near), differences=near.differences)

    def _by_id(self, sample_id: str, texts: search.PublishedTexts) -> search.Hit | None:
        """The filling that a sample's id names, where it is an id of ours and gives the sample."""
        try:
            name = SampleId.parse(sample_id)
        except CurateError:
            return None
        wording = self._own.get(str(name.variant))
        if wording is None or name.index > wording.filling.count:
            return None
        indices = wording.filling.indices(name.index)
        return search.given(wording, indices, name.context_type, name.question_type, texts)

    def _found(
        self,
        known: TracedSample,
        sample: PublishedSample,
        hit: search.Hit,
        every: Sequence[search.Hit],
    ) -> TracedSample:
        wording, variant = hit.wording, hit.wording.filling.variant
        own = self._own.get(wording.name)
        same = own is not None and own.filling.sizes == wording.filling.sizes
        ours = own.filling.numbered.index_of(hit.indices) if own is not None and same else None
        named = SampleId(variant.id, ours, hit.context_type, hit.question_type) if ours else ""
        others = dict.fromkeys(item.wording.name for item in every)
        bias = "" if variant.role_open else sample.biased_answer
        differences = tuple(_hidden(hit, sample))
        return replace(
            known,
            **_at(hit),
            found=True,
            exact=not differences,
            index=wording.filling.numbered.index_of(hit.indices),
            our_id=str(named),
            fillers=wording.fillers(hit.indices),
            free=hit.free,
            same_answer=_same(hit.answer, sample.answer, sample.unknown),
            same_bias=_same(hit.biased_answer, bias, sample.unknown) if bias else None,
            others=tuple(name for name in others if name != wording.name),
            differences=differences,
        )


def _at(place: search.Hit | search.Near) -> dict[str, Any]:
    """What is said of the wording that gives a sample, or that it comes nearest to."""
    variant = place.wording.filling.variant
    return {
        "template_id": str(variant.template_id),
        "variant": variant.id.short,
        "context_type": place.context_type.value,
        "question_type": place.question_type.value,
        "wording": "source" if place.wording.is_source else "own",
    }


def _hidden(hit: search.Hit, sample: PublishedSample) -> Iterator[search.Difference]:
    """Characters that show nothing, which one of a sample and its template has."""
    texts = (sample.context, sample.question, *sample.choices)
    if not (hit.wording.has_hidden or search.HIDDEN.search("".join(texts))):
        return
    named = [choice for choice in sample.choices if search.collapse(choice) in hit.answers]
    for where, theirs, fields in (
        ("context", [sample.context], [search.CONTEXTS[hit.context_type]]),
        ("question", [sample.question], [search.QUESTIONS[hit.question_type]]),
        ("choices", named, [(name,) for name in ANSWER_FIELDS]),
    ):
        ours = [hit.wording.raw(names, hit.indices) for names in fields]
        found = [Counter(search.HIDDEN.findall("".join(side))) for side in (theirs, ours)]
        if found[0] != found[1]:
            yield search.Difference(where, "hidden", *map(_codes, found))


def _codes(characters: Mapping[str, int]) -> str:
    """Characters by their codes, each with how often it is there."""
    return ", ".join(f"{count} x U+{ord(one):04X}" for one, count in characters.items())


def _fit(hit: search.Hit, sample: PublishedSample, layout: str) -> tuple[int, ...]:
    """What speaks for one of several wordings that give a sample: what its file says of it.

    Its category comes first, then its template. Of rows that their bank says the order of, the
    first keeps the sample.
    """
    variant = hit.wording.filling.variant
    in_category, is_template = _named_by(variant, sample, layout)
    return (
        in_category,
        is_template,
        sample.context_type in ("", hit.context_type.value),
        sample.question_type in ("", hit.question_type.value),
        _same(hit.answer, sample.answer, sample.unknown),
        not sample.biased_answer or _same(hit.biased_answer, sample.biased_answer, sample.unknown),
        not hit.wording.is_source,
        -(variant.once or 0),
    )


def _named_by(variant: Variant, sample: PublishedSample, layout: str) -> tuple[bool, bool]:
    """Whether a sample's file names a variant's category, and whether its template.

    A number means the template of the set that gave it: what was imported keeps that beside its
    own, and where the bank gave another id the first one.
    """
    number = sample.template_id.partition("-")[2].lstrip("0")
    if layout in _NUMBERED_ANEW:
        first = dict(variant.extra).get(ORIGIN) or str(variant.template_id)
        category, _, own = first.rpartition("-")
        categories = [category, variant.category, variant.template_id.category]
    else:
        categories, own = [variant.source_category], variant.source_id
    wanted = _category(sample.category)
    if wanted not in map(_category, categories):
        return False, False
    return True, own.lstrip("0") == number and wanted == _category(categories[0])


@lru_cache(maxsize=4096)
def _category(name: str) -> tuple[str, ...]:
    """A category without the case, marks and order in which files of one set differ.

    BBQ's templates say `Gender_x_race`, and its samples `Race_x_gender`.
    """
    crossed = re.split(r"[\W_]+x[\W_]+", name.strip().casefold())
    return tuple(sorted(map(folded, crossed)))


def _same(ours: str | None, theirs: str, unknown: str) -> bool:
    """Whether an answer is theirs; ours is None where the context does not tell."""
    return search.collapse(theirs) == (search.collapse(unknown) if ours is None else ours)
