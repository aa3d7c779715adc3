"""What a report says: worked out from the counts, the ledger and the answers, and its sentences."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from itertools import compress
from pathlib import Path
from statistics import mean
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from curation.bank.generate import disambiguated, prepare
from curation.checks.settings import shown
from curation.files.bank import GroupBook
from curation.files.manifest import MANIFEST, read_manifest
from curation.files.outcomes import TemplateOutcome
from curation.files.questionnaire import asked_texts, read_questionnaire
from curation.files.tables import read_table, refuse_problems, sha256
from curation.files.workspace import Workspace
from curation.languages import LanguageOrCode
from curation.records.bank import QuestionType, Template, Texts, Variant
from curation.records.culture import Culture, SurveySettings, quota_cells
from curation.records.messages import CurateError, half_up
from curation.records.survey import (
    BY_PEOPLE,
    DROPPING_ORDER,
    OUT_BEFORE,
    Decision,
    Outcome,
    QuestionKind,
    Role,
    Status,
    Tally,
    current,
    drops,
)
from curation.report.page import ReportTexts
from curation.report.texts import PURPOSE, percent
from curation.slots.grammar import is_open
from survey import certainty, outcomes, quality, rules
from survey.answers import RESERVED_ATTRIBUTES, WEIGHT_UNIT, Answers, count_answers
from survey.attributes import RESPONDENTS, used_attributes
from survey.bank import (
    EXCLUSION_COLUMNS,
    FILTERED,
    PREREGISTRATION,
    FinalBank,
    changed_inputs,
    counted_answers,
    decided_settings,
    final_bank,
    plain_settings,
)
from survey.building.plan import read_preregistration
from survey.order_effects import OrderEffects, order_effects, stands_out
from survey.quality import Flags
from survey.quality import Respondents as People
from survey.readers.frames import refusal
from survey.readers.normalise import read_answers
from survey.rules import Row

TEXTS = ReportTexts(__package__, "texts.yaml", fraction=outcomes.fraction)
"""What the report says."""
KINDS: Mapping[str, str] = TEXTS.known["kinds"]
"""The kinds of question, as headings."""
RULES: Mapping[str, str] = TEXTS.known["rules"]
"""The rules, as columns are headed."""
USES: tuple[str, ...] = (PURPOSE, *TEXTS.known["uses"])
"""What such data must not be used for."""
TESTS = ("p and q", "p and q of target selection", "Chance in target selection")
"""The headings of what is said of numbers that only the report holds."""
Worded = Mapping[str, Mapping[str, str]]
"""A template in the context that confirms the stereotype, filled once.

By what columns end with: nothing for the culture's language, `_source` for the source's, as far as
it is written there. Each has the `language`, `stereotype`, `context` (the ambiguous one and the
disambiguating one), the biased `question`, its `answer`, and in `slots` why slots are not filled.
"""


class QuestionDecision(StrEnum):
    """What became of a question."""

    KEPT = "kept"
    DROPPED = "dropped"
    UNDECIDED = "undecided"


DECIDED = ("k", "n", "value", "threshold", "margin", "ci_low", "ci_high")
"""What a question has of the decision of the rule that is its kind's own."""
QuestionRow: TypeAlias = dict[str, Any]
"""One question with everything that is said of it: what `questions.csv` has in its columns, and

- `groups`: the options in their order, without 'no stereotype', with the columns of `groups.csv`;
- `decisive`: the decision of the rule that is the kind's own; None where nobody answered;
- `decisions`: the latest decision of every rule;
- `why`: the rules that drop it, in words;
- `asked`: its text as respondents read it; empty where that is not known;
- `items`: by id the templates that are linked to it, as far as they are known.

The stereotype of a question of comprehension is the template's. What is not known is None.
"""


