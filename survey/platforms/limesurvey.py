"""LimeSurvey: the tab-separated structure of a survey that it imports, and its export.

In its export all cells are quoted, but those of a question that was not shown.
"""

import re
from collections.abc import Iterator
from io import StringIO

from curation.files.tables import write_rows
from curation.languages import received_words
from curation.records.survey import Role
from survey.building.wording import Choice
from survey.mapping import Mapping as FileMapping
from survey.mapping import QuestionPart, RespondentPart
from survey.platforms import Head, Recognised, Start, called, owned
from survey.platforms.kit import Asked, Check, FormItem, FormTexts, Instruction, Kit
from survey.readers.frames import ANY, Frame

_COLUMNS = (
    *("id", "related_id", "class", "type/scale", "name", "relevance", "text", "help", "language"),
    *("validation", "mandatory", "encrypted", "other", "default", "same_default", "same_script"),
    *("random_order", "answer_order", "subquestion_order", "keep_codes_order"),
    "exclude_all_others",
)
# Codes have at most 20 letters and digits, those of answers at most 5.
_CHECK_CODE = "ATT"
_CODE_LENGTH = 20
# Braces hold expressions, and an angle bracket opens a tag; all else is shown as it is.
_ESCAPES = str.maketrans({"<": "&lt;", "{": "&#123;", "}": "&#125;"})

Row = dict[str, str]


def files(kit: Kit, sheet: FormTexts) -> Iterator[tuple[str, str]]:
    """Give a structure, with the byte-order mark that LimeSurvey writes too."""
    stream = StringIO(newline="")
    rows = ([row.get(column, "") for column in _COLUMNS] for row in _rows(kit, sheet))
    write_rows(stream, _COLUMNS, rows, delimiter="\t")
    yield ".txt", f"\ufeff{stream.getvalue()}"


def _rows(kit: Kit, sheet: FormTexts) -> Iterator[Row]:
    language = {"language": kit.language}
    for name, text in (
        ("language", kit.language),
        ("format", "S"),  # a page a question
        ("showgroupinfo", "D"),
        ("allowprev", "N"),
        ("anonymized", "Y"),
        ("datestamp", "Y"),
        ("savetimings", "Y"),
    ):
        yield {"class": "S", "name": name, "text": text}
    for name, text in (
        ("surveyls_title", f"{kit.words.fill('title')} ({sheet.id})"),
        ("surveyls_welcometext", f"{sheet.intro}\n\n{kit.words.fill('consent')}"),
        ("surveyls_endtext", kit.words.fill("thanks")),
    ):
        yield {"class": "SL", "name": name, "text": _html(text), **language}
    for row in _content(kit, sheet):
        yield {**row, **language}


def _content(kit: Kit, sheet: FormTexts) -> Iterator[Row]:
    groups = 0
    codes = _attribute_codes(kit)
    if kit.attributes:
        groups += 1
        yield {"class": "G", "type/scale": str(groups), "name": "respondent"}
    for step in (*kit.attributes, *kit.steps(sheet)):
        if isinstance(step, Instruction):
            groups += 1
            group = {"class": "G", "type/scale": str(groups), "name": step.kind.value}
            yield {**group, "text": _html(step.text)}
        elif isinstance(step, FormItem):
            yield from _item(step)
        else:
            code = _CHECK_CODE if isinstance(step, Check) else codes[step.name]
            yield _question(code, "L", step.text)
            yield from _answers(step)


def _item(item: FormItem) -> Iterator[Row]:
    """Write a question with its options in the drawn order, which the platform then mixes."""
    codes = list(_codes(item))
    last = "" if item.last is None else codes[item.last]
    order = {"random_order": "1", "keep_codes_order": last}
    if not item.is_multiple:
        yield {**_question(item.code, "L", item.text), **order, "answer_order": "random"}
        yield from _answers(item)
        return
    options = [(codes[at], item.question.options[at]) for at in item.order]
    none = ";".join(code for code, option in options if option.role is Role.NONE)
    order |= {"subquestion_order": "random", "exclude_all_others": none}
    yield {**_question(item.code, "M", item.text), **order}
    box = {"class": "SQ", "type/scale": "0", "relevance": "1"}
    for code, option in options:
        yield {**box, "name": code, "text": _html(option.text)}


def _question(code: str, kind: str, text: str) -> Row:
    return {
        "class": "Q",
        "type/scale": kind,
        "name": code,
        "relevance": "1",
        "text": _html(text),
        "mandatory": "Y",
        "other": "N",
    }


