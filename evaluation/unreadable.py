"""The workbook of replies that no rule could read, for a person to read them."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from curation.io.workbooks import Book, Column, Sheet, SheetRow
from curation.model.reply import choice_letters

KIND = "unreadable"
"""The kind of the workbook."""
REPLIES, REQUESTS = "replies", "requests"
"""Its sheets: one to be filled in, and one that says which requests each of its rows is about."""
OUT_OF_CHOICE = "out-of-choice"
"""What a person chooses who cannot read one choice either."""
CHOICE, WHO, NOTE = "choice", "who", "note"
MOST_ROWS = 5_000
"""Replies that one workbook holds: more than a person reads."""
_CELL = 20_000  # signs of requests that one cell holds
_LONGEST = 8_000  # signs of a reply that are shown


@dataclass(frozen=True, slots=True)
class Unread:
    """Replies with the same text to the same choices.

    Attributes:
        reply: The text.
        choices: The choices, in the order in which they were shown.
        labels: What they were called.
        rule: Why the reply was not read.
        requests: Model and request of each.
    """

    reply: str
    choices: tuple[str, ...]
    labels: tuple[str, ...]
    rule: str
    requests: tuple[tuple[str, str], ...]

    @property
    def key(self) -> str:
        """Name the replies; the name begins with the number of choices."""
        content = json.dumps([self.reply, self.choices, self.labels], ensure_ascii=False)
        digest = hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()
        return f"{len(self.choices)}-{digest[:16]}"


_INSTRUCTIONS = (
    "# Replies that no rule could read",
    "Each row of the sheet 'replies' is a reply of a model that could not be read as one of the "
    "choices it was shown. Read the reply, and choose the letter of the choice that it names.",
    f"Where it names none, or more than one, or is not sure, choose {OUT_OF_CHOICE}. Judge what "
    "the reply says, not what would be right: the questions are left out on purpose.",
    "'count' says how many requests were replied to in these very words. Rows that are left "
    "empty stay unread.",
    "Write your name in 'who', and in 'note' whatever others should know. Please do not rename "
    "columns, merge cells or write formulas, and leave the sheet 'requests' as it is.",
    "Afterwards: curate evaluate score --filled FILE, or curate evaluate replies --filled FILE.",
    "",
    "# 읽을 수 없었던 응답",
    "'replies' 시트의 한 행이 모델의 응답 하나입니다. 보기 가운데 어느 것을 골랐는지 규칙으로는 "
    "읽을 수 없었던 응답입니다. 응답을 읽고 그것이 가리키는 보기의 글자를 고르세요.",
    f"어느 보기도 가리키지 않거나 둘 이상을 가리키거나 확신이 없는 응답이면 {OUT_OF_CHOICE}를 "
    "고르세요. 무엇이 맞는지가 아니라 응답이 무엇이라고 하는지를 판단합니다. 그래서 질문은 "
    "보이지 않습니다.",
    "'count'는 같은 응답이 몇 번 나왔는지입니다. 비워 둔 행은 읽지 않은 것으로 남습니다.",
    "'who'에는 이름을, 'note'에는 다른 사람이 알아야 할 것을 적어 주세요. 열 이름 바꾸기, 셀 병합, "
    "수식은 피하고 'requests' 시트는 그대로 두세요.",
    "그 뒤에는: curate evaluate score --filled 파일",
)


def unreadable_book(groups: Sequence[Unread]) -> Book:
    """Make the workbook.

    Args:
        groups: The replies, in the order of the rows.
    """
    most = max((len(item.choices) for item in groups), default=0)
    rows = tuple(_row(item) for item in groups)
    requests = tuple(
        SheetRow(str(number), cells) for number, cells in enumerate(_requests(groups), start=1)
    )
    return Book(
        KIND,
        (
            Sheet(REPLIES, reply_columns(most), rows),
            Sheet(REQUESTS, request_columns(), requests),
        ),
        _INSTRUCTIONS,
        {"choices": str(most)},
    )


def reply_columns(most: int) -> tuple[Column, ...]:
    """Give the columns of the sheet to be filled in.

    Args:
        most: Choices of the longest list.
    """
    answers = (*choice_letters(most), OUT_OF_CHOICE)
    asked = (CHOICE, answers)
    return (
        Column("reply", 70),
        Column("choices", 44, note="As they were shown, by place; in brackets another label."),
        Column("count", 8, note="Requests with this reply."),
        Column("rule", 14, note="Why no rule read it."),
        Column(CHOICE, 14, editable=True, choices=answers, note="Which choice the reply names."),
        Column(WHO, 14, editable=True, required_if=asked, note="Who read it."),
        Column(NOTE, 36, editable=True, note="Anything else."),
    )


def request_columns() -> tuple[Column, ...]:
    """Give the columns of the sheet that says which requests each row is about."""
    return (Column("row", 22), Column("model", 24), Column("request_ids", 60, note="JSON."))


def _row(item: Unread) -> SheetRow:
    cells = {
        "reply": _shortened(item.reply),
        "choices": "\n".join(_shown(item)),
        "count": str(len(item.requests)),
        "rule": item.rule,
    }
    return SheetRow(item.key, cells)


def _shown(item: Unread) -> Iterator[str]:
    letters = choice_letters(len(item.choices))
    for letter, label, text in zip(letters, item.labels, item.choices, strict=True):
        other = "" if label.casefold() == letter.casefold() else f" ({label})"
        yield f"{letter}{other}: {text}"


def _shortened(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    half = _LONGEST // 2
    return f"{text[:half]}\n[... {len(text) - 2 * half:,} signs ...]\n{text[-half:]}"


def _requests(groups: Sequence[Unread]) -> Iterator[Mapping[str, str]]:
    """Yield the requests of each row, many in a cell: cells are what takes time to write."""
    for item in groups:
        by_model: dict[str, list[str]] = {}
        for model, request in item.requests:
            by_model.setdefault(model, []).append(request)
        for model, requests in by_model.items():
            for part in _parts(requests):
                text = json.dumps(part, ensure_ascii=False)
                yield {"row": item.key, "model": model, "request_ids": text}


def _parts(names: Sequence[str]) -> Iterator[list[str]]:
    """Cut a list so that each part fits into a cell."""
    part: list[str] = []
    length = 0
    for name in names:
        if part and length + len(name) > _CELL:
            yield part
            part, length = [], 0
        part.append(name)
        length += len(name) + 4
    yield part


def first_rows(groups: Sequence[Unread], most: int = MOST_ROWS) -> tuple[list[Unread], int]:
    """Take as many replies as one workbook holds, those first that came most often.

    Returns:
        The replies, and how many requests are left out.
    """
    ordered = sorted(groups, key=lambda item: (-len(item.requests), item.reply, item.key))
    return ordered[:most], sum(len(item.requests) for item in ordered[most:])
