"""Readings of continued stories, and the pairs of their two versions."""

from collections import Counter
from pathlib import Path

import pytest

from curation.records.errors import CurateError
from evaluation.stories.pairs import PAIR_KINDS, PAIR_OUT, Pairs, read_pairs

HEADER = "model,template_id,question,version,reading"
PAIR = ["m,age-001,bsd,a,B", "m,age-001,bsd,b,C"]


def write(folder: Path, *rows: str, header: str = HEADER) -> Path:
    """Write a file of readings."""
    path = folder / "readings.csv"
    path.write_text("\n".join((header, *rows)) + "\n", encoding="utf-8")
    return path


def kinds(pairs: Pairs) -> dict[str, int]:
    """Count the kinds of pairs."""
    names = (*PAIR_KINDS, "out")
    return dict(Counter(names[kind] for kind in pairs.kind))


@pytest.mark.parametrize(
    ("readings", "kind"),
    [
        ("UU", "uu"), ("BC", "bc"), ("CB", "bc"), ("BB", "bb"), ("BU", "bu"), ("UB", "bu"),
        ("CU", "cu"), ("UC", "cu"), ("CC", "cc"),
    ],
)  # fmt: skip
def test_every_two_readings_make_one_unordered_pair(
    tmp_path: Path, readings: str, kind: str
) -> None:
    """Either order of two readings is the same kind of pair."""
    rows = [f"m,age-001,bsd,{version},{item}" for version, item in zip("ab", readings, strict=True)]
    assert kinds(read_pairs(write(tmp_path, *rows))) == {kind: 1}


@pytest.mark.parametrize("other", ["B", "C", "U", "out_of_choice"])
def test_a_reading_out_of_choice_takes_its_pair_out(tmp_path: Path, other: str) -> None:
    """Whatever the other reading is, in either version."""
    rows = [
        *("m,age-001,bsd,a,out_of_choice", f"m,age-001,bsd,b,{other}"),
        *(f"m,age-002,bsd,a,{other}", "m,age-002,bsd,b,out_of_choice"),
    ]
    pairs = read_pairs(write(tmp_path, *rows))
    assert pairs.kind.tolist() == [PAIR_OUT, PAIR_OUT]


def test_the_second_list_of_names_makes_pairs_of_its_own(tmp_path: Path) -> None:
    """`a` goes with `b` and `c` with `d`, of one template and question."""
    rows = [f"m,age-001,bsd,{version},{item}" for version, item in zip("abcd", "BCUU", strict=True)]
    pairs = read_pairs(write(tmp_path, *rows))
    assert kinds(pairs) == {"bc": 1, "uu": 1}
    assert pairs.templates == ("age-001",)
    assert pairs.categories == ("age",)


def test_other_names_of_the_two_versions_are_taken(tmp_path: Path) -> None:
    """Two names that are no letters of variants are the two versions."""
    rows = ["m,age-001,bsd,first,B", "m,age-001,bsd,swapped,B"]
    assert kinds(read_pairs(write(tmp_path, *rows))) == {"bb": 1}


def test_rows_may_stand_in_any_order(tmp_path: Path) -> None:
    """Models, templates and questions are told apart wherever their rows stand."""
    rows = [
        "n,age-001,bsd,b,C", "m,age-001,cnt,a,U", "m,age-001,bsd,b,B", "n,age-001,bsd,a,C",
        "m,age-001,cnt,b,C", "m,age-001,bsd,a,B",
    ]  # fmt: skip
    pairs = read_pairs(write(tmp_path, *rows))
    found = [(pairs.models[m], PAIR_KINDS[k]) for m, k in zip(pairs.model, pairs.kind, strict=True)]
    assert sorted(found) == [("m", "bb"), ("m", "cu"), ("n", "cc")]


@pytest.mark.parametrize("column", ["seed", "set", "prompt_id", "prompt", "filling"])
def test_runs_of_one_story_are_told_apart(tmp_path: Path, column: str) -> None:
    """Seed, prompt and filling make stories of their own; seed and prompt make runs."""
    rows = [f"{row},{run}" for run in "12" for row in PAIR]
    pairs = read_pairs(write(tmp_path, *rows, header=f"{HEADER},{column}"))
    assert kinds(pairs) == {"bc": 2}
    assert pairs.has_runs == (column != "filling")
    assert pairs.runs == (("1", "2") if column != "filling" else ("",))


def test_seed_and_prompt_together_make_a_run(tmp_path: Path) -> None:
    """Two seeds with two prompts are four runs."""
    rows = [f"{row},{seed},p{prompt}" for seed in "12" for prompt in "12" for row in PAIR]
    pairs = read_pairs(write(tmp_path, *rows, header=f"{HEADER},seed,prompt_id"))
    assert pairs.runs == ("1 p1", "1 p2", "2 p1", "2 p2")
    assert pairs.run.tolist() == [0, 1, 2, 3]


