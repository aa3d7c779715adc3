"""The rule `release-annotator-name`."""

from curation.checks.release.facts import Outgoing

NOTE = Outgoing("bank.csv", 2, "note", "Ann Lee, and 김민수, were in doubt")


def test_the_name_of_an_annotator_is_said(found):
    """Without the name."""
    for name in ("Ann Lee", "김민수"):
        assert found(outgoing=(NOTE,), annotators=frozenset({name})) == [
            (
                "release-annotator-name",
                "warning",
                "bank.csv, row 2, column note",
                "the text holds the name of somebody who annotated or translated",
            )
        ]


def test_a_part_of_a_word_is_no_name(found):
    """Nor is a name that is not there."""
    assert found(outgoing=(NOTE,), annotators=frozenset({"Lee Ann", "doub", "민수"})) == []


def test_authors_are_named_by_their_own_wish(found):
    """They sign the release."""
    authors = [{"family": "Lee", "given": "Ann"}]
    facts = {"outgoing": (NOTE,), "annotators": frozenset({"Ann Lee"})}
    assert found(release={"authors": authors}, **facts) == []
