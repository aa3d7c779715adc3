"""What data hold reaches no terminal raw."""

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from curation.cli.guard import guarded, harmless
from curation.cli.main import main

BAD = "a\x1b[31mred\x1b[0m\x07 \x9b2J \u202egnp.exe\u2066 \r\x7f"
SHOWN = r"a\x1b[31mred\x1b[0m\x07 \x9b2J \u202egnp.exe\u2066 \r\x7f"


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        """Say so."""
        return True


def test_control_characters_are_written_out() -> None:
    """Tabs, line ends and letters of any script stay."""
    assert harmless(BAD) == SHOWN
    plain = "\uc751\ub2f5\t\u0639\u0645\n\u00e9\U0001f600"
    assert harmless(plain) == plain


def test_only_terminals_are_guarded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs get what is there; colours of our own stay."""
    seen = Terminal()
    monkeypatch.setattr(sys, "stdout", seen)
    with guarded():
        click.echo(BAD)
        click.secho("error", fg="red", nl=False, color=True)
        piped = io.StringIO()
        click.echo(BAD, file=piped)
    assert seen.getvalue() == f"{SHOWN}\n\x1b[31merror\x1b[0m"
    assert "\x07 \x9b2J \u202egnp.exe" in piped.getvalue()


def test_names_in_a_file_reach_no_terminal(
    demo: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """In messages of errors and in what a command says of its files."""
    table = tmp_path / "a.csv"
    table.write_text(f"respondent,question,answer\nr1,{BAD[:12]},1\n", encoding="utf-8", newline="")
    shown, said = Terminal(), Terminal()
    monkeypatch.setattr(sys, "stdout", shown)
    monkeypatch.setattr(sys, "stderr", said)
    with pytest.raises(SystemExit):
        main(["filter", "-w", str(demo), "--survey", str(table)])
    assert r"'a\x1b[31mred\x1b[0' is not a question" in said.getvalue()
    with pytest.raises(SystemExit):
        main(["no\x1b[5msuch"])
    assert "\x1b[5m" not in said.getvalue()


Curate = Callable[..., Any]


def test_formulas_in_what_is_exported_are_escaped(curate: Curate, demo: Path) -> None:
    """In every table of the filter and the report; the report reads them back as they were."""
    for name in ("responses.csv", "respondents.csv"):
        path = demo / "responses" / name
        text = path.read_text(encoding="utf-8").replace("r001,", '"=HYPERLINK(""x"")",')
        path.write_text(text, encoding="utf-8")
    path = demo / "templates_src" / "bank.csv"
    bank, asked = path.read_text(encoding="utf-8"), demo / "responses" / "questionnaire.csv"
    stereotype = "\ub2e8\uac83\uc744 \uc88b\uc544\ud55c\ub2e4"
    assert stereotype in bank
    path.write_text(bank.replace(stereotype, "@SUM(1)"), encoding="utf-8")
    asked.write_text(
        asked.read_text(encoding="utf-8").replace(stereotype, "@SUM(1)"), encoding="utf-8"
    )
    ran = curate("filter", "-w", demo, "--survey", demo / "responses" / "responses.csv")
    assert ran.code == 0, ran.err
    ran = curate("survey", "report", "-w", demo)
    assert ran.code == 0, ran.err
    tables = sorted((demo / "exports").rglob("*.csv"))
    assert {table.name for table in tables} >= {"bank.csv", "questions.csv", "exclusions.csv"}
    found = ""
    for table in [*tables, demo / "responses" / "tallies.csv"]:
        text = table.read_text(encoding="utf-8")
        found += text
        for mark in ("=HYPERLINK", "@SUM"):
            assert all(before.endswith("'") for before in text.split(mark)[:-1]), table
    assert "'@SUM(1)" in found
    ran = curate("filter", "-w", demo, "--survey", demo / "responses" / "responses.csv", "--json")
    assert ran.json["ledger"]["added"] == 0
