"""The list of published files that a workspace keeps; others may have written it."""

import json

import pytest

from curation.files.sources import read_hashes
from curation.records.messages import CurateError


@pytest.mark.parametrize("name", ["../x.csv", "/etc/x.csv", "bbq/../../x.csv", "bbq\\..\\x.csv"])
def test_no_name_leads_out_of_the_folder(tmp_path, name):
    """Files are copied by these names."""
    entry = {"source": "bbq", "sha256": "0" * 64, "bytes": 1}
    (tmp_path / "sources.json").write_text(json.dumps([{**entry, "file": "bbq/x.csv"}]))
    assert read_hashes(tmp_path) == {"bbq/x.csv": ("bbq", "0" * 64, 1)}
    (tmp_path / "sources.json").write_text(json.dumps([{**entry, "file": name}]))
    with pytest.raises(CurateError, match="outside of the folder"):
        read_hashes(tmp_path)
