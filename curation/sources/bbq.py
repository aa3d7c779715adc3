"""BBQ's template files (Parrish et al. 2022): US English, two versions of each template.

A row with its own `Names` gives one variant. A row without, or with a plain list of names,
gives both variants, its fillers being drawn from the list or the vocabularies: the target
groups for one person, everybody else for the other.

The variant's letter says who is in the stereotyped role, as everywhere in the bank: in `b`
the answer to the negative question is the target person, in `a` the other. BBQ's own
`version` letters do not follow a rule; where they differ, the note keeps them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from curation.files.tables import Row, read_table
from curation.records.bank import ANSWER_FIELDS, TemplateId, Texts, Variant
from curation.records.messages import Severity
from curation.slots.grammar import Filler, parse_conditions
from curation.sources import bbq_people, imported
from curation.sources.bbq_wording import (
    Lists,
    Parts,
    Published,
    Wording,
    read_lists,
    read_literally,
    read_text,
    slot_names,
    with_articles,
    with_latinas,
    worded,
)
from curation.sources.vocabulary import Vocabulary

FORMAT = imported.template_format("bbq")
_SECOND = ("GEN", "OCC")
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class _Cast:
    """Who the two people are.

    Attributes:
        lists: The fillers of all slots.
        groups: The groups of both people.
        target: Who is of the target groups, 1 or 2; None if it is not told.
        conditions: What fillings have to meet, slots written as `{NAME1}`.
        people: The fillers that were drawn from a vocabulary.
    """

    lists: Lists
    groups: imported.People
    target: int | None
    conditions: tuple[str, ...] = ()
    people: tuple[bbq_people.Person, ...] = ()


class _Reader:
    """Reads one row."""

    def __init__(self, row: Row, report: imported.RowReport) -> None:
        self._row, self._report = row, report
        slug, self._category = FORMAT.category_of(row)
        self._template = TemplateId(slug, FORMAT.number_of(row))
        self._told: set[tuple[str, str, str]] = set()
        self._parts: dict[str, Parts] = {}
        for field, column in FORMAT.texts.items():
            self._parts[field] = read_text(imported.text_of(row, column), column, self._note)
        self._words = self._lists("Lexical_diversity")
        self._target = bbq_people.target_of(row)
        cells = (row.get("NAME1_info").strip(), row.get("NAME2_info").strip())
        one, two = (imported.read_groups(it) if it[:1] == "[" else (it,) * bool(it) for it in cells)
        self._infos = one, two

    def _note(self, column: str, message: str) -> None:
        self._report.add("source-corrected-cell", Severity.INFO, self._row.number, column, message)

    def _lists(self, column: str) -> dict[Published, tuple[Filler, ...]]:
        found = read_lists(self._row.get(column).strip(), column, self._note)
        return {slot: tuple(map(Filler, texts)) for slot, texts in found.items()}

    def drafts(self, vocabulary: Vocabulary) -> list[imported.UnletteredVariant]:
        """What the row says: one variant, or both where it does not name its people.

        Args:
            vocabulary: From which people are drawn.

        Raises:
            CellError: If it cannot be read.
        """
        cell = self._row.get("Names").strip()
        is_map = bool(cell) and (not cell.startswith("[") or re.match(r"\[\{*\s*NAME\d", cell))
        negative = self._negative_person()
        casts = [self._stated()] if is_map else list(self._drawn(vocabulary, negative))
        # A version says nothing of a row that stands for both variants.
        published = self._row.get("version").strip().casefold() if len(casts) == 1 else ""
        variant = partial(
            imported.UnletteredVariant, self._report, self._row, self._template, self._category
        )
        found = []
        for cast in casts:
            told = cast.target is not None and negative is not None
            role = cast.target == negative if told else None
            texts, source, samples = self._texts(cast)
            why = "" if told else imported.UNTOLD
            found.append(variant(texts, source, samples, role, published, cast.people, open=why))
        return found

    def _negative_person(self) -> int | None:
        """The person who answers the negative question, 1 or 2; None if unknown."""
        one, other = (
            [str(part) for part in self._parts[field] if isinstance(part, Published)]
            for field in ANSWER_FIELDS
        )
        return imported.answering(one, other)

    # --- people

    def _stated(self) -> _Cast:
        """Take the people that the row names."""
        lists = self._lists("Names")
        target = bbq_people.target_person(self._target, self._infos)
        return _Cast(self._joined(lists), self._groups(), target)

    def _groups(self) -> imported.People:
        """The groups that the row states."""
        one, two = (tuple(map(self._target.spelled, names)) for names in self._infos)
        return one, two

    def _joined(self, names: Lists) -> Lists:
        twice = next((slot for slot in names if slot in self._words), None)
        if twice is not None:
            raise imported.cell_error("list-in-both-columns", "Lexical_diversity", twice=twice)
        return {**names, **self._words}

    def _drawn(self, vocabulary: Vocabulary, negative: int | None) -> Iterator[_Cast]:
        """Draw the people from the names that the row lists, or from the vocabularies."""
        fixed = bbq_people.target_person(self._target, self._infos)
        every = (part for text in self._parts.values() for part in text)
        own = {part for part in every if isinstance(part, Published) and part.kind in _SECOND}
        # A slot without a list is filled with the second of two attributes.
        free = own - set(self._words) if self._target.races else set()
        second = min((slot.kind for slot in free), default="")
        elsewhere = not second and (bool(own) or fixed is not None)
        asked = self._row, self._category, self._target, second, elsewhere, self._infos
        draw = bbq_people.Draw(*asked, vocabulary)
        pool = draw.pool()
        draw.tell(pool, self._report)
        if fixed is None and negative is None:
            raise imported.cell_error("answer-of-nobody", "Answer_negative")
        for target in [fixed] if fixed is not None else [3 - (negative or 0), negative or 0]:
            people = {
                Published(kind, number): (pool.targets if number == target else pool.others)[kind]
                for kind in pool.targets
                for number in (1, 2)
            }
            names = {
                slot: fillers for slot, fillers in people.items() if slot.kind == bbq_people.NAME
            }
            groups = self._target.groups, pool.groups
            if target == 2:
                groups = groups[::-1]
            yield _Cast(
                {**self._joined(names), **people},
                groups if pool.groups else self._groups(),
                target,
                pool.conditions,
                pool.people,
            )

    # --- wording

    def _texts(self, cast: _Cast) -> tuple[Texts, Texts, Texts]:
        """The wording as it should read, as it was published, and as published samples read."""
        parts, own = self._parts, cast.conditions
        lists, conditions, changed = with_latinas(parts.values(), cast.lists, own)
        names = slot_names(lists)
        for field, text in parts.items():
            for part in text:
                if isinstance(part, Published) and part not in lists:
                    raise imported.cell_error("slot-unlisted", FORMAT.texts[field], slot=part)
        ours = {field: worded(text, names, lists) for field, text in parts.items()}
        texts = self._filled(cast, ours, "text", _cells(lists, names, conditions))
        literally = {
            field: read_literally(self._row[column].strip())
            for field, column in FORMAT.texts.items()
        }
        said, theirs, names = with_articles(literally, lists, names)
        published = ours
        if said != parts:
            published = {field: worded(text, names, theirs) for field, text in said.items()}
        samples = self._filled(cast, published, "published", _cells(theirs, names, conditions))
        source = texts if samples == texts else samples
        is_corrected = changed or any(item.template != item.text for item in ours.values())
        if source is texts and is_corrected:
            raw = {field: worded(text, names, cast.lists) for field, text in parts.items()}
            source = self._filled(cast, raw, "template", _cells(cast.lists, names, own))
        self._tell_wrong("Names", "names", changed, keeps_words=source != samples)
        for field, wording in ours.items():
            column = FORMAT.texts[field]
            self._tell_wrong(column, field, wording.wrong, keeps_words=source != samples)
        return texts, source, samples

    def _filled(
        self, cast: _Cast, wordings: Mapping[str, Wording], side: str, cells: Mapping[str, str]
    ) -> Texts:
        return Texts(
            stereotype=self._row.get("Relevant_social_values").strip(),
            target_groups=self._target.groups,
            n1_groups=cast.groups[0],
            n2_groups=cast.groups[1],
            **cells,
            **{field: getattr(wording, side) for field, wording in wordings.items()},
        )

    def _tell_wrong(
        self, column: str, name: str, wrong: Sequence[tuple[str, str]], *, keeps_words: bool
    ) -> None:
        """Report what was put right: articles, which the samples have wrong, and other words."""
        by_key: dict[str, list[str]] = {}
        for said, should in wrong:
            one, other = (re.sub(r"\ban? ", "", text.casefold()) for text in (said, should))
            of_word = "word-kept" if keeps_words else "word-corrected"
            key = of_word if one != other else "article-corrected"
            by_key.setdefault(key, []).append(f"'{should}' for '{said}'")
        for key, every in by_key.items():
            more = f" and {len(every) - _SHOWN} more" if len(every) > _SHOWN else ""
            changes = f"{', '.join(every[:_SHOWN])}{more}"
            if (column, key, changes) not in self._told:
                self._told.add((column, key, changes))
                self._report.say(key, self._row.number, column, changes=changes, name=name)


def _cells(
    lists: Lists, names: Mapping[Published, str], conditions: Iterable[str]
) -> dict[str, str]:
    """The lists and conditions as the bank's columns `names` and `words` hold them."""
    slots = {str(slot): name for slot, name in names.items()}
    written = parse_conditions("; ".join(item.format(**slots) for item in conditions))
    people = sorted(slot for slot in lists if slot.kind == bbq_people.NAME)
    every = (*people, *(slot for slot in lists if slot.kind != bbq_people.NAME))
    return imported.list_cells({names[slot]: lists[slot] for slot in every}, written)


