"""Classification: workbooks and pages for annotators, how far they agree, and what is settled.

On the page of consensus stands what annotators said side by side. A decision that was submitted
goes to the ledger as `curate override --as` writes it, with the name of who submitted it. What
was settled or changed in the meantime is said and stays as it is.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import Any

from curation.annotation import labels as labelling
from curation.annotation import sheets, suggestions
from curation.annotation.agreement import Agreement, agreement, alpha_by
from curation.annotation.exported import SUFFIXES, read_exported
from curation.annotation.labelstudio import answers as answering
from curation.annotation.labelstudio.store import Links, pushed
from curation.annotation.labelstudio.tasks import DECISION, NOTHING, SHOWN, Task, digest, linked
from curation.checks.groups import removed_text, source_missing
from curation.checks.subject import Subject
from curation.checks.workspace import run
from curation.files.annotations import CLASSIFY_TABLE, write_agenda_csv
from curation.files.atomic import write_file
from curation.files.codec import DECISIONS, Codec, followed, now
from curation.files.lock import writing
from curation.files.workbooks import open_workbook, read_sheet, write_workbook
from curation.files.workbooks.opening import Glance, glance_at
from curation.files.workspace import Workspace
from curation.languages.general import ConsensusPage
from curation.languages.prompts import SuggestTexts
from curation.records.annotation import CLASSIFY_LABELS, AgendaItem, Annotation, person_key
from curation.records.bank import Bank, Label, Template, TemplateId
from curation.records.messages import (
    Finding,
    Results,
    decider,
    finding,
    given_reason,
    refusal,
    refuse_unknown,
    shortened,
)
from curation.records.survey import Decision, additions, join_groups
from curation.report.texts import environment

ANNOTATIONS = 3
"""How many annotators label each template where one project is that of all of them."""
_LABELS = [label.value for label in CLASSIFY_LABELS]
_IMPORT_MORE = (
    "import published ones; new ones (NC) have no source, and 'curate explain TEMPLATE' says why "
    "one is not used"
)


def make_classify_sheets(
    workspace: Workspace,
    annotators: Sequence[str],
    out: Path | None = None,
    *,
    only_open: bool = False,
    hidden: Sequence[str] | None = None,
    named: Collection[str] = (),
) -> dict[str, Any]:
    """Make a workbook for each annotator: a row a template, to be labelled ST, TM or SR.

    Newly created templates are left out. A workbook that may have been filled in is never
    written over.

    Args:
        workspace: The workspace.
        annotators: Who labels.
        out: The folder; `annotations/sheets` by default.
        only_open: Whether templates with a consensus are left out.
        hidden: That suggested labels are shown, and who does not see them, as `who_sees` takes
            it; nobody sees any by default.
        named: Only these templates or categories; all by default.

    Returns:
        How many `templates` each workbook holds; the `sheets`: of each `annotator` the `file`, and
        how many `suggestions` it shows; and which templates have `changed` since a label was
        suggested for them, which is not shown.

    Raises:
        CurateError: If names cannot be told apart, there is nothing to classify or no suggestion
            to show, or a workbook is in the way.
    """
    names = sheets.distinct_names(annotators)
    with writing(workspace, "curate classify sheet", to=out):
        only, todo = workspace.chosen(named), _IMPORT_MORE
        templates = [item for item in labelling.to_classify(workspace) if str(item.id) in only]
        if only_open and templates:
            todo = "all of them have a consensus: leave out --open to label them again"
            done = labelling.settled(workspace.renamed_decisions)
            templates = [item for item in templates if str(item.id) not in done]
        if not templates:
            where = workspace.shown(workspace.bank_file)
            raise refusal(__package__, "classify-nothing", where, todo=todo)
        ids = {str(item.id) for item in templates}
        found, stale = suggestions.to_show(workspace) if hidden is not None else ({}, ())
        sees = suggestions.who_sees(workspace, names, hidden) if hidden is not None else {}
        texts = suggestions.suggest_texts(workspace.language)
        beside = {
            name: suggestions.said_of(item, texts) for name, item in found.items() if name in ids
        }
        paths = sheets.sheet_paths(out or workspace.annotations.sheets, "classify", names)
        made = []
        for name, path in paths.items():
            shown = beside if sees.get(name) else {}
            book = labelling.classify_book(templates, name, shown, texts.title, workspace)
            sheets.hand_out(path, book, workspace.language)
            suggestions.record_shown(
                workspace, name, suggestions.SHEET, (found[one] for one in beside), shown
            )
            made.append({"annotator": name, "file": path, "suggestions": len(shown)})
    changed = [name for name in stale if name in ids]
    return {"templates": len(templates), "sheets": made, "changed": changed}


def current_labels(
    workspace: Workspace, annotations: Sequence[Annotation] | None = None
) -> labelling.LabelState:
    """What the annotations say of the templates as they are now.

    Args:
        workspace: The workspace.
        annotations: All annotations; those that were collected by default.

    Raises:
        CurateError: If the bank or the annotations cannot be read.
    """
    templates = labelling.classifiable(workspace.bank.templates())
    annotations = labelling.read_labels(workspace, annotations)
    elsewhere = labelling.answered_elsewhere(annotations)
    sent = pushed(workspace, labelling.CLASSIFY).now(workspace.renamed)
    on_server, needed = labelling.asked_on_server(sent, annotations, ANNOTATIONS)
    handed = {name: ids for name, ids in on_server.items() if person_key(name) not in elsewhere}
    hashes = labelling.classify_hashes(templates)
    return labelling.stand(templates, annotations, hashes, handed, needed)


def label_agreement(workspace: Workspace, labels: labelling.LabelState | None = None) -> Agreement:
    """Compute the agreement of annotators.

    Args:
        workspace: The workspace.
        labels: What annotators say; what was collected by default.

    Raises:
        CurateError: If the bank or the annotations cannot be read.
    """
    labels = labels or current_labels(workspace)
    category = {str(item.id): item.category for item in workspace.bank.templates()}
    at = {one.key: one.collected_at for every in labels.opinions.values() for one in every}
    return agreement(labels.ratings, labels.annotators, _LABELS, category, at)


def collect_labels(
    workspace: Workspace,
    files: Sequence[Path] = (),
    *,
    accept_changed: bool = False,
    by: str = "",
    at_least: int = 2,
    dry_run: bool = False,
) -> Results:
    """Collect the labels of returned workbooks, and of files that other tools export.

    A label replaces an earlier one of its annotator and template; where there is none now, the
    earlier one stays and is named.

    Without a file the labels that were collected before are used. The agenda of the consensus
    meeting is written again.

    Args:
        workspace: The workspace.
        files: The workbooks and exports.
        accept_changed: Whether labels count of templates that changed after the sheet was made.
        by: Who takes responsibility for labels that all annotators gave: they are recorded as
            decided; none are by default.
        at_least: The minimum number of annotators of a template for a consensus.
        dry_run: Whether nothing is written.

    Returns:
        What it comes to, by key.

        - `templates`: How many there are to be classified.
        - `annotators`: Of each `annotator` the workbook that was collected now (`file`, None
          without one), how many earlier annotations are others now (`replaced`), how often each of
          the `labels` was given, how many templates are `labelled`, which are `missing`, and which
          have `changed` since, whose labels do not count.
        - `agreement`: How far they agree.
        - `disagreements`: Templates on which they differ.
        - `incomplete`: Templates that not all who were asked labelled, as far as labelled alike.
        - `moved`: Where a filled in agenda was moved to, which was in the way.
        - `findings`: What was left out of the labels, and why.
        - `suggestions`: How often labels are those that were suggested, shown and blind apart, as
          `suggestions.compare` says; nothing where none were.
        - `recorded`: What all annotators agree on, as `resolve_agenda` tells it; None where nobody
          answers for it.
        - `to_record`: Templates on which all agree, and whose label is not recorded.
        - `waiting`: Of each annotator who was asked and has given nothing, the open templates.

    Raises:
        Refusal: If a workbook has an error: nothing is written but a marked copy of it.
        CurateError: If a file cannot be read or written, or nothing was collected yet.
    """
    with writing(workspace, "curate collect", dry_run=dry_run):
        templates = labelling.classifiable(workspace.bank.templates())
        exported = [path for path in files if path.suffix.lower() in SUFFIXES]
        ids = [str(item.id) for item in templates]
        sheet = labelling.with_former(workspace, labelling.classify_sheet(templates))
        known = [row.key for row in sheet.rows]
        given, said = read_exported(workspace, exported, known, now()) if exported else ([], [])
        hashes = labelling.classify_hashes(templates, workspace) if accept_changed else {}
        table = workspace.annotations.classify
        rows, findings, _, read_from, replaced = sheets.collect_rows(
            workspace,
            [path for path in files if path not in exported],
            labelling.CLASSIFY,
            CLASSIFY_TABLE,
            table,
            lambda _: sheet,
            lambda one: labelling.annotation_of(replace(one, hash=hashes.get(one.uid, one.hash))),
            counts=lambda item: item.label,
            apart=labelling.LABEL_APART,
            beside=(exported, given, said),
            check=labelling.refuse_alike,
            dry_run=dry_run,
        )
        if not rows:
            raise refusal(__package__, "annotation-none", workspace.shown(table))
        labels = current_labels(workspace, rows)
        settled = labelling.settled(workspace.renamed_decisions)
        items = with_links(labelling.agenda(templates, labels, settled), Links(workspace))
        moved = None if dry_run else _write_agenda(workspace, templates, items)
        decisions = labelling.agreed(templates, labels, settled, at_least)
        fresh = additions(workspace.renamed_decisions, decisions, by, "").decisions
        to_record = () if by else tuple(item.subject for item in fresh)
        recorded = resolve_decided(workspace, decisions, by, dry_run=dry_run) if by else None
    found = label_agreement(workspace, labels)
    values = {
        "templates": len(templates),
        "annotators": tuple(
            {
                "annotator": name,
                "file": str(read_from[name]) if name in read_from else None,
                "replaced": replaced.get(name, 0),
                "labels": dict(found.counts[name]),
                "labelled": sum(name in given for given in labels.ratings.values()),
                "missing": list(labels.missing[name]),
                "changed": labels.stale.get(name, ()),
            }
            for name in labels.annotators
        ),
        "agreement": found,
        "disagreements": tuple(i.template_id for i in items if i.kind == "disagreement"),
        "incomplete": tuple(i.template_id for i in items if i.kind == "incomplete"),
        "moved": moved,
        "findings": (
            *findings,
            *said,
            *_to_be_known(workspace, labels, templates),
        ),
        "suggestions": suggestions.compare(
            labels,
            suggestions.usable_suggestions(workspace)[0],
            labelling.as_now(
                workspace, suggestions.ALLOTTED.read(suggestions.shown_file(workspace))
            ),
        ),
        "recorded": recorded,
        "to_record": to_record,
        "waiting": _waiting(workspace, labels, ids),
    }
    return Results(values, {"annotators": ("annotator", "labelled", *_LABELS, "missing")})


def _waiting(
    workspace: Workspace, labels: labelling.LabelState, ids: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """What is open of those who were asked and have given nothing."""
    handed = glance_at(workspace.annotations.sheets)
    books = (one for one in handed if isinstance(one, Glance))
    asked = labelling.asked_in_sheets(books, ids, workspace.renamed)
    for name, left in labels.missing.items():
        asked.setdefault(name, set()).update(left)
    given = {*map(person_key, labels.annotators)}
    done = labelling.settled(workspace.renamed_decisions)
    return {
        name: tuple(one for one in ids if one in every and one not in done)
        for name, every in asked.items()
        if person_key(name) not in given
    }


def with_links(items: Iterable[AgendaItem], links: Links) -> list[AgendaItem]:
    """The items of an agenda with the places of the answers that were given on a server."""
    return [
        replace(
            item,
            links={
                one.annotator: link
                for one in item.opinions
                if (link := links.of_source(labelling.CLASSIFY, one.source_file, item.template_id))
            },
        )
        for item in items
    ]


def _write_agenda(
    workspace: Workspace, templates: Sequence[Template], items: Sequence[AgendaItem]
) -> str | None:
    """Write the agenda; a filled in one that is there is moved aside, not lost."""
    folder = workspace.annotations
    path, moved = folder.agenda("xlsx"), None
    if path.exists():
        book = open_workbook(path, labelling.AGENDA)
        filled = read_sheet(book, labelling.agenda_sheet(templates, items))
        if any(row.filled for row in filled.rows) or book.has_errors:
            digest = sha256(book.data).hexdigest()[:8]
            target = path.with_name(f"agenda-filled-{digest}.xlsx")
            path.replace(target)
            moved = str(target)
    write_agenda_csv(folder.agenda("csv"), items)
    write_workbook(
        path, sheets.told(labelling.agenda_book(templates, items, workspace), workspace.language)
    )
    write_file(folder.agenda("md"), labelling.agenda_markdown(items))
    return moved


def _to_be_known(
    workspace: Workspace, labels: labelling.LabelState, templates: Iterable[Template]
) -> Iterator[Finding]:
    """Say which annotations do not hold any more, and which proposed groups a category lacks."""
    file = workspace.shown(workspace.annotations.classify)
    for person, ids in labels.stale.items():
        words = {"person": person, "ids": shortened(ids)}
        yield finding(__package__, "annotation-stale", file, count=len(ids), **words)
    if strange := labels.strange:
        words = {"ids": shortened(strange)}
        yield finding(__package__, "annotation-unknown-template", file, count=len(strange), **words)
    lacking: dict[str, list[str]] = {}
    proposed = labelling.proposed_groups(labels, templates, workspace.groups)
    for (category, group), who in proposed.items():
        lacking.setdefault(category, []).append(f"{group} ({', '.join(who)})")
    file = workspace.shown(workspace.groups_file)
    for category, named in lacking.items():
        words = {"category": category, "groups": shortened(named)}
        yield finding(__package__, "annotation-groups-new", file, **words)


def resolve_agenda(
    workspace: Workspace,
    file: Path,
    by: str,
    *,
    accept_changed: bool = False,
    dry_run: bool = False,
) -> Results:
    """Record the labels that a meeting has written into its agenda.

    Args:
        workspace: The workspace.
        file: The agenda.
        by: The person who takes responsibility; the ledger names them.
        accept_changed: Whether rows count whose template changed since.
        dry_run: Whether nothing is written.

    Returns:
        The `settled` templates: `template_id`, `label`, `outcome` and `reason`; what of it the
        ledger did not hold yet (`added`); and `findings`: what the labels ask for (a template
        labelled SR has no texts, ST and TM name their source).

    Raises:
        Refusal: If the agenda has an error: nothing is written but a marked copy of it.
        CurateError: If a file cannot be read or written.
    """
    with writing(workspace, "curate collect", dry_run=dry_run):
        templates = labelling.classifiable(workspace.bank.templates())
        book = open_workbook(file, labelling.AGENDA)
        items = labelling.agenda(templates, current_labels(workspace), every=True)
        everything = with_links(items, Links(workspace))
        sheet = labelling.agenda_sheet(templates, everything)
        filled = read_sheet(book, labelling.with_former(workspace, sheet))
        # An agenda need not hold what was settled before it, or came up after it.
        filled.unmark(lambda said: said.rule == "workbook-row-missing")
        found = [
            labelling.consensus(
                workspace.renamed.get(row.key, row.key),
                Label(row.cells["label"].strip()),
                row.cells["why"],
            )
            for row in filled.rows
            if row.cells["label"].strip() in _LABELS and (accept_changed or not row.changed)
        ]
        if not found and not book.has_errors and not any(row.changed for row in filled.rows):
            filled.mark(None, "label", finding(__package__, "agenda-empty", ""))
        findings = sheets.refuse_wrong(workspace, [book], mark=not dry_run)
        return resolve_decided(workspace, found, by, findings, dry_run=dry_run)


def label_templates(
    workspace: Workspace,
    templates: Sequence[str],
    label: Label,
    reason: str,
    by: str,
    *,
    dry_run: bool = False,
) -> Results:
    """Settle the label of templates; all of them or none.

    Args:
        workspace: The workspace.
        templates: Their ids.
        label: The label.
        reason: The reason, for later readers.
        by: The person who takes responsibility; the ledger names them.
        dry_run: Whether to write nothing.

    Returns:
        What `resolve_agenda` gives.

    Raises:
        CurateError: If the bank has no such template with a source, reason or name is empty, or a
            file cannot be written.
    """
    why = given_reason(reason)
    refuse_unknown("label", label, CLASSIFY_LABELS)
    with writing(workspace, "curate override", dry_run=dry_run):
        labels = {str(item.id): item.label for item in workspace.bank.templates()}
        names = dict.fromkeys(str(TemplateId.parse(workspace.id_now(name))) for name in templates)
        for name in names:
            if labels.get(name, Label.NEWLY_CREATED) is Label.NEWLY_CREATED:
                way = "new" if name in labels else "gone"
                where = workspace.shown(workspace.bank_file)
                raise refusal(__package__, "classify-other", where, way=way, name=name)
        decided = [labelling.consensus(name, Label(label), why) for name in names]
        return resolve_decided(workspace, decided, by, dry_run=dry_run)


def resolve_decided(
    workspace: Workspace,
    decisions: Sequence[Decision],
    by: str,
    findings: Sequence[Finding] = (),
    *,
    dry_run: bool = False,
) -> Results:
    """Settle labels that one person has decided.

    Args:
        workspace: The workspace.
        decisions: The consensus on each template, as `labels.consensus` makes it.
        by: Who decided.
        findings: What is to be said before what the labels ask for.
        dry_run: Whether nothing is written.

    Raises:
        CurateError: If the name is empty, or a file cannot be written.
    """
    by = decider(by)
    with writing(workspace, "curate override", dry_run=dry_run):
        labels = {item.subject: labelling.LABELS[item.outcome] for item in decisions}
        bank = labelling.relabel(workspace.bank, labels)
        added = additions(workspace.renamed_decisions, decisions, by, now())
        labelled = Bank(tuple(row for row in bank.variants if str(row.template_id) in labels))
        asked = run(Subject.of(workspace, labelled, groups=()), [removed_text, source_missing])
        if not dry_run:
            DECISIONS.append(workspace.ledger_file, added.decisions)
            if bank != workspace.bank:
                workspace.write_bank(workspace.bank_file, bank)
    columns = ("template_id", "label", "outcome", "reason")
    rows = ((one.subject, labels[one.subject], one.outcome, one.reason) for one in decisions)
    settled = [dict(zip(columns, map(str, row), strict=True)) for row in rows]
    values = {"settled": settled, "added": added, "findings": (*findings, *asked)}
    return Results(values, {"settled": columns})


def _to_classify(
    workspace: Workspace, wanted: answering.Wanted
) -> tuple[list[Task], list[Finding]]:
    every = labelling.classifiable(workspace.bank.templates())
    templates = every if wanted.every else labelling.to_classify(workspace)
    hashes = labelling.classify_hashes(templates, workspace)
    ids = _task_ids(workspace, labelling.CLASSIFY)
    shown = ((str(item.id), item_shown(item, workspace)) for item in templates)
    tasks = ((ids.get(name, name), cells) for name, cells in shown)
    return [Task(uid, cells, hashes[uid]) for uid, cells in tasks], []


def _task_ids(workspace: Workspace, kind: str) -> dict[str, str]:
    """The ids under which people were asked about templates that have moved since.

    Under them they are not asked again.
    """
    sent = {*chain.from_iterable(pushed(workspace, kind).allotted.values())}
    return {new: old for old, new in workspace.renamed.items() if old in sent}


def item_shown(template: Template, workspace: Workspace) -> dict[str, str]:
    """What a page shows of a template that is classified, or decided on."""
    told = labelling.shown(template)
    cells = {name: text or NOTHING for name, text in told.items()}
    cells["heading"] = f"{template.id} · {template.category}"
    filled = labelling.examples(template, workspace).items()
    cells["example"] = "\n".join(f"{a}: {text}" for a, (text, _) in filled if text) or NOTHING
    cells["links"] = linked(" · ".join(filter(None, (told["reference"], told["source"]))))
    return cells


def _suggested(
    workspace: Workspace, tasks: Sequence[Task], found: Mapping[str, suggestions.Suggestion]
) -> tuple[str, list[Task]]:
    """The page with suggestions, and the tasks with theirs."""
    texts = suggestions.suggest_texts(workspace.language)
    page = CLASSIFY_TASKS.page(workspace, texts.title)
    return page, [_with(task, found.get(task.uid), texts) for task in tasks]


def _with(task: Task, suggestion: suggestions.Suggestion | None, texts: SuggestTexts) -> Task:
    if suggestion is None:
        return replace(task, shown={**task.shown, "suggestion": NOTHING})
    label = {
        "from_name": DECISION,
        "to_name": SHOWN,
        "type": "choices",
        "value": {"choices": [suggestion.label.value]},
    }
    told = {**task.shown, "suggestion": suggestions.said_of(suggestion, texts)}
    return replace(task, shown=told, suggested=(label,))


def _labels(answers: answering.Answers) -> list[Annotation]:
    """The labels; of one template the later, beside those of workbooks and other projects."""
    table = CLASSIFY_TASKS.read(answers.workspace)
    later = {item.key: item.collected_at for item in table if not answers.replaces(item)}
    new = [
        item
        for one in answers.given
        if later.get((one.uid, one.person), "") <= one.changed_at
        if (item := labelling.annotation_of(replace(one, said=labelling.page_answer(one.text))))
    ]
    labelling.refuse_alike((*table, *new))
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
    ids = _task_ids(workspace, labelling.CLASSIFY)
    return {
        ids.get(name, name): {*map(person_key, given)}
        for name, given in labels.ratings.items()
        if category[name] in low
    }


CLASSIFY_TASKS = answering.TaskKind(
    name="classify",
    annotations=ANNOTATIONS,
    tasks=_to_classify,
    file="classify.csv",
    codec=CLASSIFY_TABLE,
    rows=_labels,
    apart=labelling.LABEL_APART,
    empty="import templates first: curate import bbq FILE ...",
    then="curate collect {file} shows how far the annotators agree",
    suggested=_suggested,
    sheets=lambda *asked: [one["file"] for one in make_classify_sheets(*asked)["sheets"]],
    disputed=_disputed,
)
"""Templates are labelled ST, TM or SR."""


CONSENSUS = "consensus"
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


def _to_decide(workspace: Workspace, _wanted: answering.Wanted) -> tuple[list[Task], list[Finding]]:
    templates = labelling.classifiable(workspace.bank.templates())
    standing = current_labels(workspace)
    items = labelling.agenda(templates, standing, labelling.settled(workspace.renamed_decisions))
    words = sheets.consensus_page(workspace.language)
    hashes, ids = labelling.classify_hashes(templates, workspace), _task_ids(workspace, CONSENSUS)
    by_id = {str(item.id): item for item in templates}
    tasks = []
    for item in labelling.to_be_decided(items, standing):
        given = {one.annotator: one.label or "" for one in item.opinions}
        uid = ids.get(item.template_id, item.template_id)
        # What is decided on: the template as it is, and the label of each.
        version = digest({"template": hashes[uid], "labels": given})
        cells = item_shown(by_id[item.template_id], workspace)
        cells["said"] = said(item.opinions, words)
        tasks.append(Task(uid, cells, version))
    return tasks, []


def said(opinions: Sequence[Annotation], words: ConsensusPage) -> str:
    """What annotators said, as HTML: a column for each label, in it who gave it and why."""
    given: dict[str, list[Annotation]] = {name: [] for name in (*CLASSIFY_LABELS, words.unsure)}
    for one in sorted(opinions, key=lambda one: one.annotator):
        if one.label or one.remark.strip():
            given[one.label or words.unsure].append(one)
    template = environment(__package__).get_template("opinions.html.j2")
    return template.render(given=given, words=words, join_groups=join_groups)


def _decided(answers: answering.Answers) -> list[Decided]:
    """Record what can be; all that was submitted, with whether it was."""
    workspace = answers.workspace
    ledger, standing = labelling.settled(workspace.renamed_decisions), current_labels(workspace)
    before = {row.template_id: row for row in CONSENSUS_TASKS.read(workspace) if row.recorded}
    by_template: dict[str, list[answering.ReadAnswer]] = {}
    for item in sorted(answers.given, key=lambda item: (item.changed_at, item.person)):
        if item.text("decision"):
            by_template.setdefault(item.uid, []).append(item)
        else:
            item.refuse("decision", "no label was chosen")
    rows: list[Decided] = []
    taken: dict[str, list[Decision]] = {}
    for uid, found in by_template.items():
        known = ledger.get(workspace.renamed.get(uid, uid))
        held = [known is not None and known.reason == _decision(item).reason for item in found]
        # Of several the one that the ledger holds, else the one that was submitted first.
        at = held.index(True) if any(held) else 0
        if len({item.text("decision") for item in found}) > 1:
            people = ", ".join(f"{item.person} decided {item.text('decision')}" for item in found)
            _say(answers, found[at], "apart", people=people)
        else:
            is_new = not held[at] and _is_taken(answers, found[at], known, before, standing)
            if is_new:
                taken.setdefault(found[at].person, []).append(_decision(found[at]))
            held = [item is found[at] and (is_new or held[at]) for item in found]
        for item, is_recorded in zip(found, held, strict=True):
            label, why = item.text("decision"), _why(item)
            rows.append(
                Decided(uid, item.person, label, why, is_recorded, item.source, item.hash, item.at)
            )
    for by, decisions in taken.items():
        now_of = followed(decisions, workspace.renamed)
        answers.findings.extend(resolve_decided(workspace, now_of, by)["findings"])
    return rows


def _is_taken(
    answers: answering.Answers,
    item: answering.ReadAnswer,
    known: Decision | None,
    before: Mapping[str, Decided],
    standing: labelling.LabelState,
) -> bool:
    """Whether a decision can be taken that the ledger does not hold; else why not is said.

    Args:
        answers: What was submitted.
        item: The decision.
        known: What the ledger holds of its template.
        before: By template what the ledger held of it at the last pull.
        standing: What annotators say.
    """
    task, last = answers.tasks.get(item.uid), before.get(item.uid)
    given = standing.ratings.get(answers.workspace.renamed.get(item.uid, item.uid))
    why = ""
    if known is not None and task is None:
        if (
            last is None
            or labelling.consensus(item.uid, Label(last.label), last.why).reason != known.reason
        ):
            why = f"it is already decided: '{known.reason}' ({known.by}, {known.at})"
    elif given is None:
        why = "the bank no longer has it"
    elif task is None and len({*given.values()}) == 1:
        why = f"later labels agree on {next(iter(given.values()))}"
    elif task is None or task.hash != item.hash:
        why = "the template or its labels changed since"
    if why:
        todo = "if this is intended, nothing is to be done; else "
        if task:
            todo = f"curate push {CONSENSUS} --update {item.uid} asks again; or "
        _say(answers, item, "left", why=why, todo=todo)
        return False
    if item.person == answering.numbered_name(item.user):
        _say(answers, item, "nameless", user=str(item.user))
        return False
    if known is not None:
        _say(answers, item, "other", before=known.reason)
    return True


def _say(answers: answering.Answers, item: answering.ReadAnswer, key: str, **words: str) -> None:
    by_hand = f"curate override {item.uid} --as {item.text('decision')} --by NAME --reason TEXT"
    words |= {"uid": item.uid, "person": item.person, "now": _decision(item).reason}
    words |= {"by_hand": by_hand, "link": item.link}
    said = finding(__package__, f"labelstudio-consensus-{key}", item.source, **words)
    answers.findings.append(said)


def _why(item: answering.ReadAnswer) -> str:
    return " ".join(item.text("why").split())


def _decision(item: answering.ReadAnswer) -> Decision:
    return labelling.consensus(item.uid, Label(item.text("decision")), _why(item))


CONSENSUS_TASKS = answering.TaskKind(
    name=CONSENSUS,
    annotations=1,
    tasks=_to_decide,
    file=f"{CONSENSUS}.csv",
    codec=Codec(Decided, answering.PULL_AGAIN, key=("template_id", "annotator")),
    rows=_decided,
    counts=attrgetter("recorded"),
    empty="annotators disagree on no open template; to get new answers: curate pull classify "
    "&& curate collect annotations/classify.csv",
    then="curate status shows what is left",
    told=lambda workspace: sheets.consensus_page(workspace.language).guidelines,
    decides=True,
)
"""Templates on which annotators disagree are decided."""
