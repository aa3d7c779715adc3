"""Templates that were deleted, and are there to be restored."""

from curation.bank.removal import delete_templates, restore_templates
from curation.files.workspace import Workspace
from curation.initial import copy_demo


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
    assert {row.id for row in rows("bank")} == {
        row.id for row in before if str(row.template_id) != "age-002"
    }
