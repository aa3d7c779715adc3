"""The banks of several cultures beside each other: which stereotypes hold where, and why not.

Templates are paired where they come from the same template of a published set. No model is asked.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any

from curation import __version__
from curation.files.outcomes import TemplateOutcome
from curation.files.workspace import Workspace
from curation.records.bank import Label
from curation.records.messages import refusal
from curation.records.survey import BY_PEOPLE, Decision, Rule, Status
from curation.report.figures import Dot, Panel, Picture, forest, look
from curation.report.page import Block, Cell, Field, Page, ReportTexts, html
from curation.report.texts import typed
from evaluation.compare.sides import Given, listed
from evaluation.folders import Row, said
from evaluation.qa.samples import BBQ, OWN, Source, set_of, source_of
from survey.bank import final_bank


class Standing(StrEnum):
    """What a culture says of a stereotype of the source.

    Attributes:
        HOLDS: The survey has kept its template, with the target groups of the source.
        MODIFIED: The template is in use with other target groups (label TM).
        DECIDED: A person has kept the template, whatever the survey found.
        IN_USE: The template is in use, and no survey has decided on it.
        NOT_READY: The template gives no samples yet: it is not translated, or lacks groups.
        TURNED: The survey found it to be about the non-target group.
        UNKNOWN: The survey found that people do not know it.
        UNCLEAR: People did not understand the template, or too few were asked.
        LEFT_OUT: It was labelled SR, or taken out by a person.
        SEVERAL: Several templates come from it, and they differ.
        ABSENT: The bank has no template of it.
    """

    HOLDS = "holds"
    MODIFIED = "target modified"
    DECIDED = "kept by a person"
    IN_USE = "not surveyed"
    NOT_READY = "not ready"
    TURNED = "turned"
    UNKNOWN = "not known"
    UNCLEAR = "not understood"
    LEFT_OUT = "left out"
    SEVERAL = "several"
    ABSENT = "absent"


USED = (Standing.HOLDS, Standing.MODIFIED, Standing.DECIDED, Standing.IN_USE)
"""What stands in the benchmark."""
_UNCLEAR = (Rule.COMPREHENSION, Rule.MIN_RESPONDENTS)
_TURNED = "majority_non_target"
BANK_COLUMNS = (
    *("source", "source_category", "source_id", "set", "template_id", "label", "stereotype"),
    *("targets", "standing", "share", "uniform_shares", "no_stereotype", "respondents", "reason"),
)
"""One row for each template of each bank. `share` is that of those who named a group and named the
target, `uniform_shares` how many uniform shares the target group had, `no_stereotype` the share of
respondents who know of no such stereotype; undefined where that was not asked."""
STANDING_COLUMNS = ("source", "source_category", "source_id")
"""One row for each source that two banks have; then a column for each set, with the standing."""
COUNT_COLUMNS = ("set_1", "set_2", "standing_1", "standing_2", "sources")
"""How many sources have which standing in the first set and in a further one, of those that both
have."""
_BY_HAND = ("bbq_category", "bbq_id")
"""Columns in which a person writes in a bank which template of BBQ is like one of another set."""
_Templates = Mapping[Source, Sequence[Row]]
_TEXTS = ReportTexts(__package__, "texts.yaml")


def bank_rows(given: Given) -> tuple[_Templates, Path]:
    """The templates of a workspace or a package, by what they come from.

    Args:
        given: The side; its folder is a workspace, or a package that has one.

    Returns:
        The rows with `BANK_COLUMNS`, by source, and the file of the bank.

    Raises:
        CurateError: If the folder has no workspace, or a file cannot be read.
    """
    places = [given.folder, given.folder / "workspace"]
    root = next((place for place in places if (place / "culture.yaml").exists()), None)
    if root is None:
        raise refusal("evaluation", "banks-workspace", str(given.folder), side=given.name)
    workspace = Workspace(root)
    found: dict[Source, list[Row]] = {}
    final = final_bank(workspace)
    ready = {str(template.id) for template in final.fillable}
    for item in final.outcomes:
        variant = item.template.variants[0]
        told = dict(variant.extra)
        category, number = (told.get(name, "") for name in _BY_HAND)
        source = source_of(BBQ, category, number)
        if source is None:
            category = variant.source_category
            source = source_of(set_of(variant.source, category), category, variant.source_id)
        if source is None:
            own = f"{OWN}{given.name}"  # what nobody else has: two cultures may have one name
            source = Source(own, variant.category, str(variant.template_id))
        is_ready = str(item.template.id) in ready
        row = _row(item, source, given.name, is_ready=is_ready)
        row["source_category"] = category or variant.category
        found.setdefault(source, []).append(row)
    return found, workspace.bank_file


def _row(item: TemplateOutcome, source: Source, name: str, *, is_ready: bool) -> Row:
    template = item.template
    by_rule = {decision.rule: decision for decision in item.decisions}
    known, none = by_rule.get(Rule.TWO_THIRDS), by_rule.get(Rule.NO_STEREOTYPE)
    selected = by_rule.get(Rule.TARGET_SELECTION)
    return {
        "source": source.set,
        "source_category": source.category,
        "source_id": source.number,
        "set": name,
        "template_id": str(template.id),
        "label": template.label.value if template.label else "",
        "stereotype": template.stereotype,
        "targets": ", ".join(template.variants[0].texts.target_groups),
        "standing": standing(item, is_ready=is_ready).value,
        "share": _value(known),
        "uniform_shares": _value(selected),
        "no_stereotype": _value(none),
        "respondents": none.n if none else None,
        "reason": item.reason,
    }


def _value(decision: Decision | None) -> float | None:
    return None if decision is None or decision.value is None else float(decision.value)


def standing(item: TemplateOutcome, *, is_ready: bool = True) -> Standing:
    """What a culture says of the stereotype of a template.

    Args:
        item: The template with what was decided on it.
        is_ready: Whether it gives samples, if it is retained.
    """
    if item.status in (Status.REMOVED, Status.SET_ASIDE):
        return Standing.LEFT_OUT
    rule = item.decisive.rule if item.decisive else None
    if item.status is Status.DROPPED:
        if rule in BY_PEOPLE:
            return Standing.LEFT_OUT
        if rule in _UNCLEAR:
            return Standing.UNCLEAR
        turned = any(decision.reason == _TURNED for decision in item.decisions)
        return Standing.TURNED if turned else Standing.UNKNOWN
    if not is_ready:
        return Standing.NOT_READY
    if rule in BY_PEOPLE:
        return Standing.DECIDED
    if item.template.label is Label.TARGET_MODIFIED:
        return Standing.MODIFIED
    return Standing.HOLDS if item.status is Status.KEPT else Standing.IN_USE


def of_source(rows: Sequence[Row]) -> str:
    """The standing of a source in a bank, by the templates that come from it."""
    found = {str(row["standing"]) for row in rows}
    return found.pop() if len(found) == 1 else Standing.SEVERAL if found else Standing.ABSENT


def tables_of(
    sides: Mapping[str, _Templates],
) -> dict[str, tuple[Sequence[str], Sequence[Row]]]:
    """The tables of a comparison of banks.

    Args:
        sides: By name of a set its templates by source.

    Raises:
        CurateError: If no two sets share a source.
    """
    names = list(sides)
    first = sides[names[0]]
    counts: list[Row] = []
    for other in names[1:]:
        shared = [source for source in first if source in sides[other]]
        found = Counter((of_source(first[at]), of_source(sides[other][at])) for at in shared)
        counts += [
            dict(zip(COUNT_COLUMNS, (names[0], other, *both, number), strict=True))
            for both, number in found.most_common()
        ]
    every: dict[Source, object] = {}
    for rows in sides.values():
        for at, templates in rows.items():  # a category is written as the first set writes it
            category = every.setdefault(at, templates[0]["source_category"])
            for row in templates:
                row["source_category"] = str(category)
    shared = [at for at in every if sum(at in rows for rows in sides.values()) > 1]
    if not shared:
        where = "; ".join(f"{name}: {listed(rows)}" for name, rows in sides.items())
        words = {"sides": " and ".join(names), "columns": " and ".join(_BY_HAND)}
        raise refusal("evaluation", "banks-apart", where, **words)
    standings: list[Row] = []
    for at in shared:
        row = next(rows[at][0] for rows in sides.values() if at in rows)
        told = {name: of_source(rows.get(at, ())) for name, rows in sides.items()}
        standings.append({**{name: row[name] for name in STANDING_COLUMNS}, **told})
    banks = [row for rows in sides.values() for at in rows for row in rows[at]]
    return {
        "counts": (COUNT_COLUMNS, counts),
        "standings": ((*STANDING_COLUMNS, *names), standings),
        "banks": (BANK_COLUMNS, banks),
    }


def notes_of(sides: Mapping[str, _Templates], workspaces: Mapping[str, Path]) -> Iterator[str]:
    """Say what each bank has beside, and which were not surveyed."""
    for name, rows in sides.items():
        others = {at for other, found in sides.items() if other != name for at in found}
        if others.isdisjoint(rows):
            columns = " and ".join(_BY_HAND)
            yield said("banks-alone", side=name, sources=listed(rows), columns=columns)
        own = sum(len(found) for at, found in rows.items() if at.set.startswith(OWN))
        if own:
            yield said("banks-own", side=name, count=own)
        if not Workspace(workspaces[name].parents[1]).tallies_file.exists():
            yield f"{name}: no survey has decided on its templates"


def in_use(standings: Sequence[Row], names: Sequence[str]) -> Picture:
    """Draw by category which share of the shared stereotypes each set has in use.

    Args:
        standings: The rows of the table of that name.
        names: The sets.
    """
    categories = sorted({str(row["source_category"]) for row in standings})
    series: list[list[Dot | None]] = [[] for _ in names]
    told = []
    for name, dots in zip(names, series, strict=True):
        for category in ("", *categories):
            rows = [row for row in standings if category in ("", row["source_category"])]
            k, n = sum(row[name] in USED for row in rows), len(rows)
            dots.append(Dot(k / n))
            told.append(f"{name}, {category or 'all shared'}: {k} of {n}")
    looks = [look(at) for at in range(len(names))]
    across = "share of the shared templates"
    return forest(
        "banks",
        f"Share of the shared stereotypes that each bank has in use: {'; '.join(told)}.",
        ["all shared", *categories],
        [Panel("Stereotypes in use", across, series, looks, (0.0, 1.0))],
        names=names,
    )


def page_of(
    tables: Mapping[str, tuple[Sequence[str], Sequence[Row]]],
    names: Sequence[str],
    notes: Sequence[str],
    pictures: Sequence[Picture],
) -> str:
    """Set the comparison out as one page: the picture, the counts, and template by template."""
    standings, banks = tables["standings"][1], tables["banks"][1]
    there: dict[tuple[object, ...], list[Row]] = {}
    for row in banks:
        there.setdefault(tuple(row[name] for name in (*STANDING_COLUMNS, "set")), []).append(row)
    lines = []
    for row in standings:
        line: dict[Any, Any] = {name: row[name] for name in STANDING_COLUMNS}
        for name in names:
            found = there.get((*(row[part] for part in STANDING_COLUMNS), name), ())
            cell = Cell(str(row[name]), below="; ".join(map(_said, found)), key=row[name])
            line["set", name] = cell
        lines.append(line)
    columns = [Field(name, "choice", ("set", name)) for name in names]
    blocks = {
        "in-use": Block(picture="banks"),
        "counts": Block(view=_TEXTS.view("counts", tables["counts"][1])),
        "templates": Block(view=_TEXTS.view("standings", lines, columns)),
    }
    alike = sum(len({row[name] for name in names} - {Standing.ABSENT}) == 1 for row in standings)
    alike_told = _TEXTS.said("alike", templates=len(standings), alike=alike)
    sections = tuple(_TEXTS.section(name, block) for name, block in blocks.items())
    kind, title = "Banks of several cultures", ", ".join(names)
    return html(Page(kind, title, "", "", __version__, (*alike_told, *notes), sections), pictures)


def _said(row: Row) -> str:
    """What is said of a template in a cell, as short as it can be."""
    parts = [str(row["label"]), str(row["targets"])]
    parts += [typed(row[name], 2) for name in _SHARES if row[name] is not None]
    return ", ".join(part for part in parts if part)


_SHARES = ("share", "no_stereotype")