@dataclass(frozen=True)
class Report:
    """Everything that a report says, each part worked out when it is first asked for.

    Attributes:
        culture: The culture.
        settings: The thresholds that the decisions were made with.
        final: The counts, and where every template stands.
        ledger: All decisions, in order.
        people: The answers that the counts come from; None where only counts are known.
        exclusions: Who was left out or flagged: the rows of `exclusions.csv`.
        remarks: What the reader has to know of where it comes from.
        worded: By question id its text as respondents read it, where that is known.
        items: By template id the template in both languages.
        book: The groups, for categories that were split off others after the survey.
        questionnaire: The questions that were asked.
        planned: What was registered before the survey; None where nobody looks.
    """

    culture: Culture
    settings: SurveySettings
    final: FinalBank
    ledger: tuple[Decision, ...]
    people: People | None = None
    exclusions: Sequence[Sequence[str]] = ()
    remarks: tuple[str, ...] = ()
    worded: Mapping[str, str] = field(default_factory=dict)
    items: Mapping[str, Worded] = field(default_factory=dict)
    book: GroupBook | None = None
    questionnaire: Path = Path()
    planned: Path | None = None

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What the reader has to know first."""
        if not self.final.untested:  # there is no decision that would show it
            return self.remarks
        said = self.final.unasked().message
        return (*self.remarks, f"{said[0].upper()}{said[1:]}.")

    @cached_property
    def questions(self) -> tuple[QuestionRow, ...]:
        """A row a question, in the order of the survey."""
        return tuple(_question_rows(self))

    @cached_property
    def decided_at(self) -> str:
        """Time of the latest decision in the ledger; empty where none is signed."""
        return max((item.at for row in self.questions for item in row["decisions"]), default="")

    @cached_property
    def question_funnel(self) -> tuple[Row, ...]:
        """Questions by kind; one may be dropped by several rules."""
        found: list[Row] = []
        for kind in (QuestionKind.CHOICE, QuestionKind.SELECT_ALL, QuestionKind.COMPREHENSION):
            mine = self.of_kind(kind)
            by = [item.rule for row in mine for item in drops(row["decisions"])]
            decided = [row["decision"] for row in mine]
            row = {
                "category": kind.value,
                "before": len(mine),
                "dropped": {rule: by.count(rule) for rule in DROPPING_ORDER},
                "manual": 0,
                "undecided": decided.count(QuestionDecision.UNDECIDED),
                "after": len(mine) - decided.count(QuestionDecision.DROPPED),
            }
            found += [row] * bool(mine)
        return tuple(found)

    @cached_property
    def stereotype_funnel(self) -> list[Row]:
        """Stereotypes by category."""
        return outcomes.stereotype_funnel(self.final.outcomes)

    @cached_property
    def template_funnel(self) -> list[Row]:
        """Templates by category."""
        return outcomes.template_funnel(self.final.outcomes)

    @cached_property
    def drops(self) -> tuple[Row, ...]:
        """By kind of question and rule, the part of questions and templates that it drops."""
        tallies, standing = self.final.tallies, current(self.ledger)
        return tuple(outcomes.rule_drops(tallies, self.final.outcomes, standing))

    @cached_property
    def asked(self) -> int:
        """Templates that are linked to a question of the survey: it asks about their stereotype."""
        found = self.final.outcomes
        return sum(item.question is not None and item.status not in OUT_BEFORE for item in found)

    @cached_property
    def removed(self) -> int:
        """Templates labelled SR, which were not asked about."""
        return len(self.final.with_status(Status.REMOVED))

    @cached_property
    def aside(self) -> int:
        """Templates that a person had set aside before, so that they were not either."""
        return len(self.final.with_status(Status.SET_ASIDE))

    @cached_property
    def undecided(self) -> list[TemplateOutcome]:
        """Templates that the survey does not decide."""
        return self.final.with_status(Status.UNDECIDED)

    @cached_property
    def overridden(self) -> list[TemplateOutcome]:
        """Templates that a person decided."""
        return [it for it in self.final.outcomes if it.decisive and it.decisive.rule in BY_PEOPLE]

    @cached_property
    def modified(self) -> list[TemplateOutcome]:
        """Templates whose groups the survey replaced."""
        return [it for it in self.final.outcomes if str(it.template.id) in self.final.modified]

    @cached_property
    def respondents(self) -> Row | None:
        """Who answered, and by the attributes that the settings name how many of each kind.

        A file of respondents may have other columns: names, addresses, what somebody wrote in
        words. No report and no card shows them.

        Returns:
            None where only counts are known, else

            - how many there are in `total`, and of how many some answer is `counted`;
            - the `median_minutes` that these took, None where it is not known;
            - `attributes`, by attribute how many have each value;
            - the `dimensions`, attributes that have quotas and are known, and those `unknown`;
            - `cells`, people by combination of the dimensions: in `values` a value for each, empty
              where it is not known, the share that is `planned`, None where the combination is not
              in the plan, and how many who are counted `answered`;
            - whether the culture has `stated` quotas of its own.
        """
        if self.people is None:
            return None
        counted = _counted(self.people.answers, self.people.rows(self.settings))
        values = _attributes(self.people.answers, counted)
        seconds = quality.durations(self.people.answers)[counted]
        known = seconds[~np.isnan(seconds)]
        minutes = float(half_up(float(np.median(known)) / 60, 1)) if known.size else None
        used = used_attributes(self.culture) - {*RESERVED_ATTRIBUTES}
        attributes = {
            name: dict(sorted(Counter(mine).items()))
            for name, mine in values.items()
            if name in used
        }
        asked = self.culture.questionnaire
        dimensions = tuple(name for name in asked.quotas if any(attributes.get(name, {})))
        return {
            "total": len(counted),
            "counted": int(counted.sum()),
            "median_minutes": minutes,
            "attributes": attributes,
            "dimensions": dimensions,
            "unknown": tuple(name for name in asked.quotas if name not in dimensions),
            "cells": _cells(values, {name: asked.quotas[name] for name in dimensions}),
            "stated": "quotas" in asked.model_fields_set,
        }

    @cached_property
    def quality(self) -> tuple[Row, ...]:
        """By rule who was left out or flagged, and which decisions are linked to it.

        By `rule`, on reading or of quality: `what` it looks at, in words; how many `respondents` it
        flags or leaves out, 0 where the file names nobody; the `records` of `exclusions.csv`;
        whether they are `excluded`; and the `turns`, decisions that come out otherwise without the
        rule, or if it excluded, None where that cannot be told.
        """
        lines: dict[str, list[Mapping[str, str]]] = {}
        for row in self.exclusions:
            line = dict(zip(EXCLUSION_COLUMNS, row, strict=True))
            lines.setdefault(line["rule"], []).append(line)
        effects = {
            effect["rule"]: effect for effect in (self.people.effects if self.people else ())
        }
        checks = [name for name in quality.RULES if name in lines]
        if quality.ANY in effects:
            lines[quality.ANY] = []
        return tuple(
            {
                "rule": name,
                "what": quality_rule(name, self.settings),
                "respondents": effects[quality.ANY]["respondents"]
                if name == quality.ANY
                else len({line["respondent_id"] for line in lines[name]} - {""}),
                "records": len(lines[name]),
                "excluded": any(line["excluded"] == "true" for line in lines[name]),
                "turns": effects[name]["turns"] if name in effects else None,
            }
            for name in dict.fromkeys((*checks, *lines))
        )

    @cached_property
    def weighting(self) -> Row | None:
        """Weighted counts beside the plain ones; None where no margins are set.

        Margins that cannot be met are a problem of the result: the rest of a report stands
        without weights.

        Returns:
            The `margins`, the share of each value by attribute; the `problem`, why some questions
            have no weights; and what `_weighed` gives of the others.
        """
        people, settings = self.people, self.settings
        if people is None or not settings.margins:
            return None
        answers, rows = people.answers, people.rows(settings)
        understood = quality.is_comprehension(answers)[answers.question]
        problem, rakings, decisions = "", list[npt.NDArray[np.float64]](), list[Row]()
        # Others may be asked about comprehension, and who fails it may count there alone.
        for part in filter(np.any, (rows & ~understood, rows & understood)):
            weights, counted = np.zeros(len(answers.respondents)), _counted(answers, part)
            try:
                raked = quality.rake(_attributes(answers, counted), settings.margins)
            except CurateError as error:
                problem = problem or error.what + (f" ({error.hint})" if error.hint else "")
                continue
            weights[counted] = raked
            rakings.append(raked)
            margins = {name: answers.attributes[name] for name in settings.margins}
            decisions += quality.weighted(answers, part, weights, settings, margins)
        made = _weighed(max(rakings, key=len), decisions) if rakings else {"decisions": ()}
        return {"margins": settings.margins, "problem": problem, "turned": (), **made}

    @cached_property
    def style(self) -> Row | None:
        """What the checks tell together of the respondents that the survey did not screen out.

        Returns:
            None where only counts are known, else the `style`, two classes of respondents; how many
            are `doubtful` with a probability above a half; the `turns`, decisions that come out
            otherwise if these are left out; and the `weighting`, in which each respondent weighs as
            much as they are probably none of them, None where there are no two classes.
        """
        people, settings = self.people, self.settings
        if people is None:
            return None
        answers, flags = people.answers, dict(people.flags)
        rows, out = people.rows(settings), flags.pop(quality.SCREENED_OUT, None)
        asked = np.ones(len(answers.respondents), dtype=bool) if out is None else ~out
        named, expected, variance = (values[asked] for values in quality.named_groups(answers))
        counts = (named, expected) if variance.any() else None
        style = quality.response_style({name: it[asked] for name, it in flags.items()}, counts)
        if style["doubt"] is None:
            return {"style": style, "doubtful": 0, "turns": (), "weighting": None}
        doubt = np.zeros(len(asked))
        doubt[asked] = style["doubt"]
        left = rows & (doubt <= 1 / 2)[answers.respondent]
        counted = _counted(answers, rows)
        # Nobody weighs so little that a question which they alone answered has no respondent.
        weights = np.maximum(1 - doubt, 1 / WEIGHT_UNIT) * counted
        weights *= counted.sum() / weights.sum()
        decisions = quality.weighted(answers, rows, weights, settings)
        return {
            "style": style,
            "doubtful": int((doubt > 1 / 2).sum()),
            "turns": quality.turns(
                quality.decisions_on(answers, rows, settings),
                quality.decisions_on(answers, left, settings),
            ),
            "weighting": _weighed(weights[counted], decisions),
        }

    @cached_property
    def order(self) -> OrderEffects | None:
        """What the order of options does; None where only counts are known."""
        people = self.people
        if people is None:
            return None
        return order_effects(people.answers, people.rows(self.settings), self.settings)

    @cached_property
    def sensitivity(self) -> list[Row]:
        """What other thresholds would leave."""
        templates = [item.template for item in self.final.outcomes]
        return certainty.sensitivity(
            self.final.tallies, templates, self.settings, self.ledger, self.book
        )

    @cached_property
    def no_stereotype(self) -> tuple[Row, ...]:
        """How many say that no such stereotype exists, by category and kind."""
        return tuple(certainty.no_stereotype_shares(self.final.tallies, self.settings))

    @cached_property
    def stability(self) -> tuple[Row, ...]:
        """By `kind` of question, what surveys drawn anew decide: a row of `stability.csv`."""
        found: list[Row] = []
        for kind in (QuestionKind.CHOICE, QuestionKind.SELECT_ALL):
            mine = self.of_kind(kind)
            same = [row["same"] for row in mine if row["same"] is not None]
            if same:
                row = {
                    "kind": kind,
                    "questions": len(same),
                    "same": rules.rounded(mean(same)),
                    "changed": rules.rounded(len(same) - sum(same)),
                }
                more = _selection_stability(mine if kind is QuestionKind.SELECT_ALL else ())
                found.append(row | more)
        return tuple(found)

    @cached_property
    def registered(self) -> Row | None:
        """What was registered and kept to, and where the survey departs from it.

        Returns:
            Of the preregistration the date (`at`) and `sha256`; how many stereotypes were
            `expected` to be kept, and of how many this `held`; and its `deviations`. None where
            there is none.
        """
        registered = read_preregistration(self.planned) if self.planned else {}
        if self.planned is None or not registered:
            return None
        asked = registered.get("questions") or {}
        expected = {it for kind in ("choice", "select_all") for it in asked.get(kind, ())}
        rows = (row for row in self.questions if row["respondents"])
        kept = (row for row in rows if row["decision"] is QuestionDecision.KEPT)
        return {
            "at": registered.get("registered"),
            "sha256": sha256(self.planned),
            "expected": len(expected),
            "held": sum(row["question_id"] in expected for row in kept),
            "deviations": tuple(deviations(self, registered, self.planned.parent)),
        }

    def of_kind(self, kind: QuestionKind) -> tuple[QuestionRow, ...]:
        """The questions of a kind."""
        return tuple(row for row in self.questions if row["kind"] is kind)

    @property
    def borderline(self) -> tuple[QuestionRow, ...]:
        """The questions with a borderline decision."""
        return tuple(row for row in self.questions if row["near"])

    @property
    def turning(self) -> tuple[QuestionRow, ...]:
        """The validation questions whose share, estimated together, is on the other side."""
        limit = self.settings.stereotype_share
        return tuple(
            row
            for row in self.of_kind(QuestionKind.CHOICE)
            if row["shrunk"] is not None and row["decisive"]
            if (row["shrunk"] > limit) is (row["decisive"].outcome is Outcome.DROP)
        )

    @property
    def order_of(self) -> Mapping[str, Row]:
        """By question id what the order of its options does, where that is known."""
        return {item["question_id"]: item for item in self.order.questions} if self.order else {}

    @property
    def order_shown(self) -> tuple[tuple[QuestionRow, Row], ...]:
        """The questions whose order stands out, or of which one order alone turns the decision."""
        effects = self.order_of
        pairs = ((row, effects.get(row["question_id"])) for row in self.questions)
        return tuple((row, it) for row, it in pairs if it and (stands_out(it) or it["turns"]))

    @property
    def tested(self) -> int:
        """How many validation questions have a p value."""
        return sum(row["p"] is not None for row in self.of_kind(QuestionKind.CHOICE))

    @property
    def answers(self) -> tuple[int, int]:
        """Fewest and most respondents of one question."""
        counts = [row["respondents"] for row in self.questions]
        return (min(counts), max(counts)) if counts else (0, 0)


def deviations(
    report: Report, registered: Mapping[str, Any], folder: Path
) -> Iterator[dict[str, str]]:
    """Yield where a survey departs from what was registered.

    Each says `what` it is, the setting or what else was registered, as `planned` and as `done`.

    Args:
        report: What was done.
        registered: What was registered.
        folder: Where the files that were registered are.
    """
    settings, answers = report.settings, report.people.answers if report.people else None
    attributes = answers.attributes if answers else {}
    planned, done = registered.get("survey") or {}, plain_settings(settings)
    for name in dict.fromkeys((*planned, *done)):
        if planned.get(name) != done.get(name):
            yield _deviation(name, shown(planned.get(name)), shown(done.get(name)))
    for rule in planned.get("exclude") or ():
        name = quality.GOES_BY.get(rule)
        is_unsaid = answers and name and not any(attributes.get(name, ()))
        if rule in settings.exclude and is_unsaid:
            yield _deviation(f"exclude: {rule}", "left out", "nothing in the answers says who")
    for name, digest in (registered.get("files") or {}).items():
        there = report.questionnaire if name == "questionnaire.csv" else folder / name
        now_there = sha256(there) if there.exists() else ""
        if now_there != digest:
            yield _deviation(name, _short(digest), _short(now_there))
    answered = [row for row in report.questions if row["respondents"]]
    named = registered.get("questions") or {}
    for kind in QuestionKind:  # also one that was not registered
        ids = named.get(kind, ())
        asked = [row["question_id"] for row in answered if row["kind"] == kind]
        lost, new = [q for q in ids if q not in asked], [q for q in asked if q not in ids]
        if lost or new:
            parts = (("not answered", lost), ("not registered", new))
            said = (f"{word}: {', '.join(names)}" for word, names in parts if names)
            yield _deviation(
                f"questions: {kind}", str(len(ids)), "; ".join((str(len(asked)), *said))
            )
    orders = report.order_of.items()
    one_order = [name for name, it in orders if it["answers"] and it["orders"] == 1]
    if registered.get("orders", 1) > 1 and one_order:
        seen = f"one, of {', '.join(one_order)}"
        yield _deviation("orders of the options", str(registered["orders"]), seen)
    wanted, (fewest, _) = registered.get("respondents_per_question", 0), report.answers
    if report.questions and fewest < wanted:
        yield _deviation("people of a question, at least", f"{wanted:,}", f"{fewest:,}")
    if answers is None:
        return
    wanted, total = registered.get("respondents", 0), len(answers.respondents)
    if wanted != total:
        yield _deviation("people who answered", f"{wanted:,}", f"{total:,}")
    for name, quotas in (registered.get("quotas") or {}).items():
        shares = {it: Fraction(part) for it, part in quotas.items()}
        counts = Counter(attributes.get(name, ()))
        values = [value for value in {**shares, **counts} if value]
        people = sum(counts[value] for value in values)
        if not people:
            yield _deviation(f"quotas: {name}", _parts(shares), "the answers do not say it")
        elif any(abs(shares.get(it, Fraction(0)) * people - counts[it]) >= 1 for it in values):
            real = {it: Fraction(counts[it], people) for it in values}
            yield _deviation(f"quotas: {name}", _parts(shares), _parts(real))


def _parts(shares: Mapping[str, Fraction]) -> str:
    return ", ".join(f"{name} {percent(float(share))}" for name, share in shares.items())


def _deviation(what: str, planned: str, done: str) -> dict[str, str]:
    return {"what": what, "planned": planned, "done": done}


def _short(digest: object) -> str:
    return f"SHA-256 {str(digest)[:12]}..." if digest else "none"


def quality_rule(rule: str, settings: SurveySettings) -> str:
    """Say in words which respondents a quality check, or a rule of reading, concerns."""
    said = TEXTS.known["quality"].get(rule)
    return TEXTS.fill(said, settings=settings) if said else rule.replace("_", " ")


def method(report: Report) -> Iterator[tuple[str, str]]:
    """Yield the method in words, with the settings used, as heading and text."""
    kinds = {row["kind"] for row in report.questions}
    for part in TEXTS.known["method"]:
        if part.get("kind") in (None, *kinds) and ("needs" not in part or report.order):
            yield part["title"], TEXTS.fill(part["text"], settings=report.settings, report=report)


def _counted(answers: Answers, rows: Flags) -> Flags:
    """Whether some of the rows are of each respondent, if only those of comprehension."""
    found = np.zeros(len(answers.respondents), dtype=bool)
    found[answers.respondent[rows]] = True
    return found


def _attributes(answers: Answers, people: Flags) -> dict[str, tuple[str, ...]]:
    """The attributes of some respondents."""
    attributes = answers.attributes.items()
    return {name: tuple(compress(values, people)) for name, values in attributes}


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


def _weighed(weights: npt.NDArray[np.float64], decisions: Sequence[Row]) -> Row:
    """Decisions on weighted counts.

    Args:
        weights: Of each respondent who is counted; of two rakings those of the larger one.
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


