"""Raking weights to given margins, and what they cost (Deming and Stephan 1940; Kish 1965)."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from curation.model.errors import CurateError

Weights = npt.NDArray[np.float64]

_ROUNDS = 1000
_CLOSE = 1e-10


def rake(
    attributes: Mapping[str, Sequence[str]], margins: Mapping[str, Mapping[str, float]]
) -> Weights:
    """Weight respondents so that every attribute has the given shares.

    Args:
        attributes: For each attribute the value of each respondent.
        margins: For each attribute that is to be met the share of each value; they are
            scaled to sum to 1.

    Returns:
        One weight a respondent, with mean 1.

    Raises:
        CurateError: If an attribute or value is missing on either side, or the margins
            cannot be met together.
    """
    coded = [_coded(name, attributes, shares) for name, shares in margins.items()]
    if not coded:
        raise CurateError("there are no margins to weight to", hint="give the shares by attribute")
    count = len(coded[0][0])
    weights = np.ones(count)
    for _ in range(_ROUNDS):
        largest = 0.0
        for codes, wanted in coded:
            now = np.bincount(codes, weights=weights, minlength=len(wanted)) / count
            factor = wanted / now
            weights *= factor[codes]
            largest = max(largest, float(np.abs(factor - 1).max()))
        if largest < _CLOSE:
            return weights
    raise CurateError(
        "the margins cannot be met together",
        ", ".join(margins),
        "join sparse values of an attribute, or weight to fewer attributes",
    )


def _coded(
    name: str, attributes: Mapping[str, Sequence[str]], shares: Mapping[str, float]
) -> tuple[npt.NDArray[np.int64], Weights]:
    values = attributes.get(name)
    if not values:
        known = ", ".join(attributes) or "none"
        raise CurateError(
            f"respondents have no attribute '{name}'",
            "respondents.csv",
            f"they have {known}",
        )
    if any(share <= 0 for share in shares.values()):
        raise CurateError(f"a share of '{name}' is not above 0", hint="leave such values out")
    positions = {value: at for at, value in enumerate(shares)}
    strange = sorted({value for value in values if value not in positions})
    if strange:
        shown = ", ".join(repr(value) for value in strange[:5])
        raise CurateError(
            f"respondents have values of '{name}' that the margins lack: {shown}",
            "respondents.csv",
            f"the margins have {', '.join(shares)}",
        )
    codes = np.array([positions[value] for value in values], dtype=np.int64)
    absent = [value for value, at in positions.items() if not (codes == at).any()]
    if absent:
        raise CurateError(
            f"no respondent has '{name}' = {absent[0]}",
            "respondents.csv",
            "join it with another value in the margins",
        )
    wanted = np.array(list(shares.values()), dtype=np.float64)
    return codes, wanted / wanted.sum()


def kish(weights: Weights) -> float:
    """Give the effective number of respondents, `(sum w)^2 / sum w^2` (Kish 1965, 11.7)."""
    return float(weights.sum() ** 2 / (weights**2).sum())
