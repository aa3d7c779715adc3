"""Lists of names and sentences in messages."""

import pytest

from curation.records.wording import ended, shortened


@pytest.mark.parametrize(
    ("names", "text"), [(["a", "b"], "a, b."), (["a", "b", "c"], "a, b, ..."), ([], ".")]
)
def test_a_list_of_names_ends_a_sentence(names: list[str], text: str) -> None:
    """With one full stop, or with the dots of what is not shown."""
    assert ended(shortened(names, 2)) == text
