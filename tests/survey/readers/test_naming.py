"""How cells name options and questions: one meaning, or none, or a refusal."""

import json
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.records.messages import CurateError
from curation.records.survey import Option, Question, QuestionKind, Role
from survey.readers.frames import plain, refusal
from survey.readers.inspection import inspect_file
from survey.readers.opening import open_file
from survey.readers.options import OptionTable
from survey.readers.placing import BY_PART, Hints, Placed, _option, questions_named
from survey.readers.sets import by_names
from tests.survey.readers.population import put


class RefusedCell(Exception):
    """A cell was refused."""


def _refuse(cell, key, /, **words):
    raise RefusedCell(refusal(key, "", **words).what)


def options_named(question, cells):
    """What cells of people's making name."""
    return OptionTable(question, loose=True).named(cells, _refuse)


def asked(*named, many=False):
    """A question whose options have these codes and texts, the last one being 'none'."""
    options = [Option(code, (text,), Role.GROUP, True, text) for code, text in named[:-1]]
    code, text = named[-1]
    options.append(Option(code, (), Role.NONE, False, text))
    kind = QuestionKind.SELECT_ALL if many else QuestionKind.CHOICE
    return Question("q-1", kind, "Craft", "They hum", tuple(options))


FAITHS = (("1", "Christian"), ("2", "Muslim"), ("3", "None"), ("none", "No such stereotype"))
ZEROS = (("1", "Route 7"), ("2", "01"), ("none", "No such stereotype"))
YEH = (("1", "\u067e\u06cc\u0631\u0627\u0646"), ("none", "\u062a\u067e\u0647\u200c\u0647\u0627"))
STROKES = (("1", "\u0110\u00e0 N\u1eb5ng"), ("none", "\u0141\u00f3d\u017a"))
AGES = (("1", "18-29"), ("none", "No such stereotype"))
SPELT = (
    (
        "\u1781\u17d2\u1798\u17c2\u179a\u200b\u1785\u17b6\u179f\u17cb",
        "\u1781\u17d2\u1798\u17c2\u179a\u1785\u17b6\u179f\u17cb",
    ),
    ("Frau\u00aden", "Frauen\u061c"),
    (
        "\u0d06\u0d7e, \u0d05\u0d35\u0d7b",
        "\u0d06\u0d33\u0d4d\u200d, \u0d05\u0d35\u0d28\u0d4d\u200d",
    ),
    ("\u09ce", "\u09a4\u09cd\u200d"),
    ("\u0e17\u0e33", "\u0e17\u0e4d\u0e32"),
    ("\u0edc\u0eb9", "\u0eab\u0e99\u0eb9"),
    ("\u0219i \u021bi", "\u015fi \u0163i"),
    ("O\u02bbzbek", "O\u2018zbek"),
    ("Col\u00b7legi", "Co\u0140legi"),
    ("\uff21\uff08\uff22\uff09\u2026", "A(B)..."),
    ("20\u301c29", "20\uff5e29"),
    ("\u05e6\u05d4\u05f4\u05dc \u05d1\u05be\u05d0", '\u05e6\u05d4"\u05dc \u05d1-\u05d0'),
    ("\u0f56\u0f7c\u0f51\u0f0b", "\u0f56\u0f7c\u0f51\u0f0c"),
    ("\u2764\ufe0f \u1820\u180b", "\u2764 \u1820"),
)
"""Texts of Khmer, German, Malayalam, Bengali, Thai, Lao, Romanian, Uzbek, Catalan, Japanese,
Hebrew, Tibetan and Mongolian, as they are written in two ways."""
CODES = (("01", "Christian"), ("02", "None"), ("none", "No such stereotype"))


def test_an_exact_hit_that_competes_with_a_loose_one_is_refused():
    """A code and a text that only capitals or zeros tell apart are two readings of one cell."""
    for options, cells, refused in [
        (FAITHS, ["Christian", "Muslim", "None", "none"], "'None' can be read as"),
        (FAITHS, ["Christian", "NONE"], "'NONE' can be read as"),
        (CODES, ["01", "02", "none", "None"], "'none' can be read as"),
        (
            AGES,
            ["18-29", "None"],
            "'None' can be read as 'none: No such stereotype' or as no ",
        ),
        (ZEROS, ["Route 7", "1"], "'1' can be read as '1: Route 7' or as '2: 01'"),
        (ZEROS, ["Route 7", "1.0"], "'1.0' can be read as"),
        (ZEROS, ["1"], "'1' can be read as"),
        (ZEROS, ["1.5"], "'1.5' is not an option"),
    ]:
        with pytest.raises(RefusedCell, match=refused):
            options_named(asked(*options), cells)


