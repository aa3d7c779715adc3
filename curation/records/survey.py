"""Questions of the survey, their counts, and the decisions made on them."""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from curation.records.bank import TemplateId
from curation.records.messages import CurateError


class QuestionKind(StrEnum):
    """How a question is asked."""

    SELECT_ALL = "select_all"
    CHOICE = "choice"
    COMPREHENSION = "comprehension"


class Role(StrEnum):
    """What choosing an option means."""

    TARGET = "target"
    NON_TARGET = "non_target"
    GROUP = "group"
    NONE = "none"
    CORRECT = "correct"
    WRONG = "wrong"


class OptionState(StrEnum):
    """What a respondent did with an option."""

    SELECTED = "selected"
    SHOWN = "shown"
    MISSING = "missing"


class GroupRole(StrEnum):
    """The role of a group after target selection."""

    TARGET = "target"
    NON_TARGET = "non_target"
    NEITHER = "neither"


@dataclass(frozen=True, slots=True)
class Option:
    """One answer that can be chosen.

    Attributes:
        code: What `responses.csv` holds in `option`.
        groups: The groups that the option stands for; several when it lists several.
        role: What choosing it means.
        counts: Whether the uniform share is divided by it.
        text: As shown to respondents.
    """

    code: str
    groups: tuple[str, ...]
    role: Role
    counts: bool = True
    text: str = ""

    @property
    def label(self) -> str:
        """The groups as one name."""
        return join_groups(self.groups)


@dataclass(frozen=True, slots=True)
class Question:
    """Category, stereotype and set of options; for comprehension, a template.

    Attributes:
        id: Names it by its content.
        kind: What is asked.
        category: Category as the culture writes it.
        stereotype: The stereotype.
        options: What may be chosen.
        template_id: For comprehension, the template.
        templates: For other kinds, templates that published counts of it say they are of.
        row: Row in its file.
    """

    id: str
    kind: QuestionKind
    category: str
    stereotype: str
    options: tuple[Option, ...]
    template_id: str = ""
    templates: tuple[str, ...] = ()
    row: int = field(default=0, compare=False)

    @property
    def subject(self) -> str:
        """What decisions on it are on: of comprehension the template, else the question."""
        return self.template_id if self.kind is QuestionKind.COMPREHENSION else self.id

    @property
    def group_sets(self) -> frozenset[frozenset[str]]:
        """The options that name groups, each as a set of groups."""
        return frozenset(frozenset(option.groups) for option in self.options if option.groups)

    @property
    def fixed_last(self) -> tuple[int, ...]:
        """The options that stay last: 'no stereotype', and the unknown expression."""
        if self.kind is QuestionKind.COMPREHENSION:
            return (len(self.options) - 1,)
        return tuple(at for at, option in enumerate(self.options) if option.role is Role.NONE)


@dataclass(frozen=True, slots=True)
class Tally:
    """What the respondents answered to one question.

    Attributes:
        question: The question.
        respondents: How many gave a usable answer (`n`).
        votes: Respondents who chose each option, in the order of `question.options`.
        source: File that the counts come from.
        row: Row there, or None.
    """

    question: Question
    respondents: int
    votes: tuple[int, ...]
    source: str
    row: int | None = None

    @property
    def place(self) -> str:
        """Where the counts stand, as messages show it."""
        return self.source if self.row is None else f"{self.source}, entry {self.row}"

    @property
    def named(self) -> tuple[tuple[Option, int], ...]:
        """The options with their votes, all but that no stereotype exists."""
        pairs = zip(self.question.options, self.votes, strict=True)
        return tuple((option, votes) for option, votes in pairs if option.role is not Role.NONE)

    def votes_of(self, *roles: Role) -> int:
        """Sum the votes of the options that have one of the roles."""
        pairs = zip(self.question.options, self.votes, strict=True)
        return sum(votes for option, votes in pairs if option.role in roles)


@dataclass(frozen=True, slots=True)
class TargetRow:
    """A row of `targets.csv`: one group of one question of target selection."""

    category: str
    stereotype: str
    kind: QuestionKind
    group: str
    votes: int
    respondents: int
    no_stereotype: int
    options: int
    equal_share: float
    role: GroupRole
    key: str = ""


class Stage(StrEnum):
    """Where a decision was made."""

    CLASSIFY = "classify"
    TRANSLATE = "translate"
    SURVEY = "survey"
    COMPREHENSION = "comprehension"
    MANUAL = "manual"


class Rule(StrEnum):
    """By which rule."""

    TARGET_SELECTION = "target_selection"
    TARGET_SHARE = "target_share"
    TWO_THIRDS = "two_thirds"
    NO_STEREOTYPE = "no_stereotype"
    COMPREHENSION = "comprehension"
    MIN_RESPONDENTS = "min_respondents"
    CONSENSUS = "consensus"
    OVERRIDE = "override"
    REMOVAL = "removal"
    UNCHANGED = "unchanged"
    SAME_GROUP = "same_group"
    CONFIRMED = "confirmed"


