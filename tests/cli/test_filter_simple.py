"""`curate filter` with simple tables: the same decisions as by the normal form."""

import csv
import io
import json
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import pytest
from openpyxl import Workbook

from curation.languages import load

Curate = Callable[..., Any]
Rows = list[list[str]]


def normal(demo: Path) -> tuple[Rows, dict[tuple[str, str], dict[str, str]]]:
    """The chosen options of the demo's answers, and its questionnaire by question and code."""
    folder = demo / "responses"
    with (folder / "questionnaire.csv").open(encoding="utf-8") as stream:
        options = {(row["question_id"], row["option"]): row for row in csv.DictReader(stream)}
    with (folder / "responses.csv").open(encoding="utf-8") as stream:
        chosen = [
            [row["respondent_id"], row["question_id"], row["option"]]
            for row in csv.DictReader(stream)
            if row["state"] == "selected"
        ]
    return chosen, options


def by_codes(demo: Path) -> Rows:
    """Rows of respondent, question and option, by ids."""
    return [["respondent_id", "question_id", "option"], *normal(demo)[0]]


def by_texts(demo: Path) -> Rows:
    """The same with the texts of the options, and headings of another language."""
    chosen, options = normal(demo)
    return [
        ["\uc751\ub2f5\uc790", "\ubb38\ud56d", "\ub2f5"],
        *([who, asked, options[asked, code]["text"]] for who, asked, code in chosen),
    ]


def wide(demo: Path, joiner: str, *, texts: bool = False) -> Rows:
    """A row a respondent, a column a question."""
    chosen, options = normal(demo)
    asked = list(dict.fromkeys(question for question, _ in options))
    cells: dict[str, dict[str, list[str]]] = {}
    for who, question, code in chosen:
        value = options[question, code]["text"] if texts else code
        cells.setdefault(who, {}).setdefault(question, []).append(value)
    return [
        ["Participant", *asked],
        *([who, *(joiner.join(row.get(item, [])) for item in asked)] for who, row in cells.items()),
    ]


def counts(demo: Path, *, group: bool = False) -> Rows:
    """Counts by question and option, with the respondents of each."""
    chosen, options = normal(demo)
    nones = {key for key, row in options.items() if row["role"] == "none"}
    answers: dict[tuple[str, str], set[str]] = {}
    for who, question, code in chosen:
        answers.setdefault((who, question), set()).add(code)
    several = {question for (question, _), row in options.items() if row["kind"] == "select_all"}
    good = {
        key: codes
        for key, codes in answers.items()
        if len(codes) == 1
        or (key[1] in several and not any((key[1], code) in nones for code in codes))
    }
    rows = []
    for question, code in options:
        mine = [codes for (_, asked), codes in good.items() if asked == question]
        name = options[question, code]["text"] if group else code
        rows.append([question, name, str(sum(code in codes for codes in mine)), str(len(mine))])
    return [["question_id", "group" if group else "Option", "Votes", "respondents"], *rows]


SHAPES: dict[str, Callable[[Path], Rows]] = {
    "codes": by_codes,
    "texts": by_texts,
    "wide": lambda demo: wide(demo, ";"),
    "wide-texts": lambda demo: wide(demo, "|", texts=True),
    "wide-lines": lambda demo: wide(demo, "\n", texts=True),
    "counts": counts,
    "counts-group": lambda demo: counts(demo, group=True),
}


def write_text(path: Path, rows: Rows, delimiter: str, encoding: str) -> None:
    """Write a table as text."""
    stream = io.StringIO()
    csv.writer(stream, delimiter=delimiter, lineterminator="\r\n").writerows(rows)
    path.write_bytes(stream.getvalue().encode(encoding))


def write_xlsx(path: Path, rows: Rows) -> None:
    """Write a workbook, digits as numbers."""
    book = Workbook()
    for row in rows:
        book.active.append([int(cell) if cell.isdecimal() else cell for cell in row])
    book.save(path)


def write_ods(path: Path, rows: Sequence[Sequence[str]]) -> None:
    """Write a small ODS workbook, with the empty rest of the sheet that LibreOffice writes."""

    def cell(text: str) -> str:
        if not text:
            return "<table:table-cell/>"
        lines = "".join(f"<text:p>{escape(line)}</text:p>" for line in text.split("\n"))
        return f'<table:table-cell office:value-type="string">{lines}</table:table-cell>'

    body = "".join(
        f"<table:table-row>{''.join(map(cell, row))}"
        '<table:table-cell table:number-columns-repeated="16000"/></table:table-row>'
        for row in rows
    )
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text")
    )
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document-content {spaces} '
        'office:version="1.2"><office:body><office:spreadsheet><table:table table:name="Data">'
        f'{body}<table:table-row table:number-rows-repeated="1048000"><table:table-cell '
        'table:number-columns-repeated="16384"/></table:table-row></table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    manifest = (
        '<?xml version="1.0"?><manifest:manifest '
        'xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
        f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{kind}"/>'
        '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>'
        "</manifest:manifest>"
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr(zipfile.ZipInfo("mimetype"), kind)
        book.writestr("META-INF/manifest.xml", manifest)
        book.writestr("content.xml", content)


