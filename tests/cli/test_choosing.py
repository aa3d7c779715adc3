"""`--template NAME`, also written `--category`: the same choice in every command that has it."""

import pytest
from csv_rows import read_rows

from curation.bank.merge import move_templates
from curation.files.workspace import Workspace

CHOSEN = ("--template", "hobby-001", "--category", "birth_season")
IDS = {"hobby-001", *(f"birth_season-00{at}" for at in range(1, 7))}
"""A template by its id, and those of a category, in any capitals."""


def listed(name):
    return lambda ran, _: {row["template_id"] for row in ran.json[name]}


def written(*names):
    return lambda _, folder: {
        row["template_id"] for row in read_rows(folder.joinpath("exports", *names))
    }


def sent(ran, _):
    return sum(one["tasks"] for one in ran.json["projects"])


SAID = {
    "status": (listed("templates"), IDS),
    "stats": (listed("templates"), IDS),
    "export samples": (written("samples", "samples.csv"), IDS),
    "export samples --text control": (written("control", "control_templates.csv"), IDS),
    "survey build --replace": (lambda ran, _: ran.json["questions"]["comprehension"], len(IDS)),
    "push comprehension": (sent, len(IDS)),
    # Those of the category are newly created: they are neither classified nor translated.
    "push classify": (sent, 1),
    "classify sheet --annotator Kim": (lambda ran, _: ran.json["templates"], 1),
    "classify suggest": (lambda ran, _: ran.json["templates"], 1),
    "translate run --engine pseudo --estimate": (lambda ran, _: ran.json["templates"], 1),
}


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize("line", SAID)
def test_a_command_is_about_the_chosen_templates_alone(line, curate, demo):
    """A name of neither is refused with the one that is like it."""
    own = [*line.split(), "-w", demo, "--json"]
    ran = curate(*own, *CHOSEN)
    assert ran.code == 0, ran.err
    said, expected = SAID[line]
    assert said(ran, demo) == expected
    refused = curate(*own, "--category", "hobbi")
    assert (refused.code, "did you mean 'Hobby'?" in refused.err) == (1, True)


def test_names_are_known_in_whatever_case_and_form_they_are_typed(demo):
    """A former id, and a category of letters that Unicode writes in two ways."""
    moved = move_templates(Workspace(demo), {"age-001": "\u0958\u093f\u0932\u093e"})
    for name in ("AGE-001", "\u0958\u093f\u0932\u093e", "\u0915\u093c\u093f\u0932\u093e"):
        assert Workspace(demo).chosen([name]) == {moved["age-001"]}
