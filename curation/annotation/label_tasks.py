"""Labels on a Label Studio server: templates that are classified, and those that are decided.

On the page of consensus stands what annotators said side by side. A decision that was submitted
goes to the ledger as `curate classify resolve` writes it, with the name of who submitted it. What
was settled or changed in the meantime is said and stays as it is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from curation.annotation.agreement import alpha_by
from curation.annotation.classify import (
    ANNOTATIONS,
    current_labels,
    make_classify_sheets,
    resolve_decided,
)
from curation.annotation.labels import (
    LABEL_APART,
    LABEL_KEY,
    LabelState,
    agenda,
    annotation_of,
    classifiable,
    classify_hashes,
    consensus,
    examples,
    page_answer,
    refuse_alike,
    settled,
    shown,
    to_be_decided,
    to_classify,
)
from curation.annotation.labelstudio.answers import (
    PULL_AGAIN,
    Answers,
    ReadAnswer,
    TaskKind,
    Wanted,
    numbered_name,
)
from curation.annotation.labelstudio.tasks import (
    DECISION,
    NOTHING,
    SHOWN,
    Task,
    digest,
    linked,
    page_of,
)
from curation.annotation.sheets import consensus_page, pages
from curation.annotation.suggested import Suggestion, said_of, suggest_texts
from curation.files.annotations import CLASSIFY_TABLE
from curation.files.codec import Codec
from curation.files.workspace import Workspace
from curation.languages.general import ConsensusPage
from curation.languages.prompts import SuggestTexts
from curation.records.annotation import CLASSIFY_LABELS, Annotation, person_key
from curation.records.bank import Label, Template
from curation.records.messages import Finding, finding
from curation.records.survey import Decision, join_groups
from curation.report.texts import environment


def _to_classify(workspace: Workspace, wanted: Wanted) -> tuple[list[Task], list[Finding]]:
    every = classifiable(workspace.bank.templates())
    templates = every if wanted.every else to_classify(workspace)
    hashes = classify_hashes(templates)
    tasks = ((str(item.id), item_shown(item, workspace)) for item in templates)
    return [Task(uid, cells, hashes[uid]) for uid, cells in tasks], []


def item_shown(template: Template, workspace: Workspace) -> dict[str, str]:
    """What a page shows of a template that is classified, or decided on."""
    told = shown(template)
    cells = {name: text or NOTHING for name, text in told.items()}
    cells["heading"] = f"{template.id} · {template.category}"
    filled = examples(template, workspace).items()
    cells["example"] = "\n".join(f"{a}: {text}" for a, (text, _) in filled if text) or NOTHING
    cells["links"] = linked(" · ".join(filter(None, (told["reference"], told["source"]))))
    return cells


def _suggested(
    workspace: Workspace, tasks: Sequence[Task], found: Mapping[str, Suggestion]
) -> tuple[str, list[Task]]:
    """The page with suggestions, and the tasks with theirs."""
    texts = suggest_texts(workspace.language)
    words = pages(workspace.language)
    page = page_of("classify", workspace.source_language, words, suggestion=texts.title)
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


def _labels(answers: Answers) -> list[Annotation]:
    """The labels; of one template the later, beside those of workbooks and other projects."""
    table = CLASSIFY.read(answers.workspace)
    later = {item.key: item.collected_at for item in table if not answers.replaces(item)}
    new = [
        item
        for one in answers.given
        if later.get((one.uid, one.annotator), "") <= one.changed_at
        if (item := annotation_of(answers.as_given(one, **page_answer(one.text))))
    ]
    refuse_alike((*table, *new))
    return new


def _disputed(workspace: Workspace, below: float) -> dict[str, set[str]]:
    """The templates of categories whose alpha is below a number, with who has labelled each."""
    labels = current_labels(workspace)
    category = {str(item.id): item.category for item in workspace.bank.templates()}
    low = {
        name
        for name, alpha in alpha_by(labels.ratings, category).items()
        if alpha.value is not None and alpha.value < below
    }
    return {
        uid: {*map(person_key, given)}
        for uid, given in labels.ratings.items()
        if category[uid] in low
    }


CLASSIFY = TaskKind(
    name="classify",
    annotations=ANNOTATIONS,
    page=lambda workspace: page_of(
        "classify", workspace.source_language, pages(workspace.language)
    ),
    tasks=_to_classify,
    file="classify.csv",
    codec=CLASSIFY_TABLE,
    key=LABEL_KEY,
    rows=_labels,
    apart=LABEL_APART,
    empty="import templates first: curate import bbq FILE ...",
    then="curate collect {file} shows how far the annotators agree",
    suggested=_suggested,
    sheets=lambda *asked: [one["file"] for one in make_classify_sheets(*asked)["sheets"]],
    disputed=_disputed,
)
"""Templates are labelled ST, TM or SR."""


NAME = "consensus"
"""The kind of task, and the stem of its table."""


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision as it was submitted; fields are the columns of `annotations/consensus.csv`.

    Attributes:
        template_id: The template.
        annotator: Who submitted it.
        label: The label.
        why: The reason; empty where none was given.
        recorded: Whether it is in the ledger; else it was refused.
        source_file: The project.
        row_hash: Hash of the template and the labels that were shown.
        collected_at: When it was first read, UTC, ISO 8601.
    """

    template_id: str
    annotator: str
    label: str
    why: str
    recorded: bool
    source_file: str
    row_hash: str
    collected_at: str


