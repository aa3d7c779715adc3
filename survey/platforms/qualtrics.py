"""Qualtrics: the advanced format of its text import, and its export.

The export has three header rows, the last of JSON; the older one has two.
"""

import re
from collections import Counter
from collections.abc import Iterator
from html import escape

from curation.languages import received_words
from curation.report.texts import filled
from survey.mapping import Mapping as FileMapping
from survey.mapping import QuestionPart, ReadPart, RespondentPart
from survey.platforms import Head, Recognised, Start, owned
from survey.platforms.kit import ATTENTION, FormItem, FormTexts, Kit, place_of
from survey.readers.frames import Frame

_MARKS = re.compile(r"\[\[|\$(?=\{)")


def files(kit: Kit, sheet: FormTexts) -> Iterator[tuple[str, str]]:
    """Give a text."""
    steps = [*kit.attributes, *kit.steps(sheet)]
    told = {"kit": kit, "sheet": sheet, "steps": steps, "tags": _tags(kit), "html": _html}
    yield ".txt", filled(__package__, "qualtrics.txt.j2", **told)


def _html(text: str) -> str:
    """Write text as Qualtrics takes it: HTML, in which two brackets and `${` mean something."""
    plain = escape(text, quote=False)
    lines = "<br>".join(line.strip() for line in plain.splitlines())
    return _MARKS.sub(lambda mark: "".join(f"&#{ord(character)};" for character in mark[0]), lines)


def _tags(kit: Kit) -> dict[str, str]:
    """Each question its export tag: its id in letters, digits and underscores."""
    items = {item.question.id: item for sheet in kit.sheets for item in sheet.items}
    plain = {name: re.sub(r"[^A-Za-z0-9_]", "", name.replace("-", "_")) for name in items}
    taken = Counter([*plain.values(), ATTENTION, *(item.name for item in kit.attributes)])
    return {
        name: tag if taken[tag] == 1 else f"{tag}_{items[name].code}" for name, tag in plain.items()
    }


def mapping(kit: Kit, sheet: FormTexts) -> FileMapping:
    """Say how an export with numeric values is read."""
    tags = _tags(kit)
    return FileMapping(
        preset="qualtrics",
        read=ReadPart(header_rows=3),
        respondent=RespondentPart(id="ResponseId", duration="Duration (in seconds)"),
        keep={"Status": ("IP Address", "0")},
        finished={"Finished": ("True", "1")},
        attention=(kit.check.part(),),
        attributes={"form": "form", **kit.attribute_parts(place_of, nothing=("-99",))},
        questions=tuple(_part(sheet, item, tags[item.question.id]) for item in sheet.items),
    )


def _part(sheet: FormTexts, item: FormItem, tag: str) -> QuestionPart:
    place = {"columns": f"{tag}_{{code}}"} if item.is_multiple else {"column": tag}
    # Everybody sees all questions of their form.
    return item.part((sheet,), missing=("", "-99"), options=item.numbered, **place)


_OWN = (
    *("StartDate", "EndDate", "Status", "IPAddress", "Progress", "Duration (in seconds)"),
    *("Finished", "RecordedDate", "ResponseId", "RecipientLastName", "RecipientFirstName"),
    *("RecipientEmail", "ExternalReference", "LocationLatitude", "LocationLongitude"),
    *("DistributionChannel", "UserLanguage", "Q_RecaptchaScore", "Q_TerminateFlag"),
    *("ResponseID", "ResponseSet", "Name", "ExternalDataReference", "EmailAddress"),
)
_LEGACY = ("ResponseID", "ResponseSet", "ExternalDataReference", "IPAddress", "StartDate")
_REAL = re.compile(r"0|16|(?:.*[^a-z])?ip(?:[^a-z].*)?", re.IGNORECASE)
"""Status of a real person: in numbers (16 is without internet), or IP address in any language."""
_UNREAL = frozenset(received_words("qualtrics_unreal"))


def recognise(head: Head) -> Recognised | None:
    """Say whether the file is from Qualtrics: by ImportIds, else by its own columns."""
    for number in (3, 2):
        ids = sum(cell.startswith(('{"ImportId"', "{'ImportId'")) for cell in head.row(number))
        names = [name for name in head.row(1) if name]
        if ids and len(names) >= min(3, ids):  # fewer are a title above the headings
            unique = len(set(names)) == len(names)
            reasons = [f"row {number} holds the ImportIds of {ids} columns"]
            if not unique:
                reasons.append("names in row 1 occur twice, so the ImportIds name the columns")
            header = 1 if unique else number
            return Recognised("qualtrics", tuple(reasons), header_rows=number, header=header)
    legacy = [name for name in _LEGACY if name in head.row(2)]
    if len(legacy) >= 3 and "V1" in head.row(1):
        reason = f"row 1 begins with V1 and row 2 holds {', '.join(legacy)}: the older export"
        return Recognised("qualtrics", (reason,), header_rows=2)
    own = [name for name in _OWN if name in head.row(1)]
    if "ResponseId" in own and len(own) >= 4:
        below = head.row(2)[head.row(1).index("ResponseId") :]
        rows = 1 if below and below[0].startswith("R_") else 2  # the second may be an answer
        return Recognised("qualtrics", (f"{owned(own[:4])}, ...",), rows)
    return None


def start(frame: Frame) -> Start:
    """Begin a mapping: previews, tests and spam are left out, screen-outs are marked."""
    names = {title: title for title in frame.titles}
    for title, texts in zip(frame.titles, frame.texts, strict=True):
        for text in texts:
            if text in _OWN:
                names.setdefault(text, title)  # the older export calls them V1 to V10
            if text.startswith('{"ImportId"'):
                names.setdefault(next((own for own in texts if own in _OWN), ""), title)
    respondent = RespondentPart(
        id=names.get("ResponseId", names.get("ResponseID", frame.titles[0])),
        duration=names.get("Duration (in seconds)"),
        submitted=names.get("RecordedDate", names.get("EndDate")),
    )
    keep, notes = _kept(frame, names.get("Status"))
    flag = names.get("Q_TerminateFlag")
    return Start(
        respondent=respondent,
        keep=keep,
        finished={names["Finished"]: ("True", "TRUE", "1")} if "Finished" in names else {},
        screened_out={flag: ("*",)} if flag else {},
        joined=(",",),
        known=frozenset(names[name] for name in _OWN if name in names),
        notes=notes,
    )


def _kept(frame: Frame, status: str | None) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
    if status is None:
        return {}, ()
    values = [value for value in frame.values(status) if value]
    real = tuple(value for value in values if _REAL.fullmatch(value))
    unknown = [value for value in values if value not in real and value.casefold() not in _UNREAL]
    if not unknown:
        return {status: real or ("IP Address", "0")}, ()
    note = (
        f"{status} holds {', '.join(repr(value) for value in unknown)}: the draft keeps these "
        "rows; take out of 'keep' what is not an answer of a real person"
    )
    return {status: (*real, *unknown)}, (note,)
