"""`curate evaluate stories sheet` and `collect`: what editors change is kept and checked."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

BUILD = ("evaluate", "stories", "build", "-w")
SHEET = ("evaluate", "stories", "sheet", "-w")
COLLECT = ("evaluate", "stories", "collect", "-w")
NEW = "One tidied the [W1]. The other sat."


@pytest.fixture(autouse=True)
def _time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")


def fill(path: Path, texts: Mapping[str, str], column: str = "text") -> Path:
    """Fill in an editor's sheet, by variant."""
    book = load_workbook(path)
    sheet = book["stories"]
    columns = {cell.value: cell.column for cell in sheet[1]}
    for row in range(2, sheet.max_row + 1):
        name = str(sheet.cell(row, columns["variant"]).value)
        if name in texts:
            sheet.cell(row, columns[column]).value = texts[name]
    book.save(path)
    return path


def sheets(curate: Any, workspace: Path, *editors: str) -> list[Path]:
    """Hand out sheets."""
    options = [part for name in editors for part in ("--editor", name)]
    ran = curate(*SHEET, workspace, *options, "--json")
    assert ran.code == 0
    assert (ran.json["stories"], ran.json["rows"]) == (3, 6)
    return [Path(item["file"]) for item in ran.json["sheets"]]


def test_what_an_editor_changes_is_in_the_stories(curate: Any, workspace: Path, table: Any) -> None:
    """Kept in the workspace with name and time, and used by the next build."""
    mina, jun = sheets(curate, workspace, "Mina", "Jun")
    assert [path.name for path in (mina, jun)] == ["stories-Mina.xlsx", "stories-Jun.xlsx"]
    fill(mina, {"hobby-001a": NEW, "hobby-001b": NEW})
    fill(jun, {"hobby-002a": "see above"}, "remark")
    ran = curate(*COLLECT, workspace, mina, jun, "--json")
    assert ran.code == 0
    assert (ran.json["changes"], ran.json["remarks"], ran.json["edited"]) == (2, 1, 2)
    assert ran.json["findings"] == []
    rows = table(workspace / "annotations" / "stories_overrides.csv")
    assert [(row["variant"], row["editor"], row["text"]) for row in rows] == [
        ("hobby-001a", "Mina", NEW),
        ("hobby-001b", "Mina", NEW),
        ("hobby-002a", "Jun", ""),
    ]
    assert rows[0]["made"] == "One swept it. The other sat down."
    assert rows[0]["collected_at"] == "2026-01-01T00:00:00Z"
    assert (workspace / rows[0]["source_file"]).is_file()
    assert curate(*BUILD, workspace, "--seeds", "1", "--json").json["counts"]["edited"] == 2
    stories = table(workspace / "exports" / "stories" / "stories.csv")
    assert {row["obfdis_context"] for row in stories if row["edited"] == "true"} <= {
        "One tidied the shed. The other sat.",
        "One tidied the barn. The other sat.",
    }
    assert [row["template_id"] for row in stories if row["edited"] == "true"] == ["hobby-001"] * 4


def test_an_edited_story_is_checked_again(curate: Any, workspace: Path) -> None:
    """Its findings point to the edited text; a text of nobody is an error."""
    (mina,) = sheets(curate, workspace, "Mina")
    fill(mina, {"hobby-001a": "One tidied, as every knitter.", "hobby-001b": "It was tidy."})
    ran = curate(*COLLECT, workspace, mina, "--json")
    assert ran.code == 1
    found = {(item["rule"], item["message"].split(":")[0]) for item in ran.json["findings"]}
    assert found == {
        ("story-person-left", "hobby-001a"),
        ("story-no-person", "hobby-001b"),
        ("story-versions-differ", "hobby-001a/b"),
    }
    assert {item["file"] for item in ran.json["findings"]} == {"annotations/stories_overrides.csv"}
    assert curate(*BUILD, workspace).code == 1


