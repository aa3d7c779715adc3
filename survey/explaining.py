"""What is behind a template, stereotype, question or sample, and a person's own decision on it."""

import difflib
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from curation.bank.generate import Filling, expand, filler_groups, prepare
from curation.bank.planning import plan, refuse_faults
from curation.files.codec import DECISIONS, now
from curation.files.lock import writing
from curation.files.outcomes import TemplateOutcome, people_groups
from curation.files.questionnaire import read_tallies
from curation.files.workspace import Workspace
from curation.records.bank import SampleId, Texts
from curation.records.messages import CurateError, Results, composed, decider, given_reason
from curation.records.sample import Sample
from curation.records.survey import (
    NOT_USED,
    Decision,
    Outcome,
    Rule,
    Stage,
    Status,
    Tally,
    additions,
    current,
    set_aside,
)
from curation.slots.fill import number_fillings
from curation.slots.grammar import (
    SlotList,
    declared_conditions,
    declared_lists,
    few_names,
    is_open,
    parse_lists,
    print_fillers,
)
from survey.bank import FinalBank, final_bank, finalize, undecided_hints
from survey.outcomes import reason_of
from survey.readers.frames import refusal

_SHOWN = 5


def explain(workspace: Workspace, subject: str) -> Results:
    """Find every decision behind a template, a stereotype, a question or a sample.

    Args:
        workspace: The workspace.
        subject: An id, also one that a template had before, or a stereotype word for word.

    Returns:
        What the subject names, and what is behind it.

        - `subject`: What was asked about.
        - `sample`: One sample of a template, made again: its fields, `in_benchmark`, `filling` and
          `conditions`, which that meets; None where no sample was asked about.
        - `templates`: The templates that it names, each with its status, source, groups, the votes
          on its question, and the latest decision of each rule.
        - `gone`: What the survey or a person decided on, and no template of the bank is linked to
          by now: `subject`; its `kind`, `template` or `question`; the votes on its `question` or on
          the template's comprehension, None where it was not asked; its `decisions`; and
          `see_also`, the templates of the bank with the question's stereotype.

    Raises:
        CurateError: If it names nothing, now or before.
    """
    final, subject = final_bank(workspace), composed(subject)
    before = _template_of(subject)
    known = workspace.renamed.get(before, before) + subject.removeprefix(before)
    owner = next(
        (item for item in final.outcomes if str(item.template.id) == _template_of(known)), None
    )
    sample, gone = None, list[dict[str, Any]]()
    if owner is not None:
        found: Sequence[TemplateOutcome] = (owner,)
        variants = [str(item.id) for item in owner.template.variants]
        if known not in (str(owner.template.id), *variants):
            try:
                sample_id = SampleId.parse(known)
            except CurateError:
                raise unknown_subject(final, workspace, subject) from None
            sample = _sample(final, workspace, sample_id, owner)
    else:
        found = _by_question(final, known)
        gone = [] if found else [*_gone(final, workspace, known)]
        if not found and not gone:
            plain = workspace.id_now(subject)
            if plain != subject and _template_of(plain):
                return explain(workspace, plain)
            raise unknown_subject(final, workspace, subject)
    hints = undecided_hints(workspace, final) if final.tallies else {}
    templates = [
        _told(item, final, workspace) | {"to_do": hints.get(str(item.template.id), "")}
        for item in found
    ]
    values = {"subject": subject, "sample": sample, "templates": templates, "gone": gone}
    columns = ("template_id", "status", "reason", "why", "category", "label", "stereotype")
    return Results(values, {"templates": columns})


def _told(item: TemplateOutcome, final: FinalBank, workspace: Workspace) -> dict[str, Any]:
    """Where a template stands, and what it is: its own words as the survey left them."""
    template, name = item.template, str(item.template.id)
    now = next((it for it in final.templates if it.id == template.id), template).first
    texts, source = now.source_texts if now.texts.is_empty else now.texts, now.source_texts
    conditions, left = _conditions(texts)
    asked = item.question.id if item.question else ""
    tally = next((it for it in final.tallies if it.question.id == asked), None)
    lists = parse_lists(texts.names)
    sides = (("N1", texts.n1_groups, source.n1_groups), ("N2", texts.n2_groups, source.n2_groups))
    people = {}
    for slot, groups, others in sides:
        names = _names(lists[slot]) if slot in lists else ""
        if groups or names:
            people[slot] = f"{_groups(texts, groups, others)}: {names}"
    return {
        "template_id": name,
        "former_ids": [old for old, new in workspace.renamed.items() if new == name],
        "status": item.status.value,
        "reason": item.reason,
        "why": reason_of(item),
        "category": template.category,
        "label": template.label,
        "stereotype": template.stereotype,
        "variants": [variant.id.short for variant in template.variants],
        **{column: getattr(template.first, column) for column in _SOURCE},
        "target": _groups(texts, texts.target_groups, source.target_groups),
        "people": people,
        "modified": name in final.modified,
        "conditions": conditions,
        "combinations": left,
        "untied": name in workspace.untied,
        "question": _votes(tally),
        "decisions": item.decisions,
    }


