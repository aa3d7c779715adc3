"""Workbooks speak the language of those who fill them in."""

from pathlib import Path

import pytest

from curation.annotation.texts import english_for, pages
from curation.cli.main import main
from curation.languages import load
from curation.languages.annotation import Workbooks

KINDS = ("classify", "agenda", "translate", "new", "groups", "unreadable")
STORIES = ("stories-passages", "stories-edit")


def test_every_kind_of_workbook_has_texts() -> None:
    """In both languages."""
    kinds = {name.replace("_", "-") for name in Workbooks.model_fields}
    assert kinds == {"headings", *KINDS, *STORIES}
    for code in ("en", "ko"):
        annotation = load(code).annotation
        assert annotation is not None
        assert None not in dict(annotation.workbooks).values()
        assert annotation.pages is not None
    assert [bool(english_for(code)) for code in ("en", "ko-KR", "eu")] == [False, False, True]
    assert pages("eu") == pages("en") != pages("ko")


def test_the_command_says_that_annotators_read_english(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Once, on standard error; nothing is said in a language that has texts."""
    for code, told_so in (("pt", 1), ("ko", 0), ("es", 0)):
        folder = tmp_path / code
        for arguments in (("init", folder, "--language", code), ("groups", "sheet", "-w", folder)):
            with pytest.raises(SystemExit) as left:
                main([str(item) for item in arguments])
            assert left.value.code == 0
        shown = capsys.readouterr()
        assert shown.err.count(f"there are no texts for annotators in '{code}'") == told_so
