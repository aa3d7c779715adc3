"""`curate filter` on a million rows of responses, against pandas reading the file."""

import csv
import random
import tempfile
from pathlib import Path

from benchmarks.measure import ROOT, curate, python, report, side_by_side
from curation.files.tables import read_table

ROWS = 1_000_000


def run() -> list[str]:
    """Measure the whole command on the demo's questionnaire and simulated respondents."""
    with tempfile.TemporaryDirectory() as name:
        workspace = Path(name) / "ws"
        _workspace(workspace)
        survey = workspace / "responses" / "responses.csv"
        pandas = python(
            f"import pandas\npandas.read_csv({str(survey)!r}, dtype=str, keep_default_na=False)"
        )
        filter_ = curate("filter", "-w", str(workspace), "--survey", str(survey), "--dry-run")
        ours, reading = side_by_side(filter_, pandas)
        note = f"{ours.median:.2f} s / {reading.median:.2f} s, peak {ours.peak_mb:.0f} MB"
        lines = [
            report(
                f"filter {ROWS:,} rows / pandas reading them",
                ours.median / reading.median,
                2,
                "x",
                note,
            )
        ]
        for table in _simple_tables(workspace, Path(name)):
            pandas = python(
                f"import pandas\npandas.read_csv({str(table)!r}, dtype=str, keep_default_na=False)"
            )
            filter_ = curate("filter", "-w", str(workspace), "--survey", str(table), "--dry-run")
            ours, reading = side_by_side(filter_, pandas)
            note = f"{ours.median:.2f} s / {reading.median:.2f} s, peak {ours.peak_mb:.0f} MB"
            what = f"filter a simple table of {ROWS:,} answers ({table.stem}) / pandas reading it"
            lines.append(report(what, ours.median / reading.median, 2, "x", note))
        return lines


def _simple_tables(workspace: Path, folder: Path) -> list[Path]:
    """A million answers as rows, and as a column a question (seeded)."""
    questions: dict[str, list[str]] = {}
    for row in read_table(workspace / "responses" / "questionnaire.csv").rows:
        questions.setdefault(row["question_id"], []).append(row["option"])
    draw = random.Random(2)  # noqa: S311  # a seeded survey
    people = -(-ROWS // len(questions))
    chosen = [[draw.choice(options) for options in questions.values()] for _ in range(people)]
    rows, wide = folder / "rows.csv", folder / "wide.csv"
    with rows.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["respondent", "question", "answer"])
        for person, answers in enumerate(chosen):
            writer.writerows(
                (f"r{person:06}", asked, one) for asked, one in zip(questions, answers, strict=True)
            )
    with wide.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["respondent", *questions])
        writer.writerows((f"r{person:06}", *answers) for person, answers in enumerate(chosen))
    return [rows, wide]


def _workspace(folder: Path) -> None:
    """Copy the demo workspace, with more respondents (seeded)."""
    import shutil

    demo = ROOT / "templates_src" / "demo"
    shutil.copytree(demo, folder)
    (folder / "responses" / "respondents.csv").unlink()  # these are other people
    questions: dict[tuple[str, str], list[str]] = {}
    for row in read_table(demo / "responses" / "questionnaire.csv").rows:
        questions.setdefault((row["question_id"], row["kind"]), []).append(row["option"])
    draw = random.Random(1)  # noqa: S311  # a seeded survey
    written = 0
    with (folder / "responses" / "responses.csv").open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(
            ["respondent_id", "question_id", "kind", "option", "state", "position", "duration_s"]
        )
        person = 0
        while written < ROWS:
            person += 1
            for (question, kind), options in questions.items():
                chosen = draw.randrange(len(options))
                seconds = f"{draw.uniform(2, 20):.1f}"
                for position, option in enumerate(options):
                    state = "selected" if position == chosen else "shown"
                    writer.writerow(
                        [f"r{person:05d}", question, kind, option, state, position + 1, seconds]
                    )
                    written += 1
