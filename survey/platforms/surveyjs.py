"""SurveyJS: a form as JSON, which any web page can show, and the JSON list of its results.

A result is an object; several options are a list in it.
"""

import json
from collections.abc import Iterator
from typing import Any

from survey.mapping import ROW, RespondentPart
from survey.mapping import Mapping as FileMapping
from survey.platforms.kit import FORM, Asked, Check, FormItem, FormTexts, Instruction, Kit


def files(kit: Kit, sheet: FormTexts) -> Iterator[tuple[str, str]]:
    """Give the JSON of a form."""
    yield ".json", json.dumps(_form(kit, sheet), ensure_ascii=False, indent=1) + "\n"


def _form(kit: Kit, sheet: FormTexts) -> dict[str, Any]:
    pages = [{"name": name, "elements": list(found)} for name, found in _pages(kit, sheet)]
    return {
        "title": kit.words.fill("title"),
        "description": f"{sheet.intro}\n\n{kit.words.fill('consent')}",
        "locale": kit.language,
        "completedHtml": _shown(kit.words.fill("thanks")),
        "showProgressBar": "top",
        "calculatedValues": [
            {"name": FORM, "expression": f"'{sheet.id}'", "includeIntoResult": True}
        ],
        "pages": pages,
    }


def _pages(kit: Kit, sheet: FormTexts) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The pages, with what each shows: what is asked of respondents, then a page a question."""
    people = [_asked(attribute) for attribute in kit.attributes]
    if people:
        yield "respondent", people
    about: list[dict[str, Any]] = []
    for step in kit.steps(sheet):
        if isinstance(step, Instruction):
            name = f"about_{step.kind.value}"
            about = [{"type": "html", "name": name, "html": _shown(step.text)}]
        else:
            yield step.name, [*(about if isinstance(step, FormItem) else ()), _asked(step)]
            about = about if isinstance(step, Check) else []


def _asked(step: Asked) -> dict[str, Any]:
    last = step.last if step.is_multiple else None
    return {
        "type": "checkbox" if step.is_multiple else "radiogroup",
        "name": step.name,
        "title": step.text,
        "isRequired": True,
        "choices": [
            {"value": code, "text": text} | ({"isExclusive": True} if place - 1 == last else {})
            for place, code, text in step.choices
        ],
    }


def _shown(text: str) -> str:
    """A text as HTML."""
    plainly = text.replace("&", "&amp;").replace("<", "&lt;")
    return f"<p>{plainly}</p>"


def mapping(kit: Kit, sheet: FormTexts) -> FileMapping:
    """Say how the list of results is read; each is a person, unless it has an id."""
    return FileMapping(
        preset="surveyjs",
        respondent=RespondentPart(id=ROW, prefix=f"{sheet.id}-"),
        attention=(kit.check.part(),),
        attributes={FORM: FORM, **kit.attribute_parts()},
        questions=tuple(item.part((sheet,)) for item in sheet.items),
    )
