"""A form of each platform, answered by a stand-in, comes back without a mapping."""

import csv
import json
from pathlib import Path
from typing import Any

import openpyxl
import pytest

import survey
from curation import open_workspace
from tests.survey.test_field import COUNTS, cases, counted, folder

__all__ = ["cases", "folder"]
FORMATS = ("google", "xlsform", "surveyjs")


def people(cases: Path) -> list[dict[str, list[str]]]:
    """What each of the twelve people chooses, by question text; the first option elsewhere."""
    with (cases / "answers_plain.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    return [
        {text: [part for part in cell.split("; ") if part] for text, cell in row.items()}
        for row in rows
    ]


def chosen(person: dict[str, list[str]], text: str, options: list[str]) -> list[str]:
    """The options that a person ticks: of the attention check the one that it names."""
    named = [option for option in options if option in text]
    return person.get(text, named[:1] or options[:1])


def by_google(form: Path, answers: list[dict[str, list[str]]], path: Path) -> None:
    """The sheet that the script's form fills."""
    script = form.read_text("utf-8")
    data = json.loads(script.partition("SURVEY = ")[2].partition(";\n\nfunction")[0])
    asked = [step for step in data["steps"] if step["kind"] != "section"]
    rows = [["Timestamp", *(step["title"] for step in asked)]]
    for person in answers:
        ticks = [", ".join(chosen(person, step["title"], step["options"])) for step in asked]
        rows.append(["2026/03/02 9:01:11 AM GMT+1", *ticks])
    put(path, rows)


def put(path: Path, rows: list[list[str]]) -> None:
    """Write rows as text."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(rows)


def by_xlsform(
    form: Path,
    answers: list[dict[str, list[str]]],
    path: Path,
    *,
    labels: bool = False,
    odk: bool = False,
) -> None:
    """The export of a server, by names or labels."""
    book = openpyxl.load_workbook(form)
    lists: dict[str, dict[str, str]] = {}
    for name, code, label in book["choices"].iter_rows(min_row=2, values_only=True):
        lists.setdefault(name, {})[str(code)] = label
    heads: list[str] = []
    cells: list[list[str]] = [[] for _ in answers]
    for kind, name, label, *_ in book["survey"].iter_rows(min_row=2, values_only=True):
        way, _, known = kind.partition(" ")
        if way in ("start", "end", "calculate"):
            heads.append(name)
            value = form.stem if way == "calculate" else "2026-03-02T09:01:11.000+01:00"
            cells = [[*row, value] for row in cells]
            continue
        if way == "note":
            heads.append(name)
            cells = [[*row, ""] for row in cells]
            continue
        title, options = label if labels else name, lists[known]
        split = way == "select_multiple" and not odk
        heads += [title, *(f"{title}/{(options[c] if labels else c)}" for c in options if split)]
        for row, person in zip(cells, answers, strict=True):
            ticks = chosen(person, label, list(options.values()))
            codes = [code for code, text in options.items() if text in ticks]
            row.append(" ".join(options[code] if labels else code for code in codes))
            row.extend(str(int(code in codes)) if codes else "" for code in options if split)
    own = ["KEY", "SubmissionDate"] if odk else ["_uuid", "_submission_time"]
    rows = [
        [*row, f"uuid:{form.stem}-{at}", "2026-03-02T09:02:11.000Z"]
        for at, row in enumerate(cells, start=1)
    ]
    put(path, [[*heads, *own], *rows])


def by_surveyjs(form: Path, answers: list[dict[str, list[str]]], path: Path) -> None:
    """The results of the form."""
    data = json.loads(form.read_text("utf-8"))
    found: list[dict[str, Any]] = []
    for person in answers:
        result: dict[str, Any] = {"form": form.stem}
        for page in data["pages"]:
            for item in page["elements"]:
                if item["type"] == "html":
                    continue
                codes = {choice["text"]: choice["value"] for choice in item["choices"]}
                ticks = [codes[text] for text in chosen(person, item["title"], list(codes))]
                if ticks:
                    result[item["name"]] = ticks if item["type"] == "checkbox" else ticks[0]
        found.append(result)
    path.write_text(json.dumps(found, ensure_ascii=False), "utf-8")


ANSWERED = {
    "google.csv": ("google/*.gs", by_google),
    "kobo.csv": ("xlsform/*.xlsx", by_xlsform),
    "kobo-labels.csv": ("xlsform/*.xlsx", lambda *given: by_xlsform(*given, labels=True)),
    "odk.csv": ("xlsform/*.xlsx", lambda *given: by_xlsform(*given, odk=True)),
    "surveyjs.json": ("surveyjs/*.json", by_surveyjs),
}
"""By name of a file, the forms that it answers and who fills it."""


@pytest.mark.parametrize("name", ANSWERED)
def test_answers_to_a_form_come_back_without_a_mapping(
    name: str, folder: Path, cases: Path
) -> None:
    """The counts of the twelve people, whatever the platform, from a file for each form."""
    survey.build(open_workspace(folder), per_form=40, orders=1, formats=FORMATS, replace=True)
    pattern, fill = ANSWERED[name]
    files = []
    for form in sorted((folder / "responses" / "forms").glob(pattern)):
        files.append(folder / f"{form.stem}-{name}")
        fill(form, people(cases), files[-1])
    assert len(files) == 2
    found = counted(folder, files)
    assert {key: found[key] for key in COUNTS} == COUNTS
