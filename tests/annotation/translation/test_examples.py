"""What translators see beside a text."""

from dataclasses import replace

from rows import variant

from curation.annotation.translation.handed import entries, translation_sheet
from curation.annotation.translation.units import Row, Variants, translation_units
from curation.annotation.translation.verification import agreeing_names, filled_examples
from curation.records.bank import Bank, TemplateId, Texts
from curation.slots.grammar import parse_fillers

AUNT, COOK, UNCLE = "tía {gender: f}", "cocinero {gender: m}", "tío {gender: m}"
SOURCE = "The [N1] saw the [N2]."


def bank(own=("", ""), language="es", **texts):
    """A pair whose people are exchanged, with lists of the translation."""
    sources = ("N1: [aunt, cook]; N2: [uncle]", "N1: [uncle]; N2: [aunt, cook]")
    made = []
    for letter, names, source in zip("ab", own, sources, strict=True):
        key, written = f"craft-001{letter}", Texts(names=names, **texts)
        made.append(variant(key, own=written, ambiguous_context=SOURCE, names=source))
    return Variants(made, language)


TOLD = (f"N1: [{AUNT}, {COOK}]; N2: [{UNCLE}]", f"N1: [{UNCLE}]; N2: [{AUNT}, {COOK}]")


def unit(variants, text=SOURCE, *, untied=False):
    apart = ["craft-001"] if untied else []
    found, _ = translation_units(Bank(tuple(variants.values())), untied=apart)
    return next(item for item in found if item.text == text)


def example(text, variants, *, untied=False):
    found = filled_examples(unit(variants, untied=untied), text, variants)
    return found.split("\n")


def test_an_example_has_names_of_each_gender():
    """Of both variants, articles contracted and capitals set as in samples."""
    assert example("[N1|el/la] vio a [N2|el/la].", bank(TOLD)) == [
        "La tía vio al tío.",
        "El cocinero vio al tío.",
        "El tío vio a la tía.",
        "El tío vio al cocinero.",
    ]
    assert example("[N1: La tía, El cocinero] vio.", bank(TOLD), untied=True) == [
        "La tía vio.",
        "El cocinero vio.",
    ]


def test_what_cannot_be_known_is_said_in_its_place():
    """With what to write into the list."""
    (line,) = example("[N1|un/una] vio.", bank(("N1: [tía]; N2: [tío]", "N1: [tía]; N2: [tío]")))
    assert line == (
        "(the form of 'tía' cannot be known for [N1|un/una]: its gender is not given: write in the "
        "list of fillers tía {gender: m} or tía {gender: f})"
    )


def test_many_templates_of_one_text_are_counted():
    """Eight are named; what is in the bank is hidden where it is the translation anyway."""
    one = unit(bank())
    for number, told in ((8, "craft-008"), (9, "+1")):
        units = (replace(one, template=TemplateId("craft", at)) for at in range(1, number + 1))
        found = entries([Row("k", tuple(units))], bank())
        (row,) = translation_sheet(found, {"craft-008": "Soon ..."}).rows
        assert row.cells["template_id"].splitlines()[-1] == told.replace("craft-008", "Soon ...")
        assert row.cells["templates"].splitlines()[-1] == told
    hidden = [column.name for column in translation_sheet(found, {}).columns if column.hidden]
    assert hidden == ["in_bank"]


def test_without_a_translation_the_source_is_filled_in():
    """With the names as far as they are translated."""
    assert example("", bank())[0] == "The aunt saw the uncle."
    assert example("", bank(TOLD))[0] == "The tía saw the tío."
    assert example("[N1", bank(TOLD)) == [""]


def test_names_show_what_agreement_looks_at():
    """By variant where they differ; listed forms are an option where one variant is meant."""
    shown = agreeing_names(unit(bank(TOLD)), bank(TOLD)).split("\n")
    assert shown == [
        f"[N1] = a: {AUNT}, {COOK}; b: {UNCLE}",
        "[N1|un/una]  [N1|el/la]  [N1|=cansado/cansada]",
        f"[N2] = a: {UNCLE}; b: {AUNT}, {COOK}",
        "[N2|un/una]  [N2|el/la]  [N2|=cansado/cansada]",
    ]
    alone = agreeing_names(unit(bank(TOLD), untied=True), bank(TOLD)).split("\n")
    assert alone[1] == "[N1|un/una]  [N1|el/la]  [N1|=cansado/cansada]  [N1: ..., ...]"
    assert agreeing_names(unit(bank()), bank()).split("\n")[0] == (
        "[N1] = a: aunt {gender: ?}, cook {gender: ?}; b: uncle {gender: ?}"
    )
    conditions = "N1: [tía {gender: f, home: lake}]; N2: [tío {home: lake}]; N1.home = N2.home"
    hidden = bank((conditions, conditions))
    assert agreeing_names(unit(hidden), hidden).split("\n")[0] == f"[N1] = {AUNT}"
    left_open = bank(("N1: [*]; N2: [*]",) * 2, "zh")
    left_open.people["Craft"] += parse_fillers(f"[{COOK}]")
    assert agreeing_names(unit(left_open), left_open) == f"[N1] = {COOK}\n[N2] = {COOK}"
    assert agreeing_names(unit(bank()), bank(language="ja")) == (
        "[N1] = a: aunt, cook; b: uncle\n[N2] = a: uncle; b: aunt, cook"
    )


def test_a_name_shows_what_may_stand_with_it():
    """The features of the language, and the forms that a text asks it for."""
    for language, shown in [
        ("es", "{gender: m} / {gender: f}\n{number: s} / {number: p}\n{def: ...}"),
        ("de", "{gender: m} / {gender: f} / {gender: n}\n{number: s} / {number: p}\n{def: ...}"),
        ("ko", "{def: ...}"),
        ("zh", "{def: ...}"),
    ]:
        variants = bank(language=language, ambiguous_context="[N1.def] x [N2]")
        assert agreeing_names(unit(variants, "aunt"), variants) == shown
