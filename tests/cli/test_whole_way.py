"""The demo culture from its English sources to the benchmark, with simulated people."""

import csv
import importlib.util
import random
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import openpyxl
import pytest

from curation.annotation.translation.units import Place, text_at
from curation.files.bank import read_bank
from curation.records.bank import GROUP_FIELDS, Bank
from curation.slots import parse_lists

from .conftest import DEMO, EPOCH, Curate

pytestmark = pytest.mark.slow


ROOT = Path(__file__).parents[2]
NOT_AGREED = {"age-003": "TM", "hobby-002": "SR", "occupation-004": "ST"}
"""Where the second annotator says something else than what the meeting agrees on."""
CORRECTED = {
    "The [N1] spoke first": "먼저 입을 연 [N1|은/는] 내일 비가 올 것 같다고 했고, [N2|은/는] "
    "날씨에는 관심이 없다고 했다.",
    "The [N1] had set out": "[N1|은/는] 반찬을 여섯 가지나 차려 먹었다고 했고, [N2|은/는] 삶은 "
    "감자 두 알로 끼니를 때웠다고 했다.",
}
"""Texts that the demo writes in two ways where the English has one."""


@pytest.fixture
def culture(curate: Curate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new workspace with the demo's settings and groups, its sources, and what is new in it."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", EPOCH)
    folder = tmp_path / "marevia"
    assert curate("init", folder, "--language", "ko").code == 0
    for name in ("culture.yaml", "templates_src/groups.csv"):
        (folder / name).write_bytes((DEMO / name).read_bytes())
    rows = bank_rows(DEMO)
    for row in rows:
        if row["label"] != "NC":
            own = [name.removesuffix("_source") for name in row if name.endswith("_source")]
            row.update({"label": ""}, **dict.fromkeys(own, ""))
    write_bank_rows(folder, rows)
    return folder


def bank_rows(folder: Path) -> list[dict[str, str]]:
    """Read the rows of a bank."""
    with (folder / "templates_src" / "bank.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def write_bank_rows(folder: Path, rows: list[dict[str, str]]) -> None:
    """Write them."""
    with (folder / "templates_src" / "bank.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


class Filled:
    """A workbook that somebody fills in."""

    def __init__(self, path: Path, sheet: str) -> None:
        self.path, self.book = path, openpyxl.load_workbook(path)
        self.sheet = self.book[sheet]
        self.columns = {cell.value: cell.column for cell in self.sheet[1]}

    def rows(self) -> list[dict[str, Any]]:
        """Give the rows, with their numbers."""
        return [
            {"row": cells[0].row, **{n: cells[c - 1].value for n, c in self.columns.items()}}
            for cells in self.sheet.iter_rows(min_row=2)
        ]

    def write(self, row: Mapping[str, Any], column: str, value: str) -> None:
        """Write into a cell."""
        self.sheet.cell(row["row"], self.columns[column]).value = value

    def save(self, path: Path) -> Path:
        """Save it as it comes back."""
        self.book.save(path)
        return path


def annotate(file: Path, labels: Mapping[str, str]) -> Path:
    """Label every template; who removes one says why."""
    filled = Filled(file, "templates")
    for row in filled.rows():
        label = labels[row["template_id"]]
        filled.write(row, "label", label)
        if label == "SR":
            filled.write(row, "reason", "nobody here says so")
    return filled.save(file.parents[3] / f"back-{file.name}")


def classify(curate: Curate, folder: Path) -> None:
    """Two annotators, who differ on three templates, and the meeting that settles them."""
    agreed = {row["template_id"]: row["label"] for row in bank_rows(DEMO)}
    made = curate(
        *("classify", "sheet", "-w", folder, "--annotator", "Mina", "--annotator", "Jun"), "--json"
    ).json["sheets"]
    labels = {"Mina": agreed, "Jun": {**agreed, **NOT_AGREED}}
    files = [annotate(Path(item["file"]), labels[item["annotator"]]) for item in made]
    found = curate("classify", "collect", "-w", folder, *files, "--json").json
    assert sorted(found["disagreements"]) == sorted(NOT_AGREED)
    assert found["agreement"]["percent"]["value"] == pytest.approx(26 / 29)
    assert 0.7 < found["agreement"]["fleiss"]["value"] < 1
    resolve = ("classify", "resolve", "-w", folder, "--by", "Mina", "--json")
    assert len(curate(*resolve, "--unanimous").json["settled"]) == 26
    agenda = Filled(folder / "annotations" / "agenda.xlsx", "agenda")
    for row in agenda.rows():
        agenda.write(row, "label", agreed[row["template_id"]])
        agenda.write(row, "why", "agreed at the meeting")
    ran = curate(*resolve, agenda.save(folder.parent / "agenda-back.xlsx"))
    assert (ran.code, len(ran.json["settled"])) == (0, 3)
    assert {row["template_id"]: row["label"] for row in bank_rows(folder)} == agreed


def written(row: Mapping[str, Any], demo: Bank) -> str:
    """Give what the demo's people wrote for a row of the translator's sheet."""
    variants = {variant.id: variant for variant in demo.variants}
    found = (text_at(variants[place.variant].texts, place) for place in places(row, demo))
    texts = dict.fromkeys(text for text in found if text)
    if len(texts) == 1:
        return next(iter(texts))
    return next(text for source, text in CORRECTED.items() if row["source"].startswith(source))


def places(row: Mapping[str, Any], demo: Bank) -> Iterator[Place]:
    """Find where the text of a row of the translator's sheet stands, in whatever template."""
    fields = [line.partition(" (")[0] for line in row["where"].splitlines()]
    texts = [name for name in fields if not name.startswith("filler of ")]
    for variant in demo.variants:
        for field in texts:
            if getattr(variant.source_texts, field) == row["source"]:
                yield Place(variant.id, field)
        for field in ("names", "words") if len(texts) < len(fields) else ():
            for slot, declared in parse_lists(getattr(variant.source_texts, field)).items():
                for at, filler in enumerate(declared.fillers):
                    if filler.text == row["source"]:
                        yield Place(variant.id, field, slot, at)


def translate(curate: Curate, folder: Path) -> None:
    """A machine without a key, and a translator who sends one slot too few at first."""
    run = curate("translate", "run", "-w", folder, "--engine", "pseudo", "--json").json
    assert (run["waiting"], run["problem"]) == (0, None)
    sheet = curate("translate", "sheet", "-w", folder, "--translator", "Mina", "--json").json
    filled = Filled(Path(sheet["sheets"][0]["file"]), "texts")
    demo, _ = read_bank(DEMO / "templates_src" / "bank.csv")
    rows = filled.rows()
    for row in rows:
        filled.write(row, "translation", written(row, demo))
    careless = next(row for row in rows if "[N2]" in row["source"])
    filled.write(careless, "translation", written(careless, demo).replace("[N2", "[N1"))
    back = filled.save(folder.parent / "translate-back.xlsx")
    ran = curate("translate", "collect", "-w", folder, back, "--json")
    assert (ran.code, ran.json["accepted"]) == (1, len(rows) - 1)
    assert [item["rule"] for item in ran.json["findings"]] == ["translation-slots"]
    filled.write(careless, "translation", written(careless, demo))
    back = filled.save(folder.parent / "translate-corrected.xlsx")
    ran = curate("translate", "collect", "-w", folder, back, "--json")
    assert (ran.code, ran.json["open"], ran.json["findings"]) == (0, 0, [])


def name_groups(folder: Path) -> None:
    """The curators write the culture's groups beside those of the source."""
    demo = {(row["template_id"], row["variant"]): row for row in bank_rows(DEMO)}
    rows = bank_rows(folder)
    for row in rows:
        row.update({name: demo[row["template_id"], row["variant"]][name] for name in GROUP_FIELDS})
    write_bank_rows(folder, rows)


def simulator() -> ModuleType:
    """Import the script that simulated the demo's respondents."""
    spec = importlib.util.spec_from_file_location(
        "curate_tests_simulate", ROOT / "tools" / "simulate_demo.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def survey(curate: Curate, folder: Path) -> None:
    """Ask the questions of 120 people who answer as those of the demo did."""
    ran = curate("survey", "build", "-w", folder, "--format", "csv", "--json")
    assert ran.code == 0, ran.out
    simulate = simulator()
    counts = folder.parent / "counts.csv"
    text = (ROOT / "tools" / "demo_counts.csv").read_text(encoding="utf-8")
    known = {line.split(",")[0] for line in text.splitlines()}
    questionnaire = folder / "responses" / "questionnaire.csv"
    asked = {row["question_id"]: row["stereotype"] for row in simulate.read_rows(questionnaire)}
    [new] = set(asked) - known
    assert known - {"question_id"} <= set(asked)
    assert new.startswith("q-occupation-")
    counts.write_text(f"{text}{new},1,90,\n{new},2,20,\n{new},none,10,\n", encoding="utf-8")
    questions = simulate.read_design(questionnaire, counts)
    _, rows = simulate.simulate(questions, random.Random(7))  # noqa: S311  # seeded
    target = folder / "responses" / "responses.csv"
    simulate.write_table(target, simulate.RESPONSE_COLUMNS, rows)
    ran = curate("filter", "-w", folder, "--survey", target, "--json")
    assert (ran.code, ran.err) == (0, "")


def standing(curate: Curate, folder: Path) -> dict[str, int]:
    """Count where templates stand, those steps that are not 0."""
    *_, total = curate("status", "-w", folder, "--json").json["categories"]
    return {key: n for key, n in total.items() if key not in ("category", "templates") and n}


def test_the_demo_goes_the_whole_way(curate: Curate, culture: Path) -> None:
    """And comes out, sample for sample, as the one whose people had written it at once."""
    assert standing(curate, culture) == {"imported": 29, "reviewed": 11}
    classify(curate, culture)
    assert standing(curate, culture) == {"classified": 25, "reviewed": 11, "removed": 4}
    translate(curate, culture)
    assert standing(curate, culture) == {"reviewed": 36, "removed": 4}
    name_groups(culture)
    found = curate("check", "-w", culture, "--json")
    assert [item for item in found.json["findings"] if item["severity"] == "error"] == []
    survey(curate, culture)
    assert standing(curate, culture) == {"kept": 31, "dropped": 5, "removed": 4}
    assert curate("status", "-w", culture, "--json").json["next"] == [
        "curate export samples --set all,test",
        "curate check --release",
        "curate export package",
    ]
    export = ("export", "samples", "-w", culture, "--set", "all,test", "--format", "csv,kobbq")
    assert curate(*export).code == 0
    made, shown = culture / "exports" / "samples", ROOT / "exports" / "demo" / "samples"
    for name in ("samples.csv", "test_samples.csv", "kobbq/all_samples.tsv"):
        assert (made / name).read_bytes() == (shown / name).read_bytes(), name
