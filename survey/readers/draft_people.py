"""Drafts of what a file says of respondents: attributes, and who failed an attention check."""

import re
from collections.abc import Mapping, Sequence

from survey.mapping import AttentionPart, AttributePart
from survey.readers.header import plain
from survey.readers.hints import Hints, Trait
from survey.readers.recognise import Described, Start

_CHECK = "attention"
"""What `codes.csv` calls the attention check."""
_ATTENTION = re.compile(r"attention|주의 ?확인|주의력|注意", re.IGNORECASE)
_ATTRIBUTES = re.compile(
    r"^(gender|sex|age|age_?band|age_?group|birth_?year|region|education|form|성별|연령|연령대|나이|"
    r"지역|학력|性別|年齢|性别|年龄)$",
    re.IGNORECASE,
)
_NAMED = 5


def draft_attention(
    described: Described, hints: Hints, problems: list[str]
) -> tuple[AttentionPart, ...]:
    """Draft the attention checks of forms that were built; ask about others.

    Args:
        described: The columns.
        hints: What is known of codes.
        problems: Takes what is left to a person.
    """
    found = []
    for title, texts in zip(described.titles, described.texts, strict=True):
        codes = [item.code for item in hints.codes.get(title, ()) if item.question_id == _CHECK]
        if codes:
            found.append(AttentionPart(column=title, expect=tuple(codes)))
        elif any(_ATTENTION.search(text) for text in (title, *texts)):
            problems.append(f"column '{title}' may be an attention check: put it in 'attention'")
    return tuple(found)


def draft_attributes(
    described: Described,
    taken: set[str],
    start: Start,
    hints: Hints,
    traits: Sequence[Trait],
    problems: list[str],
) -> dict[str, AttributePart]:
    """Draft the attributes of respondents, with what their codes stand for where it is told.

    A column is an attribute's by `codes.csv`, by its name or by the question above it.

    Args:
        described: The columns.
        taken: Columns that are questions'.
        start: What the platform tells of its own columns.
        hints: What is known of codes.
        traits: What is to be known of respondents.
        problems: Takes what is left to a person.
    """
    found: dict[str, AttributePart] = {}
    for at, title in enumerate(described.titles):
        if title in taken or title in start.known or title == start.respondent.id:
            continue
        trait = _trait(title, described.texts[at], hints, traits)
        name = trait.name if trait else title.casefold() if _ATTRIBUTES.match(title) else ""
        if not name or name in found:
            continue
        there = described.values(title)
        cells = [cell for cell in there if cell and cell not in start.missing]
        values = _values(title, cells, trait, hints, problems) if trait else {}
        left = [cell for cell in start.missing if cell and cell in there] if values else ()
        found[name] = AttributePart(column=title, values={**values, **dict.fromkeys(left, "")})
    return found


def _trait(title: str, texts: Sequence[str], hints: Hints, traits: Sequence[Trait]) -> Trait | None:
    """Give the attribute that a column holds."""
    coded = {item.question_id for item in hints.codes.get(title, ())}
    above = {text.casefold() for text in (title, *texts)}
    for trait in traits:
        if trait.name in coded or trait.name.casefold() in above:
            return trait
        if trait.text and plain(trait.text).casefold() in above:
            return trait
    return None


def _values(
    title: str, cells: Sequence[str], trait: Trait, hints: Hints, problems: list[str]
) -> Mapping[str, str]:
    """Give what stands for each value; nothing where the file writes the values themselves."""
    told = {item.code: item.option for item in hints.codes.get(title, ())}
    shown = _shown(trait)
    labels = hints.values.get(title, {})
    told |= {
        code: shown[label.casefold()]
        for code, label in labels.items()
        if label.casefold() in shown and code not in told
    }
    told |= {
        cell: shown[cell.casefold()]
        for cell in cells
        if cell not in told and cell.casefold() in shown
    }
    strange = [cell for cell in cells if cell not in told]
    if strange:
        listed = ", ".join(f"'{cell}'" for cell in strange[:_NAMED])
        known = ", ".join(trait.values)
        problems.append(
            f"attribute {trait.name}: {listed} in column '{title}' are none of {known}, by which "
            f"quotas and weights go: write {{column: {title}, values: {{{strange[0]}: ..., ...}}}}"
        )
        return {}
    return {} if all(code == value for code, value in told.items()) else told


def _shown(trait: Trait) -> dict[str, str]:
    """Give the values by what says them: themselves, and texts that are theirs alone."""
    texts = [plain(text).casefold() for text in trait.values.values()]
    found = {
        text: value
        for value, text in zip(trait.values, texts, strict=True)
        if text and texts.count(text) == 1
    }
    return found | {value.casefold(): value for value in trait.values}
