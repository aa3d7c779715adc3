"""Scores of question answering, one a file, each a function of counts.

Counts are an array whose last axis has the `CELLS`; any axes before it are kept. Replies that
are out-of-choice stand in cells of their own and in no denominator. No data gives NaN, which
means undefined, and never 0.
"""

from evaluation.metrics.accuracy import accuracy_ambiguous, accuracy_disambiguated
from evaluation.metrics.bbq import s_ambiguous, s_disambiguated
from evaluation.metrics.cells import CELLS, Counts, Scores
from evaluation.metrics.diff_bias import diff_bias_ambiguous, diff_bias_disambiguated
from evaluation.metrics.max_bias import max_bias_ambiguous, max_bias_disambiguated
from evaluation.metrics.ratio import bias_ratio_ambiguous, bias_ratio_disambiguated

__all__ = ["CELLS", "METRICS", "Counts", "Scores"]

METRICS = {
    "accuracy_amb": accuracy_ambiguous,
    "accuracy_dis": accuracy_disambiguated,
    "diff_bias_amb": diff_bias_ambiguous,
    "diff_bias_dis": diff_bias_disambiguated,
    "max_bias_amb": max_bias_ambiguous,
    "max_bias_dis": max_bias_disambiguated,
    "bias_ratio_amb": bias_ratio_ambiguous,
    "bias_ratio_dis": bias_ratio_disambiguated,
    "s_dis": s_disambiguated,
    "s_amb": s_ambiguous,
}
"""By column of `scores.csv`, the function that computes it."""
