"""What annotators are shown and label, the agenda of a meeting, and decisions from a consensus."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, TypeVar

from curation.annotation.labelstudio.store import FROM_SERVER, KindState, owner_of
from curation.annotation.labelstudio.tasks import UNSURE
from curation.annotation.sheets import Given, columns
from curation.bank.generate import prepare
from curation.files.annotations import CLASSIFY_TABLE
from curation.files.workbooks import Book, Sheet, SheetRow, row_hash
from curation.files.workbooks.opening import Glance
from curation.files.workspace import Workspace
from curation.records import survey
from curation.records.annotation import CLASSIFY_LABELS, AgendaItem, Annotation, person_key
from curation.records.bank import Bank, Group, Label, Template, Texts, Variant
from curation.records.messages import CurateError, refusal
from curation.report.texts import filled
from curation.slots import grammar

R = TypeVar("R")
PEOPLE = frozenset({"N1", "N2"})
"""The slots of people; in a target-modified template the survey chooses who they are."""
OUTCOMES = {
    Label.SIMPLY_TRANSFERRED: survey.Outcome.KEEP,
    Label.TARGET_MODIFIED: survey.Outcome.MODIFY,
    Label.SAMPLE_REMOVED: survey.Outcome.DROP,
}
"""What a label makes of a template."""
LABELS = {outcome: label for label, outcome in OUTCOMES.items()}
"""The label that a consensus holds, by its outcome."""


def annotation_of(given: Given, *, needs_reason: bool = True) -> Annotation | None:
    """An annotator's answer as it is kept, whatever it came in.

    Args:
        given: What was said: `label`, `reason`, `proposed_targets`, `proposed_non_targets` and
            `remark`. Who is not sure of a label says why in the remark, or else in the reason.
        needs_reason: Whether SR is refused without a reason.

    Returns:
        None where something is refused.
    """
    label, reason, remark = map(given.text, ("label", "reason", "remark"))
    if not (label or remark):
        reason, remark = "", reason
    wrong: dict[str, str] = {}
    if not label and not remark:
        wrong["label"] = "it has neither label nor remark"
    elif label and label not in CLASSIFY_LABELS:
        wrong["label"] = f"'{label}' is no label: labels are {', '.join(CLASSIFY_LABELS)}"
    if label == Label.SAMPLE_REMOVED and needs_reason and not reason:
        wrong["reason"] = "a template is removed without a reason"
    groups: dict[str, tuple[str, ...]] = {}
    for column in ("proposed_targets", "proposed_non_targets"):
        try:
            groups[column] = survey.typed_groups(given.text(column))
        except ValueError:
            why = f"'{given.text(column)}' is not a list of groups: separate them by commas"
            wrong[column] = why
    for column, why in wrong.items():
        given.refuse(column, why)
    if wrong:
        return None
    return Annotation(
        template_id=given.uid,
        annotator=given.person,
        label=Label(label) if label else None,
        reason=reason,
        remark=remark,
        source_file=given.source,
        row_hash=given.hash,
        collected_at=given.at,
        **groups,
    )


def page_answer(said: Callable[[str], str]) -> dict[str, str]:
    """What an annotator answers on a page, by column.

    What stands in boxes of another choice than theirs is not said.

    Args:
        said: Gives what stands at a question of the page; its `decision` is a label or `unsure`.
    """
    label = said("decision")
    is_unsure, is_removed = label == UNSURE, label == Label.SAMPLE_REMOVED
    remarks = (said("unsure_reason") if is_unsure else "", said("remark"))
    proposed = ("proposed_targets", "proposed_non_targets")
    return {
        "label": "" if is_unsure else label,
        "reason": said("removal_reason" if is_removed else "reason"),
        "remark": "\n".join(dict.fromkeys(filter(None, remarks))),
        **{one: said(one) if label == Label.TARGET_MODIFIED else "" for one in proposed},
    }


LABEL_APART = ("source_file", "collected_at")
"""In what a label may differ and still be the same."""


def refuse_alike(annotations: Iterable[Annotation]) -> None:
    """Refuse two annotators whose names differ only in their spelling.

    Raises:
        CurateError: If there are two.
    """
    names: dict[str, str] = {}
    for item in annotations:
        first = names.setdefault(person_key(item.annotator), item.annotator)
        if first != item.annotator:
            words = {"first": first, "other": item.annotator}
            raise refusal(__package__, "annotators-alike", "annotations", **words)


@dataclass(frozen=True, slots=True)
class LabelState:
    """What the annotations say of the templates as they are now.

    Attributes:
        ratings: By template, the label that each annotator gave it.
        annotators: Everyone who has annotated.
        asked: By template, who was asked to label it, as far as that is known, or did.
        missing: By annotator, or who is to be one, the templates that they were asked about and
            have not answered: neither with a label nor, where they are not sure, with a remark.
        stale: By annotator, those whose content changed since; not in the ratings.
        strange: Annotated templates that the bank has not.
        opinions: By template, all annotations that hold.
        needed: By template, how many labels were asked for without naming annotators.
    """

    ratings: Mapping[str, Mapping[str, str]]
    annotators: tuple[str, ...]
    asked: Mapping[str, frozenset[str]]
    missing: Mapping[str, tuple[str, ...]]
    stale: Mapping[str, tuple[str, ...]]
    strange: tuple[str, ...]
    opinions: Mapping[str, tuple[Annotation, ...]]
    needed: Mapping[str, int] = field(default_factory=dict)

    def wanted(self, template: str) -> int:
        """How many labels make a template complete."""
        return max(len(self.asked[template]), self.needed.get(template, 0), 1)

    def answered(self, template: str) -> int:
        """How many annotators gave it a label or, not being sure of one, a remark."""
        return sum(bool(item.label or item.remark.strip()) for item in self.opinions[template])


def classifiable(templates: Iterable[Template]) -> list[Template]:
    """The templates that annotators classify: all that were not newly created."""
    return [item for item in templates if item.label is not Label.NEWLY_CREATED]


def to_classify(workspace: Workspace) -> list[Template]:
    """The templates that annotators are asked to label: those in use, and those labelled SR.

    Of those labelled SR others may have yet to say what they think.

    Raises:
        CurateError: If the bank, the ledger or the counts of the survey cannot be read.
    """
    aside = survey.set_aside(workspace.renamed_decisions)
    found = [
        item.template
        for item in workspace.outcomes
        if item.status is survey.Status.REMOVED or not item.is_out_of_use
    ]
    return [item for item in classifiable(found) if str(item.id) not in aside]


def stand(
    templates: Sequence[Template],
    annotations: Sequence[Annotation],
    hashes: Mapping[str, str],
    handed: Mapping[str, Collection[str]] = MappingProxyType({}),
    needed: Mapping[str, int] = MappingProxyType({}),
) -> LabelState:
    """What annotators say of the templates as they are now.

    Args:
        templates: The templates to be classified.
        annotations: All annotations.
        hashes: By template, the hash of what annotators are shown now.
        handed: By annotator, what they were asked about where that is known; all by default.
        needed: By template, how many labels were asked for without naming annotators.
    """
    ids = [str(item.id) for item in templates]
    opinions: dict[str, list[Annotation]] = {name: [] for name in ids}
    stale: dict[str, list[str]] = {}
    strange: dict[str, None] = {}
    names: dict[str, None] = {}
    for item in sorted(annotations, key=lambda item: (item.annotator, item.template_id)):
        names[item.annotator] = None
        if item.template_id not in opinions:
            strange[item.template_id] = None
        elif item.row_hash and item.row_hash != hashes.get(item.template_id):
            stale.setdefault(item.annotator, []).append(item.template_id)
        else:
            opinions[item.template_id].append(item)
    ratings = {
        name: {item.annotator: item.label.value for item in found if item.label}
        for name, found in opinions.items()
    }
    answered = {
        name: {item.annotator for item in found if item.label or item.remark.strip()}
        for name, found in opinions.items()
    }
    known = _by_name(handed, names)
    everything = frozenset(ids)
    mine = {person: known.get(person, everything) for person in (*names, *known)}
    asked = {
        name: frozenset(ratings[name]) | {person for person, all_ in mine.items() if name in all_}
        for name in ids
    }
    return LabelState(
        ratings=ratings,
        annotators=tuple(names),
        asked=asked,
        missing={
            person: tuple(
                name for name in ids if person in asked[name] and person not in answered[name]
            )
            for person in mine
        },
        stale={person: tuple(found) for person, found in stale.items()},
        strange=tuple(strange),
        opinions={name: tuple(found) for name, found in opinions.items()},
        needed=needed,
    )


def _by_name(
    handed: Mapping[str, Collection[str]], names: Iterable[str]
) -> dict[str, frozenset[str]]:
    """What was handed out, by the names under which annotations stand."""
    spelled = {person_key(name): name for name in (*reversed([*handed]), *names)}
    found: dict[str, frozenset[str]] = {}
    for name, ids in handed.items():
        person = spelled[person_key(name)]
        found[person] = found.get(person, frozenset()).union(ids)
    return found


def asked_in_sheets(
    sheets: Iterable[Glance], ids: Collection[str], renamed: Mapping[str, str]
) -> dict[str, set[str]]:
    """By annotator the templates in the workbooks that they were handed, by their ids of now."""
    asked: dict[str, set[str]] = {}
    for sheet in sheets:
        if sheet.kind == CLASSIFY:
            name = " ".join(sheet.about.get("annotator", "").split())
            now = {renamed.get(key, key) for key in sheet.keys}
            asked.setdefault(name, set()).update(now.intersection(ids))
    return asked


def asked_on_server(
    state: KindState, annotations: Sequence[Annotation], usual: int = 1
) -> tuple[dict[str, set[str]], dict[str, int]]:
    """What annotators were asked about on a server, and how many labels were asked for by template.

    A project is that of the one who annotates it, whatever their name has become; who answers in
    another's was asked about what they answered there. The server gives each task of a project of
    all to as many people as were wanted, and nobody in particular. So a template there is complete
    with as many labels as were wanted, or as there are annotators where they are fewer.

    Args:
        state: What was pushed.
        annotations: All annotations.
        usual: How many labels are wanted in a project of all, where the record does not say.
    """
    asked: dict[str, set[str]] = {}
    needed: dict[str, int] = {}
    for name, tasks in state.allotted.items():
        sent = state.projects.get(name)
        if sent is None:
            continue
        source = f"{FROM_SERVER}{sent.id}"
        mine = [item for item in annotations if item.source_file == source]
        for item in mine:
            asked.setdefault(item.annotator, set()).add(item.template_id)
        people = {item.annotator for item in mine}
        if not name:
            wanted = min(sent.annotations or usual, len(people))
            needed = dict.fromkeys(tasks, wanted) if wanted else {}
            continue
        owner = owner_of(name, people)
        answered = {item.template_id for item in mine}
        left = {*tasks} if owner in people or not people else {*tasks} - answered
        asked.setdefault(owner, set()).update(left)
    return asked, needed


def answered_elsewhere(annotations: Iterable[Annotation]) -> frozenset[str]:
    """Keys of those who have filled in a workbook: they were asked about all that it holds."""
    return frozenset(
        person_key(item.annotator)
        for item in annotations
        if not item.source_file.startswith(FROM_SERVER)
    )


def agenda(
    templates: Sequence[Template],
    standing: LabelState,
    settled: Mapping[str, survey.Decision] = MappingProxyType({}),
    *,
    every: bool = False,
) -> list[AgendaItem]:
    """The templates that a meeting has to settle, those first on which most pairs differ.

    That is where annotators disagree, and where not all who were asked gave a label.

    Args:
        templates: The templates to be classified.
        standing: What the annotations say.
        settled: The consensus that there is already, by template. What labels alone settled is open
            again where later ones differ.
        every: Whether those on which all agree are given too.
    """
    items = []
    for template in templates:
        name = str(template.id)
        given = standing.ratings[name]
        kind = _kind(given, standing.wanted(name))
        known = settled.get(name)
        is_done = known is not None and not (kind == "disagreement" and is_of_labels(known))
        if is_done or (kind == "unanimous" and not every):
            continue
        counts = Counter(given.values())
        ordered = sorted(counts, key=lambda label: (-counts[label], label))
        each = tuple((Label(label), counts[label]) for label in ordered)
        opinions, stereotype = standing.opinions[name], template.stereotype
        items.append(AgendaItem(name, template.category, stereotype, kind, each, opinions))
    return sorted(items, key=lambda item: -_apart(item))


def _apart(item: AgendaItem) -> float:
    """The share of pairs of labels that differ, of a template that a meeting has to settle."""
    counts = [count for _, count in item.counts]
    pairs = sum(counts) * (sum(counts) - 1)
    return 1 - sum(count * (count - 1) for count in counts) / pairs if pairs else 0.0


def _kind(given: Mapping[str, str], wanted: int) -> str:
    if len(set(given.values())) > 1:
        return "disagreement"
    return "incomplete" if len(given) < wanted else "unanimous"


def to_be_decided(items: Iterable[AgendaItem], standing: LabelState) -> list[AgendaItem]:
    """What of an agenda no further label can settle.

    That is where annotators disagree, and where all have answered and one is not sure.

    Args:
        items: The agenda.
        standing: What the annotations say.
    """
    return [
        item
        for item in items
        if item.kind == "disagreement"
        or (
            item.kind == "incomplete"
            and standing.answered(item.template_id) >= standing.wanted(item.template_id)
        )
    ]


def agreed(
    templates: Iterable[Template],
    standing: LabelState,
    settled: Mapping[str, survey.Decision],
    at_least: int,
) -> list[survey.Decision]:
    """The consensus on each template that all who were asked gave the same label.

    What a meeting has settled is not settled again by labels. What is settled is given as it is
    where the bank has lost its label.

    Args:
        templates: The templates to be classified.
        standing: What the annotations say.
        settled: The consensus that there is already, by template.
        at_least: Fewer annotators of a template are no consensus.
    """
    found = []
    for template in templates:
        name = str(template.id)
        known, given = settled.get(name), standing.ratings[name]
        is_agreed = len(given) >= max(at_least, standing.wanted(name))
        is_open = known is None or is_of_labels(known)
        if is_agreed and is_open and len({*given.values()}) == 1:
            label = Label(next(iter(given.values())))
            found.append(consensus(name, label, "unanimous", len(given)))
        elif known is not None and template.label is None:
            found.append(replace(known, by="", at=""))
    return found


def consensus(
    template_id: str, label: Label, why: str, votes: int | None = None
) -> survey.Decision:
    """The decision on a template by consensus; its reason holds the label and why.

    Args:
        template_id: The template.
        label: ST, TM or SR.
        why: In a few words.
        votes: How many annotators agreed, where all did.
    """
    text = " ".join(why.split())
    return survey.Decision(
        subject=template_id,
        stage=survey.Stage.CLASSIFY,
        rule=survey.Rule.CONSENSUS,
        outcome=OUTCOMES[label],
        reason=f"{label.value}: {text}" if text else label.value,
        k=votes,
        n=votes,
    )


def is_of_labels(decision: survey.Decision) -> bool:
    """Whether the labels of all settled a template, and no meeting: their number stands there."""
    return decision.n is not None


def relabel(bank: Bank, labels: Mapping[str, Label]) -> Bank:
    """Templates their labels, in every variant; who stands in a TM template the survey finds.

    The lists of its people are open then (`[*]`), so that nobody translates names that the survey
    chooses. Lists that people have written stay.
    """
    rows = []
    for row in bank.variants:
        label = labels.get(str(row.template_id))
        names, opened = row.texts.names, _opened(row.source_texts.names)
        if label is Label.TARGET_MODIFIED and not names:
            names = opened
        elif label is not Label.TARGET_MODIFIED and names == opened:
            names = ""
        texts = replace(row.texts, names=names)
        rows.append(row if label is None else replace(row, label=label, texts=texts))
    return Bank(tuple(rows))


def _opened(cell: str) -> str:
    """The lists of two people, open; nothing where there are others, or they cannot be read."""
    lists, conditions = grammar.readable_lists(cell)
    if not lists or not {*lists} <= PEOPLE:
        return ""
    return grammar.print_lists(
        [grammar.SlotList(name, (), open=True) for name in lists], conditions
    )


def proposed_groups(
    standing: LabelState, templates: Iterable[Template], groups: Iterable[Group]
) -> dict[tuple[str, str], tuple[str, ...]]:
    """Groups that annotators propose for TM templates and that a category lacks, with who does.

    Args:
        standing: What the annotations say.
        templates: The templates to be classified.
        groups: The groups that there are.
    """
    known = {
        (group.category, name.casefold()) for group in groups for name in (group.group, group.key)
    }
    found: dict[tuple[str, str], dict[str, None]] = {}
    for template in templates:
        for one in standing.opinions.get(str(template.id), ()):
            for name in (*one.proposed_targets, *one.proposed_non_targets):
                if (template.category, name.casefold()) not in known:
                    found.setdefault((template.category, name), {})[one.annotator] = None
    return {key: tuple(people) for key, people in sorted(found.items())}


def settled(decisions: Iterable[survey.Decision]) -> dict[str, survey.Decision]:
    """The templates on which there is a consensus, with the decision that holds."""
    every = survey.current(decisions).items()
    return {subject: item for (subject, rule), item in every if rule is survey.Rule.CONSENSUS}


CLASSIFY = "classify"
"""The kind of an annotator's workbook."""
AGENDA = "agenda"
"""The kind of the meeting's workbook."""
NAMES = "names"
"""The sheet of lists that are too long to be shown beside their template."""
_LETTERS, _SIDES = ("a", "b"), ("biased", "counter_biased")
_SHOWN_AT_ONCE = 2400
"""Characters of a row that a spreadsheet can still show whole."""


