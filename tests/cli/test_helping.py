"""The help of every command: whole in 80 columns, in sections, with the same options."""

import click
from click.testing import CliRunner

from curation.cli.coloured import EVERY_OPTION, ColouredContext, ColouredFormatter
from curation.cli.group import cli


def walk(context):
    yield context
    if isinstance(context.command, click.Group):
        for name in context.command.list_commands(context):
            inner = context.command.get_command(context, name)
            yield from walk(inner.context_class(inner, parent=context, info_name=name))


ALL = {
    item.command_path: item
    for item in walk(ColouredContext(cli, info_name="curate", **cli.context_settings))
}


def options(context):
    found = [item for item in context.command.params if isinstance(item, click.Option)]
    return {max(item.opts, key=len): item for item in found}


def test_help_fits_a_terminal_with_words_whole(monkeypatch):
    """No line is longer but examples; every word is in one piece, and no mark of click is shown."""
    monkeypatch.setenv("COLUMNS", "80")
    for path, item in ALL.items():
        monkeypatch.setitem(item.meta, EVERY_OPTION, True)
        text = click.unstyle(item.get_help())
        long = (line for line in text.splitlines() if len(line) > 80)
        assert [line for line in long if "curate" not in line and "--" not in line] == [], path
        told = [option.help or "" for option in options(item).values()]
        words = {word for each in (item.command.help or "", *told) for word in each.split()}
        assert [word for word in words if word.strip("\b") not in text] == [], path
        assert "\\b" not in text, path


def test_help_shows_few_options_and_names_the_rest():
    """Beside those of every command at most eight; '--help-all' shows all others too."""
    long = []
    for path, item in ALL.items():
        shown = click.unstyle(item.get_help()).replace(",", " ")  # some have two names
        named = {name for name in options(item) if f"\n  {name} " in shown}
        sections = getattr(item.command, "sections", {})
        of_purpose = [name for names in sections.values() for name in names]
        folded = [name for name in of_purpose if name not in named]
        common = {"--workspace", "--json", "--help", "--help-all", "--wait"}
        assert len(named - common) <= 8, path
        if folded:
            long.append(path)
            arguments = [*path.split()[1:], "--help-all"]
            text = CliRunner().invoke(cli, arguments).output
            assert [name for name in of_purpose if f"  {name}" not in text] == [], path
    assert {"curate filter", "curate browse", "curate evaluate run"} <= {*long}


def written(text, width=40):
    formatter = ColouredFormatter(width=width)
    formatter.write_text(text)
    return click.unstyle(formatter.getvalue())


def test_words_with_hyphens_and_short_commands_stay_whole():
    """A line ends before them."""
    assert written("Twenty letters here, and then --min-respondents is whole.") == (
        "Twenty letters here, and then\n--min-respondents is whole.\n"
    )
    assert written("Twenty letters here, then 'curate filter --draft' drafts one.") == (
        "Twenty letters here, then\n'curate filter --draft' drafts one.\n"
    )
