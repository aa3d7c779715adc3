"""Batch files are split where a limit would be passed, and nowhere else."""

import json
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from evaluation.batch.formats import BatchFile, Format, Limits, Parts


def item(number, text="x"):
    """Make an item."""
    return {"custom_id": f"r{number}", "text": text}


def written(folder, format_, limits, items):
    """Write items; gives the files and the number of each item's file."""
    with Parts(folder, format_, limits) as parts:
        numbers = [parts.add(each) for each in items]
    return parts.files, numbers


def read(folder, file):
    """Read the items of a batch file back."""
    text = (folder / file.name).read_text(encoding="utf-8")
    if file.name.endswith(".json"):
        return json.loads(text)["requests"]
    assert text.endswith("\n")
    return [json.loads(line) for line in text.splitlines()]


@given(
    texts=st.lists(st.text(max_size=40), max_size=12),
    most=st.integers(1, 5),
    size=st.integers(400, 900),
    format_=st.sampled_from(Format),
)
def test_every_item_is_in_one_file_within_the_limits(tmp_path_factory, texts, most, size, format_):
    """In their order, with no file that the next item would have fitted into."""
    folder = tmp_path_factory.mktemp("parts")
    items = [item(at, text) for at, text in enumerate(texts)]
    files, _ = written(folder, format_, Limits(most, size), items)
    assert [each for file in files for each in read(folder, file)] == items
    assert all(file.requests <= most and file.size <= size for file in files)
    assert all(isinstance(file, BatchFile) for file in files)
    for first, second in pairwise(files):
        following = read(folder, second)[0]
        longer = [*read(folder, first), following]
        (whole,), _ = written(folder, format_, Limits(99, 99_999), longer)
        assert first.requests == most or whole.size > size
