"""What is annotated: for each kind of task its page, its tasks, and how answers are read."""

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from curation.cli.evaluate_stories_passages import asked_file
from curation.cli.survey_comprehension import understandings
from curation.io.labelstudio import configs
from curation.io.labelstudio.pull import Field, Spec
from curation.io.labelstudio.tasks import Task, digest, refuse_unusable
from curation.io.workspace import Workspace, refuse_errors
from curation.model.annotation import CLASSIFY_LABELS
from curation.model.bank import Label
from curation.model.culture import Culture
from curation.model.errors import CurateError
from curation.model.findings import Finding
from curation.model.reply import choice_letters
from curation.stages.classify import classifiable
from curation.stages.classify_sheets import classify_hashes, shown
from curation.stages.translate.cells import Variants, machine_text
from curation.stages.translate.sheet import unit_uid
from curation.stages.translate.units import Choice, Unit, translation_units
from evaluation.stories.passages import Passage, draw_passages, read_passages
from survey.building.reading import Remarks

_NOTHING = "–"
_TEXT = Field("textarea")


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which texts are to be translated, or read.

    Attributes:
        unlabelled: Also those of templates that nobody has classified.
        missing: Only those whose own column is still empty.
        requests: What the evaluator of stories is asked; the usual file by default.
        count: How many of its passages; all by default.
        seed: Of their draw.
    """

    unlabelled: bool = False
    missing: bool = False
    requests: Path | None = None
    count: int | None = None
    seed: int = 42


@dataclass(frozen=True, slots=True)
class TaskKind:
    """One kind of task.

    Attributes:
        name: As the command calls it.
        annotations: How many people annotate each task unless the command says.
        spec: The questions of its page.
        page: Its page, for a culture.
        tasks: Its tasks, with what is to be said of the bank.
    """

    name: str
    annotations: int
    spec: Spec
    page: Callable[[Culture], str]
    tasks: Callable[[Workspace, Wanted], tuple[list[Task], list[Finding]]]


def _classify_tasks(workspace: Workspace, _wanted: Wanted) -> tuple[list[Task], list[Finding]]:
    templates = classifiable(workspace.bank.templates())
    hashes = classify_hashes(templates)
    tasks = []
    for template in templates:
        cells = {name: text or _NOTHING for name, text in shown(template).items()}
        cells["heading"] = f"{template.id} · {template.category}"
        tasks.append(Task(str(template.id), cells, hashes[str(template.id)]))
    return tasks, []


def _translate_tasks(workspace: Workspace, wanted: Wanted) -> tuple[list[Task], list[Finding]]:
    culture = workspace.culture
    choice = Choice(
        wanted.unlabelled, wanted.missing, culture.translation.context, culture.source_language
    )
    file = workspace.shown(workspace.bank_file)
    units, findings = translation_units(workspace.bank, choice, file)
    variants = {variant.id: variant for variant in workspace.bank.variants}
    return [_translate_task(unit, variants) for unit in units], list(findings)


def _translate_task(unit: Unit, variants: Variants) -> Task:
    machine = machine_text(unit, variants)
    where = dict.fromkeys(f"{place.field} {place.slot}".strip() for place in unit.places)
    cells = {
        "heading": f"{unit.template} · {unit.category} · {', '.join(where)}",
        "template_id": str(unit.template),
        "kind": unit.kind.value,
        "source_text": unit.text,
        "context": unit.context or _NOTHING,
        "mt": machine,
    }
    version = digest({"source": unit.text, "mt": machine})
    return Task(unit_uid(unit), cells, version)


def _comprehension_tasks(workspace: Workspace, _wanted: Wanted) -> tuple[list[Task], list[Finding]]:
    culture = workspace.culture
    remarks = Remarks(workspace.shown(workspace.bank_file))
    templates = [item for item in workspace.bank.templates() if item.label is not _REMOVED]
    seed = culture.questionnaire.seed
    found = understandings(templates, culture, workspace.groups, seed, remarks)
    tasks = []
    for item in found.values():
        # The codes are those that 'curate survey build' gives the same options.
        options = [("1", item.wrong), ("2", item.correct), ("3", item.unknown)]
        random.Random(f"{seed}:{item.template_id}:order").shuffle(options)  # noqa: S311  # seeded
        cells: dict[str, object] = {
            "template_id": item.template_id,
            "sample_id": item.sample_id,
            "context": item.context,
            "question": item.question,
            "options": [{"value": text, "alias": code} for code, text in options],
        }
        tasks.append(Task(item.template_id, cells))
    return tasks, remarks.findings


def _passage_tasks(workspace: Workspace, wanted: Wanted) -> tuple[list[Task], list[Finding]]:
    path = asked_file(workspace, wanted.requests)
    passages: Iterable[Passage] = (
        read_passages(path)
        if wanted.count is None
        else draw_passages(path, wanted.count, wanted.seed)
    )
    return list(map(_passage_task, passages)), []


def _passage_task(item: Passage) -> Task:
    options = [
        {"value": f"{letter}. {choice}", "alias": letter}
        for letter, choice in zip(choice_letters(len(item.choices)), item.choices, strict=False)
    ]
    cells = {"story": item.text, "question": item.question, "options": options}
    # Ids of requests tell who continued the story, which its readers are not to know.
    uid = f"passage-{digest({'request_id': item.request_id})}"
    version = digest({**cells, "roles": item.roles})
    return Task(uid, cells, version, (item.request_id, *item.roles))


_REMOVED = Label.SAMPLE_REMOVED


_EMPTY = {
    "classify": "import templates first: curate import bbq FILE ...",
    "translate": "label templates ST or TM first, or push with --unlabelled",
    "comprehension": "translate templates first: their own columns hold no texts",
    "passages": "ask the evaluator first: curate evaluate stories ask",
}


def _of(labels: Iterable[str]) -> frozenset[str]:
    return frozenset(labels)


KINDS: Mapping[str, TaskKind] = {
    "classify": TaskKind(
        "classify",
        3,
        {
            "decision": Field("choices", _of(label.value for label in CLASSIFY_LABELS)),
            "removal_reason": _TEXT,
            "reason": _TEXT,
            "proposed_targets": _TEXT,
            "proposed_non_targets": _TEXT,
            "remark": _TEXT,
        },
        lambda culture: configs.classify_page(culture.source_language),
        _classify_tasks,
    ),
    "translate": TaskKind(
        "translate",
        1,
        {
            "target": _TEXT,
            "rating": Field("rating", _of("12345")),
            "checks": Field("choices", _of(name for name, _ in configs.CHECKS), several=True),
            "remark": _TEXT,
        },
        lambda culture: configs.translate_page(culture.source_language, culture.language),
        _translate_tasks,
    ),
    "comprehension": TaskKind(
        "comprehension",
        3,
        {"answer": Field("choices", None), "remark": _TEXT},
        lambda culture: configs.comprehension_page(culture.language),
        _comprehension_tasks,
    ),
    "passages": TaskKind(
        "passages",
        2,
        {"answer": Field("choices", None), "remark": _TEXT},
        lambda culture: configs.passages_page(culture.language),
        _passage_tasks,
    ),
}
"""The kinds of task by name."""


def tasks_of(kind: TaskKind, workspace: Workspace, wanted: Wanted) -> list[Task]:
    """Give the tasks of a kind as the bank stands now.

    Raises:
        CurateError: If there are none, or one of them cannot be made.
    """
    tasks, findings = kind.tasks(workspace, wanted)
    refuse_errors(findings)
    refuse_unusable(tasks)
    if not tasks:
        raise CurateError(
            f"there is nothing to push for {kind.name}",
            workspace.shown(workspace.bank_file),
            _EMPTY[kind.name],
        )
    return tasks
