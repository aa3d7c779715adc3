"""`curate evaluate plan`: how many templates, prompts and epochs a difference takes."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

import click

from curation.cli import options, terminal
from curation.records.messages import CurateError, plural

if TYPE_CHECKING:
    from evaluation.runner.run import Price

_COLUMNS = ("templates", "prompts", "epochs", "requests", "cost", "power", "range", "interval")


def _to_see(
    _context: click.Context, _argument: click.Parameter, values: Sequence[str]
) -> tuple[Path | None, dict[str, float]]:
    """The scores of a pilot, if they are named, and the difference that is to be seen by score."""
    folders, found = [], {}
    for value in values:
        name, equals, number = value.partition("=")
        if not equals or Path(value).exists():
            folders.append(Path(value))
            continue
        if name in found:
            raise click.BadParameter(f"{name} is named twice")
        try:
            found[name] = float(number)
        except ValueError as error:
            raise click.BadParameter(f"'{value}': {_WRITE}") from error
    if not found or len(folders) > 1:
        named = "', '".join(map(str, folders))
        raise click.BadParameter(f"'{named}': {_WRITE}, and at most one folder of a pilot")
    return next(iter(folders), None), found


_WRITE = "write SCORE=DIFFERENCE, such as diff_bias_amb=0.05"


@options.curate_command("plan", workspace=False)
@click.argument(
    "to_see", nargs=-1, required=True, metavar="SCORE=DIFFERENCE... [SCORES]", callback=_to_see
)
@options.section("What is to be seen")
@click.option(
    "--power",
    type=click.FloatRange(0.05, 0.9999),
    default=0.8,
    help="With which probability it is to be seen.",
)
@options.repeated(
    "--model",
    "models",
    "NAME",
    "A model that is to be asked. Of one, the difference of its score from a fixed value is seen "
    "(a diff-bias of 0; an accuracy below or above the pilot's, whichever is seen less often); of "
    "more, that between every two [default: two models]",
)
@options.section("What it may cost")
@options.path_option("--prices", help="File of the models' prices, as for 'curate evaluate run'.")
@click.option(
    "--tokens",
    nargs=2,
    type=click.FloatRange(0),
    metavar="SENT REPLIED",
    help="Tokens of one request and of its reply, as 'curate evaluate run' counts them.",
)
@click.option("--budget", type=click.FloatRange(min=0), help="The most that may be spent.")
def command(
    to_see: tuple[Path | None, dict[str, float]],
    models: tuple[str, ...],
    **given: Any,
) -> terminal.Taken:
    """Find how many templates, prompts and epochs show a difference, the cheapest design first.

    SCORE is accuracy_amb, accuracy_dis or diff_bias_amb, and DIFFERENCE what is to be seen in it.
    SCORES is a folder that 'curate evaluate score --out' wrote of a pilot: some templates, with
    several prompts, and with several epochs if replies are random. It says what replies vary by.
    Without it, replies are taken to vary as published ones.

    A difference is seen if its interval over other templates and prompts, as 'compare --by models'
    gives it, excludes 0. Intervals of all pairs of models hold together at 95 %, for each score.
    Each sample is asked in all three orders. There is one row for each number of prompts, of 20
    templates or more: intervals of fewer are marked.

    \b
    Example: curate evaluate plan diff_bias_amb=0.05
             curate evaluate plan accuracy_amb=0.03 pilot --model a --model b \\
               --prices prices.yaml --tokens 180 4 --budget 50
    """  # noqa: D301  # \b keeps click from wrapping the example
    from evaluation.compare.planning import plan

    names = list(dict.fromkeys(models))
    price = _price(names, given.pop("prices"), given.pop("tokens"))
    if given["budget"] is not None and price is None:
        raise click.UsageError("--budget goes with --prices FILE")
    each = None if price is None else price[0]
    found = plan(*to_see, models=len(names) or 2, price=each, **given)
    currency = {} if price is None else {"currency": price[1].currency}
    show = partial(_show, found.rows, found.told, None if price is None else price[1])
    failed = not found.get("affordable", True)
    return {**found, **currency}, failed, show


def _price(
    models: Sequence[str], prices: Path | None, tokens: tuple[float, float] | None
) -> "tuple[float, Price] | None":
    """What a request costs on average, and one of the prices."""
    from evaluation.runner.run import load_price

    if prices is None and tokens is None:
        return None
    if prices is None or tokens is None or not models:
        raise click.UsageError("a cost needs --prices FILE, --tokens SENT REPLIED and --model NAME")
    found = [load_price(prices, model) for model in models]
    if len({price.currency for price in found}) > 1:
        raise CurateError("the models' prices are in several currencies", str(prices), "write one")
    return fmean(price.of(*tokens) for price in found), found[0]


def _show(
    rows: Sequence[Mapping[str, Any]], told: Mapping[str, Any], price: "Price | None"
) -> None:
    columns = [name for name in _COLUMNS if name != "cost" or price is not None]

    def cells(row: Mapping[str, Any]) -> list[str]:
        shown = {name: f"{row[name]:,}" for name in _COLUMNS[:4]}
        shown["power"] = f"{row['power']:.2f}"
        shown["range"] = f"{row['power_low']:.2f}-{row['power_high']:.2f}"
        shown["interval"] = f"\u00b1{row['half_width']:.3f}"
        if price is not None:
            shown["cost"] = price.text(row["cost"])
        return [shown[name] for name in columns]

    terminal.echo_table(columns, map(cells, rows), left=0)
    count = rows[0]["models"]
    who = f"{count} {plural('model', count)}"
    terminal.echo_fitting(
        f"\nOf {who} in all; each request in three orders of its choices. Range: the power that "
        f"95 % of such pilots leave possible. Interval: of {'a difference in ' * (count > 1)}"
        f"{rows[0]['least']}."
    )
    if not told.get("affordable", True):
        terminal.echo_fitting("The budget does not pay any of these designs.")
    for line in told["notes"]:
        terminal.note(f"Note: {line}.")
