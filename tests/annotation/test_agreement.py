"""How far annotators agree."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.annotation.agreement import (
    agreement,
    cohen_kappa,
    drift,
    fleiss_kappa,
    krippendorff_alpha,
    pair,
    percent_agreement,
)

LABELS = ("ST", "TM", "SR")

# Krippendorff (2011), "Computing Krippendorff's alpha-reliability", section C.
KRIPPENDORFF = {
    "A": "1 2 3 3 2 1 4 1 2 . . .",
    "B": "1 2 3 3 2 2 4 1 2 5 . 3",
    "C": ". 3 3 3 2 3 4 2 2 5 1 .",
    "D": "1 2 3 3 2 4 4 1 2 5 1 .",
}


def table(**rows):
    """Make ratings of a row of labels for each annotator; a dot is no label."""
    split = {name: row.split() for name, row in rows.items()}
    size = len(next(iter(split.values())))
    return {
        f"t{at}": {name: row[at] for name, row in split.items() if row[at] != "."}
        for at in range(size)
    }


def counted(rows):
    ratings = {}
    for number, counts in enumerate(rows):
        given_labels = [str(label) for label, count in enumerate(counts) for _ in range(count)]
        ratings[f"t{number}"] = {f"r{at}": label for at, label in enumerate(given_labels)}
    return ratings


def test_alpha_is_that_of_krippendorffs_example():
    """Krippendorff's own example, with missing labels, has a nominal alpha of .743."""
    found = krippendorff_alpha(table(**KRIPPENDORFF))
    assert found.value == pytest.approx(0.743, abs=5e-4)
    assert found.units == 11
    # half a template with full agreement and half a one with full disagreement are in the interval
    assert (found.ci_low, found.ci_high) == pytest.approx((0.390, 0.935), abs=5e-4)


def test_fleiss_kappa_is_that_of_statsmodels():
    """On random labels kappa is what statsmodels makes of them."""
    oracle = pytest.importorskip("statsmodels.stats.inter_rater")
    generator = random.Random(3)  # noqa: S311  # seeded, for a test
    for _ in range(20):
        rows = []
        for _ in range(8):
            votes = [generator.randrange(3) for _ in range(5)]
            rows.append(tuple(votes.count(label) for label in range(3)))
        found = fleiss_kappa(counted(tuple(rows)), [f"r{at}" for at in range(5)])
        assert found.value == pytest.approx(oracle.fleiss_kappa(rows), abs=1e-6)


def test_cohens_kappa_is_that_worked_out_by_hand():
    """Two annotators agree on 7 of 8; by chance they would on (4*3 + 3*4 + 1*1) / 64."""
    ratings = table(one="ST ST ST ST TM TM TM SR", two="ST ST ST TM TM TM TM SR")
    ratings["t8"] = {"one": "ST"}
    found = pair(ratings, "one", "two", LABELS)
    chance = (4 * 3 + 3 * 4 + 1 * 1) / 64
    assert found.agree == 7
    assert found.kappa.units == 8
    assert found.kappa.value == pytest.approx((7 / 8 - chance) / (1 - chance), abs=1e-6)
    assert found.confusion["ST"] == {"ST": 3, "TM": 1, "SR": 0}


def test_agreement_on_every_template_does_not_show_that_there_never_is_any_other():
    """The interval is from less than .8 to 1, and shorter with more templates; never a point."""
    lows = []
    for times in (12, 50):
        ratings = table(a="ST TM " * times, b="ST TM " * times, c="ST TM " * times)
        found = agreement(ratings, "abc", LABELS)
        every = [found.alpha, found.fleiss, found.percent, *(item.kappa for item in found.pairs)]
        assert {(item.value, item.ci_high) for item in every} == {(1.0, 1.0)}
        lows.append([item.ci_low or 0.0 for item in every])
    assert max(lows[0]) < 0.92
    assert min(lows[0]) > 0.6
    assert all(one < two < 1 for one, two in zip(*lows, strict=True))


def test_one_template_has_no_interval():
    """Nothing is known of how templates differ. That of a few ends at -1, as kappa does."""
    assert cohen_kappa([("A", "B"), ("B", "A"), ("A", "A"), ("A", "A")]).ci_low == -1.0
    found = krippendorff_alpha(table(a="ST", b="ST", c="TM"))
    assert (found.value, found.ci_low, found.ci_high) == (0.0, None, None)
    assert "one template" in found.reason


def test_pairs_of_labels_and_complete_templates_are_counted():
    """Of three annotators of whom two agree one pair in three does; kappa lacks what one left."""
    found = percent_agreement(table(a="ST", b="ST", c="TM"))
    assert found.value == pytest.approx(1 / 3, abs=1e-6)
    assert fleiss_kappa(table(a="ST TM ST", b="ST ST ."), ["a", "b"]).units == 2


@pytest.mark.parametrize(
    ("rows", "alpha", "kappa"),
    [
        ({"a": "ST TM"}, "no template has two labels", "only one annotator"),
        ({"a": "ST ST", "b": "ST ST"}, "only one label was used", "only one label"),
        ({"a": "ST .", "b": ". ST"}, "no template has two labels", "all annotators"),
    ],
)
def test_what_is_not_defined_is_null_with_a_reason(rows, alpha, kappa):
    """One annotator, one label alone or no template in common gives none, and never 0 or 1."""
    ratings, names = table(**rows), [*rows]
    pairs = [pair(ratings, *names, LABELS).kappa] if len(names) == 2 else []
    found = (krippendorff_alpha(ratings), fleiss_kappa(ratings, names), *pairs)
    assert {one.value for one in found} == {None}
    assert alpha in found[0].reason and kappa in found[1].reason


ratings_strategy = st.dictionaries(
    st.sampled_from([f"t{at}" for at in range(9)]),
    st.dictionaries(st.sampled_from(["a", "b", "c"]), st.sampled_from(LABELS)),
)


@given(ratings=ratings_strategy, seed=st.integers(0, 2**16))
def test_order_and_names_of_annotators_and_templates_change_nothing(ratings, seed):
    """Shuffled and renamed templates and annotators give the same figures, interval included."""
    generator = random.Random(seed)  # noqa: S311  # seeded, for a test
    people = ["a", "b", "c"]
    renamed = dict(zip(people, generator.sample(people, 3), strict=True))
    units = list(ratings.values())
    generator.shuffle(units)
    other = {
        f"u{at}": {renamed[name]: label for name, label in reversed(unit.items())}
        for at, unit in enumerate(units)
    }
    one = agreement(ratings, people, LABELS)
    two = agreement(other, people[::-1], LABELS)
    assert (one.percent, one.fleiss, one.alpha) == (two.percent, two.fleiss, two.alpha)
    assert (one.unanimous, one.complete, one.confusion) == (
        two.unanimous,
        two.complete,
        two.confusion,
    )
    kappas = sorted(str(item.kappa) for item in one.pairs)
    assert kappas == sorted(str(item.kappa) for item in two.pairs)


def test_who_labels_otherwise_later_is_seen_by_the_halves_of_their_time():
    """Mina leaves the others after six templates, on which the other two then have no majority."""
    ratings = {
        f"t{at:02}": {"Mina": "ST" if at < 6 else "SR", "Jun": "ST", "Lee": "ST"}
        for at in range(12)
    }
    times = {(unit, name): unit for unit in ratings for name in ("Mina", "Jun")}
    halves = [[(h.value, h.units) for h in drift(ratings, name, times)] for name in ("Mina", "Jun")]
    assert halves == [[(1.0, 6), (0.0, 6)], [(1.0, 3), (1.0, 3)]]
    assert drift(ratings, "Lee", times) is None