def _to_decide(workspace: Workspace, _wanted: Wanted) -> tuple[list[Task], list[Finding]]:
    templates = classifiable(workspace.bank.templates())
    standing = current_labels(workspace)
    items = agenda(templates, standing, settled(workspace.renamed_decisions))
    words = consensus_page(workspace.language)
    hashes = classify_hashes(templates)
    by_id = {str(item.id): item for item in templates}
    tasks = []
    for item in to_be_decided(items, standing):
        given = {one.annotator: one.label or "" for one in item.opinions}
        # What is decided on: the template as it is, and the label of each.
        version = digest({"template": hashes[item.template_id], "labels": given})
        cells = item_shown(by_id[item.template_id], workspace)
        cells["said"] = said(item.opinions, words)
        tasks.append(Task(item.template_id, cells, version))
    return tasks, []


def said(opinions: Sequence[Annotation], words: ConsensusPage) -> str:
    """What annotators said, as HTML: a column for each label, in it who gave it and why."""
    given: dict[str, list[Annotation]] = {name: [] for name in (*CLASSIFY_LABELS, words.unsure)}
    for one in sorted(opinions, key=lambda one: one.annotator):
        if one.label or one.remark.strip():
            given[one.label or words.unsure].append(one)
    template = environment(__package__).get_template("opinions.html.j2")
    return template.render(given=given, words=words, join_groups=join_groups)


def _decided(answers: Answers) -> list[Decided]:
    """Record what can be; all that was submitted, with whether it was."""
    workspace = answers.workspace
    ledger, standing = settled(workspace.renamed_decisions), current_labels(workspace)
    before = {row.template_id: row for row in CONSENSUS.read(workspace) if row.recorded}
    by_template: dict[str, list[ReadAnswer]] = {}
    for item in sorted(answers.given, key=lambda item: (item.changed_at, item.annotator)):
        if _label(item):
            by_template.setdefault(item.uid, []).append(item)
        else:
            answers.refuse(item, "no label was chosen")
    rows: list[Decided] = []
    taken: dict[str, list[Decision]] = {}
    for uid, found in by_template.items():
        known = ledger.get(uid)
        held = [known is not None and known.reason == _decision(item).reason for item in found]
        # Of several the one that the ledger holds, else the one that was submitted first.
        at = held.index(True) if any(held) else 0
        if len({*map(_label, found)}) > 1:
            people = ", ".join(f"{item.annotator} decided {_label(item)}" for item in found)
            _say(answers, found[at], "apart", people=people)
        else:
            is_new = not held[at] and _is_taken(answers, found[at], known, before, standing)
            if is_new:
                taken.setdefault(found[at].annotator, []).append(_decision(found[at]))
            held = [item is found[at] and (is_new or held[at]) for item in found]
        for item, is_recorded in zip(found, held, strict=True):
            row = Decided(
                template_id=uid,
                annotator=item.annotator,
                label=_label(item),
                why=_why(item),
                recorded=is_recorded,
                source_file=item.source,
                row_hash=item.field("hash"),
                collected_at=item.at,
            )
            rows.append(row)
    for by, decisions in taken.items():
        answers.findings.extend(resolve_decided(workspace, decisions, by)["findings"])
    return rows


