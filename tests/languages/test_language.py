"""Languages are folders of data: found by their code, checked when a part is read."""

import pytest

from curation.languages import Language, available, load, reply_words
from evaluation.parsing.verdicts import read_reply

CHOICES = ("el alfarero", "la panadera", "no se sabe")


def test_a_language_is_found_by_its_code():
    """With a region or in capitals it is the same language; an unknown one has no parts."""
    assert {"en", "ko"} <= set(available())
    for code in ("ko", "KO", "ko-KR"):
        assert load(code).folder == load("ko").folder
        assert load(code).replies == load("ko").replies
    assert load("xx").replies is None


def test_replies_are_read_in_english_and_in_one_language():
    """With what its prompts and samples call the unknown choice; in all where none is said."""
    english, german = reply_words(load("de"))
    assert english.answers == load("en").replies.answers
    assert german.model_copy(update={"unknown": ()}) == load("de").replies.model_copy(
        update={"unknown": ()}
    )
    assert set(load("de").replies.unknown) < set(german.unknown)
    assert [words.answers for words in reply_words(load("en"))] == [english.answers]
    assert reply_words(load("ka")) == (english,)
    written = [code for code in available() if load(code).replies]
    assert len(reply_words(None)) == len(written) > 10


def pack(tmp_path, text):
    """Write the words of a language that there is none of."""
    (tmp_path / "replies.yaml").write_text(text, encoding="utf-8")
    return Language("es", tmp_path)


@pytest.mark.parametrize(
    ("reply", "chosen"),
    [
        ("La respuesta correcta es B", {1}),
        ("la respuesta es: alfarero", {0}),
        ("La respuesta no es B", None),
        ("Respuesta: panadera", {1}),
        ("B es la correcta", {1}),
        ("quiz\u00e1s B", None),
    ],
)
def test_a_language_is_added_by_its_words_alone(tmp_path, reply, chosen):
    """Phrases with what may be missing and what is one of several."""
    own = pack(
        tmp_path,
        """
articles: [el, la]
answers: [respuesta(s)]
copulas: [es]
right: ["[correcta|correcto]"]
negations: ["no"]
hedges: [quiz\u00e1s]
""",
    )
    assert read_reply(reply, CHOICES, own=own).chosen == chosen
