"""Commands refuse what another command wrote in the place of a text."""

from dataclasses import replace

import pytest

from curation import open_workspace
from curation.files.bank import write_bank
from curation.records.bank import Bank, Label

COMMANDS = (
    ("survey", "build"),
    ("export", "samples"),
    ("export", "bank"),
    ("export", "package", "--only", "lm-eval"),
    ("export", "package", "--only", "inspect"),
    ("export", "package", "--only", "hub"),
    ("export", "package"),
    ("export", "package", "--draft"),
    ("evaluate", "stories", "build"),
)


@pytest.mark.parametrize("placeholder", ["unknown", "text"])
def test_nothing_with_a_placeholder_is_asked_or_written(curate, demo, placeholder):
    """One error of every command that would ask or publish it; a template set aside has no say."""
    workspace = open_workspace(demo)
    if placeholder == "unknown":
        text = workspace.culture_file.read_text("utf-8")
        line = next(line for line in text.splitlines() if line.startswith("unknown:"))
        workspace.culture_file.write_text(text.replace(line, 'unknown: "unknown"'), "utf-8")
        said = "unknown is still 'unknown'"
    else:
        first = next(v for v in workspace.bank.variants if v.label is not Label.SAMPLE_REMOVED)
        marked = replace(first, texts=replace(first.texts, ambiguous_context="⟦á⟧"))
        rows = (marked if item is first else item for item in workspace.bank.variants)
        write_bank(workspace.bank_file, Bank(tuple(rows)))
        said = f"{first.template_id} has pseudo translation"
    assert said in curate("check", "-w", demo).out
    for command in COMMANDS:
        ran = curate(*command, "-w", demo)
        assert ran.code == 1, command
        assert said in ran.out + ran.err, command
