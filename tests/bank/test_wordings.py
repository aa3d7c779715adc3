"""How templates are worded: apart, in versions, with a stereotype."""

import pytest

from curation.bank.rewording import StatedWording, worded
from curation.records.bank import Bank, Texts, Variant, VariantId, VariantVersion
from curation.records.messages import CurateError

MEN, WOMEN = VariantVersion.MASCULINE, VariantVersion.FEMININE


def bank(*names, source=""):
    """Rows with a question in both languages, and a source that may name a stereotype."""
    english = Texts(biased_question="Who?", stereotype=source)
    return Bank(
        tuple(
            Variant(
                VariantId.parse(name),
                "Age",
                texts=Texts(biased_question=f"{name}?"),
                source_texts=english,
            )
            for name in names
        )
    )


def rows(found):
    """What tells each row: its id, its question, its stereotype, whether it is untied."""
    told = (
        (
            str(row.id),
            row.texts.biased_question,
            row.texts.stereotype,
            dict(row.extra).get("untied"),
        )
        for row in found.variants
    )
    return [" ".join(filter(None, parts)) for parts in told]


@pytest.mark.parametrize(
    ("said", "untie", "a", "b"),
    [
        ({"separate": True}, False, ["a age-001a? true"], ["b age-001b? true"]),
        ({"separate": False}, False, ["a age-001a?"], ["b age-001b?"]),
        ({"separate": False}, True, ["a age-001a? false"], ["b age-001b? false"]),
        ({"stereotype": "old"}, False, ["a age-001a? old"], ["b age-001b? old"]),
        ({"versions": (MEN, WOMEN)}, False, ["a.m age-001a?", "a.f"], ["b.m age-001b?", "b.f"]),
    ],
)
def test_a_template_is_worded_as_people_say(said, untie, a, b):
    """Its own rows change, those of others stay, and the same again changes nothing."""
    stated = StatedWording("age-001", **said)
    found = worded(bank("age-001a", "age-001b", "age-002a"), stated, untie=untie)
    assert rows(found) == [*(f"age-001{row}" for row in a + b), "age-002a age-002a?"]
    assert worded(found, stated, untie=untie) == found


def test_the_column_goes_with_the_last_template_that_is_apart():
    """What settings say anyway needs no word in the bank."""
    before = bank("age-001a", "age-002a")
    apart = worded(before, StatedWording("age-001", separate=True), untie=False)
    assert worded(apart, StatedWording("age-001", separate=False), untie=False) == before


def test_a_version_more_stands_behind_the_first():
    """Versions that are there keep their texts; only what lacks is added."""
    found = worded(
        bank("age-001a.m", "age-001a.f"),
        StatedWording("age-001", None, (WOMEN, VariantVersion.PROPER_NAMES)),
        untie=False,
    )
    assert rows(found) == ["age-001a.m age-001a.m?", "age-001a.f age-001a.f?", "age-001a.p"]


@pytest.mark.parametrize(
    ("said", "why", "where"),
    [
        (StatedWording("age-009", separate=True), "the bank has no template age-009", ""),
        (StatedWording("age-001", versions=(MEN,)), "would have only one version", "version"),
        (StatedWording("age-001", stereotype="x"), "a stereotype: 'They rush'", "stereotype"),
    ],
)
def test_what_cannot_be_is_refused(said, why, where):
    """A template that is not there, one version alone, a stereotype that is translated."""
    with pytest.raises(CurateError, match=why) as caught:
        worded(bank("age-001a", source="They rush"), said, untie=False)
    assert caught.value.where == where
