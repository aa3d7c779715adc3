"""Passages for human readers: drawn, written to workbooks, or on a server, and collected."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from curation.annotation.agreement import pair
from curation.annotation.labelstudio.answers import Answers, ReadAnswer, TaskKind, Wanted
from curation.annotation.labelstudio.tasks import Task, digest, with_keys
from curation.annotation.sheets import Given, collect_rows, hand_out_each
from curation.files.codec import Codec
from curation.files.lock import writing
from curation.files.tables import read_table, refuse_problems
from curation.files.workbooks import Column, OpenBook, Sheet, SheetRow
from curation.files.workspace import Workspace
from curation.records.letters import choice_letters
from curation.records.messages import Finding, refusal
from evaluation.stories.asking import READINGS, Passage, asked_file, read_reading_requests

PASSAGES = "stories-passages"
"""The kind of a reader's workbook."""
READ_BY_PEOPLE = "stories_readers.csv"
"""The file's name in `annotations/`."""
_LETTERS = tuple(choice_letters(3))
_SEED = 42
"""Of the draw of passages."""
_COLUMNS = (
    Column("number", 8),
    Column("passage", 70),
    Column("question", 30),
    *(Column(letter, 24) for letter in _LETTERS),
    Column("answer", 10, editable=True, choices=_LETTERS),
    Column("remark", 28, editable=True),
)


def draw_passages(path: Path, count: int, seed: int) -> list[Passage]:
    """Draw passages, from every model and category about as many.

    The two versions of a story are drawn together: neutrality is of pairs, and is corrected by the
    pairs that people read.

    The file is read twice, so that of its texts those that are drawn alone are held.

    Args:
        path: What an evaluator was asked.
        count: How many at most.
        seed: The seed of the draw; what is drawn depends on it and on the ids alone.

    Raises:
        CurateError: If the file cannot be read or holds nothing.
    """
    strata: dict[tuple[str, str], dict[tuple[str, ...], list[str]]] = {}
    for item in read_reading_requests(path).values():
        category = item.told["template_id"].rsplit("-", 1)[0]
        pairs = strata.setdefault((item.told["model"], category), {})
        pairs.setdefault(item.pair, []).append(item.request_id)
    ordered = [sorted(map(sorted, strata[key].values())) for key in sorted(strata)]
    wanted = _draw(ordered, count, seed)
    found = read_reading_requests(path, wanted)
    return [found[name] for name in wanted]


def _draw(strata: list[list[list[str]]], count: int, seed: int) -> dict[str, None]:
    """Take a pair of each stratum in turn, in a drawn order, until there are enough."""
    generator = random.Random(seed)  # noqa: S311  # a seeded draw
    for members in strata:
        generator.shuffle(members)
    generator.shuffle(strata)
    found: list[str] = []
    while any(strata):
        for members in strata:
            pair = members.pop() if members else []
            if len(found) + len(pair) <= count:
                found += pair
    generator.shuffle(found)
    return dict.fromkeys(found)


def passage_sheet(passages: Sequence[Passage]) -> Sheet:
    """Make the sheet of a reader."""
    rows = []
    for number, item in enumerate(passages, start=1):
        choices = dict(zip(_LETTERS, item.choices, strict=True))
        cells = {"number": str(number), "passage": item.text, "question": item.question}
        rows.append(SheetRow(item.request_id, {**cells, **choices}))
    return Sheet("passages", _COLUMNS, tuple(rows))


@dataclass(frozen=True, slots=True)
class PersonReading:
    """How a person read a passage; fields are the columns of the file.

    Attributes:
        request_id: The request that the evaluator was asked.
        reader: Name of the person who read.
        reading: `B`, `C` or `U`.
        remark: The reader's remark.
        source_file: The workbook.
        collected_at: When it was read, ISO 8601.
        passage: Hash of what was read, as in `readings.csv`; empty where it is not known.
    """

    request_id: str
    reader: str
    reading: str
    remark: str = ""
    source_file: str = ""
    collected_at: str = ""
    passage: str = ""


