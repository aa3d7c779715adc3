"""Texts in which the two people are 'one' and 'the other', in every language that tells stories."""

from pathlib import Path

import pytest

from curation.records.bank import Bank, Texts, Variant, VariantId
from curation.records.culture import StorySettings
from curation.records.messages import CurateError, own_yaml
from curation.slots.grammar import parse_lists
from evaluation.stories.placeholders import StatedPlaceholder, stated_placeholders, story_language
from evaluation.stories.records import neutralise, story_pairs

GROUPS, TOLD = (
    own_yaml((Path(__file__).parent / name).read_text(encoding="utf-8"))
    for name in ("neutral.yaml", "told.yaml")
)
LISTS = parse_lists("N1: [knitter, quilter]; N2: [climber]; W1: [shed, barn]")


def language(code, *own):
    """What stories in a language need, with a culture's own placeholders."""
    return story_language(code, StorySettings(placeholders=own or None))


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group["code"])
def test_people_become_placeholders(group):
    """Every row: articles and particles, cases and agreement, and the forms that have no rule."""
    lists = parse_lists(group["lists"])
    for text, expected, *more in group["rows"]:
        answers = more if expected else ()
        made = neutralise(text, lists, language(group["code"]), answers=answers)
        if expected:
            assert made.render(lists, tuple(lists), (0,) * len(lists)) == expected
        assert made.unformed == (() if expected else tuple(*more)), text


def test_the_map_gives_back_what_stood_there(english):
    """By role and placeholder, in the form of the filling; capitals alone make no other way."""
    made = neutralise("[N2: The climber] met [N1: the knitter, the quilter].", LISTS, english)
    assert made.phrases(LISTS, ("N1", "N2"), (1, 0)) == {
        "one": {"one": "The climber"},
        "other": {"the other": "the quilter"},
    }
    text = "[N1: The knitter, The quilter] ran. So did [N1: the knitter, the q]."
    made = neutralise(text, LISTS, english)
    assert made.phrases(LISTS, ("N1",), (0,)) == {"one": {"one": "the knitter"}}
    both = {"one": {"one": ["The quilter", "the q"]}}
    assert made.phrases(LISTS, ("N1",), (1,)) == both


def test_words_that_change_stay_slots(english):
    """What people edit is the story of all fillings."""
    made = neutralise("[N1] sweeps the [W1]; [N2] does not.", LISTS, english)
    assert made.printed == "One sweeps the [W1]; the other does not."
    edited = made.edited("One sweeps a [W1].")
    assert edited.render(LISTS, ("N1", "N2", "W1"), (0, 0, 1)) == "One sweeps a barn."
    assert edited.mentions == made.mentions


def test_the_published_way_can_be_had(english):
    """Later sentences begin with small letters, and 'the' goes before every slot."""
    text = "The [N1] ran. All the [W1] fell. I saw the [N2]."
    made = neutralise(text, LISTS, english, published=True)
    text = made.render(LISTS, ("N1", "N2", "W1"), (0, 0, 0))
    assert text == "One ran. all shed fell. i saw the other."


def test_a_named_form_becomes_a_placeholder_as_a_listed_one_does(english):
    """Its article goes, its possessive ending stays, and the map gives the form."""
    named = parse_lists(
        "N1: [knitter {def: the knitter, poss: the knitter's}, "
        "quilter {def: the quilter, poss: the quilter's}]; N2: [climber]"
    )
    made = neutralise("[N2] saw [N1.def]. [N1.poss] dog ran.", named, english)
    text = made.render(named, ("N1", "N2"), (0, 0))
    assert (text, made.unformed) == ("One saw the other. The other's dog ran.", ())
    assert made.phrases(named, ("N1", "N2"), (1, 0))["other"] == {
        "the other": "the quilter",
        "the other's": "the quilter's",
    }
    lacking = neutralise("[N2.def] ran.", named, english)
    assert (lacking.unformed, lacking.printed) == (("N2",), "One ran.")


