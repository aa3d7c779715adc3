"""The page of the demo as a whole: each kind of chunk by its hash.

A change that is meant shows here which kinds it alters: look at them, and write the new hashes.
"""

import json
from hashlib import sha256
from itertools import groupby

import pytest

from curation import __version__
from curation.files.workspace import Workspace
from exports.browse import write_browse
from exports.browse.chunks import read_chunk

HASHES = {
    "index": "09e474bcc36e",
    "samples": "c411be5b8fa0",
    "search": "1acb92f0d3cf",
    "survey": "3546580712d8",
    "template": "60f92688b4a0",
}


def test_the_page_of_the_demo_comes_out_the_same(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever version made it, and when."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
    data = write_browse(workspace).folder / "data"
    found = {}
    for kind, paths in groupby(sorted(data.iterdir()), lambda path: path.stem.split("-")[0]):
        whole = json.dumps([[path.stem, read_chunk(path)] for path in paths])
        found[kind] = sha256(whole.replace(__version__, "VERSION").encode()).hexdigest()[:12]
    assert found == HASHES
