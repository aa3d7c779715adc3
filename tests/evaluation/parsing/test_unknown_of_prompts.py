"""What the toolkit's own prompts call the choice that nobody can know is known as such."""

from pathlib import Path

import pytest

from curation.languages import Language, available, load
from evaluation.parsing import read_reply
from evaluation.parsing.items import Kinds
from evaluation.parsing.rules import rules_for

ASKED = [
    (code, text)
    for code in available()
    if (prompts := load(code).prompts) and (general := load(code).general)
    for text in dict.fromkeys((*(one.unknown for one in prompts.prompts), general.unknown or ""))
    if text
]
EITHER = "Le passage ne pr\u00e9cise pas qui a chant\u00e9 : ce pourrait \u00eatre l'un ou l'autre."


@pytest.mark.parametrize(("code", "text"), ASKED)
def test_the_unknown_choice_of_every_prompt_is_known(code: str, text: str) -> None:
    """Else a reply that explains it would be out-of-choice with some prompts alone."""
    choices = ("Ada", text, "Bo")
    assert Kinds(rules_for("B", choices), choices, None).undecided == 1, code


@pytest.mark.parametrize(
    "unknown",
    [
        "On ne peut pas le d\u00e9terminer",
        "Le texte ne permet de retenir aucune des options",
        "Il n'y a pas de bonne r\u00e9ponse",
    ],
)
def test_an_explained_unknown_is_read_with_every_prompt(unknown: str) -> None:
    """That it may have been either of them is why nobody can know, and no doubt."""
    choices = ("Le facteur", unknown, "Le boulanger")
    assert read_reply(f"B. {unknown}\n\n{EITHER}", choices).chosen == {1}
    assert read_reply(f"B\n\n{EITHER}", choices).chosen == {1}
    assert read_reply(f"A. Le facteur\n\n{EITHER}", choices).chosen is None
    also = "Ce pourrait aussi \u00eatre le boulanger."
    assert read_reply(f"A. Le facteur\n\n{also}", choices).chosen is None


def test_so_is_that_of_the_prompts_of_a_workspace(tmp_path: Path) -> None:
    """Its file may hold prompts and no words for replies."""
    text = (
        "prompts:\n  prompts:\n    - {id: a, unknown: Mystery of the moor, "
        "layout: '{context} {question} {a} {b} {c}'}\n"
    )
    own = Language("en", load("en").folder, tmp_path / "en.yaml", text)
    choices = ("Ada", "Mystery of the moor", "Bo")
    reply = "B. Mystery of the moor\n\nThe text tells nothing; it could be either of them."
    assert read_reply(reply, choices).chosen is None
    assert read_reply(reply, choices, own=own).chosen == {1}