def first_filled(variant: Variant, workspace: Workspace) -> tuple[str, str]:
    """A variant with the first names and words, in the source's language where it has texts of it.

    Returns:
        Both contexts; and each question with its answer, a line each. Both are empty where the
        texts lack any name or word.
    """
    language = workspace.source_language if variant.source_texts.has_body else workspace.language
    try:
        filling = prepare(variant, language, _side(variant))
    except CurateError:  # what is wrong with it is found by 'curate check'
        return "", ""
    first = filling.indices(1)
    said = {field: text.render(first) for field, text in filling.texts.items()}
    contexts = (said["ambiguous_context"], said["disambiguating_context"])
    asked = ((said[f"{side}_question"], said[f"{side}_answer"]) for side in _SIDES)
    questions = "\n".join(" \u2013 ".join(filter(None, pair)) for pair in asked)
    return filling.between.join(filter(None, contexts)), questions


def classify_sheet(templates: Iterable[Template], workspace: Workspace | None = None) -> Sheet:
    """The sheet of templates that an annotator fills in; with a workspace, examples are shown."""
    known, (label, reason, *more) = columns("template"), columns("labelled")
    asked = (*known[:4], label, reason, *known[4:6], *more, *known[6:])
    rows = tuple(
        SheetRow(str(item.id), shown(item) | _examples(item, workspace)) for item in templates
    )
    return Sheet("templates", asked, rows, key="template_id", frozen="label")


