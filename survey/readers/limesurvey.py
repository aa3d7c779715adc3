"""LimeSurvey: all cells quoted, but those of a question that was not shown."""

import re

from survey.mapping import ANY, RespondentPart
from survey.readers.recognise import Described, Head, Recognised, Start, found_in

_CODES = ("submitdate", "lastpage", "startlanguage", "seed", "startdate", "datestamp")
_TEXTS = (
    *("Date submitted", "Last page", "Start language", "Seed", "Date started"),
    *("Date last action", "Response ID", "제출일", "마지막 페이지", "시작 언어", "응답 ID"),
)
_CODED = re.compile(r"^id$", re.IGNORECASE)
_OPTION = re.compile(r".\[[^\[\]]+\]$")


def recognise(head: Head) -> Recognised | None:
    """Say whether the file is from LimeSurvey: by its own columns."""
    names = [_question(name) for name in head.row(1)]
    codes, texts = found_in(names, _CODES), found_in(names, _TEXTS)
    boxes = sum(bool(_OPTION.search(name)) for name in names)
    if codes and any(_CODED.match(name) for name in names) and (len(codes) > 1 or boxes):
        reasons = [f"its own columns are there: id, {', '.join(codes)}"]
    elif len(texts) > 2:
        reasons = [f"its own columns are there: {', '.join(texts)}"]
    else:
        return None
    if boxes:
        reasons.append(f"{boxes} columns name an option in brackets")
    return Recognised("limesurvey", tuple(reasons))


def _question(name: str) -> str:
    """Give the code of a heading that holds code and text."""
    code, dot, _ = name.partition(". ")
    return code if dot and code.casefold() in ("id", *_CODES) else name


def start(described: Described) -> Start:
    """Begin a mapping: who has no date of submission has not finished."""
    by_code = {_question(title).casefold(): title for title in described.titles}

    def first(*names: str) -> str | None:
        return next(
            (by_code[name.casefold()] for name in names if name.casefold() in by_code), None
        )

    submitted = first("submitdate", "Date submitted", "제출일")
    respondent = first("id", "Response ID", "응답 ID") or described.titles[0]
    own = (*_CODES, *_TEXTS, "ipaddr", "refurl", "token", "interviewtime", "IP address")
    return Start(
        respondent=RespondentPart(
            id=respondent, duration=first("interviewtime", "Total time"), submitted=submitted
        ),
        finished={submitted: (ANY,)} if submitted else {},
        selected=("Y", "Yes", "1", "예", "label"),
        not_selected=("N", "No", "0", "아니오", ""),
        known=frozenset(
            title for name in own if (title := first(name)) is not None and title != respondent
        ),
    )
