"""The first rows of every published file, byte for byte: what a reader must accept."""

from collections import Counter

from curation.sources.published_samples import read_published

OPEN = {"cbbq": 104, "pakbbq": 22, "mbbq": 120}
"""By set how many of the rows leave the role open: of CBBQ those whose answers do not tell, of
PakBBQ those that contradict themselves, and MBBQ's control sets."""
ROWS = {"bbq": 42, "bharatbbq": 91, "cbbq": 253, "mbbq": 240, "pakbbq": 88}
"""By set the rows of its files."""


def test_every_published_file_is_read(reference):
    """Whole, and with the roles that it settles; predictions and templates are no samples."""
    rows = Counter()
    open_ = Counter()
    for name in ROWS:
        for path in sorted((reference / "heads" / name).iterdir()):
            if path.is_dir() or "Predictions" in path.name:
                continue
            for item in read_published(path).rows:
                rows[name] += 1
                open_[name] += not item.biased_answer
    assert rows == ROWS
    assert +open_ == OPEN