def _question_rows(report: Report) -> Iterator[QuestionRow]:
    settings, tallies = report.settings, report.final.tallies
    standing = current(report.ledger)
    drawn = certainty.redrawn(tallies, settings)
    tests = {
        **certainty.validation_tests(tallies, settings.stereotype_share),
        **certainty.selection_tests(tallies, settings),
    }
    shrunk = certainty.shrunk_shares(tallies, settings.stereotype_share)
    stereotypes = {str(it.template.id): it.template.stereotype for it in report.final.outcomes}
    linked: dict[str, list[str]] = {}
    for item in report.final.outcomes:
        if item.question is not None and item.status not in OUT_BEFORE:
            linked.setdefault(item.question.id, []).append(str(item.template.id))
    for tally in tallies:
        question = tally.question
        template = question.template_id
        decisions = outcomes.decisions_of(tally, standing)
        excluding = drops(decisions)
        kept = QuestionDecision.KEPT if decisions else QuestionDecision.UNDECIDED
        own = next((it for it in decisions if it.rule is rules.OWN_RULES[question.kind]), None)
        selects = question.kind is QuestionKind.SELECT_ALL
        per_person = rules.named_per_person(tally) if selects else None
        more = {**drawn.get(question.id, {}), **tests.get(question.id, {})}
        templates = (template,) if template else tuple(linked.get(question.id, ()))
        about = {
            "question_id": question.id,
            "kind": question.kind,
            "category": question.category,
            "stereotype": question.stereotype or stereotypes.get(template, ""),
            "respondents": tally.respondents,
        }
        groups = [{**about, **group} for group in _groups(tally, settings, more)]
        # The context of a question of comprehension is in its own text.
        items = {} if template else report.items
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
            "decision": QuestionDecision.DROPPED if excluding else kept,
            "reasons": tuple(f"{it.rule}: {it.reason}" for it in decisions if it.reason),
            "why": tuple(map(outcomes.why, excluding)),
            "near": any(item.borderline for item in decisions),
            "templates": templates,
            "asked": report.worded.get(question.id, ""),
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
        sample = disambiguated(prepare(variant, language, texts), "", 1, QuestionType.BIASED)
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


