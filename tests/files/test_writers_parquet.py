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
    ("usual", "odd", "kind"),
    [
        ("text", 5, "text"),
        (5, "text", "whole number"),
        (5, True, "whole number"),
        (True, 1, "truth value"),
        (("a",), "a", "list"),
        (5, 2**63, "whole number"),
        (5, -(2**63) - 1, "whole number"),
    ],
)
@pytest.mark.parametrize("row", [2, 10_002])
def test_a_cell_of_another_type_is_an_error_with_its_place(tmp_path, usual, odd, kind, row):
    """Nothing is converted unseen: the first cell that does not fit is named."""
    rows = [("x", usual)] * row
    rows[row - 1] = ("x", odd)
    with pytest.raises(CurateError) as refused:
        write_parquet(tmp_path / "t.parquet", ["id", "cell"], iter(rows))
    assert refused.value.what == f"'{odd}' is not a {kind}, as the column is in Parquet"
    assert refused.value.where == f"t.parquet, row {row + 1}, column cell"
    assert not any(tmp_path.iterdir())
