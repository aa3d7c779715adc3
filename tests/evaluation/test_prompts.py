"""Prompts: the toolkit's own, a user's, and the published table."""

import pytest

from curation.records.messages import CurateError
from evaluation.prompts import bundled_prompts, only, read_prompts
from evaluation.requests import Orders

GOOD = """
orders: kobbq
prompts:
  - id: 1
    instruction: "Choose."
    layout: "{instruction}\\n{context}\\n{question}\\n1) {a}\\n2) {b}\\n3) {c}"
    letters: ["1", "2", "3"]
    unknown: "Who knows"
"""
TABLE = (
    "prompt_id\tprompt\tinstruction\tcontext\tquestion\ta\tb\tc\tanswer\tunknown\n"
    "7\tnot read {x}\tPick {one}.\tText: \tQ: \tChoices:(a) \t(b) \t(c) \tA:\tno idea\n"
)


@pytest.mark.parametrize("language", ["en", "ko", "ko-KR"])
def test_a_language_has_five_prompts_of_its_own(language):
    """Each with an unknown expression that no other has."""
    found = bundled_prompts(language)
    assert [prompt.id for prompt in found.prompts] == ["1", "2", "3", "4", "5"]
    assert len({prompt.unknown for prompt in found.prompts}) == 5
    for prompt in found.prompts:
        text = prompt.text("CONTEXT", "QUESTION", ("FIRST", "SECOND", "THIRD"))
        assert text.startswith(prompt.instruction + "\n\n")
        places = [text.index(part) for part in ("CONTEXT", "QUESTION", "FIRST", "SECOND", "THIRD")]
        assert places == sorted(places)
        for letter, choice in zip(prompt.letters, ("FIRST", "SECOND", "THIRD"), strict=True):
            assert f"{letter}: {choice}" in text or f"({letter}) {choice}" in text


def test_a_file_may_have_letters_and_orders_of_its_own(tmp_path):
    """Ids may be written as numbers."""
    path = tmp_path / "p.yaml"
    path.write_text(GOOD, "utf-8")
    found = read_prompts(path)
    assert found.orders is Orders.KOBBQ
    (prompt,) = found.prompts
    assert prompt.text("C", "Q", ("x", "y", "z")) == "Choose.\nC\nQ\n1) x\n2) y\n3) z"


def test_texts_are_never_read_as_places(tmp_path):
    """A context that holds {question} stays as it is."""
    path = tmp_path / "p.yaml"
    path.write_text(GOOD, "utf-8")
    text = read_prompts(path).prompts[0].text("{question}", "{a} {0.x}", ("{b}", "y", "z"))
    assert text == "Choose.\n{question}\n{a} {0.x}\n1) {b}\n2) y\n3) z"


def test_the_published_table_is_put_together_from_its_parts(tmp_path):
    """Its column `prompt` is not read; braces in the parts stay."""
    path = tmp_path / "p.tsv"
    path.write_text(TABLE, "utf-8")
    (prompt,) = read_prompts(path).prompts
    assert (prompt.id, prompt.letters, prompt.unknown) == ("7", ("a", "b", "c"), "no idea")
    expected = "Pick {one}.\n\nText: C\nQ: Q?\nChoices:(a) x\n(b) y\n(c) z\nA:"
    assert prompt.text("C", "Q?", ("x", "y", "z")) == expected


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("{question}", "Q"), "the layout lacks {question}"),
        (("{a}", "{a} {d}"), "the layout has {d}, which the toolkit does not fill in"),
        (("{a}", "{a!r}"), "the layout has {a format}, which the toolkit does not fill in"),
        (("id: 1", "id: a-b"), "an id has only letters, digits and _"),
        (('["1", "2", "3"]', "[A, a, B]"), "there must be three different letters"),
        (("{instruction}\\n", ""), "no {instruction} in the layout"),
        (("unknown:", "unknwon:"), "prompts.1.unknwon: there is no such setting"),
        (("prompts:", "prompts: ["), "p.yaml is not valid YAML"),
        (("orders: kobbq", "orders: all"), "orders"),
    ],
)
def test_a_wrong_file_is_refused(tmp_path, change, message):
    path = tmp_path / "p.yaml"
    path.write_text(GOOD.replace(*change), "utf-8")
    with pytest.raises(CurateError) as caught:
        read_prompts(path)
    assert message in caught.value.what
    assert str(path) in caught.value.where


def test_only_some_prompts_can_be_chosen():
    """In the order in which they are named."""
    found = only(bundled_prompts("en").prompts, ["3", "1"])
    assert [prompt.id for prompt in found] == ["3", "1"]
    with pytest.raises(CurateError, match="there is no prompt '9'"):
        only(found, ["9"])
