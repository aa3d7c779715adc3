"""Tables and notes on a terminal."""

import fcntl
import os
import pty
import re
import struct
import sys
import termios

import pytest

from curation.cli.terminal import (
    columns_of,
    echo_fitting,
    echo_list,
    fitting,
    print_findings,
    progress_of_each,
    table_lines,
)
from curation.records.messages import Finding, Severity

HEADER = ("Name", "what is told", "before all", "n")


def test_a_table_that_fits_is_as_it_is():
    """Titles in one line."""
    assert table_lines(HEADER, [("one", "x" * 40, 3, 4)], 2) == [
        f"Name  what is told{' ' * 28}  before all  n",
        f"----  {'-' * 40}  ----------  -",
        f"one   {'x' * 40}           3  4",
    ]


def test_a_table_that_is_too_wide_is_made_to_fit():
    """Titles to the right are stacked, the longest cells to the left go on below."""
    rows = [("a short name", "word " * 20, 123456, 1), ("b", "\uac00" * 50, 2, "1,000,000")]
    lines = table_lines(HEADER, rows, 2)
    assert lines[0].split() == ["before"]
    assert lines[1].split() == ["Name", "what", "is", "told", "all", "n"]
    assert lines[3].startswith("a short name  word word ")
    assert lines[3].split()[-3:] == ["word", "123456", "1"]
    assert " ".join(lines[3:6]).split().count("word") == 20
    assert lines[6].split()[-2:] == ["2", "1,000,000"]
    assert sum(line.count("\uac00") for line in lines) == 50
    assert max(line.count("\uac00") + len(line) for line in lines) <= 80


def test_several_works_have_one_second_in_common(capsys, monkeypatch):
    """What begins after it is shown at once, and then ten times a second."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    times = iter([0.0, 0.5, 0.9, 1.0, 1.05, 1.1, 1.15])
    show = progress_of_each(lambda: next(times))
    show("Planned", 0, 2)
    show("Planned", 2, 2)
    show("Written", 0, 2)
    show("Written", 0, 2)
    show("Written", 1, 2)
    show("Written", 2, 2)
    assert capsys.readouterr().err == "\rWritten: 0 of 2\033[K\rWritten: 1 of 2\033[K\r\033[K"


@pytest.mark.parametrize("err", [False, True])
def test_findings_fit_a_terminal_and_are_lines_elsewhere(capsys, monkeypatch, *, err):
    """In a pipe each is one line; on a terminal it goes on below, indented."""
    words = " ".join(f"word{at:02d}" for at in range(30))
    found = [Finding("long-one", Severity.ERROR, "bank.csv", 7, "note", words, words)]
    print_findings(found, err=err)
    piped = getattr(capsys.readouterr(), "err" if err else "out")
    assert piped == f"error [long-one] bank.csv, row 7, column note: {words}\n    -> {words}\n"
    monkeypatch.setattr(sys.stderr if err else sys.stdout, "isatty", lambda: True)
    print_findings(found, err=err)
    shown = getattr(capsys.readouterr(), "err" if err else "out")
    lines = re.sub(r"\033\[\d+m", "", shown).splitlines()
    assert max(map(len, lines)) <= 80
    assert " ".join(line.strip() for line in lines) == " ".join(piped.split())
    hint = next(at for at, line in enumerate(lines) if line.startswith("    -> word00"))
    assert all(line.startswith("      word") for line in lines[1:hint])
    assert all(line.startswith("       word") for line in lines[hint + 1 :])
    assert 1 < hint < len(lines) - 1


def test_of_many_findings_the_errors_stay_in_sight(capsys):
    """Ten errors of a rule and three warnings, or as many of either as are asked for."""
    kinds = (("bad", Severity.ERROR), ("odd", Severity.WARNING))
    found = [Finding(*kind, "bank.csv", at, "", "so", "do") for kind in kinds for at in range(20)]
    print_findings(found)
    folded = capsys.readouterr().out
    assert [folded.count(f"[{kind}]") for kind in ("bad", "odd")] == [10, 3]
    assert "... and 10 more like it (see --json)" in folded
    assert "... and 17 more like it (see --json)" in folded
    print_findings(found, each=19)
    shown = capsys.readouterr().out
    assert [shown.count(f"[{kind}]") for kind in ("bad", "odd")] == [19, 19]


def test_a_line_goes_on_below_what_it_tells(capsys, monkeypatch):
    """Below the text after a label; a sentence two blanks in; wide characters are two columns."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    told = " ".join(f"word{at:02d}" for at in range(20))
    echo_fitting(f"dropped    {told}")
    first, second = capsys.readouterr().out.splitlines()
    assert (len(first) <= 80, second[:15]) == (True, "           word")
    assert f"{first} {second.strip()}" == f"dropped    {told}"
    echo_fitting(f"  where: {told}")
    assert capsys.readouterr().out.splitlines()[1].startswith("         word")
    echo_fitting(told)
    assert capsys.readouterr().out.splitlines()[1].startswith("  word")
    echo_fitting(" ".join(["\uc6c3\ub294\ub2e4"] * 20))
    assert [len(line) for line in capsys.readouterr().out.splitlines()] == [43, 37]