def classify_book(
    templates: Iterable[Template],
    annotator: str,
    suggestions: Mapping[str, str] = MappingProxyType({}),
    title: str = "",
    workspace: Workspace | None = None,
) -> Book:
    """The workbook of one annotator.

    Args:
        templates: The templates.
        annotator: Who labels them.
        suggestions: By template what they are shown of a suggested label; nobody's label.
        title: What the column of suggestions is.
        workspace: Has the languages of examples; none are shown without it.
    """
    every = list(templates)
    sheet = classify_sheet(every, workspace)
    if suggestions:
        beside = tuple(
            replace(column, note=title, heading=title) for column in columns("suggested")
        )
        rows = tuple(
            replace(row, cells={**row.cells, "suggestion": suggestions.get(row.key, "")})
            for row in sheet.rows
        )
        at = next(number for number, item in enumerate(sheet.columns) if item.aside)
        asked = (*sheet.columns[:at], *beside, *sheet.columns[at:])
        sheet = replace(sheet, columns=asked, rows=rows)
    return Book(CLASSIFY, with_names(sheet, every), about={"annotator": annotator})


def examples(template: Template, workspace: Workspace) -> dict[str, tuple[str, str]]:
    """Variants a and b as `first_filled` gives them, each of its first wording."""
    firsts = {variant.letter.value: variant for variant in reversed(template.variants)}
    return {one: first_filled(firsts[one], workspace) for one in _LETTERS if one in firsts}


