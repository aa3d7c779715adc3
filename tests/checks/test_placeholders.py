"""What commands write in the place of a text stops whatever would reach a reader."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from curation.checks.workspace import check
from curation.initial import init_workspace
from curation.languages import available, load
from curation.records.bank import Group


@pytest.mark.parametrize(
    ("settings", "found"),
    [
        ({"language": "pt", "unknown": "unknown"}, True),
        ({"language": "gl", "unknown": " Unknown "}, True),
        ({"language": "pt", "unknown": "não se sabe"}, False),
        ({"language": "en-gb", "unknown": "unknown"}, False),
    ],
)
def test_the_third_choice_that_init_writes(
    make: Any, settings: dict[str, str], found: bool
) -> None:
    """English has the word; in another language a person has to write one."""
    rules = [item[:2] for item in make.found(make.pair(), **settings)]
    told = [rule for rule in rules if rule[0].startswith("placeholder")]
    assert told == [("placeholder-unknown", "error")] * found


@pytest.mark.parametrize("code", [*sorted(available()), "gl"])
def test_a_new_workspace_says_what_stands_for_the_third_choice(code: str, tmp_path: Path) -> None:
    """In every language either the pack has the expression, or the check calls it an error."""
    made = init_workspace(tmp_path / "new", code)
    general = load(code).general
    rules = {item.rule for item in check(made, ["placeholder-unknown"]).findings}
    has_one = general is not None and bool(general.unknown)
    assert ("placeholder-unknown" in rules) is not has_one


def test_texts_of_the_trial_engine(make: Any) -> None:
    """Whoever has confirmed them; a bracket that the source has too is no mark of it."""
    texts = {"biased_question": "⟦Whó?⟧", "words": "W1: [⟦štátíóñ⟧, market]"}
    found = [item for item in make.found(make.pair(**texts)) if item[0] == "placeholder-text"]
    assert found == [
        (
            "placeholder-text",
            "error",
            "bank.csv, row 2, column biased_question",
            "craft-001 has pseudo translation in 4 cells",
        )
    ]
    source = replace(make.texts(), biased_question="⟦Who⟧?")
    rules = make.found(make.pair(biased_question="⟦Wer⟧?", source_texts=source))
    assert "placeholder-text" not in {item[0] for item in rules}
    groups = [*make.groups(), Group("Craft", "⟦Glázíérs⟧", "", 1, True, "")]
    said = [item for item in make.found(make.pair(), groups) if item[0] == "placeholder-text"]
    assert [item[3] for item in said] == ["⟦Glázíérs⟧ of Craft has pseudo translation"]