def test_a_cultures_own_placeholders_follow_the_rules_that_need_no_more():
    """Particles go by their last sound; nothing is known of their cases and features."""
    lists = parse_lists("N1: [할아버지, 노인]; N2: [산악회 회원]")
    own = language("ko", "하나", "둘")
    made = neutralise("[N1: 할아버지는, 노인은] [N2|으로/로] 갔다.", lists, own)
    assert made.printed == "하나는 둘로 갔다."
    assert made.phrases(lists, ("N1", "N2"), (1, 0)) == {
        "one": {"하나는": "노인은"},
        "other": {"둘로": "산악회 회원으로"},
    }
    assert own.adjectives is None
    lists = parse_lists("N1: [Enkel {gender: m}]; N2: [Nachbar {gender: m}]")
    own = language("de", "jemand", "jemand anders")
    made = neutralise("[N1|Der/Die] sah [N2|dem/der] zu.", lists, own)
    assert made.printed == "Jemand sah jemand anders zu."
    lists = parse_lists("N1: [حفيد {gender: m}, حفيدة {gender: f}]")
    made = neutralise("[N1|=وصل/وصلت] [N1].", lists, language("ar", "أحدهما", "الآخر"))
    assert made.unformed == ("N1",)
    with pytest.raises(CurateError, match="no words are known for 'one'"):
        language("eu")
    text = neutralise("[N1] etorri zen. [N2] ez.", LISTS, language("eu", "bata", "bestea"))
    assert text.printed == "Bata etorri zen. Bestea ez."


@pytest.mark.parametrize(
    ("code", "text", "counts"),
    [
        ("ko", "한 사람은 갔고 다른 한 사람이 왔다. 다른 한 사람은 웃었다.", [1, 2]),
        (
            "de",
            "Mit der einen Person sprach die andere Person und half der anderen Person.",
            [1, 2],
        ),
        ("ar", "قال أحد الشخصين للشخص الآخر شيئا.", [1, 1]),
        ("zh", "其中一人在读书，另一人睡着了。", [1, 1]),
        ("tr", "Bir kişiyi gören diğer kişiyle konuştu.", [1, 1]),
        ("ru", "Один человек говорил с другим человеком об одном человеке.", [2, 1]),
        ("pl", "Jedna osoba widzi drugą osobę i nie słucha drugiej osoby.", [1, 2]),
    ],
)
def test_placeholders_are_counted_in_every_form(code, text, counts):
    """Also where one of them holds the other."""
    assert language(code).placeholder_counts(text) == counts
    assert len(language(code).whole(text, language(code).written)) > 1


@pytest.mark.parametrize("code", TOLD)
def test_words_of_gender_are_found(code):
    """Whatever is joined to them; words that only hold one of them tell nothing."""
    for text, feminine, masculine in TOLD[code]:
        assert language(code).gendered(text) == (feminine, masculine), text


def test_a_template_that_says_its_placeholders_is_followed(korean):
    """Each mention takes its particle; the first is taken again where there are more mentions."""
    empty = {f"N{n}_obfdis_{what}": "" for what in ("adj", "post") for n in (1, 2)}
    extra = tuple({**empty, "N1_obfdis_adj": "TRUE", "N2_obfdis_post": "이, 이었기"}.items())
    assert stated_placeholders((("mine", "x"),)) == {}
    assert stated_placeholders(extra) == {
        "N1": StatedPlaceholder(adjective=True),
        "N2": StatedPlaceholder(particles=("이", "이었기")),
    }
    texts = Texts(
        disambiguating_context="[N1: 가, 나] 손님은 [N2: 다, 라] 왔고 [N2: 마, 바], [N2: 사, 아].",
        names="N1: [가, 나]; N2: [다, 라]",
    )
    variant = Variant(VariantId.parse("hobby-001a"), "Hobby", texts=texts, extra=extra)
    (pair,) = story_pairs(list(Bank((variant,)).templates()), korean, {})
    assert pair.versions[0].neutral.printed == (
        "한 손님은 다른 한 사람이 왔고 다른 한 사람이었기, 다른 한 사람이."
    )
