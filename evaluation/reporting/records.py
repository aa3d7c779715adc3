"""What a report of question answering holds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaluation.compare.anova import GroupTests
from evaluation.qa.score import Row, SetKind
from evaluation.qa.unparsed import ModelUnparsed
from evaluation.reporting.families import Agreement, Family, Ranking
from evaluation.requests import Orders


@dataclass(frozen=True, slots=True)
class Benchmark:
    """What is evaluated on.

    Attributes:
        title: Its name.
        version: Its version; empty where it is not known.
        language: Its language, as culture.yaml names it; empty where it is not known.
        tool_version: Version of the toolkit.
    """

    title: str
    version: str
    language: str
    tool_version: str


@dataclass(frozen=True, slots=True)
class Settings:
    """How it was asked, read and scored.

    Attributes:
        kind: How templates were put together.
        orders: The orders of the choices.
        mode: How replies were read: `strict`, `kobbq`, or `prediction` where a file says.
        draws: 0 where no intervals were wanted.
        seed: Of the examples that are shown.
        samples: How many samples there are.
        templates: How many templates they are of.
        prompts: Ids of the prompts.
        requests: How many requests there are to each model.
        possible: How many there would be with every sample, prompt and order.
    """

    kind: SetKind
    orders: Orders
    mode: str
    draws: int
    seed: int
    samples: int
    templates: int
    prompts: tuple[str, ...]
    requests: int
    possible: int


@dataclass(frozen=True, slots=True)
class ReadAs:
    """How a model's replies were read.

    Attributes:
        model: The model.
        rules: By which rule how many were read, or why they were not; without those that none
            was read by.
        failed: Calls that failed.
        missing: Requests without a reply, the failed ones among them.
    """

    model: str
    rules: Mapping[str, int]
    failed: int
    missing: int


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice as it was shown.

    Attributes:
        letter: What it was called.
        text: Its text.
        role: `biased`, `counter-biased` or `unknown`.
        right: Whether the context supports it.
    """

    letter: str
    text: str
    role: str
    right: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """What one model replied to a request that the report shows.

    Attributes:
        model: The model.
        reply: The text; None where there is none.
        answer: What was read: `biased`, `counter-biased`, `unknown`, `out of choice` or
            `missing`; `person` in place of the first two where the role is open.
        rule: By which rule, or why nothing was read; empty where there is no reply.
        right: Whether it is what the context supports; None where nothing was read.
    """

    model: str
    reply: str | None
    answer: str
    rule: str
    right: bool | None


@dataclass(frozen=True, slots=True)
class Example:
    """One request with every model's reply.

    Attributes:
        request_id: The request.
        category: The sample's.
        label: The sample's.
        context_type: `ambiguous` or `disambiguated`.
        prompt: Id of the prompt.
        order: Number of the order.
        context: What the model read.
        question: What it was asked.
        choices: As they were shown.
        replies: One a model.
    """

    request_id: str
    category: str
    label: str
    context_type: str
    prompt: str
    order: int
    context: str
    question: str
    choices: tuple[Choice, ...]
    replies: tuple[Shown, ...]


@dataclass(frozen=True, slots=True)
class EvaluationReport:
    """Everything that the page, the Markdown and the pictures say.

    Attributes:
        benchmark: What is evaluated on.
        settings: How.
        rows: The scores, with the columns of `SCORE_COLUMNS`.
        positions: With the columns of `POSITION_COLUMNS`.
        read_as: How replies were read, by model.
        tests: Whether categories and labels differ.
        differences: Whether models differ, with the columns of `MODEL_COLUMNS`.
        stories: Scores of continued stories; None where none were given.
        occupations: Scores of occupations; None where none were given.
        rankings: The models by each measure.
        agreements: How far each two rankings agree.
        notes: What a reader must know before the numbers.
        examples: Requests with replies, drawn at random.
        unparsed: Models of whose replies too many could not be parsed, and what of them.
    """

    benchmark: Benchmark
    settings: Settings
    rows: tuple[Row, ...]
    positions: tuple[Row, ...]
    read_as: tuple[ReadAs, ...]
    tests: GroupTests
    differences: tuple[Row, ...]
    stories: Family | None
    occupations: Family | None
    rankings: tuple[Ranking, ...]
    agreements: tuple[Agreement, ...]
    notes: tuple[str, ...]
    examples: tuple[Example, ...]
    unparsed: tuple[ModelUnparsed, ...] = ()

    @property
    def models(self) -> list[str]:
        """The models, in their order."""
        return list(dict.fromkeys(str(row["model"]) for row in self.rows))

    def by(self, group_by: str) -> list[Row]:
        """The rows of a grouping."""
        return [row for row in self.rows if row["group_by"] == group_by]

    def names(self, group_by: str) -> Sequence[str]:
        """The groups of a grouping, in their order."""
        return list(dict.fromkeys(str(row["group"]) for row in self.by(group_by)))