def refused(folder: Path, *rows: str, header: str = HEADER, allow: bool = False) -> CurateError:
    """The error that some rows are refused with."""
    with pytest.raises(CurateError) as caught:
        read_pairs(write(folder, *rows, header=header), allow_incomplete=allow)
    return caught.value


def test_a_story_without_its_second_version_is_refused(tmp_path: Path) -> None:
    """The error names the story and its row; nothing is scored without it."""
    error = refused(tmp_path, *PAIR, "m,age-002,cnt,a,U")
    assert error.what == ("1 story lacks its second version: age-002 (m, cnt, version a alone)")
    assert error.where.endswith("readings.csv, row 4")
    assert "--allow-incomplete" in error.hint


def test_incomplete_stories_are_left_out_and_counted_where_that_is_asked_for(
    tmp_path: Path,
) -> None:
    """They are a finding, counted by model and template."""
    path = write(tmp_path, *PAIR, "m,age-002,cnt,a,U", "m,age-002,bsd,b,U")
    pairs = read_pairs(path, allow_incomplete=True)
    assert kinds(pairs) == {"bc": 1}
    assert pairs.incomplete.tolist() == [[0, 2]]
    (finding,) = pairs.findings
    assert (finding.rule, finding.row) == ("story-incomplete", 5)
    assert finding.message.startswith("2 stories lack their second version: age-002 (m, bsd")


def test_c_does_not_complete_a(tmp_path: Path) -> None:
    """The two lists of names are different stories."""
    error = refused(tmp_path, "m,age-001,bsd,a,B", "m,age-001,bsd,c,B")
    assert error.what.startswith("2 stories lack their second version")


def test_a_reading_that_stands_twice_is_refused(tmp_path: Path) -> None:
    """Even where both say the same."""
    error = refused(tmp_path, *PAIR, PAIR[0])
    assert error.what == "1 readings occur twice; the first in rows 2 and 4"
    assert error.where.endswith("row 4")


def test_what_is_no_reading_is_refused_with_its_row(tmp_path: Path) -> None:
    """A small letter, a word, an empty cell."""
    error = refused(tmp_path, PAIR[0], "m,age-001,bsd,b,b")
    assert (error.what, error.hint) == ("'b' is not a reading", "use B, C, U, out_of_choice")
    assert error.where.endswith("row 3, column reading")
    error = refused(tmp_path, PAIR[0], "m,age-001,bsd,b,")
    assert error.what == "the cell is empty"
    assert error.where.endswith("row 3, column reading")


def test_versions_that_cannot_be_paired_are_refused(tmp_path: Path) -> None:
    """Three names that are no letters of variants leave open which belong together."""
    error = refused(tmp_path, *(f"m,age-001,bsd,{name},B" for name in ("one", "three", "two")))
    assert error.what == "the versions one, three, two cannot be paired"


def test_a_missing_column_is_refused(tmp_path: Path) -> None:
    """The header says what it lacks."""
    header = "model,template_id,version,reading"
    assert refused(tmp_path, "m,age-001,a,B", header=header).what == "the header lacks question"


def test_a_file_of_a_header_alone_is_refused(tmp_path: Path) -> None:
    """No readings are not scores of nothing."""
    assert refused(tmp_path).what == "there is no reading in the file"


def test_ids_that_name_no_category_are_said(tmp_path: Path) -> None:
    """They count overall, and in no category."""
    pairs = read_pairs(write(tmp_path, *(row.replace("age-001", "x1") for row in PAIR)))
    assert pairs.categories == ("",)
    (finding,) = pairs.findings
    assert (finding.rule, finding.message) == (
        "story-category",
        "1 templates have ids that name no category: x1",
    )


def test_a_column_of_categories_goes_before_the_ids(tmp_path: Path) -> None:
    """A template that is told to be of two categories is refused."""
    header = f"{HEADER},category"
    pairs = read_pairs(write(tmp_path, *(f"{row},Old" for row in PAIR), header=header))
    assert (pairs.categories, pairs.findings) == (("Old",), ())
    error = refused(tmp_path, f"{PAIR[0]},Old", f"{PAIR[1]},New", header=header)
    assert error.what == "age-001 is of two categories"
    assert error.where.endswith("row 3, column category")


def test_names_are_read_without_what_keeps_them_from_being_formulas(tmp_path: Path) -> None:
    """The table of readings is written with an apostrophe before them."""
    rows = [row.replace("m,", "'=m,", 1) for row in PAIR]
    assert read_pairs(write(tmp_path, *rows)).models == ("=m",)
