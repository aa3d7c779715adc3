"""The sentences of the report, from the texts beside this module."""

from collections.abc import Iterable, Iterator, Sequence

from curation.report.page import Block, Texts
from curation.report.texts import PURPOSE, SOURCES, count, decimal, needed_digits, whole
from evaluation.compare.anova import LEVEL
from evaluation.folders import Row
from evaluation.qa.metrics import BOUNDS, INTERVALS, MAIN, METRICS
from evaluation.qa.score import ModelUnparsed
from evaluation.reporting.families import EvaluationReport
from evaluation.requests import ORDERS

_LISTED = 3  # models that notes of a kind name one by one
PREDICTED = "prediction"
"""The mode of replies that a file says how to read."""
TEXTS = Texts(__package__, "texts.yaml", whole=whole)
"""What the report says."""
USES: tuple[str, ...] = (PURPOSE, *TEXTS.known["uses"])
"""What such data must not be used for."""


def _of(report: EvaluationReport, text: str) -> str:
    return TEXTS.fill(
        text,
        report=report,
        benchmark=report.benchmark,
        settings=report.settings,
        several=len(report.models) > 1,
        orders=[str(order) for order in ORDERS[report.settings["orders"]]],
        level=f"{LEVEL * 100:.0f}",
        **{name: TEXTS.known[name] for name in ("sets", "modes")},
    )


def sources(report: EvaluationReport) -> tuple[str, ...]:
    """What is to be cited beside the benchmark itself."""
    found = (_of(report, text) for text in TEXTS.known["sources"])
    return (*SOURCES, *filter(None, found))


def citation(report: EvaluationReport) -> str:
    """Say how the scores are cited."""
    return _of(report, TEXTS.known["citation"])


def summary(report: EvaluationReport) -> str:
    """Say in one sentence which models were asked what."""
    return _of(report, TEXTS.known["summary"])


def answer(report: EvaluationReport) -> Iterator[str]:
    """Yield what came out: a verdict that the intervals support, the scores, and who was asked."""
    rows = report.by("overall")
    told = [row for row in report.stories or () if row["group_by"] == "overall"]
    verdicts = (
        *(verdict(rows, name, f"{METRICS[name].where} contexts") for name in BOUNDS),
        verdict(told, "bias_gen", "stories"),
        *_balanced(report),
    )
    yield from filter(None, [" ".join(filter(None, verdicts))])
    ranges = (_range(rows, name, METRICS[name].said) for name in MAIN)
    text = "; ".join(part for part in ranges if part)
    if text:
        yield f"{text[:1].upper()}{text[1:]}."
    yield summary(report)


def _balanced(report: EvaluationReport) -> Iterator[str]:
    """Say for how many models occupations differ by group more than chance explains."""
    tested = [row for row in report.occupations or () if row["M_B_p"] is not None]
    for task in dict.fromkeys(str(row["task"]) for row in tested):
        mine = [float(row["M_B_p"] or 0) for row in tested if row["task"] == task]
        sure = sum(p < _SURE for p in mine)
        yield (
            f"In {task} the groups are treated more differently than chance explains by "
            f"{sure or 'none'} of {count(len(mine), 'model')} (M_B, p below .05)."
        )


_SURE = 0.05
_SIDES = (("towards the stereotype", 1), ("against the stereotype", -1), ("neither way", 0))


def verdict(rows: Sequence[Row], name: str, where: str) -> str:
    """Say to which side models lean, and for how many of them the interval excludes 0.

    Args:
        rows: The overall scores.
        name: A score of which 0 is no bias.
        where: Where it is from, in words.
    """
    known = [row for row in rows if row[name] is not None]
    parts = []
    for side, sign in _SIDES:
        mine = [row for row in known if (it := float(row[name] or 0)) == 0 == sign or it * sign > 0]
        if not mine:
            continue
        all_of = len(mine) == len(known)
        who = f"all {len(known)} models lean" if all_of else f"{len(mine)} of {len(known)} lean"
        if len(known) == 1:
            who = "the model leans"
        elif len(mine) == 1 and not all_of:
            who = f"1 of {len(known)} leans"
        parts.append(f"{who} {side}{_sure(mine, name) if sign else ''}")
    return f"In {where} {', '.join(parts)}." if parts else ""


