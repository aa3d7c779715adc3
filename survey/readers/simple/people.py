"""Who answered a simple table, and what it says of the respondents."""

import re
from collections.abc import Iterable
from functools import cache

from curation.languages import received_words
from curation.records.culture import QUALITY_VALUES
from survey.attributes import compared, quality_value, used_attributes, with_people
from survey.building.wording import shown_attention, shown_attributes
from survey.mapping import Mapping, RespondentPart
from survey.readers.columns import first_of
from survey.readers.frames import plain
from survey.readers.people import (
    Attribute,
    Kept,
    by_respondent,
    duration_between,
    kept_rows,
    plain_attribute,
)
from survey.readers.simple.table import NAMED, SimpleTable, columns_called
from survey.readers.times import started_and_ended


def read_people(table: SimpleTable) -> Kept:
    """Who answered: by the column that names respondents."""
    found = columns_called(table.titles, "respondent")
    exact = [at for at in found if compared(table.titles[at]) == "respondent id"]
    better = [at for at in found if compared(table.titles[at]) in _first_names()]
    best = exact or better or found
    if len(best) > 1:
        table.refuse_two("respondents", best)
    at = best[0]
    name = table.titles[at]
    same = [other for other, title in enumerate(table.titles) if title == name]
    if len(same) > 1:
        table.refuse_two("respondents", same)
    table.used.add(at)
    kept = kept_rows(table.view, Mapping(respondent=RespondentPart(id=name)))
    table.tell(at, f"respondents ({len(kept.ids):,})")
    return kept


@cache
def _first_names() -> frozenset[str]:
    return frozenset(map(compared, received_words("simple_respondent")))


def read_attributes(table: SimpleTable, kept: Kept) -> dict[str, tuple[str, ...]]:
    """What the table and `respondents.csv` beside it say of the respondents."""
    used = {compared(word): "form" for word in received_words("simple_form")}
    used |= {compared(name): name for name in used_attributes(table.culture)}
    checks = tuple(word.casefold() for word in received_words("attention"))
    traits = shown_attributes(table.culture, table.language or table.culture.language)
    shown = _shown_values(traits)
    asked = {compared(text): name for name, text, _ in traits if text}
    check, passed = _shown_check(table)
    parts: dict[str, str] = {}
    for at, title in enumerate(table.titles):
        name = used.get(compared(title)) or asked.get(compared(title), "")
        if at in table.used or not title:
            continue
        if not name and compared(title) == check:
            name = "attention"
        elif not name and any(word.strip("^$") in title.casefold() for word in checks):
            name = "attention"
            _refuse_other_words(table, at)
        elif not name and _attribute_words().fullmatch(compared(title)):
            name = _by_values(table, at, shown) or title
        if not name:
            continue
        if name in parts:
            table.refuse_two(name, [table.titles.index(parts[name]), at])
        table.used.add(at)
        parts[name] = title
        meaning = passed if compared(title) == check else shown.get(name)
        goes_by = "" if name in used.values() else ", which is not used"
        of = "that respondents answered" if name == "form" else "of the respondents"
        table.tell(at, f"{name} {of}{_meant(table, at, meaning)}{goes_by}")
    said = {name: plain_attribute(kept.view, title, name) for name, title in parts.items()}
    if "duration_s" not in said:
        said |= _duration(table, kept)
    found = dict(by_respondent(kept, said))
    if compared(parts.get("attention", "")) == check:
        shown["attention"] = passed
    for name, values in shown.items():
        if name in found:
            found[name] = tuple(values.get(compared(cell), cell) for cell in found[name])
    return with_people(table.path, kept.ids, found, table.culture.survey)


def _duration(table: SimpleTable, kept: Kept) -> dict[str, Attribute]:
    """How long each respondent took, where two columns say when they began and ended.

    Where a respondent has several rows, each may have the time of one question.
    """
    if len(kept.ids) != len(kept.view):
        return {}
    left = [at for at in range(len(table.titles)) if at not in table.used]
    titles = [table.titles[at] for at in left]
    found = started_and_ended(titles, [table.view.frame.columns[at] for at in left])
    if found is None:
        return {}
    said = duration_between(kept.view, *found)
    for title, what in zip(found, ("began", "ended"), strict=True):
        at = table.titles.index(title)
        table.used.add(at)
        table.tell(at, f"when respondents {what}")
    return {"duration_s": said}


@cache
def _attribute_words() -> re.Pattern[str]:
    return re.compile("|".join(received_words("attributes")), re.IGNORECASE)


def _shown_values(traits: Iterable[tuple[str, str, dict[str, str]]]) -> dict[str, dict[str, str]]:
    """By attribute of quotas and weights, its values by what respondents read for them."""
    return {
        name: {compared(text): value for value, given in labels.items() for text in (given, value)}
        for name, _, labels in traits
    }


def _shown_check(table: SimpleTable) -> tuple[str | None, dict[str, str]]:
    """The attention check as it was asked, and by option whether it passes."""
    text, passed = shown_attention(table.culture, table.language or table.culture.language)
    return compared(text) or None, {compared(option): value for option, value in passed.items()}


def _by_values(table: SimpleTable, at: int, shown: dict[str, dict[str, str]]) -> str:
    """The one attribute of whose values a column holds some; empty where it is not told."""
    column = table.view.frame.columns[at]
    cells = {compared(column.values[code]) for code in column.used()}
    fit = [name for name, values in shown.items() if cells & values.keys()]
    return fit[0] if len(fit) == 1 else ""


def _meant(table: SimpleTable, at: int, values: dict[str, str] | None) -> str:
    """What the cells of an attribute are taken for, where that is not what they say."""
    if values is None:
        return ""
    column = table.view.frame.columns[at]
    cells = dict.fromkeys(plain(column.values[code]) for code in column.used())
    other = [
        f"{cell} is {values[compared(cell)]}"
        if compared(cell) in values
        else f"{cell} is not known"
        for cell in cells
        if cell and values.get(compared(cell)) != cell
    ]
    more = ", ..." if len(other) > NAMED else ""
    return f" ({', '.join(other[:NAMED])}{more})" if other else ""


def _refuse_other_words(table: SimpleTable, at: int) -> None:
    """Refuse a column that is called as attention checks are, and does not say who passed."""
    column = table.view.frame.columns[at]
    for value in column.values:
        if quality_value("attention", plain(value), table.culture.survey) is None:
            table.refuse(
                f"column '{table.titles[at]}' seems to be an attention check, and '{plain(value)}' "
                f"says neither {' nor '.join(QUALITY_VALUES['attention'])}",
                first_of(column.codes == column.values.index(value)),
                at,
                "write 'passed' or 'failed', say in survey.quality.values what stands for them, or "
                "delete the column",
            )
