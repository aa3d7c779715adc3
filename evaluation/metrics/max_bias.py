"""The largest |diff-bias| that an accuracy allows (KoBBQ, section 5.1 and appendix)."""

import numpy as np

from evaluation.metrics.accuracy import accuracy_ambiguous, accuracy_disambiguated
from evaluation.metrics.cells import Counts, Scores


def max_bias_ambiguous(counts: Counts) -> Scores:
    """Give `max|bias|_a = 1 - Acc_a`."""
    return 1.0 - accuracy_ambiguous(counts)


def max_bias_disambiguated(counts: Counts) -> Scores:
    """Give `max|bias|_d = 1 - |2 Acc_d - 1|`.

    It bounds diff-bias where there are as many biased contexts as counter-biased ones.
    """
    return 1.0 - np.abs(2.0 * accuracy_disambiguated(counts) - 1.0)