def _examples(template: Template, workspace: Workspace | None) -> dict[str, str]:
    """The cells of examples: the contexts, then each question with its answer."""
    found = examples(template, workspace) if workspace is not None else {}
    return {f"example_{letter}": "\n".join(both).strip() for letter, both in found.items()}


def with_names(sheet: Sheet, templates: Iterable[Template]) -> tuple[Sheet, ...]:
    """A sheet, and one of lists that are too long to be shown whole beside their template, if any.

    A list takes as many rows as it needs for each of them to be seen whole.
    """
    rows = tuple(row for item in templates for row in _whole_lists(item))
    return (sheet, Sheet(NAMES, columns("names"), rows)) if rows else (sheet,)


def _whole_lists(template: Template) -> Iterator[SheetRow]:
    slots: dict[tuple[grammar.Filler, ...], list[str]] = {}
    for variant in template.variants:
        texts = _side(variant)
        for cell in (texts.names, texts.words):
            for declared in grammar.readable_lists(cell)[0].values():
                if len(declared.fillers) > grammar.MOST_NAMED:
                    slot = f"{declared.name} ({variant.id.short})"
                    slots.setdefault(declared.fillers, []).append(slot)
    for at, (fillers, where) in enumerate(slots.items(), start=1):
        parts = list(_parts(fillers))
        for number, part in enumerate(parts, start=1):
            cells = {
                "template_id": str(template.id),
                "slot": ", ".join(where),
                "count": str(len(fillers)),
                "part": f"{number} / {len(parts)}",
                "names": grammar.print_fillers(part)[1:-1],
            }
            yield SheetRow(f"{template.id}/{at}/{number}", cells)


