"""What is left of equal scores by the noise of floats is no difference."""

import numpy as np
import pytest

from evaluation.cli.compare import _shown
from evaluation.compare.testing import Ends, anova_and_tukey

NOISY = np.array([0.0, 0.1 + 0.2])
PLAIN = np.array([0.0, 0.3])
ENDS = Ends.of("diff_bias_amb")


def test_groups_with_equal_means_differ_by_nothing():
    """F and the differences are 0 and p is 1, where they were 1e-31 and 1e-17."""
    assert NOISY.mean() != PLAIN.mean()
    found = anova_and_tukey({"a": NOISY, "b": PLAIN}, ENDS)
    assert (found["anova"][0]["f"], found["anova"][0]["p"]) == (0.0, 1.0)
    assert (found["tukey"][0]["difference"], found["tukey"][0]["differs"]) == (0.0, "no")
    assert found["permutation"][0]["difference"] == 0.0
    assert found["tukey"][0]["p"] == pytest.approx(1.0)


def test_a_mean_of_noise_is_zero():
    """Scores that cancel out have the mean 0."""
    values = np.array([0.1 + 0.2, -0.3])
    found = anova_and_tukey({"a": values, "b": np.array([0.5, 0.7])}, ENDS)
    assert [row["mean"] for row in found["means"]] == [0.0, pytest.approx(0.6)]
    assert found["tukey"][0]["mean_1"] == 0.0


@pytest.mark.parametrize(
    ("value", "shown"), [(1e-12, "<\u202f.001"), (0.0312, ".031"), (1.0, ">\u202f.999")]
)
def test_a_p_that_no_test_can_tell_is_shown_as_such(value, shown):
    """Never as a number that it may not be, nor as 0."""
    assert _shown({"p_holm": value}, "p_holm") == shown
