"""Google Forms: a script that makes a form and its sheet, and the sheet that comes back.

The sheet has a time, then a column a question; several options are joined in the cell.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from curation.files.atomic import atomic_text
from curation.languages import received_words
from curation.records.progress import watched
from survey.mapping import ROW, QuestionPart, RespondentPart
from survey.mapping import Mapping as FileMapping
from survey.platforms.kit import (
    Check,
    Instruction,
    Kit,
    Sheet,
    attention_part,
    attribute_parts,
    shown_in,
)
from survey.platforms.panel import respondent_column
from survey.platforms.recognise import Described, Head, Recognised, Start
from survey.readers.frames import plain

CODED_AS = "google"
TITLE = "Google Forms"
STEPS = (
    "Open https://script.google.com, New project, and replace all that is there by the text of "
    "fNN.gs: a project for each form.",
    "Run makeForm, and allow it to make files in your Drive. It makes a form and a sheet for the "
    "answers; the log below has both links.",
    "Look through the form in the preview, on a phone too. In its settings, leave 'Collect email "
    "addresses' off and 'Shuffle question order' off.",
    "Send the link for respondents. When all have answered, open the sheet: File > Download > "
    "Comma-separated values.",
    "Read it: {command}",
)
LIMITS = (
    (
        "random order of options for each respondent",
        "everybody who answers a form sees the order of its file. Forms with the same questions "
        "have other orders: assign them at random to as many people as plan.csv says.",
    ),
    (
        "that the last option of a multiple answer excludes the others",
        "answers that contradict each other are excluded from the question and listed.",
    ),
    ("quotas", "plan.csv has the numbers; invite by them."),
    (
        "that each person answers one form, once",
        "'Limit to 1 response' needs a Google account; without it, look at equal rows.",
    ),
    (
        "that a person who does not agree cannot go on",
        "the consent is above the first question: a person who does not agree closes the form.",
    ),
    ("how long an answer takes", "Google Forms does not tell."),
)
_SCRIPT = """// Makes form {id} in Google Forms, and a sheet for its answers.
// Written by 'curate survey build'; README.txt says how to use it.
const SURVEY = {data};

function makeForm() {{
  const form = FormApp.create(SURVEY.title)
    .setDescription(SURVEY.description)
    .setConfirmationMessage(SURVEY.thanks)
    .setCollectEmail(false)
    .setShuffleQuestions(false)
    .setProgressBar(true);
  SURVEY.steps.forEach(function (step) {{
    if (step.kind === 'section') {{
      form.addSectionHeaderItem().setTitle(step.title);
      return;
    }}
    const item = step.kind === 'checkbox' ? form.addCheckboxItem() : form.addMultipleChoiceItem();
    item.setTitle(step.title).setChoiceValues(step.options).setRequired(true);
  }});
  const sheet = SpreadsheetApp.create(SURVEY.title + ' (answers)');
  form.setDestination(FormApp.DestinationType.SPREADSHEET, sheet.getId());
  Logger.log('For respondents: ' + form.getPublishedUrl());
  Logger.log('To edit it: ' + form.getEditUrl());
  Logger.log('The answers: ' + sheet.getUrl());
}}
"""


def write(folder: Path, kit: Kit) -> list[Path]:
    """Write a script for each form."""
    files = []
    for sheet in watched(kit.sheets, "Forms for Google Forms", kit.progress):
        path = folder / f"{sheet.id}.gs"
        data = {
            "title": f"{kit.words.title} ({sheet.id})",
            "description": f"{sheet.intro}\n\n{kit.words.consent}",
            "thanks": kit.words.thanks,
            "steps": list(_steps(kit, sheet)),
        }
        text = json.dumps(data, ensure_ascii=False, indent=1)
        with atomic_text(path) as stream:
            stream.write(_SCRIPT.format(id=sheet.id, data=text))
        files.append(path)
    return files


def _steps(kit: Kit, sheet: Sheet) -> Iterator[dict[str, Any]]:
    for attribute in kit.attributes:
        labels = [label for _, label in attribute.values]
        yield {"kind": "choice", "title": attribute.text, "options": labels}
    titles = _titles(sheet)
    for step in kit.steps(sheet):
        if isinstance(step, Instruction):
            yield {"kind": "section", "title": step.text}
        elif isinstance(step, Check):
            title = _check_title(kit, sheet)
            yield {"kind": "choice", "title": title, "options": list(step.options)}
        else:
            texts = [step.question.options[at].text for at in step.order]
            kind = "checkbox" if step.is_multiple else "choice"
            yield {"kind": kind, "title": titles[step.code], "options": texts}


def _check_title(kit: Kit, sheet: Sheet) -> str:
    """The attention check; it names the form, because nothing else in the sheet does."""
    return f"{kit.check.text} ({sheet.id})"


def _titles(sheet: Sheet) -> dict[str, str]:
    """By code the title of each question; of several with one text each has its code behind it."""
    texts = [plain(item.text) for item in sheet.items]
    return {
        item.code: item.text if texts.count(plain(item.text)) == 1 else f"{item.text} ({item.code})"
        for item in sheet.items
    }


def mapping(kit: Kit, sheet: Sheet) -> FileMapping:
    """Say how the sheet is read: titles as headings, texts of options as cells."""
    titles = {code: plain(title) for code, title in _titles(sheet).items()}
    columns = {attribute.name: plain(attribute.text) for attribute in kit.attributes}
    check = plain(_check_title(kit, sheet))
    return FileMapping(
        preset="google_forms",
        respondent=RespondentPart(id=ROW, prefix=f"{sheet.id}-", form=sheet.id),
        attention=(attention_part(kit.check, check, kit.check.options),),
        attributes=attribute_parts(kit, coded(kit), columns),
        questions=tuple(
            QuestionPart(
                id=item.question.id,
                kind=item.question.kind,
                column=titles[item.code],
                joined=", " if item.is_multiple else None,
                shown=shown_in((sheet,), item.question.id),
                missing=("",),
                options={plain(option.text): option.code for option in item.question.options},
            )
            for item in sheet.items
        ),
    )


def coded(kit: Kit) -> Mapping[str, Mapping[str, str]]:
    """How values of attributes stand in the sheet: as respondents read them."""
    return {
        attribute.name: {label: value for value, label in attribute.values}
        for attribute in kit.attributes
    }


_TIMESTAMP = frozenset(received_words("google_forms_time"))


def recognise(head: Head) -> Recognised | None:
    """Say whether the file is from Google Forms."""
    first = head.row(1)
    if not first or first[0].casefold() not in _TIMESTAMP:
        return None
    return Recognised("google_forms", (f"the first column is '{first[0]}'",))


def start(described: Described) -> Start:
    """Begin a mapping: nobody is named, so each row is a respondent."""
    named = respondent_column(described)
    note = (
        "the file names no respondent: each row is taken for one person; if the form asked for a "
        "number, put its column in 'respondent: id'"
    )
    return Start(
        respondent=RespondentPart(id=named or ROW, submitted=described.titles[0]),
        missing=("",),
        joined=(", ", ";"),
        known=frozenset(described.titles[:1]),
        said=() if named else (note,),
    )
