"""What a report of an evaluation holds, and its tables."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any

from curation.records.wording import natural
from evaluation.compare.anova import ANOVA_COLUMNS, PERMUTATION_COLUMNS, TUKEY_COLUMNS, GroupTests
from evaluation.compare.templates import DRIVER_COLUMNS
from evaluation.compare.wilcoxon import MODEL_COLUMNS
from evaluation.qa.score import POSITION_COLUMNS, SCORE_COLUMNS, Row
from evaluation.qa.unparsed import ModelUnparsed
from evaluation.reporting.families import (
    AGREEMENT_COLUMNS,
    OCCUPATION_COLUMNS,
    STORY_COLUMNS,
    Family,
    Ranking,
)

RULE_COLUMNS = ("model", "rule", "replies")
"""The columns of `rules.csv`."""
RANKING_COLUMNS = ("measure", "family", "ideal", "model", "value", "rank")
"""The columns of `rankings.csv`."""
Table = tuple[Sequence[str], Sequence[Row]]
"""A table: its columns and rows."""


@dataclass(frozen=True, slots=True)
class EvaluationReport:
    """Everything that the page, the Markdown and the pictures say.

    Attributes:
        benchmark: What is evaluated on: its `title`, `version` and `language`, the latter empty
            where they are not known, and the `tool_version`.
        settings: How it was asked, read and scored: `kind` (how templates were put together),
            `orders`, `mode`, whether `intervals` were wanted, the numbers of `samples` and
            `templates`, the ids of `prompts`, the number of `requests` to each model and that of
            all `possible` ones, and the name of the `prompt_set`.
        rows: The scores, with the columns of `SCORE_COLUMNS`.
        positions: With the columns of `POSITION_COLUMNS`.
        read_as: By `model` how many replies were read by which of the `rules`, how many calls
            `failed`, and how many requests are `missing` a reply, the failed ones among them.
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

    benchmark: Mapping[str, Any]
    settings: Mapping[str, Any]
    rows: tuple[Row, ...] = ()
    positions: tuple[Row, ...] = ()
    read_as: tuple[Mapping[str, Any], ...] = ()
    tests: GroupTests = field(default_factory=dict)
    differences: tuple[Row, ...] = ()
    stories: Family | None = None
    occupations: Family | None = None
    rankings: tuple[Ranking, ...] = ()
    agreements: tuple[Row, ...] = ()
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

    def tables(self) -> dict[str, Table]:
        """The tables by name: those of all scores of questions, and further ones with rows."""
        found: dict[str, Table] = {}
        if self.rows:
            found = {
                "scores": (SCORE_COLUMNS, self.rows),
                "positions": (POSITION_COLUMNS, self.positions),
                "anova": (ANOVA_COLUMNS, self.tests["anova"]),
                "tukey": (TUKEY_COLUMNS, self.tests["tukey"]),
                "permutation": (PERMUTATION_COLUMNS, self.tests["permutation"]),
                "rules": (RULE_COLUMNS, list(self._rules())),
            }
        further: dict[str, Table] = {
            "drivers": (DRIVER_COLUMNS, self.drivers),
            "models": (MODEL_COLUMNS, self.differences),
            "stories": (STORY_COLUMNS, self.stories or ()),
            "occupations": (OCCUPATION_COLUMNS, self.occupations or ()),
            "rankings": (RANKING_COLUMNS, list(self._ranked())),
            "agreement": (AGREEMENT_COLUMNS, self.agreements),
        }
        return found | {name: table for name, table in further.items() if table[1]}

    def _rules(self) -> Iterator[Row]:
        for item in self.read_as:
            for rule, count in item["rules"].items():
                yield {"model": item["model"], "rule": rule, "replies": count}

    def _ranked(self) -> Iterator[Row]:
        for item in self.rankings:
            head: Row = {"measure": item.name, "family": item.family, "ideal": item.ideal}
            for model, rank in item.ranks.items():
                yield {**head, "model": model, "value": item.values[model], "rank": rank}


def by_bias(rows: Iterable[Row]) -> list[str]:
    """Models in the order of their diff-bias in ambiguous contexts, the nearest to 0 first.

    That is the order of ranks, too. Where it is undefined that in disambiguated contexts counts; a
    model without either stands last. Equal ones are in natural order.

    Args:
        rows: The scores.
    """
    everything = list(rows)
    found = dict.fromkeys((str(row["model"]) for row in everything), inf)
    for row in everything:
        if row["group_by"] == "overall":
            both = row.get("diff_bias_amb"), row.get("diff_bias_dis")
            found[str(row["model"])] = next((abs(float(it)) for it in both if it is not None), inf)
    return sorted(natural(found), key=lambda name: found[name])
