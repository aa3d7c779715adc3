"""Translation on a Label Studio server: a page a template, and the texts that come back.

A text that several templates have is asked on the page of one of them. On the pages of the others
it stands below, with a box for who wants another text there.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from curation.annotation.labelstudio import answers as answering
from curation.annotation.labelstudio.tasks import HELPS, NOTHING, Task, box, digest
from curation.annotation.sheets import helps, pages
from curation.annotation.translation import sheet
from curation.annotation.translation import units as corpus
from curation.annotation.translation.verification import problem_of, short_text
from curation.files.codec import Codec
from curation.files.workspace import Workspace
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


def _told(workspace: Workspace) -> tuple[str, ...]:
    """The rules of the page, and what stands beside a text, explained once."""
    said = helps(workspace.language, HELPS).values()
    rules = pages(workspace.language).guidelines.translate
    return (*rules, *(f"{title}: {note}" for title, note in said if note))


def _tasks(workspace: Workspace, wanted: answering.Wanted) -> tuple[list[Task], list[Finding]]:
    """A task for each template that has a text of its own to be translated.

    A text of several is asked for by the page that asked for it before, or by that of the first.
    """
    everything = wanted.every
    units, findings = corpus.units_of(
        workspace, unlabelled=everything or None, every=everything, named=wanted.named
    )
    variants = corpus.Variants(workspace.bank.variants, workspace.language)
    held: dict[corpus.Unit, tuple[corpus.Row, str]] = {}
    for row in corpus.rows_of(units, variants, apart=()):
        owner = wanted.asked.get(row.key, row.templates[0])
        if owner not in row.templates:
            # Its page is gone: nobody is asked for what is in the bank.
            owner = "" if all(row.unit.own(variants)) else row.templates[0]
        held |= dict.fromkeys(row.units, (row, owner))
    tasks = []
    for template, members in groupby(units, key=lambda unit: str(unit.template)):
        every = [*members]
        mine = [(unit, *held[unit]) for unit in every if unit in held]
        own = [_first(row, unit) for unit, row, owner in mine if owner == template]
        shared = [item for item in mine if item[2] != template]
        is_open = not all(all(unit.own(variants)) for unit in every)
        if own and (is_open or not wanted.missing):
            tasks.append(_task(variants, template, own, shared))
    return tasks, findings


def _first(row: corpus.Row, unit: corpus.Unit) -> corpus.Row:
    """A row whose first text is that of the template whose page it stands on."""
    return replace(row, units=(unit, *(other for other in row.units if other != unit)))


def _task(
    variants: corpus.Variants,
    template: str,
    own: Sequence[corpus.Row],
    shared: Sequence[tuple[corpus.Unit, corpus.Row, str]],
) -> Task:
    texts, unit = pages(variants.language), own[0].unit
    asked = [_asked(entry, variants) for entry in sheet.entries(own, variants)]
    others = [_other(*one, variants) for one in shared]
    shown = {
        "heading": f"{template} · {unit.category}",
        "template_id": template,
        "context": unit.context or NOTHING,
        "texts": asked,
        "others_title": texts.other_texts if others else "",
        "others": others,
    }
    about = [[item["key"], item["source"], item["machine"]] for item in asked]
    boxes = {f"target_{at}": item["target"] for at, item in enumerate(asked)}
    boxes |= {f"other_{at}": item["target"] for at, item in enumerate(others)}
    return Task(
        template,
        shown,
        digest({"texts": about}),
        suggested=tuple(box(name, SHOWN_WITH, text) for name, text in boxes.items()),
        asks=tuple(row.key for row in own),
        stays=True,
    )


def _asked(entry: sheet.Entry, variants: corpus.Variants) -> dict[str, str]:
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
    titles = helps(variants.language, HELPS)
    box = cells["translation"]  # what people wrote, else the machine's if it could be taken
    if not cells["in_bank"]:
        text, _ = corpus.proposed_text(cells["machine"], unit.kind, variants.language)
        box = "" if not text or problem_of(unit, text, variants) else text
    return {
        **told,
        **{f"{name}_title": titles[name][0] if told[name] else "" for name in HELPS},
        "key": row.key,
        "kind": unit.kind.value,
        "where": cells["where"],
        "source": unit.text,
        "machine": cells["machine"],
        "look_at": f"({cells['look_at']})" if cells["look_at"] else "",
        "target": box,
        "seen": cells["in_bank"],
    }


def _other(
    unit: corpus.Unit, row: corpus.Row, owner: str, variants: corpus.Variants
) -> dict[str, str]:
    """A text that is asked for on another page, as the page of one of its templates shows it."""
    usual, machine = corpus.usual_text(row.units, variants), row.unit.machine(variants)
    own = [text for text in unit.own(variants) if text]
    mine = [text for text in own if text != usual]
    return {
        "key": unit.short_key,
        "kind": unit.kind.value,
        "where": sheet.shown_where(unit, pages(variants.language)),
        "source": unit.text,
        "standing": usual
        or corpus.proposed_text(machine, unit.kind, variants.language)[0]
        or NOTHING,
        "page": owner,
        "target": mine[0] if len(mine) == 1 else "",
        "seen": "\n".join(own),
    }


def _rows(answers: answering.Answers) -> list[Translation]:
    workspace = answers.workspace
    known = corpus.units_by_key(*corpus.units_either_way(workspace))
    left = 0
    found: list[Translation] = []
    for item in answers.given:
        given = [*_of_page(item, answers)]
        there = [one for one in given if one.unit_id.removeprefix(f"{one.template_id}-") in known]
        left += len(given) - len(there)
        found += there
    answers.leave_out(left)
    variants = corpus.Variants(workspace.bank.variants, workspace.language)
    for row in found:  # said now, while people can still correct it
        units = known[row.unit_id.removeprefix(f"{row.template_id}-")]
        if problem := text_problem(row, units, variants):
            said = replace(problem, file="annotations", severity=Severity.WARNING)
            answers.findings.append(said)
    return found


def _of_page(item: answering.ReadAnswer, answers: answering.Answers) -> Iterator[Translation]:
    """The texts of a page: all that it asks for, and those that were written for it alone."""
    empty = 0
    for name, alone in (("texts", False), ("others", True)):
        cells = item.data.get(name)
        for at, cell in enumerate(cells if isinstance(cells, list) else []):
            target = item.text(f"{'other' if alone else 'target'}_{at}")
            if target:
                same, template = str(cell.get("target", "")).strip(), item.field("template_id")
                yield Translation(
                    unit_id=f"{template}-{cell.get('key')}",
                    template_id=template,
                    kind=str(cell.get("kind", "")),
                    annotator=item.person,
                    source=str(cell.get("source", "")),
                    target=target,
                    remark=item.text("remark"),
                    source_file=item.source,
                    row_hash=item.hash,
                    collected_at=item.at,
                    unchanged="true" if target == same else "false",
                    alone="true" if alone else "false",
                    seen=str(cell.get("seen", "")),
                    link=item.link,
                )
            empty += not target and not alone
    if empty:
        words = {"uid": item.uid, "person": item.person, "link": item.link}
        answers.say("labelstudio-empty", count=empty, **words)


def text_problem(
    row: Translation, units: Sequence[corpus.Unit], variants: corpus.Variants
) -> Finding | None:
    """Say why a text of a page cannot be taken; None when it can."""
    text = row.target.strip()
    if not units:
        words = {"template": row.template_id, "text": short_text(row.source)}
        return finding(__package__, "translation-source-changed", "", person=row.annotator, **words)
    place = f"{units[0].template}, {'; '.join(units[0].where)}"
    if not text:
        return finding(__package__, "translation-empty", "", place=place, person=row.annotator)
    problem = problem_of(corpus.Row("", tuple(units)).unit, text, variants)
    if problem is None:
        return None
    return replace(
        problem,
        message=f"{place}: '{short_text(text)}' of {row.annotator} is not taken: {problem.message}",
        hint=f"{problem.hint}; have it corrected on its page, then pull and collect again: "
        f"{row.link}",
    )


KIND = answering.TaskKind(
    name="translate",
    annotations=1,
    tasks=_tasks,
    file="translate.csv",
    codec=Codec(Translation, answering.PULL_AGAIN, key=("unit_id", "annotator")),
    rows=_rows,
    told=_told,
    empty=sheet.LABEL_FIRST,
    then="curate collect {file} puts the texts into the bank",
    sheets=lambda *asked: [one["file"] for one in sheet.make_translation_sheets(*asked)["sheets"]],
)
"""Machine translations are edited."""
