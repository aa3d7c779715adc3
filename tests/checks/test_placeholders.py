"""What commands write in the place of a text stops whatever would reach a reader."""

import pytest

from curation import open_workspace
from curation.checks.workspace import check
from curation.initial import init_workspace
from curation.languages import available, load


@pytest.mark.parametrize("code", [*sorted(available()), "gl"])
def test_a_new_workspace_says_what_stands_for_the_third_choice(code, tmp_path):
    """In every language either the pack has the expression, or the check calls it an error."""
    made = init_workspace(tmp_path / "new", code)
    general = load(code).general
    rules = {item.rule for item in check(made, ["placeholder-unknown"]).findings}
    has_one = general is not None and bool(general.unknown)
    assert ("placeholder-unknown" in rules) is not has_one
    written = made.root / "languages" / f"{code}.yaml"
    written.parent.mkdir(exist_ok=True)
    written.write_text("language: {name: X, unknown: Non se sabe}\n", encoding="utf-8")
    again = open_workspace(made.root)
    assert check(again, ["placeholder-unknown"]).findings == ()
    assert has_one or again.culture.unknown == "Non se sabe"
