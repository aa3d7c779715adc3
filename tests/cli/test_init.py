"""`curate init`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curation.files.bank import BANK_COLUMNS
from curation.files.culture import load_culture

Curate = Callable[..., Any]
Listing = Callable[[Path], dict[str, str]]


def test_a_new_workspace_has_every_part(curate: Curate, tmp_path: Path) -> None:
    """Settings, an empty bank and groups, and a folder for each kind of file."""
    folder = tmp_path / "new" / "workspace"
    ran = curate("init", folder, "--language", "en", "--culture", "Marevia")
    assert (ran.code, ran.err) == (0, "")
    assert f"Made a workspace for 'Marevia' (en) in {folder}." in ran.out
    assert {path.relative_to(folder).as_posix() for path in folder.rglob("*")} == {
        *(".gitignore", "culture.yaml", "annotations", "responses"),
        *("templates_src", "templates_src/bank.csv", "templates_src/groups.csv"),
        "templates_src/sources",
    }
    bank = (folder / "templates_src" / "bank.csv").read_text()
    assert bank == ",".join(BANK_COLUMNS) + "\n"
    # Caches, and what names annotators or holds their addresses.
    ignored = (folder / ".gitignore").read_text().splitlines()
    assert ignored == [".curate/", "annotations/people.csv", "annotations/raw/"]


def test_without_a_folder_the_workspace_is_here(
    curate: Curate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the next command needs no folder either."""
    folder = tmp_path / "Marevia"
    folder.mkdir()
    monkeypatch.chdir(folder)
    assert curate("init", "--language", "en").out.splitlines() == [
        "Made a workspace for 'Marevia' (en) here.",
        "Next: curate import bbq FILE ...",
    ]
    assert (folder / "culture.yaml").is_file()
    assert curate("init").code == 1


def test_the_settings_are_the_published_thresholds(curate: Curate, tmp_path: Path) -> None:
    """What is written out is what holds without being written."""
    curate("init", tmp_path / "new")
    written = load_culture(tmp_path / "new" / "culture.yaml")
    assert written.survey == type(written.survey)()
    assert written.samples == type(written.samples)()
    assert (written.language, written.unknown, written.culture) == ("ko", "알 수 없음", "new")


@pytest.mark.parametrize("language", ["no", "nn", "ko-KR", "eu", "en", "tlh"])
def test_any_language_code_is_written_as_text(
    curate: Curate, tmp_path: Path, language: str
) -> None:
    """Norwegian is no 'false'; a language without an expression for unknown asks for one."""
    ran = curate("init", tmp_path / "new", "--language", language)
    assert ran.code == 0
    assert load_culture(tmp_path / "new" / "culture.yaml").language == language
    known = language[:2] in ("ko", "en")
    wanted = "Write your language's expression for 'cannot be known' in culture.yaml (key unknown)."
    assert (wanted in ran.out) is not known


@pytest.mark.parametrize(
    "name", ['with "quotes"', "back\\slash", "colon: #hash", "마레비아", "{braces}", "two\nlines"]
)
def test_any_name_is_written_as_text(curate: Curate, tmp_path: Path, name: str) -> None:
    """No sign of it is taken for a sign of the file."""
    assert curate("init", tmp_path / "new", "--culture", name).code == 0
    assert load_culture(tmp_path / "new" / "culture.yaml").culture == name


@pytest.mark.parametrize("language", ["Korean!", "", "K", "한국어"])
def test_a_wrong_language_makes_no_workspace(curate: Curate, tmp_path: Path, language: str) -> None:
    """Nothing is left behind that would have to be cleared away before the next try."""
    ran = curate("init", tmp_path / "new", "--language", language)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("Error: language: ")
    assert not (tmp_path / "new").exists()


def test_a_workspace_is_never_made_over_another(
    curate: Curate, workspace: Path, listing: Listing
) -> None:
    """It is refused, and every file stays."""
    before = listing(workspace)
    ran = curate("init", workspace)
    assert (ran.code, "there is a workspace already" in ran.err) == (1, True)
    assert listing(workspace) == before


def test_files_of_people_stay(curate: Curate, workspace: Path, listing: Listing) -> None:
    """In a folder that has lost its settings the bank, the groups and the rest are kept."""
    (workspace / "culture.yaml").unlink()
    (workspace / ".gitignore").write_text("mine\n")
    before = listing(workspace)
    assert curate("init", workspace).code == 0
    assert {**before, **listing(workspace)} == listing(workspace)
    assert before.items() <= listing(workspace).items()


def test_a_place_that_cannot_be_written_is_said(curate: Curate, tmp_path: Path) -> None:
    """A file in the way is one line."""
    (tmp_path / "file").write_text("")
    ran = curate("init", tmp_path / "file" / "new")
    assert (ran.code, "cannot make" in ran.err) == (1, True)
    assert "name a folder in one that you may write to" in ran.err
    assert curate("init", tmp_path / "file").code == 2


def test_the_result_is_one_object(curate: Curate, tmp_path: Path) -> None:
    """With --json nothing else is printed."""
    folder = tmp_path / "new"
    found = curate("init", folder, "--json").json
    asked = {"folder": str(folder), "culture": "new", "language": "ko"}
    assert found == {**asked, "language_file": None, "to_write": []}
