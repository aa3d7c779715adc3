"""The Python that the documentation shows is run, and prints what is shown."""

import io
import re
from contextlib import redirect_stdout

import pytest
from doc_pages import ROOT

PAGE = ROOT / "docs" / "python.md"
BLOCK = re.compile(r"```(python|text)\n(.*?)```", re.DOTALL)


@pytest.mark.slow
def test_the_notebook_does_what_the_page_shows(tmp_path, monkeypatch):
    """Its blocks run one after the other in an empty folder, in under 40 lines of code."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    blocks = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    code = [text for kind, text in blocks if kind == "python"]
    assert sum(bool(line.strip()) for text in code for line in text.splitlines()) < 40
    names = {}
    printed = ""
    for kind, text in blocks:
        if kind == "text":
            assert printed == text
            continue
        out = io.StringIO()
        with redirect_stdout(out):
            exec(compile(text, str(PAGE), "exec"), names)  # noqa: S102  # our own page
        printed = out.getvalue()
    assert (tmp_path / "shares.svg").read_text(encoding="utf-8").count("<svg") == 1
    assert (tmp_path / "demo" / "exports" / "samples" / "samples.csv").exists()


@pytest.mark.slow
def test_the_lines_of_the_readme_count_the_demo(tmp_path, monkeypatch, capsys):
    """Four statements and a print: what the survey decides on each template."""
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (code,) = [found for kind, found in BLOCK.findall(text) if kind == "python"]
    assert sum(bool(line.strip()) for line in code.splitlines()) <= 5
    exec(compile(code, "README.md", "exec"), {})  # noqa: S102  # our own page
    printed = dict(re.findall(r"^(\w+) +(\d+)$", capsys.readouterr().out, re.MULTILINE))
    assert printed["kept"] == "30"
    assert printed["dropped"] == "5"
