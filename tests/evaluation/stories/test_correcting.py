"""Scores of stories corrected by what people read."""

import numpy as np
import pytest
from scipy.stats import beta

from curation.files.workspace import Workspace
from evaluation.stories.asking import read_pairs
from evaluation.stories.scores import Checked, correct, corrected, read_checked, score

READINGS = """\
model,template_id,question,version,reading,request_id
m,age-001,bsd,a,U,r1
m,age-001,bsd,b,U,r2
m,age-001,cnt,a,B,r3
m,age-001,cnt,b,U,r4
m,ses-001,bsd,a,U,r5
m,ses-001,bsd,b,C,r6
m,ses-001,cnt,a,B,r7
m,ses-001,cnt,b,out_of_choice,r8
"""
PEOPLE = """\
request_id,reader,reading
r1,Mina,B
r2,Mina,U
r1,Jun,B
r2,Jun,B
r5,Mina,U
r6,Mina,C
r7,Mina,B
r8,Mina,B
r3,Jun,B
r5,Jun,U
r6,Jun,U
"""


@pytest.fixture
def files(tmp_path):
    people, readings = tmp_path / "stories_readers.csv", tmp_path / "readings.csv"
    people.write_text(PEOPLE, encoding="utf-8")
    readings.write_text(READINGS, encoding="utf-8")
    return people, readings


def test_people_are_compared_pair_by_pair(files):
    """Mina and Jun read B, U and B, B where the evaluator read U, U: bias 1/2 and 1, neutral no.

    Where it read U, C, so did Mina, and Jun read U, U: bias -1/2 and 0, neutral one of two.

    A pair with one version read, and one that the evaluator could not read, are said.
    """
    found, (finding,) = read_checked(files[0], read_pairs(files[1], is_checked=True))
    assert found == {"m": [Checked("age-001", -1.0, 0.75), Checked("ses-001", 0.5, 0.25)]}
    assert finding.message.startswith("2 pairs are not used")
    files[1].write_text(READINGS.replace(",a,", ",one,").replace(",b,", ",other,"), "utf-8")
    assert (
        read_checked(files[0], read_pairs(files[1], is_checked=True))[0] == found
    )  # whatever versions are called


@pytest.mark.parametrize("column", ["seed", "set", "prompt_id", "prompt", "filling", "epoch"])
def test_pairs_of_several_stories_of_a_template_are_told_apart(files, column):
    """By whatever the scores tell them by: both of the first two are read and disagreed with."""
    people, readings = files
    head, *lines = READINGS.splitlines()
    told = [f"{line},{1 + at // 4}" for at, line in enumerate(lines)]
    told = [line.replace("ses", "age").replace("cnt", "bsd") for line in told[:2] + told[4:6]]
    readings.write_text("\n".join([f"{head},{column}", *told, ""]), "utf-8")
    assert read_checked(people, read_pairs(readings, is_checked=True)) == (
        {"m": [Checked("age-001", -1.0, 0.75), Checked("age-001", 0.5, 0.25)]},
        [],
    )


def test_who_read_another_passage_read_none_of_these(files):
    """A model that was asked again continues a story otherwise, under the same request."""
    people, readings = files
    lines = READINGS.splitlines()
    hashed = [f"{lines[0]},passage", *(f"{line},p{at}" for at, line in enumerate(lines[1:], 1))]
    readings.write_text("\n".join([*hashed, ""]), "utf-8")
    head, *read = PEOPLE.splitlines()
    known = {"r1,Jun,B": "p1", "r2,Jun,B": "p2", "r5,Mina,U": "old", "r6,Jun,U": "old"}
    told = [f"{head},passage", *(f"{line},{known.get(line, '')}" for line in read)]
    people.write_text("\n".join([*told, ""]), "utf-8")
    found, (finding,) = read_checked(people, read_pairs(readings, is_checked=True))
    assert found == {"m": [Checked("age-001", -1.0, 0.75)]}
    assert finding.message.startswith("3 pairs are not used")


def test_corrected_scores_stand_beside_the_plain_ones(files):
    """Plain bias is 0 of three pairs; two of the category age count twice, one of ses once.

    What people add is (2 x .75 + .25) / 3 to the bias, and (2 x -1 + .5) / 3 to the neutrality.
    """
    people, readings = files
    plain = score(Workspace(people.parent), readings)
    found = score(Workspace(people.parent), readings, people=people)
    overall = found.rows[0]
    assert (overall["n"], overall["n_people"], overall["bias_gen"]) == (3, 2, 0.0)
    assert overall["ntr_gen"] == pytest.approx(1 / 3)
    assert overall["bias_gen_corrected"] == pytest.approx(7 / 12)
    assert overall["ntr_gen_corrected"] == 0.0  # 1/3 - 1/2 is below the range
    low, high = overall["bias_gen_corrected_low"], overall["bias_gen_corrected_high"]
    assert -1 <= low < 7 / 12 < high <= 1
    assert plain.rows[0]["bias_gen_corrected"] is None
    assert [row["n_people"] for row in found.rows[1:]] == [0] * 4
    frame = found.to_frame()
    assert frame["n_people"].tolist() == [2, 0, 0, 0, 0]
    assert frame.dtypes[["n", "runs"]].tolist() == ["int64", "Int64"]  # there is one run


def test_the_interval_recovers_both_variances():
    """Forty templates, of which people add 1/2 in half: the ends by hand."""
    sums = np.stack([np.tile([0.0, 0.5], 20), np.ones(40)], axis=-1)
    found = corrected((0.1, 0.05, 0.17), sums, (-1.0, 1.0))
    # on the range from -2 to 2 with a third of a template at each end
    values = (np.tile([0.0, 0.5], 20) + 2) / 4
    total = 40 + 2 / 3
    centre = (values.sum() + 1 / 3) / total
    squares = ((values - centre) ** 2).sum() + (centre**2 + (1 - centre) ** 2) / 3
    size = centre * (1 - centre) * total * (total - 1) / squares - 1
    low, high = 4 * beta.ppf([0.025, 0.975], size * centre, size * (1 - centre)) - 2
    ends = 0.35 - np.hypot(0.05, 0.25 - low), 0.35 + np.hypot(0.07, high - 0.25)
    assert found == pytest.approx((0.35, *ends))
    # one template says nothing of how far others differ
    assert corrected((0.1, 0.05, 0.17), sums[:1], (-1.0, 1.0)) == (0.1, None, None)


def test_an_evaluator_that_never_errs_changes_nothing_but_the_width():
    """What people add is 0; that they found no error in few passages does not prove that."""
    same = [Checked(f"age-{at:03d}", 0.0, 0.0) for at in range(30)]
    category_of = {item.template: "age" for item in same}
    plain = {"ntr_gen": (0.5, 0.45, 0.55), "bias_gen": (0.1, 0.05, 0.15)}
    found = correct(same, {"age": 300}, category_of, plain)
    for name in plain:
        value, low, high = found[name]
        assert value == plain[name][0]
        assert low < plain[name][1] < plain[name][2] < high
