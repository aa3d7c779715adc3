"""The pages that are made of the code: nothing is left out, and nothing is made up."""

import re

import click
import pytest
from curate_docs import commands, findings, python, sets, settings, tables, text
from curate_docs.links import target_of
from doc_pages import ROOT

import curation
import evaluation
import exports
import survey
from curation.checks.workspace import ENTRIES
from curation.records.culture import Culture
from survey.platforms import platforms


def test_every_command_has_a_page_with_all_that_it_takes():
    """A command or option that is added stands in the reference by itself: where its group does."""
    every = list(commands.walk(commands.root()))
    names = {command.name for command in every}
    assert {"curate check", "curate evaluate stories score", "curate export package"} <= names
    pages = commands.pages()
    assert all(f"{page}.md" in pages for page in ("index", "check", "evaluate-stories"))
    assert "evaluate-run.md" not in pages
    for command in every:
        page = pages[command.file]
        assert f"# {command.name if command.anchor else 'Commands'}\n" in page
        assert "## Exit status" in page
        for item in command.command.get_params(command.context):
            if isinstance(item, click.Option) and not item.hidden:
                assert all(f"{name}" in page for name in item.opts), (command.name, item.opts)


def test_python_pages_tell_results():
    """Whoever calls a function finds the fields of what it gives; each class is told once."""
    pages = python.pages()
    told = [
        line.partition(":: ")[2]
        for page in pages.values()
        for line in page.splitlines()
        if line.startswith(".. autoclass")
    ]
    assert sorted(set(told)) == sorted(told)
    assert {"curation.records.messages.Results"} <= set(told)
    assert "curation.files.workspace.Workspace" not in told  # offered as curation.Workspace
    for package in (curation, survey, evaluation, exports):
        page = pages[f"{package.__name__}.md"]
        for name in package.__all__:
            assert re.search(rf"(:: |^#+ ){package.__name__}\.{name}$", page, re.MULTILINE), name


def test_every_finding_is_in_the_catalogue():
    """Each rule has a heading, its severity, its title and what to do."""
    page = findings.page()
    for item in ENTRIES:
        assert f"\n## {item.id}\n" in page
        section = page.split(f"\n## {item.id}\n")[1].split("\n## ")[0]
        assert section.strip().lower().startswith(f"*{item.severity.value}*")
        assert text.escaped(item.title) in section
        assert text.escaped(item.hint) in section


def test_every_survey_platform_is_told():
    """The columns that tell it, which rows count, and what the comment of its file says."""
    page = sets.surveys()
    for name, platform in platforms().items():
        assert f"\n## {name}\n\n{sets.said(platform)}\n" in page
        assert len(sets.said(platform)) > len("What it is.")
        assert all(f"`{column}`" in page for mark in platform.marks for column in mark)
    row = "| `unipark` | `lfdn`, `dispcode` or `lfdn`, `tester` | `lfdn` |"
    assert f"{row} `tester` is 0; `dispcode` is 31 or 32 |" in page


def test_every_published_set_is_told():
    """Its languages, its terms, and what the comment of its mapping says."""
    page = sets.page()
    for path in [*(sets.SOURCES / "templates").iterdir(), *(sets.SOURCES / "layouts").iterdir()]:
        if path.suffix == ".yaml":
            assert f"\n### {path.stem}\n\n{sets.head(path)}\n" in page
            assert len(sets.head(path)) > len("What it is.")
    assert "| `cbbq` | CBBQ | `zh` | CC-BY-SA-4.0: derived data must have it too |" in page
    assert "| `bbg` | BBG | `en`, `ko` | MIT |" in page


def test_every_setting_is_told():
    """All keys of culture.yaml are there, those of lists and parts too, with their defaults."""
    found = {key.name: key for key in settings.all_keys()}
    assert set(Culture.model_fields) <= set(found)
    share = found["survey.stereotype_share"]
    assert (share.kind, share.default) == ("a share from 0 to 1", "`2/3`")
    assert found["categories[].id"].required
    assert found["release.authors[].orcid"].default == "none"
    assert found["translation.workers"].kind == "a whole number, at least 1, at most 4"
    assert found["questionnaire.quotas"].default.startswith("`gender`: female 1/2, male 1/2")
    page = settings.page()
    for name in found:
        own = name.rpartition(".")[2]
        assert f'| <span id="{settings.anchor(name)}"></span>`{own}` |' in page
    assert "\n## release.authors[]\n" in page


def column_constants():
    """Give every constant of the code that names columns, by its dotted name."""
    found = set()
    for package in ("curation", "survey", "evaluation", "exports"):
        for path in sorted((ROOT / package).rglob("*.py")):
            module = path.relative_to(ROOT).with_suffix("").as_posix()
            dotted = module.replace("/", ".").removesuffix(".__init__")
            text = path.read_text(encoding="utf-8")
            names = re.findall(r"(?m)^((?:[A-Z]\w*_)?COLUMNS) = ", text)
            found |= {f"{dotted}.{name}" for name in names}
    return found


def test_every_table_of_the_code_is_told():
    """A table that is added is put into the list, or said to be part of another."""
    told = {entry["columns"] for entry in tables.listed()["tables"] if "columns" in entry}
    known = told | set(tables.listed()["parts"])
    assert column_constants() - known == set()
    assert known - column_constants() == set()


def test_every_column_is_told_and_no_other():
    """Columns are those of the code, in their order; words for none of them are a mistake."""
    found = tables.tables()
    assert [table.unused for table in found if table.unused] == []
    bank = next(table for table in found if table.file == "templates_src/bank.csv")
    assert bank.columns[:4] == ("template_id", "variant", "version", "category")
    assert bank.means["note"] == "Remarks of the curators."
    assert bank.means["names_source"] == "`names` in the source language."
    page = tables.page()
    assert all(f"| `{column}` |" in page for table in found for column in table.columns)


def test_a_column_without_words_is_refused(monkeypatch):
    """A column that is added and not explained stops the build, and is named."""
    entry = {"part": "", "file": "f", "rows": "r", "columns": "survey.answers.RESPONSE_COLUMNS"}
    monkeypatch.setattr(tables, "listed", lambda: {"tables": [entry], "words": {}})
    with pytest.raises(KeyError, match="RESPONSE_COLUMNS: nothing tells what 'respondent_id'"):
        tables.tables()


@pytest.mark.parametrize(
    ("code", "place"),
    [
        ("curate filter", ("reference/commands/filter", "")),
        ("curate evaluate run --model m", ("reference/commands/evaluate", "evaluate-run")),
        ("curate import bbq FILE", ("reference/commands/import", "")),
        ("curate", None),
        ("settings-changed", ("reference/findings", "settings-changed")),
        ("survey.stereotype_share", ("reference/settings", "setting-survey-stereotype-share")),
        ("group", None),
    ],
)
def test_code_leads_to_its_place(code, place):
    """Commands with or without options and rules are known; other words are not."""
    assert target_of(code) == place
