"""What still gives people away: one invalid template a rule."""

import pytest

from curation.records.messages import Severity
from evaluation.stories.building import Checker
from evaluation.stories.records import story_pairs
from tests.evaluation.stories.conftest import EXCHANGED

DIS = "disambiguating_context"


def remarks(pairs, checker):
    """Give variant and rule of every finding, as `a story-gendered`."""
    return [
        f"{item.message.partition(':')[0].removeprefix('hobby-001')} {item.rule}"
        for _, item in checker.check(pairs)
    ]


def versions(a, b="", names=("", ""), **other):
    """Make both versions with their texts; slots are exchanged by their lists."""
    made = {"a": {DIS: a, **other}, "b": {**EXCHANGED, DIS: b or a, **other}}
    for letter, listed in zip("ab", names, strict=True):
        made[letter] |= {"names": listed} if listed else {}
    return made


@pytest.mark.parametrize(
    ("variants", "found"),
    [
        ({}, []),
        (
            versions("It rained."),
            [
                f"{a} story-{rule}"
                for a in "ab"
                for rule in ("no-person", "person-once", "person-once")
            ],
        ),
        (
            versions("[N1] sat while somebody else stood."),
            ["a story-person-once", "b story-person-once"],
        ),
        # As a whole word, in any case, with an ending; inside another word it is no mention.
        (
            versions("[N1] ran from [N2], the old knitter's friend."),
            ["a story-person-left", "b story-person-left"],
        ),
        (
            versions("[N1] ran from [N2]; all Climbers do, crafty or not."),
            ["a story-person-left", "b story-person-left"],
        ),
        (
            versions(
                "[N1] sat apart from [N2].",
                names=("N1: [art, quilter]; N2: [climber]", "N1: [climber]; N2: [art, quilter]"),
            ),
            ["a story-filler-inside-word", "b story-filler-inside-word"],
        ),
        # Gender tells a man and a woman apart, and nobody where both may be either.
        (
            versions(
                "[N1] forgot her keys, so [N2] waited.",
                names=("N1: [mother]; N2: [father]", "N1: [father]; N2: [mother]"),
            ),
            ["a story-gendered", "b story-gendered"],
        ),
        (versions("[N1] forgot her keys, so [N2] waited."), []),
        (
            versions("[N1] lost her keys, so [N2] waited.", "[N1] lost his keys, so [N2] waited."),
            ["a/b story-versions-gendered", "a/b story-versions-differ"],
        ),
        (versions("[N1] ran from [N2].", "[N1] fled [N2]."), ["a/b story-versions-differ"]),
        # A reader cannot tell for whom a placeholder stands; two are allowed.
        (
            versions("[N1] was the only one, one of many, and [N2] was not."),
            ["a story-placeholder-repeated", "b story-placeholder-repeated"],
        ),
        (versions("[N1] was the only one and [N2] was not."), []),
        # X1 and X2 change with the two.
        (
            versions("[N1] took the [X1], [N2] did not.", words="X1: [wool, yarn]; X2: [rope]"),
            ["a story-pair-bound", "b story-pair-bound"],
        ),
    ],
)
def test_what_gives_people_away_is_found(template, checker, variants, found):
    """Each rule by one pair of texts, and what is none of its kind."""
    assert remarks(story_pairs([template(**variants)], checker.language, {}), checker) == found


def test_a_missing_version_is_an_error(template, checker):
    """The finding stands at the version that is there."""
    pairs = story_pairs([template(c={}, a={}, b=EXCHANGED)], checker.language, {})
    ((_, finding),) = checker.check(pairs)
    assert (finding.rule, finding.severity) == ("story-version-missing", Severity.ERROR)
    assert (finding.file, finding.row, finding.column) == ("templates_src/bank.csv", 2, DIS)


def test_an_edited_text_is_checked_in_the_place_of_the_made_one(template, checker, english):
    """Its findings point to the file of edited texts."""
    texts = dict.fromkeys(("hobby-001a", "hobby-001b"), "One ran and her quilter sat.")
    pairs = story_pairs([template()], english, texts)
    assert [version.edited for version in pairs[0].versions] == [True, True]
    findings = [finding for _, finding in checker.check(pairs)]
    assert [(item.rule, item.file) for item in findings] == [
        ("story-person-left", "annotations/overrides.csv")
    ] * 2


def test_korean_words_are_found_with_their_particles(template, korean):
    """A word that merely holds a name is none of it; a form without a rule is an error."""
    checker = Checker(korean, 2, "bank.csv", "o.csv", {})
    text = "[N1|은/는] 노인에게 물었고 [N2|은/는] 학생회에 갔다."
    names = {"a": "N1: [노인]; N2: [학생]", "b": "N1: [학생]; N2: [노인]"}
    same = {"words": "", "ambiguous_context": "[N1], [N2]"}
    variants = {letter: {**same, DIS: text, "names": listed} for letter, listed in names.items()}
    pairs = story_pairs([template(**variants)], korean, {})
    assert remarks(pairs, checker)[:2] == ["a story-person-left", "a story-filler-inside-word"]
    text = "[N1: 영감은, 어르신께서는] 갔고 [N2|이/가] 왔다."
    a = {**same, "names": "N1: [할배, 노인]; N2: [학생]", DIS: text}
    finding = checker.check(story_pairs([template(a=a, b=a)], korean, {}))[0][1]
    assert (finding.rule, finding.severity) == ("story-form-unknown", Severity.ERROR)
    texts = dict.fromkeys(("hobby-001a", "hobby-001b"), "한 사람은 갔고 다른 사람이 왔다.")
    assert checker.check(story_pairs([template(a=a, b=a)], korean, texts)) == []
