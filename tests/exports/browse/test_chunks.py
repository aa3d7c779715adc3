"""Chunks of the page."""

import pytest

from exports.browse.chunks import ChunkWriter, read_chunk

CONTENT = {"texts": ['</script><img onerror="x">', "한국어 עברית", "\u2028 \\ ' `"], "n": [1, None]}


def test_a_chunk_comes_back_as_it_was_written(tmp_path):
    """What the page gets is what was handed over, whatever characters are in it."""
    writer = ChunkWriter(tmp_path)
    writer.add("samples-3-0", CONTENT)
    path = tmp_path / "data" / "samples-3-0.js"
    assert read_chunk(path) == CONTENT
    assert writer.sizes == {"samples-3-0": path.stat().st_size}


def test_half_a_pair_of_characters_comes_through(tmp_path):
    """Models are cut off in the middle of an emoji, and the page shows what they wrote."""
    ChunkWriter(tmp_path).add("replies", ["\ud83d", "한"])
    assert read_chunk(tmp_path / "data" / "replies.js") == ["\ud83d", "한"]


def test_a_name_that_is_no_name_or_stands_twice_is_refused(tmp_path):
    """No chunk lies anywhere but in its folder, none is code by its name or written over."""
    writer = ChunkWriter(tmp_path)
    for name in ("", "../index", "Index", "a b", "samples-", "a.js", 'a"'):
        with pytest.raises(ValueError, match="cannot name another chunk"):
            writer.add(name, {})
    assert not (tmp_path / "data").exists()
    writer.add("index", {})
    with pytest.raises(ValueError, match="index cannot name another chunk"):
        writer.add("index", {"other": 1})
    assert read_chunk(tmp_path / "data" / "index.js") == {}
