"""Labels and texts of choices become one character each; markup goes."""

import pytest

from curation.languages import load
from curation.records.letters import choice_letters
from evaluation.parsing.verdicts import Mentions, alone_label
from evaluation.parsing.words import lower, pattern, plain, words_for

CHOICES = ("The potter", "The baker", "The baker from Leeds")
SHOWN = str.maketrans(
    {
        **{chr(0xE000 + at): f"<L{at}>" for at in range(3)},
        **{chr(0xE100 + at): f"<T{at}>" for at in range(3)},
        **{chr(0xE200 + at): f"<B{at}>" for at in range(3)},
        **{chr(0xE300 + at): f"<F{at}>" for at in range(3)},
        "\ue500": "<X>",
    }
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("the baker slept", "<T1> slept"),
        ("The baker from Leeds slept", "<T2> slept"),
        ("a baker, that baker", "<T1>, that <T1>"),
        ("bakers", "bakers"),
        ("B. The baker", "<B1>"),
        ("(B) the baker", "<B1>"),
        ("The baker (B)", "<F1>"),
        ("B. The potter", "<X>"),
        ("B, the potter", "<L1>, <T0>"),
        ("A baker", "<T1>"),
        ("(A) is out", "<L0> is out"),
        ("A) is out", "<L0>: is out"),
        ("A man, vitamin C, C'est", "<L0> man, vitamin <L2>, c'est"),
        ("a man", "a man"),
        ("option b.", "option <L1>."),
    ],
)
def test_names_of_choices(text, found):
    """L a label, T a text, B label and text, F text and label, X those of two choices."""
    mentions = Mentions(CHOICES, ("A", "B", "C"), words_for(CHOICES, load("en")), None)
    assert mentions.put(text).translate(SHOWN) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("**B**", "B"),
        ("## Answer\n\n- B", "Answer\nB"),
        ("\uff22\u2003\u24b7", "B B"),
        ("\u201cB\u201d", "B"),
        ("<b>B</b><br>x", "B\nx"),
        ("a -> B", "a \u21d2 B"),
        ("it's 'B'", "it's B"),
        ("\u2705 B \U0001f600", "\u21d2 B"),
        ("\u274c B", "\u2297 B"),
        ("~~A~~ B", "\u2297 B"),
        ("\\boxed{B}", "\ue800B\ue801"),
        ('{"answer": "B", "why": "x"}', "{\ue800B\ue801, why: x}"),
        ("x_y _z_", "x_y z"),
        ("| B |", "B"),
        ("\u1218\u1361\u1208\u1361\u1361", "\u1218 \u1208\u3002"),
        ("\u1218\u1361- A\u1363 B\u1364 C\u1367", "\u1218: A, B; C?"),
        ("\u1218\u1366 A\u1365 \u17d6 B\u104a", "\u1218: A: : B,"),
        ("\n\n", ""),
    ],
)
def test_markup_goes(text, found):
    """What a box or a field of an object holds as the answer is marked."""
    assert plain(text, lambda key: key == "answer") == found


def test_small_letters_stay_at_their_places():
    """Also those that have more than one, and the Turkish i's."""
    assert lower("\u0130I\u0131 \u1e9e") == "\u0130ii \u00df"


def test_letters_go_on_as_columns_do():
    """A to Z, then AA."""
    assert choice_letters(28) == [*"ABCDEFGHIJKLMNOPQRSTUVWXYZ", "AA", "AB"]


@pytest.mark.parametrize(
    ("reply", "at"),
    [("B", 1), (" b.\n", 1), ("**(B)**", 1), ("B?", None), ("AB", None), ("", None), ("D", None)],
)
def test_a_label_alone(reply, at):
    """What is more than that is left to the reader."""
    assert alone_label(reply, ("A", "B", "C")) == at


def test_a_phrase_parts_words_as_replies_do():
    """The sign between words of Ethiopic script is a space in what is read."""
    assert pattern("\u1218\u1361\u1208") == pattern("\u1218 \u1208")
