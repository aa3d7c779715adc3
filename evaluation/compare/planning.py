"""How many templates, prompts and epochs show a difference between models, and what they cost.

The parts of the variance of replies (`evaluation.qa.variance`) say how sure a mean over other
numbers of them is. Of two models only the parts in which models differ count, twice; of one model
that is compared with a fixed value, all. Templates and prompts are samples of those that there
could be; the three orders are all that there are, and always asked.

With `MS_A` what the parts that contain the sampled things `A` add to the variance of the
difference, the variance is `V = MS_T + MS_P - MS_TP`, estimated with `V^2 / sum(MS_A^2 / df_A)`
degrees of freedom (Satterthwaite 1946). Of two models the power is that of Student's t for
`difference / sqrt(V)`, two-sided (the non-central t distribution). The score of one model may lie
near the end of its range, where its interval is not that of t: of one model the power is how often
the interval that scores have excludes the fixed value (see `_of_one`). With the pilot's numbers of
templates and prompts the same formula says with how many degrees of freedom the pilot tells `V`,
and so, by the chi-square distribution, what `V` and the power may be.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import gammaincinv, ndtr, stdtrit

from curation.files.tables import read_table, unescape_formula
from curation.intervals import Values, interval
from curation.records.messages import CurateError, Results, refusal
from evaluation.folders import Row, said
from evaluation.qa.metrics import ANSWERS, BOUNDS, EVERY_CELL, METRICS, READABLE, SHARE
from evaluation.qa.score import Scored, read_scored
from evaluation.qa.variance import (
    NUMBERS,
    REPEATS,
    REST,
    VARIANCES,
    of_samples,
    satterthwaite,
    shared_by,
    widened,
)
from evaluation.statistics import FEWEST, SURE, ellipse, level_of

if TYPE_CHECKING:
    import pandas as pd

PLAN_COLUMNS = (
    *("templates", "prompts", "orders", "epochs", "models", "requests", "cost", "power"),
    *("power_low", "power_high", "half_width", "least"),
)
"""One row for each number of prompts, the cheapest first. `power` is the lowest of the scores that
are planned for, and `least` names that score. 95 % of pilots like this one have the true power from
`power_low` to `power_high`. `half_width` is what to expect on either side of a difference as its
interval."""
ORDERS = 3
MOST_TEMPLATES, MOST_PROMPTS, MOST_EPOCHS = 20_000, 10, 5
_SAMPLES = 4.0  # of one kind of context, of a template of KoBBQ's test set with one pair of names

Parts = Mapping[frozenset[str], float]


class Pilot(NamedTuple):
    """What replies vary by, of one score.

    Attributes:
        samples: How many samples of a template count for the score, on average: their replies
            could be parsed.
        every: How many samples of a template are asked.
        parts: By what replies share (of `templates`, `samples`, `prompts`, `orders`, `repeats`)
            the variance that one model's replies have, or half that of the difference of two.
        tells: Of what it holds several, so that something is known of others.
        templates: How many templates it is from: those with such replies.
        prompts: How many prompts, likewise.
        score: What the score is.
        wrong: Of diff-bias, which share of the replies is wrong; 0 of an accuracy.
        of_wrong: By what replies share the variance of that.
    """

    samples: float
    every: float
    parts: Parts
    tells: frozenset[str]
    templates: int
    prompts: int = 1
    score: float = 0.5
    wrong: float = 0.0
    of_wrong: Parts = MappingProxyType({})

    @property
    def room(self) -> float:
        """Below which a difference of one model from a fixed value lies."""
        return self.wrong or max(self.score, 1 - self.score)


class Design(NamedTuple):
    """How many of each are asked, in all three orders."""

    templates: int
    prompts: int
    epochs: int


class Promise(NamedTuple):
    """What a design shows of a difference.

    Attributes:
        power: The probability that it is seen.
        low: The power if replies vary as much as the pilot lets one fear (97.5 %).
        high: The power if they vary as little as it lets one hope.
        half_width: Half the expected width of the difference's interval.
    """

    power: float
    low: float
    high: float
    half_width: float


_PUBLISHED = {
    "accuracy_amb": (0.4428, 0.0967, 0.0448, 0.0074, 0.0928),
    "accuracy_dis": (0.9155, 0.0076, 0.0306, 0.0075, 0.0322),
    "diff_bias_amb": (0.3936, 0.1472, 0.0942, 0.0145, 0.1463),
}
"""The score, and the parts `templates`, `samples`, `models x templates` and `rest`, of the replies
that BBQ published of UnifiedQA, in two formats, to its 3,680 samples of Age, of 25 templates; each
sample was asked once. They are what `parts` finds of these."""
_TEMPLATES = 25
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(256)
_QUANTILES, _WEIGHTS = np.asarray((_NODES + 1) / 2, np.float64), np.asarray(_WEIGHTS / 2)
_PUBLISHED_PARTS = ("templates", "samples", "models x templates", REST)
_DEVIATES = np.linspace(-3.2, 3.2, 13)
# Points spread evenly over a cube.
_POINTS = np.arange(1, 257)[:, None] * (0.8191725134, 0.6710436067, 0.5497004779) % 1.0
_NEAR = 1e-9
_NO_PILOT = "published replies"


def plan(
    pilot: Path | None,
    differences: Mapping[str, float],
    *,
    models: int = 2,
    power: float = 0.8,
    price: float | None = None,
    budget: float | None = None,
) -> Results:
    """Find the designs that show differences, the cheapest first.

    Args:
        pilot: A folder of scores; None for what published replies vary by.
        differences: By score the difference that is to be seen: between two models, or of one
            model from a fixed value (of diff-bias 0).
        models: How many models. Every two are compared, at `level_of` them.
        power: With which probability it is to be seen.
        price: What a request costs, of all models on average.
        budget: What may be spent.

    Returns:
        The table `designs` (`PLAN_COLUMNS`) of those that reach the power, with at least `FEWEST`
        templates, and what is told:
        `notes`, and `affordable`, whether the first is within the budget.

    Raises:
        CurateError: If a score has no parts, the pilot does not tell what a plan needs, or no
            design has this power.
    """
    for name, wanted in differences.items():
        _refuse_score(name, wanted)
    pilots = {name: _read(pilot, name, models) for name in differences}
    level = 1 - level_of(models)
    for name, item in pilots.items():
        if models == 1 and differences[name] >= item.room:
            words = {"score": name, "room": item.room, "wanted": float(differences[name])}
            raise refusal("evaluation", "plan-far", str(pilot or _NO_PILOT), **words)
    first = next(iter(pilots.values()))
    shown = _of_one if models == 1 else _of_two

    def reaches(design: Design) -> bool:
        each = ((item, differences[name]) for name, item in pilots.items())
        return all(shown(item, wanted, design, level)[0] >= power for item, wanted in each)

    def row(design: Design) -> Row:
        promised = {
            name: promise(item, differences[name], design, models, level)
            for name, item in pilots.items()
        }
        least = min(promised, key=lambda name: promised[name].power)
        templates, prompts, epochs = design
        requests = round(templates * first.every) * prompts * ORDERS * epochs * models
        cost = None if price is None else requests * price
        counts = (templates, prompts, ORDERS, epochs, models, requests)
        chances = (round(number, 6) for number in promised[least])
        return dict(zip(PLAN_COLUMNS, (*counts, cost, *chances, least), strict=True))

    prompts = range(2, MOST_PROMPTS + 1) if "prompts" in first.tells else (1,)
    epochs = range(1, MOST_EPOCHS + 1) if REPEATS in first.tells else (1,)
    found = []
    for many in prompts:
        reached = (_fewest(reaches, many, times) for times in epochs)
        rows = [row(design) for design in reached if design is not None]
        found += sorted(rows, key=lambda item: _number(item, "requests"))[:1]
    found.sort(key=lambda item: _number(item, "requests"))
    if not found:
        most = row(Design(MOST_TEMPLATES, prompts[-1], epochs[-1]))
        words = {"templates": MOST_TEMPLATES, "prompts": prompts[-1], "power": float(power)}
        words |= {"most": most["power"], "score": most["least"]}
        raise refusal("evaluation", "plan-none", str(pilot or _NO_PILOT), **words)
    told: dict[str, object] = {"notes": _notes(pilot, first, models)}
    if budget is not None and price is not None:
        told["affordable"] = _number(found[0], "cost") <= budget
    return Results({"rows": found, **told}, {"rows": PLAN_COLUMNS})


def promise(pilot: Pilot, difference: float, design: Design, models: int, level: float) -> Promise:
    """What a design shows of a difference, and how sure the pilot is of that.

    Args:
        pilot: What replies vary by.
        difference: The true difference.
        design: The design.
        models: One model is compared with a fixed value, of more every two.
        level: The level of the two-sided test.
    """
    several = pilot.prompts if design.prompts > 1 else 1
    _, found = satterthwaite(_added(pilot, pilot.parts, design), pilot.templates, several)
    known = float(found)
    shown = _of_one if models == 1 else _of_two
    power, half_width = shown(pilot, difference, design, level)
    low, high = (
        shown(pilot, difference, design, level, 1 / float(_ratio(tail, known)))[0]
        for tail in (SURE / 2, 1 - SURE / 2)
    )
    return Promise(power, low, high, half_width)


def _added(pilot: Pilot, parts: Parts, design: Design) -> Values:
    """What templates, prompts and both add to the variance of one model's score."""
    levels = {
        "templates": design.templates,
        "samples": pilot.samples,
        "prompts": design.prompts,
        "orders": ORDERS,
        "repeats": design.epochs,
    }
    return of_samples(
        [(of, added / float(np.prod([levels[name] for name in of]))) for of, added in parts.items()]
    )


