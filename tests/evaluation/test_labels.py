"""Labels of choices, as a request's text shows them."""

import pytest

from evaluation.prompts import bundled_prompts
from evaluation.requests import Request, shown_labels

CHOICES = ("the baker", "the potter", "Unknown")


def labels(text, choices=CHOICES):
    return shown_labels(Request("r", ({"role": "user", "content": text},), choices))


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_labels_of_the_bundled_prompts_are_found(language):
    """Each prompt's letters are in its text, after a context that names the same people."""
    for prompt in bundled_prompts(language).prompts:
        choices = (*CHOICES[:2], prompt.unknown)
        text = prompt.text("the baker and the potter met.", "Who: the baker?", choices)
        assert labels(text, choices) == tuple(prompt.letters)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1. the baker\n2. the potter\n3. Unknown", ("1", "2", "3")),
        ("(가) the baker (나) the potter (다) Unknown", ("가", "나", "다")),
        ("[x] the baker\n[y] 'the potter'\n[z] “Unknown”", ("x", "y", "z")),
        ("A: the baker\nB: the potter\nC: Unknown", ("A", "B", "C")),
        ("Note: the baker A) the baker B) the potter C) Unknown", ("A", "B", "C")),
    ],
)
def test_a_label_stands_before_its_choice(text, expected):
    """With a sign between them; of several places the last one counts."""
    assert labels(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Who sang, the baker, the potter or Unknown?",
        "x: the baker\nx: the potter\nz: Unknown",
        "x: the baker\nX: the potter\nz: Unknown",
        "y: the potter\nx: the baker\nz: Unknown",
        "x: the baker\ny: the potter",
        "x: the bakery\ny: the potter\nz: Unknown",
    ],
)
def test_without_three_labels_in_order_they_are_a_b_c(text):
    """Shown nowhere, twice, in another order, or not all."""
    assert labels(text) == ("A", "B", "C")


def test_a_label_may_be_in_any_message():
    """Choices in the first message, the question in the second."""
    messages = (
        {"role": "system", "content": "1: the baker\n2: the potter\n3: Unknown"},
        {"role": "user", "content": "Who sang?"},
    )
    assert shown_labels(Request("r", messages, CHOICES)) == ("1", "2", "3")
