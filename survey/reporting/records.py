"""What a report says, as plain records, and its sentences; HTML, Markdown and tables set it out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeAlias

from curation.files.bank import GroupBook
from curation.records.culture import Culture, SurveySettings
from curation.records.survey import Decision, Outcome, QuestionKind
from curation.report import texts
from curation.report.page import ReportTexts
from curation.report.texts import PURPOSE
from survey.bank import FinalBank
from survey.order_effects import OrderEffects, stands_out
from survey.outcomes import TemplateOutcome, fraction
from survey.quality import Respondents as People
from survey.rules import Row

Worded = Mapping[str, Mapping[str, str]]
"""A template in the context that confirms the stereotype, filled once.

By what columns end with: nothing for the culture's language, `_source` for the source's, as far as
it is written there. Each has the `language`, `stereotype`, `context` (the ambiguous one and the
disambiguating one), the biased `question`, its `answer`, and in `slots` why slots are not filled.
"""


@dataclass(frozen=True, slots=True)
class Material:
    """What a report is made from.

    Attributes:
        culture: The culture.
        settings: The thresholds that the decisions were made with.
        final: The counts, and where every template stands.
        ledger: All decisions, in order.
        people: The answers that the counts come from; None where only counts are known.
        exclusions: Who was left out or flagged: the rows of `exclusions.csv`.
        notes: What the reader has to know of the material itself.
        asked: By question id its text as respondents read it, where that is known.
        items: By template id the template in both languages.
        book: The groups, for categories that were split off others after the survey.
    """

    culture: Culture
    settings: SurveySettings
    final: FinalBank
    ledger: tuple[Decision, ...]
    people: People | None = None
    exclusions: Sequence[Sequence[str]] = ()
    notes: tuple[str, ...] = ()
    asked: Mapping[str, str] = field(default_factory=dict)
    items: Mapping[str, Worded] = field(default_factory=dict)
    book: GroupBook | None = None


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


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that a report says.

    Attributes:
        culture: The culture.
        settings: The thresholds used.
        tool_version: Version of the toolkit.
        decided_at: Time of the latest decision in the ledger; empty where none is signed.
        notes: What the reader has to know first.
        questions: A row a question, in the order of the survey.
        question_funnel: By kind; a question may be dropped by several rules.
        stereotype_funnel: By category.
        template_funnel: By category.
        asked: Templates that are linked to a question of the survey; of others nothing was asked.
        removed: Templates labelled SR, which were not asked about.
        aside: Templates that a person had set aside before, so that they were not either.
        undecided: Templates that the survey does not decide.
        overridden: Templates that a person decided.
        modified: Templates whose groups the survey replaced.
        respondents: Who answered, as `respondents_part` gives it; None where only counts are known.
        quality: By `rule`, on reading or of quality: `what` it looks at, in words; how many
            `respondents` it flags or leaves out, 0 where the file names nobody; the `records` of
            `exclusions.csv`; whether they are `excluded`; and the `turns`, decisions that come out
            otherwise without the rule, or if it excluded, None where that cannot be told.
        weighting: As `weighting_part` gives it; None where no margins are set.
        style: What the checks tell together, as `style_part` gives it; None where only counts are
            known.
        order: What the order of options does; None where only counts are known.
        sensitivity: What other thresholds would leave.
        no_stereotype: How many say that no such stereotype exists, by category and kind.
        untested: Ids of the templates kept whose comprehension nobody was asked.
        drops: By kind of question and rule, the part of questions and templates that fall.
        stability: By `kind` of question, what surveys drawn anew decide: a row of `stability.csv`.
        registered: Of its preregistration the date (`at`) and `sha256`; how many stereotypes were
            `expected` to be kept, and of how many this `held`; and its `deviations`. None where
            there is none.
    """

    culture: Culture
    settings: SurveySettings
    tool_version: str
    decided_at: str
    notes: tuple[str, ...]
    questions: tuple[QuestionRow, ...]
    question_funnel: tuple[Row, ...]
    stereotype_funnel: tuple[Row, ...]
    template_funnel: tuple[Row, ...]
    asked: int
    removed: int
    aside: int
    undecided: tuple[TemplateOutcome, ...]
    overridden: tuple[TemplateOutcome, ...]
    modified: tuple[TemplateOutcome, ...]
    respondents: Row | None
    quality: tuple[Mapping[str, Any], ...]
    weighting: Row | None
    style: Row | None
    order: OrderEffects | None
    sensitivity: tuple[Mapping[str, Any], ...]
    no_stereotype: tuple[Mapping[str, Any], ...]
    untested: tuple[str, ...]
    drops: tuple[Mapping[str, Any], ...]
    stability: tuple[Mapping[str, Any], ...]
    registered: Mapping[str, Any] | None = None

    @property
    def named_templates(self) -> tuple[TemplateOutcome, ...]:
        """The templates that the survey does not decide, or not alone."""
        return (*self.undecided, *self.overridden, *self.modified)

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


TEXTS = ReportTexts(__package__, "texts.yaml", fraction=fraction)
"""What the report says."""
KINDS: Mapping[str, str] = TEXTS.known["kinds"]
"""The kinds of question, as headings."""
RULES: Mapping[str, str] = TEXTS.known["rules"]
"""The rules, as columns are headed."""
SETTINGS: Mapping[str, str] = TEXTS.known["settings"]
"""The thresholds that the sensitivity table moves."""
SHARED: Mapping[str, str] = TEXTS.known["shared"]
"""What can be shared equally among the options that count."""
HEADINGS: Mapping[str, str] = TEXTS.known["headings"]
"""How columns of the workbook are headed, where their name alone does not tell."""
USES: tuple[str, ...] = (PURPOSE, *TEXTS.known["uses"])
"""What such data must not be used for."""
TESTS = ("p and q", "p and q of target selection", "Chance in target selection")
"""The headings of what is said of numbers that only the report holds."""


def citation(report: Report) -> str:
    """Say how the benchmark itself is cited."""
    culture = report.culture
    return texts.citation(culture.culture, culture.version, culture.language, report.tool_version)


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
