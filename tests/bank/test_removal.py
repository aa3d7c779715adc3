"""Templates that were deleted, and are there to be restored."""

import pytest

from curation.bank.removal import delete_templates, restore_templates, set_aside_templates
from curation.bank.sample_set import samples
from curation.files.workspace import Workspace
from curation.initial import copy_demo
from curation.records.messages import CurateError


def test_what_was_deleted_before_stays_there(tmp_path):
    """Row by row; what is restored is in the bank again, and in it alone."""
    copy_demo(tmp_path / "demo")

    def rows(of):
        workspace = Workspace(tmp_path / "demo")
        return [row for row in getattr(workspace, of).variants if row.template_id.number < 3]

    before = rows("bank")
    for name in ("age-001", "age-002"):
        delete_templates(Workspace(tmp_path / "demo"), [name], reason="dull", by="Mina")
    gone = [row for row in before if str(row.template_id) in ("age-001", "age-002")]
    assert [row.id for row in rows("deleted")] == [row.id for row in gone]
    restore_templates(Workspace(tmp_path / "demo"), ["age-001"], reason="dear", by="Mina")
    assert {str(row.template_id) for row in rows("deleted")} == {"age-002"}
    left = [row.id for row in before if str(row.template_id) != "age-002"]
    assert [row.id for row in rows("bank")] == left


def test_templates_are_named_by_a_table_of_reasons(tmp_path):
    """Each has its own; what cannot be is refused with row and column, and nothing is written."""
    copy_demo(tmp_path / "demo")
    table = tmp_path / "why.csv"
    head = "template_id,reason\nage-001,dull\nhobby-001,of dogs\n"
    for row, place in (
        ("age-001,rude\n", "row 4, column reason"),
        ("age-002,\n", "row 4, column reason"),
        (",dull\n", "row 4, column template_id"),
    ):
        table.write_text(head + row, "utf-8")
        with pytest.raises(CurateError) as caught:
            set_aside_templates(Workspace(tmp_path / "demo"), [table], by="Mina")
        assert caught.value.where.endswith(place)
    assert not Workspace(tmp_path / "demo").ledger_file.exists()
    table.write_text(f"{head}age-001,dull\n", "utf-8")
    set_aside_templates(Workspace(tmp_path / "demo"), [table], by="Mina")
    workspace = Workspace(tmp_path / "demo")
    said = {item.subject: item.reason for item in workspace.decisions}
    assert said == {"age-001": "dull", "hobby-001": "of dogs"}
    every = {str(template.id) for template in samples(workspace).templates}
    assert not every & {"age-001", "hobby-001"} and "age-002" in every
