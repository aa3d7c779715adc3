"""`curate export samples --text machine`: the machine-translated baseline."""

import csv
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from curation.files.bank import read_bank, write_bank
from curation.files.manifest import read_manifest
from curation.records.bank import Bank, Texts

Curate = Callable[..., Any]


def table(path: Path) -> list[dict[str, str]]:
    """Give the rows of a table."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.fixture
def translated(curate: Curate, demo: Path) -> Path:
    """Make the demo's workspace one that only a machine has translated."""
    path = demo / "templates_src" / "bank.csv"
    bank, _ = read_bank(path)
    bare = [replace(row, texts=Texts()) if row.source else row for row in bank.variants]
    write_bank(path, Bank(tuple(bare)))
    assert curate("translate", "run", "--engine", "pseudo", "-w", demo).code == 0
    return demo


def test_a_bank_of_machine_text_alone_is_exported_as_what_it_is(
    curate: Curate, translated: Path
) -> None:
    """In a folder and files of that name, with the ids of the bank and the source's groups."""
    ran = curate("export", "samples", "-w", translated, "--text", "machine", "--set", "all,test")
    folder = translated / "exports" / "machine_translated"
    assert ran.code == 0
    assert ran.out.startswith(
        "Wrote 1,280 machine_translated_samples, 176 machine_translated_test_samples to "
    )
    assert "a machine-translated baseline for comparison, not the benchmark" in ran.err
    assert {item.name for item in folder.iterdir()} == {
        *("machine_translated_samples.csv", "machine_translated_test_samples.csv"),
        *("README.md", "manifest.json"),
    }
    rows = table(folder / "machine_translated_samples.csv")
    assert len(rows) == 1280
    assert {row["label"] for row in rows} == {"ST", "TM"}
    first = rows[0]
    assert (first["sample_id"], first["source_id"]) == ("age-001a-001-amb-bsd", "Age-01")
    assert (first["n1_group"], first["n2_group"]) == ("Young adults", "Old people")
    assert first["question"].startswith("⟦Whó líkéš")
    manifest = read_manifest(folder)
    assert (manifest.settings["text"], manifest.settings["export"]) == (
        *("machine", "machine_translated"),
    )
    assert not {"kept", "undecided", "dropped"} & set(manifest.counts)
    card = (folder / "README.md").read_text("utf-8")
    assert "**This is not the benchmark.**" in card
    assert "21 templates: 19 ST, 2 TM." in card
    assert "Licence: MIT. Changed: translated by a machine." in card


def test_what_lacks_a_machines_text_is_left_out_and_said(curate: Curate, translated: Path) -> None:
    """Whole templates alone give samples."""
    path = translated / "templates_src" / "bank.csv"
    bank, _ = read_bank(path)
    first, *others = bank.variants
    machine = replace(first.machine_texts, biased_question="")
    write_bank(path, Bank((replace(first, machine_texts=machine), *others)))
    ran = curate("export", "samples", "-w", translated, "--text", "machine", "--json").json
    assert "age-001" in ran["without_samples"]
    rows = table(translated / "exports" / "machine_translated" / "machine_translated_samples.csv")
    assert "age-001" not in {row["template_id"] for row in rows}


@pytest.mark.parametrize("by_hand", [False, True])
def test_people_who_are_exchanged_give_no_wrong_answers(
    curate: Curate, translated: Path, by_hand: bool
) -> None:
    """A template whose machine text has them in another order is left out, and the card says so.

    Where a person wrote them in that order the language asks for it, and it is in.
    """
    path = translated / "templates_src" / "bank.csv"
    bank, _ = read_bank(path)
    first, *others = bank.variants
    text = first.machine_texts.ambiguous_context
    swapped = text.replace("[N1]", "[N]").replace("[N2]", "[N1]").replace("[N]", "[N2]")
    assert swapped != text
    own = replace(first.texts, ambiguous_context=swapped) if by_hand else first.texts
    machine = replace(first.machine_texts, ambiguous_context=swapped)
    write_bank(path, Bank((replace(first, machine_texts=machine, texts=own), *others)))
    ran = curate("export", "samples", "-w", translated, "--text", "machine", "--json").json
    found = [item for item in ran["findings"] if item["rule"] == "translation-order"]
    folder = translated / "exports" / "machine_translated"
    rows = table(folder / "machine_translated_samples.csv")
    card = (folder / "README.md").read_text("utf-8")
    left_out = "age-001" not in {row["template_id"] for row in rows}
    if by_hand:
        assert (found, left_out, "Left out" in card) == ([], False, False)
        return
    assert [(item["row"], item["column"]) for item in found] == [(2, "ambiguous_context_machine")]
    assert (left_out, "age-001" in ran["without_samples"]) == (True, True)
    assert "in another order: age-001." in card


def test_it_is_mixed_with_no_other_samples(curate: Curate, translated: Path) -> None:
    """Neither goes over the other, and a release is refused as before."""
    baseline = translated / "exports" / "machine_translated"
    curate("export", "samples", "-w", translated, "--text", "machine")
    over = curate("export", "samples", "-w", translated, "--out", baseline)
    assert (over.code, "machine_translated holds a machine-translated baseline" in over.err) == (
        *(1, True),
    )
    samples = translated / "exports" / "samples"
    curate("export", "samples", "-w", translated)
    other = curate("export", "samples", "-w", translated, "--text", "machine", "--out", samples)
    assert (other.code, "samples holds another export" in other.err) == (1, True)
    assert curate("check", "-w", translated, "--release").code == 1


def test_without_machine_text_there_is_nothing_to_write(curate: Curate, demo: Path) -> None:
    """Which is said, with what to do."""
    ran = curate("export", "samples", "-w", demo, "--text", "machine")
    assert (ran.code, "no template has machine text" in ran.err) == (1, True)
    assert "curate translate run" in ran.err
