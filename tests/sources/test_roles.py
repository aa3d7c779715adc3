"""Who of two people is the target, on invented people."""

from curation.sources.roles import (
    Languages,
    Person,
    agreed,
    by_answers,
    by_labels,
    folded,
    words_for,
)

Pair = tuple[Person, Person]


def pair(first, second):
    """Two people: name, label and choice of each."""
    return Person(*first), Person(*second)


KNITTER = ("knitter", "Knitter", "The knitter")
ROWER = ("rower", "nonKnitter", "The rower")


def test_a_spelling_settles_a_role_where_the_choices_agree():
    """A role that was settled by a spelling says by which; one that was not says why."""
    for people, group, at in [
        (pair(KNITTER, ROWER), "Knitter", 0),
        (pair(ROWER, KNITTER), "Knitters", 1),
        (pair(("Lahori", "Lahori", "The Lahori"), ROWER), "Lahore", 0),
        (pair(("Iraqi", "Iraqi", "The Iraqi"), ROWER), "Iraq", 0),
        (pair(("Turken", "Turken", "The Turken"), ROWER), "Turk", 0),
        # labels exchanged: the texts do not agree
        (
            pair(("rower", "Knitter", "The rower"), ("knitter", "nonKnitter", "The knitter")),
            "x",
            None,
        ),
        (
            pair(("rower", "Knitter", "The rower"), ("knitter", "nonKnitter", "The knitter")),
            "Knitters",
            None,
        ),
        # the text of a choice denies what the label says, even of the group's own name
        (pair(("a", "deaf", "The non-deaf girl"), ("b", "nonDeaf", "The girl")), "deaf", None),
        # nothing but the label is like the group
        (pair(("Ada", "Knitter", "Ada"), ("Eva", "nonKnitter", "Eva")), "Knitters", None),
        # only the other person's label tells
        (pair(("k", "crafty", "The Knitter"), ROWER), "Knitters", 0),
        # other endings and beginnings are other names
        (pair(("Austrian", "Austria", "The Austrian"), ROWER), "Australia", None),
        (pair(("Iraqi", "Iraq", "The Iraqi"), ("rower", "", "The rower")), "Iran", None),
        (pair(("Knitter", "Knitter", "The knitter"), KNITTER), "Knitters", None),
        # a group without a letter is nobody's, not that of who has none
        (pair(("a", "", "The a"), ROWER), "-", None),
    ]:
        role = by_labels(people, (group,), "")
        assert role.at == at
        assert bool(role.why) == (at is None)
        exact = any(person.label == group for person in people)
        assert bool(role.rule) == (at is not None and not exact)


def test_of_two_people_of_different_races_the_one_without_a_label_is_the_target():
    """By BBQ's design; elsewhere a label that is lacking tells nothing."""
    people = pair(("x", "M-South", "x"), ("y", "", "y"))
    found = [by_labels(people, ("North",), f"it{kind}").at for kind in ("_b", "_c", "")]
    assert found == [1, 1, None]


