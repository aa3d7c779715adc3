"""Panel companies: what is asked, as plain CSV, and the codebook by which they answer.

Their files have a row a person, coded values, and often a codebook beside.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from curation.files.writers import write_table
from curation.languages import received_words
from survey.mapping import Mapping as FileMapping
from survey.mapping import QuestionPart, RespondentPart, save_mapping
from survey.platforms import Head, Recognised, called
from survey.platforms.kit import ATTENTION, FORM, RESPONDENT, FormItem, FormTexts, Instruction, Kit

JOINT = "all.mapping.yaml"
"""The mapping of one file that holds the answers to all forms."""
FORM_COLUMNS = (
    *("form", "position", "question_id", "kind", "column", "text", "code", "option"),
    *("option_text", "exclusive", "fixed_last"),
)
COVER_COLUMNS = ("form", "place", "kind", "column", "text", "code", "option_text")
"""The columns of `cover.csv`; `place` is `before` or `after` the questions."""
CODEBOOK_COLUMNS = ("column", "form", "about", "kind", "code", "label")


def write(folder: Path, kit: Kit) -> list[Path]:
    """Write a table for each form, what stands around its questions, and the codebook of all."""
    files = []
    for sheet in kit.sheets:
        path = folder / f"{sheet.id}.csv"
        write_table(path, "csv", FORM_COLUMNS, list(_rows(kit, sheet)))
        files.append(path)
    path = folder / "cover.csv"
    cover = [row for sheet in kit.sheets for row in _cover(kit, sheet)]
    write_table(path, "csv", COVER_COLUMNS, cover)
    files.append(path)
    path = folder / "codebook.csv"
    write_table(path, "csv", CODEBOOK_COLUMNS, list(_codebook(kit)))
    files.append(path)
    if len(kit.sheets) > 1:
        files.append(_write_joint(folder, kit))
    return files


def _write_joint(folder: Path, kit: Kit) -> Path:
    """Write the mapping of one file that holds the answers to all forms.

    There a blank cell is no answer in the rows of the forms that ask the question, and a question
    that was not shown in the others.
    """
    items = {item.question.id: item for sheet in kit.sheets for item in sheet.items}
    asked = {
        name: tuple(
            sheet.id for sheet in kit.sheets if name in {item.question.id for item in sheet.items}
        )
        for name in items
    }
    joint = _mapping(kit, items.values(), kit.sheets)
    parts = (part.model_copy(update={"asked": {FORM: asked[part.id]}}) for part in joint.questions)
    path = folder / JOINT
    heading = "# How one file with the answers to all forms is read.\n"
    save_mapping(path, joint.model_copy(update={"questions": tuple(parts)}), heading)
    return path


def _cover(kit: Kit, sheet: FormTexts) -> Iterator[tuple[str, ...]]:
    """Yield what a form shows before and after its questions, a row a text or an option."""
    words = kit.words
    for kind, text in (
        ("title", words.fill("title")),
        ("intro", sheet.intro),
        ("consent", words.fill("consent")),
    ):
        yield (sheet.id, "before", kind, "", text, "", "")
    for attribute in kit.attributes:
        for value, label in attribute.values.items():
            head = (sheet.id, "before", "attribute", attribute.name, attribute.text)
            yield (*head, value, label)
    yield (sheet.id, "after", "thanks", "", words.fill("thanks"), "", "")


def _rows(kit: Kit, sheet: FormTexts) -> Iterator[tuple[str | int | bool, ...]]:
    position = 0
    for step in kit.steps(sheet):
        if isinstance(step, Instruction):
            text = step.text
            yield (sheet.id, position, "", "instruction", "", text, "", "", "", False, False)
            continue
        item = step if isinstance(step, FormItem) else None
        position += item is not None
        asked, kind = ("", step.name) if item is None else (item.question.id, item.question.kind)
        for place, option, label in step.choices:
            last = place - 1 == step.last
            column = f"{step.name}_{place}" if step.is_multiple else step.name
            head = (sheet.id, position, asked, str(kind), column, step.text, str(place))
            yield (*head, option if asked else "", label, step.is_multiple and last, last)


def _codebook(kit: Kit) -> Iterator[tuple[str, ...]]:
    """Yield every column that comes back, a row a code; a column of several forms stands once."""
    yield (RESPONDENT, "", "", "text", "", kit.words.fill("respondent"))
    for sheet in kit.sheets:
        yield (FORM, sheet.id, "", "single", sheet.id, sheet.id)
    for attribute in kit.attributes:
        for value, label in attribute.values.items():
            yield (attribute.name, "", attribute.name, "single", value, label)
    for _, code, label in kit.check.choices:
        yield (ATTENTION, "", ATTENTION, "single", code, label)
    forms: dict[str, list[str]] = {}
    items: dict[str, FormItem] = {}
    for sheet in kit.sheets:
        for item in sheet.items:
            forms.setdefault(item.code, []).append(sheet.id)
            items[item.code] = item
    for column in sorted(items):
        item = items[column]
        where, about = " ".join(forms[column]), item.question.id
        for at, option in enumerate(item.question.options, start=1):
            if item.is_multiple:
                name = f"{column}_{at}"
                yield (name, where, about, "multiple", "1", option.text)
                yield (name, where, about, "multiple", "0", "")
            else:
                yield (column, where, about, "single", str(at), option.text)


def mapping(kit: Kit, sheet: FormTexts) -> FileMapping:
    """Say how the company's file is read: in that of one form a blank cell is no answer.

    Rows of other forms, where all came in one file, are left out and counted.
    """
    read = _mapping(kit, sheet.items, (sheet,))
    return read.model_copy(update={"keep": {FORM: (sheet.id,)}})


def _mapping(kit: Kit, items: Iterable[FormItem], sheets: Sequence[FormTexts]) -> FileMapping:
    return FileMapping(
        preset="panel",
        respondent=RespondentPart(id=RESPONDENT),
        attention=(kit.check.part(),),
        attributes={FORM: FORM, **kit.attribute_parts()},
        questions=tuple(_part(item, sheets) for item in items),
    )


def _part(item: FormItem, sheets: Sequence[FormTexts]) -> QuestionPart:
    told = {"missing": ("", "-99"), "options": item.numbered}
    if item.is_multiple:
        told |= {"columns": f"{item.code}_{{code}}", "selected": ("1",), "not_selected": ("0",)}
    return item.part(sheets, **told)


_IDS = received_words("panel_ids")
_CODEBOOK = re.compile("|".join(received_words("codebook_sheets")), re.IGNORECASE)


def is_codebook(sheet: str) -> bool:
    """Say whether a sheet is called as a codebook is."""
    return bool(_CODEBOOK.search(sheet.strip()))


def recognise(head: Head) -> Recognised | None:
    """Say whether the file is a panel company's: a codebook is beside the answers."""
    names = called(head.row(1), _IDS)
    books = [sheet for sheet in head.source.sheets if is_codebook(sheet)]
    if not books or not names:
        return None
    return Recognised("panel", (f"sheet '{books[0]}' is a codebook", f"'{names[0]}' names people"))
