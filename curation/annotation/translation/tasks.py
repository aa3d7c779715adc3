"""Translation on a Label Studio server: a page a template, and the texts that come back.

A text that several templates have is asked on the page of one of them. On the pages of the others
it stands below, with a box for who wants another text there.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from curation.annotation.labelstudio.answers import (
    PULL_AGAIN,
    Answers,
    ReadAnswer,
    TaskKind,
    Wanted,
)
from curation.annotation.labelstudio.tasks import HELPS, NOTHING, Task, box, digest, page_of
from curation.annotation.sheets import helps, pages
from curation.annotation.translation.sheet import (
    LABEL_FIRST,
    Entry,
    entries,
    make_translation_sheets,
    shown_where,
)
from curation.annotation.translation.units import (
    Row,
    Unit,
    Variants,
    proposed_text,
    rows_of,
    units_by_key,
    units_either_way,
    units_of,
)
from curation.annotation.translation.verification import problem_of, short_text
from curation.files.codec import Codec
from curation.files.workspace import Workspace
from curation.languages import LanguageOrCode
from curation.languages.general import Pages
from curation.records.messages import Finding, Severity, finding


@dataclass(frozen=True, slots=True)
class Translation:
    """One translator's text; fields are the columns of `translate.csv`.

    Attributes:
        unit_id: The text: the template whose page asked for it, and a hash of kind and source.
        template_id: The template.
        kind: `text`, `plain` or `filler`.
        annotator: Who translated.
        source: The source text.
        target: The translation.
        remark: Anything else that was said of the page.
        source_file: The project.
        row_hash: Of what the translator saw.
        collected_at: When it was read first, UTC, ISO 8601.
        unchanged: Whether it is what stood in its box, `true` or `false`. Who submits the
            machine's text unchanged confirms it.
        alone: Whether it was written for this template alone, beside a text of several: `true` or
            `false`.
        seen: The texts of the bank that the page showed, a line each.
        link: Where its page is.
    """

    unit_id: str
    template_id: str
    kind: str
    annotator: str
    source: str
    target: str
    remark: str
    source_file: str
    row_hash: str
    collected_at: str
    unchanged: str = ""
    alone: str = ""
    seen: str = ""
    link: str = ""


SHOWN_WITH = "context"
"""The text of a page that its boxes point to."""


def _page(workspace: Workspace) -> str:
    source, language = workspace.source_language, workspace.language
    return page_of("translate", source, pages(language), target=language)


def _told(workspace: Workspace) -> tuple[str, ...]:
    """The rules of the page, and what stands beside a text, explained once."""
    said = helps(workspace.language, HELPS).values()
    rules = pages(workspace.language).guidelines.translate
    return (*rules, *(f"{title}: {note}" for title, note in said if note))


def _tasks(workspace: Workspace, wanted: Wanted) -> tuple[list[Task], list[Finding]]:
    everything = wanted.every
    units, findings = units_of(
        workspace, unlabelled=everything or None, every=everything, named=wanted.named
    )
    variants = {variant.id: variant for variant in workspace.bank.variants}
    texts = pages(workspace.language)
    found = template_pages(units, variants, workspace.language, texts, wanted.asked)
    if wanted.missing:
        open_ = {str(u.template) for u in units if not all(u.own(variants))}
        found = [task for task in found if task.uid in open_]
    return found, findings


def template_pages(
    units: Sequence[Unit],
    variants: Variants,
    language: LanguageOrCode,
    texts: Pages,
    asked: Mapping[str, str],
) -> list[Task]:
    """A task for each template that has a text of its own to be translated.

    Args:
        units: The texts of templates.
        variants: The bank's variants.
        language: Of the translation.
        texts: What the page says.
        asked: By key of a row, the template whose page asks for it; the first one by default.
    """
    by_template: dict[str, list[tuple[Unit, Row, str]]] = {}
    for row in rows_of(units, variants, apart=()):
        owner = _owner(row, variants, asked)
        for unit in row.units:
            by_template.setdefault(str(unit.template), []).append((unit, row, owner))
    place = {unit: at for at, unit in enumerate(units)}
    tasks = []
    for template, found in by_template.items():
        found.sort(key=lambda item: place[item[0]])
        own = [_first(row, unit) for unit, row, owner in found if owner == template]
        if own:
            shared = [(unit, row, owner) for unit, row, owner in found if owner != template]
            tasks.append(_task(template, own, shared, variants, language, texts))
    order = {
        template: at for at, template in enumerate(dict.fromkeys(str(u.template) for u in units))
    }
    return sorted(tasks, key=lambda task: order[task.uid])


def _owner(row: Row, variants: Variants, asked: Mapping[str, str]) -> str:
    """The template whose page asks for a row.

    Where the page that asked for it is gone, and its text is in the bank, none does.
    """
    first = asked.get(row.key, row.templates[0])
    if first in row.templates:
        return first
    return "" if all(row.unit.own(variants)) else row.templates[0]


def _first(row: Row, unit: Unit) -> Row:
    """A row whose first text is that of the template whose page it stands on."""
    return replace(row, units=(unit, *(other for other in row.units if other != unit)))


def _task(
    template: str,
    own: Sequence[Row],
    shared: Sequence[tuple[Unit, Row, str]],
    variants: Variants,
    language: LanguageOrCode,
    texts: Pages,
) -> Task:
    asked = [_asked(entry, variants, language) for entry in entries(own, variants, language)]
    others = [_other(unit, row, owner, variants, language, texts) for unit, row, owner in shared]
    unit = own[0].unit
    shown = {
        "heading": f"{template} · {unit.category}",
        "template_id": template,
        "context": unit.context or NOTHING,
        "texts": asked,
        "others_title": texts.other_texts if others else "",
        "others": others,
    }
    about = [[item["key"], item["source"], item["machine"]] for item in asked]
    keys = tuple(row.key for row in own)
    boxes = {f"target_{at}": item["target"] for at, item in enumerate(asked)}
    boxes |= {f"other_{at}": item["target"] for at, item in enumerate(others)}
    return Task(
        template,
        shown,
        digest({"texts": about}),
        suggested=tuple(box(name, SHOWN_WITH, text) for name, text in boxes.items()),
        asks=keys,
        stays=True,
    )


def _asked(entry: Entry, variants: Variants, language: LanguageOrCode) -> dict[str, str]:
    """A text that is asked for, as its page shows it."""
    row, cells = entry
    unit = row.unit
    notes = dict.fromkeys(variants[place.variant].note for place in row.units[0].places)
    told = {
        "example": cells["example"] if unit.parsed.slots else "",
        "forms": cells["forms"],
        "names": cells["names"],
        "note": "\n".join(filter(None, notes)),
    }
    titles = helps(language, HELPS)
    return {
        **told,
        **{f"{name}_title": titles[name][0] if told[name] else "" for name in HELPS},
        "key": row.key,
        "kind": unit.kind.value,
        "where": cells["where"],
        "source": unit.text,
        "machine": cells["machine"],
        "look_at": f"({cells['look_at']})" if cells["look_at"] else "",
        "target": _in_box(unit, cells, variants, language),
        "seen": cells["in_bank"],
    }


def _in_box(
    unit: Unit, cells: Mapping[str, str], variants: Variants, language: LanguageOrCode
) -> str:
    """What stands in a box: what people wrote, else the machine's if it could be taken."""
    if cells["in_bank"]:
        return cells["translation"]
    text, _ = proposed_text(cells["machine"], unit.kind, language)
    return "" if not text or problem_of(unit, text, variants, language) else text


