"""What people do with the toolkit, from the first command to the last, compared whole."""

import difflib
import re

import click
import pytest
from scenarios import SCENARIOS, expected, names, needs_reference, run

from curation.cli.group import cli

REPEATED = {
    *("bbq", "bbq_as_published", "bharatbbq", "cbbq", "esbbq", "kobbq", "spanish", "categories"),
    *("export_samples", "filter_again", "groups", "release", "release_refused"),
}
"""Not run with the oldest versions that pyproject.toml allows: others run the same commands."""
RUN = [pytest.param(it, marks=[] if it in REPEATED else pytest.mark.oldest) for it in names()]


def commands(context):
    yield context.command_path
    if isinstance(context.command, click.Group):
        for name in context.command.list_commands(context):
            inner = context.command.get_command(context, name)
            yield from commands(click.Context(inner, parent=context, info_name=name))


@pytest.mark.oldest
@pytest.mark.slow
def test_the_oldest_versions_run_every_command():
    """All that any scenario runs: what a command needs of another package is used there."""
    texts = {name: (SCENARIOS / name / "commands").read_text("utf-8") for name in names()}
    for command in commands(click.Context(cli, info_name="curate")):
        run_by = {name for name, text in texts.items() if re.search(rf"\b{command}\b", text)}
        assert not run_by or run_by - REPEATED, command


@pytest.mark.slow
@pytest.mark.parametrize("name", RUN)
def test_all_that_comes_out_is_as_expected(name, tmp_path, warm, request):
    """Printed lines, exit statuses and files; 'make scenarios' writes what is meant to change."""
    folder = SCENARIOS / name
    if needs_reference(folder):
        request.getfixturevalue("reference")
    wanted = expected(folder)
    made = run(folder, tmp_path, warm)
    differences = [
        line
        for file in sorted({*wanted, *made})
        for line in difflib.unified_diff(
            wanted.get(file, "").splitlines(),
            made.get(file, "").splitlines(),
            f"{name}/expected/{file}",
            "now",
            n=1,
            lineterm="",
        )
    ]
    assert differences == []
