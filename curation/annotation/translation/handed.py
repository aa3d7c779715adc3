"""What translators are handed: a workbook with a row for each distinct text, or a page a template.

A text that several templates have is asked on the page of one of them. On the pages of the others
it stands below, with a box for who wants another text there.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, groupby
from pathlib import Path
from types import MappingProxyType
from typing import Any

from curation.annotation import sheets
from curation.annotation.labelstudio import answers as answering
from curation.annotation.labelstudio.tasks import HELPS, NOTHING, Task, box, digest
from curation.annotation.translation import units as corpus
from curation.annotation.translation import verification
from curation.annotation.translation.bilingual import Segment, xliff_text
from curation.files.codec import Codec
from curation.files.lock import writing
from curation.files.workbooks import Book, Sheet, SheetRow
from curation.files.workbooks.spec import TEMPLATES
from curation.files.workspace import Workspace
from curation.languages.general import Pages
from curation.records.bank import Template
from curation.records.messages import CurateError, Finding, Severity, finding
from curation.slots.protection import flagged

KIND = "translate"
"""The kind of the workbook."""
CARRIED = ("machine", "in_bank", "look_at", "remark")
"""The columns that another program's file carries, to know later what was there at first."""
_YES, _NO = "yes", "no"
_TEMPLATES = 8
_NOTES = 5
_BLANK = 100
_BEGINNING = ("ambiguous_context",)

IMPORT_FIRST = "the bank is empty: import templates first ('curate import')"
LABEL_FIRST = (
    "label templates ST or TM ('curate status' names the labels that are not recorded yet), or set "
    "translation.unlabelled in culture.yaml; 'curate explain TEMPLATE' says why one is not used"
)
"""What to do where no template is to be translated."""


Entry = tuple[corpus.Row, dict[str, str]]
"""Equal texts, and what a workbook shows of them, by column."""


def entries(rows: Iterable[corpus.Row], variants: corpus.Variants) -> list[Entry]:
    """Put together what a translator has to know of each row."""
    return [(row, _cells(row, variants)) for row in rows]


def _cells(row: corpus.Row, variants: corpus.Variants) -> dict[str, str]:
    unit = row.unit
    machine = unit.machine(variants)
    flags = corpus.machine_flags(unit, machine, variants.language) if machine else ()
    written = [text for text in unit.own(variants) if text]
    prefill = "" if flags else corpus.proposed_text(machine, unit.kind, variants.language)[0]
    if written:
        prefill = written[0] if len(written) == 1 else ""
    notes = dict.fromkeys(variants[place.variant].note for place in unit.places)
    filled = prefill or next(iter(written), "")
    return {
        "where": shown_where(unit, sheets.pages(variants.language)),
        "source": unit.text,
        "machine": machine,
        "look_at": "; ".join(flagged(flag, variants.language) for flag in flags),
        "names": ", ".join(corpus.entities(unit)),
        "note": "\n".join(_few([*filter(None, notes)], _NOTES)),
        "in_bank": "\n".join(written),
        "forms": verification.agreeing_names(unit, variants),
        "example": verification.filled_examples(unit, filled, variants),
        "translation": prefill,
        "confirmed": "",
        "remark": "",
    }


def texts_seen(cell: str) -> frozenset[str]:
    """What stood in the bank, by what was shown of it: a text in each line, or one of lines."""
    return frozenset(filter(None, (cell, *cell.split("\n"))))


def _few(texts: Sequence[str], most: int) -> list[str]:
    """The first of several texts, and how many more there are."""
    more = len(texts) - most
    return [*texts[:most], f"+{more}"] if more > 0 else [*texts]


Scenes = Mapping[str, str]
"""By template how its source begins: people know it by that."""


def scenes_of(workspace: Workspace) -> Scenes:
    """How each template's source begins, with its id where two begin alike."""
    language = workspace.source_language
    begins = {
        str(item.id): verification.short_text(
            corpus.context_of(item.first.source_texts, _BEGINNING, language)
        )
        for item in workspace.bank.templates()
    }
    often = Counter(begins.values())
    return {name: f"{text} ({name})" if often[text] > 1 else text for name, text in begins.items()}


