"""A workspace in a language that the toolkit does not have: its own file is used everywhere."""

import json
import re

import openpyxl
import pytest
import yaml

from curation.annotation.classify import CLASSIFY_TASKS
from curation.annotation.translation.handed import PAGES as TRANSLATE
from curation.files.workspace import Workspace
from curation.languages import load
from curation.records.messages import own_yaml
from evaluation.stories.readers import KIND as PASSAGES
from survey.comprehension_tasks import KIND as COMPREHENSION

PARTS = (
    *("survey", "prompts", "replies", "agreement", "stories", "occupations", "simulate"),
    *("suggest", "second_reader", "control", "annotation"),
)
WORDS = (
    *("id", "letters", "placeholders", "features", "groups", "language", "agreement", "replies"),
    *("articles", "attention_options", "attention_answer", "pronouns", "same_as", "honorifics"),
    *("describing", "attributive", "descriptive", "impersonal", "closing", "abbreviations"),
    *("possessives", "beginnings", "endings", "feminine", "masculine", "plural", "neutral"),
)
"""What keeps the words of the demo's language; all else is marked."""


def marked(value):
    if isinstance(value, dict):
        return {key: item if key in WORDS else marked(item) for key, item in value.items()}
    if isinstance(value, list):
        return [marked(item) for item in value]
    return f"Zz {value}" if isinstance(value, str) else value


def pack():
    """The file of an invented language: that of the demo, marked, with one statement of its own."""
    parts = {name: marked(own_yaml(load("ko").source_of(name))) for name in PARTS}
    parts["agreement"] = own_yaml(load("ko").source_of("agreement"))
    parts["replies"] = {"answers": ["zubra"], "negations": ["zno"], "hedges": ["zor"]}
    parts["language"] = {"name": "Zubric", "unknown": "Zz"}
    return yaml.safe_dump(parts, allow_unicode=True, sort_keys=False)


@pytest.fixture
def zubric(filtered):
    """The demo after its survey, as if it were in the invented language."""
    settings = filtered / "culture.yaml"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(text.replace("language: ko", "language: qaa", 1), encoding="utf-8")
    (filtered / "languages").mkdir()
    (filtered / "languages" / "qaa.yaml").write_text(pack(), encoding="utf-8")
    return filtered


def cells(path):
    book = openpyxl.load_workbook(path)
    every = [cell for sheet in book for row in sheet.iter_rows() for cell in row]
    notes = [cell.comment.text for cell in every if cell.comment]
    return "\n".join([*(str(cell.value) for cell in every if cell.value), *notes])