def test_letters_that_keyboards_write_otherwise_are_the_same():
    """The Arabic yeh for the Persian one; marks that nobody sees; other digits; no stroke.

    And signs that are written as one or as two, as platforms and encodings have them.
    """
    cells = ["\u067e\u064a\u0631\u0627\u0646\u200f", "\u062a\u067e\u0647\u0647\u0627"]
    ages = ["\u0967\u096e-\u0968\u096f", "none"]
    for options, named in ((YEH, cells), (STROKES, ["Da Nang", "lodz"]), (AGES, ages)):
        assert options_named(asked(*options), named)[0] == {named[0]: (0,), named[1]: (1,)}
    for one, other in SPELT:
        for text, cell in ((one, other), (other, one)):
            read, notes = options_named(asked(("1", "Potters"), ("none", text)), [cell])
            assert read == {cell: (1,)}, (one, other)
            assert bool(notes) != (plain(one) == plain(other))  # what is seen is told


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("q-1", 0),
        ("Page 3, Q 2 of 9", 1),
        ("q-1 q-2", None),
        ("They hum", 0),
        ("Do people say \u201cthey sing\u201d?", 1),
        ("They hum at work", None),
        ("That they hum", None),
        ("They hummed: they hum", 0),
        ("They hum: they hum at work", 0),
        ("They run", None),
    ],
)
def test_a_text_names_a_question_by_its_id_or_by_all_of_its_stereotype(text, named):
    """A stereotype stands between marks, as a question quotes it; one that goes on is another."""
    options = asked(("1", "Potters"), ("none", "No such stereotype")).options
    questions = [
        Question(f"q-{at}", QuestionKind.CHOICE, "Craft", stereotype, options)
        for at, stereotype in ((1, "They hum"), (2, "They sing"))
    ]
    assert questions_named([text], questions, Hints()) == [named]


def test_a_stereotype_is_found_within_the_words_of_thai(tmp_path):
    """Which has no blanks between words; a person is asked to check it."""
    lazy = "\u0e02\u0e35\u0e49\u0e40\u0e01\u0e35\u0e22\u0e08"
    question = replace(asked(("1", "Potters"), ("none", "Nobody")), stereotype=lazy)
    path = put(tmp_path / "a.csv", [["id", f"\u0e43\u0e04\u0e23{lazy}"], ["a", "Potters"]])
    found = inspect_file(open_file(path), [question], tmp_path)
    assert [(item.question_id, item.how) for item in found.columns[1:]] == [("q-1", BY_PART)]


def test_vowels_that_are_marks_tell_names_apart():
    """Two words of Hindi that differ in one, and a word that goes on with one."""
    short, long = "\u0926\u093f\u0928", "\u0926\u0940\u0928"
    options = asked(("a", f"{short} 1"), ("b", "Potters"), ("none", "Nobody")).options
    questions = [
        Question(f"{name}-001", QuestionKind.CHOICE, "Craft", stereotype, options)
        for name, stereotype in ((short, "\u0915\u093e\u092e"), (long, "They sing"))
    ]
    texts = [f"{short}-001", f"{long}_001", "\u0915\u093e\u092e?", "\u0915\u093e\u092e\u093f\u0928"]
    assert questions_named(texts, questions, Hints()) == [0, 1, 0, None]
    cells = [f"{short}_1", f"{long}_1", "1"]
    assert by_names(questions[0], cells) == dict(zip(cells, (0, -1, -1), strict=True))


def test_a_cell_none_of_python_is_no_option_in_a_draft():
    """Unless an option is called so: it may be an empty cell that a program wrote."""
    for options, named in ((AGES, -1), ((("1", "Potters"), ("None", "Nobody")), 1)):
        assert by_names(asked(*options), ["None", "?"])["None"] == named


def question(*texts):
    """A multi-select of options that are called by their texts."""
    options = [Option(str(at), (text,), Role.GROUP, True, text) for at, text in enumerate(texts, 1)]
    return replace(asked(("none", ""), many=True), options=tuple(options))


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