def test_a_command_is_not_broken(capsys, monkeypatch):
    """It is one word: in quotation marks, or bare up to the next colon, semicolon or comma."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    command = f"'curate filter --survey {'long/' * 8}answers.csv'"
    echo_fitting(f"to have it read as it is run {command} once more, and then look at it")
    assert command in capsys.readouterr().out.splitlines()[1]
    bare = f"curate filter --survey {'a long name ' * 8}"
    echo_fitting(f"then {bare}")
    assert capsys.readouterr().out.strip() == f"then\n  {bare.strip()}"
    first = "curate override TEMPLATE --as set-aside --by NAME --reason TEXT"
    echo_fitting(f"    -> leave the template out: {first}; or write it anew: curate new sheet")
    lines = capsys.readouterr().out.splitlines()
    assert [line.strip() for line in lines] == [
        "-> leave the template out:",
        f"{first}; or write",
        "it anew: curate new sheet",
    ]


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("abc", 3),
        ("\uac00\ub098", 4),
        ("\u0939\u093f\u0902", 2),
        ("e\u0301", 1),
        ("\u200f\u0628\u064e", 1),
    ],
)
def test_columns_are_those_that_a_terminal_gives(text, columns):
    """Two to a Korean letter, none to what stands over a letter or turns the direction."""
    assert columns_of(text) == columns


def test_a_table_of_long_titles_fits():
    """They are parted at blanks, then at underscores."""
    header = ["Name", *("min_respondents", "target_selection") * 2]
    lines = table_lines(header, [["a" * 14, *range(4)]])
    assert max(map(len, lines)) <= 80
    assert lines[0].split() == ["min_", "target_"] * 2
    assert lines[1].split() == ["Name", *("respondents", "selection") * 2]


@pytest.mark.parametrize(
    ("columns", "blocks", "longest"),
    [(0, 3, 80), (30, 8, 40), (60, 4, 60), (100, 2, 100), (220, 1, 100)],
)
def test_output_fits_the_terminal_that_is_there(monkeypatch, columns, blocks, longest):
    """Tables take all of it, prose no more than is read in one go; 0 columns are no answer."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    with os.fdopen(ours, "rb"), os.fdopen(theirs, "w") as terminal:
        monkeypatch.setattr(sys, "stdout", terminal)
        header = ["model", "group", *(f"score{at}" for at in range(8))]
        rows = [["m" * 12, "all", *(f"0.{at} [0.00, 0.99]" for at in range(8))]]
        assert "\n".join(table_lines(header, rows, 2)).count("--\n") == blocks
        lines = fitting("ten letters " * 40, "").splitlines()
        assert max(map(len, lines)) in range(longest - 11, longest + 1)


@pytest.mark.parametrize(
    ("count", "last"), [(20, "20"), (21, "    ... and 1 more thing (see --json)")]
)
def test_a_long_list_is_summed_up(capsys, count, last):
    """Twenty lines are printed, and of how many others it is said where they are."""
    echo_list([str(at) for at in range(1, count + 1)], "thing")
    lines = capsys.readouterr().out.splitlines()
    assert lines[:20] == [str(at) for at in range(1, 21)]
    assert lines[-1] == last