def _of_two(
    pilot: Pilot, difference: float, design: Design, level: float, times: float = 1.0
) -> tuple[float, float]:
    """The power of a difference between two models, and half the width of its interval."""
    added = times * _added(pilot, pilot.parts, design)
    variance, df = map(float, satterthwaite(added, design.templates, design.prompts))
    error = np.sqrt(2 * variance)
    end = stdtrit(df, 1 - level / 2)
    # Over what the estimated standard error may be: the root of chi-square over df.
    reach = end * np.sqrt(_ratio(_QUANTILES, df))
    away = difference / error
    return float(_WEIGHTS @ (ndtr(away - reach) + ndtr(-away - reach))), float(end * error)


def _ratio(quantiles: npt.NDArray[np.floating[Any]] | float, df: float) -> Values:
    """Chi-square over its degrees of freedom."""
    return np.asarray(gammaincinv(df / 2, quantiles) * 2 / df, np.float64)


def _of_one(
    pilot: Pilot, difference: float, design: Design, level: float, times: float = 1.0
) -> tuple[float, float]:
    """How often the interval of one model's score excludes a fixed value, and half its width.

    The interval is made (`interval`, `ellipse`, `widened`) of scores that such evaluations could
    have, and of the variances that they could find. The fixed value is below the score or above it,
    whichever is excluded less often. Of diff-bias it is 0, and the score is the difference: how
    much goes wrong, times how far that leans to one side. The side is estimated from the templates
    in which anything goes wrong; how it varies is taken to be independent of how much does.

    Args:
        pilot: What replies vary by.
        difference: Below `pilot.room`.
        design: The design.
        level: The level of the test.
        times: By how much the variance is multiplied.
    """
    templates, prompts, _ = design
    added = times * _added(pilot, pilot.parts, design)
    covered = 1 - level
    if not pilot.wrong:
        scores, noise, fit = _evaluations(pilot.score, added, templates, design)
        found = [part * fit * each for part, each in zip(added, noise, strict=True)]
        ends = interval(scores, _moves(found[0], templates), templates, SHARE, covered)
    else:
        of_wrong = times * _added(pilot, pilot.of_wrong, design)
        lean, before = difference / pilot.wrong, min(abs(pilot.score) / pilot.wrong, 0.95)
        own = np.maximum(added - before**2 * of_wrong, _NEAR**2)
        own = own * (1 - lean**2) / (1 - before**2)
        # Templates count by their wrong answers (Kish).
        units = max(templates / (1 + templates * of_wrong[0] / pilot.wrong**2), 2.0)
        shares, noise, fit = _evaluations(
            (1 + lean) / 2, own / (2 * pilot.wrong) ** 2, units, design
        )
        sides = 2 * shares - 1
        moves = _moves(own[0] * fit * noise[0] / pilot.wrong**2, units)
        of_sides = interval(sides, moves, units, (-1.0, 1.0), covered)
        moves = _moves(of_wrong[0], templates)
        ends = interval(pilot.wrong, moves, templates, SHARE, covered)
        ends = ellipse(np.array(pilot.wrong), ends, sides, of_sides)
        scores = pilot.wrong * sides
        both = zip(own, of_wrong, noise, strict=True)
        found = [(part * fit + sides**2 * more) * each for part, more, each in both]
    if prompts > 1:
        ends = widened(scores, ends, found, templates, prompts, covered)
    low, high = (np.clip(end, *((-1.0, 1.0) if pilot.wrong else SHARE)) for end in ends)
    if pilot.wrong:
        power = _often(low)
    else:
        sides_of = []
        if pilot.score > difference:
            sides_of.append(_often(low - (pilot.score - difference)))
        if pilot.score + difference < 1:
            sides_of.append(1 - _often(high - (pilot.score + difference)))
        power = min(sides_of)
    return power, float((high - low).mean() / 2)


