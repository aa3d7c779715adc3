"""What a person has answered, whatever it came in, and how it joins what is there."""

import pytest

from curation.annotation.labels import annotation_of
from curation.annotation.sheets import Given, join
from curation.files.annotations import CLASSIFY_TABLE
from curation.records.annotation import Annotation
from curation.records.bank import Label


def row(name, person, remark="", at="1"):
    return Annotation(name, person, remark=remark, collected_at=at)


BEFORE = [row("a", "Mina", "x"), row("b", "Mina", "x"), row("a", "Jun", "x")]
BEFORE += [row("c", "Mina"), row("d", "Mina")]


@pytest.mark.parametrize(
    ("whole", "rows", "replaced"),
    [
        (
            False,
            {("a", "Mina", "2"), ("b", "Mina", "1"), ("c", "Mina", "1"), ("d", "Mina", "1")},
            1,
        ),
        (True, {("a", "Mina", "2"), ("b", "Mina", "1")}, 3),
    ],
)
def test_answers_join_those_of_before(whole, rows, replaced):
    """What is the same keeps its time; what is to go goes, though nothing stands in its place."""
    new = [row("a", "Mina", "y", "2"), row("b", "Mina", "x", "2")]
    found, counts = join(CLASSIFY_TABLE, BEFORE, new, lambda one: whole and one.annotator == "Mina")
    rows = rows | {("a", "Jun", "1")}
    assert {(one.template_id, one.annotator, one.collected_at) for one in found} == rows
    assert len(found) == len(rows) and counts == {"Mina": replaced}


@pytest.mark.parametrize(
    ("said", "refused"),
    [
        ({"label": "ST"}, []),
        ({"remark": "who?"}, []),
        ({"label": "SR", "reason": "unknown"}, []),
        ({"label": "TM", "proposed_targets": "old men; widows"}, []),
        ({"reason": "unknown"}, []),
        ({"proposed_targets": "widows"}, ["label"]),
        ({"label": "NC"}, ["label"]),
        ({"label": "SR", "reason": " "}, ["reason"]),
        (
            {"label": "TM", "proposed_targets": "[x", "proposed_non_targets": "[y"},
            ["proposed_targets", "proposed_non_targets"],
        ),
    ],
)
def test_all_that_cannot_be_taken_of_a_label_is_refused(said, refused):
    """Each question of it once."""
    found = []
    given = Given("a", "Mina", said, "file", "1", lambda name, _: found.append(name), "seen")
    made = annotation_of(given)
    assert found == refused and (made is None) == bool(refused)
    if made is not None:
        assert (made.template_id, made.annotator, made.row_hash) == ("a", "Mina", "seen")
        assert (made.label or "") == said.get("label", "")


def test_a_reason_without_a_label_is_a_remark():
    """Who gives one is not sure, and nothing that they wrote is lost."""
    for said, told in (
        ({"reason": "not heard"}, ("", "not heard")),
        ({"reason": "not heard", "remark": "ask Jun"}, ("not heard", "ask Jun")),
    ):
        made = annotation_of(Given("a", "Mina", said, "f", "1", lambda *_: pytest.fail("refused")))
        assert (made.label, made.reason, made.remark) == (None, *told)


def test_a_file_of_another_tool_need_not_give_a_reason():
    """It may have had no place for it: that is said once for all of them."""
    given = Given("a", "Mina", {"label": "SR"}, "file", "1", lambda *_: pytest.fail("refused"))
    made = annotation_of(given, needs_reason=False)
    assert made is not None and made.label is Label.SAMPLE_REMOVED
