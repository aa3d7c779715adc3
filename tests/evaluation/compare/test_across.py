"""Models across cultures: personas whose differences are known, and what cannot be compared."""

import gzip

import numpy as np
import pytest
from cultures import answered, biased, biased_in, right, sourced
from layouts import thinned

from curation.files.workspace import Workspace
from curation.records.messages import CurateError
from evaluation.compare import Given, cultures
from evaluation.compare.testing import rank_biserial
from evaluation.qa.metrics import MAIN
from evaluation.qa.scoring import ScoreInputs, score
from evaluation.statistics import matched_biserial, rank_sum

NORTH = {
    "hobby-001": ("Age", "1"),
    "hobby-002": ("Age", "2"),
    "job-001": ("Religion", "7"),
    "job-002": ("", ""),
}
SOUTH = {
    "town-004": ("Age", "02"),
    "town-005": ("age", "1.0"),
    "town-006": ("religion", "7"),
    "town-009": ("Age", "9"),
}
NORTH_LABELS = {"hobby-002": "TM", "job-002": "NC"}


def north(tmp_path, **personas):
    return Given("north", answered(tmp_path / "n", sourced(NORTH, NORTH_LABELS), personas))


def south(tmp_path, **personas):
    return Given("south", answered(tmp_path / "s", sourced(SOUTH, {}), personas))


def by(rows, **wanted):
    (row,) = (row for row in rows if all(row[name] == value for name, value in wanted.items()))
    return row


def test_a_model_that_is_biased_in_one_culture_alone_differs_by_all(tmp_path):
    """1 less accurate and 1 more biased where it is ambiguous, over the shared templates alone."""
    made = cultures([north(tmp_path, m=biased), south(tmp_path, m=right)])
    rows = made.tables["cultures"][1]
    found = {
        row["metric"]: (row["score_1"], row["score_2"], row["difference"])
        for row in rows
        if row["group_by"] == "overall"
    }
    assert found == dict(zip(MAIN, [(0, 1, -1), (0.5, 1, -0.5), *[(1, 0, 1)] * 2], strict=True))
    whole = by(rows, group_by="overall", metric="diff_bias_amb")
    assert (whole["templates"], whole["w"], whole["p"]) == (3, 0, 0.25)
    assert whole["interval_note"] == "few templates"
    assert whole["effect"] == 1
    assert by(rows, group_by="overall", metric="accuracy_amb")["effect"] == -1


def test_templates_are_paired_by_their_source_whatever_their_order(tmp_path):
    """Both models are biased in the template of Age 1, the second one of the other set."""
    given = [north(tmp_path, m=biased_in("hobby-001")), south(tmp_path, m=biased_in("town-005"))]
    rows = cultures(given).tables["cultures"][1]
    whole = by(rows, group_by="overall", metric="diff_bias_amb")
    assert (whole["difference"], whole["w"], whole["p"]) == (0, 0, 1)


def test_what_is_shared_is_said_with_its_labels(tmp_path):
    """1.0, 02 and 7 are numbers of BBQ, whatever the case of the category."""
    made = cultures([north(tmp_path, m=right), south(tmp_path, m=right)])
    shared = made.tables["shared"][1]
    names = ("source_category", "source_id", "set", "templates", "label", "shared_with")
    assert [tuple(row[name] for name in names) for row in shared] == [
        ("Age", "1", "north", "hobby-001", "ST", "south"),
        ("Age", "1", "south", "town-005", "ST", "north"),
        ("Age", "2", "north", "hobby-002", "TM", "south"),
        ("Age", "2", "south", "town-004", "ST", "north"),
        ("Religion", "7", "north", "job-001", "ST", "south"),
        ("Religion", "7", "south", "town-006", "ST", "north"),
        ("Age", "9", "south", "town-009", "ST", ""),
    ]
    assert "north: 1 of 4 templates name no source and are not compared" in made.notes
    assert "north and south share 3 templates: 2 ST, 1 TM / ST" in made.notes
    assert (
        "south: nothing says which benchmark's numbers source_id has; they are taken as BBQ's"
        in made.notes
    )


def test_templates_that_nobody_was_asked_about_are_not_shared(tmp_path):
    one = north(tmp_path, m=right)
    for path in one.folder.glob("*.jsonl"):
        lines = path.read_text("utf-8").splitlines(keepends=True)
        path.write_text("".join(line for line in lines if "hobby-002" not in line), "utf-8")
    made = cultures([one, south(tmp_path, m=right)])
    assert "north and south share 2 templates: 2 ST" in made.notes
    assert "north: 1 of 3 templates name no source and are not compared" in made.notes


def test_a_model_does_not_differ_from_itself_and_each_set_is_compared_with_the_first(tmp_path):
    """Holm's correction is over the rows of a model and a grouping."""
    one = north(tmp_path, m=right, other=biased)
    two, three = south(tmp_path, m=right, other=right), Given("again", one.folder)
    made = cultures([one, two, three])
    rows = made.tables["cultures"][1]
    assert {(row["set_1"], row["set_2"]) for row in rows} == {
        ("north", "south"),
        ("north", "again"),
    }
    again = [row for row in rows if row["set_2"] == "again"]
    assert {(row["difference"], row["p"], row["effect"]) for row in again} == {(0, 1, 0)}
    family = [row for row in rows if (row["model"], row["group_by"]) == ("other", "overall")]
    assert [row["p_holm"] for row in family] == [1, 1, 1, 1, 1, 1, 1, 1]
    only = cultures([one, two], ["other"], ["s_amb"])
    assert {(row["model"], row["metric"]) for row in only.tables["cultures"][1]} == {
        ("other", "s_amb")
    }


