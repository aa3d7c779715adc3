"""SurveyJS: a form as JSON, which any web page can show, and the JSON list of its results.

A result is an object; several options are a list in it.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from curation.files.atomic import atomic_text
from curation.records.progress import watched
from survey.mapping import ROW, QuestionPart, RespondentPart
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
    counted,
    shown_in,
)
from survey.platforms.panel import respondent_column
from survey.platforms.recognise import Described, Head, Recognised, Start

RANK = 60
TITLE = "SurveyJS"
STEPS = (
    "Give fNN.json to the page that shows the form: new Survey.Model(json), or paste it into the "
    "JSON editor of Survey Creator. Each form is a survey of its own.",
    "Look through it in the preview, on a phone too.",
    "Keep the results as a JSON list, an object for each person (survey.data).",
    "Put an `id` into each object if your page knows one; otherwise each object is a person.",
    "Read it: {command}",
)
LIMITS = (
    (
        "random order of options for each respondent",
        "everybody who answers a form sees the order of its file. Forms with the same questions "
        "have other orders: assign them at random to as many people as plan.csv says.",
    ),
    ("quotas", "plan.csv has the numbers; invite by them."),
    ("that each person answers one form, once", "your page has to look after it."),
    (
        "that a person who does not agree cannot go on",
        "the consent is on the first page: a person who does not agree closes the form.",
    ),
    ("how long an answer takes", "add it to the results in your page."),
)
_FORM = "form"


def write(folder: Path, kit: Kit) -> list[Path]:
    """Write the JSON of each form."""
    files = []
    for sheet in watched(kit.sheets, "Forms for SurveyJS", kit.progress):
        path = folder / f"{sheet.id}.json"
        with atomic_text(path) as stream:
            json.dump(_form(kit, sheet), stream, ensure_ascii=False, indent=1)
            stream.write("\n")
        files.append(path)
    return files


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
        questions=tuple(
            QuestionPart(
                id=item.question.id,
                kind=item.question.kind,
                column=item.code,
                shown=shown_in((sheet,), item.question.id),
                missing=("",),
                options={option.code: option.code for option in item.question.options},
            )
            for item in sheet.items
        ),
    )


def coded(kit: Kit) -> Mapping[str, Mapping[str, str]]:
    """How values of attributes stand in the results: as they are in the quotas."""
    return {
        attribute.name: {value: value for value, _ in attribute.values}
        for attribute in kit.attributes
    }


def recognise(head: Head) -> Recognised | None:
    """Say whether the file is a JSON list of results."""
    if head.source.kind != "json":
        return None
    return Recognised("surveyjs", ("it is a JSON list of objects, one a person",))


def start(described: Described) -> Start:
    """Begin a mapping: an answer that is not there was not given."""
    named = respondent_column(described)
    said = "the results name no respondent: each object is taken for one person"
    return Start(
        respondent=RespondentPart(id=named or ROW),
        missing=("",),
        selected=("true", "1", "label"),
        not_selected=("false", "0", ""),
        known=frozenset({"pageNo", "HappendAt", "InstanceId"} & {*described.titles}),
        said=() if named else (said,),
    )
