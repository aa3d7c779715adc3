"""What a way from the first step to the last writes, compared with a file of the tests."""

import os
import re

import pytest
import scenarios
from doc_pages import EPOCH

SKIPPED = (".svg", ".png", ".html", ".md", "manifest.json", "culture.yaml", "bank.csv")
DIGITS = re.compile(r"-?\d+\.\d{9,}(?:e-?\d+)?")


@pytest.fixture
def as_written(tmp_path, request, monkeypatch):
    """Compare the tables and requests in `work` with a file, shown as scenarios show them.

    With `WRITE_EXPECTED=1` in the environment the file is written anew. Numbers have 9 digits:
    the last ones are not the same with every version of scipy.
    """
    normal = scenarios._normal

    def rounded(text, place):
        return DIGITS.sub(lambda found: f"{float(found[0]):.9g}", normal(text, place))

    monkeypatch.setattr(scenarios, "_normal", rounded)
    monkeypatch.setattr(scenarios, "SHOWN_ROWS", 6)
    monkeypatch.setattr(scenarios, "FIRST_ROWS", 0)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", EPOCH)

    def check(name):
        path = request.path.with_name(name)
        parts = "".join(scenarios._written(tmp_path, {}, hidden=False)).split("== ")[1:]
        names = [part.splitlines()[0].split(":")[0] for part in parts]
        found = zip(names, parts, strict=True)
        text = "".join(f"== {part}" for name, part in found if not name.endswith(SKIPPED))
        if os.environ.get("WRITE_EXPECTED"):
            path.write_text(text, encoding="utf-8")
        assert text.splitlines() == path.read_text(encoding="utf-8").splitlines()

    return check
