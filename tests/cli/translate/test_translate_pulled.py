"""`curate translate collect --labelstudio`: what was pulled from a server, into the bank."""

import csv
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from curation.files.tables import read_table
from tests.annotation.labelstudio.fake import FakeServer, choices, text

Curate = Callable[..., Any]
Listing = Callable[[Path], dict[str, str]]
KIM, LEE = 1, 2
HUMS = "Who hums?"
SAT = "[N1] and [N2] sat in the [W1]."
CAME = "At the shop [N1|a/an] and [N2|a/an] came in."


@pytest.fixture
def pushed(curate: Curate, source_bank: Path, server: FakeServer) -> Path:
    """The small workspace with its texts on the server, and two translators who have names."""
    people = source_bank / "annotations" / "people.csv"
    people.parent.mkdir()
    people.write_text("user,email,annotator\n1,,Kim\n2,,Lee\n", encoding="utf-8")
    assert curate("push", "translate", "-w", source_bank).code == 0
    return source_bank


def question(server: FakeServer, source: str) -> tuple[str, str]:
    """Find the page of a source text, and its box there."""
    [found] = [
        (task["data"]["uid"], f"target_{at}")
        for task in server.tasks[1].values()
        for at, item in enumerate(task["data"]["texts"])
        if (item["source"], task["data"]["uid"]) == (source, TEMPLATE[source])
    ]
    return found


TEMPLATE = {
    **dict.fromkeys((HUMS, CAME, "potter", "baker", "miller"), "craft-001"),
    **dict.fromkeys(("Who slept?", "They nap", "attic", "cellar", SAT), "craft-002"),
}


def translate(server: FakeServer, user: int, texts: Mapping[str, str]) -> None:
    """Annotate in somebody's name; what he wrote on a page before stays there."""
    for source, target in texts.items():
        page, box = question(server, source)
        [task] = [t for t in server.tasks[1].values() if t["data"]["uid"] == page]
        before = [a["result"] for a in task["annotations"] if a["completed_by"] == user]
        result = [item for item in (before or [[]])[-1] if item["from_name"] not in (box, "checks")]
        task["annotations"] = [a for a in task["annotations"] if a["completed_by"] != user]
        more = [text(box, target), choices("checks", "slots_kept")]
        server.annotate(1, page, user, [*result, *more])


def collect(curate: Curate, workspace: Path, *options: object, status: int = 0) -> Any:
    """Pull and collect, and give what was printed."""
    assert curate("pull", "translate", "-w", workspace).code == 0
    return again(curate, workspace, *options, status=status)


def again(curate: Curate, workspace: Path, *options: object, status: int = 0) -> Any:
    """Collect without a pull."""
    ran = curate("translate", "collect", "-w", workspace, "--labelstudio", "--json", *options)
    assert ran.code == status, ran.out + ran.err
    return ran.json


def bank(workspace: Path) -> dict[str, Any]:
    """Read the bank, by template and variant."""
    rows = read_table(workspace / "templates_src" / "bank.csv").rows
    return {row["template_id"] + row["variant"]: row for row in rows}


def taken(workspace: Path) -> dict[str, dict[str, str]]:
    """Read which texts were put into the bank, by their source."""
    path = workspace / "annotations" / "translated.csv"
    with path.open(encoding="utf-8", newline="") as stream:
        return {row["source"]: row for row in csv.DictReader(stream)}


def rules(found: Any) -> list[str]:
    """Name the rules of what was found."""
    return [item["rule"] for item in found["findings"]]


def test_pulled_texts_go_into_the_persons_columns(
    curate: Curate, pushed: Path, server: FakeServer
) -> None:
    """At every place of a text; lists are put together; what comes from whom is written down."""
    translate(server, KIM, {HUMS: "누가 흥얼거렸나?", "attic": "다락", "cellar": "지하실"})
    translate(server, LEE, {CAME: "[N1|과/와] [N2|이/가] 왔다."})
    found = collect(curate, pushed)
    # Five cells of four texts, and the answers [N1] and [N2] of craft-002, which come along.
    assert (found["texts"], found["accepted"], found["cells"]) == (4, 4, 7)
    assert (found["findings"], found["disagreements"]) == ([], [])
    rows = bank(pushed)
    for letter in "ab":
        assert rows[f"craft-001{letter}"]["biased_question"] == "누가 흥얼거렸나?"
        assert rows[f"craft-001{letter}"]["ambiguous_context"] == "[N1|과/와] [N2|이/가] 왔다."
    assert rows["craft-002a"]["words"] == "W1: [다락, 지하실]"
    assert rows["craft-002a"]["biased_question"] == ""
    row = taken(pushed)[HUMS]
    assert (row["translator"], row["source_file"]) == ("Kim", "labelstudio:1")


