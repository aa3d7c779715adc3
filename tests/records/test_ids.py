"""Identifiers that parse once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.records.bank import (
    ContextType,
    QuestionType,
    SampleId,
    TemplateId,
    VariantId,
    VariantLetter,
    VariantVersion,
    category_slug,
    split_variant,
)
from curation.records.letters import file_stems
from curation.records.messages import CurateError

CATEGORIES = st.sampled_from(
    ["age", "home_region", "ses", "race_x_gender", "나이", "출신_지역", "ab1"]
)
TEMPLATES = st.builds(TemplateId, CATEGORIES, st.integers(0, 5000))
VARIANTS = st.builds(
    VariantId, TEMPLATES, st.sampled_from(VariantLetter), st.sampled_from(VariantVersion)
)
SAMPLES = st.builds(
    SampleId,
    VARIANTS,
    st.integers(1, 5000),
    st.sampled_from(ContextType),
    st.sampled_from(QuestionType),
)


@given(st.one_of(TEMPLATES, VARIANTS, SAMPLES))
def test_an_id_that_was_printed_is_read_back(found):
    """Every id there can be has one spelling, which names it."""
    assert type(found).parse(str(found)) == found


NO_IDS = {
    TemplateId: [
        *("", "age", "age-", "age-1", "age-01", "age-0001", "age-01234", "-001", "age-001 "),
        *(" age-001", "age 001", "Age-001", "age--001", "_age-001", "age_-001", "a__b-001"),
        *("age-001a", "age-٠٠", "age-001\n", "age/x-001"),
    ],
    VariantId: [
        *("age-001", "age-001e", "age-001A", "age-001ab", "age-1a", "a-001a ", "age-001.f"),
        *("age-001b.fp", "age-001b.mf", "age-001b.pp", "age-001b.", "age-001b.x", "age-001bf"),
    ],
    SampleId: [
        *("age-001a", "age-001a-1-amb-bsd", "age-001a-0001-amb-bsd", "age-001a-001-amb"),
        *("age-001a-001-AMB-bsd", "age-001a-001-bsd-amb", "age-001e-001-amb-bsd"),
        *("age-001-001-amb-bsd", "age-001a-001-amb-bsd-0", "age-001a-000-amb-bsd"),
    ],
}


def test_what_is_no_id_is_refused():
    """An invalid id cannot exist, nor be made from parts; what one looks like is said."""
    for kind, texts in NO_IDS.items():
        for text in texts:
            with pytest.raises(CurateError) as refused:
                kind.parse(text)
            is_number = "-000-" in text
            assert is_number or refused.value.what.startswith(f"'{text}' is not a "), text
            assert is_number or refused.value.hint
    for category, number in (("Age", 1), ("", 1), ("a-b", 1), ("age", -1)):
        with pytest.raises(CurateError, match="is not a template id"):
            TemplateId(category, number)


def test_a_category_is_written_in_lower_case_with_underscores():
    """That is how ids hold it."""
    slugs = {"Age": "age", " Race_x_SES ": "race_x_ses", "Home \t region": "home_region"}
    for category, slug in {
        **slugs,
        **{name: name for name in ("나이", "\u0932\u093f\u0902\u0917", "\u0787\u07aa\u0789\u07aa")},
    }.items():
        assert category_slug(category) == slug


def test_what_cannot_stand_in_an_id_is_no_category():
    """Other characters would end up in file names and in ids that no longer parse."""
    for category in ("", " ", "a/b", "a-b", "_", "Age!", "a__b", "a _ b"):
        with pytest.raises(CurateError, match="cannot be the name of a category"):
            category_slug(category)


def test_letters_say_context_pair_and_twin():
    """In b and d the context confirms the stereotype; c and d are a pair of their own."""
    found = {item.value: (item.is_biased, item.pair, item.twin.value) for item in VariantLetter}
    assert found == {
        "a": (False, "ab", "b"),
        "b": (True, "ab", "a"),
        "c": (False, "cd", "d"),
        "d": (True, "cd", "c"),
    }


@given(VARIANTS)
def test_a_variant_is_named_within_its_template(found):
    """What is left of its id without the template's is its short name, version and all."""
    assert split_variant(str(found)) == (str(found.template), found.short)
    assert found.twin.twin == found
    assert (found.twin.template, found.twin.version) == (found.template, found.version)
    assert found.twin.letter is found.letter.twin


def test_versions_come_after_the_letter():
    one = VariantId.parse("age-001b.f")
    assert (one.letter, one.version, one.short) == (VariantLetter.B, VariantVersion.FEMININE, "b.f")
    assert VariantId.parse("age-001b").version is VariantVersion.ONLY
    sample = SampleId.parse("age-001b.p-012-dis-cnt")
    assert (str(sample.variant), sample.index) == ("age-001b.p", 12)
    assert VariantId.parse("age-001b.pf").version is VariantVersion.FEMININE_NAMES
    with pytest.raises(CurateError, match="is not a variant id"):
        split_variant("age-001")


def test_files_are_called_after_people_by_their_letters():
    """No two alike, even where a file system takes small letters for capitals."""
    stems = {
        "अनीता": "अनीता",
        "अनिता": "अनिता",
        "Ọ̀lá": "Ọ̀lá",
        "Ann/B": "Ann_B",
        "ann b.": "ann_b-2",
        "Ann-Lou": "Ann-Lou",
        "?!": "person",
        "...": "person-2",
    }
    assert file_stems([*stems, *stems], "person") == stems