def _answers(asked: Asked) -> Iterator[Row]:
    for choice in asked.choices:
        code, text = _lettered(choice), _html(choice[2])
        yield {"class": "A", "type/scale": "0", "name": code, "text": text}


def _lettered(choice: Choice) -> str:
    return f"A{choice[0]}"


def _html(text: str) -> str:
    return "<br />".join(line.strip() for line in text.translate(_ESCAPES).splitlines())


def _codes(item: FormItem) -> dict[str, str]:
    """LimeSurvey's code of each option of a question."""
    pattern = "SQ{:03d}" if item.is_multiple else "A{}"
    return {
        pattern.format(at): option.code for at, option in enumerate(item.question.options, start=1)
    }


def _attribute_codes(kit: Kit) -> dict[str, str]:
    """A code of letters and digits to each attribute."""
    codes: dict[str, str] = {}
    for at, attribute in enumerate(kit.attributes, start=1):
        code = re.sub(r"[^A-Za-z0-9]", "", attribute.name)[: _CODE_LENGTH - 3]
        taken = code in codes.values() or re.fullmatch(rf"{_CHECK_CODE}|Q\d+", code, re.I)
        codes[attribute.name] = f"{code}x{at}" if taken else code
    return codes


def mapping(kit: Kit, sheet: FormTexts) -> FileMapping:
    """Say how an export with codes is read."""
    return FileMapping(
        preset="limesurvey",
        respondent=RespondentPart(
            id="id",
            prefix=f"{sheet.id}-",  # each survey counts its responses from 1
            form=sheet.id,
            duration="interviewtime",
            submitted="submitdate",
        ),
        finished={"submitdate": (ANY,)},
        attention=(kit.check.part(_CHECK_CODE, _lettered),),
        attributes=kit.attribute_parts(_lettered, _attribute_codes(kit)),
        questions=tuple(_part(item) for item in sheet.items),
        ignored=("*Time", "groupTime*"),  # of single questions and pages
    )


def _part(item: FormItem) -> QuestionPart:
    options = _codes(item)
    if not item.is_multiple:
        return item.part(missing=("-99",), options=options)
    return item.part(
        columns=f"{item.code}[{{code}}]",
        selected=("Y",),
        not_selected=("N", ""),
        missing=("-99",),
        options=options,
    )


_CODES = ("submitdate", "lastpage", "startlanguage", "seed", "startdate", "datestamp")
_TEXTS = received_words("limesurvey_columns")
_CODED = re.compile(r"^id$", re.IGNORECASE)
_OPTION = re.compile(r".\[[^\[\]]+\]$")


def recognise(head: Head) -> Recognised | None:
    """Say whether the file is from LimeSurvey: by its own columns."""
    # A file for "VV" import has the texts in row 1, and the codes below.
    row = 1 + (len(called(head.row(2), _CODES)) > 1)
    names = [_code_of(name) for name in head.row(row)]
    codes, texts = called(names, _CODES), called(names, _TEXTS)
    boxes = sum(bool(_OPTION.search(name)) for name in names)
    if codes and any(_CODED.match(name) for name in names) and (len(codes) > 1 or boxes):
        reasons = [owned(["id", *codes])]
    elif len(texts) > 2:
        reasons = [owned(texts)]
    else:
        return None
    if boxes:
        reasons.append(f"{boxes} columns name an option in brackets")
    return Recognised("limesurvey", tuple(reasons), header_rows=row, header=row)


def _code_of(name: str) -> str:
    """The code of a heading that holds code and text."""
    code, dot, _ = name.partition(". ")
    return code if dot and code.casefold() in ("id", *_CODES) else name


def start(frame: Frame) -> Start:
    """Begin a mapping: who has no date of submission has not finished."""
    by_code = {_code_of(title).casefold(): title for title in frame.titles}

    def first(*names: str) -> str | None:
        return next((by_code[name] for name in map(str.casefold, names) if name in by_code), None)

    submitted = first(*received_words("limesurvey_submitted"))
    respondent = first(*received_words("limesurvey_respondent")) or frame.titles[0]
    own = (*_CODES, *_TEXTS, "ipaddr", "refurl", "token", "interviewtime", "IP address")
    return Start(
        respondent=RespondentPart(
            id=respondent, duration=first("interviewtime", "Total time"), submitted=submitted
        ),
        finished={submitted: (ANY,)} if submitted else {},
        selected=(*received_words("limesurvey_yes"), "label"),
        not_selected=(*received_words("limesurvey_no"), ""),
        missing=("-99", "N/A"),
        known=frozenset(
            title for name in own if (title := first(name)) is not None and title != respondent
        ),
    )
