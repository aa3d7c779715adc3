"""Qualtrics: three header rows, the last of JSON; the older export has two."""

from survey.mapping import RespondentPart
from survey.readers.recognise import Described, Head, Recognised, Start

_OWN = (
    *("StartDate", "EndDate", "Status", "IPAddress", "Progress", "Duration (in seconds)"),
    *("Finished", "RecordedDate", "ResponseId", "RecipientLastName", "RecipientFirstName"),
    *("RecipientEmail", "ExternalReference", "LocationLatitude", "LocationLongitude"),
    *("DistributionChannel", "UserLanguage", "Q_RecaptchaScore", "Q_TerminateFlag"),
    *("ResponseID", "ResponseSet", "Name", "ExternalDataReference", "EmailAddress"),
)
_LEGACY = ("ResponseID", "ResponseSet", "ExternalDataReference", "IPAddress", "StartDate")
_REAL = frozenset({"0", "16", "ip address", "ip 주소", "ip アドレス", "ip地址", "ip-adresse"})
"""Values of Status for answers of real people; 16 is an answer without internet."""
_UNREAL = frozenset(
    {
        *("1", "2", "4", "8", "9", "17", "32", "survey preview", "survey test", "spam", "imported"),
        *("설문조사 미리보기", "설문조사 테스트", "스팸", "アンケートプレビュー", "スパム"),
    }
)


def recognise(head: Head) -> Recognised | None:
    """Say whether the file is from Qualtrics: by ImportIds, else by its own columns."""
    for number in (3, 2):
        ids = sum(cell.startswith(('{"ImportId"', "{'ImportId'")) for cell in head.row(number))
        if ids:
            names = [name for name in head.row(1) if name]
            unique = len(set(names)) == len(names)
            reasons = [f"row {number} holds the ImportIds of {ids} columns"]
            if not unique:
                reasons.append("names in row 1 stand twice, so the ImportIds name the columns")
            return Recognised(
                "qualtrics", tuple(reasons), header_rows=number, header=1 if unique else number
            )
    legacy = [name for name in _LEGACY if name in head.row(2)]
    if len(legacy) >= 3 and "V1" in head.row(1):
        return Recognised(
            "qualtrics",
            (f"row 1 begins with V1 and row 2 holds {', '.join(legacy)}: the older export",),
            header_rows=2,
        )
    own = [name for name in _OWN if name in head.row(1)]
    if "ResponseId" in own and len(own) >= 4:
        rows = 1 if _holds_answer(head) else 2
        return Recognised(
            "qualtrics", (f"its own columns are there: {', '.join(own[:4])}, ...",), rows
        )
    return None


def _holds_answer(head: Head) -> bool:
    """Say whether row 2 is an answer already."""
    at = head.row(1).index("ResponseId")
    cells = head.row(2)
    return len(cells) > at and cells[at].startswith("R_")


def start(described: Described) -> Start:
    """Begin a mapping: previews, tests and spam are left out, screen-outs are marked."""
    names = {title: title for title in described.titles}
    for title, texts in zip(described.titles, described.texts, strict=True):
        for text in texts:
            if text in _OWN:
                names.setdefault(text, title)  # the older export calls them V1 to V10
            if text.startswith('{"ImportId"'):
                names.setdefault(_own_name(texts), title)
    respondent = RespondentPart(
        id=names.get("ResponseId", names.get("ResponseID", described.titles[0])),
        duration=names.get("Duration (in seconds)"),
        submitted=names.get("RecordedDate", names.get("EndDate")),
    )
    keep, notes = _kept(described, names.get("Status"))
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


def _own_name(texts: tuple[str, ...]) -> str:
    return next((text for text in texts if text in _OWN), "")


def _kept(
    described: Described, status: str | None
) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
    if status is None:
        return {}, ()
    values = [value for value in described.values(status) if value]
    real = tuple(value for value in values if value.casefold() in _REAL)
    unknown = [value for value in values if value.casefold() not in _REAL | _UNREAL]
    if not unknown:
        return {status: real or ("IP Address", "0")}, ()
    note = (
        f"{status} holds {', '.join(repr(value) for value in unknown)}: the draft keeps these "
        "rows; take out of 'keep' what is no answer of a real person"
    )
    return {status: (*real, *unknown)}, (note,)
