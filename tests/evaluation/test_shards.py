"""Parts of a set of requests."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.records.messages import CurateError
from evaluation.requests import Shard, in_shard, parse_shard


@given(st.sets(st.text(min_size=1), max_size=60), st.integers(1, 9))
def test_parts_are_disjoint_and_complete(names, count):
    """Whatever the ids are: each is in one part."""
    names = {name for name in names if name.isprintable()}
    parts = [Shard(index, count) for index in range(1, count + 1)]
    assert all(sum(in_shard(name, part) for part in parts) == 1 for name in names)


def test_parts_are_the_same_everywhere():
    """They depend on the id alone: these come from b2sum -l 64, the last two bits of each sum."""
    found = [
        next(part for part in range(1, 5) if in_shard(name, Shard(part, 4)))
        for name in ("age-001a-002-amb-bsd-0-p1", "r0", "r1", "가")
    ]
    assert found == [1, 2, 1, 2]


def test_a_part_is_written_as_it_is_read():
    """Counted from 1; what names none is refused."""
    assert [str(parse_shard(text)) for text in ("1/1", " 8/8 ")] == ["1/1", "8/8"]
    for text in ("", "2", "0/3", "1/0", "-1/3", "1/3/5", "a/b", "4/3"):
        with pytest.raises(CurateError, match=r"names no part|there is no part 4/3") as refused:
            parse_shard(text)
        assert refused.value.hint