def _parts(fillers: Sequence[grammar.Filler]) -> Iterator[list[grammar.Filler]]:
    """The fillers in their order, as many together as a row shows."""
    part: list[grammar.Filler] = []
    room = _SHOWN_AT_ONCE
    for filler in fillers:
        size = len(grammar.print_fillers([filler]))
        if part and size > room:
            yield part
            part, room = [], _SHOWN_AT_ONCE
        part.append(filler)
        room -= size
    yield part


def with_former(workspace: Workspace, sheet: Sheet) -> Sheet:
    """A sheet of templates, at its end the rows that they had by the ids and categories before."""
    before = (
        SheetRow(old, {**row.cells, "template_id": old, "category": home})
        for row in sheet.rows
        for old, home in workspace.former.get(row.key, ())
    )
    return replace(sheet, rows=(*sheet.rows, *before))


def as_now(workspace: Workspace, rows: Iterable[R]) -> list[R]:
    """Rows of labels or suggestions by the ids that templates have now.

    Where only its id and category are others, what was shown of a template is what is shown now.
    """
    found: list[Any] = [*rows]
    if not workspace.annotations.renamed.exists():
        return found
    hashes = classify_hashes(classifiable(workspace.bank.templates()), workspace)
    for at, item in enumerate(found):
        if (new := workspace.renamed.get(was := item.template_id, "")) in hashes:
            shown = hashes[new] if item.row_hash == hashes[was] else item.row_hash
            found[at] = replace(item, template_id=new, row_hash=shown)
    return found


