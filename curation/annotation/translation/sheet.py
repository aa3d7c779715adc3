"""The translator's workbook: a row for each distinct text."""

import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, count
from pathlib import Path
from types import MappingProxyType
from typing import Any

from curation.annotation import sheets
from curation.annotation.translation import units as corpus
from curation.annotation.translation.bilingual import Segment, xliff_text
from curation.annotation.translation.verification import (
    agreeing_names,
    differing_templates,
    filled_examples,
    short_text,
)
from curation.files.lock import writing
from curation.files.workbooks import Book, Sheet, SheetRow
from curation.files.workbooks.spec import TEMPLATES
from curation.files.workspace import Workspace
from curation.languages.general import Pages
from curation.records.bank import Template
from curation.records.messages import CurateError
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
    "translation.unlabelled in culture.yaml"
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
        "forms": agreeing_names(unit, variants),
        "example": filled_examples(unit, filled, variants),
        "translation": prefill,
        "confirmed": "",
        "remark": "",
    }


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
        str(item.id): short_text(corpus.context_of(item.first.source_texts, _BEGINNING, language))
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
        `proposed`. `findings`: source texts that cannot be parsed. `differing`: templates with a
        text of several variants whose slot has names of several genders, as far as lists state it.

    Raises:
        CurateError: If names cannot be told apart, there is nothing to translate, or a workbook
            is in the way.
    """
    names = sheets.distinct_names(translators)
    folder = out or workspace.annotations.sheets
    paths = sheets.sheet_paths(folder, "translate", names) or [folder / "translate.xlsx"]
    made: list[dict[str, Any]] = []
    with writing(workspace, "curate translate sheet", to=out):
        variants = corpus.Variants(workspace.bank.variants, workspace.language)
        units, findings = corpus.units_of(workspace)
        only, language = workspace.chosen(named), workspace.language
        parts = _shared_out(corpus.rows_of(units, variants), only, len(paths))
        total, scenes = sum(map(len, parts)), scenes_of(workspace)
        said: set[str] = set()  # a template's wording is asked once
        done = count()
        for name, path, rows in zip(names or [""], paths, parts, strict=True):
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
    shown = [row.unit for row in chain(*parts)]
    differing = [one for one in differing_templates(shown, variants) if one in only]
    return {"sheets": made, "findings": findings, "differing": differing}


def _segment(entry: Entry) -> Segment:
    """A row as a text of XLIFF; what is to be known of it stands in notes."""
    row, cells = entry
    told = ("where", "names", "note", "forms", "example", *CARRIED)
    notes = {name: cells[name] for name in told}
    return Segment(row.key, row.unit.bare_text, cells["translation"], "", notes=notes)
