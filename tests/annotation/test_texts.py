"""Workbooks speak the language of those who fill them in."""

from pathlib import Path

import pytest

from curation.cli.main import main


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
