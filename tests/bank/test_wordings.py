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
    return [
        " ".join(
            filter(
                None,
                (
                    str(row.id),
                    row.texts.biased_question,
                    row.texts.stereotype,
                    dict(row.extra).get("untied", ""),
                ),
            )
        )
        for row in found.variants
    ]


@pytest.mark.parametrize(
    ("said", "untie", "wanted"),
    [
        (
            StatedWording("age-001", separate=True),
            False,
            ["age-001a age-001a? true", "age-001b age-001b? true"],
        ),
        (
            StatedWording("age-001", separate=False),
            False,
            ["age-001a age-001a?", "age-001b age-001b?"],
        ),
        (
            StatedWording("age-001", separate=False),
            True,
            ["age-001a age-001a? false", "age-001b age-001b? false"],
        ),
        (
            StatedWording("age-001", stereotype="old"),
            False,
            ["age-001a age-001a? old", "age-001b age-001b? old"],
        ),
        (
            StatedWording("age-001", versions=(MEN, WOMEN)),
            False,
            ["age-001a.m age-001a?", "age-001a.f", "age-001b.m age-001b?", "age-001b.f"],
        ),
    ],
)
def test_a_template_is_worded_as_people_say(said, untie, wanted):
    """Its own rows change, those of others stay, and the same again changes nothing."""
    before = bank("age-001a", "age-001b", "age-002a")
    found = worded(before, said, untie=untie)
    *own, other = rows(found)
    assert (own, other) == ([*wanted], "age-002a age-002a?")
    assert worded(found, said, untie=untie) == found


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
        (
            StatedWording("age-001", versions=(MEN,)),
            "age-001 would have only one version",
            "version",
        ),
        (
            StatedWording("age-001", stereotype="x"),
            "the source of age-001 names a stereotype: 'They rush'",
            "stereotype",
        ),
    ],
)
def test_what_cannot_be_is_refused(said, why, where):
    """A template that is not there, one version alone, a stereotype that is translated."""
    with pytest.raises(CurateError, match=why) as caught:
        worded(bank("age-001a", source="They rush"), said, untie=False)
    assert caught.value.where == where
