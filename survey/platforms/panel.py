"""Panel companies: what is asked, as plain CSV, and the codebook by which they answer.

Their files have a row a person, coded values, and often a codebook beside.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from curation.files.writers import write_table
from curation.languages import received_words
from survey.mapping import UNPLACED, QuestionPart, RespondentPart, save_mapping
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
    numbered,
    shown_in,
)
from survey.platforms.recognise import Described, Head, Recognised, Start, found_in

TITLE = "CSV for a panel company"
STEPS = (
    "Give the company cover.csv (the texts before and after the questions of each form: title, "
    "intro, consent, the questions about the respondent, thanks), fNN.csv (the questions, one row "
    "for each option, in the order of the form), codebook.csv and plan.csv, and the limits "
    "below as instructions for programming.",
    "Ask for the answers as CSV UTF-8: one row for each person, the columns of codebook.csv, codes "
    "and no labels. A question of several columns has 1 or 0 in each, and is blank where nobody "
    "answered. "
    "The column form names the form of each person.",
    "Read it: {command} --mapping fNN.mapping.yaml; all.mapping.yaml is for one "
    "file with the answers to all forms.",
)
LIMITS = (
    (
        "random order of options for each respondent",
        "forms with the same questions have other orders: ask that each form shows the order of "
        "its file, and is assigned at random to as many people as plan.csv says. If the company "
        "uses a random order for each respondent instead, options with fixed_last = true must stay "
        "last, and `shown` must be removed from the mapping: see below.",
    ),
    (
        "that the last option of a multiple answer excludes the others",
        "ask for it: exclusive = true.",
    ),
    ("that an answer is needed", "ask for it."),
    ("quotas", "they are in plan.csv, for each form: ask for them."),
    ("that each person answers one form, once", "ask for it."),
    (
        "that a person who does not agree cannot go on",
        "ask for it, after the consent in cover.csv.",
    ),
    (
        "how long an answer takes",
        "ask for the seconds of the whole survey as a column of its own, and add `duration` to "
        "the mapping (respondent), so that respondents who were too fast are flagged.",
    ),
    (
        "where an option was shown, if the company mixes them",
        "ask for the positions as columns of their own, and write `order` into the mapping in "
        "place of `shown`, which says that everybody saw the order of the form's file.",
    ),
)
RANK = 70
CODED_AS = "csv"
RESPONDENT = "respondent_id"
FORM = "form"
JOINT = "all.mapping.yaml"
"""The mapping of one file that holds the answers to all forms."""
FORM_COLUMNS = (
    *("form", "position", "question_id", "kind", "column", "text", "code", "option"),
    *("option_text", "exclusive", "fixed_last"),
)
COVER_COLUMNS = ("form", "place", "kind", "column", "text", "code", "option_text")
"""The columns of `cover.csv`; `place` is `before` or `after` the questions."""
CODEBOOK_COLUMNS = ("column", "form", "about", "kind", "code", "label")


def write(folder: Path, kit: Kit) -> list[Path]:
    """Write a table for each form, what stands around its questions, and the codebook of all."""
    files = []
    for sheet in kit.sheets:
        path = folder / f"{sheet.id}.csv"
        write_table(path, "csv", FORM_COLUMNS, list(_rows(kit, sheet)))
        files.append(path)
    path = folder / "cover.csv"
    cover = [row for sheet in kit.sheets for row in _cover(kit, sheet)]
    write_table(path, "csv", COVER_COLUMNS, cover)
    files.append(path)
    path = folder / "codebook.csv"
    write_table(path, "csv", CODEBOOK_COLUMNS, list(_codebook(kit)))
    files.append(path)
    if len(kit.sheets) > 1:
        files.append(_write_joint(folder, kit))
    return files


def _write_joint(folder: Path, kit: Kit) -> Path:
    """Write the mapping of one file that holds the answers to all forms.

    There a blank cell is no answer in the rows of the forms that ask the question, and a question
    that was not shown in the others.
    """
    items = {item.question.id: item for sheet in kit.sheets for item in sheet.items}
    asked = {
        name: tuple(
            sheet.id for sheet in kit.sheets if name in {item.question.id for item in sheet.items}
        )
        for name in items
    }
    joint = _mapping(kit, items.values(), kit.sheets)
    parts = (part.model_copy(update={"asked": {FORM: asked[part.id]}}) for part in joint.questions)
    path = folder / JOINT
    heading = "# How one file with the answers to all forms is read.\n"
    save_mapping(path, joint.model_copy(update={"questions": tuple(parts)}), heading)
    return path


def _cover(kit: Kit, sheet: Sheet) -> Iterator[tuple[str, ...]]:
    """Yield what a form shows before and after its questions, a row a text or an option."""
    words = kit.words
    for kind, text in (("title", words.title), ("intro", sheet.intro), ("consent", words.consent)):
        yield (sheet.id, "before", kind, "", text, "", "")
    for attribute in kit.attributes:
        for value, label in attribute.values:
            head = (sheet.id, "before", "attribute", attribute.name, attribute.text)
            yield (*head, value, label)
    yield (sheet.id, "after", "thanks", "", words.thanks, "", "")


def _rows(kit: Kit, sheet: Sheet) -> Iterator[tuple[str | int | bool, ...]]:
    position = 0
    for step in kit.steps(sheet):
        if isinstance(step, Instruction):
            text = step.text
            yield (sheet.id, position, "", "instruction", "", text, "", "", "", False, False)
            continue
        if isinstance(step, Check):
            for code, label in enumerate(step.options, start=1):
                head = (sheet.id, position, "", ATTENTION, ATTENTION, step.text)
                yield (*head, str(code), "", label, False, False)
            continue
        position += 1
        yield from _item_rows(sheet, position, step)


def _item_rows(sheet: Sheet, position: int, item: Item) -> Iterator[tuple[str | int | bool, ...]]:
    question = item.question
    for at in item.order:
        option, code = question.options[at], str(at + 1)
        column = f"{item.code}_{code}" if item.is_multiple else item.code
        exclusive = item.is_multiple and at == item.last
        head = (sheet.id, position, question.id, question.kind.value, column, item.text)
        yield (*head, code, option.code, option.text, exclusive, at == item.last)


def _codebook(kit: Kit) -> Iterator[tuple[str, ...]]:
    """Yield every column that comes back, a row a code; a column of several forms stands once."""
    yield (RESPONDENT, "", "", "text", "", kit.words.respondent)
    for sheet in kit.sheets:
        yield (FORM, sheet.id, "", "single", sheet.id, sheet.id)
    for attribute in kit.attributes:
        for value, label in attribute.values:
            yield (attribute.name, "", attribute.name, "single", value, label)
    for code, label in enumerate(kit.check.options, start=1):
        yield (ATTENTION, "", ATTENTION, "single", str(code), label)
    forms: dict[str, list[str]] = {}
    items: dict[str, Item] = {}
    for sheet in kit.sheets:
        for item in sheet.items:
            forms.setdefault(item.code, []).append(sheet.id)
            items[item.code] = item
    for column in sorted(items):
        item = items[column]
        where, about = " ".join(forms[column]), item.question.id
        for at, option in enumerate(item.question.options, start=1):
            if item.is_multiple:
                name = f"{column}_{at}"
                yield (name, where, about, "multiple", "1", option.text)
                yield (name, where, about, "multiple", "0", "")
            else:
                yield (column, where, about, "single", str(at), option.text)


def mapping(kit: Kit, sheet: Sheet) -> FileMapping:
    """Say how the company's file is read: in that of one form a blank cell is no answer.

    Rows of other forms, where all came in one file, are left out and counted.
    """
    read = _mapping(kit, sheet.items, (sheet,))
    return read.model_copy(update={"keep": {FORM: (sheet.id,)}})


def _mapping(kit: Kit, items: Iterable[Item], sheets: Sequence[Sheet]) -> FileMapping:
    return FileMapping(
        preset="panel",
        respondent=RespondentPart(id=RESPONDENT),
        attention=(attention_part(kit.check, ATTENTION, counted(kit.check)),),
        attributes={FORM: FORM, **attribute_parts(kit, coded(kit))},
        questions=tuple(_part(item, sheets) for item in items),
    )


def _part(item: Item, sheets: Sequence[Sheet]) -> QuestionPart:
    name, kind, options = item.question.id, item.question.kind, numbered(item)
    missing, shown = ("", "-99"), shown_in(sheets, name)
    if not item.is_multiple:
        return QuestionPart(
            id=name, kind=kind, column=item.code, shown=shown, missing=missing, options=options
        )
    return QuestionPart(
        id=name,
        kind=kind,
        shown=shown,
        columns=f"{item.code}_{{code}}",
        selected=("1",),
        not_selected=("0",),
        missing=missing,
        options=options,
    )


def coded(kit: Kit) -> Mapping[str, Mapping[str, str]]:
    """How values of attributes stand in the file: as they are in the quotas."""
    return {
        attribute.name: {value: value for value, _ in attribute.values}
        for attribute in kit.attributes
    }


_IDS, _DURATIONS = received_words("panel_ids"), received_words("panel_durations")
_CODEBOOK = re.compile("|".join(received_words("codebook_sheets")), re.IGNORECASE)


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
    by_name = {title.casefold(): title for title in reversed(described.titles)}
    duration = next((by_name[name] for name in _DURATIONS if name in by_name), None)
    return Start(
        respondent=RespondentPart(id=respondent_column(described) or UNPLACED, duration=duration),
        not_selected=("0",) if "" in missing else ("0", ""),
        missing=missing,
        known=frozenset(),
    )


def respondent_column(described: Described) -> str | None:
    """Find the column that is called as those are that name respondents, and names each row.

    One that is empty in some rows names nobody. If all have a value in several rows, as in files
    with a row an answer, or with somebody twice, it is the first of them.
    """
    by_name = {title.casefold(): at for at, title in reversed([*enumerate(described.titles)])}
    called = [by_name[name] for name in _IDS if name in by_name]
    full = [at for at in called if "" not in described.columns[at].distinct()]
    each = [at for at in full if len(described.columns[at].used()) == len(described.columns[at])]
    return next((described.titles[at] for at in (*each, *full)), None)
