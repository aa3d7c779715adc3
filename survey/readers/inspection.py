"""What `curate survey inspect` finds out about a file, without a question to anybody."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from curation.records.errors import CurateError
from curation.records.findings import Finding
from curation.records.survey import Question
from survey.mapping import Mapping as FileMapping
from survey.mapping import ReadPart, refuse_unfinished
from survey.platforms.panel import is_codebook
from survey.platforms.recognise import Described, Recognised, framed, head_of, recognise
from survey.readers.columns import filled
from survey.readers.drafting import Draft, draft
from survey.readers.drafts import attribute_columns
from survey.readers.findings import described, ignored
from survey.readers.frames import Column, Frame, plain
from survey.readers.hints import Built, Hints, Trait, built_mapping, gather
from survey.readers.naming import QuestionNames
from survey.readers.normalise import read_survey
from survey.readers.opening import Opened
from survey.readers.people import personal
from survey.readers.placing import Placed, Placing, place_columns
from survey.readers.simple import is_simple, shape_of

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
class Trial:
    """What reading the file by the draft gives.

    Attributes:
        respondents: How many people.
        rows: Answers, a row for each respondent, question and option.
        excluded: Rows of the file that are left out.
        problem: Why it cannot be read so; None where it can.
        findings: What a person should know.
    """

    respondents: int
    rows: int
    excluded: int
    problem: CurateError | None
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Inspection:
    """All that was found out.

    Attributes:
        frame: The file, without its cells.
        recognised: Its platform, and why.
        columns: Its columns.
        draft: The mapping, and what is left to a person.
        notes: What the platform's own columns tell.
        built: The forms that were built and that it answers, with their mappings.
        simple: Whether it is a simple table, which the filter reads without a mapping, too.
        trial: What reading by the draft gives.
    """

    frame: Frame
    recognised: Recognised
    columns: tuple[Seen, ...]
    draft: Draft
    notes: tuple[str, ...]
    built: Built
    simple: bool
    trial: Trial

    @property
    def to_do(self) -> tuple[str, ...]:
        """What is left to a person."""
        return (*self.notes, *self.draft.open)

    @property
    def lines(self) -> tuple[str, ...]:
        """How the file is read by the draft, a line a column."""
        reasons = "; ".join(self.recognised.reasons)
        said = (
            f"  column '{seen.shown_title}': {ROLES[seen.role]}"
            + (f", question {seen.place}" if seen.place else "")
            for seen in self.columns
        )
        return (f"{self.frame.file}: {self.recognised.preset} ({reasons})", *said)


def inspect_file(
    opened: Opened,
    questions: Sequence[Question],
    forms: Path,
    *,
    traits: Sequence[Trait] = (),
    check: tuple[str, str] = ("", ""),
) -> Inspection:
    """Find out what a file is, and draft its mapping.

    Args:
        opened: The file.
        questions: The questionnaire.
        forms: The folder of the built forms.
        traits: What is to be known of respondents, for quotas and weights.
        check: The attention check as respondents read it, and the option that passes.

    Raises:
        CurateError: If it cannot be read, or is something that needs no mapping.
    """
    if opened.source.kind == "workbook" and opened.read.sheet is None:
        opened = _answers_sheet(opened)
    platform, recognised = recognise(head_of(opened))
    _refuse_what_needs_no_mapping(opened, recognised)
    heads = {"header_rows": recognised.header_rows, "header": recognised.header}
    read = _stated(opened.read.model_copy(update=heads), opened)
    frame = framed(opened, recognised.preset, read)
    hints = replace(gather(opened, recognised.preset, forms), check=check)
    known = _described(frame, recognised, hints)
    start = platform.start(known)
    people = attribute_columns(known, hints, traits)
    placing = place_columns(known, questions, hints, start.known | people, start.joined)
    built = built_mapping(known, recognised, read, hints, forms, opened.source.sheets)
    own = draft(read, recognised, start, known, placing, questions, hints, traits)
    titles = known.titles
    simple = recognised.preset == "generic" and is_simple(
        titles, QuestionNames(questions, hints.texts)
    )
    shown = tuple(map(_shown, titles, known.texts, known.columns))
    # The cells are forgotten before they are read by the draft: they are not held twice.
    frame = replace(frame, columns=())
    del known
    made, trial = _better(opened, built.mapping, own, questions)
    return Inspection(
        frame=frame,
        recognised=recognised,
        columns=tuple(_seen(titles, shown, placing, made.mapping, start.known, questions)),
        draft=made,
        notes=start.notes if made is own else (),
        built=built,
        simple=simple,
        trial=trial,
    )


def _refuse_what_needs_no_mapping(opened: Opened, recognised: Recognised) -> None:
    what = ""
    if recognised.preset == "normal":
        what = f"is in normal form already ({recognised.reasons[0]})"
    elif shape_of([cell for _, row in opened.head(1) for cell in row]) == "counts":
        what = "holds counts by question and option, and no answers"
    if what:
        raise CurateError(
            f"{opened.path.name} {what}",
            opened.file,
            "it needs no mapping: curate filter --survey FILE",
        )


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


def _described(frame: Frame, recognised: Recognised, hints: Hints) -> Described:
    plainly = described(frame)
    texts: list[tuple[str, ...]] = []
    for at, (title, above) in enumerate(zip(plainly.titles, plainly.texts, strict=True)):
        cells = list(above)
        if recognised.preset == "workbook" and at and not cells[1] and cells[2]:
            cells[1] = texts[-1][1]  # the question goes on over its options
        label = hints.labels.get(title, "")
        texts.append((*cells, label) if label else tuple(cells))
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


def _better(
    opened: Opened, written: FileMapping | None, own: Draft, questions: Sequence[Question]
) -> tuple[Draft, Trial]:
    """Take the mapping that was written with the form where it reads the file, else the draft."""
    if written is None:
        return own, _trial(opened, own.mapping, questions)
    trial = _trial(opened, written, questions)
    if trial.problem is None:
        return Draft(written), trial
    other = _trial(opened, own.mapping, questions)
    if other.problem is not None:
        return Draft(written), trial
    own.open.append(
        "the mapping that was written with the form does not read the file: "
        f"{trial.problem.what} ({trial.problem.where})"
    )
    return own, other


def _trial(opened: Opened, mapping: FileMapping, questions: Sequence[Question]) -> Trial:
    try:
        refuse_unfinished(mapping, "the draft")
        tried = read_survey(opened, mapping, questions, keep=False)
    except CurateError as error:
        return Trial(0, 0, 0, error, ())
    return Trial(tried.respondents, tried.rows, len(tried.excluded), None, tried.findings)


@dataclass(frozen=True, slots=True)
class _Shown:
    """What is shown of a column's cells; `personal` is what of a person they may hold."""

    filled: int
    distinct: int
    sample: tuple[str, ...]
    personal: str