def report_on(
    workspace: Workspace, final: FinalBank, settings: SurveySettings, **more: Any
) -> Report:
    """What is said of a final bank and the settings that it was decided by.

    Raises:
        CurateError: If a file of the workspace cannot be read.
    """
    return Report(
        culture=workspace.culture,
        book=workspace.book,
        settings=settings,
        final=final,
        ledger=tuple(workspace.renamed_decisions),
        worded=asked_texts(texts_file(workspace)),
        items=items_of(workspace, final.every),
        questionnaire=workspace.questionnaire_file,
        planned=workspace.responses_folder / PREREGISTRATION,
        **more,
    )


def from_filter(workspace: Workspace) -> tuple[Report, list[Path]]:
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
    notes = [_noted("changed", name=name) for name in changed_inputs(workspace)]
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
    found = report_on(workspace, final, settings, remarks=tuple(notes), **known)
    return found, [*files, texts_file(workspace)]


def _people(
    workspace: Workspace, settings: SurveySettings, tallies: Sequence[Tally]
) -> tuple[People | None, str]:
    """Read the answers if they are those that the counts come from; else tell why not."""
    path = counted_answers(workspace)
    if not workspace.questionnaire_file.exists():
        problem = _noted("no-questions", name=workspace.shown(workspace.questionnaire_file))
    elif not path.exists():
        problem = _noted("no-answers")
    else:
        try:
            questions = read_questionnaire(workspace.questionnaire_file, workspace.book)
            answers = read_answers(path, questions)
        except CurateError as error:
            problem = f"{error.what} ({error.where})."
        else:
            people = quality.checked(answers, settings)
            known = {it.question.id: (it.respondents, it.votes) for it in tallies}
            counted, _ = count_answers(answers, people.rows(settings))
            if all(
                known.get(it.question.id, (0, it.votes)) == (it.respondents, it.votes)
                for it in counted
            ):
                return people, ""
            problem = _noted("other-counts", name=workspace.shown(path))
    return None, _noted("no-people", why=problem)


def _noted(key: str, **words: str) -> str:
    return TEXTS.fill(TEXTS.known["notes"][key], **words)
