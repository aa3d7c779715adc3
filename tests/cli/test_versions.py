"""Variants with a masculine and a feminine wording, from the check to the scores."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curation.bank.generate import draw_index

Curate = Callable[..., Any]
CULTURE = """\
culture: Valdoria
language: es
source_language: en
unknown: No se sabe
categories:
  - {id: Age, name: Edad, sources: [Age]}
stories:
  placeholders: [una persona, la otra]
"""
COLUMNS = (
    *("template_id", "variant", "version", "category", "label", "stereotype", "target_groups"),
    *("ambiguous_context", "disambiguating_context", "biased_question"),
    *("counter_biased_question", "biased_answer", "counter_biased_answer", "names"),
    *("n1_groups", "n2_groups", "reference", "ambiguous_context_source"),
)
NAMES = {
    "m": (["el nieto", "el sobrino"], ["el abuelo", "el bisabuelo"]),
    "f": (["la nieta", "la sobrina"], ["la abuela", "la bisabuela"]),
}
WORDS = {"m": ("Quién es el distraído", "atento"), "f": ("Quién es la distraída", "atenta")}


def row(number: int, letter: str, version: str) -> dict[str, str]:
    """A row of the bank: in `a` the young person forgets, in `b` the old one."""
    young, old = NAMES[version or "m"]
    question, careful = WORDS[version or "m"]
    biased = letter == "b"
    one, other = (old, young) if biased else (young, old)
    groups = ['["mayores"]', '["jóvenes"]']
    return {
        "template_id": f"age-{number:03d}",
        "variant": letter,
        "version": version,
        "category": "Age",
        "label": "NC",
        "stereotype": f"olvida cosas {number}",
        "target_groups": groups[0],
        "ambiguous_context": f"Ayer [N1] y [N2] volvían de la feria número {number}.",
        "disambiguating_context": f"Luego [N1] olvidó la bolsa y [N2] estuvo {careful} en todo.",
        "biased_question": f"¿{question}?",
        "counter_biased_question": f"¿Quién estuvo {careful}?",
        "biased_answer": "[N1]",
        "counter_biased_answer": "[N2]",
        "names": f"N1: [{', '.join(one)}]; N2: [{', '.join(other)}]",
        "n1_groups": groups[0] if biased else groups[1],
        "n2_groups": groups[1] if biased else groups[0],
        "reference": "un libro",
        "ambiguous_context_source": "",
    }


ROWS = [row(1, letter, version) for version in "mf" for letter in "ab"]
ROWS += [row(2, letter, "") for letter in "ab"]


def write(folder: Path, rows: list[dict[str, str]], columns: tuple[str, ...] = COLUMNS) -> None:
    """Write a bank."""
    with (folder / "templates_src" / "bank.csv").open("w", encoding="utf-8", newline="") as stream:
        table = csv.DictWriter(stream, columns, extrasaction="ignore", lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


def read(path: Path) -> list[dict[str, str]]:
    """Read a table."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A workspace with a template in two versions, and one in one wording."""
    (tmp_path / "templates_src").mkdir()
    (tmp_path / "culture.yaml").write_text(CULTURE, "utf-8")
    groups = "category,group,fillers\nAge,mayores,[el abuelo]\nAge,jóvenes,[el nieto]\n"
    (tmp_path / "templates_src" / "groups.csv").write_text(groups, "utf-8")
    write(tmp_path, ROWS)
    return tmp_path


def test_samples_carry_the_version_in_their_ids(curate: Curate, folder: Path) -> None:
    """Each version is expanded like a variant of its own; the column variant is the letter."""
    assert curate("export", "samples", "-w", folder, "--set", "all,test").code == 0
    samples = read(folder / "exports" / "samples" / "samples.csv")
    assert len(samples) == 6 * 4 * 4
    assert list(dict.fromkeys(item["sample_id"].rsplit("-", 3)[0] for item in samples)) == [
        *("age-001a.f", "age-001a.m", "age-001b.f", "age-001b.m", "age-002a", "age-002b"),
    ]
    one = next(item for item in samples if item["sample_id"] == "age-001b.f-003-dis-bsd")
    assert (one["template_id"], one["variant"]) == ("age-001", "b")
    assert one["context"] == (
        "Ayer la abuela y la sobrina volvían de la feria número 1. "
        "Luego la abuela olvidó la bolsa y la sobrina estuvo atenta en todo."
    )
    assert one["question"] == "¿Quién es la distraída?"
    assert (one["answer"], one["biased_answer"]) == ("la abuela", "la abuela")
    test = read(folder / "exports" / "samples" / "test_samples.csv")
    index = draw_index("age-001", "ab", 42, 4)
    wanted = [f"age-001{letter}.{version}-{index:03d}" for letter in "ab" for version in "fm"]
    drawn = list(dict.fromkeys(item["sample_id"].rsplit("-", 2)[0] for item in test))
    assert drawn[:4] == wanted
    assert len(test) == 6 * 4