def test_collecting_again_changes_nothing(
    curate: Curate, pushed: Path, server: FakeServer, listing: Listing
) -> None:
    """Not a byte."""
    translate(server, KIM, {HUMS: "누가?", "attic": "다락"})
    first = collect(curate, pushed)
    assert (first["cells"], first["open_lists"]) == (4, 1)
    before = listing(pushed)
    second = again(curate, pushed)
    assert (second["cells"], second["unchanged"]) == (0, 4)
    assert listing(pushed) == before


def test_a_list_that_waits_for_a_filler_is_not_to_be_collected(
    curate: Curate, pushed: Path, server: FakeServer
) -> None:
    """Collecting would change nothing, and whoever owes the other filler is told."""

    def waits() -> list[int]:
        owed = curate("status", "-w", pushed, "--json").json["owed"]
        return [item["count"] for item in owed if item["what"] == "collect"]

    translate(server, KIM, {"attic": "다락", HUMS: "누가?"})
    assert curate("pull", "translate", "-w", pushed).code == 0
    assert waits() == [1]
    again(curate, pushed)
    assert waits() == []
    translate(server, KIM, {"cellar": "지하실"})
    assert curate("pull", "translate", "-w", pushed).code == 0
    assert waits() == [2]
    again(curate, pushed)
    assert waits() == []
    assert bank(pushed)["craft-002a"]["words"] == "W1: [다락, 지하실]"


def test_every_text_is_verified(curate: Curate, pushed: Path, server: FakeServer) -> None:
    """What is wrong is said with template, field and annotator, and left out; the rest is taken."""
    translate(
        server,
        KIM,
        {
            CAME: "[N1|과/와] 누가 왔다.",
            HUMS: "누가?",
            "Who slept?": "[W9] 누가?",
            "attic": "다락, 방",
            SAT: "[N1 [N2] [W1]",
        },
    )
    found = collect(curate, pushed, status=1)
    assert sorted(rules(found)) == [
        *("translation-filler", "translation-slots", "translation-slots", "translation-unreadable")
    ]
    said = "\n".join(item["message"] for item in found["findings"])
    assert "craft-001, ambiguous_context (a, b): '[N1|과/와] 누가 왔다.' of Kim" in said
    assert "[N2] is missing" in said
    assert "craft-002, filler of W1 (a): '다락, 방' of Kim" in said
    assert found["accepted"] == 1
    rows = bank(pushed)
    assert rows["craft-001a"]["biased_question"] == "누가?"
    assert rows["craft-001a"]["ambiguous_context"] == rows["craft-002a"]["words"] == ""


def test_translators_who_differ_are_said_and_a_person_chooses(
    curate: Curate, pushed: Path, server: FakeServer
) -> None:
    """None of the two texts is taken until --by names one; the choice holds from then on."""
    translate(server, KIM, {HUMS: "누가 흥얼거렸나?", "Who slept?": "누가 잤나?"})
    translate(server, LEE, {HUMS: "누가 노래했나?", "Who slept?": "누가 잤나?"})
    found = collect(curate, pushed, status=1)
    assert rules(found) == ["translation-disagreement"]
    [differ] = found["disagreements"]
    assert differ["texts"] == {"Kim": "누가 흥얼거렸나?", "Lee": "누가 노래했나?"}
    assert (differ["template_id"], differ["where"]) == ("craft-001", ["biased_question (a, b)"])
    assert bank(pushed)["craft-001a"]["biased_question"] == ""
    assert bank(pushed)["craft-002a"]["biased_question"] == "누가 잤나?"
    again(curate, pushed, "--by", "lee")
    assert bank(pushed)["craft-001b"]["biased_question"] == "누가 노래했나?"
    assert (taken(pushed)[HUMS]["translator"], taken(pushed)[HUMS]["over"]) == (
        "Lee",
        '["누가 흥얼거렸나?"]',
    )
    assert again(curate, pushed)["unchanged"] == 5
    again(curate, pushed, "--by", "Kim")
    assert bank(pushed)["craft-001a"]["biased_question"] == "누가 흥얼거렸나?"
    translate(server, LEE, {HUMS: "누가 콧노래를?"})
    assert curate("pull", "translate", "-w", pushed).code == 0
    assert rules(again(curate, pushed, status=1)) == ["translation-disagreement"]
    assert bank(pushed)["craft-001a"]["biased_question"] == "누가 흥얼거렸나?"


