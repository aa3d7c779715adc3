"""Google Forms: a script that makes a form and its sheet, and the sheet that comes back.

The sheet has a time, then a column a question, unless somebody moved them; several options are
joined in the cell.
"""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from curation.languages import received_words
from curation.report.texts import filled
from survey.building.wording import Choice
from survey.mapping import ROW, RespondentPart
from survey.mapping import Mapping as FileMapping
from survey.platforms import Head, Recognised, Start, platform_of, respondent_column
from survey.platforms.kit import FormTexts, Instruction, Kit
from survey.readers.frames import Frame, plain


def files(kit: Kit, sheet: FormTexts) -> Iterator[tuple[str, str]]:
    """Give a script."""
    data = {
        "title": f"{kit.words.fill('title')} ({sheet.id})",
        "description": f"{sheet.intro}\n\n{kit.words.fill('consent')}",
        "thanks": kit.words.fill("thanks"),
        "steps": list(_steps(kit, sheet)),
    }
    text = json.dumps(data, ensure_ascii=False, indent=1)
    yield ".gs", filled(__package__, "google_forms.gs.j2", id=sheet.id, data=text)


def _steps(kit: Kit, sheet: FormTexts) -> Iterator[dict[str, Any]]:
    titles = {**_titles(sheet), kit.check.name: _check_title(kit, sheet)}
    for step in (*kit.attributes, *kit.steps(sheet)):
        if isinstance(step, Instruction):
            yield {"kind": "section", "title": step.text}
        else:
            kind = "checkbox" if step.is_multiple else "choice"
            texts = [text for _, _, text in step.choices]
            yield {"kind": kind, "title": titles.get(step.name, step.text), "options": texts}


def _check_title(kit: Kit, sheet: FormTexts) -> str:
    """The attention check; it names the form, because nothing else in the sheet does."""
    return f"{kit.check.text} ({sheet.id})"


def _titles(sheet: FormTexts) -> dict[str, str]:
    """By code the title of each question; of several with one text each has its code behind it."""
    texts = [plain(item.text) for item in sheet.items]
    return {
        item.code: item.text if texts.count(plain(item.text)) == 1 else f"{item.text} ({item.code})"
        for item in sheet.items
    }


def mapping(kit: Kit, sheet: FormTexts) -> FileMapping:
    """Say how the sheet is read: titles as headings, texts of options as cells."""
    titles = {code: plain(title) for code, title in _titles(sheet).items()}
    columns = {attribute.name: plain(attribute.text) for attribute in kit.attributes}
    check = plain(_check_title(kit, sheet))
    return FileMapping(
        preset="google_forms",
        respondent=RespondentPart(id=ROW, prefix=f"{sheet.id}-", form=sheet.id),
        attention=(kit.check.part(check, _text),),
        attributes=kit.attribute_parts(_text, columns),
        questions=tuple(
            item.part(
                (sheet,),
                column=titles[item.code],
                joined=", " if item.is_multiple else None,
                options={plain(option.text): option.code for option in item.question.options},
            )
            for item in sheet.items
        ),
    )


def _text(choice: Choice) -> str:
    """What stands in the sheet: what respondents read."""
    return choice[2]


_TIMESTAMP = frozenset(received_words("google_forms_time"))
_SENT = re.compile(r"^\d{4}/\d\d?/\d\d? .*\d:\d\d:\d\d.* [A-Z]{3,5}([+-]\S+)?$")
"""A time as Forms writes it into its own CSV, with its zone: `2026/03/02 9:01:11 AM GMT+1`."""
_TIME = re.compile(r"\d[.:]\d\d[.:]\d\d")
"""A time of day with seconds, as a sheet writes it in any language."""


def _place_of_time(titles: Sequence[str], cells: Sequence[str]) -> tuple[int, bool]:
    """The column with the time, and whether Forms alone writes it so.

    It is called so and stands first, or holds what Forms writes. One that is only called so may be
    another tool's, in whose files an empty cell says that a question was not shown.

    Args:
        titles: The headings.
        cells: The first record; nothing where there is none.
    """
    pairs = [*zip_longest(titles, cells, fillvalue="")]
    for at, (title, cell) in enumerate(pairs):
        if title.casefold() in _TIMESTAMP and (at == 0 or _SENT.match(cell)):
            return at, True
    return next((at for at, (_, cell) in enumerate(pairs) if _TIME.search(cell)), -1), False


def recognise(head: Head) -> Recognised | None:
    """Say whether the file is from Google Forms: by its time, or as one of our forms with a time.

    The time is called so in the language of whoever made the form, which may be any.
    """
    titles = head.row(1)
    at, is_own = _place_of_time(titles, head.row(2))
    if is_own:
        place = "the first column is" if at == 0 else "the time that Forms writes is in column"
        return Recognised("google_forms", (f"{place} '{titles[at]}'",))
    if at < 0:
        return None
    forms = [name for name, columns in head.forms("google").items() if columns <= {*titles}]
    return Recognised("google_forms", (f"it has all columns of {forms[0]}",)) if forms else None


def start(frame: Frame) -> Start:
    """Begin a mapping: nobody is named, so each row is a respondent."""
    named, platform = respondent_column(frame), platform_of("google_forms")
    at, _ = _place_of_time(frame.titles, [column.text(0) for column in frame.columns])
    sent = frame.titles[max(at, 0)]
    return platform.begun(
        RespondentPart(id=named or ROW, submitted=sent or None),
        known=frozenset({sent}),
        said=() if named else platform.said_of_nobody,
    )
