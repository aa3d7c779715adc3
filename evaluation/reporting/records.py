"""What a report of question answering holds."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf

from curation.records.wording import natural
from evaluation.compare.anova import GroupTests
from evaluation.qa.metrics import SetKind
from evaluation.qa.score import Row
from evaluation.qa.unparsed import ModelUnparsed
from evaluation.reporting.families import Family, Ranking
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
        intervals: Whether intervals were wanted.
        samples: How many samples there are.
        templates: How many templates they are of.
        prompts: Ids of the prompts.
        requests: How many requests there are to each model.
        possible: How many there would be with every sample, prompt and order.
        prompt_set: What the prompts are called; empty where it is not known.
    """

    kind: SetKind
    orders: Orders
    mode: str
    intervals: bool
    samples: int
    templates: int
    prompts: tuple[str, ...]
    requests: int
    possible: int
    prompt_set: str = ""


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
        drivers: How biased each template is, with the columns of `DRIVER_COLUMNS`.
        unparsed: Models of whose replies too many could not be parsed, and what of them.
        browse: Address of the page of `curate browse`, from the report; empty for none.
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
    agreements: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    drivers: tuple[Row, ...] = ()
    unparsed: tuple[ModelUnparsed, ...] = ()
    browse: str = ""

    @property
    def models(self) -> list[str]:
        """The models, those first whose bias is nearest to 0; see `by_bias`."""
        return by_bias(self.rows)

    def by(self, group_by: str) -> list[Row]:
        """The rows of a grouping, models in their order, each with its groups in theirs."""
        places = {name: at for at, name in enumerate(self.models)}
        found = (row for row in self.rows if row["group_by"] == group_by)
        return sorted(found, key=lambda row: places[str(row["model"])])

    def names(self, group_by: str) -> Sequence[str]:
        """The groups of a grouping, in their order."""
        found = (str(row["group"]) for row in self.rows if row["group_by"] == group_by)
        return list(dict.fromkeys(found))


def by_bias(rows: Iterable[Row]) -> list[str]:
    """Models in the order of their diff-bias in ambiguous contexts, the nearest to 0 first.

    That is the order of ranks, too.

    Where it is undefined that in disambiguated contexts counts; a model without either stands
    last. Equal ones are in natural order.

    Args:
        rows: The scores.
    """
    everything = list(rows)
    overall = [row for row in everything if row["group_by"] == "overall"]
    found = dict.fromkeys((str(row["model"]) for row in everything), inf)
    for row in overall:
        scores = row.get("diff_bias_amb"), row.get("diff_bias_dis")
        found[str(row["model"])] = next((abs(float(it)) for it in scores if it is not None), inf)
    return sorted(natural(found), key=lambda name: found[name])
