"""Chunks of the page."""

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