def same_passage(one: str, other: str) -> bool:
    """Whether two hashes are of one passage, as far as that is known of both."""
    return one == other or not (one and other)


_WORDS = {"reading": READINGS[:3]}
PERSON_TABLE = Codec(PersonReading, "use B, C or U", key=("request_id", "reader"), words=_WORDS)
"""The table of what people read."""


def reading_of(
    given: Given, request: str, passage: str, roles: Sequence[str]
) -> PersonReading | None:
    """How a person read a passage, by the letter of their choice; None where they chose none.

    Args:
        given: What they answered.
        request: The request that the evaluator was asked.
        passage: Hash of the passage.
        roles: For each choice `B`, `C` or `U`.
    """
    letter = given.text("answer").upper()
    if letter not in _LETTERS:
        return None
    role, remark = roles[_LETTERS.index(letter)], given.text("remark")
    return PersonReading(request, given.person, role, remark, given.source, given.at, passage)


def passages(workspace: Workspace, readers: Sequence[str]) -> dict[str, Any]:
    """Make a workbook for each reader: passages with the questions that the evaluator is asked.

    Args:
        workspace: The workspace, whose settings say how many passages.
        readers: Who reads.

    Raises:
        CurateError: If names cannot be told apart, the requests cannot be read, or a workbook is
            in the way.
    """
    count = workspace.culture.stories.passages

    def make() -> tuple[int, Sheet]:
        drawn = draw_passages(asked_file(workspace), count, _SEED)
        return len(drawn), passage_sheet(drawn)

    about, command = {"count": str(count), "seed": str(_SEED)}, "curate evaluate stories sheet"
    return hand_out_each(workspace, readers, "passages", PASSAGES, "reader", make, command, about)


def agreement(
    workspace: Workspace,
    files: Sequence[Path] = (),
    *,
    readings: Path | None = None,
    people: Path | None = None,
) -> dict[str, Any]:
    """Collect the workbooks that readers returned, and compare every two readers.

    Gives how many `passages` were `read` by each, the `evaluator` among them, if one is compared,
    and every two as `pairs`.

    Args:
        workspace: The workspace.
        files: The workbooks, one for each reader; without any what was collected before counts.
        readings: How the evaluator read the passages, to compare it with people.
        people: What people read; by default the file of the annotations, to which workbooks add.

    Raises:
        Refusal: If a workbook has an error; nothing is collected then, and marked copies are
            written.
        CurateError: If a file cannot be read or written, or nobody has read a passage yet.
    """
    path = people or workspace.annotations.folder / READ_BY_PEOPLE
    with writing(workspace, "curate collect"):
        read, findings = _collect(workspace, files, path)
    if not read:
        raise refusal(__package__, "people-none", workspace.shown(path))
    ratings: dict[tuple[str, str], dict[str, str]] = {}
    for item in read:
        ratings.setdefault((item.request_id, item.passage), {})[item.reader] = item.reading
    names = sorted({item.reader for item in read})
    evaluator = None if readings is None else _add_evaluator(ratings, names, readings)
    return {
        "passages": len(ratings),
        "evaluator": evaluator,
        "read": {name: sum(name in unit for unit in ratings.values()) for name in names},
        "pairs": [pair(ratings, one, other, READINGS) for one, other in combinations(names, 2)],
        "findings": findings,
    }


