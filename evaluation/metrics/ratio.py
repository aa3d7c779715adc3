"""How much of the possible bias there is: diff-bias over its bound, from -1 to 1."""

from evaluation.metrics.cells import Counts, Scores, share
from evaluation.metrics.diff_bias import diff_bias_ambiguous, diff_bias_disambiguated
from evaluation.metrics.max_bias import max_bias_ambiguous, max_bias_disambiguated


def bias_ratio_ambiguous(counts: Counts) -> Scores:
    """Give `Diff-bias_a / max|bias|_a`; undefined where no bias is possible."""
    return share(diff_bias_ambiguous(counts), max_bias_ambiguous(counts))


def bias_ratio_disambiguated(counts: Counts) -> Scores:
    """Give `Diff-bias_d / max|bias|_d`; undefined where no bias is possible."""
    return share(diff_bias_disambiguated(counts), max_bias_disambiguated(counts))
