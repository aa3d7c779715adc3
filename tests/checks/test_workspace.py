"""What a check says of templates that are not used, and of those that cannot be filled."""

import shutil
from pathlib import Path

from curation.bank.removal import set_aside_templates
from curation.checks.workspace import check
from curation.files.workspace import open_workspace
from curation.records.bank import Variant
from curation.records.findings import Finding, Severity

DEMO = Path(__file__).parents[2] / "templates_src" / "demo"
UNCLOSED = "Who forgets [N1 things?"


def said(folder: Path, *texts: str, **asked: object) -> tuple[list[tuple[str, str]], int]:
    """The severity and rule of what is found on the bank, and how much is hidden."""
    path = folder / "templates_src" / "bank.csv"
    text = path.read_text(encoding="utf-8")
    for old, new in zip(texts[::2], texts[1::2], strict=True):
        text = text.replace(old, new, 1)
    path.write_text(text, encoding="utf-8")
    found = check(open_workspace(folder), **asked)
    return [(str(item.severity), item.rule) for item in found.findings], found.hidden


def first(folder: Path) -> Variant:
    """The first variant of a template."""
    variants = open_workspace(folder).bank.variants
    return next(item for item in variants if str(item.template_id) == "hobby-001")


def test_nothing_is_said_of_templates_that_are_not_used(tmp_path: Path) -> None:
    """An error in one of them is a warning for who wants to see it."""
    folder = tmp_path / "demo"
    shutil.copytree(DEMO, folder)
    variant = first(folder)
    broken = (variant.texts.biased_question, UNCLOSED)
    assert said(folder, *broken) == ([("error", "slot-syntax")], 0)
    set_aside_templates(open_workspace(folder), ["hobby-001"], reason="dull", by="Mina")
    assert open_workspace(folder).not_used["hobby-001"].reason == "set aside: dull"
    assert said(folder) == ([], 1)
    assert said(folder, every_template=True) == ([("warning", "slot-syntax")], 0)


def test_a_template_that_cannot_be_filled_is_said_once(tmp_path: Path) -> None:
    """Where a rule finds an error in it, that error alone."""
    folder = tmp_path / "demo"
    shutil.copytree(DEMO, folder)
    variant = first(folder)
    file = "templates_src/bank.csv"
    empty = Finding("template-unfillable", Severity.ERROR, file, variant.row, "", "no list", "")
    assert said(folder, unfillable=[empty]) == ([("error", "template-unfillable")], 0)
    broken = (variant.texts.biased_question, UNCLOSED)
    assert said(folder, *broken, unfillable=[empty]) == ([("error", "slot-syntax")], 0)