FORMATS: dict[str, Callable[[Path, Rows], None]] = {
    "comma.csv": lambda path, rows: write_text(path, rows, ",", "utf-8"),
    "semicolon.csv": lambda path, rows: write_text(path, rows, ";", "utf-8-sig"),
    "tab.txt": lambda path, rows: write_text(path, rows, "\t", "utf-16"),
    "table.xlsx": write_xlsx,
    "table.ods": write_ods,
}
EACH = [
    *((shape, "comma.csv") for shape in SHAPES),
    *(("texts", name) for name in FORMATS if name != "comma.csv"),
    *(("wide-lines", name) for name in FORMATS if name != "comma.csv"),
    *(("counts-group", name) for name in FORMATS if name != "comma.csv"),
]


def decisions(found: Any) -> Any:
    """What a run decided."""
    return {name: found[name] for name in ("questions", "templates", "funnel", "dropped")}


@pytest.mark.parametrize(("shape", "name"), EACH)
def test_simple_tables_decide_as_the_normal_form(
    curate: Curate, demo: Path, tmp_path: Path, shape: str, name: str
) -> None:
    """Whatever a person makes of the same answers."""
    survey = demo / "responses" / "responses.csv"
    expected = curate("filter", "-w", demo, "--survey", survey, "--dry-run", "--json").json
    path = tmp_path / name
    FORMATS[name](path, SHAPES[shape](demo))
    ran = curate("filter", "-w", demo, "--survey", path, "--dry-run", "--json")
    assert ran.code == 0, ran.err
    found = ran.json
    assert decisions(found) == decisions(expected)
    assert found["modified"] == expected["modified"]
    assert found["recognised"][0].startswith(str(path))
    assert len(found["recognised"]) == 1 + len(SHAPES[shape](demo)[0])


def test_people_are_known_by_the_words_of_the_workspaces_language(
    curate: Curate, demo: Path, tmp_path: Path
) -> None:
    """Its own file says how they were asked, and how the attention check was passed."""
    korean = load("ko").survey
    assert korean is not None
    asked = {"attributes": {"gender": "Who?", "age_band": "When?"}, "attention": "Say {answer}!"}
    answer = {"attention_options": ["Red", "Blue"], "attention_answer": "Blue"}
    words = korean.model_dump(mode="json", exclude_none=True) | asked | answer
    (demo / "languages").mkdir(exist_ok=True)
    (demo / "languages" / "ko.yaml").write_text(json.dumps({"survey": words}), encoding="utf-8")
    head, *rows = wide(demo, "|")
    texts = [["Who?", "Say Blue!"], *(["", "Red" if at < 3 else "Blue"] for at in range(len(rows)))]
    table = tmp_path / "table.csv"
    joined = [[*row, *more] for row, more in zip([head, *rows], texts, strict=True)]
    write_text(table, joined, ",", "utf-8")
    ran = curate("filter", "-w", demo, "--survey", table, "--dry-run")
    assert ran.code == 0, ran.err
    assert "  column 'Who?': gender of the respondents\n" in ran.out
    told = "  column 'Say Blue!': attention of the respondents (Red is failed, Blue is passed)"
    assert told in ran.out
    assert "excluded   attention: 3 respondents" in ran.out


def test_counts_that_do_not_say_how_many_answered_are_refused(
    curate: Curate, demo: Path, tmp_path: Path
) -> None:
    """Nobody is taken to have asked a hundred; the option says it for a run."""
    table = tmp_path / "counts.csv"
    write_text(table, [row[:3] for row in counts(demo)], ",", "utf-8")
    ran = curate("filter", "-w", demo, "--survey", table, "--dry-run")
    assert ran.code == 1
    assert "Error: nothing says how many people answered question q-" in ran.err
    assert "give --respondents" in ran.err
    told = curate("filter", "-w", demo, "--survey", table, "--dry-run", "--respondents", 120)
    assert told.code == 0
    assert "  respondents of target selection: 120, by survey.respondents" in told.out
