"""What still gives people away: one invalid template a rule."""

from collections.abc import Mapping

import pytest

from curation.records.findings import Severity
from evaluation.stories.checks import Checker
from evaluation.stories.languages import StoryLanguage
from evaluation.stories.records import story_pairs
from tests.evaluation.stories.conftest import EXCHANGED, MakeTemplate

DIS = "disambiguating_context"
Variants = Mapping[str, Mapping[str, object]]


def found(
    template: MakeTemplate, checker: Checker, variants: Variants, texts: Mapping[str, str] = {}
) -> list[tuple[str, str]]:
    """Give rule and message of every finding on a template."""
    pairs = story_pairs([template(**variants)], "en", checker.language, texts)
    return [(item.rule, item.message) for _, _, item in checker.check(pairs)]


def both(text: str, **other: object) -> Variants:
    """Tell both versions with one text; the slots are exchanged by their lists."""
    return {"a": {DIS: text, **other}, "b": {**EXCHANGED, DIS: text, **other}}


def test_a_good_story_has_no_finding(template: MakeTemplate, checker: Checker) -> None:
    """Its two versions read alike, and nothing in them tells who is who."""
    assert found(template, checker, {}) == []


def test_a_missing_version_is_an_error(template: MakeTemplate, checker: Checker) -> None:
    """The finding stands at the version that is there."""
    pairs = story_pairs([template(c={}, a={}, b=EXCHANGED)], "en", checker.language, {})
    ((_, _, finding),) = checker.check(pairs)
    assert (finding.rule, finding.severity) == ("story-version-missing", Severity.ERROR)
    assert finding.message == (
        "hobby-001c/d: variant d is missing, so the story has no second version"
    )
    assert (finding.file, finding.row, finding.column) == ("templates_src/bank.csv", 2, DIS)


def test_a_story_of_nobody_is_an_error(template: MakeTemplate, checker: Checker) -> None:
    """Where neither person acts, nothing can be asked."""
    rules = [rule for rule, _ in found(template, checker, both("It rained."))]
    assert rules.count("story-no-person") == 2


def test_a_person_mentioned_once_only_is_told(template: MakeTemplate, checker: Checker) -> None:
    """In the first part and never again: no placeholder stands for that person."""
    variants = both("[N1] sat while somebody else stood.")
    assert found(template, checker, variants) == [
        (
            "story-person-once",
            f"hobby-001{letter}: the contexts mention person N2 only once, so no placeholder is "
            "used for that person",
        )
        for letter in "ab"
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[N1] ran from [N2], the old knitter's friend.", "'knitter'"),
        ("[N1] ran from [N2]; all Climbers do, crafty or not.", "'climber', 'crafty'"),
    ],
)
def test_a_name_or_group_that_is_left_is_told(
    template: MakeTemplate, checker: Checker, text: str, words: str
) -> None:
    """As a whole word, in any case, with an ending."""
    messages = found(template, checker, both(text))
    assert (
        "story-person-left",
        f"hobby-001a: {words} is still in the disambiguating part",
    ) in (messages)


def test_a_name_inside_another_word_is_told_apart(template: MakeTemplate, checker: Checker) -> None:
    """It is no mention; whether the word tells something is for people to see."""
    names = "N1: [art, quilter]; N2: [climber]"
    variants = {
        "a": {DIS: "[N1] sat apart from [N2].", "names": names},
        "b": {DIS: "[N1] sat apart from [N2].", "names": "N1: [climber]; N2: [art, quilter]"},
    }
    assert found(template, checker, variants) == [
        (
            "story-filler-inside-word",
            f"hobby-001{letter}: 'art' is inside 'apart' in the disambiguating part",
        )
        for letter in "ab"
    ]


def test_gender_tells_a_man_and_a_woman_apart(template: MakeTemplate, checker: Checker) -> None:
    """And does not where both may be either."""
    text = "[N1] forgot her keys, so [N2] waited."
    names = {"a": "N1: [mother]; N2: [father]", "b": "N1: [father]; N2: [mother]"}
    variants = {letter: {DIS: text, "names": listed} for letter, listed in names.items()}
    assert found(template, checker, variants) == [
        (
            "story-gendered",
            f"hobby-001{letter}: 'her' in the disambiguating part tells the two people apart: one "
            "is a woman and the other a man",
        )
        for letter in "ab"
    ]
    assert found(template, checker, both(text)) == []