class Outcome(StrEnum):
    """With what result."""

    KEEP = "keep"
    DROP = "drop"
    MODIFY = "modify"


class Status(StrEnum):
    """How far a template has come; the last five are what became of it.

    The one list of these words: help, documentation and outputs have no other ones.

    Attributes:
        meaning: What is true of the template.
    """

    meaning: str

    def __new__(cls, value: str, meaning: str) -> "Status":
        """A word with its meaning."""
        made = str.__new__(cls, value)
        made._value_, made.meaning = value, meaning
        return made

    IMPORTED = "imported", "it has no label yet"
    CLASSIFIED = "classified", "it lacks texts that neither a machine nor a person has written"
    TRANSLATED = "translated", "a text is a machine's, and nobody has confirmed it"
    REVIEWED = "reviewed", "people wrote or confirmed all texts; no survey has decided on it"
    SURVEYED = "surveyed", "it is kept, but gives no samples: it waits for texts or groups"
    KEPT = "kept", "the survey or a person keeps it"
    DROPPED = "dropped", "not used: the survey or a person decided so"
    SET_ASIDE = "set_aside", "not used: a person set it aside before the survey decided"
    REMOVED = "removed", "not used: it is labelled SR"
    UNDECIDED = "undecided", "the survey does not hold its question, or has no answers to it"


OUT_BEFORE = (Status.SET_ASIDE, Status.REMOVED)
"""The statuses of templates that no survey asked about: no count of the survey holds them."""
OUTCOMES = (Status.KEPT, Status.DROPPED, Status.UNDECIDED, *OUT_BEFORE)
"""What the decisions make of a template."""
NOT_USED = (Status.DROPPED, *OUT_BEFORE)
"""The statuses of templates that are not used: they give no samples."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision on a question or a template; fields are the columns of `decisions.csv`.

    Attributes:
        subject: Question id or template id; of a merge the category and key of the group; of a
            warning that was confirmed what names it by its content.
        stage: Step of the work in which it was decided.
        rule: The rule.
        outcome: The result.
        reason: The reason, in one word of the rule.
        k: Respondents on the side that the rule looks at.
        n: Respondents that the rule counts.
        value: What is compared with the threshold.
        threshold: The threshold, in the unit of `value`.
        margin: `value - threshold`.
        ci_low: Lower end of the 95 % Wilson interval, in the unit of `value`.
        ci_high: Upper end.
        near: Whether the threshold lies inside the interval.
        by: Who decided: a person, or the toolkit's name.
        at: When it was decided, UTC, ISO 8601.
    """

    subject: str
    stage: Stage
    rule: Rule
    outcome: Outcome
    reason: str = ""
    k: int | None = None
    n: int | None = None
    value: float | None = None
    threshold: float | None = None
    margin: float | None = None
    ci_low: float | None = None
    ci_high: float | None = None
    near: bool | None = None
    by: str = ""
    at: str = ""

    @property
    def borderline(self) -> bool:
        """Whether another sample of as many people could well have decided otherwise.

        That is `near`, but not of target selection: nearly all of its questions have some group
        near one of two thresholds, and are decided by others.
        """
        return bool(self.near) and self.rule is not Rule.TARGET_SELECTION


def join_groups(groups: Iterable[str]) -> str:
    """Write a list of groups as one name, as options show it."""
    return ", ".join(groups)


def groups_cell(groups: Sequence[str]) -> str:
    """Write a list of groups as a cell: JSON, or nothing when there is none."""
    return json.dumps(list(groups), ensure_ascii=False) if groups else ""


def options_cell(groups: tuple[str, ...]) -> str:
    """Write one group plainly, unless its name would be read as several; those as JSON."""
    if len(groups) == 1 and not groups[0].startswith("[") and split_groups(groups[0]) == groups:
        return groups[0]
    return groups_cell(groups)


COMMAS = "\u060c\u07f8\u104a\u1363\u1802\u3001\uff0c\uff64"
"""The commas of other scripts."""
SEMICOLONS = ";\u061b\u1364\uff1b"
"""Those of any script."""
_ALONE = r"(?![^()\uff08\uff09]*[)\uff09])"  # what follows closes no bracket
_COMMA = re.compile(f",{_ALONE}")
_TYPED = re.compile(f"[,\n{SEMICOLONS}{COMMAS}]{_ALONE}")
_WIDE_LIST = str.maketrans("\uff3b\uff3d\uff0c\uff02", '[],"')