def _other(
    unit: Unit, row: Row, owner: str, variants: Variants, language: LanguageOrCode, texts: Pages
) -> dict[str, str]:
    """A text that is asked for on another page, as the page of one of its templates shows it."""
    counts: dict[str, int] = {}
    for one in row.units:
        for text in filter(None, one.own(variants)):
            counts[text] = counts.get(text, 0) + 1
    usual = max(counts, key=lambda text: counts[text]) if counts else ""
    machine = row.unit.machine(variants)
    mine = {text for text in unit.own(variants) if text} - {usual}
    return {
        "key": unit.short_key,
        "kind": unit.kind.value,
        "where": shown_where(unit, texts),
        "source": unit.text,
        "standing": usual or proposed_text(machine, unit.kind, language)[0] or NOTHING,
        "page": owner,
        "target": next(iter(mine)) if len(mine) == 1 else "",
        "seen": "\n".join(text for text in unit.own(variants) if text),
    }


def _rows(answers: Answers) -> list[Translation]:
    workspace = answers.workspace
    known = units_by_key(*units_either_way(workspace))
    left = 0
    found: list[Translation] = []
    for item in answers.given:
        given = [*_of_page(item, answers)]
        there = [one for one in given if one.unit_id.removeprefix(f"{one.template_id}-") in known]
        left += len(given) - len(there)
        found += there
    answers.leave_out(left)
    variants = {variant.id: variant for variant in workspace.bank.variants}
    for row in found:  # said now, while people can still correct it
        units = known[row.unit_id.removeprefix(f"{row.template_id}-")]
        if problem := text_problem(row, units, variants, workspace.language):
            said = replace(problem, file="annotations", severity=Severity.WARNING)
            answers.findings.append(said)
    return found