def test_a_choice_can_be_of_one_template(curate: Curate, pushed: Path, server: FakeServer) -> None:
    """The others are left alone."""
    translate(server, KIM, {HUMS: "가", "Who slept?": "가"})
    translate(server, LEE, {HUMS: "나", "Who slept?": "나"})
    collect(curate, pushed, "--by", "Lee", "--template", "craft-002")
    rows = bank(pushed)
    assert (rows["craft-001a"]["biased_question"], rows["craft-002a"]["biased_question"]) == (
        "",
        "나",
    )


def test_who_has_a_second_thought_is_followed(
    curate: Curate, pushed: Path, server: FakeServer
) -> None:
    """The text that was collected of him before is written over, nobody else's."""
    translate(server, KIM, {HUMS: "누가?", "Who slept?": "누가 잤나?"})
    collect(curate, pushed)
    path = pushed / "templates_src" / "bank.csv"
    path.write_text(
        path.read_text(encoding="utf-8").replace("누가 잤나?", "누가 졸았나?"), encoding="utf-8"
    )
    translate(server, KIM, {HUMS: "누가 흥얼거렸나?", "Who slept?": "누가 누웠나?"})
    found = collect(curate, pushed, status=1)
    assert rules(found) == ["translation-bank-changed"]
    assert "craft-002a, biased_question" in found["findings"][0]["message"]
    rows = bank(pushed)
    assert rows["craft-001a"]["biased_question"] == "누가 흥얼거렸나?"
    assert rows["craft-002a"]["biased_question"] == "누가 졸았나?"


def test_an_edit_in_the_bank_is_said_and_no_error_later(
    curate: Curate, pushed: Path, server: FakeServer
) -> None:
    """Who edits a text there after it was collected meant to."""
    translate(server, KIM, {HUMS: "누가?"})
    collect(curate, pushed)
    path = pushed / "templates_src" / "bank.csv"
    path.write_text(
        path.read_text(encoding="utf-8").replace("누가?", "누구인가?"), encoding="utf-8"
    )
    found = again(curate, pushed)
    assert [item["severity"] for item in found["findings"]] == ["info", "info"]
    assert bank(pushed)["craft-001a"]["biased_question"] == "누구인가?"


def test_a_text_whose_source_changed_is_refused(
    curate: Curate, pushed: Path, server: FakeServer
) -> None:
    """It translates another text than the bank's."""
    translate(server, KIM, {HUMS: "누가?", "Who slept?": "누가 잤나?"})
    assert curate("pull", "translate", "-w", pushed).code == 0
    path = pushed / "templates_src" / "bank.csv"
    path.write_text(path.read_text(encoding="utf-8").replace(HUMS, "Who hummed?"), encoding="utf-8")
    found = again(curate, pushed, status=1)
    assert rules(found) == ["translation-source-changed"]
    assert f"'{HUMS}'" in found["findings"][0]["message"]
    assert bank(pushed)["craft-001a"]["biased_question"] == ""
    assert bank(pushed)["craft-002a"]["biased_question"] == "누가 잤나?"


