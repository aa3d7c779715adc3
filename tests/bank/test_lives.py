"""What happens to the demo's bank, step by step, as a notebook calls it (`lives.py`)."""

import shutil
from pathlib import Path

import pytest
from lives import Life

from curation.bank.merge import move_templates
from curation.bank.removal import delete_templates, in_use, restore_templates, set_aside_templates
from curation.bank.sample_set import stats
from curation.checks.workspace import check
from curation.records.bank import Label

DEMO = Path(__file__).parents[2] / "templates_src" / "demo"
EXPECTED = Path(__file__).parent / "lives"


@pytest.fixture
def life(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Life:
    """The demo."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
    monkeypatch.chdir(tmp_path)
    shutil.copytree(DEMO, "demo")
    return Life(Path("demo"))


def test_templates_are_set_aside_deleted_and_restored(life: Life) -> None:
    """By name, by label and by a table of reasons; again, nothing changes."""
    table = Path("why.csv")
    table.write_text("template_id,reason\nage-001,dull\nhobby-001,dull\n", encoding="utf-8")
    removed = Label.SAMPLE_REMOVED
    life.do("aside", lambda w: set_aside_templates(w, ["age-001"], reason="rude", by="Mina"))
    life.do("again", lambda w: set_aside_templates(w, ["age-001"], reason="rude", by="Mina"))
    life.do("by table", lambda w: set_aside_templates(w, [table], by="Mina", dry_run=True))
    life.do("gone", lambda w: delete_templates(w, [removed], reason="not here", by="Mina"))
    life.do("not there", lambda w: delete_templates(w, ["age-099"], reason="x", by="Mina"))
    life.do("without a reason", lambda w: delete_templates(w, ["age-001"], by="Mina"))
    life.do("one by name", lambda w: delete_templates(w, ["age-001"], reason="x", by="M"))
    life.do("in use", lambda w: {"templates": [str(item.id) for item in in_use(w)]})
    life.do("counted", lambda w: {"rows": stats(w).rows})
    life.do("checked", check)
    life.do("back", lambda w: restore_templates(w, ["age-001", "age-008"], reason="x", by="Jun"))
    life.do("never gone", lambda w: restore_templates(w, ["hobby-001"], reason="x", by="Jun"))
    life.do("counted again", lambda w: {"rows": stats(w).rows})
    life.compare(EXPECTED / "removal.txt")


def test_categories_are_split_and_merged(life: Life) -> None:
    """Templates keep their former ids; what was split is put together again."""
    office = {"occupation-001": "Office", "occupation-005": "Office"}
    back = {"office-001": "Occupation", "office-005": "Occupation"}
    hobbies = {"hobby-001": "Sport", "hobby-002": "Music"}
    life.do("split", lambda w: move_templates(w, office))
    life.do("into several", lambda w: move_templates(w, hobbies))
    life.do("not there", lambda w: move_templates(w, office))
    life.do("into itself", lambda w: move_templates(w, {"age-001": "Age", "age-002": "age"}))
    life.do("a try", lambda w: move_templates(w, back, dry_run=True))
    life.do("put together", lambda w: move_templates(w, back))
    path = life.workspace.culture_file
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("sources: [Hobby]", "sources: [Hobby, Music]"), "utf-8")
    life.do("merges", lambda w: move_templates(w, {"music-002": "Hobby"}))
    life.do("back", lambda w: move_templates(w, {"sport-001": "Hobby"}))
    life.compare(EXPECTED / "categories.txt")