_SOURCE = ("source", "source_id", "source_category", "reference", "note")


def _votes(tally: Tally | None) -> dict[str, Any] | None:
    """A question with its votes."""
    if tally is None:
        return None
    return {
        "question_id": tally.question.id,
        "kind": tally.question.kind.value,
        "category": tally.question.category,
        "stereotype": tally.question.stereotype,
        "respondents": tally.respondents,
        "source": tally.source,
        "votes": [
            {
                "group": option.label or None,
                "text": option.text,
                "role": option.role.value,
                "counts": option.counts,
                "votes": votes,
            }
            for option, votes in zip(tally.question.options, tally.votes, strict=True)
        ],
    }


def _groups(texts: Texts, groups: Sequence[str], in_source: Sequence[str]) -> str:
    """Groups as a wording states them, and why it states none."""
    if groups:
        return ", ".join(groups)
    if is_open(texts):
        return "to be chosen by the survey"
    return f"no group named yet ({', '.join(in_source)} in the source)" if in_source else _NO_GROUP


_NO_GROUP = "no group named"


def _names(listed: SlotList) -> str:
    """The fillers of a list with their attributes; of a long one a few names."""
    few, more = few_names(listed)
    shown = (few if more else listed).fillers
    return ", ".join(print_fillers([it])[1:-1] if it.features else it.text for it in shown) + more


_ID = re.compile(r"([^\s-]+-\d+)([a-d](\.(p?[mf]|p))?(-\d+(-(amb|dis)-(bsd|cnt))?)?)?")
"""A template's id, alone or in that of a variant or a sample."""


def _template_of(subject: str) -> str:
    match = _ID.fullmatch(subject)
    return match[1] if match else ""


def _by_question(final: FinalBank, subject: str) -> tuple[TemplateOutcome, ...]:
    """Find templates by their question, its stereotype, or their question of comprehension."""
    understood = {tally.question.id: tally.question.template_id for tally in final.tallies}
    wanted = _plain(subject)
    return tuple(
        item
        for item in final.outcomes
        if (wanted and wanted == _plain(item.template.stereotype))
        or (item.question is not None and item.question.id == subject)
        or understood.get(subject) == str(item.template.id)
    )


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _gone(final: FinalBank, workspace: Workspace, subject: str) -> Iterator[dict[str, Any]]:
    """Find what the survey or a person decided on, and the bank no longer has."""
    decisions: dict[str, tuple[Decision, ...]] = {}
    for decision in current(workspace.renamed_decisions).values():
        decisions[decision.subject] = (*decisions.get(decision.subject, ()), decision)
    understood = {tally.question.template_id: tally for tally in final.tallies}
    template = _decided_template(final, subject, decisions)
    if template and (template in decisions or template in understood):
        yield {
            "subject": template,
            "kind": "template",
            "question": _votes(understood.get(template)),
            "decisions": decisions.get(template, ()),
            "see_also": [],
        }
        return
    wanted = _plain(subject)
    asked = {
        tally.question.id: tally
        for tally in final.tallies
        if tally.question.id == subject or wanted == _plain(tally.question.stereotype) != ""
    }
    for name in asked or [subject] * (subject in decisions):
        tally = asked.get(name)
        stereotype = _plain(tally.question.stereotype) if tally else ""
        same = [it for it in final.outcomes if stereotype == _plain(it.template.stereotype) != ""]
        yield {
            "subject": name,
            "kind": "question",
            "question": _votes(tally),
            "decisions": decisions.get(name, ()),
            "see_also": [
                {"template_id": str(it.template.id), "status": it.status.value, "reason": it.reason}
                for it in same
            ],
        }


_OF_QUESTIONS = (Rule.MIN_RESPONDENTS, Rule.TWO_THIRDS, Rule.NO_STEREOTYPE)
"""Rules that decide on questions alone."""


