"""Tests of objects that are made without being watched."""

import gc

import pytest

from curation.records.collecting import without_collecting


def test_whoever_watched_watches_again() -> None:
    """Also after an error."""
    assert gc.isenabled()
    with without_collecting():
        assert not gc.isenabled()
    assert gc.isenabled()
    with pytest.raises(ValueError, match="once"), without_collecting():
        raise ValueError("once")
    assert gc.isenabled()


def test_whoever_did_not_watch_does_not_now() -> None:
    """A block within another changes nothing."""
    with without_collecting():
        with without_collecting():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()
