"""What annotation can do, as a notebook calls it: a workspace in, a frozen result out, no words."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from curation.annotation.classify import (
    collect_labels,
    label_agreement,
    make_classify_sheets,
    resolve_one,
)
from curation.annotation.groups import collect_groups, make_groups_sheet
from curation.annotation.labelstudio.kinds import KINDS, kind_of
from curation.annotation.newtemplates import collect_new_templates, make_new_sheet
from curation.annotation.translation.sheet import make_translation_sheets
from curation.files.workspace import Workspace
from curation.records.bank import Label
from curation.records.errors import CurateError
from curation.records.findings import Refusal

DEMO = Path(__file__).parents[2] / "templates_src" / "demo"


@pytest.fixture
def workspace(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Iterator[Workspace]:
    """The demo; what is done with it must print nothing."""
    shutil.copytree(DEMO, tmp_path / "demo")
    yield Workspace(tmp_path / "demo")
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("names", "what"), [(["Mina", "mina "], "'Mina' occurs twice"), ([" "], "a name is empty")]
)
def test_names_that_cannot_be_told_apart_are_refused(
    workspace: Workspace, names: list[str], what: str
) -> None:
    """Before anything is written."""
    with pytest.raises(CurateError, match=what):
        make_classify_sheets(workspace, names)
    with pytest.raises(CurateError, match=what):
        make_translation_sheets(workspace, names, unlabelled=True)


def test_a_label_is_settled_by_somebody_for_a_reason(workspace: Workspace) -> None:
    """The ledger tells both to later readers; nothing is written without."""
    with pytest.raises(CurateError, match="the name of the person who decides is empty"):
        resolve_one(workspace, "age-004", Label.SIMPLY_TRANSFERRED, "as the meeting said", " ")
    with pytest.raises(CurateError, match="the reason is empty"):
        resolve_one(workspace, "age-004", Label.SIMPLY_TRANSFERRED, " ", "Mina")
    assert not workspace.ledger_file.exists()


def test_a_refused_workbook_comes_with_findings_and_a_marked_copy(workspace: Workspace) -> None:
    """Nothing else is written."""
    file = make_classify_sheets(workspace, ["Mina"]).sheets[0].file
    with pytest.raises(Refusal) as refused:
        collect_labels(workspace, [file])
    assert [item.rule for item in refused.value.findings] == ["annotation-empty"]
    assert [path.name for path in refused.value.marked] == ["classify-Mina.xlsx"]
    assert refused.value.what == "Nothing was collected: 1 error."
    assert not (workspace.root / "annotations" / "classify.csv").exists()


def test_agreement_of_nobody_is_not_defined(workspace: Workspace) -> None:
    """It says why."""
    found = label_agreement(workspace)
    assert (found.annotators, found.alpha.value) == ((), None)
    assert str(found.alpha) == "not defined: no template has two labels"


def test_groups_and_new_templates_are_edited_in_workbooks(workspace: Workspace) -> None:
    """One that nobody edited changes nothing; one without a template is refused."""
    groups = make_groups_sheet(workspace)
    assert groups.groups == len(workspace.groups)
    found = collect_groups(workspace, groups.file)
    assert (found.changed, found.added, found.removed, found.gone) == ((), (), (), ())
    with pytest.raises(Refusal) as refused:
        collect_new_templates(workspace, make_new_sheet(workspace, rows=3).file, dry_run=True)
    assert [item.rule for item in refused.value.findings] == ["new-empty"]
    assert refused.value.marked == ()


def test_every_kind_of_task_is_found_by_its_name() -> None:
    """Also those of other packages, which are imported when they are used."""
    assert [kind_of(name).name for name in KINDS] == list(KINDS)
    with pytest.raises(CurateError, match="no kind of task 'sort'"):
        kind_of("sort")