def _decided_template(
    final: FinalBank, subject: str, decisions: Mapping[str, Sequence[Decision]]
) -> str:
    """Tell which template a subject names, for a question may have an id that looks like one."""
    of_question = {tally.question.id: tally.question.template_id for tally in final.tallies}
    if subject in of_question:
        return of_question[subject]
    if any(decision.rule in _OF_QUESTIONS for decision in decisions.get(subject, ())):
        return ""
    return _template_of(subject)


def _sample(
    final: FinalBank, workspace: Workspace, sample_id: SampleId, item: TemplateOutcome
) -> dict[str, object]:
    """Make one sample again and say how it came about."""
    if item.status in NOT_USED:
        return {"sample_id": str(sample_id), "in_benchmark": False}
    pairs = {variant.id: (it, variant) for it in final.fillable for variant in it.variants}
    if sample_id.variant not in pairs:
        raise CurateError(f"there is no variant {sample_id.variant} that can be filled")
    template, variant = pairs[sample_id.variant]
    culture = workspace.culture
    filling = prepare(variant, workspace.language)
    if sample_id.index > filling.count:
        told = {"variant": sample_id.variant, "count": filling.count, "index": sample_id.index}
        raise refusal("no-such-filling", "", **told)
    groups = filler_groups(workspace.groups)
    made = expand(filling, culture.unknown, groups, [sample_id.index])
    sample = next(item for item in made if item.sample_id == str(sample_id))
    settings = culture.samples
    written = plan([template], workspace.language, culture.unknown, groups, settings)
    refuse_faults(written.faults)
    (taken,) = written.templates
    if taken.once:
        is_given = any(one.sample_id == sample.sample_id for one in written.samples())
    else:
        part = next(it for it in taken.parts if it.filling.variant.id == variant.id)
        is_given = part.chosen is None or sample_id.index in part.chosen
    return {
        "in_benchmark": is_given,
        **sample._asdict(),
        "filling": _filling(filling, sample_id.index, sample),
        "conditions": [*map(str, declared_conditions(variant.texts))],
    }


def _filling(filling: Filling, index: int, sample: Sample) -> dict[str, dict[str, object]]:
    at = filling.indices(index)
    people = {"N1": sample.n1_group, "N2": sample.n2_group}
    found: dict[str, dict[str, object]] = {}
    for name in filling.lists:
        filler = filling.filler(name, at)
        found[name] = {"filler": filler.text, "group": people.get(name, "")}
        if filler.features:
            found[name]["features"] = dict(filler.features)
    return found


def _conditions(texts: Texts) -> tuple[list[str], str]:
    """The conditions of a wording as they are written, and what they leave, in words.

    That is empty without conditions, and where it cannot be worked out yet.
    """
    conditions = declared_conditions(texts)
    left = ""
    lists = declared_lists(texts) if conditions else {}
    if lists and not any(item.open for item in lists.values()):
        rows = math.prod(len(item.fillers) for item in lists.values())
        with suppress(CurateError):
            count = number_fillings(lists, tuple(lists), conditions).count
            left = f"  ({count:,} of {rows:,} combinations)"
    return [*map(str, conditions)], left


def unknown_subject(final: FinalBank, workspace: Workspace, subject: str) -> CurateError:
    """Say that nothing has a name, what is like it, and what can be asked about.

    Args:
        final: The final bank.
        workspace: The workspace, for its categories and groups.
        subject: What was asked.
    """
    near = _near(final, workspace, subject)
    hints = [f"did you mean {' or '.join(near)}?"] * bool(near)
    example = str(final.outcomes[0].template.id) if final.outcomes else "age-001"
    hints.append(
        f"SUBJECT is a template ({example}), a variant or sample of one "
        "(age-001a, age-001a-002-amb-bsd), a question of the survey (q-age-1a2b3c4d) or a "
        "stereotype word for word"
    )
    return CurateError(
        f"the bank has no template, stereotype, question or sample '{subject}'",
        hint="; ".join(hints),
    )


def _near(final: FinalBank, workspace: Workspace, subject: str) -> list[str]:
    """Templates of a category or a group, names spelt alike, and stereotypes with the words."""
    words, titles = _plain(subject), {it.id: it.name for it in workspace.culture.categories}
    members, names = list[str](), dict[str, None]()
    for template in (item.template for item in final.outcomes):
        groups = (part for variant in template.variants for part in people_groups(variant))
        of = (
            template.category,
            titles.get(template.category, ""),
            *(it for g in groups for it in g),
        )
        members += [str(template.id)] * (words.replace(" ", "_") in map(_bare, of))
        names |= dict.fromkeys((str(template.id), template.stereotype))
    names |= dict.fromkeys(tally.question.id for tally in final.tallies)
    near = difflib.get_close_matches(subject.casefold(), filter(None, names), n=3, cutoff=0.5)
    holding = [name for name in names if words and words in name.casefold()]
    return [*dict.fromkeys([*members, *near, *holding])][:_SHOWN]


