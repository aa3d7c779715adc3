"""The recipes of CONTRIBUTING.md: a part of each kind, added as they say, works and asks no more.

The parts are added to a copy of the toolkit, all of them together, at the places that a recipe
names; commands of the copy then use them.
"""

import csv
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
GIVEN = ROOT / "tests" / "scenarios" / "survey_inspect" / "given"
SHAPES = ROOT / "tests" / "survey" / "readers" / "shapes"
PACKAGES = ("curation", "survey", "evaluation", "exports")
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("recipes")]

FILES = {
    "curation/files/writers/rows.py": '''
        """A table as numbered rows."""

        from curation.files.atomic import atomic_text
        from curation.files.tables import plain_row


        def write_rows(path, columns, rows):
            number = 0
            with atomic_text(path) as stream:
                for number, row in enumerate(rows, start=1):
                    stream.write(f"{number}: {' / '.join(map(str, plain_row(row)))}\\n")
            return number
        ''',
    "survey/platforms/town_hall.py": '''
        """Town Hall, which nobody else has heard of: a ballot in the first column."""

        from survey.mapping import RespondentPart
        from survey.platforms import Recognised, Start


        def recognise(head):
            found = head.row(1)[:1] == ("Ballot",)
            return Recognised("town_hall", ("the first column is 'Ballot'",)) if found else None


        def start(described):
            return Start(respondent=RespondentPart(id="Ballot"), missing=("",), joined=(", ",))
        ''',
    "evaluation/runner/backends/parrot.py": '''
        """A model that says what it always says."""

        from evaluation.replies.reply import Reply
        from evaluation.runner.index import Asking

        KEEPS = False


        class Parrot:
            model = "parrot"
            asking = Asking("parrot", {})

            async def ask(self, request, first=None):
                return Reply("A")

            async def close(self):
                pass


        def open_backend(settings):
            return Parrot()
        ''',
    "curation/cli/greet.py": '''
        """`curate greet`: says a word."""

        import click


        @click.command("greet")
        def command():
            """Say a word."""
            click.echo("good morning")
        ''',
    "curation/languages/qaa/language.yaml": """
        name: Island Speech
        """,
    "curation/languages/qaa/received.yaml": """
        google_forms_time: [tide]
        """,
}
"""New files."""
LINES = (
    (
        "curation/checks/texts.py",
        "@rule\ndef text_missing(",
        """
        @rule
        def text_dull(subject: Subject) -> Iterator[Remark]:
            for item in subject.wordings:
                yield subject.in_wording(item, "biased_question", "the question is dull")


        """,
    ),
    (
        "curation/checks/rules.yaml",
        "  text-missing:\n",
        "  text-dull: {severity: warning, title: A dull question, hint: write another one}\n",
    ),
    (
        "evaluation/qa/metrics.py",
        "_REGISTERED = (",
        """
        @_metric("thing", "1 / 4", "-", AMBIGUOUS)
        def first_thing(counts: Counts) -> Scores:
            return counts[..., 0] * 0.0 + 0.25


        """,
    ),
    (
        "evaluation/qa/metrics.py",
        "    *(accuracy_amb, accuracy_dis, diff",
        "    first_thing,\n",
    ),
    ("curation/files/writers/__init__.py", '    "xlsx": ', '    "rows": "rows:write_rows",\n'),
    ("evaluation/runner/backend.py", '    "oracle": ', '    "parrot": f"{_BACKENDS}.parrot",\n'),
    (
        "curation/cli/group.py",
        '        "init": ',
        '        "greet": ("curation.cli.greet", "Say a word."),\n',
    ),
)
"""What is written into a file that is there, and before what."""


def _text(block):
    lines = block.removeprefix("\n").splitlines()
    return "\n".join(line.removeprefix("        ") for line in lines).rstrip(" ") + "\n"


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A copy of the toolkit with all of these parts."""
    made = tmp_path_factory.mktemp("tree")
    for name in PACKAGES:
        shutil.copytree(ROOT / name, made / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name, block in FILES.items():
        (made / name).parent.mkdir(exist_ok=True)
        (made / name).write_text(_text(block), encoding="utf-8")
    for name, before, block in LINES:
        path = made / name
        text = path.read_text(encoding="utf-8")
        assert text.count(before) == 1, (name, before)
        added = _text(block) if block.startswith("\n") else block
        path.write_text(text.replace(before, added + before), encoding="utf-8")
    return made


@pytest.fixture
def curate(tree, tmp_path):
    """Runs a command of the copy in an empty folder; gives what it prints."""

    def run(*args, status=0):
        done = subprocess.run(
            [sys.executable, "-c", "from curation.cli.main import main; main()", *args],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(tree), "COLUMNS": "200"},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout

    return run


@pytest.fixture
def demo(tmp_path):
    """The demo's workspace in the empty folder, with its samples."""
    shutil.copytree(ROOT / "templates_src" / "demo", tmp_path, dirs_exist_ok=True)
    samples = ROOT / "exports" / "demo" / "samples"
    shutil.copytree(samples, tmp_path / "exports" / "samples")


@pytest.mark.usefixtures("demo")
def test_a_check(curate):
    """The findings and `--rule` know of it."""
    found = json.loads(curate("check", "--json", "--rule", "text-dull"))["findings"]
    assert {(item["rule"], item["severity"]) for item in found} == {("text-dull", "warning")}


@pytest.mark.usefixtures("demo")
def test_a_metric_and_a_way_to_ask_models(curate, tmp_path):
    """Models are asked by it; tables, JSON and intervals have the score."""
    curate("evaluate", "prepare", "--limit", "4", "--prompt", "1")
    assert "parrot" in curate("evaluate", "run", "--help")
    curate("evaluate", "run", "--backend", "parrot")
    asked = tmp_path / "exports" / "evaluation" / "replies.jsonl"
    replies = [json.loads(line) for line in asked.read_text(encoding="utf-8").splitlines()]
    assert {(item["model"], item["reply"]) for item in replies} == {("parrot", "A")}
    curate("evaluate", "score", "--replies", str(asked), "--out", "scores")
    with (tmp_path / "scores" / "scores.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert {row["first_thing"] for row in rows} == {"0.25"}


def test_a_platform_and_a_language(curate, tmp_path):
    """Both recognise files, and a file of the platform is read without a mapping of its own."""
    shutil.copytree(GIVEN, tmp_path, dirs_exist_ok=True)
    (tmp_path / "responses").mkdir()
    shutil.copy(SHAPES / "questionnaire.csv", tmp_path / "responses")
    text = (SHAPES / "google-forms.csv").read_text(encoding="utf-8")
    for first, platform in (("Ballot", "town_hall"), ("Tide", "google_forms")):
        path = tmp_path / f"{platform}.csv"
        path.write_text(text.replace("Zeitstempel", first), encoding="utf-8")
        mapping = str(path.with_suffix(".yaml"))
        how = ("--survey", str(path), "--draft", "--mapping", mapping)
        told = json.loads(curate("filter", *how, "--json"))
        assert told["preset"] == platform


@pytest.mark.usefixtures("demo")
def test_a_format(curate, tmp_path):
    """Commands offer it and write it."""
    written = {}
    for name in ("rows", "jsonl"):
        curate("export", "samples", "--format", name)
        path = tmp_path / "exports" / "samples" / f"samples.{name}"
        written[name] = len(path.read_text(encoding="utf-8").splitlines())
    assert written["rows"] == written["jsonl"] > 0


def test_a_command(curate):
    """It runs, and the help lists it."""
    assert curate("greet") == "good morning\n"
    assert "greet" in curate("--help")
