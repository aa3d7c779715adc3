"""Change what a template says: as people word it, or with the groups that the survey found."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from curation.bank.generate import placed
from curation.languages import LanguageOrCode
from curation.records.bank import (
    FILLED_FIELDS,
    SLOT_TEXT_FIELDS,
    UNTIED_COLUMN,
    Bank,
    Group,
    Template,
    Variant,
    VariantVersion,
)
from curation.records.messages import CurateError, refusal
from curation.slots import grammar
from curation.slots.fill import form_of, generalise, problems


@dataclass(frozen=True, slots=True)
class StatedWording:
    """What people say of how a template is worded.

    Attributes:
        template_id: The template.
        separate: Whether translators see its variants as texts of their own; None leaves that.
        versions: Wordings that it is to have, each a row of its own that is translated separately;
            none leaves them.
        stereotype: Its stereotype, where the source names none; empty leaves it.
    """

    template_id: str
    separate: bool | None = None
    versions: tuple[VariantVersion, ...] = ()
    stereotype: str = ""


def worded(bank: Bank, said: StatedWording, *, untie: bool) -> Bank:
    """Word a template as people say. Texts that they have written stay.

    That its variants are apart is kept in the column `untied` of the bank, so that it goes where
    the template goes. Of versions, what is written holds for the first one that is named. The rows
    of the others have the same source, machine text, groups and stereotype, and wait for their
    wording. Decisions are about templates, and stay; ids of samples name the version.

    Args:
        bank: The bank.
        said: What people say.
        untie: Whether templates that do not say are apart (`translation.untie`).

    Raises:
        CurateError: If the template is not there, its source names a stereotype, or it would have
            one version alone; the place is what is wrong of `said`, as `version`.
    """
    template = next((i for i in bank.templates() if str(i.id) == said.template_id), None)
    if template is None:
        raise CurateError(f"the bank has no template {said.template_id}", hint="empty the row")
    rows = bank.variants
    if said.separate is not None:
        # What the settings say of all anyway needs no word in the bank.
        cell = "" if said.separate is untie else str(said.separate).lower()
        rows = with_column(
            rows,
            UNTIED_COLUMN,
            lambda row: (
                cell if row.template_id == template.id else dict(row.extra).get(UNTIED_COLUMN, "")
            ),
        )
    if said.stereotype:
        rows = _with_stereotype(rows, template, said.stereotype)
    if said.versions:
        rows = _with_versions(rows, template, said.versions)
    return bank if rows == bank.variants else Bank(rows)


def with_column(
    rows: Sequence[Variant], column: str, cell_of: Callable[[Variant], str]
) -> tuple[Variant, ...]:
    """Rows with a further column, which goes with the last that has anything in it.

    Args:
        rows: The rows.
        column: What it is called.
        cell_of: Gives what a row is to have there.
    """
    cells = [*map(cell_of, rows)]
    is_used, made = any(cells), []
    for row, cell in zip(rows, cells, strict=True):
        extra = tuple(item for item in row.extra if item[0] != column)
        if is_used:
            has = dict(row.extra).get(column, "") == cell
            extra = row.extra if has else (*extra, (column, cell))
        made.append(replace(row, extra=extra))
    return tuple(made)


def _with_stereotype(rows: Sequence[Variant], template: Template, text: str) -> tuple[Variant, ...]:
    source = next((s for v in template.variants if (s := v.source_texts.stereotype.strip())), "")
    if source:
        raise refusal(
            "curation", "stereotype-of-source", "stereotype", template=template.id, source=source
        )
    return tuple(
        replace(row, texts=replace(row.texts, stereotype=text))
        if row.template_id == template.id
        else row
        for row in rows
    )


def _with_versions(
    rows: Sequence[Variant], template: Template, wanted: Sequence[VariantVersion]
) -> tuple[Variant, ...]:
    there = {row.id.version for row in template.variants}
    if len({*there, *wanted} - {VariantVersion.ONLY}) < 2:
        raise refusal("curation", "version-alone", "version", template=template.id)
    lacking = [item for item in dict.fromkeys(wanted) if item not in there]
    found: list[Variant] = []
    for row in rows:
        found += [row] if row.template_id != template.id else _versions_of(row, template, lacking)
    return tuple(found)


def _versions_of(
    row: Variant, template: Template, lacking: Sequence[VariantVersion]
) -> list[Variant]:
    """A row as its version, with rows of the versions that the template lacks after it."""
    own = row.id.version
    if VariantVersion.ONLY in {variant.id.version for variant in template.variants}:
        if own:
            return [row]
        # What is written becomes the first of them, unless that is there already.
        own, lacking = (lacking[0], lacking[1:]) if lacking else (own, [])
    elif own != template.first.id.version:
        lacking = []
    # What is worded for the first one is still to be written for the others.
    unwritten = replace(row.texts, **dict.fromkeys(FILLED_FIELDS, ""))  # type: ignore[arg-type]  # text alone
    others = [replace(row.id, version=version) for version in lacking]
    return [
        replace(row, id=replace(row.id, version=own)),
        *(replace(row, id=one, texts=unwritten, row=0) for one in others),
    ]


def retarget(
    variant: Variant,
    targets: Sequence[str],
    non_targets: Sequence[str],
    groups: Sequence[Group],
    language: LanguageOrCode,
) -> Variant:
    """Fill a variant's people with the surveyed groups.

    A variant whose stated groups the survey confirms all is returned as it is: it may name
    fewer than the survey found. Open lists (`[*]`) and groups that the survey does not
    confirm are replaced by the fillers of all surveyed groups, in the survey's order. Conditions
    stay, so those fillers need the features that they compare.

    Args:
        variant: The variant.
        targets: The surveyed target groups.
        non_targets: The surveyed non-target groups.
        groups: The groups of the workspace, with their fillers.
        language: The culture's language, for forms of new fillers.

    Raises:
        CurateError: If it cannot be told which person is the target, a group has no
            fillers, the forms of new fillers cannot be made, or conditions cannot be judged on
            them.
    """
    texts = variant.texts
    with placed(variant, "names"):
        lists, conditions = grammar.parse_lists(texts.names), grammar.parse_conditions(texts.names)
    is_open = any(item.open for item in lists.values())
    target_slot = _target_slot(variant)
    other_slot = "N2" if target_slot == "N1" else "N1"
    surveyed = {target_slot: tuple(targets), other_slot: tuple(non_targets)}
    stated = {"N1": texts.n1_groups, "N2": texts.n2_groups}
    if not is_open and all({*stated[slot]} <= {*found} for slot, found in surveyed.items()):
        return variant
    known = {group.group: group for group in groups if group.category == variant.category}
    fillers = {slot: _fillers(variant, names, known) for slot, names in surveyed.items()}
    names = [
        replace(item, fillers=fillers[name], open=False) if name in fillers else item
        for name, item in lists.items()
    ]
    changed = replace(
        texts,
        target_groups=tuple(targets),
        n1_groups=surveyed["N1"],
        n2_groups=surveyed["N2"],
        names=grammar.print_lists(names, conditions),
        **_refitted(variant, lists, fillers, language),
    )
    with placed(variant, "names"):
        declared = grammar.declared_lists(changed)
        for condition in grammar.declared_conditions(changed):
            for error in problems(condition, declared):  # fillers may lack what it compares
                raise CurateError(error.what, hint=f"in groups.csv, column fillers: {error.hint}")
    return replace(variant, texts=changed)


def _target_slot(variant: Variant) -> str:
    """Tell which person is of the target group: in b and d the biased answer, else the other."""
    with placed(variant, "biased_answer"):
        slots = grammar.parse_text(variant.texts.biased_answer).names
        people = {name for name in slots if name in ("N1", "N2")}
        if len(people) != 1:
            raise refusal("curation", "biased-answer-open")
    answer = people.pop()
    if variant.letter.is_biased:
        return answer
    return "N2" if answer == "N1" else "N1"


def _fillers(
    variant: Variant, names: Sequence[str], known: Mapping[str, Group]
) -> tuple[grammar.Filler, ...]:
    fillers: list[grammar.Filler] = []
    for name in names:
        group = known.get(name)
        where = f"groups.csv, {variant.category}, {name}"
        if group is None:
            raise refusal(
                "curation", "surveyed-group-unknown", where, variant=variant.id, group=name
            )
        try:
            members = grammar.parse_fillers(group.fillers)
        except CurateError as error:
            raise CurateError(f"{variant.id}: {error.what}", where, error.hint) from error
        if not members:
            raise refusal("curation", "surveyed-group-bare", where, variant=variant.id, group=name)
        fillers.extend(members)
    return tuple(fillers)


def _refitted(
    variant: Variant,
    lists: Mapping[str, grammar.SlotList],
    fillers: Mapping[str, Sequence[grammar.Filler]],
    language: LanguageOrCode,
) -> dict[str, str]:
    """Rewrite the texts whose people have listed forms, so that they fit the new fillers."""
    changed = {}
    for field in SLOT_TEXT_FIELDS:
        with placed(variant, field):
            parsed = grammar.parse_text(getattr(variant.texts, field))
            parts = [
                _general(part, lists, language) if isinstance(part, grammar.Slot) else part
                for part in parsed.parts
            ]
            for slot in (part for part in parts if isinstance(part, grammar.Slot)):
                for filler in fillers.get(slot.name, ()):
                    form_of(slot, filler, 0, language)  # refuses what has no form
        if tuple(parts) != parsed.parts:
            changed[field] = grammar.print_text(grammar.SlotText(tuple(parts)))
    return changed


def _general(
    slot: grammar.Slot, lists: Mapping[str, grammar.SlotList], language: LanguageOrCode
) -> grammar.Slot:
    if slot.name not in ("N1", "N2"):
        return slot
    general = generalise(slot, lists[slot.name].fillers if slot.name in lists else (), language)
    if general is None:
        raise refusal("curation", "surveyed-forms", slot=slot.name)
    return general