def test_answers_tell_the_target_by_what_they_are_called():
    """Exchanged answers exchange the role."""
    for answers, groups, at in [
        (("\u7537\u751f", "\u5973\u751f"), ("\u5973\u6027",), 1),
        (("\u7537\u6f14\u5458", "\u5973\u6f14\u5458"), ("\u7537\u6027",), 0),
        (("\u6765\u81ea\u6d77\u8fb9\u7684\u4eba", "\u5c71\u6c11"), ("\u6d77\u8fb9\u4eba",), 0),
        # what is denied is not held, and the other one is the target
        (("\u975e\u6d77\u8fb9\u4eba", "\u6d77\u8fb9\u4eba"), ("\u6d77\u8fb9\u4eba",), 1),
        (("\u975e\u6d77\u8fb9\u4eba", "\u6e14\u6c11"), ("\u6d77\u8fb9\u4eba",), 1),
        (("\u6d77\u8fb9\u4eba", "\u5c71\u6c11"), ("\u975e\u6d77\u8fb9\u4eba",), 1),
        # other words for a group tell nothing
        (("20\u5c81\u7684\u4eba", "60\u5c81\u7684\u4eba"), ("\u8001\u9f84\u4eba",), None),
        (
            ("\u6d77\u8fb9\u4eba", "\u6d77\u8fb9\u6e14\u6c11"),
            ("\u6d77\u8fb9\u4eba", "\u6e14\u6c11"),
            0,
        ),
        (("\u6d77\u8fb9\u5973\u4eba", "\u6d77\u8fb9\u7537\u4eba"), ("\u6d77\u8fb9\u4eba",), None),
        (("\u5c71\u6c11", "\u6e14\u6c11"), (), None),
        (("LGBT\u4eba\u7fa4", "\u6e14\u6c11"), ("LGBT",), 0),
        # where there are blanks a name is a word, or several, in its plural too
        (("The women", "The boys"), ("men",), 1),
        (("The female nurse", "The nurse"), ("male",), None),
        (("The Caucasian", "The Korean"), ("Asian",), None),
        (("The Romans", "The Greek"), ("Romani",), None),
        (("The Hindi speaker", "The Greek"), ("Hindu",), None),
        (("The woman", "The deaf man"), ("deaf", "women"), None),
        (("The woman", "The deaf man"), ("deaf",), 1),
        (("Arnold", "Rowena"), ("old",), None),
        # a word that denies the name behind it stands beside it
        (("Rower one de\u011fil", "Knitter"), ("rower",), None),
        (("Rower one two de\u011fil", "Knitter"), ("rower",), 0),
        (("The 20-year-old rower", "The grandmother"), ("old",), None),
        (("Who is 20 years old", "The grandmother"), ("old",), None),
        (("The old rower", "The 20-year-old"), ("old",), 0),
        (("The low-income rowers", "The rower"), ("LowIncome",), 0),
        (("The unmarried rower", "The married rower"), ("married",), 1),
        # endings, particles and articles of a language are none of the name
        (("Der alte Ruderer", "Der junge Ruderer"), ("alt",), 0),
        (("\ub178\uc778\uc740", "\uc80a\uc740\uc774\ub294"), ("\ub178\uc778",), 0),
        (
            ("\u0627\u0644\u0645\u0633\u0644\u0645", "\u0627\u0644\u0645\u0633\u064a\u062d\u064a"),
            ("\u0645\u0633\u0644\u0645",),
            0,
        ),
        (
            ("\u063a\u064a\u0631 \u0645\u0633\u0644\u0645", "\u0645\u0633\u064a\u062d\u064a"),
            ("\u0645\u0633\u0644\u0645",),
            1,
        ),
        (("The Asian-American", "The rower"), ("Asian",), 0),
        (("The old-fashioned rower", "The rower"), ("old",), None),
        (("Rower 12 Hindu", "The 20-years old Greek"), ("Hindu", "old"), 0),
        (("Who is without a disability", "The disabled rower"), ("disability",), None),
        (("Who is not very religious", "The rower"), ("religious",), None),
        (("Who is not old but poor", "The rower"), ("poor",), 0),
        (("Quien no es viejo sino pobre", "El rico"), ("viejo",), None),
        # what may deny a name in some language, before it or close behind it, leaves it open
        (("Engelli olmayan k\u00fcrek\u00e7i", "K\u00fcrek\u00e7i"), ("engelli",), None),
        (
            ("Kim ki engelli olan ve k\u00fcrek\u00e7i olmayan", "K\u00fcrek\u00e7i"),
            ("engelli",),
            0,
        ),
        (
            ("\u5916\u56fd\u4eba\u3067\u306f\u306a\u3044\u4eba", "\u65e5\u672c\u4eba"),
            ("\u5916\u56fd\u4eba",),
            None,
        ),
        (
            ("\uc7a5\uc560\uac00 \uc804\ud600 \uc5c6\ub294 \uc0ac\ub78c", "\ub178\uc778"),
            ("\uc7a5\uc560",),
            None,
        ),
        (("Pessoa sem defici\u00eancia", "Cego"), ("defici\u00eancia",), None),
        (("Not a rower but who isn't deaf", "The knitter"), ("deaf",), None),
        (("The non-religious rower", "The rower"), ("religious",), 1),
        (("The religious rower", "The rower"), ("non-religious",), 1),
    ]:
        assert by_answers(answers, groups).at == at
        other = by_answers(answers[::-1], groups).at
        assert other == (None if at is None else 1 - at)


def test_fillings_are_of_one_mind_or_open():
    """Those that tell nothing leave it to the others."""
    first, second, neither = (
        by_answers(answers, ("\u5973\u6027",))
        for answers in (
            ("\u5973\u751f", "\u7537\u751f"),
            ("\u7537\u751f", "\u5973\u751f"),
            ("a", "b"),
        )
    )
    assert (agreed([neither, first]).at, agreed([first, second]).at) == (0, None)
    assert agreed([neither]).why == "no person is of a stereotyped group"


def test_a_few_texts_in_a_second_script_are_no_language():
    """A name or a quotation is in another script; one text in fifty and more is not."""
    for others, told in [(2, False), (3, True)]:
        found = Languages()
        for at in range(100):
            found.add(at, ("Who?",), "")
        for at in range(others):
            found.add(100 + at, ("\u041a\u0442\u043e?",), "")
        assert ("CYRILLIC (3, first row 100)" in found.several()) is told


def test_vowels_that_are_marks_tell_names_apart():
    """However a file composes them; a person of the other group is not of the target's."""
    hindu, hindi = (f"\u0939\u093f\u0928\u094d\u0926{vowel}" for vowel in ("\u0942", "\u0940"))
    people = pair(("x", hindi, "x"), ("y", hindu, "y"))
    assert by_labels(people, (hindu,), "").at == 1
    assert folded("Tu\u1ed5i \u0130") == folded("tuo\u0302\u0309i i") == "tu\u1ed5ii"


def test_unknown_expressions_of_two_languages_are_of_no_one_set():
    own, others = (words_for("unknown", code) for code in ("en", "zh"))
    for texts, told in [(own - others, False), ([min(own - others), min(others - own)], True)]:
        found = Languages()
        for at, text in enumerate(texts):
            found.add(at, (), text)
        assert found.several().startswith("unknown expressions") is told
