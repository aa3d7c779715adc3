"""SurveyJS: a form as JSON, which any web page can show, and the JSON list of its results.

A result is an object; several options are a list in it.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from survey.mapping import ROW, RespondentPart
from survey.mapping import Mapping as FileMapping
from survey.platforms.kit import (
    ATTENTION,
    Check,
    Instruction,
    Item,
    Kit,
    Sheet,
    attention_part,
    attribute_parts,
    coded_by,
    counted,
    question_part,
    write_each,
)

_FORM = "form"


def write(folder: Path, kit: Kit) -> list[Path]:
    """Write the JSON of each form."""
    return write_each(folder, kit, "SurveyJS", _files)


def _files(kit: Kit, sheet: Sheet) -> Iterator[tuple[str, str]]:
    yield ".json", json.dumps(_form(kit, sheet), ensure_ascii=False, indent=1) + "\n"


def _form(kit: Kit, sheet: Sheet) -> dict[str, Any]:
    pages = [{"name": name, "elements": list(found)} for name, found in _pages(kit, sheet)]
    return {
        "title": kit.words.title,
        "description": f"{sheet.intro}\n\n{kit.words.consent}",
        "locale": kit.language,
        "completedHtml": _shown(kit.words.thanks),
        "showProgressBar": "top",
        "calculatedValues": [
            {"name": _FORM, "expression": f"'{sheet.id}'", "includeIntoResult": True}
        ],
        "pages": pages,
    }


def _pages(kit: Kit, sheet: Sheet) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The pages, with what each shows: what is asked of respondents, then a page a question."""
    people = []
    for attribute in kit.attributes:
        options = [{"value": value, "text": label} for value, label in attribute.values]
        people.append(_question(attribute.name, attribute.text, options))
    if people:
        yield "respondent", people
    about: list[dict[str, Any]] = []
    for step in kit.steps(sheet):
        if isinstance(step, Instruction):
            name = f"about_{step.kind.value}"
            about = [{"type": "html", "name": name, "html": _shown(step.text)}]
        elif isinstance(step, Check):
            numbered = enumerate(step.options, start=1)
            options = [{"value": str(code), "text": label} for code, label in numbered]
            yield ATTENTION, [_question(ATTENTION, step.text, options)]
        else:
            yield step.code, [*about, _asked(step)]
            about = []


def _asked(item: Item) -> dict[str, Any]:
    options: list[dict[str, Any]] = []
    for at in item.order:
        option = item.question.options[at]
        alone = {"isExclusive": True} if item.is_multiple and at == item.last else {}
        options.append({"value": option.code, "text": option.text, **alone})
    kind = "checkbox" if item.is_multiple else "radiogroup"
    return _question(item.code, item.text, options, kind)


def _question(
    name: str, text: str, choices: list[dict[str, Any]], kind: str = "radiogroup"
) -> dict[str, Any]:
    return {"type": kind, "name": name, "title": text, "isRequired": True, "choices": choices}


def _shown(text: str) -> str:
    """A text as HTML."""
    plainly = text.replace("&", "&amp;").replace("<", "&lt;")
    return f"<p>{plainly}</p>"


def mapping(kit: Kit, sheet: Sheet) -> FileMapping:
    """Say how the list of results is read; each is a person, unless it has an id."""
    return FileMapping(
        preset="surveyjs",
        respondent=RespondentPart(id=ROW, prefix=f"{sheet.id}-"),
        attention=(attention_part(kit.check, ATTENTION, counted(kit.check)),),
        attributes={_FORM: _FORM, **attribute_parts(kit, coded(kit))},
        questions=tuple(question_part(item, (sheet,)) for item in sheet.items),
    )


def coded(kit: Kit) -> Mapping[str, Mapping[str, str]]:
    """How values of attributes stand in the results: as they are in the quotas."""
    return coded_by(kit, lambda at, value, label: value)
