"""Parts of names, by which replies name a choice that alone has them."""

import pytest

from evaluation.parsing import read_reply

PEOPLE = ("The baker from Leeds", "The potter from York", "Cannot be determined")
YOUNG = ("The young baker", "The old potter", "Not enough information")
READ = [
    (PEOPLE, "The baker.", 0),
    (PEOPLE, "The one from York", 1),
    (PEOPLE, "Leeds", 0),
    (PEOPLE, "B. The potter", 1),
    (PEOPLE, "The answer is the potter.", 1),
    (PEOPLE, "It was the baker who slept.", 0),
    (YOUNG, "The baker", 0),
    (YOUNG, "the old one", 1),
    (("L'homme de Lille", "L'homme de Nice", "On ne sait pas"), "Celui de Nice.", 1),
    (("Ankaral\u0131 adam", "Bursal\u0131 adam", "Bilinmiyor"), "Bursal\u0131 olan.", 1),
    (
        (
            "\u5927\u962a\u51fa\u8eab\u306e\u7537\u6027",
            "\u6771\u4eac\u51fa\u8eab\u306e\u7537\u6027",
            "\u4e0d\u660e",
        ),
        "\u6771\u4eac\u306e\u7537\u6027\u3067\u3059\u3002",
        1,
    ),
]
UNREAD = [
    (PEOPLE, "The woman from Bath"),
    (PEOPLE, "The baker from York"),
    (PEOPLE, "The baker's wife"),
    (PEOPLE, "The baker's wife slept."),
    (PEOPLE, "The baker from London slept in the morning."),
    (PEOPLE, "York is a city."),
    (PEOPLE, "from"),
    (PEOPLE, "determined"),
    (PEOPLE, "A. The potter"),
    (YOUNG, "young"),
    (YOUNG, "The young"),
    (YOUNG, "information"),
    (("young, old", "old", "unknown"), "young"),
    (("the baker and his friend", "the potter", "unknown"), "his friend"),
]


@pytest.mark.parametrize(("choices", "reply", "chosen"), READ)
def test_a_part_that_one_choice_alone_has_names_it(
    choices: tuple[str, ...], reply: str, chosen: int
) -> None:
    """Its head, where somebody is from, or either with a word such as 'the one'."""
    assert read_reply(reply, choices).chosen == {chosen}


@pytest.mark.parametrize(("choices", "reply"), UNREAD)
def test_other_words_are_no_part_of_a_name(choices: tuple[str, ...], reply: str) -> None:
    """Another person, an adjective alone, a word of a list or of 'nobody can know'."""
    assert read_reply(reply, choices).chosen is None