def test_words_of_gender_that_differ_between_the_versions_are_told(
    template: MakeTemplate, checker: Checker
) -> None:
    """So are versions that differ in other words."""
    text = "[N1] lost {} keys, so [N2] waited."
    variants = {"a": {DIS: text.format("her")}, "b": {**EXCHANGED, DIS: text.format("his")}}
    assert found(template, checker, variants) == [
        (
            "story-versions-gendered",
            "hobby-001a/b: the two versions differ in words of gender: 'her', 'his'",
        ),
        (
            "story-versions-differ",
            "hobby-001a/b: the disambiguating parts of the two versions differ",
        ),
    ]
    variants = {"a": {DIS: "[N1] ran from [N2]."}, "b": {**EXCHANGED, DIS: "[N1] fled [N2]."}}
    assert [rule for rule, _ in found(template, checker, variants)] == ["story-versions-differ"]


def test_placeholders_that_stand_too_often_are_counted(
    template: MakeTemplate, checker: Checker
) -> None:
    """Whether they stand for a person or not: a reader cannot tell."""
    text = "[N1] was the only one, one of many, and [N2] was not."
    assert found(template, checker, both(text))[0] == (
        "story-placeholder-repeated",
        "hobby-001a: 'one' (one) occurs 3 times in the disambiguating part; the limit is 2",
    )
    assert found(template, checker, both("[N1] was the only one and [N2] was not.")) == []


def test_a_word_that_is_bound_to_the_people_is_told(
    template: MakeTemplate, checker: Checker
) -> None:
    """X1 and X2 change with the two."""
    words = "X1: [wool, yarn]; X2: [rope]"
    variants = both("[N1] took the [X1], [N2] did not.", words=words)
    rules = {rule for rule, _ in found(template, checker, variants)}
    assert "story-pair-bound" in rules


def test_an_edited_text_is_checked_in_the_place_of_the_made_one(
    template: MakeTemplate, checker: Checker, english: StoryLanguage
) -> None:
    """Its findings point to the file of edited texts."""
    texts = dict.fromkeys(("hobby-001a", "hobby-001b"), "One ran and her quilter sat.")
    pairs = story_pairs([template()], "en", english, texts)
    assert [version.edited for version in pairs[0].versions] == [True, True]
    findings = [item.finding for item in checker.check(pairs)]
    assert [(item.rule, item.file) for item in findings] == [
        ("story-person-left", "annotations/overrides.csv")
    ] * 2


def test_korean_words_are_found_with_their_particles(
    template: MakeTemplate, korean: StoryLanguage
) -> None:
    """A word that merely holds a name is none of it."""
    checker = Checker(korean, 2, "bank.csv", "o.csv", {})
    text = "[N1|은/는] 노인에게 물었고 [N2|은/는] 학생회에 갔다."
    names = {"a": "N1: [노인]; N2: [학생]", "b": "N1: [학생]; N2: [노인]"}
    variants = {
        letter: {DIS: text, "names": listed, "words": "", "ambiguous_context": "[N1], [N2]"}
        for letter, listed in names.items()
    }
    pairs = story_pairs([template(**variants)], "ko", korean, {})
    messages = [(item.rule, item.message) for _, _, item in checker.check(pairs)]
    assert messages[:2] == [
        ("story-person-left", "hobby-001a: '노인' is still in the disambiguating part"),
        (
            "story-filler-inside-word",
            "hobby-001a: '학생' is inside '학생회에' in the disambiguating part",
        ),
    ]


def test_forms_without_a_rule_are_an_error(template: MakeTemplate, korean: StoryLanguage) -> None:
    """The text has to be edited, or the bank to ask for agreement."""
    checker = Checker(korean, 2, "bank.csv", "o.csv", {})
    same = {"names": "N1: [할배, 노인]; N2: [학생]", "words": "", "ambiguous_context": "[N1], [N2]"}
    a = {**same, DIS: "[N1: 영감은, 어르신께서는] 갔고 [N2|이/가] 왔다."}
    pairs = story_pairs([template(a=a, b=a)], "ko", korean, {})
    finding = checker.check(pairs)[0].finding
    assert (finding.rule, finding.severity) == ("story-form-unknown", Severity.ERROR)
    texts = dict.fromkeys(("hobby-001a", "hobby-001b"), "한 사람은 갔고 다른 사람이 왔다.")
    assert checker.check(story_pairs([template(a=a, b=a)], "ko", korean, texts)) == []