def _bare(text: str) -> str:
    return _plain(text).replace(" ", "_")


Overriding = tuple[str, bool, str]
"""A person's decision on a template: its id, also one that it had before; whether it is kept, else
it is dropped; and the reason, for later readers."""


def override(
    workspace: Workspace,
    templates: Sequence[str],
    *,
    keep: bool,
    reason: str,
    by: str,
    dry_run: bool = False,
) -> Results:
    """Keep or drop templates by a person's decision, which overrides those of the survey.

    Args:
        workspace: The workspace.
        templates: Their ids, also those that they had before.
        keep: Whether they are kept; else they are dropped.
        reason: The reason, for later readers.
        by: The person who takes responsibility; the ledger names them.
        dry_run: Whether to write nothing.

    Returns:
        As `override_each`.

    Raises:
        CurateError: If reason or name is empty, a template is not there or removed by its label,
            or the ledger cannot be written.
    """
    decided = [(name, keep, reason) for name in templates]
    return override_each(workspace, decided, by=by, dry_run=dry_run)


def override_each(
    workspace: Workspace, decided: Sequence[Overriding], *, by: str, dry_run: bool = False
) -> Results:
    """Keep some templates and drop others, each for a reason of its own; all of them or none.

    Args:
        workspace: The workspace.
        decided: What is decided on each template.
        by: The person who takes responsibility; the ledger names them.
        dry_run: Whether to write nothing.

    Returns:
        - `templates`: The templates, by their ids of now, with their status `before` and `after`.
        - `added`: What the ledger gains.

    Raises:
        CurateError: If a reason or the name is empty, a template is named with two decisions, is
            not there or removed by its label, or the ledger cannot be written.
    """
    who = decider(by)
    whole = [(name, keep, given_reason(reason)) for name, keep, reason in decided]
    with writing(workspace, "curate override", dry_run=dry_run):
        before = final_bank(workspace)
        found: dict[str, Decision] = {}
        for name, keep, reason in whole:
            subject = _subject(workspace, before, name)
            outcome = Outcome.KEEP if keep else Outcome.DROP
            decision = Decision(subject, Stage.MANUAL, Rule.OVERRIDE, outcome, reason)
            if found.setdefault(subject, decision) != decision:
                raise refusal("decided-twice", subject, subject=subject)
        added = additions(workspace.renamed_decisions, found.values(), who, now())
        tallies = read_tallies(workspace.tallies_file, workspace.book)
        ledger = [*workspace.decisions, *added.decisions]
        after = finalize(workspace, tallies, ledger, workspace.targets)
        if not dry_run:
            DECISIONS.append(workspace.ledger_file, added.decisions)
    first = {str(item.template.id): item for item in before.outcomes}
    then = {str(item.template.id): item for item in after.outcomes}
    turned = [
        {
            "template_id": name,
            "before": first[name].status,
            "before_reason": first[name].reason,
            "after": then[name].status,
        }
        for name in found
    ]
    columns = ("template_id", "before", "before_reason", "after")
    return Results({"templates": turned, "added": added}, {"templates": columns})


def _subject(workspace: Workspace, final: FinalBank, name: str) -> str:
    """The id of now of a template of the bank.

    Raises:
        CurateError: If it is not there, a label has removed it, or it is set aside.
    """
    standing = {str(item.template.id): item for item in final.outcomes}
    subject = workspace.id_now(name)
    item = standing.get(subject)
    if item is None:
        named = [str(one.template.id) for one in _by_question(final, name)]
        named = named or [*{_template_of(subject)} & standing.keys()]
        if named:
            raise refusal("part-of-template", name, name=name, template=", ".join(named))
        raise unknown_subject(final, workspace, name)
    if item.status is Status.REMOVED:
        where = workspace.shown(workspace.bank_file)
        raise refusal("override-of-removed", where, subject=subject)
    if subject in set_aside(workspace.renamed_decisions):
        where = workspace.shown(workspace.ledger_file)
        raise refusal("override-of-set-aside", where, subject=subject)
    return subject
