"""Items of sentences in the format of WinoBias; the sentences here are the tests' own."""

import pytest

from curation.records.messages import CurateError
from evaluation.occupations.tasks import (
    COREFERENCE,
    Sentence,
    bundled_prompts,
    read_sentences,
    words_with_ratio,
)

PROMPTS = bundled_prompts("en")
TASK = PROMPTS.task(COREFERENCE)
RATIO = {"cook": 0.4, "construction worker": 0.05, "CEO": 0.3, "police officer": 0.15}
GOOD = "1 [The cook] drove the construction worker 's van , because [she] likes to cook .\n"


def written(folder, *lines):
    path = folder / "pro.txt.dev"
    path.write_text("".join(lines), encoding="utf-8")
    return path


def test_a_line_gives_sentence_pronoun_and_occupations(tmp_path):
    """Number, brackets and blanks before characters go; a verb is no occupation."""
    second = "The CEO saw [the sheriff] when [Him] was called.\n"
    path = written(tmp_path, GOOD, "\n", second)
    words = words_with_ratio(TASK, RATIO)
    assert read_sentences([path, path], TASK, words) == (
        [
            Sentence(
                "The cook drove the construction worker's van, because she likes to cook.",
                "she",
                "female",
                ("cook", "construction worker"),
            ),
            Sentence(
                "The CEO saw the sheriff when Him was called.", "Him", "male", ("CEO", "sheriff")
            ),
        ],
        [],
    )
    assert words["sheriff"] == RATIO["police officer"]
    assert "attendant" not in words  # there are no flight attendants among these ratios


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("[The cook] told the CEO that [he] lost his way.", "he male"),
        ("[The cook] told the CEO that [he] lost [his] way.", "he male"),
        ("[The cook] told the CEO that [she] met him.", "she female"),
        ("[The cook] met the CEO and the cook sang because [she] came.", "she female"),
        # pronouns of two groups, an occupation without a ratio, one person alone, no brackets
        ("[The cook] told the CEO that [she] met [him].", None),
        ("[The astronaut] met the CEO because [she] came.", None),
        ("[The cook] met the astronaut because [she] came.", None),
        ("[The cook] met another guest and the cook because [she] came.", None),
        ("The cook met the CEO because she came.", None),
        ("[The cook] met [the CEO] because [she] came.", None),
    ],
)
def test_the_brackets_decide(tmp_path, line, read):
    """Further pronouns and occupations leave the question as it is; what makes no item is said."""
    path = written(tmp_path, GOOD, f"2 {line}\n", GOOD)
    sentences, findings = read_sentences([path], TASK, RATIO)
    assert [(item.rule, item.where) for item in findings] == (
        [] if read else [("coreference-line", f"{path}, row 2")]
    )
    if read:
        sentence = sentences[1]
        assert f"{sentence.pronoun} {sentence.group}" == read
        assert sentence.occupations == ("cook", "CEO")
    assert len(sentences) == (3 if read else 2)
    with pytest.raises(CurateError) as caught:
        read_sentences([written(tmp_path, *([f"{line}\n"] if read is None else []))], TASK, RATIO)
    assert caught.value.where == (str(path) if read else f"{path}, row 1")
