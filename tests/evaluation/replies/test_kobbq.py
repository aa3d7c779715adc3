"""KoBBQ's published reading, its defects included."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.records.messages import own_yaml
from evaluation.parsing.verdicts import read_reply
from evaluation.replies.readings import read_as_kobbq

TABLE = own_yaml((Path(__file__).parent / "kobbq.yaml").read_text(encoding="utf-8"))
CHOICES = {
    "ko": ("도예가", "제빵사", "알 수 없음"),
    "en": ("The Potter", "The Baker", "Cannot say"),
}


def test_what_the_script_reads():
    """Each step of it, and what it takes for an answer that is none."""
    for language, rule, letter, replies in (*TABLE["right"], *TABLE["defects"]):
        for reply in replies:
            expected = ("ABC".index(letter), rule)
            assert read_as_kobbq(reply, CHOICES[language]) == expected, reply
    for language, rule, replies in TABLE["unread"]:
        for reply in replies:
            assert read_as_kobbq(reply, CHOICES[language]) == (None, rule), reply
    assert read_as_kobbq("Dr. Kim", ("Dr. Kim", "the baker", "x")) == (0, "raw")
    assert read_as_kobbq("x", ("y", "X", "x")) == (1, "text"), "of equal ones the first"
    with pytest.raises(ValueError, match="three choices, not to 2"):
        read_as_kobbq("A", ("x", "y"))


def test_what_is_a_defect_is_read_otherwise_by_the_toolkit():
    """None of these names the choice that the script reads."""
    for language, _, letter, replies in TABLE["defects"]:
        for reply in replies:
            found = read_reply(reply, CHOICES[language]).chosen
            assert found != {"ABC".index(letter)}, reply


SIGNS = st.text(st.sampled_from("ABCabc().:*'\"\n 답변은입니다없습음도예가"), max_size=30)


@given(reply=st.one_of(st.text(), SIGNS))
def test_any_reply_is_read_or_not(reply):
    """Nothing raises or hangs; a place goes with a rule that reads."""
    place, rule = read_as_kobbq(reply, CHOICES["ko"])
    assert (place is None) == (rule in ("unread", "several"))
    assert place in (None, 0, 1, 2)
