"""`curate export samples --text machine`: the machine-translated baseline."""

from dataclasses import replace

import pytest
from csv_rows import read_rows

from curation.files.bank import read_bank, write_bank
from curation.records.bank import Bank, Texts


@pytest.fixture
def translated(curate, demo):
    """Make the demo's workspace one that only a machine has translated."""
    path = demo / "templates_src" / "bank.csv"
    bank, _ = read_bank(path)
    bare = [replace(row, texts=Texts()) if row.source else row for row in bank.variants]
    write_bank(path, Bank(tuple(bare)))
    assert curate("translate", "run", "--engine", "pseudo", "-w", demo).code == 0
    return demo


@pytest.mark.parametrize("by_hand", [False, True])
def test_people_who_are_exchanged_give_no_wrong_answers(curate, translated, by_hand):
    """A template whose machine text has them in another order is left out, and the card says so.

    Where a person wrote them in that order the language asks for it, and it is in.
    """
    path = translated / "templates_src" / "bank.csv"
    bank, _ = read_bank(path)
    first, *others = bank.variants
    text = first.machine_texts.ambiguous_context
    swapped = text.replace("[N1]", "[N]").replace("[N2]", "[N1]").replace("[N]", "[N2]")
    assert swapped != text
    written = swapped.replace("⟦", "").replace("⟧", "")  # the marks of an engine that invents
    own = replace(first.texts, ambiguous_context=written) if by_hand else first.texts
    machine = replace(first.machine_texts, ambiguous_context=swapped)
    write_bank(path, Bank((replace(first, machine_texts=machine, texts=own), *others)))
    ran = curate("export", "samples", "-w", translated, "--text", "machine", "--json").json
    found = [item for item in ran["findings"] if item["rule"] == "translation-order"]
    folder = translated / "exports" / "machine_translated"
    rows = read_rows(folder / "machine_translated_samples.csv")
    card = (folder / "README.md").read_text("utf-8")
    left_out = "age-001" not in {row["template_id"] for row in rows}
    if by_hand:
        assert (found, left_out, "Left out" in card) == ([], False, False)
        return
    assert [(item["row"], item["column"]) for item in found] == [(2, "ambiguous_context_machine")]
    assert (left_out, "age-001" in ran["without_samples"]) == (True, True)
    assert "in another order: age-001." in card
