"""What `curate filter --draft` finds out about a file, without a question to anybody."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curation.files.lock import writing
from curation.files.questionnaire import read_questionnaire
from curation.files.workspace import Workspace
from curation.records.messages import CurateError, frame
from curation.records.survey import Question
from survey import platforms
from survey.answers import is_normal, listed_ids
from survey.attributes import people_part
from survey.mapping import NORMAL, ROW, SIMPLE, TO_DO, ReadPart, refuse_unfinished, save_mapping
from survey.mapping import Mapping as FileMapping
from survey.platforms import Recognised
from survey.platforms.panel import is_codebook
from survey.readers import normalise, placing
from survey.readers.drafting import Draft, Drafter, FormMappings, built_mapping
from survey.readers.frames import Frame, columns_called, filled, holds, refusal, tell
from survey.readers.normalise import Received
from survey.readers.opening import Opened, open_file
from survey.readers.options import QuestionNames, labels_in, words_of
from survey.readers.people import personal, refuse_headings, refuse_nobody, tells_apart
from survey.readers.placing import About, Placed, refuse_title, title_rows

if TYPE_CHECKING:
    import pandas as pd


ROLES = {
    "answer": "answers",
    "order": "displayed positions",
    "duration": "seconds for a question",
    "text": "texts of 'other' (not read)",
    "state": "whether the option was selected, shown or missing",
    "question": "questions",
    "respondent": "the respondent",
    "time": "times of the respondents",
    "attribute": "attributes of respondents",
    "attention": "attention checks",
    "known": "columns of the platform itself",
    "again": "says the same again",
    "personal": "may identify a person: not shown, not read",
    "doubtful": "may belong to several questions",
    "left_over": "not read",
    "empty": "empty",
}
"""What is said of columns, by their role."""
MADE_BY_HAND = frozenset({"generic", "panel", NORMAL})
"""Presets of files that a person may have made by hand: only the headings tell what columns are."""
_SAMPLES = 3
_SHORT = 24
_WIDE = 48


@dataclass(frozen=True, slots=True)
class Seen:
    """One column as it is shown to people.

    Attributes:
        column: Its name.
        role: What it is, a key of `ROLES`.
        question_id: Its question.
        option: The option that it is about; empty for all of them.
        how: By what the question was found, or what of a person it may hold.
        filled: Records in which it holds something.
        distinct: Different texts that it holds.
        sample: Some of them, shortened; none of a column that is personal.
        detail: How many respondents or answers, or which attribute and what its cells are taken
            for.
    """

    column: str
    role: str
    question_id: str = ""
    option: str = ""
    how: str = ""
    filled: int = 0
    distinct: int = 0
    sample: tuple[str, ...] = ()
    detail: str = ""

    @property
    def place(self) -> str:
        """Its question, and the option where it is about one."""
        return self.question_id + (f" option {self.option}" if self.option else "")

    @property
    def said(self) -> str:
        """What it was taken for, in words."""
        place = f", question {self.place}" if self.place else ""
        detail = f" ({self.detail})" if self.detail else ""
        return f"column '{self.column}': {ROLES[self.role]}{place}{detail}"

    @property
    def shown_title(self) -> str:
        """Its name, shortened for a table of samples."""
        return _cut(self.column, _WIDE)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}..."


@dataclass(frozen=True, slots=True)
class Inspection:
    """All that was found out.

    Attributes:
        frame: The file, without its cells.
        recognised: Its platform, and why.
        columns: Its columns.
        draft: The mapping, and what is left to a person.
        built: The forms that were built and that it answers, with their mappings.
        trial: What reading by the draft gives; None where it cannot be read.
        notes: What the platform's own columns leave to a person.
        said: What is taken for granted.
        problem: Why it cannot be read so.
        refused: Why it is not read as the simple table that its headings make it.
        target: The file that the draft was to be written to.
        written: Whether it was; an earlier mapping is left as it is.
        needs_none: Whether the filter reads the file so without being given a mapping.
    """

    frame: Frame
    recognised: Recognised
    columns: tuple[Seen, ...]
    draft: Draft
    built: FormMappings
    trial: Received | None
    notes: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    problem: CurateError | None = None
    refused: CurateError | None = None
    target: Path = Path()
    written: bool = False
    needs_none: bool = False

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
        said = (f"  {seen.said}" for seen in self.columns)
        taken = (f"  {line}" for line in self.said)
        return (f"{self.frame.file}: {self.recognised.preset} ({reasons})", *said, *taken)

    def to_frame(self) -> "pd.DataFrame":
        """The columns of the file: a column a field of `Seen`.

        `filled` and `distinct` are `int64`, `sample` holds tuples of texts, and the others texts.
        """
        return frame(self.columns, Seen, filled="int64", distinct="int64")


def inspect_file(
    opened: Opened,
    questions: Sequence[Question],
    forms: Path,
    about: About | None = None,
    shared: Set[str] | None = None,
    *,
    keep: bool = False,
) -> Inspection:
    """Find out what a file is, and draft its mapping.

    A simple table is read by the mapping that its headings make. Any other file, and one that such
    a mapping does not read, is read by the mapping that was written with its form, or by a draft.

    Args:
        opened: The file.
        questions: The questionnaire.
        forms: The folder of the built forms.
        about: What is known of respondents.
        shared: What `shared_ids` gives of all files.
        keep: Whether the answers are kept that the draft reads; else they are counted.

    Raises:
        CurateError: If it cannot be read, or is something that needs no mapping.
    """
    chosen = opened.read.sheet is not None
    if opened.source.kind == "workbook" and not chosen:
        opened = _answers_sheet(opened, forms)
    head = _head_of(opened, forms)
    first = head.rows[: placing.LOOKED_AT]
    refuse_title(opened, platforms.rows_above(replace(head, rows=first)) or title_rows(first))
    platform, recognised = platforms.recognise(head)
    _refuse_what_needs_no_mapping(opened, recognised)
    of_one_row = recognised.header_rows == 1
    if of_one_row:
        recognised = _below_titles(recognised, head, questions, forms)
    heads = {"header_rows": recognised.header_rows, "header": recognised.header}
    read = _stated(opened.read.model_copy(update=heads), opened)
    form = platforms.platform_of(recognised.preset).coded_as or recognised.preset
    hints = placing.gather(opened, form, forms)
    names = QuestionNames(questions, hints.texts)
    beside = () if chosen else placing.other_sheets(opened, names)
    others = tuple(name for name in beside if not is_codebook(name))
    frame = platforms.framed(opened, recognised.preset, read)
    refuse_headings(frame, names)
    labels = tuple(hints.labels.get(title, "") for title in frame.titles)
    known = replace(frame, titles=tuple(_apart(frame.titles)), labels=labels)
    start, listed = platform.start(known), _by_list(known, opened.path)
    if listed:
        person = start.respondent.model_copy(update={"id": listed})
        start = start.model_copy(update={"respondent": person})
    sheets = opened.source.sheets
    built = built_mapping(known, recognised, read, hints, forms, start.respondent, sheets)
    about = about or About()
    file = _File(
        opened, recognised, read, frame, known, start, hints, built, names, about, keep, others
    )
    by_hand = recognised.preset in MADE_BY_HAND
    if built.mapping is not None or not of_one_row:
        return _drafted(file)  # nothing else tells the columns
    simple = _simple(file, listed, shared)
    if not isinstance(simple, Inspection):
        return _instead(file, *simple) if by_hand else _drafted(file)
    found = simple if by_hand else _drafted(file)
    # Beside a platform's own columns, others may tell who answered and who counts.
    unread = () if found.trial is None else found.trial.unread
    is_whole = simple.draft.mapping.columns().isdisjoint(unread)
    return found if found.is_settled and is_whole else simple


@dataclass(frozen=True, slots=True)
class _File:
    """A file that was recognised: what is known of it before its mapping is drafted."""

    opened: Opened
    recognised: Recognised
    read: ReadPart
    frame: Frame
    known: Frame
    start: platforms.Start
    hints: placing.Hints
    built: FormMappings
    names: QuestionNames
    about: About
    keep: bool
    others: tuple[str, ...]

    @property
    def written(self) -> Frame:
        """The columns by their headings as they are written: some may have one name."""
        return replace(self.frame, labels=self.known.labels)

    def drafter(self, described: Frame) -> Drafter:
        """What drafts a mapping of some columns."""
        own = self.recognised.preset == "generic"
        return Drafter(described, self.start, self.names, self.about, self.hints, own_ids=own)

    def with_people(self, mapping: FileMapping) -> FileMapping:
        """A mapping with the list of people beside the file; `#row` of two files are others."""
        path, person = self.opened.path, mapping.respondent
        ids = self.known.values(person.id) if person.id in self.known.titles else []
        if person.id == ROW:
            person = person.model_copy(update={"prefix": f"{path.stem}-"})
        named = {"respondents": people_part(path, ids, self.about.settings), "respondent": person}
        return mapping.model_copy(update=named)

    def found(
        self,
        draft: Draft,
        trial: Received | None,
        placed: Sequence[Placed] = (),
        **more: Any,
    ) -> "Inspection":
        """All that was found out, with what a draft makes of it."""
        if trial is not None and self.others:
            told = tell("survey-unread-sheets", self.frame.file, None, names=self.others)
            trial = replace(trial, findings=(*trial.findings, told))
        return Inspection(
            frame=replace(self.frame, columns=()),
            recognised=self.recognised,
            columns=tuple(_seen(self, draft.mapping, trial, placed)),
            draft=draft,
            built=self.built,
            trial=trial,
            **more,
        )

    def trial(self, mapping: FileMapping) -> tuple[Received | None, CurateError | None]:
        """What reading by a mapping gives."""
        try:
            refuse_unfinished(mapping, "the draft")
            return normalise.read_frame(self.frame, mapping, self.names, keep=self.keep), None
        except CurateError as error:
            return None, error


_Refused = tuple[CurateError | None, set[str] | None]
"""Why a simple table cannot be read, if it is one; and its columns, if these are clear."""


def _simple(file: _File, listed: str, shared: Set[str] | None) -> Inspection | _Refused:
    """Read a simple table by its headings, if they are of one and leave no question unread."""
    names, titles = file.names, file.frame.held
    try:
        if not placing.is_simple(titles, names):
            return None, None
        people = columns_called(titles, "respondent")
        told = any(tells_apart(file.frame.columns[at]) for at in people)
        if not told and placing.shape_of(titles) == "columns":
            return None, None
        drafter = file.drafter(file.written)
        placed = drafter.placed()
        mapping, received = drafter.by_headings(placed, listed, shared)
    except CurateError as error:
        return error, None
    if isinstance(received, CurateError):
        return received, mapping.columns()
    coded = file.hints.codes.keys() & {*received.unread}
    if coded or _leaves_answers(file, mapping, received, placed):
        return None, None
    mapping = file.with_people(mapping.model_copy(update={"read": file.read}))
    recognised = replace(
        file.recognised, preset=SIMPLE, reasons=(platforms.platform_of(SIMPLE).reason,)
    )
    return replace(file, recognised=recognised).found(Draft(mapping), received)


def _leaves_answers(
    file: _File, mapping: FileMapping, received: Received, placed: Sequence[Placed]
) -> bool:
    """Whether a column that is not read may hold the answers to a question that no column has."""
    unread, asked = {*received.unread}, {part.id for part in mapping.questions}
    left = [item for item in placed if not unread.isdisjoint(item.texts)]
    if any(item.question is not None and item.how not in placing.BY_CONTENT for item in left):
        return True
    others = ({file.names.questions[at].id for at in item.questions} - asked for item in left)
    return mapping.long is None and any(others)


def _instead(file: _File, refused: CurateError | None, named: set[str] | None) -> Inspection:
    """Read by a draft what is no simple table, or one whose cells are written otherwise.

    Where it is not clear what a column is, or the draft leaves one out that the table names, that
    is left to a person.

    Raises:
        CurateError: If it cannot be drafted.
    """
    try:
        found = _drafted(file)
    except CurateError as error:
        raise refused or error from None
    unread = () if found.trial is None else found.trial.unread
    if refused is not None and (named is None or named.intersection(unread)):
        found.draft.open.insert(0, f"{refused.what} ({refused.where}): {refused.hint}")
    return replace(found, refused=refused)


def _drafted(file: _File) -> Inspection:
    """Read a file by the mapping that was written with its form, or by a draft."""
    frame, start = file.frame, file.start
    recognised, questions = file.recognised, file.names.questions
    drafter = file.drafter(file.known)
    placed = drafter.placed()
    try:
        refuse_nobody(frame.view(), frame.columns[0])
    except CurateError as error:
        drafter.problems.append(f"{error.what} ({error.where}): {error.hint}")
    own = drafter.draft(file.read, recognised.preset, placed)
    own.mapping = file.with_people(own.mapping)
    made, trial, problem = _better(file, own)
    if trial is not None:
        told = [*normalise.spelling_findings(frame.file, made.mapping, questions), *made.told]
        trial = replace(trial, findings=(*trial.findings, *told))
    own_words = {"notes": start.notes, "said": start.said} if made is own else {}
    return file.found(made, trial, placed, problem=problem, **own_words)


def _by_list(known: Frame, path: Path) -> str:
    """The one column with ids of the list of people beside a file; empty for none."""
    listed = listed_ids(path)
    titles = filter(None, known.titles) if listed else ()
    called = [title for title in titles if listed.intersection(known.values(title))]
    return called[0] if len(called) == 1 else ""


def _below_titles(
    recognised: Recognised, head: platforms.Head, questions: Sequence[Question], forms: Path
) -> Recognised:
    """Which rows are headings, where they stand below other headings."""
    hints = placing.Hints(texts=placing.question_texts(forms))

    def names_questions(row: Sequence[str]) -> bool:
        return len({*placing.questions_named([*dict.fromkeys(row)], questions, hints)} - {None}) > 1

    above = head.rows[: placing.LOOKED_AT]
    first = rows = next((at for at, row in enumerate(above, start=1) if names_questions(row)), 1)
    while rows < len(above) and (
        names_questions(above[rows])
        # Options stand below questions: what is below options is somebody's answers.
        or (
            (rows == first or names_questions(above[rows - 1]))
            and _hold_options(above[rows - 1], above[rows], questions)
        )
    ):
        rows += 1
    if rows == 1:
        return recognised
    full = [len(set(row) - {""}) for row in head.rows[:rows]]
    header = full.index(max(full)) + 1
    reasons = (*recognised.reasons, f"row {rows} names questions")
    return replace(recognised, reasons=reasons, header_rows=rows, header=header)


def _hold_options(above: Sequence[str], row: Sequence[str], questions: Sequence[Question]) -> bool:
    """Whether a row has different options where a heading above it goes on, or is repeated.

    Another cell may stand among them, for what people typed.
    """
    sets = [*map(labels_in, questions)]
    runs: list[list[str]] = []
    for at, (heading, cell) in enumerate(zip(above, row, strict=False)):
        if at and heading in ("", above[at - 1]) and cell:
            runs[-1].append(cell)
        else:
            runs.append([cell])
    return any(
        len({*run}) == len(run) > 1 and any(2 * len(names & {*run}) > len(run) for names in sets)
        for run in runs
    )


def _refuse_what_needs_no_mapping(opened: Opened, recognised: Recognised) -> None:
    what = ""
    if recognised.preset == NORMAL and is_normal(opened.path):
        what = f"is in normal form already ({recognised.reasons[0]})"
    elif placing.holds_counts(opened):
        what = "holds counts by question and option, and no answers"
    if what:
        raise refusal("no-mapping-needed", opened.file, name=opened.path.name, what=what)


def _head_of(opened: Opened, forms: Path) -> platforms.Head:
    """The first rows of a file, with what is known of the forms that were built."""
    return replace(
        platforms.head_of(opened), forms=lambda platform: placing.codes_of(forms, platform)[1]
    )


def _answers_sheet(opened: Opened, forms: Path) -> Opened:
    """Choose the sheet that holds answers: one that is recognised, else the first wide one."""
    names = opened.source.sheets
    sheets = [opened.sheet(name) for name in names if not is_codebook(name)]
    wide = []
    for sheet in sheets:
        head = _head_of(sheet, forms)
        if len(head.row(1)) < 2:
            continue
        recognised = platforms.recognise(head)[1]
        if recognised.preset != "generic" and any(map(any, head.rows[recognised.header_rows :])):
            return sheet
        wide.append(sheet)
    return next(iter([*wide, *sheets, opened.sheet(names[0])]))


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


def _better(file: _File, own: Draft) -> tuple[Draft, Received | None, CurateError | None]:
    """Take the mapping that was written with the form where it reads the file, else the draft."""
    written = file.built.mapping
    if written is None:
        return own, *file.trial(own.mapping)
    trial, problem = file.trial(written)
    if problem is None:
        return Draft(written), trial, None
    own.open.insert(
        len(own.open) if written.columns() <= {ROW, *file.frame.titles} else 0,
        "the mapping that was written with the form does not read the file: "
        f"{problem.what} ({problem.where})",
    )
    return own, *file.trial(own.mapping)


def _seen(
    file: _File,
    mapping: FileMapping,
    received: Received | None,
    placed: Sequence[Placed] = (),
) -> Iterator[Seen]:
    """What each column is about; samples of those that may say who somebody is are left out."""
    roles = _roles(file, mapping, received)
    by_column = {item.column: item for item in placed}
    for at, (title, column) in enumerate(file.known.named_columns):
        what, item = personal(title, column), by_column.get(at)
        seen = roles.get(title) or Seen(title, "left_over" if holds(column) else "empty")
        if what and seen.role not in ("respondent", "answer", "attribute"):
            seen = Seen(title, "personal", how=what)
        seen = replace(seen, how=what) if seen.role == "respondent" else seen
        if item is not None and item.question is None:
            names = " or ".join(file.names.questions[place].id for place in item.questions)
            seen = Seen(title, "doubtful", names)
        elif item is not None:
            asked = file.names.questions[item.questions[0]]
            option = "" if item.option is None else asked.options[item.option].code
            seen = Seen(title, item.role, asked.id, option, item.how)
        if not file.keep:
            cells = list(filter(None, column.distinct))
            shown = cells[:_SAMPLES] if item is not None or not what else ()
            sample = tuple(_cut(cell, _SHORT) for cell in shown)
            count = int(filled(column).sum())
            seen = replace(seen, filled=count, distinct=len(cells), sample=sample)
        elif seen.role == "answer":
            seen = replace(seen, detail=f"{int(filled(column).sum()):,}")
        yield seen


def _roles(file: _File, mapping: FileMapping, received: Received | None) -> dict[str, Seen]:
    """What the mapping says of the columns that it names."""
    person, long, titles = mapping.respondent, mapping.long, {*file.known.titles}
    known = "again" if mapping.preset == SIMPLE else "known"
    found = dict.fromkeys(normalise.ignored(titles, mapping), known)
    if mapping.preset != SIMPLE:
        found |= dict.fromkeys(file.start.known & titles, known)
    found |= dict.fromkeys((*mapping.keep, *mapping.finished, *mapping.screened_out), "known")
    found |= dict.fromkeys(person.columns(), "time")
    found |= dict.fromkeys((part.column for part in mapping.attention), "attention")
    seen = {title: Seen(title, role) for title, role in found.items()}
    for name, part in mapping.attributes.items():
        told = ", ".join((name, *_meant(name, part.values, file.about)))
        seen[part.column] = Seen(part.column, "attribute", detail=told)
    if long is not None:
        named = [(role, getattr(long, role)) for role in ("question", "answer", "order", "state")]
        named += [("order", long.position), ("duration", long.duration)]
        seen |= {name: Seen(name, role) for role, name in named if name is not None}
    for question in mapping.questions if long is None else ():
        for at, title in enumerate(question.places()):
            codes = [*question.options.values()] if question.columns else []
            option = codes[at] if at < len(codes) else ""
            seen[title] = Seen(title, "answer", question.id, option)
        if question.order is not None:
            seen[question.order] = Seen(question.order, "order", question.id)
    people = "" if received is None else f"{received.respondents:,}"
    seen[person.id] = Seen(person.id, "respondent", detail=people)
    return seen


def _meant(name: str, values: Mapping[str, str], about: About) -> Iterator[str]:
    """What the cells of an attribute are taken for, where that is not what they say."""
    trait = next((trait for trait in about.traits if trait.name == name), None)
    known = {*trait.values, ""} if trait is not None else {*values.values()}
    for cell, value in values.items():
        if value not in known:
            yield f"{cell} is not known"
        elif value != cell and cell:
            yield f"{cell} is {value or 'no answer'}"
    if about.used and name not in about.used:
        yield "which is not used"


def inspect(
    workspace: Workspace,
    file: Path | str,
    *,
    questionnaire: Path | str | None = None,
    out: Path | str | None = None,
    dry_run: bool = False,
    sheet: str | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
) -> Inspection:
    """Recognise a received survey file, and draft its mapping.

    Args:
        workspace: The workspace.
        file: The file.
        questionnaire: The questions that were asked; the workspace's by default.
        out: The draft to write; `responses/mapping.yaml` by default.
        dry_run: Whether to write nothing.
        sheet: Sheet of a workbook.
        encoding: Encoding of a text file, where it cannot be told.
        delimiter: Delimiter of a text file; `tab` for a tab.

    Raises:
        CurateError: If a file cannot be read or written, needs no mapping, or there is a mapping
            already where `out` names one.
    """
    stated = {"sheet": sheet, "encoding": encoding, "delimiter": delimiter}
    path = Path(questionnaire) if questionnaire else workspace.questionnaire_file
    if not path.exists():
        raise refusal("no-questionnaire", str(path))
    read = ReadPart.model_validate({key: value for key, value in stated.items() if value})
    culture = workspace.culture
    questions = read_questionnaire(path, workspace.book)
    opened = open_file(
        Path(file), read, culture.language, culture.survey.files, words=lambda: words_of(questions)
    )
    forms = workspace.responses_folder / "forms"
    about = About.of(culture, workspace.language)
    found = inspect_file(opened, questions, forms, about)
    needs_none = found.is_settled and read == ReadPart()  # the filter is not told how to open it
    target = Path(out) if out else workspace.responses_folder / "mapping.yaml"
    found = replace(found, target=target, needs_none=needs_none)
    if dry_run:
        return found
    with writing(workspace, "curate filter --draft", to=target):
        if target.exists():
            if out:
                hint = "delete it, or name another file"
                raise CurateError(f"{target.name} is there already", str(target), hint)
            return found
        heading = "".join(f"# {line}\n" for line in _heading(found))
        save_mapping(target, found.draft.mapping, heading)
    return replace(found, written=True)


def _heading(found: Inspection) -> Iterator[str]:
    """The comment above a draft: what the file is, its columns, what is left to do."""
    yield f"Draft of how {Path(found.frame.file).name} is read. Look through it before you use it."
    yield f"Recognised: {found.recognised.preset} ({'; '.join(found.recognised.reasons)})."
    for line in found.to_do:
        yield _one_line(f"{TO_DO}: {line}")
    yield from map(_one_line, found.draft.suggested)
    yield "Columns:"
    for seen in found.columns:
        told = " by ".join(filter(None, (seen.place, seen.how)))
        said = filter(None, (seen.shown_title, told, " | ".join(seen.sample)))
        yield _one_line(f"  {': '.join(said)}")


def _one_line(text: str) -> str:
    return "  " * text.startswith("  ") + " ".join(text.split())
