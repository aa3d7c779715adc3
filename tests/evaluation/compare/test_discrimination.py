"""Templates that tell models apart, and twins: against scipy, by hand, and where there are none."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from evaluation.compare.discrimination import (
    DISCRIMINATION_COLUMNS,
    TWIN_LEVEL,
    discrimination_rows,
    discriminations,
    twins,
)
from evaluation.qa.score import TALLY_COLUMNS

MODELS, REPLIES = 20, 60


def shares(seed, *, templates=30, level=1.5, easy=1.5, own=1.0):
    """Shares of right answers of models that differ in level, to templates of all difficulties.

    A model also has so much of its own in each template.
    """
    rng = np.random.default_rng(seed)
    odds = rng.normal(0, level, MODELS) + rng.normal(easy, 1.2, (templates, 1))
    odds += rng.normal(0, own, (templates, MODELS))
    return rng.binomial(REPLIES, 1 / (1 + np.exp(-odds))) / REPLIES


def sizes(values):
    return np.full(values.shape, float(REPLIES))


def test_discrimination_is_the_rank_correlation_with_all_others():
    """Of scipy, over the mean of the others, with a p that permutations of another seed give."""
    values = shares(1, templates=5, level=0.5)
    found = discriminations(values)
    rest = [np.delete(values, at, axis=0).mean(axis=0).round(9) for at in range(5)]
    known = [stats.spearmanr(*pair).statistic for pair in zip(values, rest, strict=True)]
    assert [row["rho"] for row in found] == pytest.approx(known)
    rng = np.random.default_rng(99)
    largest = []
    for _ in range(600):
        pairs = zip(values, rest, strict=True)
        largest.append(max(abs(stats.spearmanr(rng.permutation(a), b)[0]) for a, b in pairs))
    for row, rho in zip(found, known, strict=True):
        assert row["p"] == pytest.approx(np.mean(np.array(largest) >= abs(rho)), abs=0.06)
    assert {row["p"] < 0.05 for row in found} == {True, False}


def test_likeness_is_of_what_levels_difficulties_and_slopes_leave():
    """By the eigenvectors of the centred log-odds, and scipy's correlation of the rest."""
    values = shares(2, templates=12)
    odds = np.log((values * REPLIES + 0.5) / (REPLIES - values * REPLIES + 0.5))
    centred = odds - odds.mean(axis=1, keepdims=True) - odds.mean(axis=0) + odds.mean()
    first = np.linalg.eigh(centred.T @ centred)[1][:, -1]
    known = stats.spearmanr(centred - np.outer(centred @ first, first), axis=1).statistic
    np.fill_diagonal(known, -1)
    found = twins(values, sizes(values))
    assert [row["twin"] for row in found] == known.argmax(axis=1).tolist()
    assert [row["likeness"] for row in found] == pytest.approx(known.max(axis=1))


def is_twin(row):
    return row["twin_p"] is not None and float(str(row["twin_p"])) <= TWIN_LEVEL


def test_one_template_asked_twice_is_found():
    """Its replies are drawn anew: each of the two is the twin of the other, and nothing else is."""
    rng = np.random.default_rng(3)
    values = shares(3)
    values[0] = rng.binomial(REPLIES * 5, values[1]) / REPLIES / 5
    found = twins(values, sizes(values))
    assert [at for at, row in enumerate(found) if is_twin(row)] == [0, 1]
    assert (found[0]["twin"], found[1]["twin"]) == (1, 0)


@pytest.mark.nightly
@pytest.mark.parametrize(
    "given",
    [{}, {"own": 0.0}, {"easy": 4.0}, {"level": 0.0}, {"level": 3.0, "own": 0.3}],
    ids=["plain", "levels alone", "ceiling", "no levels", "far apart"],
)
def test_templates_that_share_the_level_of_models_alone_are_seldom_twins(given):
    """In at most 2 of 20 sets, also where levels explain all, or nearly all answers are right."""
    found = [twins(it, sizes(it)) for it in (shares(seed, **given) for seed in range(20))]
    assert sum(any(map(is_twin, rows)) for rows in found) <= 2


@pytest.mark.nightly
def test_templates_that_tell_nothing_of_models_are_seldom_said_to():
    """Models do not differ in level: in at most 4 of 40 sets is there one below .05."""
    sets = [discriminations(shares(seed, level=0.0)) for seed in range(40)]
    assert sum(any(float(row["p"] or 1) < 0.05 for row in rows) for rows in sets) <= 4


def frame(values):
    table = pd.DataFrame(0, index=range(values.size), columns=list(TALLY_COLUMNS))
    templates, models = np.indices(values.shape)
    table["template_id"] = [f"job-{at + 1:03d}" for at in templates.ravel()]
    table["model"] = [f"m{at}" for at in models.ravel()]
    table["category"], table["prompt"] = "Job", "1"
    table["n_au"] = np.rint(values.ravel() * REPLIES).astype(int)
    table["n_ab"] = REPLIES - table["n_au"]
    return table


def test_rows_of_templates_say_how_often_models_are_right():
    """One goes against the others, one is answered alike by all, one lacks a reply.

    A model that refused all is none of the models.
    """
    values = shares(4)
    values[0], values[1] = 1 - values[2:].mean(axis=0), 0.75
    table = frame(values)
    table = table[(table["template_id"] != "job-003") | (table["model"] != "m7")]
    refused = table[table["model"] == "m1"].assign(model="m99", n_ab=0, n_au=0, n_ao=REPLIES)
    table = pd.concat([table, refused])
    rows = {row["template_id"]: row for row in discrimination_rows(table)}
    assert {tuple(row) for row in rows.values()} == {DISCRIMINATION_COLUMNS}
    assert {row["metric"] for row in rows.values()} == {"accuracy_amb"}
    assert "job-003" not in rows
    assert len(rows) == 29
    against, same, third = (rows[f"job-00{at}"] for at in (1, 2, 4))
    assert float(str(against["discrimination"])) < -0.9
    assert against["p"] == 1 / 2000
    assert (same["least"], same["right"], same["most"]) == (0.75, 0.75, 0.75)
    assert (same["discrimination"], same["p"], same["twin"], same["twin_p"]) == (
        *(None, None, "", None),
    )
    assert third["right"] == pytest.approx(values[3].mean())
    assert (third["models"], third["category"]) == (20, "Job")


def test_of_nine_models_nothing_is_said():
    """However well templates tell them apart."""
    values = shares(5)
    assert discrimination_rows(frame(values[:, :10]))
    assert discrimination_rows(frame(values[:, :9])) == []
