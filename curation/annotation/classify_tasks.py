"""Classification on a Label Studio server: the page, its tasks, and the labels that come back."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from curation.annotation.agreement import alpha_by
from curation.annotation.classify import ANNOTATIONS, current_labels
from curation.annotation.classify_sheets import classify_hashes, first_filled, shown
from curation.annotation.labels import (
    GroupsError,
    annotation_of,
    classifiable,
    merge_annotations,
    to_classify,
)
from curation.annotation.labelstudio.answers import Answer, Answers, Field, Saved
from curation.annotation.labelstudio.configs import DECISION, SHOWN, UNSURE, classify_page, linked
from curation.annotation.labelstudio.kinds import TEXT, TaskKind, Wanted
from curation.annotation.labelstudio.tasks import NOTHING, Task
from curation.annotation.suggestions.shown import Suggestion, said_of, suggest_texts
from curation.annotation.texts import pages
from curation.files.annotations import CLASSIFY_TABLE
from curation.files.workspace import Workspace
from curation.languages.prompts import SuggestTexts
from curation.records.annotation import CLASSIFY_LABELS, Annotation
from curation.records.bank import Label, Template
from curation.records.findings import Finding


def _tasks(workspace: Workspace, wanted: Wanted) -> tuple[list[Task], list[Finding]]:
    every = wanted.every
    templates = classifiable(workspace.bank.templates()) if every else to_classify(workspace)
    hashes = classify_hashes(templates)
    by_id = {str(item.id): item for item in templates}
    tasks = [Task(uid, item_shown(item, workspace), hashes[uid]) for uid, item in by_id.items()]
    return tasks, []


def item_shown(template: Template, workspace: Workspace) -> dict[str, str]:
    """What a page shows of a template that is classified, or decided on."""
    told = shown(template)
    cells = {name: text or NOTHING for name, text in told.items()}
    cells["heading"] = f"{template.id} · {template.category}"
    cells["example"] = first_filled(template.first, workspace).context or NOTHING
    cells["links"] = linked(" · ".join(filter(None, (told["reference"], told["source"]))))
    return cells


def _suggested(
    workspace: Workspace, tasks: Sequence[Task], found: Mapping[str, Suggestion]
) -> tuple[str, list[Task]]:
    """The page with suggestions, and the tasks with theirs."""
    texts = suggest_texts(workspace.language)
    page = classify_page(workspace.source_language, pages(workspace.language), texts.title)
    return page, [_with(task, found.get(task.uid), texts) for task in tasks]


def _with(task: Task, suggestion: Suggestion | None, texts: SuggestTexts) -> Task:
    if suggestion is None:
        return replace(task, shown={**task.shown, "suggestion": NOTHING})
    label = {
        "from_name": DECISION,
        "to_name": SHOWN,
        "type": "choices",
        "value": {"choices": [suggestion.label.value]},
    }
    told = {**task.shown, "suggestion": said_of(suggestion, texts)}
    return replace(task, shown=told, suggested=(label,))


def _save(answers: Answers) -> Saved:
    """Write the labels beside those of workbooks and other projects; of one template the later."""
    path = answers.folder.classify
    table = CLASSIFY_TABLE.read(path)
    others = [item for item in table if item.source_file not in answers.sources]
    later = {(item.template_id, item.annotator): item.collected_at for item in others}
    new = [
        item
        for one in answers.given
        if later.get((one.uid, one.annotator), "") <= one.changed_at
        if (item := _annotation(one, answers))
    ]
    keys, again = {(i.template_id, i.annotator) for i in new}, {i.annotator for i in new}
    stays = [item for item in others if (item.template_id, item.annotator) not in keys]
    known = [
        item for item in table if item.source_file not in answers.sources or item.annotator in again
    ]
    merged = merge_annotations(known, [*new, *(one for one in stays if one.annotator in again)])
    CLASSIFY_TABLE.write(path, merged.rows)
    return path, len(new), Counter(item.annotator for item in new)


def _annotation(item: Answer, answers: Answers) -> Annotation | None:
    decision = item.text("decision")
    label = Label(decision) if decision not in ("", UNSURE) else None
    removed, modified = label is Label.SAMPLE_REMOVED, label is Label.TARGET_MODIFIED
    more = (item.text("unsure_reason"),) if decision == UNSURE else ()
    said = {name: item.text(name) if modified else "" for name in _PROPOSED} | {
        "reason": item.text("removal_reason" if removed else "reason"),
        "remark": "\n".join(dict.fromkeys(filter(None, (*more, item.text("remark"))))),
    }
    problem = ""
    if label is None and not said["remark"]:
        problem = "it has neither label nor remark"
    if removed and not said["reason"]:
        problem = "a template is removed without a reason"
    try:
        made = annotation_of(
            said,
            label,
            template_id=item.uid,
            annotator=item.annotator,
            source_file=item.source,
            row_hash=item.field("hash"),
            collected_at=item.at,
        )
    except GroupsError:
        problem = "the proposed groups are not a list: separate them by commas"
    if problem:
        answers.refuse(item, problem)
        return None
    return made


_PROPOSED = ("proposed_targets", "proposed_non_targets")


def _disputed(workspace: Workspace, below: float) -> list[str]:
    """The templates of categories whose alpha is below a number."""
    labels = current_labels(workspace)
    category = {str(item.id): item.category for item in workspace.bank.templates()}
    low = {
        name
        for name, alpha in alpha_by(labels.ratings, category).items()
        if alpha.value is not None and alpha.value < below
    }
    return [uid for uid in labels.ratings if category[uid] in low]


KIND = TaskKind(
    name="classify",
    annotations=ANNOTATIONS,
    spec={
        "decision": Field("choices", frozenset(map(str, (*CLASSIFY_LABELS, UNSURE)))),
        "unsure_reason": TEXT,
        "removal_reason": TEXT,
        "reason": TEXT,
        "proposed_targets": TEXT,
        "proposed_non_targets": TEXT,
        "remark": TEXT,
    },
    page=lambda workspace: classify_page(workspace.source_language, pages(workspace.language)),
    tasks=_tasks,
    save=_save,
    empty="import templates first: curate import bbq FILE ...",
    then="curate collect {file} shows how far the annotators agree",
    suggested=_suggested,
    disputed=_disputed,
)
"""Templates are labelled ST, TM or SR."""