def translation_sheet(rows: Sequence[Entry], scenes: Scenes) -> Sheet:
    """Make the sheet of some entries; what is in the bank is hidden where it is to be confirmed."""
    is_there = all(cells["in_bank"] in ("", cells["translation"]) for _, cells in rows)
    asked = (replace(c, hidden=is_there and c.name == "in_bank") for c in sheets.columns("texts"))
    made = []
    for row, cells in rows:
        ids = _few(row.templates, _TEMPLATES)
        shown = "\n".join(scenes.get(name, name) for name in ids)
        told = {"template_id": shown, TEMPLATES: "\n".join(ids)}
        made.append(SheetRow(row.key, cells | told))
    return Sheet("texts", tuple(asked), tuple(made))


def other_texts_sheet(rows: Iterable[Entry] = (), scenes: Scenes = MappingProxyType({})) -> Sheet:
    """Make the sheet for templates in which a text of several is to be translated in another way.

    Args:
        rows: The texts.
        scenes: What templates are called, of which one is chosen.
    """
    shared = (row.templates for row, _ in rows if len(row.templates) > 1)
    named = dict.fromkeys(scenes[name] for every in shared for name in every)
    return Sheet("other texts", sheets.columns("other texts", template_id=named), (), blank=_BLANK)


def wording_sheet(templates: Iterable[Template], untied: Collection[str]) -> Sheet:
    """Make the sheet in which people say how templates are worded.

    Args:
        templates: The templates.
        untied: Those whose variants are translated separately.
    """
    rows = []
    for template in templates:
        name, versions = str(template.id), (v.id.version for v in template.variants)
        now = {
            "separate": _YES if name in untied else _NO,
            "version": ", ".join(dict.fromkeys(filter(None, versions))),
            "stereotype": template.stereotype,
        }
        cells = {
            "source": template.first.source_texts.ambiguous_context,
            "in_bank": "\n".join(f"{column}: {text}" for column, text in now.items() if text),
        }
        rows.append(SheetRow(name, cells))
    return Sheet("wording", sheets.columns("wording"), tuple(rows))


def translation_book(
    rows: Sequence[Entry], about: Mapping[str, str], scenes: Scenes, *more: Sheet
) -> Book:
    """Make a translator's workbook.

    Args:
        rows: What is to be translated.
        about: What has to come back: the translator.
        scenes: What templates are called.
        more: Further sheets.
    """
    every = translation_sheet(rows, scenes), other_texts_sheet(rows, scenes), *more
    return Book(KIND, every, about=about)


def shown_where(unit: corpus.Unit, texts: Pages) -> str:
    """Where a text stands in its first template, in words, and in how many others it does."""
    first = [place for place in unit.places if place.variant.template == unit.template]
    lines = corpus.lettered(
        (f"[{at.slot}]" if at.slot else _title(at.field, texts), at) for at in first
    )
    more = len({place.variant.template for place in unit.places}) - 1
    return "; ".join([*lines, f"+{more}"] if more else lines)


def _title(field: str, texts: Pages) -> str:
    """What people are told that a field of a template is; those of both sides are called alike."""
    side = field.rpartition("_")[2]
    title: str = getattr(texts, f"{side}s" if side in ("question", "answer") else field)
    return title


def in_use(workspace: Workspace, rows: Iterable[corpus.Row]) -> list[corpus.Row]:
    """The rows of which a template is in use."""
    out = workspace.not_used
    return [row for row in rows if not out >= {*row.templates}]


def _shared_out(
    rows: Iterable[corpus.Row], only: Collection[str], parts: int
) -> list[list[corpus.Row]]:
    """The rows of templates by parts; templates that come or go move no text of others.

    A text of several templates goes with the first of them, so that one translator writes it.
    """
    found: list[list[corpus.Row]] = [[] for _ in range(parts)]
    for row in rows:
        wanted = [unit for unit in row.units if str(unit.template) in only]
        if wanted:
            digest = hashlib.sha256(str(wanted[0].template).encode()).digest()
            found[int.from_bytes(digest[:4]) % parts].append(row)
    return found