def test_a_text_that_cannot_be_used_is_marked_and_nothing_is_written(
    curate: Any, workspace: Path
) -> None:
    """The editor gets a copy that shows it."""
    (mina,) = sheets(curate, workspace, "Mina")
    fill(mina, {"hobby-001a": "[N1] tidied."})
    ran = curate(*COLLECT, workspace, mina, "--json")
    assert ran.code == 1
    (finding,) = ran.json["findings"]
    assert finding["message"] == "hobby-001a: the text names a person, [N1]"
    (copy,) = (Path(path) for path in ran.json["marked"])
    assert copy.is_file()
    assert not (workspace / "annotations" / "stories_overrides.csv").exists()


def test_editors_who_differ_must_agree(curate: Any, workspace: Path, table: Any) -> None:
    """Neither text is used, and no story is built, until one returns the other's text."""
    mina, jun = sheets(curate, workspace, "Mina", "Jun")
    fill(mina, {"hobby-001a": NEW, "hobby-001b": NEW})
    fill(jun, {"hobby-001a": "One sat. The other did not."})
    ran = curate(*COLLECT, workspace, mina, jun, "--json")
    assert ran.code == 1
    assert next(item["rule"] for item in ran.json["findings"]) == "story-override-differs"
    assert curate(*BUILD, workspace).code == 1
    fill(jun, {"hobby-001a": NEW})
    assert curate(*COLLECT, workspace, jun).code == 0
    assert curate(*BUILD, workspace).code == 0


def test_a_change_of_a_story_that_is_another_by_now_is_not_used(
    curate: Any, workspace: Path, workspace_of: Any, changed: Any
) -> None:
    """It is said, and the story is as the bank has it."""
    (mina,) = sheets(curate, workspace, "Mina")
    fill(mina, {"hobby-001a": NEW, "hobby-001b": NEW})
    assert curate(*COLLECT, workspace, mina).code == 0
    text = {"disambiguating_context": "The [N1] swept all. The [N2] sat down."}
    workspace_of(changed("hobby-001", "a", text))
    ran = curate(*BUILD, workspace, "--json")
    assert ran.code == 0
    rules = [item["rule"] for item in ran.json["findings"]]
    assert rules == ["story-override-stale", "story-versions-differ"]
    assert ran.json["counts"]["edited"] == 1


def test_a_filled_in_sheet_is_not_written_over(curate: Any, workspace: Path) -> None:
    """The same sheet may be made again."""
    (mina,) = sheets(curate, workspace, "Mina")
    assert sheets(curate, workspace, "Mina") == [mina]
    fill(mina, {"hobby-001a": NEW})
    ran = curate(*SHEET, workspace, "--editor", "Mina")
    assert ran.code == 1
    assert "there is another stories-Mina.xlsx already" in ran.err


@pytest.mark.parametrize(
    ("editors", "message"),
    [(("Mina", "mina"), "occurs twice"), ((" ",), "a name is empty")],
)
def test_editors_must_be_told_apart(
    curate: Any, workspace: Path, editors: tuple[str, ...], message: str
) -> None:
    """By their names."""
    options = [part for name in editors for part in ("--editor", name)]
    ran = curate(*SHEET, workspace, *options)
    assert ran.code == 2
    assert message in ran.err


def test_another_workbook_is_refused(curate: Any, workspace: Path, tmp_path: Path) -> None:
    """As is a second one by the same editor."""
    (mina,) = sheets(curate, workspace, "Mina")
    copy = tmp_path / "second.xlsx"
    copy.write_bytes(mina.read_bytes())
    fill(copy, {"hobby-001a": NEW})
    ran = curate(*COLLECT, workspace, mina, copy)
    assert ran.code == 1
    assert "are both by 'Mina'" in ran.err
    other = tmp_path / "notes.txt"
    other.write_text("no workbook", encoding="utf-8")
    assert "notes.txt is not an XLSX workbook" in curate(*COLLECT, workspace, other).err