def test_a_row_that_somebody_edited_is_refused(
    curate: Curate, pushed: Path, server: FakeServer
) -> None:
    """One whose source is not that of its text, and one that was emptied."""
    translate(server, KIM, {HUMS: "누가?", "Who slept?": "누가 잤나?"})
    assert curate("pull", "translate", "-w", pushed).code == 0
    path = pushed / "annotations" / "translate.csv"
    content = path.read_text(encoding="utf-8").replace(HUMS, "Who else?")
    path.write_text(content.replace("누가 잤나?", ""), encoding="utf-8")
    found = again(curate, pushed, status=1)
    assert sorted(rules(found)) == ["translation-empty", "translation-source-changed"]
    assert found["cells"] == 0


def workbook(curate: Curate, workspace: Path, name: str, source: str, target: str) -> Path:
    """Return a workbook with one text."""
    args = ("--translator", name, "--out", workspace.parent / name, "--json")
    [made] = curate("translate", "sheet", "-w", workspace, *args).json["sheets"]
    book = load_workbook(made["file"])
    columns = {cell.value: cell.column for cell in book["texts"][1]}
    for row in book["texts"].iter_rows(min_row=2):
        given = target if row[columns["source"] - 1].value == source else None
        book["texts"].cell(row[0].row, columns["translation"]).value = given
    path = workspace.parent / f"{name}.xlsx"
    book.save(path)
    return path


def test_a_workbook_s_translator_counts_beside_those_of_the_server(
    curate: Curate, pushed: Path, server: FakeServer
) -> None:
    """Neither way writes over what somebody else has given by the other."""
    mina = workbook(curate, pushed, "Mina", HUMS, "누가 노래했나?")
    late = workbook(curate, pushed, "Jun", HUMS, "누가 불렀나?")
    assert curate("translate", "collect", "-w", pushed, mina).code == 0
    translate(server, KIM, {HUMS: "누가 흥얼거렸나?"})
    found = collect(curate, pushed, status=1)
    assert found["disagreements"][0]["texts"] == {
        "Mina": "누가 노래했나?",
        "Kim": "누가 흥얼거렸나?",
    }
    assert bank(pushed)["craft-001a"]["biased_question"] == "누가 노래했나?"
    again(curate, pushed, "--by", "Kim")
    assert bank(pushed)["craft-001a"]["biased_question"] == "누가 흥얼거렸나?"
    ran = curate("translate", "collect", "-w", pushed, "--json", late)
    assert rules(ran.json) == ["translation-bank-changed"] * 2
    assert bank(pushed)["craft-001a"]["biased_question"] == "누가 흥얼거렸나?"
    assert taken(pushed)[HUMS]["translator"] == "Kim"


