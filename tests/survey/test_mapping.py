"""Mappings as they are written, drafts among them."""

import pytest

from curation.records.messages import CurateError
from survey.mapping import load_mapping

HEAD = "respondent: {id: who}\nattributes: {form: F, gender: {column: G, values: {1: f, 2: %s}}}\n"
PART = "  - {id: %s, kind: choice, column: %s, options: {1: 1, 2: '%s', 3: none}}\n"


def write(folder, *options, gender="m", heading=""):
    parts = [PART % (f"q-{at}", f"Q{at}", option) for at, option in enumerate(options)]
    path = folder / "mapping.yaml"
    path.write_text(heading + HEAD % gender + "questions:\n" + "".join(parts), encoding="utf-8")
    return path


def test_a_draft_is_refused_until_it_is_finished(tmp_path):
    """With the file, the question and the value, and what to do."""
    assert load_mapping(write(tmp_path, "2", "none")).questions[1].options["2"] == "none"
    path = write(tmp_path, "2", "?")
    with pytest.raises(CurateError) as caught:
        load_mapping(path)
    error = caught.value
    assert error.what == "the draft is not finished: question q-1 has '?' for '2'"
    assert error.where == f"{path}, question q-1"
    assert "in place of '?'" in error.hint