def _moves(variance: Values, units: float) -> Values:
    """What units move a score, as one: a mean's variance over them is that of `n - 1`."""
    found: Values = np.sqrt(variance * (units - 1) / units)[..., None]
    return found


def _evaluations(
    share: float, added: Values, units: float, design: Design
) -> tuple[Values, list[Values], Values]:
    """Shares that evaluations find, and of what they take their variances for.

    Units have a beta distribution. Their mean has its first three moments (Pearson's type III).
    The variance that is found near an end of the range is in proportion to `p (1 - p)` of the
    share found, times chi-square over its degrees of freedom: those of templates are what is left
    of the kurtosis, `2 n / (2 + excess - skewness^2)`.

    Args:
        share: The true share.
        added: What templates, prompts and both add to its variance.
        units: How many templates.
        design: The design.

    Returns:
        Shares at `_DEVIATES`; for templates, prompts and both the factors by `_POINTS`; and what
        these are multiplied by at each share.
    """
    templates, prompts, _ = design
    spread = share * (1 - share)
    of_unit = min(max(float(added[0]) * units, _NEAR), 0.99 * spread)
    size = spread / of_unit - 1
    squared = 4 * (1 - 4 * spread) * (size + 1) / ((size + 2) ** 2 * spread)
    excess = 6 * ((1 - 4 * spread) * (size + 1) - spread * (size + 2))
    excess /= spread * (size + 2) * (size + 3)
    variance = float(satterthwaite(added, templates, prompts)[0])
    skewness = np.sqrt(squared * of_unit**3 / variance**3) / units**2
    deviates = _DEVIATES
    if skewness > 0.01:
        shape, side = 4 / skewness**2, 1 if share < 0.5 else -1
        deviates = side * (gammaincinv(shape, ndtr(side * _DEVIATES)) - shape) / np.sqrt(shape)
    shares = np.clip(share + np.sqrt(variance) * deviates, _NEAR, 1 - _NEAR)
    free = 2 * units / max(2 + excess - squared, _NEAR), prompts - 1, (units - 1) * (prompts - 1)
    noise = [np.ones((len(_POINTS), 1)) for _ in free]
    for at, df in enumerate(free[: 3 if prompts > 1 else 1]):
        noise[at] = _ratio(_POINTS[:, at : at + 1], max(df, 1.0))
    return shares, noise, shares * (1 - shares) / spread


