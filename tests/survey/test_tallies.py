"""The counts of all survey files together."""

from dataclasses import replace

import pytest

from curation.files.bank import GroupBook
from curation.files.questionnaire import read_tallies, write_tallies
from curation.records.messages import CurateError
from survey.counts import merge


def test_two_files_that_agree_on_a_question_are_one(make):
    """The same counts from two places are counted once, in the order of first mention."""
    first, second = make.tally(make.choice(), 5, 2, 1), make.tally(make.comprehension(), 1, 8, 0)
    again = replace(first, source="published.json", row=3)
    assert merge([first, second, again, second]) == [first, second]


def test_the_order_of_the_options_makes_no_difference(make):
    """Counts are compared by what the options mean."""
    tally = make.tally(make.select_all("A", "B"), 5, 2, 1, respondents=6)
    question = replace(tally.question, options=tally.question.options[::-1])
    assert merge([tally, replace(tally, question=question, votes=(1, 2, 5))]) == [tally]


def test_two_files_that_disagree_on_a_question_are_refused(make):
    """Other votes, exchanged votes and another number of people are no matter of choice."""
    for votes, respondents in [((5, 3, 1), 9), ((2, 5, 1), 8), ((5, 2, 1), 9), ((4, 2, 1), 8)]:
        first = make.tally(make.choice(), 5, 2, 1)
        other = make.tally(make.choice(), *votes, respondents=respondents, source="b.json", row=4)
        with pytest.raises(CurateError) as refused:
            merge([first, other])
        assert refused.value.where == "b.json, entry 4"


def test_a_question_is_that_of_every_template_that_a_file_names(make):
    """Counts that templates carry are those of one question, and each keeps its name."""
    plain = make.tally(make.choice(), 5, 2, 1)
    first, second = (
        replace(plain, question=replace(plain.question, templates=(name,)))
        for name in ("craft-001", "craft-002")
    )
    (joined,) = merge([plain, first, second, first])
    assert joined == replace(
        plain, question=replace(plain.question, templates=("craft-001", "craft-002"))
    )


def test_no_cell_is_a_formula(make, tmp_path):
    """A spreadsheet shows a name that begins as a formula, and it is read as it was."""
    question = replace(make.choice(), stereotype="=they hum")
    write_tallies(tmp_path / "tallies.csv", [make.tally(question, 5, 2, 1)])
    assert ",'=they hum," in (tmp_path / "tallies.csv").read_text("utf-8")
    (read,) = read_tallies(tmp_path / "tallies.csv", GroupBook())
    assert read.question.stereotype == "=they hum"


def test_what_is_written_is_read_back(make, tmp_path):
    """Questions, options, counts and source come back; only the row in the source does not."""
    tallies = [
        make.tally(make.choice('Smiths, "the" farriers', "Potters"), 5, 2, 1),
        make.tally(make.select_all("A, B", uncounted=["C"]), 5, 2, 1, respondents=7),
        make.tally(make.comprehension(), 1, 8, 0),
        make.tally(make.choice(id="q-0"), 0, 0, 0),
        make.tally(make.choice(id="q-9", templates=("craft-001", "craft-002")), 3, 0, 1),
    ]
    write_tallies(tmp_path / "tallies.csv", tallies)
    assert read_tallies(tmp_path / "tallies.csv", GroupBook()) == tallies


def test_a_damaged_file_says_how_to_make_it_again(make, tmp_path):
    """The counts are derived, so that nothing is lost with them; they are never read in part."""
    for old, new in [
        (",8,", ",eight,"),
        (",choice,", ",multi,"),
        (",target,", ",goal,"),
        (",non_target,", ",target,"),
        ('"[""Bakers""]"', "[Bakers"),
        ("question_id", "question"),
        (",answers.csv", ""),
        (",5,8,", ",5,9,"),
    ]:
        path = tmp_path / "tallies.csv"
        write_tallies(path, [make.tally(make.choice(), 5, 2, 1)])
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new, 1))
        with pytest.raises(CurateError) as refused:
            read_tallies(path, GroupBook())
        assert str(path) in refused.value.where
        assert refused.value.hint
        assert old != "question_id" or "curate filter" in refused.value.hint