def _is_taken(
    answers: Answers,
    item: ReadAnswer,
    known: Decision | None,
    before: Mapping[str, Decided],
    standing: LabelState,
) -> bool:
    """Whether a decision can be taken that the ledger does not hold; else why not is said.

    Args:
        answers: What was submitted.
        item: The decision.
        known: What the ledger holds of its template.
        before: By template what the ledger held of it at the last pull.
        standing: What annotators say.
    """
    task, last, given = answers.tasks.get(item.uid), before.get(item.uid), standing.ratings
    why = ""
    if known is not None:
        if last is None or consensus(item.uid, Label(last.label), last.why).reason != known.reason:
            why = f"it is already decided: '{known.reason}' ({known.by}, {known.at})"
    elif item.uid not in given:
        why = "the bank no longer has it"
    elif task is None and len({*given[item.uid].values()}) == 1:
        why = f"later labels agree on {next(iter(given[item.uid].values()))}"
    elif task is None or task.hash != item.field("hash"):
        why = "the template or its labels changed since"
    if why:
        todo = "if this is intended, nothing is to be done; else "
        if task and known is None:
            todo = f"curate push {NAME} --update {item.uid} asks again; or "
        _say(answers, item, "left", why=why, todo=todo)
        return False
    if item.annotator == numbered_name(item.user):
        _say(answers, item, "nameless", user=str(item.user))
        return False
    if known is not None:
        _say(answers, item, "other", before=known.reason)
    return True


def _say(answers: Answers, item: ReadAnswer, key: str, **words: str) -> None:
    by_hand = f"curate classify resolve {item.uid}={_label(item)} --by NAME --why TEXT"
    words |= {"uid": item.uid, "person": item.annotator, "now": _decision(item).reason}
    words |= {"by_hand": by_hand, "link": item.link}
    said = finding(__package__, f"labelstudio-consensus-{key}", item.source, **words)
    answers.findings.append(said)


def _label(item: ReadAnswer) -> str:
    return "".join(item.values.get("decision", ()))


def _why(item: ReadAnswer) -> str:
    return " ".join(item.text("why").split())


def _decision(item: ReadAnswer) -> Decision:
    return consensus(item.uid, Label(_label(item)), _why(item))


CONSENSUS = TaskKind(
    name=NAME,
    annotations=1,
    page=lambda workspace: page_of(
        NAME,
        workspace.source_language,
        pages(workspace.language),
        words=consensus_page(workspace.language),
    ),
    tasks=_to_decide,
    file=f"{NAME}.csv",
    codec=Codec(Decided, PULL_AGAIN),
    key=("annotator", "template_id"),
    rows=_decided,
    counts=attrgetter("recorded"),
    empty="annotators disagree on no open template; to get new answers: curate pull classify "
    "&& curate collect annotations/classify.csv",
    then="curate status shows what is left",
    told=lambda workspace: consensus_page(workspace.language).guidelines,
    decides=True,
)
"""Templates on which annotators disagree are decided."""