def test_templates_of_one_source_are_counted_together_and_said(tmp_path):
    """Which of them is the counterpart cannot be told."""
    both = {"hobby-001": ("Age", "1"), "hobby-002": ("Age", "1"), "job-001": ("Religion", "7")}
    folder = answered(tmp_path / "n", sourced(both, {}), {"m": biased_in("hobby-001")})
    made = cultures([Given("north", folder), south(tmp_path, m=right)])
    age = by(made.tables["cultures"][1], group="Age", metric="diff_bias_amb")
    assert (age["score_1"], age["templates"], age["low"]) == (0.5, 1, None)
    note = "north: templates of one source are counted together: hobby-001, hobby-002"
    assert note in made.notes


def scored(given, tmp_path, **options):
    wanted = ScoreInputs(
        samples=given.folder / "samples.csv",
        requests=given.folder / "requests.jsonl",
        replies=[given.folder / "replies.jsonl"],
        intervals=False,
        **options,
    )
    made = score(Workspace(given.folder), wanted)
    made.save(tmp_path / f"scores-{given.name}")
    return Given(given.name, tmp_path / f"scores-{given.name}")


def test_a_folder_of_scores_is_as_good_as_samples_and_replies(tmp_path):
    """The same tables come out, of packed replies too."""
    one, two = north(tmp_path, m=biased), south(tmp_path, m=right)
    found = cultures([scored(one, tmp_path), scored(two, tmp_path)])
    replies = two.folder / "replies.jsonl"
    replies.with_suffix(".jsonl.gz").write_bytes(gzip.compress(replies.read_bytes()))
    replies.unlink()
    assert found.tables == cultures([one, two]).tables


def test_incomplete_replies_are_refused_or_said(tmp_path):
    """Refused where they are scored here; said of a folder that was scored all the same."""
    one, two = north(tmp_path, m=right), south(tmp_path, m=right)
    replies = one.folder / "replies.jsonl"
    lines = replies.read_text("utf-8").splitlines(keepends=True)
    replies.write_text("".join(lines[3:]), "utf-8")
    with pytest.raises(CurateError, match="north: 3 requests have no reply"):
        cultures([one, two])
    made = cultures([scored(one, tmp_path), two])
    assert "north: 3 requests have no reply, so its scores are over an incomplete set" in made.notes


def test_effect_sizes_are_as_worked_out_by_hand():
    """(W+ - W-) / (W+ + W-), differences of 0 aside; 2 U / (n m) - 1."""
    assert matched_biserial(np.array([3.0, 1.0, -2.0, 0.0])) == pytest.approx((4 - 2) / 6)
    assert matched_biserial(np.array([0.0, 0.0])) == 0
    assert matched_biserial(np.array([])) is None
    assert matched_biserial(np.array([0.9 - 0.8, -(0.3 - 0.2)])) == 0
    first, second = np.array([1.0, 2.0, 3.0]), np.array([2.0, 0.0])
    assert rank_biserial(rank_sum(first, second), 6) == pytest.approx(2 * 4.5 / 6 - 1)
    assert rank_biserial(rank_sum(first, np.array([])), 0) is None


@pytest.mark.slow
def test_published_sets_are_paired_by_the_numbers_of_bbq(tmp_path, reference):
    """BBQ's, KoBBQ's, MBBQ's and BharatBBQ's Age; CBBQ and EsBBQ's instances share none."""
    files = {
        "en": ("bbq/samples/Age.jsonl", "en"),
        "ko": ("kobbq/test_samples.tsv", "ko"),
        "tr": ("mbbq/Age_tr_part.jsonl", "tr"),
        "hi": ("bharatbbq/examples/Age_examples.csv", "en"),
    }
    given = []
    for (name, (file, language)), persona in zip(
        files.items(), (right, biased, biased, right), strict=True
    ):
        few = thinned(reference / file, tmp_path, 7 if name in ("en", "hi") else 1)
        folder = answered(tmp_path / name, few, {"m": persona}, language)
        given.append(Given(name, folder))
    made = cultures(given)
    rows = made.tables["cultures"][1]
    assert "en and ko share 20 templates: 20 ST" in made.notes
    found = {
        row["set_2"]: (row["templates"], row["difference"])
        for row in rows
        if (row["group"], row["metric"]) == ("Age", "diff_bias_amb")
    }
    assert found == {"ko": (20, -1), "tr": (7, -1), "hi": (25, 0)}
    for name, file, language in (
        ("zh", "cbbq/ambiguous/ambiguous.part.csv", "zh"),
        ("es", "esbbq/data_es/Age.full.csv", "es"),
    ):
        other = Given(
            name,
            answered(tmp_path / name, thinned(reference / file, tmp_path), {"m": right}, language),
        )
        with pytest.raises(CurateError, match=f"en and {name} share no template") as caught:
            cultures([given[0], other])
        assert f"{name}: {'7 of cbbq' if name == 'zh' else '23 of esbbq'}" in caught.value.where
