"""What a way from the first step to the last writes, compared with a file of the tests."""

import os

import pytest
from doc_pages import EPOCH
from scenarios import _written

SKIPPED = (".svg", ".png", "manifest.json", "culture.yaml", "bank.csv", "groups.csv")


@pytest.fixture
def as_written(tmp_path, request, monkeypatch):
    """Compare the tables and requests in `work` with a file, shown as scenarios show them.

    With `WRITE_EXPECTED=1` in the environment the file is written anew.
    """
    monkeypatch.setenv("SOURCE_DATE_EPOCH", EPOCH)

    def check(name):
        path = request.path.with_name(name)
        parts = "".join(_written(tmp_path, {}, hidden=False)).split("== ")
        names = [part.splitlines()[0].split(":")[0] for part in parts[1:]]
        found = zip(names, parts[1:], strict=True)
        text = "".join(f"== {part}" for name, part in found if not name.endswith(SKIPPED))
        if os.environ.get("WRITE_EXPECTED"):
            path.write_text(text, encoding="utf-8")
        assert text.splitlines() == path.read_text(encoding="utf-8").splitlines()

    return check