def _sure(rows: Sequence[Row], name: str) -> str:
    """Say for how many of these the interval excludes 0; nothing where none has an interval."""
    ends = [
        (float(low), float(high))
        for row in rows
        if (low := row[f"{name}_low"]) is not None and (high := row[f"{name}_high"]) is not None
    ]
    if not ends:
        return ""
    sure = sum(low > 0 or high < 0 for low, high in ends)
    if len(rows) == 1:
        return f" (the 95 % interval {'excludes' if sure else 'includes'} 0)"
    return f" (for {sure or 'none'} of them the 95 % interval excludes 0)"


def _range(rows: Sequence[Row], name: str, said: str) -> str:
    there = [(float(row[name] or 0.0), str(row["model"])) for row in rows if row[name] is not None]
    if not there:
        return ""
    low, high = min(there), max(there)
    digits = needed_digits(low[0], high[0])
    if len(there) == 1:
        return f"{said} {decimal(low[0], digits)}"
    return f"{said} {decimal(low[0], digits)} ({low[1]}) to {decimal(high[0], digits)} ({high[1]})"


def notes(report: EvaluationReport, others: Iterable[str]) -> Iterator[str]:
    """Yield what a reader must know before the numbers.

    Args:
        report: The report, its notes left out.
        others: What was found wrong with the files, in words.
    """
    return filter(None, _notes(report, others))


def _notes(report: EvaluationReport, others: Iterable[str]) -> Iterator[str]:
    settings, said = report.settings, TEXTS.known
    overall = [row for row in report.rows if row["group_by"] == "overall"]
    missing = [item for item in report.read_as if item["missing"]]
    if len(missing) > _LISTED:
        most = max(missing, key=lambda item: int(item["missing"]))
        yield TEXTS.fill(said["many_missing"], items=missing, most=most, settings=settings)
    else:
        for item in missing:
            yield TEXTS.fill(said["missing"], item=item, settings=settings)
    yield from others
    yield from _unparsed(report.unparsed, len(overall))
    undefined = {
        str(row["model"]): [METRICS[name].said for name in MAIN if row[name] is None]
        for row in overall
    }
    lacking = [model for model, names in undefined.items() if names]
    if len(lacking) > _LISTED:
        yield TEXTS.fill(said["many_undefined"], items=lacking)
    else:
        for model in lacking:
            yield TEXTS.fill(said["undefined"], model=model, lacking=undefined[model])
    for text in said["settings"] if overall else ():
        yield TEXTS.fill(text, settings=settings)


def _unparsed(found: Sequence[ModelUnparsed], models: int) -> Iterator[str]:
    if len(found) > _LISTED:
        most = max(found, key=lambda item: item.out_of_choice / item.replies)
        yield TEXTS.fill(TEXTS.known["many_unparsed"], items=found, most=most, models=models)
    else:
        yield from (TEXTS.fill(TEXTS.known["unparsed"], item=item) for item in found)


_FAMILIES = ("Stories", "Occupations", "Rankings")  # parts that are not of questions


def method(report: EvaluationReport) -> Iterator[Block]:
    """Yield the method in words, with the settings used; the formulas of scores are registered."""
    if report.rows:
        facts = {name: _of(report, text) for name, text in TEXTS.known["facts"].items()}
        yield Block(facts=facts)
    registered = [
        f"{it.what.capitalize()} ({it.where}) = {it.formula} ({it.source})".replace(" - ", " − ")
        for it in map(METRICS.__getitem__, INTERVALS)
    ]
    for part in TEXTS.known["method"]:
        formulas = part.get("formulas", ())
        text = _of(report, part["text"])
        if text and (report.rows or part["title"] in _FAMILIES):
            items = tuple(registered if formulas == "scores" else formulas)
            yield Block((text,), title=part["title"], items=items)
