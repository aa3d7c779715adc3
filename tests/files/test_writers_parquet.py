"""What is peculiar to Parquet."""

import pyarrow as pa
import pytest
from pyarrow import parquet as pq

from curation.files.writers.parquet import write_parquet
from curation.records.messages import CurateError


def test_columns_have_the_types_of_their_cells(tmp_path):
    """The first cell that holds anything tells the type; an empty column is text."""
    path = tmp_path / "t.parquet"
    rows = [
        (None, None, None, None, None),
        ("x", 1, True, ("a", "b"), None),
        ("", 2**63 - 1, False, [], None),
    ]
    write_parquet(path, ["text", "number", "truth", "list", "nothing"], rows)
    assert pq.read_schema(path).types == [
        *(pa.string(), pa.int64(), pa.bool_(), pa.list_(pa.string()), pa.string())
    ]
    assert [tuple(row.values()) for row in pq.read_table(path).to_pylist()] == [
        (None, None, None, None, None),
        ("x", 1, True, ["a", "b"], None),
        ("", 2**63 - 1, False, [], None),
    ]


def test_row_groups_have_a_fixed_size(tmp_path):
    """Rows are written ten thousand at a time, in their order."""
    path = tmp_path / "t.parquet"
    assert write_parquet(path, ["n"], ([number] for number in range(20_001))) == 20_001
    metadata = pq.read_metadata(path)
    sizes = [metadata.row_group(at).num_rows for at in range(metadata.num_row_groups)]
    assert sizes == [10_000, 10_000, 1]
    assert pq.read_table(path)["n"].to_pylist() == list(range(20_001))


@pytest.mark.parametrize(
    ("usual", "odd"),
    [("text", 5), (5, "text"), (5, True), (True, 1), (("a",), 1), (("a",), "b"), (5, 2**63)],
)
@pytest.mark.parametrize("row", [2, 10_002])
def test_a_cell_of_another_type_is_an_error_with_its_column(tmp_path, usual, odd, row):
    """Nothing is converted unseen."""
    rows = [("x", usual)] * row
    rows[row - 1] = ("x", odd)
    with pytest.raises(CurateError) as refused:
        write_parquet(tmp_path / "t.parquet", ["id", "cell"], iter(rows))
    assert refused.value.where == "t.parquet, column cell"
    assert not any(tmp_path.iterdir())
