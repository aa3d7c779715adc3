"""XLSForm, for KoboToolbox and ODK: a workbook for each form that both take, offline phones too.

Their exports have a row a person; a multi-select is joined by blanks.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from survey.mapping import Mapping as FileMapping
from survey.mapping import RespondentPart
from survey.platforms.kit import FORM, Check, FormItem, FormTexts, Instruction, Kit, place_of

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

_SURVEY = ("type", "name", "label", "required", "constraint", "constraint_message", "calculation")
_CHOICES = ("list_name", "name", "label")


def files(kit: Kit, sheet: FormTexts) -> Iterator[tuple[str, bytes]]:
    """Give a workbook."""
    from openpyxl import Workbook

    from curation.files.workbooks.writing import frozen

    book = Workbook()
    survey = book.active
    assert survey is not None  # noqa: S101  # a new workbook has a sheet
    survey.title = "survey"
    _fill(survey, _SURVEY, _rows(kit, sheet))
    _fill(book.create_sheet("choices"), _CHOICES, _choices(kit, sheet))
    settings = {
        "form_title": f"{kit.words.fill('title')} ({sheet.id})",
        "form_id": f"survey_{sheet.id}",
        "default_language": kit.language,
    }
    _fill(book.create_sheet("settings"), tuple(settings), [tuple(settings.values())])
    yield ".xlsx", frozen(book)


def _fill(sheet: "Worksheet", head: Sequence[str], rows: Iterable[tuple[str, ...]]) -> None:
    """Write rows as texts: nothing is a formula there."""
    for number, cells in enumerate([tuple(head), *rows], start=1):
        for at, text in enumerate(cells, start=1):
            if text:
                cell = sheet.cell(number, at, text)
                cell.data_type = "s"


def _label(text: str) -> str:
    """A text as a form shows it: `$` before a brace would name another question."""
    return text.replace("${", "$ {")


def _rows(kit: Kit, sheet: FormTexts) -> Iterator[tuple[str, ...]]:
    yield ("start", "start")
    yield ("end", "end")
    yield ("calculate", FORM, "", "", "", "", f"'{sheet.id}'")
    intro = "\n\n".join((kit.words.fill("title"), sheet.intro, kit.words.fill("consent")))
    yield ("note", "intro", _label(intro))
    for step in (*kit.attributes, *kit.steps(sheet)):
        if isinstance(step, Instruction):
            yield ("note", f"about_{step.kind.value}", _label(step.text))
        elif isinstance(step, FormItem):
            yield _asked(step)
        else:
            yield (f"select_one {step.name}", step.name, _label(step.text), "yes")
    yield ("note", "thanks", _label(kit.words.fill("thanks")))


def _asked(item: FormItem) -> tuple[str, ...]:
    """A question; the option that excludes the others is one alone."""
    kind = "select_multiple" if item.is_multiple else "select_one"
    row = (f"{kind} {item.code}", item.code, _label(item.text), "yes")
    if not item.is_multiple or item.last is None:
        return row
    last = item.question.options[item.last]
    alone = f"not(selected(., '{last.code}') and count-selected(.) > 1)"
    return (*row, alone, _label(last.text))


def _choices(kit: Kit, sheet: FormTexts) -> Iterator[tuple[str, ...]]:
    for attribute in kit.attributes:
        for place, _, label in attribute.choices:
            yield (attribute.name, str(place), _label(label))
    steps: tuple[Check | FormItem, ...] = (kit.check, *sheet.items)
    for step in steps:
        for _, code, label in step.choices:
            yield (step.name, code, _label(label))


def mapping(kit: Kit, sheet: FormTexts) -> FileMapping:
    """Say how the exported CSV is read; whose ids they are depends on the server."""
    return FileMapping(
        preset="kobotoolbox",
        respondent=RespondentPart(id="_uuid", started="start", submitted="end"),
        attention=(kit.check.part(),),
        attributes={FORM: FORM, **kit.attribute_parts(place_of)},
        questions=tuple(
            item.part((sheet,), joined=" " if item.is_multiple else None) for item in sheet.items
        ),
        # The same again, a column an option; texts that the form only shows.
        ignored=(
            *(f"{item.code}/*" for item in sheet.items if item.is_multiple),
            *("intro", "about_*", "thanks"),
        ),
    )
