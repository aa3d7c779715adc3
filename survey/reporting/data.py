"""Work out what a report says, from the counts, the ledger and the answers."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import compress
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
import numpy.typing as npt

from curation import __version__
from curation.bank.generate import expand, is_open, prepare
from curation.bank.status import OUT_BEFORE, Status
from curation.files.manifest import MANIFEST, read_manifest
from curation.files.tables import read_table, refuse_problems
from curation.files.workspace import Workspace
from curation.languages import LanguageOrCode
from curation.records.bank import ContextType, QuestionType, Template, Texts, Variant
from curation.records.culture import Culture, SurveySettings, quota_cells
from curation.records.messages import CurateError, half_up
from curation.records.survey import (
    BY_PEOPLE,
    DROPPING_ORDER,
    QuestionKind,
    Role,
    Rule,
    Tally,
    current,
    drops,
)
from survey import certainty, outcomes, quality, rules
from survey.answers import RESERVED_ATTRIBUTES, Answers, count_answers
from survey.attributes import RESPONDENTS, used_attributes
from survey.bank import (
    EXCLUSION_COLUMNS,
    FILTERED,
    FinalBank,
    changed_inputs,
    counted_answers,
    decided_settings,
    final_bank,
)
from survey.order_effects import order_effects
from survey.quality import Flags
from survey.quality import Respondents as People
from survey.questionnaire import read_questionnaire
from survey.readers.frames import refusal
from survey.readers.normalise import read_answers
from survey.reporting.records import (
    DECIDED,
    Material,
    QuestionDecision,
    QuestionRow,
    Report,
    Worded,
    quality_rule,
)
from survey.rules import Row


def counts_agree(
    answers: Answers, flags: Mapping[str, Flags], settings: SurveySettings, tallies: Sequence[Tally]
) -> bool:
    """Say whether the answers are those that the counts come from.

    Args:
        answers: The answers.
        flags: By quality check, who is flagged.
        settings: The settings that the counts were made with.
        tallies: The counts; other files may have brought some of them.
    """
    counted, _ = count_answers(answers, quality.kept_rows(answers, flags, settings.exclude))
    known = {tally.question.id: (tally.respondents, tally.votes) for tally in tallies}
    return all(
        known.get(tally.question.id, (0, tally.votes)) == (tally.respondents, tally.votes)
        for tally in counted
    )


def respondents_part(people: People, culture: Culture, settings: SurveySettings) -> Row:
    """Tell who answered, and by the attributes that the settings name how many of each kind.

    A file of respondents may have other columns: names, addresses, what somebody wrote in words.
    No report and no card shows them.

    Args:
        people: The answers.
        culture: For the quotas.
        settings: For who is left out.

    Returns:
        How many there are in `total`, and `counted`; the `median_minutes` that these took, None
        where it is not known; `attributes`, by attribute how many have each value; the
        `dimensions`, attributes that have quotas and are known, and those `unknown`; `cells`,
        people by combination of the dimensions: in `values` a value for each, empty where it is not
        known, the share that is `planned`, None where the combination is not in the plan, and how
        many who are counted `answered`; and whether the culture has `stated` quotas of its own.
    """
    counted, values = _counted(people, settings)
    seconds = quality.durations(people.answers)[counted]
    known = seconds[~np.isnan(seconds)]
    used = used_attributes(culture) - {*RESERVED_ATTRIBUTES}
    attributes = {
        name: dict(sorted(Counter(mine).items())) for name, mine in values.items() if name in used
    }
    quotas = culture.questionnaire.quotas
    dimensions = tuple(name for name in quotas if any(attributes.get(name, {})))
    return {
        "total": len(counted),
        "counted": int(counted.sum()),
        "median_minutes": float(half_up(float(np.median(known)) / 60, 1)) if known.size else None,
        "attributes": attributes,
        "dimensions": dimensions,
        "unknown": tuple(name for name in quotas if name not in dimensions),
        "cells": _cells(values, {name: quotas[name] for name in dimensions}),
        "stated": "quotas" in culture.questionnaire.model_fields_set,
    }


def _counted(people: People, settings: SurveySettings) -> tuple[Flags, dict[str, tuple[str, ...]]]:
    """Whether each respondent is flagged by no excluding rule; and the attributes of those."""
    counted = np.ones(len(people.answers.respondents), dtype=bool)
    for rule, flags in people.flags.items():
        if rule in settings.exclude:
            counted &= ~flags
    attributes = people.answers.attributes.items()
    return counted, {name: tuple(compress(values, counted)) for name, values in attributes}


def _cells(
    attributes: Mapping[str, Sequence[str]], quotas: Mapping[str, Mapping[str, Fraction]]
) -> tuple[Mapping[str, Any], ...]:
    """Count people by combination, first those of the plan, then those that it does not have."""
    if not quotas:
        return ()
    people = list(zip(*(attributes[name] for name in quotas), strict=True))
    planned = {cell: rules.rounded(share) for cell, share in quota_cells(quotas).items()}
    others = sorted(set(people) - set(planned))
    return tuple(
        {"values": cell, "planned": planned.get(cell), "answered": people.count(cell)}
        for cell in (*planned, *others)
    )


def quality_part(material: Material) -> tuple[Mapping[str, Any], ...]:
    """Tell by rule who was left out or flagged, and which decisions are linked to it."""
    lines: dict[str, list[Mapping[str, str]]] = {}
    for row in material.exclusions:
        line = dict(zip(EXCLUSION_COLUMNS, row, strict=True))
        lines.setdefault(line["rule"], []).append(line)
    found = material.people.effects if material.people else ()
    turned = {effect["rule"]: effect["turns"] for effect in found}
    checks = [name for name in quality.RULES if name in lines]
    people = {effect["rule"]: effect["respondents"] for effect in found}
    if quality.ANY in people:
        lines[quality.ANY] = []
    return tuple(
        {
            "rule": name,
            "what": quality_rule(name, material.settings),
            "respondents": people[quality.ANY]
            if name == quality.ANY
            else len({line["respondent_id"] for line in lines[name]} - {""}),
            "records": len(lines[name]),
            "excluded": any(line["excluded"] == "true" for line in lines[name]),
            "turns": turned.get(name),
        }
        for name in dict.fromkeys((*checks, *lines))
    )


def _rows(people: People, settings: SurveySettings) -> Flags:
    """The rows of answers that count."""
    return quality.kept_rows(people.answers, people.flags, settings.exclude)


def weighting_part(people: People, settings: SurveySettings) -> Row | None:
    """Rule on weighted counts beside the plain ones, where margins are set.

    Margins that cannot be met are a problem of the result: the rest of a report stands
    without weights.

    Returns:
        The `margins`, the share of each value by attribute; and the `problem`, why there are no
        weights, or else an empty one with what `_weighed` gives.
    """
    if not settings.margins:
        return None
    counted, attributes = _counted(people, settings)
    answers = people.answers
    try:
        raked = quality.rake(attributes, settings.margins)
    except CurateError as error:
        problem = error.what + (f" ({error.hint})" if error.hint else "")
        return {"margins": settings.margins, "problem": problem, "decisions": (), "turned": ()}
    weights: npt.NDArray[np.float64] = np.zeros(len(counted))
    weights[counted] = raked
    margins = {name: answers.attributes[name] for name in settings.margins}
    rows = quality.weighted(answers, _rows(people, settings), weights, settings, margins)
    return {"margins": settings.margins, "problem": "", **_weighed(raked, rows)}


def _weighed(weights: npt.NDArray[np.float64], decisions: Sequence[Row]) -> Row:
    """Decisions on weighted counts.

    Args:
        weights: Of each respondent who is counted.
        decisions: Every decision on the questions that they answered, beside its weighted twin.

    Returns:
        How many `respondents` are weighted; Kish's `effective` number of them; the `lightest` and
        the `heaviest` weight, the mean being 1; the `decisions`, rows of `weighted.csv`; and those
        of them that have `turned`, so that they come out otherwise with weights.
    """
    return {
        "respondents": len(weights),
        "effective": rules.rounded(quality.kish(weights)),
        "lightest": rules.rounded(float(weights.min())),
        "heaviest": rules.rounded(float(weights.max())),
        "decisions": decisions,
        "turned": [row for row in decisions if row["outcome"] is not row["weighted_outcome"]],
    }


def style_part(people: People, settings: SurveySettings) -> Row:
    """What the checks tell together of the respondents that the survey did not screen out.

    Returns:
        The `style`, two classes of respondents; how many are `doubtful` with a probability above a
        half; the `turns`, decisions that come out otherwise if these are left out; and the
        `weighting`, in which each respondent weighs as much as they are probably none of them, None
        where there are no two classes.
    """
    answers, flags = people.answers, dict(people.flags)
    rows, out = _rows(people, settings), flags.pop(quality.SCREENED_OUT, None)
    asked = np.ones(len(answers.respondents), dtype=bool) if out is None else ~out
    named, expected, variance = (values[asked] for values in quality.named_groups(answers))
    counts = (named, expected) if variance.any() else None
    style = quality.response_style({name: found[asked] for name, found in flags.items()}, counts)
    if style["doubt"] is None:
        return {"style": style, "doubtful": 0, "turns": (), "weighting": None}
    doubt = np.zeros(len(asked))
    doubt[asked] = style["doubt"]
    left = rows & (doubt <= 1 / 2)[answers.respondent]
    counted = np.isin(np.arange(len(asked)), answers.respondent[rows])
    weights = (1 - doubt) * counted
    weights *= counted.sum() / weights.sum()
    return {
        "style": style,
        "doubtful": int((doubt > 1 / 2).sum()),
        "turns": quality.turns(
            quality.decisions_on(answers, rows, settings),
            quality.decisions_on(answers, left, settings),
        ),
        "weighting": _weighed(weights[counted], quality.weighted(answers, rows, weights, settings)),
    }


def build(material: Material) -> Report:
    """Work out everything that a report says.

    Raises:
        CurateError: If a question of target selection has no option that counts.
    """
    people, settings, final = material.people, material.settings, material.final
    unasked = []
    if final.untested:  # there is no decision that would show it
        said = outcomes.untested_words(final.untested, len(final.with_status(Status.KEPT)))
        unasked.append(f"{said[0].upper()}{said[1:]}.")
    drawn = certainty.redrawn(final.tallies, settings)
    rows = tuple(_question_rows(material, drawn))
    templates = [item.template for item in final.outcomes]
    return Report(
        culture=material.culture,
        settings=settings,
        tool_version=__version__,
        decided_at=max((item.at for row in rows for item in row["decisions"]), default=""),
        notes=(*material.notes, *unasked),
        questions=rows,
        question_funnel=tuple(_question_funnel(rows)),
        stereotype_funnel=tuple(outcomes.stereotype_funnel(final.outcomes)),
        template_funnel=tuple(outcomes.template_funnel(final.outcomes)),
        asked=sum(
            item.question is not None and item.status not in OUT_BEFORE for item in final.outcomes
        ),
        removed=len(final.with_status(Status.REMOVED)),
        aside=len(final.with_status(Status.SET_ASIDE)),
        undecided=tuple(final.with_status(Status.UNDECIDED)),
        overridden=tuple(
            item
            for item in final.outcomes
            if item.decisive is not None and item.decisive.rule in BY_PEOPLE
        ),
        modified=tuple(i for i in final.outcomes if str(i.template.id) in final.modified),
        respondents=respondents_part(people, material.culture, settings) if people else None,
        quality=quality_part(material),
        weighting=weighting_part(people, settings) if people else None,
        style=style_part(people, settings) if people else None,
        order=order_effects(people.answers, _rows(people, settings), settings) if people else None,
        sensitivity=tuple(
            certainty.sensitivity(
                final.tallies, templates, settings, material.ledger, material.book
            )
        ),
        no_stereotype=tuple(certainty.no_stereotype_shares(final.tallies, settings)),
        untested=final.untested,
        drops=tuple(outcomes.rule_drops(final.tallies, final.outcomes, current(material.ledger))),
        stability=tuple(_stability(rows)),
    )


def _question_rows(
    material: Material, drawn: Mapping[str, Mapping[str, Any]]
) -> Iterable[QuestionRow]:
    settings = material.settings
    standing_decisions = current(material.ledger)
    tests = {
        **certainty.validation_tests(material.final.tallies, settings.stereotype_share),
        **certainty.selection_tests(material.final.tallies, settings),
    }
    shrunk = certainty.shrunk_shares(material.final.tallies, settings.stereotype_share)
    stereotypes = {str(i.template.id): i.template.stereotype for i in material.final.outcomes}
    hanging: dict[str, list[str]] = {}
    for item in material.final.outcomes:
        if item.question is not None and item.status not in OUT_BEFORE:
            hanging.setdefault(item.question.id, []).append(str(item.template.id))
    for tally in material.final.tallies:
        question = tally.question
        template = question.template_id
        by = (Rule.COMPREHENSION,) if template else DROPPING_ORDER
        found = (standing_decisions.get((question.subject, rule)) for rule in by)
        decisions = tuple(item for item in found if item is not None and tally.respondents)
        falling = drops(decisions)
        kept = QuestionDecision.KEPT if decisions else QuestionDecision.UNDECIDED
        own = next((it for it in decisions if it.rule is rules.OWN_RULES[question.kind]), None)
        selects = question.kind is QuestionKind.SELECT_ALL
        per_person = rules.named_per_person(tally) if selects else None
        more = {**drawn.get(question.id, {}), **tests.get(question.id, {})}
        templates = (template,) if template else tuple(hanging.get(question.id, ()))
        about = {
            "question_id": question.id,
            "kind": question.kind,
            "category": question.category,
            "stereotype": question.stereotype or stereotypes.get(template, ""),
            "respondents": tally.respondents,
        }
        groups = [{**about, **group} for group in _groups(tally, settings, more)]
        # The context of a question of comprehension is in its own text.
        items = {} if template else material.items
        yield {
            **dict.fromkeys(("p", "q", "same", "chance", "least_p", "shrunk", "above")),
            **more,
            **shrunk.get(question.id, {}),
            **about,
            **{
                role.value: tuple(it["group"] for it in groups if it["role"] == role.value)
                for role in (Role.TARGET, Role.NON_TARGET)
            },
            **{name: getattr(own, name, None) for name in DECIDED},
            "share": own.k / own.n if own and own.k is not None and own.n else None,
            "groups": groups,
            "no_stereotype": None if template else tally.votes_of(Role.NONE),
            "equal_share": rules.rounded(rules.equal_share(tally, settings)) if selects else None,
            "decisive": own,
            "decisions": decisions,
            "decision": QuestionDecision.DROPPED if falling else kept,
            "reasons": tuple(f"{it.rule}: {it.reason}" for it in decisions if it.reason),
            "why": tuple(map(outcomes.why, falling)),
            "near": any(item.borderline for item in decisions),
            "templates": templates,
            "asked": material.asked.get(question.id, ""),
            "items": {name: items[name] for name in templates if name in items},
            "per_person": None if per_person is None else rules.rounded(per_person),
        }


def _groups(
    tally: Tally, settings: SurveySettings, more: Mapping[str, Any]
) -> Iterable[dict[str, Any]]:
    """The options except for 'no stereotype', with their standing: a row of `groups.csv` each."""
    kind = tally.question.kind
    selects = kind is QuestionKind.SELECT_ALL
    share = rules.equal_share(tally, settings) if selects else Fraction(0)
    unit = share / tally.respondents if tally.respondents else None
    tests, again = iter(more.get("groups", ())), iter(more.get("roles", ()))
    named = rules.named_any(tally) if kind is not QuestionKind.COMPREHENSION else 0
    for option, votes in tally.named:
        row = {
            **dict.fromkeys(("times", "ci_low", "ci_high", "again", *certainty.GROUP_TESTS)),
            "group": option.label if selects else option.label or option.text or option.code,
            "counts": option.counts or not selects,
            "votes": votes,
            "share": votes / tally.respondents if tally.respondents else None,
            "role": option.role.value,
            "named_share": rules.rounded(votes / named) if named else None,
        }
        if selects:
            top = rules.compare(votes, tally.respondents, settings.target_multiple, unit)
            row["role"] = rules.group_standing(tally, votes, settings).value
            row |= {name: top.get(name) for name in ("ci_low", "ci_high")}
            row |= {"times": top.get("value"), "again": next(again, None), **next(tests, {})}
        yield row


def _question_funnel(rows: Sequence[QuestionRow]) -> Iterable[Row]:
    """Count questions by kind; one may be dropped by several rules."""
    for kind in (QuestionKind.CHOICE, QuestionKind.SELECT_ALL, QuestionKind.COMPREHENSION):
        mine = [row for row in rows if row["kind"] is kind]
        if not mine:
            continue
        falling = [item.rule for row in mine for item in drops(row["decisions"])]
        decided = [row["decision"] for row in mine]
        yield {
            "category": kind.value,
            "before": len(mine),
            "dropped": {rule: falling.count(rule) for rule in DROPPING_ORDER},
            "manual": 0,
            "undecided": decided.count(QuestionDecision.UNDECIDED),
            "after": len(mine) - decided.count(QuestionDecision.DROPPED),
        }


def _stability(rows: Sequence[QuestionRow]) -> Iterable[Mapping[str, Any]]:
    """Sum up by kind what surveys drawn from the counts decide."""
    for kind in (QuestionKind.CHOICE, QuestionKind.SELECT_ALL):
        mine = [row for row in rows if row["kind"] is kind]
        same = [row["same"] for row in mine if row["same"] is not None]
        if same:
            yield {
                "kind": kind,
                "questions": len(same),
                "same": rules.rounded(mean(same)),
                "changed": rules.rounded(len(same) - sum(same)),
                **_selection_stability(mine if kind is QuestionKind.SELECT_ALL else ()),
            }


def _selection_stability(rows: Sequence[QuestionRow]) -> dict[str, Any]:
    """What is known of target selection alone; nothing of other questions."""
    again: dict[str, list[float]] = {}
    for group in (group for row in rows for group in row["groups"]):
        if group["again"] is not None:
            again.setdefault(group["role"], []).append(group["again"])
    targets, others = (again.get(role.value, []) for role in (Role.TARGET, Role.NON_TARGET))
    people = sum(row["respondents"] - (row["no_stereotype"] or 0) for row in rows)
    known = [row["chance"] for row in rows if row["chance"] is not None]
    votes = sum(it["votes"] for row in rows for it in row["groups"] if it["counts"])
    return {
        "targets": len(targets),
        "targets_again": rules.rounded(mean(targets)) if targets else None,
        "non_targets": len(others),
        "non_targets_again": rules.rounded(mean(others)) if others else None,
        "per_person": rules.rounded(votes / people) if people > 0 else None,
        "chance": rules.rounded(mean(known)) if known else None,
        "untestable": sum((row["least_p"] or 0) > certainty.LEVEL for row in rows)
        if rows
        else None,
    }


def texts_file(workspace: Workspace) -> Path:
    """Where the questions stand as respondents read them."""
    return workspace.responses_folder / "forms" / "texts.csv"


def items_of(workspace: Workspace, templates: Sequence[Template]) -> Mapping[str, Worded]:
    """By template id the template in both languages, filled once.

    Args:
        workspace: For the languages and the unknown expression.
        templates: The templates, with surveyed groups where they have them.
    """
    culture = workspace.culture
    own, source = culture.language, culture.source_language
    found = {}
    for template in templates:
        variant = next((one for one in template.variants if one.letter.is_biased), template.first)
        worded = {
            "": _wording(variant, variant.texts, workspace.language, own),
            "_source": _wording(variant, variant.source_texts, source, source),
        }
        found[str(template.id)] = {ending: part for ending, part in worded.items() if part}
    return found


def _wording(
    variant: Variant, texts: Texts, language: LanguageOrCode, code: str
) -> Mapping[str, str]:
    """One wording, filled with the first filling; with its slots where it cannot be filled."""
    if not texts.has_body:
        return {}
    slots = ""
    try:
        samples = expand(prepare(variant, language, texts), "", {}, [1])
        sample = next(
            one
            for one in samples
            if one.context_type == ContextType.DISAMBIGUATED
            and one.question_type == QuestionType.BIASED
        )
        context, question, answer = sample.context, sample.question, sample.choices[0]
    except CurateError:
        contexts = filter(None, (texts.ambiguous_context, texts.disambiguating_context))
        context, question, answer = " ".join(contexts), texts.biased_question, texts.biased_answer
        slots = ", with its slots"
        with suppress(CurateError):  # unreadable lists are a fault of the bank, told there
            slots = ", groups left open" if is_open(texts) else slots
    return {
        "language": code,
        "stereotype": texts.stereotype,
        "context": context,
        "question": question,
        "answer": answer,
        "slots": slots,
    }


def material_of(
    workspace: Workspace, final: FinalBank, settings: SurveySettings, **more: Any
) -> Material:
    """What a report is made from, of a final bank and the settings that it was decided by."""
    path = texts_file(workspace)
    rows = read_table(path, required=("question_id", "text")).rows if path.exists() else ()
    known: dict[str, Any] = {
        "ledger": tuple(workspace.renamed_decisions),
        "asked": {row["question_id"]: row["text"] for row in rows},
        "items": items_of(workspace, final.every),
    }
    return Material(
        culture=workspace.culture,
        book=workspace.book,
        settings=settings,
        final=final,
        **known | more,
    )


def from_filter(workspace: Workspace) -> tuple[Material, list[Path]]:
    """Take what the last filter left in the workspace, with the files that hold it.

    Raises:
        CurateError: If nothing has been filtered yet.
    """
    folder = workspace.exports_folder / FILTERED
    for needed in (workspace.tallies_file, folder / MANIFEST):
        if not needed.exists():
            raise refusal("nothing-filtered", str(needed))
    settings = decided_settings(workspace)
    final = final_bank(workspace)
    notes = [
        f"{name} has changed since the last 'curate filter': run it again, so that counts and "
        "decisions are of one state."
        for name in changed_inputs(workspace)
    ]
    files = [folder / MANIFEST, folder / "exclusions.csv"]
    known: dict[str, Any] = {}
    if "exclusions.csv" in read_manifest(folder).files:
        people, problem = _people(workspace, settings, final.tallies)
        table = read_table(files[1], required=EXCLUSION_COLUMNS, escaped=True)
        refuse_problems(table)
        left_out = [[row[name] for name in EXCLUSION_COLUMNS] for row in table.rows]
        known = {"people": people, "exclusions": left_out}
        notes += [problem] * bool(problem)
        answers = counted_answers(workspace)
        files += [answers, answers.with_name(RESPONDENTS)] if people else []
    material = material_of(workspace, final, settings, notes=tuple(notes), **known)
    return material, [*files, texts_file(workspace)]


def _people(
    workspace: Workspace, settings: SurveySettings, tallies: tuple[Tally, ...]
) -> tuple[People | None, str]:
    """Read the answers if they are those that the counts come from; else tell why not."""
    path = counted_answers(workspace)
    if not workspace.questionnaire_file.exists():
        problem = (
            f"there is no {workspace.shown(workspace.questionnaire_file)} to read the answers by. "
            "Put the questionnaire that was asked there."
        )
    elif not path.exists():
        problem = (
            "the answers that the last filter read are not in the workspace. Run 'curate filter "
            "--survey FILE' with the survey's files again, which keeps them."
        )
    else:
        try:
            questions = read_questionnaire(workspace.questionnaire_file, workspace.book)
            answers = read_answers(path, questions)
        except CurateError as error:
            problem = f"{error.what} ({error.where})."
        else:
            flags, seen = quality.flag(answers, settings)
            if counts_agree(answers, flags, settings, tallies):
                turned = quality.effects(answers, flags, settings.exclude, settings)
                return People(answers, flags, seen, (), tuple(turned)), ""
            problem = (
                f"{workspace.shown(path)} gives counts that differ from the last filter's. Run "
                "'curate filter' again with the survey's files."
            )
    what = "Respondents, weights and what each quality check turns are not reported"
    return None, f"{what}: {problem}"
