"""Named forms, features and conditions on their way through a translation."""

from dataclasses import replace

from curation.annotation.translation.merge import machine_cells, put, put_translations
from curation.annotation.translation.run import settle_all, wanted_texts, written
from curation.annotation.translation.units import translation_units
from curation.records.bank import Bank, Label, Texts, Variant, VariantId
from curation.slots.protection import bare

NAMES = (
    "N1: [nieto {town: hill, def: el nieto}, tia {town: lake, def: la tia}]; "
    "N2: [vecino {town: hill}]; N1.town = N2.town"
)
SOURCE = Texts(ambiguous_context="[N1.def] met [N2] and [N1].", names=NAMES, words="N1 != N2")
ROW = Variant(VariantId.parse("craft-001a"), "Craft", Label.SIMPLY_TRANSFERRED, source_texts=SOURCE)


def units(row=ROW):
    return {unit.text: unit for unit in translation_units(Bank((row,)))[0]}


def test_the_machine_leaves_named_forms_features_and_conditions_where_they_belong():
    """A named form is asked for in any language; forms of the source are not those of the target.

    What conditions compare stays with its filler, and the conditions with their lists.
    """
    replies = {
        '<x id="1"/> met <x id="2"/> and <x id="3"/>.': (
            '<x id="1"/> traf <x id="2"/>, <x id="3"/>.'
        ),
        "nieto": "Enkel",
        "tia": "Tante, die",
        "vecino": "Nachbar",
    }
    found = list(units().values())
    wanted = wanted_texts(found)
    settled, questions = settle_all(wanted, lambda wire, _: replies.get(wire), "de", again=False)
    assert questions == []
    texts = {
        place: written(unit.kind, settled[bare(unit.parsed)].text)
        for unit in found
        for place in unit.places
    }
    bank, _ = put(Bank((ROW,)), texts, "machine_texts", machine_cells)
    machine = bank.variants[0].machine_texts
    assert machine.ambiguous_context == "[N1.def] traf [N2], [N1]."
    assert machine.names == (
        "N1: [Enkel {town: hill}, Tante\\, die {town: lake}]; N2: [Nachbar {town: hill}]; "
        "N1.town = N2.town"
    )
    assert machine.words == "N1 != N2"


def collected(row, texts):
    found = units(row)
    given = {place: new for text, new in texts.items() for place in found[text].places}
    made, _, refused = put_translations(Bank((row,)), given)
    assert refused == {}
    return made.variants[0]


FILLERS = {"nieto": "Enkel {def: der Enkel}", "tia": "Tante {def: die Tante}", "vecino": "Nachbar"}


def test_what_people_changed_in_features_and_conditions_stays():
    """A filler that is translated anew keeps the features that its list has by now."""
    row = collected(ROW, FILLERS)
    edited = row.texts.names.replace("lake", "hill").replace("; N1.town = N2.town", "")
    row = replace(row, texts=replace(row.texts, names=edited, words="N2 != N1; N1.town = N2.town"))
    row = collected(row, {"tia": "Base"})
    assert row.texts.names == (
        "N1: [Enkel {def: der Enkel, town: hill}, Base {town: hill}]; N2: [Nachbar {town: hill}]"
    )
    assert row.texts.words == "N2 != N1; N1.town = N2.town"
