"""`curate new sheet FILE`: drafts of a model beside templates of people, judged blind."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from openpyxl import load_workbook

from curation.annotation.drafts import (
    Judgement,
    _write,
    acceptance,
    fault_of_draft,
    read_drafts,
)
from curation.files.workspace import Workspace
from tests.annotation.engines import loopback_openai
from tests.annotation.engines.conftest import served

Server = Callable[..., Any]
HEAD = "category,stereotype,target_groups,n1_groups,n2_groups,names,reference"
TEXTS = (
    "ambiguous_context",
    "disambiguating_context",
    "biased_question",
    "counter_biased_question",
)
NAMES = "Bakers,Potters,Bakers,N1: [Ann]; N2: [Bob],A diary"
PEOPLE = (
    "[N1] and [N2] went to the weir.,[N1] whistled and [N2] did not.,Who whistles?,"
    "Who is silent?,[N1],[N2]"
)
GOOD = {
    "ambiguous_context": "At the fair of the weir [N1] met [N2].",
    "disambiguating_context": "[N1] skipped while [N2] walked.",
    "biased_question": "Who skips?",
    "counter_biased_question": "Who walks?",
    "biased_quote": "[N1] skipped",
    "counter_biased_quote": "[N2] walked",
    "local_quote": "the fair of the weir",
}
WRONG = {
    "They skip": {},
    "They hop": {"local_quote": "the old quay"},
    "They jump": {
        "disambiguating_context": "[N2] jumped while [N1] walked.",
        "biased_quote": "[N2] jumped",
        "counter_biased_quote": "[N1] walked",
    },
    "They run": {"biased_quote": "[N1] was the one"},
}
"""What the model gets wrong, by stereotype; nothing in the first."""


@pytest.fixture
def model_server(monkeypatch):
    """Start a server, and let the environment name it."""
    with served(monkeypatch, loopback_openai, "OPENAI_API_KEY", "OPENAI_BASE_URL") as start:
        yield start


@pytest.fixture
def told(workspace):
    """A table with a template that a person wrote and stereotypes for the model."""

    def write(stereotypes, written=True):
        path = workspace / "told.csv"
        own = [f"Craft,They whistle,{NAMES},{PEOPLE}"] if written else []
        rows = [f"Craft,{name},{NAMES},,,,,," for name in stereotypes]
        head = f"{HEAD},{','.join(TEXTS)},biased_answer,counter_biased_answer"
        path.write_text("\n".join([head, *own, *rows]) + "\n", encoding="utf-8")
        return path

    return write


def answer(question):
    for stereotype, wrong in WRONG.items():
        if stereotype in question:
            return f"Here: {json.dumps({**GOOD, **wrong})}"
    return '{"ambiguous_context": "At the fair'


def judged(path, says):
    """Fill in a workbook: what is said of the template of each stereotype."""
    book = load_workbook(path)
    sheet = book["drafts"]
    (row,) = (at for at in range(1, 4) if "stereotype" in [c.value for c in sheet[at]])
    named = {cell.value: cell.column for cell in sheet[row]}
    for at in range(row + 1, sheet.max_row + 1):
        said = says.get(sheet.cell(at, named["stereotype"]).value, "")
        sheet.cell(at, named["judgement"]).value = said or None
    book.save(path)
    return path


def asked(server):
    return len(server.bodies)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        *(({}, ""), *((WRONG[name], why) for name, why in (("They hop", "general"),))),
        *((WRONG[name], why) for name, why in (("They jump", "biased"), ("They run", "no_answer"))),
        ({"counter_biased_quote": "[N1] skipped"}, "biased"),
        ({"biased_quote": "[N1] skipped while [N2] walked"}, "no_answer"),
        ({"biased_quote": ""}, "no_answer"),
        ({"ambiguous_context": "At the fair of the weir [N1] skipped and [N2] sat."}, "no_answer"),
        ({"ambiguous_context": "[N1] saw the fair of the weir."}, "no_answer"),
        ({"biased_question": "Was it [N1] who skipped?"}, "no_answer"),
        ({"local_quote": "[N1]"}, "general"),
        ({"biased_question": "Who" * 201}, "long"),
    ],
)
def test_quotations_show_what_is_wrong_with_a_draft(change, fault):
    """N2 is of the target group, so it is N1 of whom the second context tells it."""
    assert fault_of_draft({**GOOD, **change}, "N2") == fault


@pytest.mark.slow
def test_drafts_are_judged_blind_and_counted_beside_those_of_people(
    curate, workspace, model_server, told
):
    """Refused drafts are kept with the reason; what all accept is in the bank afterwards."""
    server = model_server(answer=answer)
    path = told([*WRONG, "They yawn"])
    names = ("--annotator", "Mina", "--annotator", "Jun", "-w", workspace)
    ran = curate("new", "sheet", path, "--draft", "small", *names, "--json")
    assert (ran.code, asked(server)) == (0, 5)
    assert "To ask small: 5 questions" in ran.err and server.bodies[0]["model"] == "small"
    faults = {"biased": 1, "general": 1, "no_answer": 1, "unreadable": 1}
    assert ran.json["refused"] == faults and ran.json["templates"] == 2
    sheets = [
        workspace / "annotations" / "sheets" / f"judge-{name}.xlsx" for name in ("Mina", "Jun")
    ]
    book = load_workbook(sheets[0])
    text = " ".join(str(cell.value) for sheet in book for row in sheet.iter_rows() for cell in row)
    assert "They whistle" in text and "They skip" in text and "They hop" not in text
    rows = [[cell.value for cell in row] for row in book["drafts"].iter_rows(min_row=2)]
    told = " ".join(str(value) for row in rows for value in row)
    assert "small" not in told and "openai" not in told and "people" not in told
    kept = {row["stereotype"]: (row["writer"], row["refused"]) for row in drafts(workspace)}
    assert kept["They whistle"] == ("people", "")
    assert kept["They skip"] == ("openai:small", "")
    assert kept["They yawn"] == ("openai:small", "unreadable")
    # Again nothing is asked, and the same workbooks come out.
    again = curate("new", "sheet", path, "--draft", "small", *names, "--json")
    assert (again.code, again.json["known"], again.json["requests"], asked(server)) == (0, 5, 0, 5)
    judged(sheets[0], {"They whistle": "accept", "They skip": "accept"})
    judged(sheets[1], {"They whistle": "general", "They skip": "accept"})
    ran = curate("collect", *sheets, "-w", workspace, "--json")
    (found,) = ran.json["collected"]
    assert [item["stereotype"] for item in found["added"]] == ["They skip"]
    own, model = found["acceptance"]
    assert (own["writer"], own["judged"], own["accepted"]) == ("people", 1, 0)
    assert (own["share"]["value"], own["faults"]) == (0.5, {"general": 1})
    assert (model["writer"], model["written"], model["refused"]) == ("openai:small", 5, faults)
    assert (model["judged"], model["accepted"], model["share"]["value"]) == (1, 1, 1.0)
    bank = Workspace(workspace).bank
    new = [item for item in bank.variants if item.texts.stereotype == "They skip"]
    assert [(str(item.id), str(item.label)) for item in new] == [
        ("craft-003a", "NC"),
        ("craft-003b", "NC"),
    ]
    assert new[0].texts.biased_answer == "[N1]"
    # What was added is not added again, whatever people have made of it since.
    path = workspace / "templates_src" / "bank.csv"
    path.write_text(path.read_text(encoding="utf-8").replace("skipped", "hopped"), encoding="utf-8")
    ran = curate("collect", *sheets, "-w", workspace)
    assert "0 templates added to the bank." in ran.out and "changed" not in ran.out + ran.err
    assert "drafts-late" not in ran.out
    # Somebody thinks otherwise later.
    ran = curate("collect", judged(sheets[1], {"They skip": "biased"}), "-w", workspace)
    assert "[drafts-late]" in ran.out and "any more: craft-003" in ran.out


def drafts(folder):
    return read_drafts(Workspace(folder))


@pytest.mark.slow
def test_what_was_paid_for_is_kept_when_a_run_ends_early(
    curate, workspace, model_server, told, monkeypatch
):
    """No workbook is handed out before every reply is there, and none is asked for twice."""
    monkeypatch.setattr("curation.annotation.engines.engine.PAUSES", ())
    server = model_server(answer=answer, faults={2: 401})
    culture = workspace / "culture.yaml"
    settings = culture.read_text(encoding="utf-8")
    culture.write_text(f"{settings}translation: {{workers: 1}}\n", encoding="utf-8")
    given = ("new", "sheet", told(["They skip", "They hop"]), "--draft", "small")
    given += ("--annotator", "Mina", "-w", workspace)
    ran = curate(*given)
    assert ran.code != 0 and asked(server) == 2
    assert not list((workspace / "annotations").glob("**/*.xlsx")) and drafts(workspace) == []
    ran = curate(*given, "--json")
    assert (ran.code, ran.json["known"], ran.json["requests"], asked(server)) == (0, 1, 1, 3)


JUDGED, DRAFTED = ("--annotator", "Mina"), ("--draft", "m", "--annotator", "Mina")
HOP = f"Craft,They hop,{NAMES},,,,,,\n"


@pytest.mark.parametrize(
    ("rows", "arguments", "said"),
    [
        (HOP, ("--draft", "m"), "FILE needs --annotator"),
        ("", DRAFTED, "no stereotype is given"),
        (HOP, JUDGED, "no text is written"),
        (f"Craft,They whistle,{NAMES},{PEOPLE}\n", DRAFTED, "texts of every row are written"),
        (HOP.replace("Craft", "Trade"), DRAFTED, "no category 'Trade'"),
        (HOP, DRAFTED, "the budget is 10 characters, 0 of"),
        (HOP.replace("Bakers", "Weavers", 1), DRAFTED, "neither or both of the two people"),
        (HOP * 2, DRAFTED, "it is an earlier row again"),
    ],
)
def test_what_cannot_be_drafted_is_refused_before_anything_is_asked(
    curate, workspace, told, monkeypatch, rows, arguments, said
):
    """With the place and what to do; no server is needed for that."""
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    path = told([], written=False)
    path.write_text(path.read_text(encoding="utf-8") + rows, encoding="utf-8")
    with (workspace / "culture.yaml").open("a", encoding="utf-8") as stream:
        stream.write("translation: {budget: 10}\n")
    ran = curate("new", "sheet", path, *arguments, "-w", workspace)
    assert ran.code != 0 and said in ran.err
    assert not (workspace / "annotations" / "drafts.csv").exists()


def test_a_template_of_people_that_breaks_a_rule_is_refused(curate, workspace, told):
    """It is named with its row, and no workbook is made."""
    path = told([])
    text = path.read_text(encoding="utf-8").replace("[N1] whistled", "[N3] whistled")
    path.write_text(text, encoding="utf-8")
    ran = curate("new", "sheet", path, "--annotator", "Mina", "-w", workspace)
    assert ran.code != 0 and "told.csv, row 2" in ran.err and "slot-" in ran.err


def test_acceptance_and_agreement_are_of_each_writer(workspace):
    """Two people, three templates of each: by hand, 5 of 6 and 3 of 6 accept."""
    made, same = Workspace(workspace), {"category": "Craft", "stereotype": "a"}
    rows = [same | {"key": f"p{at}", "writer": "people"} for at in range(3)]
    rows += [same | {"key": f"m{at}", "writer": "openai:m"} for at in range(3)]
    _write(made, [*rows, rows[-1] | {"key": "m9", "refused": "biased"}])
    said = {"p0": "aa", "p1": "aa", "p2": "ab", "m0": "aa", "m1": "ab", "m2": "bg"}
    words = {"a": "accept", "b": "biased", "g": "general"}
    given = [
        Judgement(key, who, words[letter])
        for key, both in said.items()
        for who, letter in zip(("Mina", "Jun"), both, strict=True)
    ]
    own, model = acceptance(made, given)
    assert (own["judged"], own["accepted"], own["share"].value) == (3, 2, pytest.approx(5 / 6))
    assert (model["judged"], model["accepted"], model["share"].value) == (3, 1, 0.5)
    assert model["faults"] == {"biased": 2, "general": 1} and model["refused"] == {"biased": 1}
    # Pairs that agree on whether it is accepted: 2 of 3, and 2 of 3.
    assert (own["percent"].value, model["percent"].value) == (0.666667, 0.666667)
    # Alpha by hand: 1 - (2 / 6) / (2 * 5 * 1 / 30), and 1 - (2 / 6) / (2 * 3 * 3 / 30).
    assert own["alpha"].value == pytest.approx(0.0, abs=1e-6)
    assert model["alpha"].value == pytest.approx(4 / 9, abs=1e-6)
    assert own["share"].ci_low < 5 / 6 < own["share"].ci_high
    own, _ = acceptance(made, given[2:6])
    assert own["share"].ci_low < 3 / 4 < own["share"].ci_high
