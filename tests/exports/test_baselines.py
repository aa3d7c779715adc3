"""Control sets: the same templates with people of no particular group."""

import csv

import pytest

from curation.files.workspace import Workspace
from curation.languages import available, load
from curation.records.messages import CurateError
from curation.slots.grammar import parse_fillers
from exports.baselines import control_edition
from exports.edition import open_edition

CULTURE = """\
culture: Nowhere
language: {language}
unknown: X
categories:
  - {{id: Craft, question: choice}}
"""
COLUMNS = (
    *("template_id", "variant", "category", "label", "stereotype", "target_groups"),
    *("ambiguous_context", "disambiguating_context", "biased_question"),
    *("counter_biased_question", "biased_answer", "counter_biased_answer", "names", "words"),
    *("n1_groups", "n2_groups"),
)
TEXTS = (
    *("[N1] and [N2] came in.", "[N1] hummed and [N2] did not.", "Who hums?", "Who does not?"),
    *("[N1]", "[N2]"),
)
ANN = "N1: [Potter]; N2: [Baker]"


def make(folder, texts=TEXTS, names=ANN, words="", lang="en"):
    (folder / "templates_src").mkdir(exist_ok=True)
    (folder / "culture.yaml").write_text(CULTURE.format(language=lang), "utf-8")
    exchanged = names.replace("N1:", "N0:").replace("N2:", "N1:").replace("N0:", "N2:")
    with (folder / "templates_src" / "bank.csv").open("w", encoding="utf-8", newline="") as stream:
        rows = csv.writer(stream)
        rows.writerow(COLUMNS)
        shared = ("Craft", "ST", "They hum", "Bakers", *texts)
        rows.writerow(("craft-001", "a", *shared, names, words, "Potters", "Bakers"))
        rows.writerow(("craft-001", "b", *shared, exchanged, words, "Bakers", "Potters"))
    (folder / "templates_src" / "groups.csv").write_text(
        "category,group,counts,fillers\nCraft,Bakers,true,\nCraft,Potters,true,\n", "utf-8"
    )
    return Workspace(folder)


def example(workspace):
    (row,) = control_edition(open_edition(workspace))[1]
    return row


def names_of(lang):
    found = load(lang).control
    listed = ", ".join((*found.female, *found.male))
    return {item.text for item in parse_fillers(f"[{listed}]")}


def masked(text, lang):
    for name in sorted(names_of(lang), key=len, reverse=True):
        text = text.replace(name, "@")
    return text


def test_people_have_names_and_keep_their_roles(tmp_path):
    """Three names each, all of one gender; in the second variant the roles are exchanged."""
    edition, _ = control_edition(open_edition(make(tmp_path)))
    samples = list(edition.samples())
    assert len(samples) == 2 * 9 * 4
    by_id = {item.sample_id: item for item in samples}
    a, b = by_id["craft-001a-002-amb-bsd"], by_id["craft-001b-002-amb-bsd"]
    assert set(a.choices[:2]) == set(b.choices[:2])
    assert a.biased_answer == b.biased_answer
    assert (a.n1_group, a.n2_group) == ("", "")
    people = {choice for item in samples for choice in item.choices[:2]}
    control = load("en").control
    assert control is not None
    assert len(people) == 6
    assert people <= set(control.female) or people <= set(control.male)
    assert {item.template_id for item in samples} == {"craft-001"}


