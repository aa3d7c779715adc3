"""What a model is asked, and how its reply is read."""

import pytest
from rows import template, variant

from curation.annotation.sheets import pages
from curation.annotation.suggestions import question, read_reply
from curation.languages import load
from curation.records.bank import Label

LABELS = {item.value: item for item in Label}


def test_a_label_in_the_first_line_is_read():
    """Whatever stands around it; what follows is the reason, in one line."""
    for reply, label, reason in [
        ("ST\nPeople know it.", "ST", "People know it."),
        ("TM", "TM", ""),
        ("**SR**\n\nNobody has heard of it.", "SR", "Nobody has heard of it."),
        ("Label: TM\nReason: of weavers", "TM", "Reason: of weavers"),
        ("라벨: ST\n여기서도 안다.", "ST", "여기서도 안다."),
        ("标签：SR。没有人知道", "SR", "没有人知道"),
        ("ST - known, not TM", "ST", "known, not TM"),
        ("ST (simply-transferred): known", "ST", "(simply-transferred): known"),
        ("```\nTM\nof weavers\n```", "TM", "of weavers"),
        ("<think>ST or TM? TM.</think>\nSR\nno", "SR", "no"),
        ('{"label": "ST"}?\n</thinking>{"label": "SR"}', "SR", ""),
        ('Here: {"label": "TM", "reason": "of weavers"}', "TM", "of weavers"),
        ('{"reason": null, "label": " SR "}', "SR", ""),
        ("ST: it holds {as it is}", "ST", "it holds {as it is}"),
        ("The label: SR", "SR", ""),
        (f"TM: {'x' * 300}", "TM", "x" * 300),
        (f"TM: {'x' * 301}", "TM", f"{'x' * 299}\u2026"),
    ]:
        assert read_reply(reply) == (LABELS[label], reason)


def test_a_reply_that_names_no_one_label_is_not_read():
    """Nothing is guessed."""
    for reply in [
        *(
            "",
            "   \n",
            "ST or TM",
            "ST/TM",
            "ST, TM",
            "ST (TM)",
            "This is not ST.",
            "I cannot say.",
        ),
        *("NC", "STRONG", "ST-like", "st", '{"label": "NC", "reason": "x"}', "People know it.\nST"),
    ]:
        assert read_reply(reply) is None


ASKED = template(
    variant(
        label=None,
        stereotype="They {hum}",
        target_groups=("bakers",),
        ambiguous_context="[N1] met [N2].",
    )
)


@pytest.mark.parametrize("code", ["en", "ko", "ar"])
def test_a_model_is_asked_in_the_culture_s_language(code):
    """It is told what annotators are shown, and the groups of the culture."""
    texts, titles = load(code).suggest, pages(code)
    asked = question(ASKED, "Marevia", ("smiths", "cooks"), texts.prompt, titles)
    for part in (
        *("Marevia", "smiths, cooks", "ST", "TM", "SR"),
        f"{titles.stereotype}: They {{hum}}\n{titles.target_groups}: bakers\n"
        f"{titles.ambiguous_context}: [N1] met [N2].\n",
    ):
        assert part in asked
    assert f"{titles.reference}:" not in asked
    assert "smiths" not in question(ASKED, "Marevia", (), texts.prompt, titles)
