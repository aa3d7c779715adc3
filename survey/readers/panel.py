"""Panel companies: a row a person, coded values, and a codebook beside."""

import re

from survey.mapping import RespondentPart
from survey.readers.recognise import Described, Head, Recognised, Start, found_in

_IDS = (
    *("respondent_id", "respondentid", "resp_id", "respid", "respondent", "panel_id", "panelid"),
    *("uid", "id", "no", "no.", "serial", "case_id", "caseid", "응답자id", "응답자번호", "응답자"),
    *(
        "응답자 번호",
        "참가자",
        "참여자",
        "번호",
        "일련번호",
        "회원번호",
        "패널id",
        "participant id",
        "participant_id",
    ),
    *("회답자", "回答者id", "回答者番号", "编号", "序号"),
)
_DURATIONS = ("duration", "duration_s", "loi", "length", "응답시간", "소요시간", "응답시간(초)")
_CODEBOOK = re.compile(
    r"code\s?book|^codes?$|value\s?labels?|labels?|코드\s?북|코드|변수|보기|コードブック|码本",
    re.IGNORECASE,
)


def is_codebook(sheet: str) -> bool:
    """Say whether a sheet is called as a codebook is."""
    return bool(_CODEBOOK.search(sheet.strip()))


def recognise(head: Head) -> Recognised | None:
    """Say whether the file is a panel company's: a codebook is beside the answers."""
    names = found_in(head.row(1), _IDS)
    books = [sheet for sheet in head.source.sheets if is_codebook(sheet)]
    if not books or not names:
        return None
    return Recognised("panel", (f"sheet '{books[0]}' is a codebook", f"'{names[0]}' names people"))


def start(described: Described) -> Start:
    """Begin a mapping: an empty cell is no answer."""
    return begin(described, missing=("", "-99"))


def begin(described: Described, missing: tuple[str, ...]) -> Start:
    """Begin a mapping by the names that people give to such columns."""
    respondent = respondent_column(described) or described.titles[0]
    by_name = {title.casefold(): title for title in reversed(described.titles)}
    duration = next((by_name[name] for name in _DURATIONS if name in by_name), None)
    return Start(
        respondent=RespondentPart(id=respondent, duration=duration),
        not_selected=("0",) if "" in missing else ("0", ""),
        missing=missing,
        known=frozenset(),
    )


def respondent_column(described: Described) -> str | None:
    """Find the column that is called as those are that name respondents."""
    by_name = {title.casefold(): title for title in reversed(described.titles)}
    return next((by_name[name] for name in _IDS if name in by_name), None)
