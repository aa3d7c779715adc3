"""Prompts as data."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from curation.records.errors import CurateError
from evaluation.occupations.tasks import bundled_prompts, read_prompts

SURVEY = {"title": "t", "intro": "i", "instructions": "n", "question": "{stereotype}?"}
TASK: dict[str, Any] = {
    "groups": {"w": ["a woman in {country}"], "m": ["a man in {country}"]},
    "instructions": [{"id": 1, "text": "{sentence} {options}"}],
    "survey": SURVEY,
}


def written(folder: Path, **changes: object) -> Path:
    """Write a file of prompts with one task, changed."""
    task = {key: value for key, value in {**TASK, **changes}.items() if value is not None}
    content = {"language": "xx", "country": "there", "unknown": "?", "tasks": {"craft": task}}
    path = folder / "prompts.yaml"
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("language", "tasks"),
    [
        ("en", ["persona-gender", "persona-age", "coreference"]),
        ("ko", ["persona-gender", "persona-age"]),
    ],
)
def test_the_bundled_prompts_have_three_instructions_and_two_personas(
    language: str, tasks: list[str]
) -> None:
    """As the method asks; every text says what the unknown option is for by its options."""
    prompts = bundled_prompts(language)
    assert list(prompts.tasks) == tasks
    for task in prompts.tasks.values():
        assert len({item.text for item in task.instructions}) == 3
        assert [len(personas) for personas in task.groups.values()] in ([2, 2], [])
        assert "{stereotype}" in task.survey.question
    assert prompts.task("persona-gender").group_names == ("female", "male")
    assert prompts.task("persona-age").group_names == ("under-45", "45-and-over")


def test_a_file_of_ones_own_is_read(tmp_path: Path) -> None:
    """Ids may be numbers."""
    prompts = read_prompts(written(tmp_path))
    assert prompts.task("craft").instructions[0].id == "1"
    with pytest.raises(CurateError) as refused:
        prompts.task("coreference")
    assert refused.value.what == "there are no prompts for coreference in 'xx'"


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"instructions": [{"id": "1", "text": "{sentence}"}]}, "instruction 1 lacks {options}"),
        (
            {"instructions": [{"id": "1", "text": "{sentence} {options} {name}"}]},
            "instruction 1 has {name}, which the toolkit does not fill in",
        ),
        (
            {"instructions": [{"id": "1", "text": "{sentence!r} {options}"}]},
            "instruction 1 has {a format}, which the toolkit does not fill in",
        ),
        (
            {"groups": {"w": ["in {city}"], "m": ["x"]}},
            "persona 'in {city}' has {city}, which the toolkit does not fill in",
        ),
        ({"groups": {"w": ["x"], "m": ["y", "z"]}}, "the two groups must have as many personas"),
        ({"groups": {"w": ["x"]}}, "there must be two groups, and something to name each"),
        ({"groups": None}, "a task has either groups with personas or pronouns"),
        (
            {"groups": None, "pronouns": {"w": ["she"], "m": ["he"]}},
            "instruction 1 lacks {pronoun}",
        ),
        ({"instructions": [TASK["instructions"][0]] * 2}, "two instructions have the id '1'"),
        ({"instructions": [{"id": "a-b", "text": "x"}]}, "an id has only letters, digits and _"),
    ],
)
def test_prompts_that_cannot_be_filled_in_are_refused(
    tmp_path: Path, changes: dict[str, object], what: str
) -> None:
    """With the place in the file."""
    path = written(tmp_path, **changes)
    with pytest.raises(CurateError) as refused:
        read_prompts(path)
    assert refused.value.what.startswith("tasks.craft")
    assert refused.value.what.removesuffix(" (and 1 more)").endswith(what)
    assert refused.value.where.startswith(f"{path}, line ")


def test_a_language_without_prompts_is_refused() -> None:
    """With the languages that there are."""
    with pytest.raises(CurateError) as refused:
        bundled_prompts("eu")
    assert refused.value.what == "there are no prompts in 'eu'"
    have = refused.value.hint.removeprefix("write your own (--prompts FILE); there are some in ")
    assert {"en", "es", "ko"} <= set(have.split(", "))
