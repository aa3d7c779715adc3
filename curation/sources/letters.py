"""The letters of variants by who is in the stereotyped role, where a source does not say them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from curation.files.tables import Row
from curation.records.bank import (
    OPEN_COLUMN,
    Label,
    TemplateId,
    Texts,
    Variant,
    VariantId,
    VariantLetter,
    VariantVersion,
)
from curation.slots import exchange_lists, parse_conditions, parse_lists, print_lists
from curation.sources.bbq_people import Person
from curation.sources.imported import RowReport, TemplateFormat

UNTOLD = "the stereotyped groups are those of both people or of neither"
"""Why a role is open of which the groups of the people tell nothing."""
_PAIRS = ((VariantLetter.A, VariantLetter.B), (VariantLetter.C, VariantLetter.D))


@dataclass(frozen=True, slots=True)
class Wordings:
    """What a variant says, and who its people are.

    Attributes:
        category: Its category.
        texts: Its wording, as it should be.
        source: Its wording as it was published.
        samples: Its wording as the published samples have it.
        is_biased: Whether the target is in the stereotyped role; None if that is not told.
        people: The fillers that were drawn from a vocabulary.
    """

    category: str
    texts: Texts
    source: Texts
    samples: Texts
    is_biased: bool | None
    people: tuple[Person, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """A variant that has no letter yet.

    Attributes:
        report: Where remarks on its row go.
        row: Its row.
        template: Its template.
        wordings: What it says, and who its people are.
        published: The published version, where the row stands for one variant.
        version: Which wording of its variant it is.
        label: Its label.
        open: Why it is open who the target is, where it is.
    """

    report: RowReport
    row: Row
    template: TemplateId
    wordings: Wordings
    published: str
    version: VariantVersion = VariantVersion.ONLY
    label: Label | None = None
    open: str = UNTOLD

    @property
    def published_letter(self) -> VariantLetter | None:
        """The published version, if it is a letter that variants have."""
        return VariantLetter(self.published) if self.published in [*VariantLetter] else None

    def letter_in(self, pair: tuple[VariantLetter, VariantLetter]) -> VariantLetter | None:
        """Its letter in a pair: by the role, else as published; None where it has none there."""
        if self.wordings.is_biased is not None:
            return pair[self.wordings.is_biased]
        letter = self.published_letter
        return letter if letter in pair else None


def settled(
    form: TemplateFormat, drafts: Sequence[Draft]
) -> tuple[list[Variant], dict[VariantId, Texts]]:
    """Make variants, in the order of the drafts; one for which no letter is left refuses its row.

    Versions of a template that have the same person in the stereotyped role are `b` and `d`, or
    `a` and `c`: two lists of names of one template.

    Returns:
        The variants, and the wording of the published samples for those whose source is another.
    """
    extra = form.extra_of(draft.row for draft in drafts)
    templates: dict[tuple[TemplateId, VariantVersion], list[int]] = {}
    for place, draft in enumerate(drafts):
        templates.setdefault((draft.template, draft.version), []).append(place)
    variants: dict[int, Variant] = {}
    samples: dict[VariantId, Texts] = {}
    for places in templates.values():
        letters = _letters([drafts[place] for place in places])
        made = {}
        for place, letter in zip(places, letters, strict=True):
            if letter is None:
                continue
            draft, said = drafts[place], drafts[place].wordings
            differs = draft.published not in ("", letter.value)
            is_open = ((OPEN_COLUMN, draft.open),) if said.is_biased is None else ()
            made[place] = form.variant(
                draft.row,
                VariantId(draft.template, letter, draft.version),
                said.texts,
                said.source,
                category=said.category,
                label=draft.label,
                note=f"published as version {draft.published}" if differs else "",
                extra=(*extra(draft.row), *is_open),
            )
        for place, variant in _aligned(made).items():
            variants[place] = variant
            wording = drafts[place].wordings.samples
            if variant is not made[place]:
                wording = _second_first(wording)
            if wording != variant.source_texts:
                samples[variant.id] = wording
    return [variants[place] for place in sorted(variants)], samples


def _letters(drafts: Sequence[Draft]) -> list[VariantLetter | None]:
    """Each variant of a template its letter, or None where its row is refused."""
    rows: dict[tuple[int, int], list[int]] = {}
    for place, draft in enumerate(drafts):
        rows.setdefault((id(draft.report), draft.row.number), []).append(place)
    letters: list[VariantLetter | None] = [None] * len(drafts)
    told = [places for places in rows.values() if drafts[places[0]].wordings.is_biased is not None]
    untold = [places for places in rows.values() if places not in told]
    for places in (*told, *untold):
        own = [drafts[place] for place in places]
        others = [draft for draft, letter in zip(drafts, letters, strict=True) if letter]
        given = _free(own, others, {letter for letter in letters if letter})
        if given is None:
            _refuse(own[0], others)
            continue
        for place, letter in zip(places, given, strict=True):
            letters[place] = letter
    _tell(drafts, letters)
    return letters


def _free(
    own: Sequence[Draft], others: Sequence[Draft], taken: set[VariantLetter]
) -> list[VariantLetter] | None:
    """Letters for the variants of a row: of one pair, and not taken; None where there are none.

    Only a row of the same file that says something else can be another list of names.
    """
    strange = any(
        other.report is not draft.report or other.wordings.texts == draft.wordings.texts
        for draft in own
        for other in others
    )
    for pair in _PAIRS[: 1 if strange else None]:
        letters = [draft.letter_in(pair) for draft in own]
        wanted = [letter for letter in letters if letter is not None and letter not in taken]
        if len(wanted) == len(own):
            return wanted
    return None


def _refuse(draft: Draft, others: Sequence[Draft]) -> None:
    if draft.wordings.is_biased is None and draft.published_letter is None:
        draft.report.say("version-unclear", draft.row.number, "NAME1_info")
        return
    same = next((other for other in others if other.wordings.texts == draft.wordings.texts), None)
    known = same or next(iter(others))
    what = "says the same" if same else f"is {draft.template} with the same person in the role"
    draft.report.say(
        "row-twice",
        draft.row.number,
        "Q_id",
        first=known.row.number,
        file=known.report.table.file,
        what=what,
    )


def _tell(drafts: Sequence[Draft], letters: Sequence[VariantLetter | None]) -> None:
    """Report the letters that say nothing, for the role is open, and those that changed."""
    changed = []
    for draft, letter in zip(drafts, letters, strict=True):
        if letter is None:
            continue
        if draft.wordings.is_biased is None:
            draft.report.open_role(draft.row.number, "NAME1_info", draft.open)
        elif draft.published_letter not in (None, letter):
            changed.append((draft, letter))
    if changed:
        first = changed[0][0]
        told = ", ".join(f"version {draft.published} is variant {own}" for draft, own in changed)
        roles = {letter.is_biased for letter in letters if letter}
        why = "for variants b and d have the target in the stereotyped role"
        if len(roles) == 1:
            who = "the target" if roles == {True} else "the other person"
            why = f"for all versions have {who} in the stereotyped role"
        first.report.say(
            "letters-exchanged",
            first.row.number,
            "version",
            template=first.template,
            told=told,
            why=why,
        )


def _aligned(variants: Mapping[int, Variant]) -> dict[int, Variant]:
    """Have filling n pair the same people in both variants of a pair.

    In `b` the product takes N2 before N1, because its people have usually changed places.
    Where they have not, and only the text differs, its lists are declared in that order.
    """
    by_letter = {variant.letter: place for place, variant in variants.items()}
    aligned = {**variants}
    for letter, place in by_letter.items():
        if not letter.is_biased or letter.twin not in by_letter:
            continue
        first, second = variants[by_letter[letter.twin]].texts, variants[place].texts
        same = first.n1_groups == second.n1_groups and first.n2_groups == second.n2_groups
        if same and first.n1_groups != first.n2_groups:
            aligned[place] = replace(
                variants[place],
                texts=_second_first(second),
                source_texts=_second_first(variants[place].source_texts),
            )
    return aligned


def _second_first(texts: Texts) -> Texts:
    return replace(texts, names=_exchanged(texts.names), words=_exchanged(texts.words))


def _exchanged(cell: str) -> str:
    """A cell in which the lists of the two people have changed places."""
    lists = parse_lists(cell)
    order = exchange_lists(lists, lists)
    return print_lists([lists[name] for name in order], parse_conditions(cell))