@pytest.mark.parametrize(
    ("lang", "context", "names", "wanted"),
    [
        ("en", "The [N1] saw an old car and [N2|a/an].", ANN, "@ saw an old car and @."),
        ("en", "It was for the [N1], not a [N2].", ANN, "It was for @, not @."),
        ("en", "Theatre [N1], [N2].", ANN, "Theatre @, @."),
        (
            "es",
            "La casa del [N1] y [N2|un/una].",
            "N1: [alfarero {gender: m}]; N2: [panadera {gender: f}]",
            "La casa de @ y @.",
        ),
        (
            "es",
            "[N1.def] vio a [N2.def], [N1|=cansado/cansada].",
            "N1: [alfarero {gender: m, def: el alfarero}]; "
            "N2: [panadera {gender: f, def: la panadera}]",
            "@ vio a @, cansad.",
        ),
        (
            "de",
            "Die Tasche [N1.gen] gefiel [N2|dem/der].",
            "N1: [Wirt {gender: m, gen: des Wirts}]; N2: [Frau {gender: f, gen: der Frau}]",
            "Die Tasche @s gefiel @.",
        ),
        (
            "de",
            "Am Tisch beim [N1] stand [N2].",
            "N1: [Wirt]; N2: [Koch]",
            "Am Tisch bei @ stand @.",
        ),
        (
            "ko",
            "[N1|은/는] 빵을 굽고 한 [N2|을/를] 불렀다.",
            "N1: [왼손잡이]; N2: [오른손잡이]",
            "",
        ),
        ("zh", "一位[N1]和那位[N2]来了。", "N1: [厨师]; N2: [老师]", "@和@来了。"),
        ("hi", "[N1] और [N2] दासी से मिले।", "N1: [दास]; N2: [साधु]", "@ और @ दासी से मिले।"),
        ("tr", "Bir [N1] ile [N2] geldi.", "N1: [çömlekçi]; N2: [fırıncı]", "@ ile @ geldi."),
    ],
)
def test_articles_go_with_the_group(tmp_path, lang, context, names, wanted):
    """And a contraction leaves its preposition; what agrees with the name stays."""
    texts = (context, "[N1] [N2].", "Q1", "Q2", "[N1]", "[N2]")
    found = masked(example(make(tmp_path, texts, names, lang=lang))["context"], lang)
    if lang == "ko":
        assert found.startswith(("@은 빵을 굽고", "@는 빵을 굽고"))
        assert "한 @" not in found
    elif "cansad" in wanted:
        assert found.startswith(("@ vio a @, cansado.", "@ vio a @, cansada."))
    else:
        assert found.startswith(wanted)


def test_a_name_elides_what_stands_before_it(tmp_path):
    """`d'Anna` in French, where a consonant leaves `de` as it is."""
    texts = ("Le sac du [N1] et de la [N2].", "[N1] [N2].", "Q1", "Q2", "[N1]", "[N2]")
    workspace = make(tmp_path, texts, "N1: [potier]; N2: [meunier]", lang="fr")
    found = {
        control_edition(open_edition(workspace, seed=seed))[1][0]["context"] for seed in range(40)
    }
    assert any("d'Alice" in text or "d'Emma" in text or "d'Antoine" in text for text in found)
    assert not any("de A" in text or "du " in text or "de la" in text for text in found)


REFUSED = (
    (("[N1: potters] and [N2].", *TEXTS[1:]), ANN, "", "forms of [N1] are listed"),
    ((*TEXTS[:2], "Who hums at the Potter's?", *TEXTS[3:]), ANN, "", "name 'Potter' outside"),
    ((*TEXTS[:2], "Do bakers hum?", *TEXTS[3:]), ANN, "", "name 'Baker' outside"),
    (TEXTS, ANN, "X1: [old, young]", "[X1] says more of a person"),
    (("[W1] with [N1], [N2].", *TEXTS[1:]), ANN, "W1: [bakery, field]", "name 'Baker' outside"),
)
NOUNS = (
    ("en", "The [N1] man saw [N2].", "man"),
    ("es", "Una persona [N1] vio a [N2].", "persona"),
    ("ko", "[N1] 사람과 [N2]", "사람"),
    ("zh", "[N1]人和[N2]来了。", "人"),
)


def test_where_names_do_not_fit_it_is_said(tmp_path):
    """A group that shows through would be no control; `The Anna man` is said by nobody."""
    wrong = [(*one, "en") for one in REFUSED]
    wrong += [((text, *TEXTS[1:]), ANN, "", f"noun '{noun}'", lang) for lang, text, noun in NOUNS]
    for texts, names, words, why, lang in wrong:
        with pytest.raises(CurateError) as told:
            control_edition(open_edition(make(tmp_path, texts, names, words, lang)))
        assert why in told.value.what
    managed = ("[N1] managed and [N2] mended.", *TEXTS[1:])  # which only begins like a man
    assert example(make(tmp_path, managed))["in"] == "yes"


def test_a_template_may_be_left_out_by_hand(tmp_path):
    workspace = make(tmp_path)
    with pytest.raises(CurateError, match="left out by hand"):
        control_edition(open_edition(workspace), left_out=["craft-001"])
    with pytest.raises(CurateError, match="craft-009"):
        control_edition(open_edition(workspace), left_out=["craft-009"])


def test_languages_have_names_enough(tmp_path):
    """No name stands in both lists: a gender would not be known. Finnish has none, and says so."""
    with pytest.raises(CurateError) as told:
        control_edition(open_edition(make(tmp_path, lang="fi")))
    assert "curate language" in told.value.hint
    for lang in available():
        found = load(lang).control
        if found is not None:
            assert min(len(found.female), len(found.male)) >= 12
            assert len(names_of(lang)) == len(found.female) + len(found.male)
