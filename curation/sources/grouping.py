"""Derive `groups.csv` from the groups that templates name."""

from collections.abc import Iterable

from curation.model.bank import Group, Variant
from curation.slots import Filler, SlotError, parse_lists, print_fillers


def groups_of(variants: Iterable[Variant]) -> tuple[Group, ...]:
    """List the groups that templates are about, with the names used for them.

    A name goes to a group where it is certain: the person has one group only, or the name is
    the group's own. Hierarchy, levels and what counts are for people to add.
    """
    fillers: dict[tuple[str, str], dict[Filler, None]] = {}
    for variant in variants:
        texts = variant.texts if not variant.texts.is_empty else variant.source_texts
        try:
            lists = parse_lists(texts.names)
        except SlotError:
            lists = {}
        for slot, groups in (("N1", texts.n1_groups), ("N2", texts.n2_groups)):
            for group in groups:
                fillers.setdefault((variant.category, group), {})
            for filler in lists[slot].fillers if slot in lists else ():
                group = groups[0] if len(groups) == 1 else filler.text
                if group in groups:
                    fillers[variant.category, group].setdefault(filler)
        for group in texts.target_groups:
            fillers.setdefault((variant.category, group), {})
    return tuple(
        Group(category, group, fillers=print_fillers(names))
        for (category, group), names in fillers.items()
    )
