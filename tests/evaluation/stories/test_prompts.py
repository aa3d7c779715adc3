"""Prompts for continuations."""

from pathlib import Path

import pytest

from curation.languages import available, load
from curation.records.errors import CurateError
from evaluation.stories.continuing import continuation_prompts


@pytest.mark.parametrize("language", ["en", "ko", "ko-KR"])
def test_a_language_has_five_prompts_that_differ(language: str) -> None:
    """Each holds the story once, and says nothing of one and the other."""
    prompts = continuation_prompts(language)
    assert [prompt.id for prompt in prompts] == ["1", "2", "3", "4", "5"]
    texts = [prompt.text("STORY {x}") for prompt in prompts]
    assert len(set(texts)) == 5
    for text in texts:
        assert text.count("STORY {x}") == 1
        assert not any(word in text.split() for word in ("one", "other", "person"))


@pytest.mark.parametrize("language", [code for code in available() if load(code).stories])
def test_every_language_has_a_prompt_of_free_length(language: str) -> None:
    """It holds the story, and no number."""
    (prompt,) = continuation_prompts(language, free_length=True)
    assert prompt.id == "free"
    assert prompt.text("STORY").count("STORY") == 1
    assert not any(character.isdigit() for character in prompt.layout)


def test_prompts_of_ones_own_take_their_place(tmp_path: Path) -> None:
    """Some of them may be chosen by their ids."""
    path = tmp_path / "prompts.yaml"
    path.write_text('prompts: [{id: x, layout: "A {story}"}, {id: 2, layout: "{story} B"}]\n')
    assert [prompt.text("S") for prompt in continuation_prompts("en", path)] == ["A S", "S B"]
    assert [prompt.id for prompt in continuation_prompts("en", path, ["2"])] == ["2"]
    with pytest.raises(CurateError, match="there is no prompt 'y'") as caught:
        continuation_prompts("en", path, ["y"])
    assert caught.value.hint == "there are x, 2"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("prompts: []", "prompts: it has fewer than 1 item"),
        ('prompts: [{id: x, layout: "no place"}]', "the layout lacks {story}"),
        (
            'prompts: [{id: x, layout: "{story} {name}"}]',
            "the layout has {name}, which the toolkit",
        ),
        ('prompts: [{id: x, layout: "{story!r}"}]', "the layout has {a format}, which the toolkit"),
        ('prompts: [{id: "x y", layout: "{story}"}]', "an id has only letters, digits and _"),
        ('prompts: [{id: x, layout: "{story}"}, {id: x, layout: "{story}"}]', "two prompts have"),
        ("prompts: [", "prompts.yaml is not valid YAML"),
    ],
)
def test_a_file_that_holds_no_prompts_is_refused(tmp_path: Path, text: str, message: str) -> None:
    """With what is wrong."""
    path = tmp_path / "prompts.yaml"
    path.write_text(text + "\n")
    with pytest.raises(CurateError) as caught:
        continuation_prompts("en", path)
    assert message in caught.value.what
    assert caught.value.where in (f"{path}, line 1", f"{path}, line 2")


def test_a_language_without_prompts_asks_for_some() -> None:
    """They may be the user's own."""
    with pytest.raises(CurateError, match="no prompts for continuations in 'eu'"):
        continuation_prompts("eu")