def _shown(title: str, texts: tuple[str, ...], column: Column) -> _Shown:
    return _Shown(
        filled=int(filled(column).sum()),
        distinct=sum(map(bool, column.distinct())),
        sample=_sample(column),
        personal=personal((title, *texts), column),
    )


def _seen(
    titles: Sequence[str],
    shown: Sequence[_Shown],
    placing: Placing,
    mapping: FileMapping,
    own: frozenset[str],
    questions: Sequence[Question],
) -> Iterator[Seen]:
    placed = {item.column: item for item in placing.placed}
    known = ignored(titles, mapping) | {name for name in titles if name in own}
    roles = {**dict.fromkeys(known, "known"), **_roles(mapping)}
    for at, title in enumerate(titles):
        role, question, option, how = roles.get(title, "left_over"), "", "", ""
        if at in placed:
            item = placed[at]
            role, question, how = item.role, questions[item.question].id, item.how
            option = _option(item, questions)
        elif at in placing.doubtful:
            role = "doubtful"
            question = " or ".join(questions[q].id for q in placing.doubtful[at])
        elif what := shown[at].personal:
            role, how = ("respondent" if role == "respondent" else "personal"), what
        hidden = how and role in ("personal", "respondent")
        yield Seen(
            column=title,
            role=role,
            question_id=question,
            option=option,
            how=how,
            filled=shown[at].filled,
            distinct=shown[at].distinct,
            sample=() if hidden else shown[at].sample,
        )


def _option(item: Placed, questions: Sequence[Question]) -> str:
    return "" if item.option is None else questions[item.question].options[item.option].code


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


def _sample(column: Column) -> tuple[str, ...]:
    """Some texts, shortened: a respondent's free text is not for everybody's screen."""
    texts: dict[str, None] = {}
    for value in column.values:
        if len(texts) == _SAMPLES:
            break
        if value.strip():
            texts[plain(value)] = None
    return tuple(text if len(text) <= _SHORT else f"{text[:_SHORT]}..." for text in texts)