def read_labels(
    workspace: Workspace, annotations: Iterable[Annotation] | None = None
) -> list[Annotation]:
    """Labels by the ids that templates have now; of two of one person the later one.

    Args:
        workspace: The workspace.
        annotations: The labels; those that were collected by default.

    Raises:
        CurateError: If the bank or the labels cannot be read.
    """
    if annotations is None:
        annotations = CLASSIFY_TABLE.read(workspace.annotations.classify)
    rows = as_now(workspace, sorted(annotations, key=lambda item: item.collected_at))
    found = {(item.template_id, person_key(item.annotator)): item for item in rows}
    return sorted(found.values(), key=lambda item: (item.annotator, item.template_id))


def classify_hashes(
    templates: Iterable[Template], workspace: Workspace | None = None
) -> dict[str, str]:
    """The hash of what annotators are shown of each template; in a workspace by former ids, too."""
    sheet = classify_sheet(templates)
    sheet = with_former(workspace, sheet) if workspace else sheet
    return {row.key: row_hash(sheet, row.cells) for row in sheet.rows}


def agenda_sheet(
    templates: Iterable[Template], items: Sequence[AgendaItem], workspace: Workspace | None = None
) -> Sheet:
    """The sheet that a meeting fills in; with a workspace, examples are shown."""
    by_id = {str(item.id): item for item in templates}
    known = columns("template")
    rows = tuple(
        SheetRow(
            item.template_id,
            {
                **shown(by_id[item.template_id]),
                **_examples(by_id[item.template_id], workspace),
                "kind": item.kind,
                "counts": counts_text(item),
                "opinions": "\n".join(opinion_text(opinion) for opinion in item.opinions),
                "links": "\n".join(f"{who}: {link}" for who, link in item.links.items()),
            },
        )
        for item in items
    )
    asked = (*known[:4], *columns("settled"), *columns("disputed"), *known[4:])
    return Sheet("agenda", asked, rows, key="template_id", frozen="label")


