"""Labels on a Label Studio server: templates that are classified, and those that are decided.

On the page of consensus stands what annotators said side by side. A decision that was submitted
goes to the ledger as `curate classify resolve` writes it, with the name of who submitted it. What
was settled or changed in the meantime is said and stays as it is.
"""

from collections.abc import Iterator, Mapping, Sequence
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
    before: list[Decided] = CONSENSUS.read(answers.workspace)
    taking = _Taking(answers, {row.template_id: row for row in before if row.recorded})
    by_template: dict[str, list[ReadAnswer]] = {}
    for item in sorted(answers.given, key=lambda item: (item.changed_at, item.annotator)):
        if _label(item):
            by_template.setdefault(item.uid, []).append(item)
        else:
            answers.refuse(item, "no label was chosen")
    rows = [row for found in by_template.values() for row in taking.rows(found)]
    for by, decisions in taking.taken.items():
        answers.findings.extend(resolve_decided(answers.workspace, decisions, by)["findings"])
    return rows


class _Taking:
    """Tells which decisions can be taken, and says what becomes of the others.

    Args:
        answers: What was submitted.
        earlier: By template what the ledger held of it at the last pull.

    Attributes:
        taken: By person, what is to be recorded.
    """

    def __init__(self, answers: Answers, earlier: Mapping[str, Decided]) -> None:
        workspace = answers.workspace
        self._answers = answers
        self._earlier = {
            name: consensus(name, Label(row.label), row.why).reason for name, row in earlier.items()
        }
        self._ledger = settled(workspace.renamed_decisions)
        self._standing: LabelState = current_labels(workspace)
        self.taken: dict[str, list[Decision]] = {}

    def rows(self, found: Sequence[ReadAnswer]) -> Iterator[Decided]:
        """What was submitted on one template, the first before the others."""
        # Of several the one that the ledger holds, else the one that was submitted first.
        first = next((item for item in found if self._holds(item)), found[0])
        apart = len({_label(item) for item in found}) > 1
        if apart:
            people = ", ".join(f"{item.annotator} decided {_label(item)}" for item in found)
            self._say(first, "apart", people=people)
        held = self._holds(first) if apart else self._take(first)
        for item in found:
            yield Decided(
                template_id=item.uid,
                annotator=item.annotator,
                label=_label(item),
                why=_why(item),
                recorded=self._holds(item) if apart else held and item is first,
                source_file=item.source,
                row_hash=item.field("hash"),
                collected_at=item.at,
            )

    def _holds(self, item: ReadAnswer) -> bool:
        known = self._ledger.get(item.uid)
        return known is not None and known.reason == _decision(item).reason

    def _take(self, item: ReadAnswer) -> bool:
        """Take a decision where it can be; says whether the ledger holds it then."""
        known, task = self._ledger.get(item.uid), self._answers.tasks.get(item.uid)
        if self._holds(item):
            return True
        why = ""
        if known is not None and self._earlier.get(item.uid) != known.reason:
            why = f"it is already decided: '{known.reason}' ({known.by}, {known.at})"
        elif known is None and (task is None or task.hash != item.field("hash")):
            why = self._meanwhile(item.uid)
        if why:
            todo = "if this is intended, nothing is to be done; else "
            if task and known is None:
                todo = f"curate push {NAME} --update {item.uid} asks again; or "
            self._say(item, "left", why=why, todo=todo)
            return False
        if item.annotator == numbered_name(item.user):
            self._say(item, "nameless", user=str(item.user))
            return False
        if known is not None:
            self._say(item, "other", before=known.reason)
        self.taken.setdefault(item.annotator, []).append(_decision(item))
        return True

    def _meanwhile(self, uid: str) -> str:
        """What has become of a template that is not as it was on the page."""
        given = self._standing.ratings.get(uid)
        if given is None:
            return "the bank no longer has it"
        if uid not in self._answers.tasks and len(set(given.values())) == 1:
            return f"later labels agree on {next(iter(given.values()))}"
        return "the template or its labels changed since"

    def _say(self, item: ReadAnswer, key: str, **words: str) -> None:
        by_hand = f"curate classify resolve {item.uid}={_label(item)} --by NAME --why TEXT"
        words |= {"uid": item.uid, "person": item.annotator, "now": _decision(item).reason}
        words |= {"by_hand": by_hand, "link": item.link}
        said = finding(__package__, f"labelstudio-consensus-{key}", item.source, **words)
        self._answers.findings.append(said)


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
