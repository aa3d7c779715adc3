"""Plain CSV for a panel company: the questions, and the codebook by which it answers."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from curation.io.writers import write_table
from survey.forms.kit import ATTENTION, Check, Instruction, Item, Kit, Sheet, numbered
from survey.mapping import AttentionPart, QuestionPart, RespondentPart, save_mapping
from survey.mapping import Mapping as FileMapping

TITLE = "CSV for a panel company"
STEPS = (
    "Give the company fNN.csv (one row an option, in the order in which it is asked), codebook.csv "
    "and plan.csv, and the limits below as instructions for programming.",
    "Ask for the answers as CSV UTF-8: a row a person, the columns of codebook.csv, codes and no "
    "labels; a question of several columns has 1 or 0 in each, and is blank where nobody answered.",
    "Read it: curate filter --survey FILE --mapping fNN.mapping.yaml; all.mapping.yaml is for one "
    "file with the answers to all forms.",
)
LIMITS = (
    (
        "random order of options for each respondent",
        "ask for it, options with fixed_last = true kept last. The order in the file is drawn for "
        "the form.",
    ),
    (
        "that the last option of a multiple answer excludes the others",
        "ask for it: exclusive = true.",
    ),
    ("that an answer is needed", "ask for it."),
    ("quotas", "they are in plan.csv, for each form: ask for them."),
    ("that each person answers one form, once", "ask for it."),
    (
        "where an option was shown",
        "ask for it as columns of their own, and add `order` to the mapping.",
    ),
)
RESPONDENT = "respondent_id"
FORM = "form"
FORM_COLUMNS = (
    *("form", "position", "question_id", "kind", "column", "text", "code", "option"),
    *("option_text", "exclusive", "fixed_last"),
)
CODEBOOK_COLUMNS = ("column", "form", "about", "kind", "code", "label")


def write(folder: Path, kit: Kit) -> list[Path]:
    """Write a table for each form, and the codebook of all."""
    files = []
    for sheet in kit.sheets:
        path = folder / f"{sheet.id}.csv"
        write_table(path, "csv", FORM_COLUMNS, list(_rows(kit, sheet)))
        files.append(path)
    path = folder / "codebook.csv"
    write_table(path, "csv", CODEBOOK_COLUMNS, list(_codebook(kit)))
    files.append(path)
    if len(kit.sheets) > 1:
        files.append(_write_joint(folder, kit))
    return files


def _write_joint(folder: Path, kit: Kit) -> Path:
    """Write the mapping of one file that holds the answers to all forms.

    There a blank cell is a question of another form.
    """
    items = {item.question.id: item for sheet in kit.sheets for item in sheet.items}
    path = folder / "all.mapping.yaml"
    heading = "# How one file with the answers to all forms is read.\n"
    joint = _mapping(kit, items.values(), missing=("-99",))
    save_mapping(path, joint, heading)
    return path


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
    read = _mapping(kit, sheet.items, missing=("", "-99"))
    return read.model_copy(update={"keep": {FORM: (sheet.id,)}})


def _mapping(kit: Kit, items: Iterable[Item], missing: tuple[str, ...]) -> FileMapping:
    names = [attribute.name for attribute in kit.attributes]
    return FileMapping(
        preset="panel",
        respondent=RespondentPart(id=RESPONDENT),
        attention=(AttentionPart(column=ATTENTION, expect=(str(kit.check.answer + 1),)),),
        attributes={FORM: FORM, **{name: name for name in names}},
        questions=tuple(_part(item, missing) for item in items),
    )


def _part(item: Item, missing: tuple[str, ...]) -> QuestionPart:
    name, kind, options = item.question.id, item.question.kind, numbered(item)
    if not item.is_multiple:
        return QuestionPart(id=name, kind=kind, column=item.code, missing=missing, options=options)
    return QuestionPart(
        id=name,
        kind=kind,
        columns=f"{item.code}_{{code}}",
        selected=("1",),
        not_selected=("0",),
        missing=missing,
        options=options,
    )


def coded(kit: Kit) -> Mapping[str, Mapping[str, str]]:
    """Give how values of attributes stand in the file: as they are in the quotas."""
    return {
        attribute.name: {value: value for value, _ in attribute.values}
        for attribute in kit.attributes
    }