def read(paths: Sequence[Path]) -> imported.Imported:
    """Read templates, with the vocabularies among the files.

    The published folder also holds files of something else, such as its filler items. They are
    passed over, each with a finding.

    Raises:
        CurateError: If a file as a whole cannot be read, or none holds templates.
    """
    tables = (read_table(path, shown_as=path.name) for path in paths)
    vocabulary = Vocabulary(FORMAT, tables)
    reports, other = FORMAT.sorted(vocabulary.templates)
    for report in reports:
        report.unknown_columns(FORMAT.columns)
    rows = imported.read_rows(reports, lambda row, report: _Reader(row, report).drafts(vocabulary))
    drafts = [draft for found, _, _ in rows for draft in found]
    placed, samples = imported.settled(FORMAT, drafts)
    variants = [variant for _, variant in placed]
    people: dict[tuple[str, str], dict[Filler, None]] = {}
    for draft in drafts:
        for name, group in draft.people:
            people.setdefault((draft.category, group), {})[Filler(name)] = None
    remarks = (*vocabulary.findings, *other)
    groups = imported.groups_of(variants, _tells, people)
    return FORMAT.imported(reports, variants, remarks, groups=groups, samples=samples)


def _tells(variant: Variant) -> bool:
    """Whether names stand for groups: they are no proper names, nor one of two attributes."""
    proper = dict(variant.extra).get(FORMAT.kept["Proper_nouns_only"])
    texts = variant.texts
    return not (proper or parse_conditions(texts.names) or parse_conditions(texts.words))