def _often(above: Values) -> float:
    """How often what grows with `_DEVIATES` is above 0, the mean over `_POINTS`."""
    above = np.broadcast_to(above, (len(_POINTS), len(_DEVIATES)))
    rows, last = np.arange(len(above)), len(_DEVIATES) - 1
    after = np.clip((above <= 0).sum(axis=1), 1, last)
    first, then = above[rows, after - 1], above[rows, after]
    part = np.clip(-first / np.where(then > first, then - first, 1.0), 0.0, 1.0)
    at = _DEVIATES[after - 1] + part * (_DEVIATES[1] - _DEVIATES[0])
    return float(np.where(then > 0, ndtr(-at), 0.0).mean())


def visible_differences(scored: Scored, variances: Sequence[Row]) -> dict[str, float]:
    """The smallest differences that as many templates and prompts show, by score.

    Args:
        scored: What was scored.
        variances: What its replies vary by, with the columns of `VARIANCE_COLUMNS`.

    Returns:
        Of each score that has parts, with a power of .8: the difference of every two models, at
        `level_of` them; of one model that from a fixed value.
    """
    from scipy.optimize import brentq

    frame, models = scored.frame, len(scored.models)
    level = 1 - level_of(models)
    epochs = frame["epoch"].nunique()
    found = {}
    for metric in NUMBERS:
        with suppress(CurateError):
            item = _pilot(frame, variances, metric, models, "")
            design = Design(item.templates, item.prompts, epochs)

            def short(difference: float, item: Pilot = item, design: Design = design) -> float:
                return promise(item, difference, design, models, level).power - 0.8

            low, high = METRICS[metric].span
            most = high - low if models > 1 else item.room * (1 - _NEAR)
            if short(most) > 0:
                found[metric] = float(brentq(short, _NEAR, most))
    return found


def _refuse_score(name: str, wanted: float) -> None:
    """Refuse a score or a difference that no plan can be made for."""
    if name not in NUMBERS:
        raise refusal("evaluation", "plan-score", name=name, known=tuple(NUMBERS))
    low, high = METRICS[name].span
    if not 0 < wanted < high - low:
        words = {"wanted": float(wanted), "name": name, "most": high - low}
        raise refusal("evaluation", "plan-difference", **words)


