"""`curate new`: templates that are written for the culture."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from ods import save_ods

from curation.files.annotations import AnnotationsFolder
from curation.files.bank import read_bank
from curation.records.bank import Label, Variant

Curate = Callable[..., Any]
Listing = Callable[[Path], dict[str, str]]

GOOD = {
    "category": "Craft",
    "stereotype": "They whistle",
    "target_groups": "Bakers",
    "n1_groups": "Potters",
    "n2_groups": "Bakers",
    "ambiguous_context": "[N1] [X1] met [N2] [X2] in [W1].",
    "disambiguating_context": "[N1] whistled while [N2] was silent.",
    "biased_question": "Who whistles?",
    "counter_biased_question": "Who is silent?",
    "biased_answer": "[N1]",
    "counter_biased_answer": "[N2]",
    "names": "N1: [Ann]; N2: [Bob]",
    "words": "W1: [May, June]; X1: [in blue]; X2: [in red]",
    "reference": "A diary of 1901",
}


@pytest.fixture
def sheet(curate: Curate, workspace: Path) -> Callable[..., Path]:
    """Make the workbook and write rows into it."""

    def write(*rows: Mapping[str, str]) -> Path:
        path = workspace.parent / "new.xlsx"
        path.unlink(missing_ok=True)
        assert curate("new", "sheet", "-w", workspace, "--rows", 5, "--out", path).code == 0
        book = openpyxl.load_workbook(path)
        columns = {cell.value: cell.column for cell in book["templates"][1]}
        for number, row in enumerate(rows, start=2):
            for name, value in row.items():
                book["templates"].cell(number, columns[name]).value = value
        book.save(path)
        return path

    return write


def added(workspace: Path) -> list[Variant]:
    """Give the variants that are in the bank beyond the first three."""
    bank, findings = read_bank(workspace / "templates_src" / "bank.csv")
    assert not findings
    return list(bank.variants[3:])


def test_a_row_becomes_a_pair(curate: Curate, workspace: Path, sheet: Callable[..., Path]) -> None:
    """Variant a is the row; in b groups, names and X change places; the id is the next free."""
    ran = curate("new", "collect", "-w", workspace, sheet(GOOD), "--json")
    assert ran.code == 0
    assert ran.json["added"] == [
        {"template_id": "craft-003", "row": 2, "stereotype": "They whistle"}
    ]
    one, two = added(workspace)
    assert (str(one.id), str(two.id)) == ("craft-003a", "craft-003b")
    assert one.label is two.label is Label.NEWLY_CREATED
    assert one.reference == two.reference == "A diary of 1901"
    assert two.texts.names == "N1: [Bob]; N2: [Ann]"
    assert two.texts.words == "W1: [May, June]; X1: [in red]; X2: [in blue]"
    assert (two.texts.n1_groups, two.texts.n2_groups) == (("Bakers",), ("Potters",))
    assert two.texts.ambiguous_context == one.texts.ambiguous_context


def test_conditions_follow_the_lists_that_change_places(
    curate: Curate, workspace: Path, sheet: Callable[..., Path]
) -> None:
    """In b they compare the same people and words as in a; attributes go with their fillers."""
    row = {
        **GOOD,
        "names": "N1: [Ann {town: hill}, Ada {town: lake}]; N2: [Bob {town: hill}]; "
        "N1.town = N2.town; N1 ~ W1",
        "words": "W1: [May, June]; X1: [in blue]; X2: [in red]; X1 != X2 or X1 = W1",
    }
    assert curate("new", "collect", "-w", workspace, sheet(row)).code == 0
    one, two = added(workspace)
    assert one.texts.names == row["names"]
    assert two.texts.names == (
        "N1: [Bob {town: hill}]; N2: [Ann {town: hill}, Ada {town: lake}]; "
        "N2.town = N1.town; N2 ~ W1"
    )
    assert two.texts.words == ("W1: [May, June]; X1: [in red]; X2: [in blue]; X2 != X1 or X2 = W1")


def test_collecting_again_adds_nothing(
    curate: Curate, workspace: Path, sheet: Callable[..., Path], listing: Listing
) -> None:
    """A template that is in the bank is said and not added."""
    path = sheet(GOOD)
    curate("new", "collect", "-w", workspace, path)
    before = listing(workspace)
    ran = curate("new", "collect", "-w", workspace, path, "--json")
    assert ran.code == 0
    assert (ran.json["added"], ran.json["known"]) == ([], ["craft-003"])
    assert listing(workspace) == before


def test_an_id_that_a_ruling_names_is_not_given_again(
    curate: Curate, workspace: Path, sheet: Callable[..., Path]
) -> None:
    """A template that was taken out of the bank keeps its id for itself."""
    args = ("--template", "craft-002", "--label", "ST", "--why", "known", "--by", "Mina")
    curate("classify", "resolve", "-w", workspace, *args)
    bank = workspace / "templates_src" / "bank.csv"
    text = bank.read_text(encoding="utf-8")
    bank.write_text("".join(line for line in text.splitlines(True) if "-002" not in line))
    ran = curate("new", "collect", "-w", workspace, sheet(GOOD), "--json")
    assert ran.json["added"][0]["template_id"] == "craft-003"


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"category": "Trade"}, "workbook-value-unknown"),
        ({"reference": ""}, "workbook-value-required"),
        ({"n1_groups": "Weavers"}, "group-unknown"),
        ({"biased_answer": "[N2]", "counter_biased_answer": "[N1]"}, "variant-role"),
        ({"names": "N1: [Ann; N2: [Bob]"}, "slot-syntax"),
        ({"target_groups": "[Bakers"}, "new-template"),
        ({"ambiguous_context": "[N1: Annie] met [N2] [X1] [X2] in [W1]."}, "new-template"),
        ({"stereotype": "=A1"}, "workbook-formula"),
    ],
)
def test_nothing_is_written_when_a_row_is_wrong(
    curate: Curate,
    workspace: Path,
    sheet: Callable[..., Path],
    change: Mapping[str, str],
    rule: str,
) -> None:
    """The good row beside it is not added either; a marked copy comes back."""
    before = (workspace / "templates_src" / "bank.csv").read_bytes()
    other = {
        **GOOD,
        "stereotype": "They sigh",
        "ambiguous_context": "[N1] [X1] saw [N2] [X2]. [W1]",
    }
    ran = curate("new", "collect", "-w", workspace, sheet(other, {**GOOD, **change}), "--json")
    assert ran.code == 1
    errors = [item for item in ran.json["findings"] if item["severity"] == "error"]
    assert rule in [item["rule"] for item in errors]
    assert {item["row"] for item in errors} == {3}
    assert (workspace / "templates_src" / "bank.csv").read_bytes() == before
    assert [path.name for path in AnnotationsFolder(workspace).marked.iterdir()] == ["new.xlsx"]


def test_texts_of_variant_b_may_be_written_out(
    curate: Curate, workspace: Path, sheet: Callable[..., Path]
) -> None:
    """Where forms are listed, b has the text that is written for it."""
    row = {
        **GOOD,
        "ambiguous_context": "[N1: Annie] [X1] met [N2] [X2] in [W1].",
        "ambiguous_context_b": "[N1: Bobby] [X1] met [N2] [X2] in [W1].",
    }
    assert curate("new", "collect", "-w", workspace, sheet(row)).code == 0
    one, two = added(workspace)
    assert one.texts.ambiguous_context.startswith("[N1: Annie]")
    assert two.texts.ambiguous_context.startswith("[N1: Bobby]")


def test_an_empty_sheet_is_refused(
    curate: Curate, workspace: Path, sheet: Callable[..., Path]
) -> None:
    """Nothing written is said, not passed over."""
    ran = curate("new", "collect", "-w", workspace, sheet(), "--json")
    assert ran.code == 1
    assert [item["rule"] for item in ran.json["findings"]] == ["new-empty"]


def test_a_dry_run_writes_nothing(
    curate: Curate, workspace: Path, sheet: Callable[..., Path], listing: Listing
) -> None:
    """It only checks."""
    path = sheet(GOOD)
    before = listing(workspace)
    assert "would be added" in curate("new", "collect", "-w", workspace, path, "--dry-run").out
    assert listing(workspace) == before


SPANISH = {
    "category": "Craft",
    "stereotype": "Silban mucho",
    "target_groups": "panaderos",
    "n1_groups": "alfareros",
    "n2_groups": "panaderos",
    "ambiguous_context": "[N1|un/una] y [N2|un/una] se vieron en la plaza.",
    "disambiguating_context": "[N1|el/la] silbaba [N1|=distraído/distraída]; [N2|el/la] callaba.",
    "biased_question": "¿Quién silbaba?",
    "counter_biased_question": "¿Quién callaba?",
    "biased_answer": "[N1|el/la]",
    "counter_biased_answer": "[N2|el/la]",
    "names": "N1: [alfarera {gender: f}, alfarero {gender: m}]; "
    "N2: [panadero {gender: m}, panadera {gender: f}]",
    "reference": "Un diario de 1901",
}
LISTED = {
    **SPANISH,
    "stereotype": "Olvidan las llaves",
    "ambiguous_context": "[N1: La alfarera, El alfarero] y "
    "[N2: el panadero, la panadera] salieron.",
    "ambiguous_context_b": "[N1: El panadero, La panadera] y "
    "[N2: la alfarera, el alfarero] salieron.",
    "disambiguating_context": "[N1: La alfarera, El alfarero] volvió; "
    "[N2: el panadero, la panadera] no.",
    "disambiguating_context_b": "[N1: El panadero, La panadera] volvió; "
    "[N2: la alfarera, el alfarero] no.",
    "biased_question": "¿Quién olvidó las llaves?",
    "counter_biased_question": "¿Quién no olvidó nada?",
    "biased_answer": "[N1: la alfarera, el alfarero]",
    "biased_answer_b": "[N1: el panadero, la panadera]",
    "counter_biased_answer": "[N2: el panadero, la panadera]",
    "counter_biased_answer_b": "[N2: la alfarera, el alfarero]",
}
GROUPS = """\
category,group,parent,level,counts,fillers
Craft,panaderos,,,true,"[panadero {gender: m}, panadera {gender: f}]"
Craft,alfareros,,,true,"[alfarera {gender: f}, alfarero {gender: m}]"
"""


@pytest.fixture
def spanish(tmp_path: Path, curate: Curate) -> Path:
    """A Spanish workspace with two groups and no template."""
    folder = tmp_path / "valdoria"
    assert curate("init", folder, "--language", "es").code == 0
    settings = "culture: Valdoria\nlanguage: es\nunknown: No se sabe\ncategories: [{id: Craft}]\n"
    (folder / "culture.yaml").write_text(settings, encoding="utf-8")
    (folder / "templates_src" / "groups.csv").write_text(GROUPS, encoding="utf-8")
    return folder


def test_what_a_filled_sheet_gives_passes_the_check(curate: Curate, spanish: Path) -> None:
    """With agreement, or with forms that are listed for a and for b, in contexts and answers."""
    path = spanish.parent / "nuevas.xlsx"
    assert curate("new", "sheet", "-w", spanish, "--out", path).code == 0
    book = openpyxl.load_workbook(path)
    columns = {cell.value: cell.column for cell in book["templates"][1]}
    for number, row in enumerate((SPANISH, LISTED), start=2):
        for name, value in row.items():
            book["templates"].cell(number, columns[name]).value = value
    book.save(path)
    collected = curate("new", "collect", "-w", spanish, path, "--json")
    assert (collected.code, collected.json["findings"]) == (0, [])
    checked = curate("check", "-w", spanish, "--json")
    assert checked.json["findings"] == []
    bank, _ = read_bank(spanish / "templates_src" / "bank.csv")
    assert len(bank.variants) == 4
    last = bank.variants[3].texts
    assert last.biased_answer == "[N1: el panadero, la panadera]"
    assert last.counter_biased_answer == "[N2: la alfarera, el alfarero]"
    made = curate("stats", "-w", spanish, "--json").json["templates"]
    assert [item["samples"] for item in made] == [32, 32]


def test_an_open_document_is_collected(
    curate: Curate, workspace: Path, sheet: Callable[..., Path]
) -> None:
    """Like the workbook that it was saved from."""
    path = save_ods(openpyxl.load_workbook(sheet(GOOD)), workspace.parent / "new.ods")
    ran = curate("new", "collect", "-w", workspace, path, "--json")
    assert [item["template_id"] for item in ran.json["added"]] == ["craft-003"]
    assert [str(item.id) for item in added(workspace)] == ["craft-003a", "craft-003b"]
