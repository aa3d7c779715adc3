"""What a check says of templates that are not used, and of those that cannot be filled."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from curation.bank.removal import set_aside_templates
from curation.checks.subject import ReleaseFacts
from curation.checks.workspace import check, confirm
from curation.files.workspace import open_workspace
from curation.records.messages import CurateError, Finding, Severity

DEMO = Path(__file__).parents[2] / "templates_src" / "demo"
UNCLOSED = "Who forgets [N1 things?"


@pytest.fixture
def folder(tmp_path):
    return shutil.copytree(DEMO, tmp_path / "demo")


def said(folder, *texts, **asked):
    """The severity and rule of what is found on the bank, and how much is hidden."""
    path = folder / "templates_src" / "bank.csv"
    text = path.read_text(encoding="utf-8")
    for old, new in zip(texts[::2], texts[1::2], strict=True):
        text = text.replace(old, new, 1)
    path.write_text(text, encoding="utf-8")
    found = check(open_workspace(folder), **asked)
    return [(str(item.severity), item.rule) for item in found.findings], found.hidden


def first(folder):
    variants = open_workspace(folder).bank.variants
    return next(item for item in variants if str(item.template_id) == "hobby-001")


def test_nothing_is_said_of_templates_that_are_not_used(folder):
    """An error in one of them is a warning for who wants to see it."""
    variant = first(folder)
    broken = (variant.texts.biased_question, UNCLOSED)
    assert said(folder, *broken) == ([("error", "slot-syntax")], 0)
    set_aside_templates(open_workspace(folder), ["hobby-001"], reason="dull", by="Mina")
    assert "hobby-001" in open_workspace(folder).not_used
    assert said(folder) == ([], 1)
    assert said(folder, every_template=True) == ([("warning", "slot-syntax")], 0)


def test_what_a_workspace_is_warned_of_stops_a_release(folder):
    """The published thresholds are those that decided."""
    asked = {"rules": ["settings-changed"], "decided_with": {"min_respondents": 31}}
    for facts, severity in ((None, "warning"), (ReleaseFacts(), "error")):
        assert said(folder, release=facts, **asked) == ([(severity, "settings-changed")], 0)


def test_a_template_that_cannot_be_filled_is_said_once(folder):
    """Where a rule finds an error in it, that error alone; a warning says nothing of it."""
    variant = first(folder)
    text = variant.texts.ambiguous_context
    spaced = (text, text.replace(" ", "  ", 1))
    file = "templates_src/bank.csv"
    empty = Finding("template-unfillable", Severity.ERROR, file, variant.row, "", "no list", "")
    assert said(folder, unfillable=[empty]) == ([("error", "template-unfillable")], 0)
    found, _ = said(folder, *spaced, unfillable=[empty])
    assert found == [("error", "template-unfillable"), ("warning", "white-space")]
    broken = (*spaced[::-1], variant.texts.biased_question, UNCLOSED)
    assert said(folder, *broken, unfillable=[empty]) == ([("error", "slot-syntax")], 0)


def test_groups_that_are_missing_are_said_once(folder):
    """Of each template's groups nothing is said then, of its texts everything."""
    (folder / "templates_src" / "groups.csv").unlink()
    found, _ = said(folder, first(folder).texts.biased_question, UNCLOSED)
    assert {rule for _, rule in found} == {"groups-file-missing", "slot-syntax"}


def test_a_confirmed_warning_is_said_again_when_a_text_is_changed(folder):
    """Of the same template, in any variant; rows may move, and errors are never confirmed."""
    text = first(folder).texts.ambiguous_context
    doubled = text.replace(" ", "  ", 1)
    question = first(folder).texts.biased_question
    assert said(folder, text, doubled) == ([("warning", "white-space")], 0)

    workspace = open_workspace(folder)
    (finding,) = check(workspace).findings
    broken = replace(finding, severity=Severity.ERROR)
    added = confirm(workspace, [finding, broken, finding], reason=" as  said ", by="Mina")
    subject, reason = (added.decisions[0].subject, added.decisions[0].reason)
    assert [(item.by, item.reason) for item in added.decisions] == [
        ("Mina", "white-space, hobby-001a ambiguous_context: as said")
    ]
    assert open_workspace(folder).decisions[-1].subject == subject
    assert reason.startswith("white-space")

    assert said(folder) == ([], 0)
    assert check(open_workspace(folder)).confirmed == 1
    (told,) = check(open_workspace(folder), every_template=True).findings
    assert (told.severity, told.hint[:17]) == (Severity.INFO, "confirmed by Mina")
    assert told.hint.endswith(": as said")
    other = replace(finding, row=None)
    again = confirm(open_workspace(folder), [other, finding], reason="again", by="Juno")
    assert [item.reason for item in again.decisions] == [
        "white-space, templates_src/bank.csv ambiguous_context: again"
    ]
    assert again.unchanged == 1
    for empty in ({"reason": " ", "by": "Mina"}, {"reason": "so", "by": " "}):
        with pytest.raises(CurateError, match="is empty"):
            confirm(open_workspace(folder), [finding], **empty)

    bank = folder / "templates_src" / "bank.csv"
    head, *rows = bank.read_text(encoding="utf-8").splitlines(keepends=True)
    bank.write_text("".join([head, *rows[-2:], *rows[:-2]]), encoding="utf-8")
    assert said(folder) == ([], 0)
    assert ("warning", "white-space") in said(folder, question, question.replace("?", "??"))[0]


def test_a_confirmed_warning_on_a_group_is_said_again_when_its_row_is_changed(folder):
    """Wherever the row stands by now."""
    file = folder / "templates_src" / "groups.csv"
    head, *rows = file.read_text(encoding="utf-8").splitlines(keepends=True)
    rows[0] = rows[0].replace(", ", " {gen: of one}, ", 1)

    def found(*lines):
        file.write_text("".join([head, *lines]), encoding="utf-8")
        return list(check(open_workspace(folder)).findings)

    warned = found(*rows)
    assert [(item.row, item.column) for item in warned] == [(2, "fillers")]
    confirm(open_workspace(folder), warned, reason="so", by="Mina")
    assert found(*rows) == found(*rows[1:], rows[0]) == []
    changed = rows[0].replace(",group,", ",age,")
    assert [item.message for item in found(changed, *rows[1:])] == [warned[0].message]


def test_what_is_said_of_one_template(folder):
    """By its rows in the bank; of others nothing is counted either."""
    text = first(folder).texts.ambiguous_context
    said(folder, text, text.replace(" ", "  ", 1))

    def of(*templates):
        found = check(open_workspace(folder), templates=templates)
        return [item.rule for item in found.findings], found.hidden, found.confirmed

    assert of() == of("hobby-001") == (["white-space"], 0, 0)
    assert of("hobby-002") == ([], 0, 0)
    with pytest.raises(CurateError, match="hoby-001"):
        of("hoby-001")
    confirm(open_workspace(folder), check(open_workspace(folder)).findings, reason="so", by="Mina")
    assert (of("hobby-001"), of("hobby-002")) == (([], 0, 1), ([], 0, 0))
    set_aside_templates(open_workspace(folder), ["hobby-001"], reason="so", by="Mina")
    assert (of("hobby-001"), of("hobby-002")) == (([], 1, 0), ([], 0, 0))
