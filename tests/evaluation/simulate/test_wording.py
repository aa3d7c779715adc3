"""Prompts."""

import pytest

from curation.records.errors import CurateError
from evaluation.simulate.wording import read_prompts

GOOD = "- {id: x, choice: '{question} {options}', select_all: '{options}{question}{culture}'}\n"


def write(tmp_path, text):
    """Write a file of prompts."""
    path = tmp_path / "prompts.yaml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "there is no prompt"),
        (GOOD + GOOD, "two prompts have the id 'x'"),
        ("- {id: x", "not YAML"),
        ("- 1\n", "cannot be read"),
        (GOOD.replace("{question} ", ""), "it lacks {question}"),
        (GOOD.replace("{culture}", "{country}"), "it has {country}"),
        (GOOD.replace("{culture}", "{"), "cannot be read"),
        (GOOD.replace("id: x", "id: a-p1"), "letters, digits and _"),
        (GOOD.replace("id: x, ", ""), "cannot be read: 0, id"),
        (GOOD.replace("id: x", "id: x, more: 1"), "cannot be read"),
    ],
)
def test_prompts_that_cannot_be_used_are_refused(tmp_path, text, message):
    """What is wrong is said, and what a file of prompts looks like."""
    with pytest.raises(CurateError) as error:
        read_prompts(write(tmp_path, text))
    assert message in error.value.what
    assert "id, choice and select_all" in error.value.hint