def make_translation_sheets(
    workspace: Workspace,
    translators: Sequence[str] = (),
    named: Collection[str] = (),
    out: Path | None = None,
    *,
    xliff: bool = False,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> dict[str, Any]:
    """Make workbooks for translators: a row a text, with the machine's text to start from.

    The templates are shared out; who gets none gets no workbook.

    Args:
        workspace: The workspace.
        translators: Who translates; one workbook in nobody's name by default.
        named: Only these templates or categories; all by default.
        out: The folder; `annotations/sheets` by default.
        xliff: Whether they are XLIFF 1.2, for translators' own programs.
        progress: Called with how many texts are in workbooks, and the total.

    Returns:
        `sheets`: of each workbook the `translator`, empty where nobody was named, the `file`, and
        how many `texts` it holds; how many of them are `prefilled` with a text to start from, how
        many machine texts are `flagged` to be looked at, and how many forms of agreement are
        `proposed`. `findings`: source texts that cannot be parsed.

    Raises:
        CurateError: If names cannot be told apart, there is nothing to translate, or a workbook
            is in the way.
    """
    names = sheets.distinct_names(translators)
    folder = out or workspace.annotations.sheets
    paths = sheets.sheet_paths(folder, "translate", names) or {"": folder / "translate.xlsx"}
    made: list[dict[str, Any]] = []
    with writing(workspace, "curate translate sheet", to=out):
        variants = corpus.variants_of(workspace)
        units, findings = corpus.units_of(workspace)
        only, language = workspace.chosen(named), workspace.language
        parts = _shared_out(corpus.rows_of(units, variants), only, len(paths))
        total, scenes = sum(map(len, parts)), scenes_of(workspace)
        said: set[str] = set()  # a template's wording is asked once
        done = count()
        for (name, path), rows in zip(paths.items(), parts, strict=True):
            if not rows:
                continue
            made_of: list[Entry] = []
            for row in rows:
                progress(next(done), total)
                made_of += entries([row], variants)
            about = {"translator": name}
            if xliff:
                path = path.with_suffix(".xlf")
                languages = workspace.source_language, language
                sheets.hand_out_bytes(
                    path, xliff_text(map(_segment, made_of), about, languages).encode()
                )
            else:
                held = {name for row in rows for name in row.templates if name in only} - said
                asked = (one for one in workspace.bank.templates() if str(one.id) in held)
                wording = wording_sheet(asked, workspace.untied)
                sheets.hand_out(path, translation_book(made_of, about, scenes, wording), language)
                said |= held
            machine = ((cells["machine"], row.unit.kind) for row, cells in made_of)
            made.append(
                {
                    "translator": name,
                    "file": path,
                    "texts": len(rows),
                    "prefilled": sum(bool(cells["translation"]) for _, cells in made_of),
                    "flagged": sum(bool(cells["look_at"]) for _, cells in made_of),
                    "proposed": sum(corpus.proposed_text(*one, language)[1] for one in machine),
                }
            )
        progress(total, total)
    if not made:
        what, where = "nothing is to be translated", workspace.shown(workspace.bank_file)
        raise CurateError(what, where, LABEL_FIRST if variants else IMPORT_FIRST)
    return {"sheets": made, "findings": findings}


def _segment(entry: Entry) -> Segment:
    """A row as a text of XLIFF; what is to be known of it stands in notes."""
    row, cells = entry
    told = ("where", "names", "note", "forms", "example", *CARRIED)
    notes = {name: cells[name] for name in told}
    return Segment(row.key, row.unit.bare_text, cells["translation"], "", notes=notes)


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
    alone: str = ""
    seen: str = ""
    link: str = ""

    @property
    def key(self) -> str:
        """What it translates, as units are named by it."""
        return self.unit_id.rpartition("-")[2]


SHOWN_WITH = "context"
"""The text of a page that its boxes point to."""


def _told(workspace: Workspace) -> tuple[str, ...]:
    """The rules of the page, and what stands beside a text, explained once."""
    said = sheets.helps(workspace.language, HELPS).values()
    rules = sheets.pages(workspace.language).guidelines.translate
    return (*rules, *(f"{title}: {note}" for title, note in said if note))


def _tasks(workspace: Workspace, wanted: answering.Wanted) -> tuple[list[Task], list[Finding]]:
    """A task for each template that has a text of its own to be translated.

    A text of several is asked for by the page that asked for it before, or by that of the first.
    """
    everything = wanted.every
    units, findings = corpus.units_of(
        workspace, unlabelled=everything or None, every=everything, named=wanted.named
    )
    variants = corpus.variants_of(workspace)
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
    texts, unit = sheets.pages(variants.language), own[0].unit
    asked = [_asked(entry, variants) for entry in entries(own, variants)]
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


def _asked(entry: Entry, variants: corpus.Variants) -> dict[str, str]:
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
    titles = sheets.helps(variants.language, HELPS)
    box = cells["translation"]  # what people wrote, else the machine's if it could be taken
    if not cells["in_bank"]:
        text, _ = corpus.proposed_text(cells["machine"], unit.kind, variants.language)
        box = "" if not text or verification.problem_of(unit, text, variants) else text
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
        "where": shown_where(unit, sheets.pages(variants.language)),
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
    known = corpus.units_by_key(workspace, *corpus.units_either_way(workspace))
    left = 0
    found: list[Translation] = []
    for item in answers.given:
        given = [*_of_page(item, answers)]
        there = [one for one in given if one.key in known]
        left += len(given) - len(there)
        found += there
    answers.leave_out(left)
    variants = corpus.variants_of(workspace)
    for row in found:  # said now, while people can still correct it
        units = known[row.key]
        if problem := text_problem(row, units, variants):
            said = replace(problem, file="annotations", severity=Severity.WARNING)
            answers.findings.append(said)
    return found


def _of_page(item: answering.ReadAnswer, answers: answering.Answers) -> Iterator[Translation]:
    """The texts of a page: all that it asks for, and those that were written for it alone."""
    empty = 0
    for name, alone in (("texts", False), ("others", True)):
        cells: Any = item.data[name]
        for at, cell in enumerate(cells):
            target = item.text(f"{'other' if alone else 'target'}_{at}")
            if target:
                template = item.field("template_id")
                yield Translation(
                    unit_id=f"{template}-{cell['key']}",
                    template_id=template,
                    kind=cell["kind"],
                    annotator=item.person,
                    source=cell["source"],
                    target=target,
                    remark=item.text("remark"),
                    source_file=item.source,
                    row_hash=item.hash,
                    collected_at=item.at,
                    alone="true" if alone else "false",
                    seen=cell["seen"],
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
        words = {"template": row.template_id, "text": verification.short_text(row.source)}
        return finding(__package__, "translation-source-changed", "", person=row.annotator, **words)
    place = f"{units[0].template}, {'; '.join(units[0].where)}"
    if not text:
        return finding(__package__, "translation-empty", "", place=place, person=row.annotator)
    problem = verification.problem_of(corpus.Row("", tuple(units)).unit, text, variants)
    if problem is None:
        return None
    what = f"'{verification.short_text(text)}' of {row.annotator} is not taken: {problem.message}"
    hint = f"{problem.hint}; have it corrected on its page, then pull and collect again: {row.link}"
    return replace(problem, message=f"{place}: {what}", hint=hint)


PAGES = answering.TaskKind(
    name=KIND,
    annotations=1,
    tasks=_tasks,
    file="translate.csv",
    codec=Codec(Translation, answering.PULL_AGAIN, key=("unit_id", "annotator")),
    rows=_rows,
    told=_told,
    empty=LABEL_FIRST,
    then="curate collect {file} puts the texts into the bank",
    sheets=lambda *asked: [one["file"] for one in make_translation_sheets(*asked)["sheets"]],
)
"""Machine translations are edited."""
