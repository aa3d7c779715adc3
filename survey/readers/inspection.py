"""What `curate filter --draft` finds out about a file, without a question to anybody."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import numpy as np

from curation.records.culture import SurveySettings
from curation.records.errors import CurateError
from curation.records.survey import Question
from survey.answers import listed_ids
from survey.attributes import people_part
from survey.mapping import ROW, ReadPart, refuse_unfinished
from survey.mapping import Mapping as FileMapping
from survey.platforms.panel import is_codebook
from survey.platforms.recognise import (
    Described,
    Head,
    Recognised,
    Start,
    framed,
    head_of,
    platform_of,
    recognise,
)
from survey.readers.drafting import Draft, Drafter
from survey.readers.findings import described, ignored
from survey.readers.frames import Column, Frame, View, filled, refusal
from survey.readers.hints import Built, Hints, Trait, built_mapping, gather, question_texts
from survey.readers.normalise import Received, read_survey
from survey.readers.opening import Opened
from survey.readers.people import personal, refuse_nobody
from survey.readers.placing import Placed, place_columns, questions_named
from survey.readers.simple import shape_of

ROLES = {
    "answer": "answers",
    "order": "displayed positions",
    "duration": "seconds for a question",
    "text": "texts of 'other' (not read)",
    "question": "questions",
    "respondent": "the respondent",
    "attribute": "attributes of respondents",
    "attention": "attention checks",
    "known": "columns of the platform itself",
    "personal": "may identify a person: not shown, not read",
    "doubtful": "may belong to several questions",
    "left_over": "not assigned",
}
"""What is said of columns, by their role."""
_HEADS = 6
"""Rows among which headings are looked for."""
_SAMPLES = 3
_SHORT = 24
_WIDE = 48


@dataclass(frozen=True, slots=True)
class Seen:
    """One column as it is shown to people.

    Attributes:
        column: Its name.
        role: `answer`, `order`, `duration`, `text`, `respondent`, `attribute`, `attention`,
            `known`, `personal`, `doubtful` or `left_over`.
        question_id: Its question.
        option: The option that it is about; empty for all of them.
        how: By what the question was found, or what of a person it may hold.
        filled: Records in which it holds something.
        distinct: Different texts that it holds.
        sample: Some of them, shortened; none of a column that is personal.
    """

    column: str
    role: str
    question_id: str
    option: str
    how: str
    filled: int
    distinct: int
    sample: tuple[str, ...]

    @property
    def place(self) -> str:
        """Its question, and the option where it is about one."""
        return self.question_id + (f" option {self.option}" if self.option else "")

    @property
    def shown_title(self) -> str:
        """Its name, shortened."""
        return self.column if len(self.column) <= _WIDE else f"{self.column[:_WIDE]}..."


@dataclass(frozen=True, slots=True)
class Inspection:
    """All that was found out.

    Attributes:
        frame: The file, without its cells.
        recognised: Its platform, and why.
        columns: Its columns.
        draft: The mapping, and what is left to a person.
        notes: What the platform's own columns leave to a person.
        said: What is taken for granted.
        built: The forms that were built and that it answers, with their mappings.
        trial: What reading by the draft gives, without the answers; None where it cannot be read.
        problem: Why it cannot be read so.
    """

    frame: Frame
    recognised: Recognised
    columns: tuple[Seen, ...]
    draft: Draft
    notes: tuple[str, ...]
    said: tuple[str, ...]
    built: Built
    trial: Received | None
    problem: CurateError | None

    @property
    def to_do(self) -> tuple[str, ...]:
        """What is left to a person."""
        return (*self.notes, *self.draft.open)

    @property
    def is_settled(self) -> bool:
        """Whether the draft reads the file and leaves nothing to a person."""
        return self.problem is None and not self.to_do

    @property
    def lines(self) -> tuple[str, ...]:
        """How the file is read by the draft, a line a column."""
        reasons = "; ".join(self.recognised.reasons)
        said = (
            f"  column '{seen.shown_title}': {ROLES[seen.role]}"
            + (f", question {seen.place}" if seen.place else "")
            for seen in self.columns
        )
        taken = (f"  {line}" for line in self.said)
        return (f"{self.frame.file}: {self.recognised.preset} ({reasons})", *said, *taken)


def inspect_file(
    opened: Opened,
    questions: Sequence[Question],
    forms: Path,
    *,
    traits: Sequence[Trait] = (),
    check: tuple[str, str] = ("", ""),
    settings: SurveySettings | None = None,
) -> Inspection:
    """Find out what a file is, and draft its mapping.

    Args:
        opened: The file.
        questions: The questionnaire.
        forms: The folder of the built forms.
        traits: What is to be known of respondents, for quotas and weights.
        check: The attention check as respondents read it, and the option that passes.
        settings: With the words of a list of respondents.

    Raises:
        CurateError: If it cannot be read, or is something that needs no mapping.
    """
    if opened.source.kind == "workbook" and opened.read.sheet is None:
        opened = _answers_sheet(opened)
    platform, recognised = recognise(head_of(opened))
    _refuse_what_needs_no_mapping(opened, recognised)
    if recognised.header_rows == 1:
        recognised = _below_titles(recognised, head_of(opened), questions, forms)
    heads = {"header_rows": recognised.header_rows, "header": recognised.header}
    read = _stated(opened.read.model_copy(update=heads), opened)
    frame = framed(opened, recognised.preset, read)
    form = platform_of(recognised.preset).coded_as or recognised.preset
    hints = replace(gather(opened, form, forms), check=check)
    known = _described(frame, hints)
    start = _by_list(platform.start(known), known, opened.path)
    drafter = Drafter(
        known, start, questions, hints, traits, own_ids=recognised.preset == "generic"
    )
    people = drafter.attribute_columns()
    placed = place_columns(known, questions, hints, start.known | people, start.joined)
    built = built_mapping(
        known, recognised, read, hints, forms, start.respondent, opened.source.sheets
    )
    try:
        refuse_nobody(View(frame, np.arange(len(frame), dtype=np.int64)), frame.columns[0])
    except CurateError as error:
        drafter.problems.append(f"{error.what} ({error.where}): {error.hint}")
    own = drafter.draft(read, recognised.preset, placed)
    who = own.mapping.respondent.id
    ids = known.values(who) if who in known.titles else []
    listed = people_part(opened.path, ids, settings or SurveySettings())
    named: dict[str, object] = {"respondents": listed}
    if who == ROW:
        # Rows of two files are of other people, though both count from 2.
        prefix = {"prefix": f"{opened.path.stem}-"}
        named["respondent"] = own.mapping.respondent.model_copy(update=prefix)
    own.mapping = own.mapping.model_copy(update=named)
    titles = known.titles
    seen = [_seen(title, column) for title, column in zip(titles, known.columns, strict=True)]
    # The cells are forgotten before they are read by the draft: they are not held twice.
    frame = replace(frame, columns=())
    del known, drafter
    made, trial, problem = _better(opened, built.mapping, own, questions)
    roles = dict.fromkeys(ignored(titles, made.mapping) | (start.known & {*titles}), "known")
    roles |= _roles(made.mapping)
    return Inspection(
        frame=frame,
        recognised=recognised,
        columns=tuple(_with_roles(seen, roles, placed, questions)),
        draft=made,
        notes=start.notes if made is own else (),
        said=start.said if made is own else (),
        built=built,
        trial=trial,
        problem=problem,
    )


def _by_list(start: Start, known: Described, path: Path) -> Start:
    """Take the column with the ids of the list of people beside a file, where another has none."""
    listed = listed_ids(path)
    called = [title for title in known.titles if title and listed & {*known.values(title)}]
    if len(called) != 1 or called == [start.respondent.id]:
        return start
    return replace(start, respondent=start.respondent.model_copy(update={"id": called[0]}))


def _below_titles(
    recognised: Recognised, head: Head, questions: Sequence[Question], forms: Path
) -> Recognised:
    """Which rows are headings, where the questions are named below a title or other headings."""
    hints = Hints(texts=question_texts(forms / "texts.csv"))
    above = (questions_named(row, questions, hints) for row in head.rows[:_HEADS])
    named = [len(set(found) - {None}) for found in above]
    rows = next((at for at, count in enumerate(named, start=1) if count > 1), 1)
    while named[rows : rows + 1] and named[rows] > 1:
        rows += 1
    if rows == 1:
        return recognised
    full = [len(set(row) - {""}) for row in head.rows[:rows]]
    header = full.index(max(full)) + 1
    reason = f"row {rows} names questions"
    reasons = (*recognised.reasons, reason)
    return replace(recognised, reasons=reasons, header_rows=rows, header=header)


def _refuse_what_needs_no_mapping(opened: Opened, recognised: Recognised) -> None:
    what = ""
    if recognised.preset == "normal":
        what = f"is in normal form already ({recognised.reasons[0]})"
    elif shape_of([cell for _, row in opened.head(1) for cell in row]) == "counts":
        what = "holds counts by question and option, and no answers"
    if what:
        raise refusal("no-mapping-needed", opened.file, name=opened.path.name, what=what)


def _answers_sheet(opened: Opened) -> Opened:
    """Choose the sheet that holds answers: one that is recognised, else the first wide one."""
    names = opened.source.sheets
    sheets = [opened.sheet(name) for name in names if not is_codebook(name)]
    wide = []
    for sheet in sheets:
        head = head_of(sheet)
        if len(head.row(1)) < 2:
            continue
        recognised = recognise(head)[1]
        if recognised.preset != "generic" and any(map(any, head.rows[recognised.header_rows :])):
            return sheet
        wide.append(sheet)
    return next(iter([*wide, *sheets, opened.sheet(names[0])]))


def _described(frame: Frame, hints: Hints) -> Described:
    plainly = described(frame)
    labels = [hints.labels.get(title, "") for title in plainly.titles]
    texts = [
        (*above, label) if label else above
        for above, label in zip(plainly.texts, labels, strict=True)
    ]
    return replace(plainly, titles=tuple(_apart(plainly.titles)), texts=tuple(texts))


def _apart(titles: Sequence[str]) -> Iterator[str]:
    """Name columns of one name as a mapping does: `name#1`, `name#2`."""
    seen: dict[str, int] = {}
    for title in titles:
        seen[title] = seen.get(title, 0) + 1
        yield f"{title}#{seen[title]}" if title and titles.count(title) > 1 else title


def _stated(read: ReadPart, opened: Opened) -> ReadPart:
    """State what was found out of the file, so that it is not found out again."""
    source = opened.source
    found: dict[str, str] = {}
    if source.kind == "text":
        found["delimiter"] = "tab" if source.delimiter == "\t" else source.delimiter
    if source.kind != "workbook":
        found["encoding"] = source.encoding.removesuffix("-sig")
    return read.model_copy(update=found)


_Trial = tuple[Received | None, CurateError | None]


def _better(
    opened: Opened, written: FileMapping | None, own: Draft, questions: Sequence[Question]
) -> tuple[Draft, Received | None, CurateError | None]:
    """Take the mapping that was written with the form where it reads the file, else the draft.

    Where answers in people's own words are all that it cannot read, the draft's options are put
    into it: what it says of the form (its name, what was shown) stays.
    """
    if written is None:
        return own, *_trial(opened, own.mapping, questions)
    trial, problem = _trial(opened, written, questions)
    if problem is None:
        return Draft(written), trial, None
    drafted = {part.id: part for part in own.mapping.questions}
    parts = tuple(
        drafted[part.id].model_copy(update={"shown": part.shown}) if part.id in drafted else part
        for part in written.questions
    )
    joined = Draft(written.model_copy(update={"questions": parts}), own.open, own.suggested)
    both, left = _trial(opened, joined.mapping, questions)
    if left is None:
        return joined, both, None
    other, other_problem = _trial(opened, own.mapping, questions)
    if other_problem is not None:
        return joined, None, left
    own.open.append(
        "the mapping that was written with the form does not read the file: "
        f"{problem.what} ({problem.where})"
    )
    return own, other, None


def _trial(opened: Opened, mapping: FileMapping, questions: Sequence[Question]) -> _Trial:
    try:
        refuse_unfinished(mapping, "the draft")
        return read_survey(opened, mapping, questions, keep=False), None
    except CurateError as error:
        return None, error


def _seen(title: str, column: Column) -> Seen:
    """A column of which only its cells are known, and what of a person they may hold."""
    what = personal(title, column)
    cells = column.distinct()
    sample = list(islice(filter(None, cells), _SAMPLES))
    return Seen(
        column=title,
        role="left_over",
        question_id="",
        option="",
        how=what,
        filled=int(filled(column).sum()),
        distinct=sum(map(bool, cells)),
        sample=tuple(cell if len(cell) <= _SHORT else f"{cell[:_SHORT]}..." for cell in sample),
    )


def _with_roles(
    seen: Sequence[Seen],
    roles: Mapping[str, str],
    placed: Sequence[Placed],
    questions: Sequence[Question],
) -> Iterator[Seen]:
    """What each column is about; samples of those that may say who somebody is are left out."""
    by_column = {item.column: item for item in placed}
    for at, known in enumerate(seen):
        role, item = roles.get(known.column, "left_over"), by_column.get(at)
        if item is not None and item.question is None:
            names = " or ".join(questions[place].id for place in item.questions)
            yield replace(known, role="doubtful", question_id=names, how="")
        elif item is not None:
            asked = questions[item.questions[0]]
            option = "" if item.option is None else asked.options[item.option].code
            yield replace(known, role=item.role, question_id=asked.id, option=option, how=item.how)
        elif known.how:
            role = "respondent" if role == "respondent" else "personal"
            yield replace(known, role=role, sample=())
        else:
            yield replace(known, role=role)


def _roles(mapping: FileMapping) -> Mapping[str, str]:
    """Say which columns the draft knows that are no question's."""
    roles = dict.fromkeys((part.column for part in mapping.attributes.values()), "attribute")
    person = mapping.respondent
    roles |= dict.fromkeys((*person.columns(), *mapping.keep, *mapping.finished), "known")
    roles |= dict.fromkeys(mapping.screened_out, "known")
    roles |= dict.fromkeys((part.column for part in mapping.attention), "attention")
    if mapping.long is not None:
        long = mapping.long
        roles |= {long.question: "question", long.answer: "answer"}
        roles |= {name: "order" for name in (long.order,) if name is not None}
    roles[person.id] = "respondent"
    return roles
