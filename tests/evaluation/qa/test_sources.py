"""What templates come from: whose numbers they have, and where that is said."""

import pytest
from benchmark import benchmark

from curation.files.workspace import Workspace
from curation.records.messages import CurateError
from evaluation.qa.prepare import gather
from evaluation.qa.samples import Source, set_of, sets_named_by_bank, source_of, template_rows


@pytest.mark.parametrize(
    ("written", "number"),
    [("1", "1"), ("1.0", "1"), ("007", "7"), ("19b", "19"), (" 3 ", "3"), ("Age-01", "Age-01")],
)
def test_numbers_are_as_bbqs_samples_have_them(written, number):
    """Without zeros before them, the point of a float or the letter of a version."""
    assert source_of("bbq", "Age", written) == Source("bbq", "age", number)


def test_categories_are_compared_without_case_and_blanks():
    """Sets write them in several ways; no number is no source."""
    assert source_of("bbq", "Race_ethnicity", "1") == source_of("bbq", "RaceEthnicity", "1")
    assert source_of("bbq", "Age", "") is None
    assert source_of("bbq", "N/A", "N/A") is None


def test_a_set_has_bbqs_numbers_or_its_own():
    """KoBBQ and the templates of EsBBQ name BBQ's; of BharatBBQ those of Age are known to."""
    assert [set_of(name, "Age") for name in ("bbq", "kobbq", "esbbq")] == ["bbq"] * 3
    assert (set_of("bharatbbq", "Age"), set_of("bharatbbq", "Caste")) == ("bbq", "bharatbbq")
    assert (set_of("cbbq", "SES"), set_of("", "SES")) == ("cbbq", "")


def test_templates_of_the_culture_are_their_own_source(tmp_path):
    """Of one bank they are pairs in every set; of two cultures, templates of one number are not."""
    named = {}
    for culture in ("North", "South"):
        folder = tmp_path / culture
        (folder / "templates_src").mkdir(parents=True)
        (folder / "culture.yaml").write_text(f"culture: {culture}\nlanguage: en\nunknown: U\n")
        bank = "template_id,source\nhobby-001,\njob-001,bbq\njob-002,\n"
        (folder / "templates_src" / "bank.csv").write_text(bank, "utf-8")
        named[culture] = sets_named_by_bank(Workspace(folder), None)
    assert named["North"] == {"hobby-001": "own: North", "job-001": "bbq", "job-002": "own: North"}
    samples = [item._replace(source_id="") for item in benchmark(["hobby-001"])]
    samples += [item._replace(source_id="7") for item in benchmark(["job-001", "job-002"])]
    found = {}
    for culture, of in named.items():
        found[culture] = [
            source_of(str(row["source"]), str(row["source_category"]), str(row["source_id"]))
            for row in template_rows(gather(samples).told, "ours", of)
        ]
    first, second = found["North"], found["South"]
    assert first[0] == Source("own: North", "hobby", "001".lstrip("0"))
    assert (first[0] == second[0], first[1] == second[1]) == (False, True)
    assert first[2] == Source("", "", "7")  # it names a number, and of which set is not said


def test_the_bank_is_found_above_the_samples(tmp_path):
    """In the workspace that they were exported from, or in the package that they are in."""
    table = "template_id,source\nage-001,bbq\nage-002,\n"
    for root in (tmp_path / "ws", tmp_path / "package" / "workspace"):
        (root / "templates_src").mkdir(parents=True)
        (root / "templates_src" / "bank.csv").write_text(table, "utf-8")
    ws = Workspace(tmp_path / "ws")
    expected = {"age-001": "bbq", "age-002": ""}
    assert sets_named_by_bank(ws, None) == expected
    nowhere = Workspace(tmp_path / "nowhere")
    exported = tmp_path / "ws" / "exports" / "samples" / "samples.csv"
    assert sets_named_by_bank(nowhere, exported) == expected
    packed = tmp_path / "package" / "test" / "test-00000-of-00001.parquet"
    assert sets_named_by_bank(nowhere, packed) == expected
    assert sets_named_by_bank(nowhere, tmp_path / "s.csv") == {}
    (tmp_path / "ws" / "templates_src" / "bank.csv").write_text("id\n1\n", "utf-8")
    with pytest.raises(CurateError, match="template_id"):
        sets_named_by_bank(ws, None)
