"""Passages on a Label Studio server: the page, its tasks, and the readings that come back."""

from collections.abc import Iterable

from curation.annotation.labelstudio.answers import (
    TEXT,
    Answer,
    Answers,
    Field,
    Saved,
    TaskKind,
    Wanted,
    save_results,
)
from curation.annotation.labelstudio.tasks import Task, digest, page_of, with_keys
from curation.annotation.sheets import pages
from curation.files.workspace import Workspace
from curation.records.findings import Finding
from evaluation.parsing import choice_letters
from evaluation.stories.readers import (
    COUNT,
    READ_BY_PEOPLE,
    Passage,
    PersonReading,
    draw_passages,
    read_passages,
    reading_of,
)
from evaluation.stories.reading import asked_file


def _tasks(workspace: Workspace, wanted: Wanted) -> tuple[list[Task], list[Finding]]:
    path = asked_file(workspace, wanted.requests)
    passages: Iterable[Passage] = (
        read_passages(path)
        if wanted.every
        else draw_passages(path, wanted.count or COUNT, wanted.seed)
    )
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
    return Task(uid, with_keys(cells), version, (item.request_id, *item.roles))


def _save(answers: Answers) -> Saved:
    """Write the readings of stories beside those of the workbooks."""
    found = [item for one in answers.chosen("answer") if (item := _reading(one, answers))]
    return save_results(answers, READ_BY_PEOPLE, PersonReading, found, ("reader", "request_id"))


def _reading(item: Answer, answers: Answers) -> PersonReading | None:
    request, *roles = answers.tasks[item.uid].kept
    return reading_of(answers.as_given(item), request, roles)


KIND = TaskKind(
    name="passages",
    annotations=2,
    spec={"answer": Field("choices", None), "remark": TEXT},
    page=lambda workspace: page_of("passages", workspace.language, pages(workspace.language)),
    tasks=_tasks,
    save=_save,
    empty="ask the evaluator first: curate evaluate stories prepare --replies FILE",
    then="curate evaluate stories score --people annotations/stories_readers.csv",
)
"""Continued stories are read as the evaluator reads them; who continued one is not told."""