def split_groups(label: str, between: re.Pattern[str] = _COMMA) -> tuple[str, ...]:
    """Read a name that may list several groups.

    A JSON list is taken as it is; otherwise a comma separates, but not within brackets, as
    in `non-(Catholic, Mormon)`.

    Args:
        label: The name.
        between: What separates groups.
    """
    if label.startswith("["):
        return tuple(str(item) for item in json.loads(label))
    return tuple(part.strip() for part in between.split(label) if part.strip())


def typed_groups(text: str) -> tuple[str, ...]:
    """Read groups as people write them: by commas, semicolons, those of other scripts, or lines.

    A list in full-width brackets is a JSON list as well, its full-width commas and quotes too.
    """
    is_wide = text.startswith("\uff3b")
    return split_groups(text.translate(_WIDE_LIST) if is_wide else text, _TYPED)


def question_id(
    kind: QuestionKind, category: str, stereotype: str, groups: Iterable[Iterable[str]]
) -> str:
    """Name a question by its content, so that adding others never renumbers it.

    Args:
        kind: Kind of question.
        category: Category as the culture writes it.
        stereotype: The stereotype.
        groups: The groups of each option that names any, in any order.
    """
    content = [kind.value, category, stereotype, sorted(sorted(option) for option in groups)]
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    return f"q-{'_'.join(category.lower().split())}-{digest}"


@dataclass(frozen=True, slots=True)
class Additions:
    """What a run adds to the ledger.

    Attributes:
        decisions: New decisions, to be appended.
        changes: Those of them (`after`) that turn an earlier decision (`before`).
        unchanged: How many decisions stand as they were.
    """

    decisions: tuple[Decision, ...]
    changes: tuple[Mapping[str, Decision], ...]
    unchanged: int


def current(decisions: Iterable[Decision]) -> dict[tuple[str, Rule], Decision]:
    """The latest decision on each subject by each rule."""
    return {(item.subject, item.rule): item for item in decisions}


TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
"""A time as decisions have it; a spreadsheet may have written it in another way."""
OF_SURVEY = (Stage.SURVEY, Stage.COMPREHENSION)
"""The stages whose decisions a survey makes."""


def surveyed_subjects(decisions: Iterable[Decision]) -> frozenset[str]:
    """The subjects that a survey has decided on."""
    return frozenset(item.subject for item in decisions if item.stage in OF_SURVEY)


def set_aside(decisions: Iterable[Decision]) -> dict[str, Decision]:
    """By template the decision that took it out of the bank or set it aside, if the last one did.

    Args:
        decisions: The ledger, in order.
    """
    standing = (item for item in current(decisions).values() if item.rule is Rule.REMOVAL)
    return {item.subject: item for item in standing if item.outcome is Outcome.DROP}


def decided_templates(decisions: Iterable[Decision]) -> Iterator[TemplateId]:
    """The templates that decisions name as their subject, each as often as they do."""
    for item in decisions:
        try:
            yield TemplateId.parse(item.subject)
        except CurateError:
            continue  # a question


def additions(
    ledger: Sequence[Decision], decisions: Iterable[Decision], by: str, at: str
) -> Additions:
    """Find the decisions that the ledger does not hold yet; who and when make no difference.

    Args:
        ledger: What was decided before, in order.
        decisions: The decisions of this run.
        by: Who rules.
        at: When; no earlier than what is there, whatever the clock of another machine said.
    """
    standing, times = current(ledger), (item.at for item in ledger if TIME.fullmatch(item.at))
    at = max((at, *times))
    new: list[Decision] = []
    changes: list[Mapping[str, Decision]] = []
    unchanged = 0
    for decision in decisions:
        before = standing.get((decision.subject, decision.rule))
        if before is not None and replace(before, by="", at="") == decision:
            unchanged += 1
            continue
        signed = replace(decision, by=by, at=at)
        new.append(signed)
        if before is not None and (before.outcome, before.reason) != (
            signed.outcome,
            signed.reason,
        ):
            changes.append({"before": before, "after": signed})
    return Additions(tuple(new), tuple(changes), unchanged)


BY_PEOPLE = (Rule.REMOVAL, Rule.OVERRIDE)
"""Rules of people, which go before those of the survey; the first one first."""

DROPPING_ORDER = (
    Rule.MIN_RESPONDENTS,
    Rule.TARGET_SELECTION,
    Rule.TARGET_SHARE,
    Rule.TWO_THIRDS,
    Rule.NO_STEREOTYPE,
    Rule.COMPREHENSION,
)
"""The order in which a template that several rules drop is counted once."""


def drops(decisions: Iterable[Decision]) -> list[Decision]:
    """The decisions that drop their subject, in the order of the rules."""
    found = [item for item in decisions if item.outcome is Outcome.DROP]
    order = {rule: at for at, rule in enumerate(DROPPING_ORDER)}
    return sorted(found, key=lambda item: order.get(item.rule, len(order)))
