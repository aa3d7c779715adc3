"""Prompts."""

import pytest

from curation.records.culture import Culture
from curation.records.errors import CurateError
from evaluation.simulate.wording import load_wording, read_prompts

GOOD = "- {id: x, choice: '{question} {options}', select_all: '{options}{question}{culture}'}\n"


def write(tmp_path, text):
    """Write a file of prompts."""
    path = tmp_path / "prompts.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_prompts_of_one_s_own_take_the_place_of_the_toolkit_s(tmp_path):
    """A file holds a list; a culture in a language without prompts needs one."""
    path = write(tmp_path, GOOD)
    assert [item.id for item in read_prompts(path)] == ["x"]
    culture = Culture(culture="Nowhere", language="en-GB", unknown="Unknown")
    assert [item.id for item in load_wording(culture, path).prompts] == ["x"]
    assert [item.id for item in load_wording(culture).prompts] == ["1", "2", "3"]


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
