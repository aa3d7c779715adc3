"""Samples from every file that they are exported to."""

import csv
import json

import pytest
from benchmark import UNKNOWN, benchmark, write_samples

from curation.files.tables import list_literal
from curation.records.messages import CurateError
from curation.records.sample import SAMPLE_COLUMNS
from evaluation.qa.samples import SampleFile


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet"])
def test_what_was_exported_is_read_back(tmp_path, ending):
    """Formulas that the spreadsheet formats escape too."""
    samples = [item._replace(question="=1+1", stereotype="'-x") for item in benchmark()]
    assert list(SampleFile(write_samples(tmp_path / f"s.{ending}", samples))) == samples


def test_the_published_table_is_read(tmp_path):
    """Its category is that of the ids, its lists are Python's."""
    path = tmp_path / "test.tsv"
    path.write_text(
        "sample_id\tlabel_annotation\tcontext\tquestion\tchoices\tbiased_answer\tanswer\tbbq_id\t"
        "bbq_category\tprediction\n"
        "home_town-004b-012-dis-cnt\tTM\tC\tQ\t['x', 'it\\'s', '?']\tit's\tit's\t4\tNat\t\n",
        "utf-8",
    )
    (found,) = SampleFile(path)
    assert found.choices == ("x", "it's", "?")
    assert found._replace(choices=()) == (
        *("home_town-004b-012-dis-cnt", "home_town-004", "b", "home_town", "TM", "", "C", "Q"),
        *("dis", "cnt", (), "it's", "it's", "", "", "4", "Nat"),
    )


def test_the_published_rows_are_read_from_json_lines_too(tmp_path):
    """The hub has their choices as a list; a row without its columns is told of those."""
    row = {"sample_id": "town-004b-012-amb-cnt", "label_annotation": "TM", "context": "C"}
    row |= {"question": "Q", "choices": ["x", "y", "?"], "biased_answer": "y", "answer": "?"}
    path = tmp_path / "test.jsonl"
    path.write_text(json.dumps(row | {"bbq_id": "4", "bbq_category": "Nat"}) + "\n", "utf-8")
    (found,) = SampleFile(path)
    assert found.choices == ("x", "y", "?")
    assert (found.category, found.label, found.source_id) == ("town", "TM", "4")
    with path.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(row) + "\n")
    with pytest.raises(CurateError, match="it lacks 'bbq_id'"):
        list(SampleFile(path))


def spoil(tmp_path, column, value, at=1):
    """Write a benchmark in which one cell says something else."""
    path = write_samples(tmp_path / "s.csv", benchmark())
    rows = list(csv.reader(path.read_text("utf-8").splitlines()))
    rows[at][SAMPLE_COLUMNS.index(column)] = value
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows(rows)
    return path


@pytest.mark.parametrize(
    ("column", "value", "at", "message"),
    [
        ("sample_id", "hobby-1", 1, "'hobby-1' is not a sample id"),
        ("variant", "b", 1, "variant is 'b', which its id contradicts"),
        ("template_id", "job-001", 1, "template_id is 'job-001', which its id contradicts"),
        ("choices", '["a", "b"]', 1, "choices are not three"),
        ("choices", "a, b, c", 1, "choices is not a list of texts"),
        ("biased_answer", UNKNOWN, 1, "biased_answer is the unknown choice"),
        ("answer", "the diver hobby-001 1", 1, "answer is not its third choice"),
        ("answer", UNKNOWN, 3, "answer is not one of its first two choices"),
        ("answer", "the diver hobby-001 1", 3, "do not fit its variant"),
    ],
)
def test_a_sample_that_contradicts_itself_is_refused(tmp_path, column, value, at, message):
    """Scores would be wrong without a sign."""
    path = spoil(tmp_path, column, value, at)
    with pytest.raises(CurateError) as caught:
        list(SampleFile(path))
    assert message in caught.value.what
    assert caught.value.where == f"{path}, row {at + 1}"


def test_nothing_in_a_list_is_run():
    """A cell is a literal, or no list."""
    assert list_literal("[__import__('os').getcwd()]") is None
    assert list_literal("['a', 1]") is None


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("s.xlsx", b"PK\x03\x04", "s.xlsx is no workbook that can be opened"),
        ("s.csv", b"PK\x03\x04", "s.csv is an XLSX workbook"),
        ("s.csv", b"sample_id,category\n", "of no known layout"),
        ("s.csv", b"", "s.csv holds no sample"),
        ("s.jsonl", b"{}\n", "of no known layout"),
        ("s.jsonl", b"[1]\n", "the line is not a JSON object"),
        ("s.jsonl", b"{", "the line is not JSON in UTF-8"),
        ("s.jsonl", b"\n", "s.jsonl holds no sample"),
        ("s.parquet", b"PAR1", "s.parquet cannot be read"),
        ("s.parquet", b"PAR1" + bytes(8) + b"\x08\0\0\0PAR1", "s.parquet cannot be read"),
    ],
)
def test_a_file_that_holds_no_samples_is_refused(tmp_path, name, content, message):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(CurateError) as caught:
        list(SampleFile(path))
    assert message in caught.value.what
