"""`curate survey build`."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from curation.cli.main import cli
from curation.files.bank import write_bank, write_groups
from curation.records.bank import Bank, Group, Label, Texts, Variant
from curation.records.ids import VariantId

SETTINGS = """\
culture: Nowhere
language: en
unknown: Cannot be known
categories:
  - {id: Craft, name: Crafts}
questionnaire:
  respondents_per_question: 10
  currency: EUR
"""
GROUPS = [
    Group("Craft", "Bakers", fillers="[Ann, Ada]"),
    Group("Craft", "Potters", fillers="[Bob]"),
    Group("Craft", "Weavers", fillers="[Cleo, Carl]"),
    Group("Craft", "Glaziers", parent="Potters", counts=False, fillers="[Gil]"),
]
TEXTS = Texts(
    stereotype="forget their keys",
    target_groups=("Potters",),
    ambiguous_context="[N1] and [N2] came home late.",
    disambiguating_context="[N1] had no key, [N2] had one.",
    biased_question="Who forgot a key?",
    counter_biased_question="Who had a key?",
    biased_answer="[N1]",
    counter_biased_answer="[N2]",
    names="N1: [Ann, Ada]; N2: [Bob]",
    n1_groups=("Bakers",),
    n2_groups=("Potters",),
)
OPEN: dict[str, Any] = {
    "target_groups": (),
    "n1_groups": (),
    "n2_groups": (),
    "names": "N1: [*]; N2: [*]",
}


def pair(number: int, label: Label = Label.SIMPLY_TRANSFERRED, **changes: Any) -> list[Variant]:
    """Make variants a and b of a template."""
    first = replace(TEXTS, **changes)
    names = first.names if "*" in first.names else "N1: [Bob]; N2: [Ann, Ada]"
    second = replace(first, n1_groups=first.n2_groups, n2_groups=first.n1_groups, names=names)
    return [
        Variant(VariantId.parse(f"craft-{number:03d}{letter}"), "Craft", label, texts)
        for letter, texts in (("a", first), ("b", second))
    ]


BANK = Bank(
    (
        *pair(1),
        *pair(2),
        *pair(3, Label.TARGET_MODIFIED, stereotype="rise early", **OPEN),
        *pair(4, Label.SAMPLE_REMOVED),
    )
)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """Two templates that share a stereotype, an open one, and one that is removed."""
    (tmp_path / "templates_src").mkdir()
    (tmp_path / "culture.yaml").write_text(SETTINGS, encoding="utf-8")
    write_bank(tmp_path / "templates_src" / "bank.csv", BANK)
    write_groups(tmp_path / "templates_src" / "groups.csv", GROUPS)
    return tmp_path


def run(workspace: Path, *options: str) -> Result:
    """Run the command."""
    return CliRunner().invoke(cli, ["survey", "build", "-w", str(workspace), *options])


def test_json(workspace: Path) -> None:
    """`--json` gives one object with all of the plan."""
    result = run(workspace, "--json", "--price", "0.1")
    data = json.loads(result.stdout)
    assert data["questions"] == {"select_all": 1, "choice": 1, "comprehension": 3}
    assert (data["templates"], data["saved"]) == (3, 1)
    assert (data["respondents"], data["answers"], data["cost"]) == (30, 50, 5.0)
    assert sum(cell["respondents"] for cell in data["quotas"]) == 30
    assert [item["form"] for item in data["forms"]] == [f"f{at:02d}" for at in range(1, 7)]
    assert {item["respondents"] for item in data["forms"]} == {5}
    assert data["orders"] == 2
    assert data["power"][0]["named"] == 10 and data["power"][0]["needed"] == 7
    (selection,) = data["selection_power"]
    assert (selection["options"], selection["named"]) == (3, 8)
    assert (selection["target_from"], selection["non_target_to"]) == (6, 1)
    assert selection["offered"] == 4
    exact = 4 * (28 * 9 + 8 * 3 + 1) / 4**8  # 6 or more of 8 for one of four
    assert selection["kept_by_chance"]["1.00"] == pytest.approx(exact, abs=0.015)
    assert selection["least_p"] == pytest.approx((1 - 4 / 30) ** 10, abs=1e-6)
    assert {item["pay_per_hour"] for item in data["forms"]} == {6.0, 12.0}
    assert selection["target"]["2.00"] == pytest.approx(0.468221, abs=1e-6)  # 8 of 2/3, 6 or more
    assert set(data["written"]) == {"workbook", "csv"}
    assert data["written"]["csv"]["files"][0] == "responses/forms/csv/f01.csv"
    assert "quotas" in data["written"]["csv"]["cannot_express"]
    assert data["findings"] == []
