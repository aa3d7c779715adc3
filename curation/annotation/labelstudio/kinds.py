"""The kinds of tasks: each says its page, its tasks, and how its answers are written down."""

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from curation.annotation.labelstudio.answers import Answers, Field, Saved, Spec
from curation.annotation.labelstudio.tasks import Task, refuse_unusable
from curation.files.workspace import Workspace, refuse_errors
from curation.records.errors import CurateError
from curation.records.findings import Finding

if TYPE_CHECKING:
    from curation.annotation.suggestions.shown import Suggestion

    Found = Mapping[str, Suggestion]

KINDS: Mapping[str, str] = {
    "classify": "curation.annotation.label_tasks:CLASSIFY",
    "consensus": "curation.annotation.label_tasks:CONSENSUS",
    "translate": "curation.annotation.translation.tasks:KIND",
    "comprehension": "survey.comprehension_tasks:KIND",
    "passages": "evaluation.stories.passage_tasks:KIND",
}
"""By name of a kind where it is; its module is imported when it is used."""


TEXT = Field("textarea")
"""A question that is answered by a text."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which texts are to be translated, or read.

    Attributes:
        every: All that may have been sent, whatever else is wanted.
        unlabelled: Also those of templates that nobody has classified.
        missing: Only those of templates of which a text is still missing.
        asked: By what is asked once for all, the task that asked it first.
        requests: What the evaluator of stories is asked; the usual file by default.
        count: How many of its passages; as many as is usual by default.
        seed: The seed of their draw.
    """

    every: bool = False
    unlabelled: bool = False
    missing: bool = False
    asked: Mapping[str, str] = field(default_factory=dict)
    requests: Path | None = None
    count: int | None = None
    seed: int = 42


@dataclass(frozen=True, slots=True)
class TaskKind:
    """One kind of task.

    Attributes:
        name: As it is called everywhere.
        annotations: How many people annotate each task unless somebody says otherwise.
        spec: The questions of its page.
        page: Its page, in the language of a workspace.
        tasks: Its tasks, with what is found in the bank.
        save: Writes the answers in normal form.
        empty: What to do where there are no tasks.
        then: What comes after a pull; `{file}` stands for the normal form.
        told: What people are told before their first task, where the texts of pages do not say it.
        decides: Whether an answer is a decision: there is one project for all then, one answer to
            a task, and its taking says what became of it.
        suggested: Its page and tasks as those see them who are shown suggestions; None for a kind
            that has none.
        disputed: The tasks of categories in which annotators agree less than a number says; None
            for a kind of which agreement is not measured.
    """

    name: str
    annotations: int
    spec: Spec
    page: Callable[[Workspace], str]
    tasks: Callable[[Workspace, Wanted], tuple[list[Task], list[Finding]]]
    save: Callable[[Answers], Saved]
    empty: str
    then: str
    told: Callable[[Workspace], tuple[str, ...]] = lambda _workspace: ()
    decides: bool = False
    suggested: "Callable[[Workspace, Sequence[Task], Found], tuple[str, list[Task]]] | None" = None
    disputed: Callable[[Workspace, float], list[str]] | None = None


def kind_of(name: str) -> TaskKind:
    """The kind of a name.

    Raises:
        CurateError: If there is none.
    """
    if name not in KINDS:
        raise CurateError(
            f"there is no kind of task '{name}'", hint=f"kinds are {', '.join(KINDS)}"
        )
    module, _, constant = KINDS[name].partition(":")
    kind: TaskKind = getattr(importlib.import_module(module), constant)
    return kind


def tasks_of(kind: TaskKind, workspace: Workspace, wanted: Wanted) -> list[Task]:
    """The tasks of a kind by the bank as it is now.

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
            kind.empty,
        )
    return tasks
