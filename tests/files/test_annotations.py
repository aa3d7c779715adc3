"""The folder of annotations."""

from curation.files.annotations import read_renamed, write_renamed


def test_a_template_renamed_twice_is_found_by_its_first_id(tmp_path):
    """The steps are followed to the latest id."""
    path = tmp_path / "renamed.csv"
    write_renamed(path, {"job-001": "trade-001"}, "t1")
    write_renamed(path, {"trade-001": "craft-003"}, "t2")
    assert read_renamed(path) == {"job-001": "craft-003", "trade-001": "craft-003"}