def _read(folder: Path | None, metric: str, models: int) -> Pilot:
    """Read what a pilot's replies vary by."""
    if folder is None:
        split = {
            name: _parts(dict(zip(_PUBLISHED_PARTS, values, strict=True)), models)
            for name, (_, *values) in _PUBLISHED.items()
        }
        given = _SAMPLES, 2 * _SAMPLES, split[metric], frozenset({"models"}), _TEMPLATES, 1
        right = _PUBLISHED["accuracy_amb"][0]
        of_wrong = (1 - right, split["accuracy_amb"]) if metric in BOUNDS else ()
        return Pilot(*given, _PUBLISHED[metric][0], *of_wrong)
    frame = read_scored(folder).frame
    table = read_table(folder / VARIANCES, required=("model", "metric", "part", "variance"))
    named = ("metric", "part", "variance")
    rows: list[Row] = [
        {"model": unescape_formula(line["model"]), **{name: line[name] for name in named}}
        for line in table.rows
    ]
    return _pilot(frame, rows, metric, models, f"{folder / VARIANCES}, {metric}")


def _pilot(
    frame: "pd.DataFrame", rows: Iterable[Row], metric: str, models: int, where: str
) -> Pilot:
    """What replies vary by, from their counts and the parts of their variance."""
    contexts = np.flatnonzero(~np.isnan(NUMBERS[metric][:, 0]))
    cells = (contexts[:, None] * ANSWERS + np.arange(READABLE)).ravel()
    frame = frame[frame[[EVERY_CELL[at] for at in cells]].sum(axis=1) > 0]
    counts = frame[[*EVERY_CELL, "missing"]].to_numpy()
    told: dict[str, dict[str, dict[str, float]]] = {}
    for line in rows:
        variance = float("nan") if line["variance"] in (None, "") else _number(line, "variance")
        of = told.setdefault(str(line["metric"]), {}).setdefault(str(line["model"]), {})
        of[str(line["part"])] = variance
    split = {name: of.get("", next(iter(of.values()))) for name, of in told.items()}
    values = split.get(metric, {})
    if not {"templates", REST} & values.keys() or frame["template_id"].nunique() < 2:
        raise refusal("evaluation", "pilot-templates", where)
    if any(np.isnan(value) for value in values.values()):
        raise refusal("evaluation", "pilot-parts", where)
    parts = _parts(values, models)
    if not any(value for shared, value in parts.items() if shared & {"templates", "prompts"}):
        raise refusal("evaluation", "pilot-alike", where)
    each = counts[:, cells].sum(axis=0)
    numbers = NUMBERS[metric][contexts, :READABLE].ravel()
    counted, every = each.sum() / len(frame), float(counts.sum(axis=1).mean())
    tells = frozenset(name for part in values for name in part.split(" x "))
    templates, prompts = (frame[name].nunique() for name in ("template_id", "prompt"))
    given = counted, every, parts, tells, templates, prompts, float(each @ numbers / each.sum())
    if metric not in BOUNDS:
        return Pilot(*given)
    wrong = float(each @ np.abs(numbers) / each.sum())
    return Pilot(*given, wrong, _parts(split["accuracy_amb"], models))


def _parts(values: Mapping[str, float], models: int) -> dict[frozenset[str], float]:
    """Parts by what replies share; of several models those in which they differ."""
    apart = models > 1 and any("models" in part for part in values)
    found: dict[frozenset[str], float] = {}
    for part, variance in values.items():
        shared = shared_by(part, values) | ({REPEATS} if part == REPEATS else set())
        if shared == {"models"} or (apart and "models" not in shared):
            continue
        key = frozenset(shared - {"models"})
        found[key] = found.get(key, 0.0) + max(variance, 0.0)
    return found


def _number(row: Row, name: str) -> float:
    return float(row[name])  # type: ignore[arg-type]  # of counts, costs and chances


def _fewest(reaches: Callable[[Design], bool], prompts: int, epochs: int) -> Design | None:
    """The design with the fewest templates that reaches what is wanted; None where none does."""
    most = FEWEST

    def is_enough(templates: int) -> bool:
        return reaches(Design(templates, prompts, epochs))

    while not is_enough(most):
        if most == MOST_TEMPLATES:
            return None
        most = min(2 * most, MOST_TEMPLATES)
    found = bisect_left(range(most), True, lo=FEWEST, key=is_enough)
    return Design(found, prompts, epochs)


def _notes(pilot: Path | None, first: Pilot, models: int) -> list[str]:
    """What is to be known of a plan."""
    told = {
        "plan-published": pilot is None,
        "plan-differ": models > 1 and pilot is None,
        "plan-one-model": models > 1 and "models" not in first.tells,
        "plan-one-prompt": "prompts" not in first.tells,
        "plan-once": REPEATS not in first.tells,
    }
    return [said(key) for key, holds in told.items() if holds]
