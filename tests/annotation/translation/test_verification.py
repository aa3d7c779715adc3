"""Which translations can be taken, and what is advised where one cannot."""

from dataclasses import replace

import pytest
from rows import variant

from curation.annotation.translation.units import Kind, Variants, translation_units
from curation.annotation.translation.verification import form_problem, problem_of
from curation.records.bank import Bank, Texts

SOURCE = "[N1] is tired."


def variants(text=SOURCE, language="es"):
    """A pair with one text; the people of a are exchanged in b."""
    names = {"a": "N1: [aunt, cook]; N2: [uncle]", "b": "N1: [uncle]; N2: [aunt]"}
    pair = (variant(f"craft-001{it}", ambiguous_context=text, names=names[it]) for it in names)
    return Variants(pair, language)


def unit(text=SOURCE, *, untied=False):
    """The text as translators see it; that of variant a where it is untied."""
    apart = ["craft-001"] if untied else []
    found, _ = translation_units(Bank(tuple(variants(text).values())), untied=apart)
    return found[0]


def rule(translation, text=SOURCE, language="es", **how):
    """The rule by which a translation is not taken; empty where it is."""
    problem = problem_of(unit(text, **how), translation, variants(text, language))
    return "" if problem is None else problem.rule


def test_what_agrees_may_stand_where_the_source_has_no_slot():
    """An adjective, a participle, a pronoun, of any person of the template."""
    for translation in [
        "[N1|el/la] [N1|=cansado/cansada].",
        "[N1|el/la] x [N1|=cansado/cansada] x [N1.poss].",
        "[N2|=alto/alta] x [N1].",
        "[N1.def] x.",
    ]:
        assert rule(translation) == ""


def test_the_name_stands_as_often_as_in_the_source():
    """Not more often, not less, and not only what agrees with it; the hint has an example."""
    for translation, message in [
        ("x.", "[N1] is missing"),
        ("[N1] x [N1].", "[N1] occurs more often than in the source"),
        ("[N1|el/la] x [N1|el/la].", "[N1] occurs more often than in the source"),
        ("[N2] x [N1].", "[N2] occurs more often than in the source"),
        ("[N1|=cansado/cansada].", "[N1] is missing"),
        ("[N1] x [W1|=alto/alta].", "there is no list of fillers for [W1]"),
    ]:
        problem = problem_of(unit(), translation, variants())
        assert (problem.rule, problem.message) == ("translation-slots", message)
        assert "[N1|=cansado/cansada]" in problem.hint


def test_a_text_without_slots_may_get_what_agrees():
    """`The person was arrested`: the participle follows the person."""
    text = "Somebody was seen."
    assert rule("x [N1|=visto/vista].", text) == ""
    assert rule("x [N1: visto, vista].", text, untied=True) == ""


LANGUAGES = ("ar", "ca", "de", "en", "es", "fr", "hi", "ja", "ko", "nl", "tr", "zh")


@pytest.mark.parametrize("untied", [False, True])
def test_variants_whose_fillers_differ_cannot_share_a_list_of_forms(untied):
    assert rule("[N1: one, other] x.", untied=untied) == ("" if untied else "translation-forms")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_way_out_of_unknown_agreement_is_one(language):
    problem = problem_of(unit(), "[N1|a/b/c/d/e] x.", variants(language=language))
    assert problem.rule == "translation-agreement"
    assert "[N1.def]" in problem.hint
    assert rule("[N1.def] x.", language=language) == ""


@pytest.mark.parametrize("text", ["*", "uno, otro"])
def test_a_cell_is_for_one_filler(text):
    """A star leaves a whole list to the survey."""
    problem = problem_of(replace(unit(), kind=Kind.FILLER), text, variants())
    assert problem.rule == "translation-filler"


def test_a_named_form_is_one_of_the_fillers():
    """As far as their list is written; until then it may still get it."""
    said = "'cook' has no form 'df' for [N1.df]; the text is taken"
    for translation, names, message in [
        ("[N1.df] x.", "N1: [aunt {def: x, df: y}, cook {def: x}]", said),
        ("[N1.def] x.", "N1: [aunt {def: x, df: y}, cook {def: x}]", ""),
        ("[N1] x [N2.df].", "N1: [cook]", ""),
        ("[N1.df] x.", "", ""),
        ("[N1.df] x.", "N1: [*]", ""),
        ("[N1.df] x.", "N1: [cook", ""),
    ]:
        there = [replace(one, texts=Texts(names=names)) for one in variants().values()]
        problem = form_problem(unit(), translation, Variants(there, "es"))
        assert (problem.message if problem else "") == message
