"""CSV for a panel company."""

from dataclasses import replace

from survey.mapping import load_mapping
from survey.platforms import panel


def test_joint_mapping(kit, tmp_path):
    """One file may hold all forms: there a blank is no answer to what one's own form asks."""
    panel.write(tmp_path, kit)
    joint = load_mapping(tmp_path / "all.mapping.yaml")
    assert [part.column or part.columns for part in joint.questions] == [
        "Q001",
        "Q002_{code}",
        "Q003",
    ]
    assert all("" in part.missing for part in joint.questions)
    assert [part.asked["form"] for part in joint.questions] == [("f01", "f02"), ("f01",), ("f01",)]
    assert joint.attributes["form"].column == "form"


def test_one_form_needs_no_joint_mapping(kit, tmp_path):
    files = panel.write(tmp_path, replace(kit, sheets=kit.sheets[:1]))
    assert [path.name for path in files] == ["f01.csv", "cover.csv", "codebook.csv"]
