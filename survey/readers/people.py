"""Whose rows a file holds: which are kept, who is there twice, what is known of each."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from curation.model.errors import CurateError
from curation.model.findings import Finding, Severity
from survey.answers import Exclusion
from survey.mapping import ROW, Mapping
from survey.readers.header import plain
from survey.readers.order import read_seconds
from survey.readers.view import Flags, Records, View, filled, has_one_of

_TOTALS = frozenset(
    {
        *("total", "totals", "grand total", "sum", "overall", "all", "mean", "average", "base"),
        *("합계", "총계", "총합계", "계", "소계", "전체", "평균", "합 계"),
        *("合計", "総計", "小計", "平均", "合计", "总计", "小计", "總計", "合計：", "全体"),
        *("gesamt", "summe", "gesamtsumme", "ensemble", "somme", "suma", "totale", "insgesamt"),
        *("итого", "всего", "razem", "celkem", "toplam", "totaal", "totalt", "yhteensä"),
    }
)
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Kept:
    """The rows that count.

    Attributes:
        view: The rows.
        respondent: For each row the position of its respondent in `ids`.
        ids: The respondents, in the order in which they first stand.
        excluded: The rows that do not count.
        findings: What was left out, counted.
    """

    view: View
    respondent: Records
    ids: tuple[str, ...]
    excluded: tuple[Exclusion, ...]
    findings: tuple[Finding, ...]


def kept_rows(view: View, mapping: Mapping) -> Kept:
    """Take the rows that `keep` names, and refuse those that name nobody.

    Raises:
        CurateError: If no row is left, or a row is no respondent's.
    """
    left, why = _leave_out(view, mapping)
    if mapping.keep and left.all():
        raise _nobody(view, mapping)
    names = _identities(view, mapping)
    excluded = [
        Exclusion("keep", names[at], "", f"row {view.row(at)}: {why[at]}")
        for at in np.flatnonzero(left).tolist()
    ]
    inside = view.only(~left)
    kept = [names[at] for at in np.flatnonzero(~left).tolist()]
    _refuse_nobody(inside, kept, mapping)
    ids = tuple(dict.fromkeys(kept))
    place = {name: at for at, name in enumerate(ids)}
    respondent = np.fromiter(map(place.__getitem__, kept), np.int64, len(kept))
    return Kept(inside, respondent, ids, tuple(excluded), tuple(_counted(view, left, why)))


def _leave_out(view: View, mapping: Mapping) -> tuple[Flags, list[str]]:
    """Say which rows `keep` leaves out, and for each by which column and value."""
    left = np.zeros(len(view), dtype=bool)
    why = [""] * len(view)
    for name, allowed in mapping.keep.items():
        column = view.column(name, f"keep: {name}")
        out = ~has_one_of(column, allowed) & ~left
        for at in np.flatnonzero(out).tolist():
            why[at] = f"{name} is '{plain(column.cell(at))}'"
        left |= out
    return left, why


def _nobody(view: View, mapping: Mapping) -> CurateError:
    name, allowed = next(iter(mapping.keep.items()))
    for column_name, values in mapping.keep.items():
        if not has_one_of(view.column(column_name, "keep"), values).any():
            name, allowed = column_name, values
            break
    column = view.column(name, "keep")
    there = sorted({plain(column.values[code]) for code in column.used()})[:_SHOWN]
    return CurateError(
        f"'keep' leaves no row: {name} holds {', '.join(repr(value) for value in there)} where "
        f"{', '.join(repr(value) for value in allowed)} is kept",
        f"{view.grid.file}, column {name}",
        "mend 'keep' in the mapping: platforms write such values in the language of the account",
    )


def _counted(view: View, left: Flags, why: Sequence[str]) -> Iterable[Finding]:
    reasons: dict[str, int] = {}
    for at in np.flatnonzero(left).tolist():
        reasons[why[at]] = reasons.get(why[at], 0) + 1
    kept = int((~left).sum())
    for reason, count in reasons.items():
        yield Finding(
            "survey-rows-left-out",
            Severity.WARNING if count > kept else Severity.INFO,
            view.grid.file,
            None,
            reason.split(" is '")[0],
            f"{count:,} of {len(view):,} rows are left out: {reason}",
            "the mapping's 'keep' says so; check it where more is left out than you expect",
        )


def _identities(view: View, mapping: Mapping) -> list[str]:
    if mapping.respondent.id == ROW:
        return [f"row-{row}" for row in view.rows().tolist()]
    column = view.column(mapping.respondent.id, "respondent: id")
    names = [plain(value) for value in column.values]
    return [names[code] for code in column.codes.tolist()]


def _refuse_nobody(view: View, names: Sequence[str], mapping: Mapping) -> None:
    """Refuse rows of nobody, and rows of sums that spreadsheets and companies put below."""
    column = mapping.respondent.id
    if column == ROW:
        column = plain(view.grid.heads[0][0])
        cells = view.grid.columns[0].take(view.records)
        names = [plain(cells.cell(at)) or "nobody" for at in range(len(cells))]
    for at, name in enumerate(names):
        if not name:
            view.refuse(
                "the row names no respondent",
                at,
                column,
                "mend the export, or leave the row out with 'keep' in the mapping",
            )
        if name.casefold().strip(" :*") in _TOTALS:
            view.refuse(
                f"the row of '{name}' holds sums, no respondent's answers",
                at,
                column,
                "delete it, or leave it out with 'keep' in the mapping",
            )


def status_of(view: View, mapping: Mapping) -> list[str]:
    """Say of each row `complete`, `partial` or `screened_out`; nothing where it is not asked."""
    if not mapping.finished and not mapping.screened_out:
        return []
    done = np.ones(len(view), dtype=bool)
    for name, allowed in mapping.finished.items():
        done &= has_one_of(view.column(name, f"finished: {name}"), allowed)
    out = np.zeros(len(view), dtype=bool)
    for name, allowed in mapping.screened_out.items():
        out |= has_one_of(view.column(name, f"screened_out: {name}"), allowed)
    status = np.where(out, "screened_out", np.where(done, "complete", "partial"))
    return [str(word) for word in status]


def attention_of(view: View, mapping: Mapping) -> list[str]:
    """Say of each row `passed`, `failed`, or nothing where no check was shown or answered."""
    if not mapping.attention:
        return []
    shown = np.zeros(len(view), dtype=bool)
    failed = np.zeros(len(view), dtype=bool)
    for part in mapping.attention:
        column = view.column(part.column, "attention: column")
        answered = filled(column)
        shown |= answered
        failed |= answered & ~has_one_of(column, part.expect)
    words = np.where(failed, "failed", np.where(shown, "passed", ""))
    return [str(word) for word in words]


def attributes_of(view: View, mapping: Mapping) -> dict[str, list[str]]:
    """Give what is known of each row's respondent, one list for each attribute.

    Raises:
        CurateError: If a column is missing or a duration is no number.
    """
    found = {
        name: values
        for name, values in (
            ("status", status_of(view, mapping)),
            ("attention", attention_of(view, mapping)),
        )
        if values
    }
    if mapping.respondent.duration is not None:
        name = mapping.respondent.duration
        seconds = read_seconds(view, name, "respondent: duration")
        found["duration_s"] = ["" if np.isnan(number) else f"{number:.12g}" for number in seconds]
    for name, title in mapping.attributes.items():
        column = view.column(title, f"attributes: {name}")
        texts = [plain(value) for value in column.values]
        found[name] = [texts[code] for code in column.codes.tolist()]
    return found


_WORST = {"status": ("screened_out", "partial", "complete"), "attention": ("failed", "passed")}


def by_respondent(kept: Kept, values: dict[str, list[str]]) -> dict[str, tuple[str, ...]]:
    """Join what rows of one respondent say of him.

    The status is the worst of theirs, and so is the attention; all else must agree.

    Raises:
        CurateError: If two rows contradict each other.
    """
    joined: dict[str, tuple[str, ...]] = {}
    for name, cells in values.items():
        found = [""] * len(kept.ids)
        first = [-1] * len(kept.ids)
        for at, (who, cell) in enumerate(zip(kept.respondent.tolist(), cells, strict=True)):
            if not cell or cell == found[who]:
                continue
            if found[who] and name in _WORST:
                cell = min(cell, found[who], key=_WORST[name].index)
            elif found[who]:
                kept.view.refuse(
                    f"{name} of {kept.ids[who]} is '{cell}' here and '{found[who]}' in row "
                    f"{kept.view.row(first[who])}",
                    at,
                    name,
                    "take the attribute out of the mapping, or mend the file",
                )
            found[who], first[who] = cell, at
        joined[name] = tuple(found)
    return joined
