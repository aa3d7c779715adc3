"""Which option of a question a text stands for."""

import json
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.records.messages import CurateError
from curation.records.survey import Option, Question, QuestionKind, Role
from survey.readers.options import OptionTable
from survey.readers.placing import Hints, Placed, _option


def question(*texts):
    """A multi-select of options that are called by their texts."""
    options = [
        Option(str(at), (f"G{at}",), Role.GROUP, True, text) for at, text in enumerate(texts, 1)
    ]
    return Question("q-1", QuestionKind.SELECT_ALL, "Craft", "Singing", tuple(options))


def test_a_column_of_ticks_is_of_the_option_that_a_codebook_names():
    """By the name of the column, whatever stands above it."""
    column = Placed(3, ("Q1_2", "Who sings?"), "answer", "Q1", [0])
    hints = Hints(values={"Q1_1": {"1": "Potters"}, "Q1_2": {"1": "Bakers"}})
    assert _option(column, question("Potters", "Bakers"), hints) == 1


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"a": "1", "b": "9"}, "'9' (for 'b') is not an option of the questionnaire"),
        ({"a": "1"}, "no value is given for '2: Bakers'"),
        ({"a": "1", "b": "2", " b": "2"}, "two values differ only in blanks"),
    ],
)
def test_a_mapping_of_options_that_does_not_fit_is_refused(options, what):
    """Each value leads to one option, and each option has a value."""
    with pytest.raises(CurateError) as caught:
        OptionTable(question("Potters", "Bakers"), options)
    assert caught.value.what == f"question q-1, options: {what}"
    assert caught.value.hint


@given(
    texts=st.lists(st.text("ab,;", min_size=1, max_size=4), min_size=1, max_size=4, unique=True),
    cell=st.text("ab,;", min_size=1, max_size=8),
    sign=st.sampled_from([",", ";"]),
)
def test_readings_are_all_that_join_to_the_cell_and_no_others(texts, cell, sign):
    """By comparison with joining the options in every order; a semicolon may end the cell."""
    end = sign if sign == ";" else ""
    table = OptionTable(question(*texts), {f"#{at}": str(at) for at in range(1, len(texts) + 1)})
    ways = {
        order
        for size in range(1, len(texts) + 1)
        for order in permutations(range(len(texts)), size)
        if cell in ((joined := sign.join(texts[at] for at in order)), joined + end)
    }
    assert set(table.readings(cell, sign)) == ways


@given(st.sets(st.integers(0, 3)))
def test_a_json_list_is_read_as_the_options_it_names(chosen):
    """With or without `choices` around it."""
    table = OptionTable(question("a", "4", "c", "7"))  # codes, though a text is another's code
    names = [str(at + 1) for at in sorted(chosen)]
    assert table.listed(json.dumps(names)) == tuple(sorted(chosen))
    assert table.listed(json.dumps({"choices": names})) == tuple(sorted(chosen))
    printed = f"[{' '.join(map(repr, names))}]"  # as numpy does
    assert table.listed(printed) == tuple(sorted(chosen))


def test_what_is_no_list_of_options_is_none():
    for cell in ["[1]", '["x"]', '["1", "1"]', '{"choices": "1"}', "[", "{}", "a", "[" * 5000]:
        assert OptionTable(question("a", "b")).listed(cell) is None
