"""Comprehension on a Label Studio server: the page, its tasks, and the answers that come back."""

import random
from dataclasses import dataclass

from curation.annotation.labelstudio.answers import PULL_AGAIN, ReadAnswer, TaskKind, Wanted
from curation.annotation.labelstudio.tasks import Task, digest, with_keys
from curation.bank.removal import in_use
from curation.files.codec import Codec
from curation.files.workspace import Workspace
from curation.records.messages import Finding
from survey.building.questions import Remarks, understandings


@dataclass(frozen=True, slots=True)
class Comprehension:
    """One answer; fields are the columns of `comprehension.csv`.

    The first seven are those of `responses.csv`, so that `curate filter --comprehension` reads
    the file as it is.
    """

    respondent_id: str
    question_id: str
    kind: str
    option: str
    state: str
    position: str
    duration_s: str
    template_id: str
    sample_id: str
    remark: str
    source_file: str
    row_hash: str
    collected_at: str


def _tasks(workspace: Workspace, wanted: Wanted) -> tuple[list[Task], list[Finding]]:
    culture = workspace.culture
    remarks = Remarks(workspace.shown(workspace.bank_file))
    templates = [*workspace.bank.templates()] if wanted.every else in_use(workspace)
    seed = culture.questionnaire.seed
    found = understandings(templates, culture, workspace.groups, remarks, workspace.language)
    tasks = []
    for item in found.values():
        # The codes are those that 'curate survey build' gives the same options.
        options = [*zip("123", item.choices, strict=True)]
        random.Random(f"{seed}:{item.template_id}:order").shuffle(options)  # noqa: S311  # seeded
        cells: dict[str, object] = {
            "template_id": item.template_id,
            "sample_id": item.sample_id,
            "context": item.context,
            "question": item.question,
            "options": [{"value": text, "alias": code} for code, text in options],
        }
        version = digest(cells)  # keys that choose an option change nothing that is asked
        tasks.append(Task(item.template_id, with_keys(cells), version))
    return tasks, remarks.findings


def _comprehension(item: ReadAnswer) -> Comprehension:
    answer, seconds = item.said["answer"], item.seconds
    return Comprehension(
        respondent_id=item.person,
        question_id=f"c-{item.uid}",
        kind="comprehension",
        option=answer,
        state="selected",
        position=_position(item, answer),
        duration_s="" if seconds is None else f"{seconds:.1f}",
        template_id=item.field("template_id"),
        sample_id=item.field("sample_id"),
        remark=item.text("remark"),
        source_file=item.source,
        row_hash=item.hash,
        collected_at=item.at,
    )


def _position(item: ReadAnswer, code: str) -> str:
    options = item.data.get("options")
    codes = [option.get("alias") for option in options] if isinstance(options, list) else []
    return str(codes.index(code) + 1)


KIND = TaskKind(
    name="comprehension",
    annotations=3,
    is_of_source=False,
    tasks=_tasks,
    file="comprehension.csv",
    codec=Codec(Comprehension, PULL_AGAIN, key=("question_id", "respondent_id")),
    rows=lambda answers: [_comprehension(one) for one in answers.chosen("answer")],
    is_of_now=True,
    empty="translate templates first: their own columns hold no texts",
    then="curate filter ... --comprehension {file}",
)
"""Contexts are asked about, to see whether they are understood."""
