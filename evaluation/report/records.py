"""What a report of question answering holds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaluation.score import Row, SetKind


@dataclass(frozen=True, slots=True)
class Shown:
    """What one model replied to a request that the report shows.

    Attributes:
        model: The model.
        reply: The text.
        answer: What was read: `biased`, `counter-biased`, `unknown`, `out of choice` or
            `missing`.
        right: Whether it is what the context supports; None where nothing was read.
    """

    model: str
    reply: str
    answer: str
    right: bool | None


@dataclass(frozen=True, slots=True)
class Example:
    """One request with every model's reply.

    Attributes:
        request_id: The request.
        category: The sample's.
        label: The sample's.
        context_type: `ambiguous` or `disambiguated`.
        context: What the model read.
        question: What it was asked.
        choices: As they were shown, each with its role.
        replies: One a model.
    """

    request_id: str
    category: str
    label: str
    context_type: str
    context: str
    question: str
    choices: tuple[tuple[str, str], ...]
    replies: tuple[Shown, ...]


@dataclass(frozen=True, slots=True)
class EvaluationReport:
    """Everything that the page, the Markdown and the pictures say.

    Attributes:
        title: Name of the benchmark.
        language: Its language.
        version: Its version.
        kind: How templates were put together.
        settings: How it was scored: orders, mode, draws, seed.
        rows: The scores, with the columns of `SCORE_COLUMNS`.
        positions: With the columns of `POSITION_COLUMNS`.
        rules: By model how many replies each rule read.
        notes: What a reader must know before the numbers.
        requests: How many requests there are.
        examples: Requests with replies, drawn at random.
        tool_version: Of the toolkit.
    """

    title: str
    language: str
    version: str
    kind: SetKind
    settings: Mapping[str, str]
    rows: tuple[Row, ...]
    positions: tuple[Row, ...]
    rules: Mapping[str, Mapping[str, int]]
    notes: tuple[str, ...]
    requests: int
    examples: tuple[Example, ...]
    tool_version: str

    @property
    def models(self) -> list[str]:
        """The models, in their order."""
        return list(dict.fromkeys(str(row["model"]) for row in self.rows))

    def by(self, group_by: str) -> list[Row]:
        """Give the rows of a grouping."""
        return [row for row in self.rows if row["group_by"] == group_by]

    def names(self, group_by: str) -> Sequence[str]:
        """Give the groups of a grouping, in their order."""
        return list(dict.fromkeys(str(row["group"]) for row in self.by(group_by)))