def agenda_book(
    templates: Iterable[Template], items: Sequence[AgendaItem], workspace: Workspace | None = None
) -> Book:
    """The workbook of the meeting; with a workspace, examples are shown."""
    every = list(templates)
    named = {item.template_id for item in items}
    long = (item for item in every if str(item.id) in named)
    return Book(AGENDA, with_names(agenda_sheet(every, items, workspace), long))


def counts_text(item: AgendaItem) -> str:
    """Say how many gave each label."""
    return ", ".join(f"{label} {count}" for label, count in item.counts) or "no label"


def opinion_text(opinion: Annotation) -> str:
    """Say what an annotator said in one line."""
    parts = [opinion.label.value if opinion.label else "no label"]
    if opinion.reason.strip():
        parts.append(" ".join(opinion.reason.split()))
    if opinion.proposed_targets:
        parts.append(f"targets: {survey.join_groups(opinion.proposed_targets)}")
    if opinion.proposed_non_targets:
        parts.append(f"non-targets: {survey.join_groups(opinion.proposed_non_targets)}")
    if opinion.remark.strip():
        parts.append(f"remark: {' '.join(opinion.remark.split())}")
    return f"{opinion.annotator}: {'; '.join(parts)}"


def agenda_markdown(items: Sequence[AgendaItem]) -> str:
    """Write the agenda to be read out."""
    words = {"counts_text": counts_text, "opinion_text": opinion_text}
    return filled(__package__, "agenda.md.j2", items=items, **words)


def shown(template: Template) -> dict[str, str]:
    """What annotators are shown of a template: its source, or its text where it has none."""
    first = template.first
    return {
        "template_id": str(template.id),
        "category": template.category,
        "stereotype": _of(template, lambda texts: texts.stereotype),
        "target_groups": _of(template, lambda texts: survey.join_groups(texts.target_groups)),
        "ambiguous_context": _of(template, lambda texts: texts.ambiguous_context),
        "disambiguating_context": _of(template, lambda texts: texts.disambiguating_context),
        "questions": _of(template, lambda texts: _both(texts, "question")),
        "answers": _of(template, lambda texts: _both(texts, "answer")),
        "fillers": _of(template, _fillers),
        "source": " ".join(
            part for part in (first.source, first.source_category, first.source_id) if part
        ),
        "reference": first.reference,
    }


def _fillers(texts: Texts) -> str:
    return "\n".join(_named(cell) for cell in (texts.names, texts.words) if cell)


def _named(cell: str) -> str:
    """A cell of lists as a person reads it: names alone, of long lists a few and how many."""
    lists = grammar.readable_lists(cell)[0].values()
    if all(
        len(one.fillers) <= grammar.MOST_NAMED and not any(f.features for f in one.fillers)
        for one in lists
    ):
        return cell
    return "; ".join(
        f"{grammar.print_lists([few])}{more}" for few, more in map(grammar.few_names, lists)
    )


def _of(template: Template, part: Callable[[Texts], str]) -> str:
    """A part of every variant: once where all have the same, else by letters and versions.

    A version is named only where its text is another one. So versions that translators add to a
    template do not change what is shown of its source.
    """
    every = ((variant.id, part(_side(variant)).strip()) for variant in template.variants)
    texts = [(variant, text) for variant, text in every if text]
    distinct = Counter(letter for letter, _ in {(one.letter, text) for one, text in texts})
    by_text: dict[str, dict[str, None]] = {}
    for one, text in texts:
        name = one.short if distinct[one.letter] > 1 else one.letter.value
        by_text.setdefault(text, {})[name] = None
    if len(by_text) < 2:
        return next(iter(by_text), "")
    ordered = sorted((", ".join(names), text) for text, names in by_text.items())
    return "\n".join(f"{names}: {text}" for names, text in ordered)


def _side(variant: Variant) -> Texts:
    return variant.source_texts if variant.source_texts.has_body else variant.texts


def _both(texts: Texts, field: str) -> str:
    """A field of the biased side and that of the other one, numbered: no language names them."""
    found = (getattr(texts, f"{side}_{field}") for side in _SIDES)
    return "\n".join(f"{at}. {text}" for at, text in enumerate(found, start=1) if text)
