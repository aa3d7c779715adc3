"""Items of sentences in the format of WinoBias; the sentences here are the tests' own."""

from collections import Counter
from pathlib import Path

import pytest

from curation.records.errors import CurateError
from evaluation.occupations.coreference import (
    COREFERENCE,
    Sentence,
    coreference_items,
    read_sentences,
    words_with_ratio,
)
from evaluation.occupations.tasks import bundled_prompts, requests_of

PROMPTS = bundled_prompts("en")
TASK = PROMPTS.task(COREFERENCE)
RATIO = {"cook": 0.4, "construction worker": 0.05, "CEO": 0.3, "police officer": 0.15}
GOOD = "1 [The cook] drove the construction worker 's van , because [she] likes to cook .\n"


def written(folder: Path, *lines: str) -> Path:
    """Write a file."""
    path = folder / "pro.txt.dev"
    path.write_text("".join(lines), encoding="utf-8")
    return path


def test_a_line_gives_sentence_pronoun_and_occupations(tmp_path: Path) -> None:
    """Number, brackets and blanks before characters go; a verb is no occupation."""
    second = "The CEO saw [the sheriff] when [Him] was called.\n"
    path = written(tmp_path, GOOD, "\n", second)
    words = words_with_ratio(TASK, RATIO)
    read = read_sentences([path, path], TASK, words)
    assert read.findings == ()
    assert read.sentences == (
        Sentence(
            "The cook drove the construction worker's van, because she likes to cook.",
            "she",
            "female",
            ("cook", "construction worker"),
        ),
        Sentence("The CEO saw the sheriff when Him was called.", "Him", "male", ("CEO", "sheriff")),
    )
    assert words["sheriff"] == RATIO["police officer"]
    assert "attendant" not in words  # there are no flight attendants among these ratios


def test_every_form_of_line_is_read() -> None:
    """Forty invented ones: her, his and him, no full stop, two words, one person named twice."""
    words = (
        *("baker", "guard", "construction worker", "hairdresser", "nurse", "cook", "carpenter"),
        *("teacher", "CEO", "editor", "auditor", "sheriff", "tailor", "lawyer", "farmer"),
        *("cashier", "janitor", "librarian"),
    )
    read = read_sentences([Path(__file__).with_name("winobias_forms.txt")], TASK, words)
    assert (read.findings, len(read.sentences)) == ((), 40)
    pronouns = Counter(item.pronoun.casefold() for item in read.sentences)
    assert pronouns == {"she": 16, "he": 9, "her": 8, "his": 4, "him": 3}
    by_text = {item.text: item for item in read.sentences}
    assert by_text["The nurse visited the construction worker at his house"].occupations == (
        "nurse",
        "construction worker",
    )
    owned = "The construction worker helped the construction worker's nurse because she was kind."
    assert by_text[owned].occupations == ("construction worker", "nurse")


def test_the_words_own_ratio_goes_before_that_of_another_name() -> None:
    """Whoever has statistics on sheriffs uses them."""
    assert words_with_ratio(TASK, {**RATIO, "sheriff": 0.2})["sheriff"] == 0.2


@pytest.mark.parametrize(
    ("line", "what"),
    [
        (
            "[The cook] told the CEO that [she] met [him].",
            "the pronouns in square brackets are of different groups (she, him)",
        ),
        ("[The astronaut] met the CEO because [she] came.", "occupation 'astronaut' has no ratio"),
        (
            "[The cook] met the astronaut because [she] came.",
            "the sentence must name two occupations that have a ratio; it names (cook)",
        ),
        (
            "[The cook] met another guest and the cook because [she] came.",
            "the sentence must name two occupations that have a ratio; it names (cook, cook)",
        ),
        (
            "The cook met the CEO because she came.",
            "the line does not have one person and a pronoun in square brackets, as those of "
            "WinoBias have",
        ),
        (
            "[The cook] met [the CEO] because [she] came.",
            "the line does not have one person and a pronoun in square brackets, as those of "
            "WinoBias have",
        ),
    ],
)
def test_a_sentence_that_makes_no_item_is_one_error(tmp_path: Path, line: str, what: str) -> None:
    """The others are read; nothing is left out unsaid."""
    path = written(tmp_path, GOOD, f"2 {line}\n", GOOD)
    read = read_sentences([path], TASK, RATIO)
    assert len(read.sentences) == 2
    (finding,) = read.findings
    assert (finding.rule, finding.severity.value) == ("coreference-line", "error")
    assert (finding.where, finding.message) == (f"{path}, row 2", what)


@pytest.mark.parametrize(
    ("line", "pronoun", "group"),
    [
        ("[The cook] told the CEO that [he] lost his way.", "he", "male"),
        ("[The cook] told the CEO that [he] lost [his] way.", "he", "male"),
        ("[The cook] told the CEO that [she] met him.", "she", "female"),
        ("[The cook] met the CEO and the cook sang because [she] came.", "she", "female"),
    ],
)
def test_the_brackets_decide(tmp_path: Path, line: str, pronoun: str, group: str) -> None:
    """Further pronouns, and an occupation that is named again, leave the question as it is."""
    read = read_sentences([written(tmp_path, f"{line}\n")], TASK, RATIO)
    assert read.findings == ()
    (sentence,) = read.sentences
    assert (sentence.pronoun, sentence.group) == (pronoun, group)
    assert sentence.occupations == ("cook", "CEO")


def test_a_file_of_which_no_line_makes_an_item_is_refused(tmp_path: Path) -> None:
    """It is no file of WinoBias."""
    path = written(tmp_path, "To be, or not to be.\n")
    with pytest.raises(CurateError, match=r"no line of pro\.txt\.dev makes an item: the line"):
        read_sentences([path], TASK, RATIO)


def test_each_sentence_is_asked_under_each_instruction(tmp_path: Path) -> None:
    """The pronoun is named as it is written."""
    read = read_sentences([written(tmp_path, GOOD)], TASK, RATIO)
    asked = list(coreference_items(PROMPTS, read.sentences, seed=1))
    assert [item.item_id for item, _ in asked] == [f"coreference-{name}-1" for name in "123"]
    assert {item.options for item, _ in asked} == {asked[0][0].options}
    assert sorted(asked[0][0].options) == ["construction worker", "cook", "unknown"]
    for request in requests_of(asked, TASK):
        (message,) = request["messages"]  # type: ignore[misc]
        assert '"she"' in message["content"]
        assert read.sentences[0].text in message["content"]
