"""Columns laid out as Arrow arrays."""

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from curation.files.writers.parquet import to_array

TEXT, TEXTS = pa.string(), pa.list_(pa.string())
SIGNS = st.text(st.characters(exclude_categories=("Cs",)), max_size=8)


@given(st.lists(st.none() | SIGNS))
def test_texts_are_those_of_arrow(column):
    """With and without gaps."""
    made = to_array(column, TEXT)
    made.validate(full=True)
    assert made.equals(pa.array(column, TEXT))


@given(st.lists(st.none() | st.lists(st.none() | SIGNS, max_size=3).map(tuple)))
def test_lists_are_those_of_arrow(column):
    """Empty ones, too."""
    made = to_array(column, TEXTS)
    made.validate(full=True)
    assert made.equals(pa.array(column, TEXTS))


@given(st.lists(st.none() | st.booleans()), st.lists(st.none() | st.integers(-(2**63), 2**63 - 1)))
def test_truth_values_and_numbers_are_those_of_arrow(truths, numbers):
    """Bits in Arrow's order."""
    for column, kind in ((truths, pa.bool_()), (numbers, pa.int64())):
        made = to_array(column, kind)
        made.validate(full=True)
        assert made.equals(pa.array(column, kind))
