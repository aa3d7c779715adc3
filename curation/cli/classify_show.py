"""How agreement is shown."""

from collections.abc import Sequence

from curation.cli.common import table_lines
from curation.stages.agreement import Agreement, Statistic


def agreement_lines(found: Agreement) -> list[str]:
    """Lay out labels by annotator, statistics, pairs and confusions."""
    labels = list(next(iter(found.counts.values()), {}))
    rows = [
        [name, *(counts[label] for label in labels), sum(counts.values())]
        for name, counts in found.counts.items()
    ]
    lines = table_lines(["Annotator", *labels, "labelled"], rows)
    lines += [
        "",
        f"pairs of labels that agree  {statistic_text(found.percent)}",
        f"all annotators agree        {found.unanimous} of {found.complete} templates that all "
        "labelled",
        f"Fleiss' kappa               {statistic_text(found.fleiss)}",
        f"Krippendorff's alpha        {statistic_text(found.alpha)}",
    ]
    if len(found.annotators) > 1:
        lines += ["", *_pair_lines(found), "", *_confusion_lines(found, labels)]
    return lines


def statistic_text(statistic: Statistic) -> str:
    """Say a statistic with its interval and the templates that it is taken over."""
    if statistic.value is None:
        return f"not defined: {statistic.reason}"
    text = f"{statistic.value:.3f}"
    if statistic.ci_low is not None and statistic.ci_high is not None:
        text += f", 95 % interval {statistic.ci_low:.3f} to {statistic.ci_high:.3f}"
    text += f" ({statistic.units} templates)"
    return f"{text}; {statistic.reason}" if statistic.reason else text


def _pair_lines(found: Agreement) -> list[str]:
    rows = [
        [
            f"{pair.first} / {pair.second}",
            pair.kappa.units,
            pair.agree,
            "undefined" if pair.kappa.value is None else f"{pair.kappa.value:.3f}",
        ]
        for pair in found.pairs
    ]
    return table_lines(["Pair", "both labelled", "agree", "Cohen's kappa"], rows)


def _confusion_lines(found: Agreement, labels: Sequence[str]) -> list[str]:
    rows = [[one, *(found.confusion[one][other] for other in labels)] for one in labels]
    return table_lines(["Pairs of labels", *labels], rows)