def _collect(
    workspace: Workspace, files: Sequence[Path], people: Path
) -> tuple[list[PersonReading], tuple[Finding, ...]]:
    """Add what readers returned to the file of what people read; gives what stands there then."""
    drawn: dict[str, Passage] = {}
    shown: dict[str, Mapping[str, str]] = {}

    def sheet_of(book: OpenBook) -> Sheet:
        try:
            count, seed = int(book.about["count"]), int(book.about["seed"])
        except (KeyError, ValueError) as error:
            raise refusal(__package__, "workbook-strange", str(book.path)) from error
        mine = draw_passages(asked_file(workspace), count, seed)
        drawn.update((item.request_id, item) for item in mine)
        sheet = passage_sheet(mine)
        shown.update(book.shown.get(sheet.name, {}))
        return sheet

    def reading(given: Given) -> PersonReading | None:
        passage = shown[given.uid]["passage"]  # as it was when the workbook was made
        return reading_of(given, given.uid, passage, drawn[given.uid].roles)

    rows, findings, *_ = collect_rows(
        workspace, files, PASSAGES, PERSON_TABLE, people, sheet_of, reading
    )
    return rows, tuple(findings)


def _add_evaluator(
    ratings: Mapping[tuple[str, str], dict[str, str]], names: list[str], readings: Path
) -> str:
    """Add how the evaluator read what people read, as another reader; gives its name.

    Args:
        ratings: By request and passage, and by reader.
        names: Who read.
        readings: `readings.csv` as `curate evaluate stories score --replies` writes it.

    Raises:
        CurateError: If the file cannot be read, is not of one evaluator, or has none of these.
    """
    table = read_table(readings, required=("request_id", "evaluator", "reading"), escaped=True)
    refuse_problems(table)
    evaluators = sorted({row["evaluator"] for row in table.rows})
    asked = {row["request_id"]: row for row in table.rows}
    there = {
        key: asked[key[0]]["reading"]
        for key in ratings
        if key[0] in asked and same_passage(key[1], asked[key[0]].get("passage"))
    }
    if len(evaluators) != 1 or not there:
        raise refusal(
            __package__, "people-evaluators", str(readings), count=len(evaluators), read=len(there)
        )
    (evaluator,) = evaluators
    name = evaluator if evaluator not in names else f"{evaluator} (evaluator)"
    names.append(name)
    for key, reading in there.items():
        ratings[key][name] = reading
    return name


def _tasks(workspace: Workspace, wanted: Wanted) -> tuple[list[Task], list[Finding]]:
    path = asked_file(workspace)
    if wanted.every:
        passages = list(read_reading_requests(path, None).values())
    else:
        passages = draw_passages(path, workspace.culture.stories.passages, _SEED)
    return list(map(_task, passages)), []


def _task(item: Passage) -> Task:
    options = [
        {"value": f"{letter}. {choice}", "alias": letter}
        for letter, choice in zip(choice_letters(len(item.choices)), item.choices, strict=False)
    ]
    cells: dict[str, object] = {"story": item.text, "question": item.question, "options": options}
    # Ids of requests tell who continued the story, which its readers are not to know.
    uid = f"passage-{digest({'request_id': item.request_id})}"
    version = digest({**cells, "roles": item.roles})
    kept = item.request_id, item.told["passage"], *item.roles
    return Task(uid, with_keys(cells), version, kept)


def _rows(answers: Answers) -> list[PersonReading]:
    return [item for one in answers.chosen("answer") if (item := _reading(one, answers))]


def _reading(item: ReadAnswer, answers: Answers) -> PersonReading | None:
    request, passage, *roles = answers.tasks[item.uid].kept
    return reading_of(item, request, passage, roles)


def _task_of(answers: Answers) -> Callable[[PersonReading], str]:
    """What tells the task of a reading."""
    uids = {task.kept[0]: uid for uid, task in answers.tasks.items()}
    return lambda row: uids.get(row.request_id, "")


KIND = TaskKind(
    name="passages",
    annotations=2,
    is_of_source=False,
    tasks=_tasks,
    file=READ_BY_PEOPLE,
    codec=PERSON_TABLE,
    rows=_rows,
    task_of=_task_of,
    is_of_now=True,
    empty="ask the evaluator first: curate evaluate prepare --set stories --replies FILE",
    sheets=lambda *asked: [*passages(*asked)["sheets"].values()],
    then="curate evaluate stories score --people annotations/stories_readers.csv",
)
"""Continued stories are read as the evaluator reads them; who continued one is not told."""