def test_the_later_of_one_person_counts_whichever_way_it_came(
    curate: Curate, pushed: Path, server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A workbook after the page, then the page after the workbook."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
    translate(server, KIM, {HUMS: "하나"})
    collect(curate, pushed)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225601")
    file = workbook(curate, pushed, "Kim", HUMS, "둘")
    assert curate("translate", "collect", "-w", pushed, file).code == 0
    assert again(curate, pushed)["unchanged"] == 2
    assert bank(pushed)["craft-001a"]["biased_question"] == "둘"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225602")
    translate(server, KIM, {HUMS: "셋"})
    collect(curate, pushed)
    assert bank(pushed)["craft-001a"]["biased_question"] == "셋"


def test_a_collect_that_dies_before_it_has_written_down_goes_on(
    curate: Curate, pushed: Path, server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bank is written first, so that the next run finds its own text there."""
    translate(server, KIM, {HUMS: "하나"})
    collect(curate, pushed)
    translate(server, KIM, {HUMS: "둘"})
    assert curate("pull", "translate", "-w", pushed).code == 0
    with monkeypatch.context() as patch:

        def die(*_: object) -> None:
            raise KeyboardInterrupt

        patch.setattr("curation.annotation.translation.returned.write_returned", die)
        ran = curate("translate", "collect", "-w", pushed, "--labelstudio")
        assert ran.code == 130
    assert (bank(pushed)["craft-001a"]["biased_question"], taken(pushed)[HUMS]["translation"]) == (
        "둘",
        "하나",
    )
    assert again(curate, pushed)["findings"] == []
    assert taken(pushed)[HUMS]["translation"] == "둘"


@pytest.mark.parametrize(
    ("options", "status", "said"),
    [
        (["x.xlsx", "--labelstudio"], 2, "takes no FILE"),
        (["--by", "Kim"], 2, "Missing argument"),
        (["x.xlsx", "--by", "Kim"], 1, "there is no file x.xlsx"),
        (["x.xlsx", "--template", "craft-001"], 2, "belongs to --labelstudio"),
        (["x.xlsx", "--accept-unchanged"], 2, "--accept-unchanged needs --by NAME"),
        (
            ["--labelstudio", "--accept-unchanged", "--by", "Kim"],
            2,
            "does not go with --labelstudio",
        ),
        (["--labelstudio", "--by", " "], 2, "a name is empty"),
        (["--labelstudio", "--by", "Park"], 1, "--by must be one of Kim"),
        (["--labelstudio", "--template", "craft-9"], 1, "nothing was pulled of template craft-9"),
    ],
)
def test_wrong_usage_is_said(
    curate: Curate,
    pushed: Path,
    server: FakeServer,
    listing: Listing,
    options: list[str],
    status: int,
    said: str,
) -> None:
    """And nothing is written."""
    translate(server, KIM, {HUMS: "누가?"})
    assert curate("pull", "translate", "-w", pushed).code == 0
    before = listing(pushed)
    ran = curate("translate", "collect", "-w", pushed, *options)
    assert (ran.code, said in ran.err) == (status, True), ran.err
    assert listing(pushed) == before


def test_nothing_to_collect_is_said(curate: Curate, source_bank: Path) -> None:
    """With what to do first."""
    ran = curate("translate", "collect", "-w", source_bank, "--labelstudio")
    assert (ran.code, "curate pull translate" in ran.err) == (1, True)


def test_a_record_that_was_damaged_is_said(
    curate: Curate, pushed: Path, server: FakeServer
) -> None:
    """With its row; nothing is guessed from half of it."""
    translate(server, KIM, {HUMS: "누가?"})
    collect(curate, pushed)
    path = pushed / "annotations" / "translated.csv"
    path.write_text(path.read_text(encoding="utf-8").rstrip("\n") + "x\n", encoding="utf-8")
    ran = curate("translate", "collect", "-w", pushed, "--labelstudio")
    assert (ran.code, "'x' is not a list of texts" in ran.err) == (1, True)
    assert "translated.csv, row 2, column over" in ran.err


def test_what_was_found_is_said_in_words(curate: Curate, pushed: Path, server: FakeServer) -> None:
    """How many texts, how many differ, and what to do."""
    translate(server, KIM, {HUMS: "가", CAME: "왔다."})
    translate(server, LEE, {HUMS: "나"})
    ran = curate("pull", "translate", "-w", pushed)
    assert "curate translate collect --labelstudio" in ran.out
    ran = curate("translate", "collect", "-w", pushed, "--labelstudio")
    assert ran.code == 1
    assert (
        "3 texts of translators: 0 accepted, 1 with different translations, 1 refused." in ran.out
    )
    assert "Kim '가', Lee '나'" in ran.out
    assert "--by NAME" in ran.out


def test_who_submits_the_machine_s_text_confirms_it(
    curate: Curate, source_bank: Path, server: FakeServer
) -> None:
    """It is recorded with the translator's name and project; a text of his own needs nothing."""
    assert curate("translate", "run", "-w", source_bank, "--engine", "pseudo").code == 0
    people = source_bank / "annotations" / "people.csv"
    people.parent.mkdir(exist_ok=True)
    people.write_text("user,email,annotator\n1,,Kim\n2,,Lee\n", encoding="utf-8")
    assert curate("push", "translate", "-w", source_bank).code == 0
    machine = bank(source_bank)["craft-001a"]["biased_question_machine"]
    translate(server, KIM, {HUMS: machine, "Who slept?": "누가 잤나?"})
    collect(curate, source_bank)
    row = taken(source_bank)[HUMS]
    said = (row["confirmed"], row["confirmed_by"], row["confirmed_in"])
    assert said == ("yes", "Kim", "labelstudio:1")
    assert taken(source_bank)["Who slept?"]["confirmed"] == ""
    ledger = read_table(source_bank / "decisions.csv").rows
    assert [(r["subject"], r["rule"], r["by"]) for r in ledger] == [
        ("craft-001", "unchanged", "Kim")
    ]