def _of_page(item: ReadAnswer, answers: Answers) -> Iterator[Translation]:
    """The texts of a page: all that it asks for, and those that were written for it alone."""
    empty = 0
    for name, alone in (("texts", False), ("others", True)):
        cells = item.data.get(name)
        for at, cell in enumerate(cells if isinstance(cells, list) else []):
            target = item.text(f"{'other' if alone else 'target'}_{at}")
            if target:
                same = "true" if target == str(cell.get("target", "")).strip() else "false"
                made = _translation(item, cell, target)
                said = "true" if alone else "false"
                yield replace(made, unchanged=same, alone=said, seen=str(cell.get("seen", "")))
            empty += not target and not alone
    if empty:
        words = {"uid": item.uid, "person": item.annotator, "link": item.link}
        answers.say("labelstudio-empty", count=empty, **words)


def _translation(item: ReadAnswer, cell: Mapping[str, object], target: str) -> Translation:
    template = item.field("template_id")
    return Translation(
        unit_id=f"{template}-{cell.get('key')}",
        template_id=template,
        kind=str(cell.get("kind", "")),
        annotator=item.annotator,
        source=str(cell.get("source", "")),
        target=target,
        remark=item.text("remark"),
        source_file=item.source,
        row_hash=item.field("hash"),
        collected_at=item.at,
        link=item.link,
    )


def text_problem(
    row: Translation, units: Sequence[Unit], variants: Variants, language: LanguageOrCode
) -> Finding | None:
    """Say why a text of a page cannot be taken; None when it can."""
    text = row.target.strip()
    if not units:
        words = {"template": row.template_id, "text": short_text(row.source)}
        return finding(__package__, "translation-source-changed", "", person=row.annotator, **words)
    place = f"{units[0].template}, {'; '.join(units[0].where)}"
    if not text:
        return finding(__package__, "translation-empty", "", place=place, person=row.annotator)
    problem = problem_of(Row("", tuple(units)).unit, text, variants, language)
    if problem is None:
        return None
    return replace(
        problem,
        message=f"{place}: '{short_text(text)}' of {row.annotator} is not taken: {problem.message}",
        hint=f"{problem.hint}; have it corrected on its page, then pull and collect again: "
        f"{row.link}",
    )


KIND = TaskKind(
    name="translate",
    annotations=1,
    page=_page,
    tasks=_tasks,
    file="translate.csv",
    codec=Codec(Translation, PULL_AGAIN),
    key=("annotator", "unit_id"),
    rows=_rows,
    told=_told,
    empty=LABEL_FIRST,
    then="curate collect {file} puts the texts into the bank",
    sheets=lambda *asked: [one["file"] for one in make_translation_sheets(*asked)["sheets"]],
)
"""Machine translations are edited."""