def prompts_of(path):
    """What models are asked, without the reader of the toolkit."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["messages"][0]["content"] for line in lines]


def test_workbooks_and_pages_are_in_it(curate, zubric):
    """Each kind that annotators and translators get."""
    with (zubric / "culture.yaml").open("a", encoding="utf-8") as stream:
        stream.write("translation: {unlabelled: true}\n")
    title = own_yaml(pack())["annotation"]["workbooks"]
    sheets = (
        ("classify", ("classify", "sheet", "--annotator", "Mina")),
        ("translate", ("translate", "sheet", "--translator", "Ada")),
        ("new", ("new", "sheet")),
        ("groups", ("groups", "sheet")),
    )
    for kind, command in sheets:
        before = set(zubric.rglob("*.xlsx"))
        ran = curate(*command, "-w", zubric)
        assert (ran.code, ran.err) == (0, ""), kind
        (path,) = set(zubric.rglob("*.xlsx")) - before
        assert title[kind]["title"] in cells(path)
    workspace = Workspace(zubric)
    for kind in (CLASSIFY_TASKS, TRANSLATE, PASSAGES, COMPREHENSION):
        assert 'value="Zz ' in kind.page(workspace), kind.name


def test_the_survey_is_in_it(curate, zubric):
    """Wording, agreement of names, and what models are asked in place of people."""
    ran = curate("survey", "build", "-w", zubric, "--replace", "--format", "csv", "--json")
    assert ran.code == 0, ran.err
    texts = (zubric / "responses" / "forms" / "texts.csv").read_text(encoding="utf-8")
    assert "Zz " in texts
    assert curate("survey", "simulate", "-w", zubric).code == 0
    asked = prompts_of(zubric / "exports" / "simulate" / "requests.jsonl")
    assert all(text.startswith("Zz ") for text in asked)


def test_models_are_asked_and_read_in_it(curate, zubric):
    """Questions, replies, stories, occupations, and what task folders carry."""
    assert curate("export", "samples", "-w", zubric, "--set", "test").code == 0
    assert curate("evaluate", "prepare", "-w", zubric).code == 0
    requests = zubric / "exports" / "evaluation" / "requests.jsonl"
    assert all("Zz " in text for text in prompts_of(requests))
    replies = zubric / "replies.jsonl"
    first = json.loads(requests.read_text(encoding="utf-8").splitlines()[0])["request_id"]
    said = {"request_id": first, "model": "m", "reply": "Zz slept. Zubra B"}
    replies.write_text(json.dumps(said) + "\n", encoding="utf-8")
    read = ("evaluate", "replies", "--requests", requests, "--replies", replies, "--json")
    assert curate(*read, "-w", zubric).json["rules"].get("stated") == 1
    assert curate(*read, "-w", zubric.parent).json["rules"].get("stated") == 1  # beside the file
    ids = [json.loads(line)["request_id"] for line in requests.read_text("utf-8").splitlines()]
    every = [{"request_id": name, "model": "m", "reply": "Zz slept. Zubra B"} for name in ids]
    replies.write_text("".join(json.dumps(item) + "\n" for item in every), encoding="utf-8")
    scored = curate("evaluate", "score", "-w", zubric, "--replies", replies, "--json").json
    assert {row["out_of_choice"] for row in scored["rows"]} == {0}
    moved = zubric.parent / "elsewhere" / "a" / "b" / "c" / "requests.jsonl"
    moved.parent.mkdir(parents=True)
    moved.write_bytes(requests.read_bytes())
    alone = ("evaluate", "replies", "--requests", moved, "--replies", replies, "--json")
    assert "stated" not in curate(*alone, "-w", zubric.parent).json["rules"]
    assert curate("evaluate", "stories", "build", "-w", zubric, "--leave-out-faulty").code == 0
    assert curate("evaluate", "prepare", "--set", "stories", "-w", zubric).code == 0
    asked = prompts_of(zubric / "exports" / "story_requests" / "requests.jsonl")
    assert all("Zz " in text for text in asked)
    assert curate("export", "package", "--only", "lm-eval,inspect", "-w", zubric).code == 0
    for name in ("lm_eval", "inspect"):
        [path] = (zubric / "exports" / name).rglob("words.json")
        words = json.loads(path.read_text(encoding="utf-8"))
        assert ["zubra"] in [item["answers"] for item in words["words"]]


def test_two_files_for_one_language_stop_every_command(curate, zubric):
    """Nobody can know which holds: both are named, and nothing is written."""
    second = "Qaa.YML"
    (zubric / "languages" / second).write_text("# another\n", encoding="utf-8")
    before = sorted(zubric.rglob("*"))
    for command in (("status",), ("language",), ("survey", "build"), ("export", "samples")):
        ran = curate(*command, "-w", zubric)
        assert ran.code == 1, command
        assert "two files are for the language 'qaa'" in ran.err, command
        assert {"qaa.yaml", second} <= set(re.findall(r"[\w.]+", ran.err)), command
    for name in ("qaa.yaml", second):
        ran = curate("language", zubric / "languages" / name)
        assert (ran.code, "two files are for the language 'qaa'" in ran.err) == (1, True)
    assert sorted(zubric.rglob("*")) == before


def test_commands_say_how_many_texts_are_not_reviewed_where_they_use_some(curate, zubric):
    """All of the file are counted, as a check does; where a part is reviewed nothing is said."""
    file = zubric / "languages" / "qaa.yaml"
    assert curate("export", "samples", "-w", zubric, "--set", "test").code == 0
    ratios, items = zubric / "ratios.csv", ("evaluate", "occupations", "items")
    ratios.write_text("occupation,group,ratio\nnurse,female,0.9\nfarmer,female,0.2\n", "utf-8")
    commands = {
        ("evaluate", "prepare"): "prompts",
        ("survey", "build", "--replace", "--format", "csv"): "survey",
        ("evaluate", "stories", "build", "--leave-out-faulty"): "stories",
        ("evaluate", "prepare", "--set", "stories"): "stories",
        (*items, "persona-gender", "--ratios", ratios): "occupations",
        ("survey", "simulate"): "simulate",
    }
    for taken in (("prompts", "stories", "second_reader"), ("survey", "occupations", "simulate")):
        marked_keys = re.compile(rf"^({'|'.join(taken)}):$", re.MULTILINE)
        file.write_text(marked_keys.sub(r"\1:  # it: not reviewed", pack()), encoding="utf-8")
        for command, part in commands.items():
            ran = curate(*command, "-w", zubric)
            said = (
                "Note: 3 texts of languages/qaa.yaml are taken over from Italian and not reviewed"
            )
            assert ran.code == 0, ran.err
            assert (said in " ".join(ran.err.split())) is (part in taken), (command, ran.err)
