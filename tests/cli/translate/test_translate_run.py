"""`curate translate estimate` and `run`, against a server on this machine."""

import csv
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curation.files.lock import locked
from curation.files.tables import read_table
from curation.records.errors import CurateError

ROOT = Path(__file__).parents[3]
PROGRAM = "from curation.cli.main import main; main()"
Server = Callable[..., Any]
Curate = Callable[..., Any]
SetSetting = Callable[[Path, str], None]


def bank(workspace: Path) -> dict[str, Any]:
    """Read the bank, by template and variant."""
    rows = read_table(workspace / "templates_src" / "bank.csv").rows
    return {row["template_id"] + row["variant"]: row for row in rows}


def translate(curate: Curate, workspace: Path, *args: object) -> Any:
    """Run, and give what `--json` prints."""
    ran = curate("translate", "run", "-w", workspace, "--json", *args)
    assert ran.out, ran.err
    return ran.json


def estimate(curate: Curate, workspace: Path, *args: object) -> Any:
    """Estimate, and give what `--json` prints."""
    ran = curate("translate", "estimate", "-w", workspace, "--json", *args)
    assert ran.code == 0
    return ran.json


def test_machine_text_stands_beside_the_persons(
    curate: Curate, source_bank: Path, deepl_server: Server
) -> None:
    """Slots come back bare, lists are put together again, and nobody's own cell is touched."""
    deepl_server()
    before = bank(source_bank)
    ran = curate("translate", "run", "-w", source_bank)
    assert ran.code == 0
    row = bank(source_bank)["craft-001a"]
    assert row["ambiguous_context_machine"] == "«At the shop» [N1] «and» [N2] «came in.»"
    assert row["stereotype_machine"] == "«They hum & sing»"
    assert row["names_machine"] == "N1: [«potter»]; N2: [«baker», «miller»]"
    assert bank(source_bank)["craft-002a"]["words_machine"] == "W1: [«attic», «cellar»]"
    assert bank(source_bank)["craft-002a"]["biased_answer_machine"] == "[N1]"
    for key, old in before.items():
        new = bank(source_bank)[key]
        assert {name: new[name] for name in old.cells} == dict(old.cells)


def test_the_numbers_that_are_shown_add_up(curate: Curate, source_bank: Path) -> None:
    """[N1] and [N2] alone need no translation; two texts differ from others in slot names alone."""
    ran = curate("translate", "run", "-w", source_bank, "--engine", "pseudo")
    assert ran.out.startswith(
        "21 distinct texts: 2 known before, 19 translated now, 0 not translated.\n"
        "Sent: 17. Texts that differ only in the names of slots are sent once.\n"
    )
    again = curate("translate", "run", "-w", source_bank, "--engine", "pseudo")
    assert again.out.startswith(
        "21 distinct texts: 21 known before, 0 translated now, 0 not translated.\nMachine text"
    )


def test_only_what_is_classified_is_translated_unless_it_is_asked_for(
    curate: Curate, source_bank: Path, deepl_server: Server
) -> None:
    """ST and TM; with --unlabelled what nobody has classified; never NC or SR."""
    deepl_server()
    translate(curate, source_bank)
    assert bank(source_bank)["craft-004a"]["biased_question_machine"] == ""
    translate(curate, source_bank, "--unlabelled")
    assert bank(source_bank)["craft-004a"]["biased_question_machine"] == "«Who knits?»"
    assert bank(source_bank)["craft-003a"]["biased_question_machine"] == ""


def test_what_a_person_has_written_can_be_left_out(
    curate: Curate, demo: Path, deepl_server: Server
) -> None:
    """With --missing nothing of the demo is sent: all of it is written."""
    deepl_server()
    assert estimate(curate, demo)["to_send"] > 0
    assert estimate(curate, demo, "--missing")["to_send"] == 0


@pytest.mark.parametrize("command", ["estimate", "run"])
def test_that_there_is_nothing_to_translate_is_said_with_its_reason(
    curate: Curate, source_bank: Path, demo: Path, deepl_server: Server, command: str
) -> None:
    """A bank of which nothing is labelled, and one of which everything is written."""
    server = deepl_server()
    path = source_bank / "templates_src" / "bank.csv"
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows({**row, "label": "SR"} for row in rows)
    said = curate("translate", command, "-w", source_bank).out
    assert (
        "There is nothing to translate: no template is labelled ST or TM. --unlabelled "
        "includes templates without a label." in " ".join(said.split())
    )
    said = curate("translate", command, "-w", source_bank, "--unlabelled").out
    assert "There is nothing to translate: every template is labelled SR or NC." in said
    assert "--unlabelled" not in said
    said = curate("translate", command, "-w", demo, "--missing").out
    assert "all final texts of the chosen templates are written" in " ".join(said.split())
    assert not server.bodies


def test_the_estimate_is_the_bill_and_a_second_run_costs_nothing(
    curate: Curate, source_bank: Path, deepl_server: Server
) -> None:
    """Equal texts are sent once, those that differ in slot names alone too."""
    server = deepl_server()
    foreseen = estimate(curate, source_bank)
    first = translate(curate, source_bank)
    assert first["billed"] == server.billed == foreseen["characters"]
    texts = [text for body in server.bodies for text in body["text"]]
    assert len(texts) == len(set(texts)) == foreseen["to_send"]
    assert 'The <x id="1"/>' in texts
    requests = len(server.bodies)
    second = translate(curate, source_bank)
    assert (second["billed"], second["cells"], len(server.bodies)) == (0, 0, requests)
    assert estimate(curate, source_bank)["characters"] == 0


def test_the_price_is_that_of_the_settings(
    curate: Curate, source_bank: Path, set_setting: SetSetting
) -> None:
    """Of a million characters, in the currency that is named; none where none is stated."""
    assert estimate(curate, source_bank)["price"] is None
    named = "For a price, set translation.price in culture.yaml: that of a million characters.\n"
    assert curate("translate", "estimate", "-w", source_bank).out.endswith(named)
    set_setting(source_bank, "price: 20")
    set_setting(source_bank, "currency: EUR")
    found = estimate(curate, source_bank)
    assert found["price"] == round(found["characters"] * 20 / 1e6, 4)
    out = curate("translate", "estimate", "-w", source_bank).out
    assert "EUR" in out
    assert "For a price" not in out


def test_an_estimate_leaves_nothing_behind(
    curate: Curate, source_bank: Path, listing: Callable[[Path], dict[str, str]]
) -> None:
    """No memory is made, and no key is needed."""
    before = listing(source_bank)
    estimate(curate, source_bank)
    assert listing(source_bank) == before


def test_requests_are_as_slots_need_them(
    curate: Curate, source_bank: Path, deepl_server: Server, set_setting: SetSetting
) -> None:
    """The settings of tags are always sent, and a template's text goes along as context."""
    set_setting(source_bank, 'instructions: ["Write plainly."]')
    server = deepl_server()
    translate(curate, source_bank)
    body = next(body for body in server.bodies if "They hum &amp; sing" in body["text"])
    wanted = {
        "target_lang": "KO",
        "source_lang": "EN",
        "tag_handling": "xml",
        "tag_handling_version": "v2",
        "ignore_tags": ["x"],
        "non_splitting_tags": ["x"],
        "outline_detection": False,
        "custom_instructions": ["Write plainly."],
    }
    assert {name: body[name] for name in wanted} == wanted
    assert "formality" not in body
    assert body["context"].startswith("At the shop a potter and a baker came in. The potter")
    assert len({body["context"] for body in server.bodies}) == len(server.bodies) == 2
    assert server.peak <= 2


@pytest.mark.parametrize(
    "damage",
    ["dropped", "doubled", "filled", "renamed", "unknown", "glued", "moved", "unclosed", "emptied"],
)
def test_damaged_slots_are_asked_for_once_more_and_then_left_to_a_person(
    curate: Curate, source_bank: Path, deepl_server: Server, damage: str
) -> None:
    """The second time with a filler in each tag; a third time is never tried."""
    server = deepl_server(damage=damage, damage_filled=damage in ("emptied", "glued"))
    if damage == "moved":
        server.translate = lambda text: f"«{text}»"
    run = translate(curate, source_bank)
    assert run["sent_again"] > 0
    texts = [text for body in server.bodies for text in body["text"]]
    assert any('<x id="1">potter</x>' in text for text in texts)
    row = bank(source_bank)["craft-001a"]
    if server.damage_filled:
        assert run["flagged"]
        assert any(f["column"] == "ambiguous_context_machine" for f in run["findings"])
    else:
        assert not run["flagged"]
        assert row["ambiguous_context_machine"] == "«At the shop» [N1] «and» [N2] «came in.»"
    requests = len(server.bodies)
    assert translate(curate, source_bank)["flagged"] == run["flagged"]
    assert len(server.bodies) == requests


def test_what_stays_damaged_is_kept_as_it_came(
    curate: Curate, source_bank: Path, deepl_server: Server
) -> None:
    """A person sees the tags; no slot is made up."""
    deepl_server(damage="doubled", damage_filled=True)
    curate("translate", "run", "-w", source_bank)
    cell = bank(source_bank)["craft-001a"]["ambiguous_context_machine"]
    assert '<x id="1"/> <x id="1"/>' in cell
    assert "[N1]" not in cell


def test_a_reply_that_equals_its_source_is_flagged_but_not_sent_again(
    curate: Curate, source_bank: Path, deepl_server: Server
) -> None:
    """Another attempt would not change it."""
    server = deepl_server(translate=lambda text: text)
    run = translate(curate, source_bank)
    assert set(run["flagged"]) == {"same"}
    assert run["sent_again"] == 0
    assert server.billed == run["billed"]


@pytest.mark.parametrize("status", [429, 500, 503, 529])
def test_a_busy_server_is_asked_again(
    curate: Curate, source_bank: Path, deepl_server: Server, status: int
) -> None:
    """What was refused unread may be sent again, and is billed once."""
    server = deepl_server(faults={1: status})
    foreseen = estimate(curate, source_bank)["characters"]
    run = translate(curate, source_bank)
    assert run["problem"] is None
    assert server.billed == run["billed"] == foreseen


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (403, "DeepL refuses the key (403)"),
        (456, "the account's quota of characters is used up (456)"),
        (429, "too many requests (429)"),
        (503, "out of service (503)"),
        (529, "overloaded (529)"),
        (504, "no reply came"),
        (400, "DeepL refuses the request"),
    ],
)
def test_a_run_that_cannot_go_on_says_why_and_goes_on_later(
    curate: Curate, source_bank: Path, deepl_server: Server, status: int, said: str
) -> None:
    """One clear message, nothing lost, nothing paid twice."""
    server = deepl_server(faults=dict.fromkeys(range(2, 40), status))
    foreseen = estimate(curate, source_bank)["characters"]
    ran = curate("translate", "run", "-w", source_bank)
    assert ran.code == 1
    assert ran.err.count("Error:") == 1
    assert said in ran.err
    server.faults.clear()
    again = curate("translate", "run", "-w", source_bank)
    assert again.code == 0
    assert server.billed == foreseen
    assert bank(source_bank)["craft-002a"]["biased_question_machine"] == "«Who slept?»"


def test_what_came_before_a_stop_is_in_the_bank(
    curate: Curate, source_bank: Path, deepl_server: Server
) -> None:
    """A run that ends early has still written what it paid for."""
    culture = source_bank / "culture.yaml"
    text = culture.read_text(encoding="utf-8").replace("workers: 2", "workers: 1")
    culture.write_text(text, encoding="utf-8")
    deepl_server(faults={2: 456})
    run = translate(curate, source_bank)
    assert run["problem"]["what"].endswith("(456)")
    assert run["cells"] > 0
    assert run["waiting"] > 0


@pytest.mark.parametrize("fault", ["drop", "strange"])
def test_a_request_without_a_reply_is_not_sent_again_in_the_same_run(
    curate: Curate, source_bank: Path, deepl_server: Server, fault: str
) -> None:
    """It may have been billed: that is said, and the next run says it too before it pays."""
    server = deepl_server(faults={1: fault})
    ran = curate("translate", "run", "-w", source_bank)
    assert ran.code == 1
    assert ran.err.count("Error:") == 1
    assert "Traceback" not in ran.err
    texts = [text for body in server.bodies for text in body["text"]]
    assert len(texts) == len(set(texts))
    again = curate("translate", "run", "-w", source_bank)
    assert again.code == 0
    assert "an earlier run ended before the reply to" in again.err
    last = curate("translate", "run", "-w", source_bank)
    assert (last.code, "earlier run" in last.err) == (0, False)


def test_a_request_that_is_too_large_is_divided(
    curate: Curate, source_bank: Path, deepl_server: Server
) -> None:
    """Each part is billed once."""
    server = deepl_server(faults={1: 413, 2: 413})
    foreseen = estimate(curate, source_bank)["characters"]
    run = translate(curate, source_bank)
    assert run["problem"] is None
    assert server.billed == foreseen


def test_a_text_that_is_too_large_alone_is_left_to_a_person(
    curate: Curate, source_bank: Path, deepl_server: Server
) -> None:
    """It is never sent, the others are."""
    server = deepl_server()
    path = source_bank / "templates_src" / "bank.csv"
    text = path.read_text(encoding="utf-8").replace("Who slept?", "가" * 30_000)
    path.write_text(text, encoding="utf-8")
    ran = curate("translate", "run", "-w", source_bank)
    assert ran.code == 1
    assert "the engine refuses" in ran.err
    assert all(len(json.dumps(body)) <= 128 * 1024 for body in server.bodies)


def test_nothing_is_spent_beyond_the_budget_without_asking(
    curate: Curate, source_bank: Path, deepl_server: Server, set_setting: SetSetting
) -> None:
    """Without a terminal nobody can be asked: --yes says it."""
    server = deepl_server()
    set_setting(source_bank, "budget: 50")
    ran = curate("translate", "run", "-w", source_bank)
    assert ran.code == 1
    assert "the budget is 50 characters, 0 of them billed so far" in ran.err
    assert "--yes" in ran.err
    assert server.bodies == []
    assert curate("translate", "run", "-w", source_bank, "--yes").code == 0


def test_a_quota_that_will_not_do_is_said_before(
    curate: Curate, source_bank: Path, deepl_server: Server
) -> None:
    """What the account has left is compared; with --yes the run goes as far as it can."""
    server = deepl_server(limit=100)
    ran = curate("translate", "run", "-w", source_bank)
    assert ran.code == 1
    assert "the account has 100 characters left" in ran.err
    assert server.bodies == []
    assert curate("translate", "run", "-w", source_bank, "--yes").code == 1
    server.limit = 10_000
    foreseen = server.billed + estimate(curate, source_bank)["characters"]
    assert curate("translate", "run", "-w", source_bank).code == 0
    assert server.billed == foreseen


def test_a_glossary_belongs_to_what_was_asked(
    curate: Curate, source_bank: Path, deepl_server: Server, set_setting: SetSetting
) -> None:
    """Its content, not its id: other words are another question, the same words are not."""
    server = deepl_server()
    set_setting(source_bank, "glossary: glossary.csv")
    (source_bank / "glossary.csv").write_text("source,target\npotter,옹기장이\n", encoding="utf-8")
    translate(curate, source_bank)
    assert len(server.glossaries) == 1
    assert {body["glossary_id"] for body in server.bodies} == {"glossary-1"}
    server.glossaries["glossary-1"]["entries"] = "potter\tsomething else"
    assert estimate(curate, source_bank)["to_send"] == 0
    (source_bank / "glossary.csv").write_text("source,target\npotter,도공\n", encoding="utf-8")
    assert estimate(curate, source_bank)["to_send"] > 0
    translate(curate, source_bank)
    assert len(server.glossaries) == 2
    (source_bank / "glossary.csv").write_text("source,target\npotter,옹기장이\n", encoding="utf-8")
    assert estimate(curate, source_bank)["to_send"] == 0


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("formality: more", "DeepL has no formal or informal register for KO"),
        ("glossary: nowhere.csv", "there is no file nowhere.csv"),
        ("engine2: x", "translation.engine2"),
        ("instructions: ['']", "translation.instructions.item 1"),
    ],
)
def test_settings_that_cannot_work_are_refused_before_anything_is_sent(
    curate: Curate, source_bank: Path, set_setting: SetSetting, line: str, said: str
) -> None:
    """In one clear message."""
    set_setting(source_bank, line)
    ran = curate("translate", "run", "-w", source_bank)
    assert ran.code == 1
    assert said in ran.err


def test_keys_show_nowhere(
    curate: Curate, source_bank: Path, deepl_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In no message, no file and no process's arguments."""
    server = deepl_server()
    key = "sehr-geheim-4711"
    monkeypatch.setenv("DEEPL_AUTH_KEY", key)
    ran = curate("translate", "run", "-w", source_bank)
    assert "refuses the key" in ran.err
    server.keys.add(key)
    server.faults[1] = 400
    for args in ((), ("--json",)):
        ran = curate("translate", "run", "-w", source_bank, *args)
        assert key not in ran.out + ran.err
    for path in source_bank.rglob("*"):
        assert not path.is_file() or key.encode() not in path.read_bytes()


@pytest.mark.parametrize("key", ["", "  ", "line\nbreak", "schlüssel"])
def test_what_cannot_be_a_key_is_not_sent(
    curate: Curate,
    source_bank: Path,
    deepl_server: Server,
    monkeypatch: pytest.MonkeyPatch,
    key: str,
) -> None:
    """And is not shown."""
    server = deepl_server()
    monkeypatch.setenv("DEEPL_AUTH_KEY", key)
    ran = curate("translate", "run", "-w", source_bank)
    assert ran.code == 1
    assert "DEEPL_AUTH_KEY" in ran.err
    assert not key.strip() or key not in ran.err
    if not key.strip():
        assert "--engine file uses translations that you have" in ran.err
    assert server.bodies == []


def test_two_runs_at_once_do_not_pay_twice(
    curate: Curate, source_bank: Path, deepl_server: Server
) -> None:
    """The second is refused while the first lasts."""
    server = deepl_server()
    said = []

    def meanwhile() -> int:
        with (
            pytest.raises(CurateError, match="'curate translate run'"),
            locked(source_bank, "another run", 0, lock="translation"),
        ):
            pass
        said.append(True)
        return 200

    server.faults[1] = meanwhile
    curate("translate", "run", "-w", source_bank)
    assert said
    held, over = threading.Event(), threading.Event()

    def hold() -> None:
        with locked(source_bank, "another run", lock="translation"):
            held.set()
            over.wait(60)

    other = threading.Thread(target=hold)
    other.start()
    assert held.wait(60)
    ran = curate("translate", "run", "-w", source_bank, "--wait", "0")
    over.set()
    other.join()
    assert ran.code == 1
    assert "another command is writing to the workspace: 'another run'" in ran.err
    assert curate("translate", "run", "-w", source_bank, "--wait", "0").code == 0


def test_what_people_save_meanwhile_is_kept(
    curate: Curate, source_bank: Path, deepl_server: Server
) -> None:
    """The bank is read again before it is written."""
    server = deepl_server()
    path = source_bank / "templates_src" / "bank.csv"

    def meanwhile() -> int:
        text = path.read_text(encoding="utf-8").replace("Kiln & Co. is a shop", "Seen by Mina")
        path.write_text(text, encoding="utf-8")
        return 200

    server.faults[1] = meanwhile
    translate(curate, source_bank)
    row = bank(source_bank)["craft-001a"]
    assert row["note"] == "Seen by Mina"
    assert row["biased_question_machine"] == "«Who hums?»"


def test_a_damaged_memory_is_said(curate: Curate, source_bank: Path, deepl_server: Server) -> None:
    """With what to do about it."""
    deepl_server()
    (source_bank / ".curate").mkdir()
    (source_bank / ".curate" / "translation.sqlite").write_text("no database" * 100)
    ran = curate("translate", "run", "-w", source_bank)
    assert ran.code == 1
    assert "the translation memory cannot be used" in ran.err


def test_a_run_that_is_killed_goes_on_where_it_was(
    curate: Curate, source_bank: Path, deepl_server: Server
) -> None:
    """Killed at twenty points: the same bank in the end, and each character billed once."""
    culture = source_bank / "culture.yaml"
    text = culture.read_text(encoding="utf-8").replace("workers: 2", "workers: 1")
    culture.write_text(text, encoding="utf-8")
    path = source_bank / "templates_src" / "bank.csv"
    rows = path.read_text(encoding="utf-8").splitlines()
    more = [
        row.replace("craft-002", f"craft-{100 + at}")
        .replace("nap", f"nap {at} times")
        .replace("Soon", f"At {at}")
        for at in range(20)
        for row in rows
        if row.startswith(("craft-002", "Who slept"))
    ]
    path.write_text("\n".join([*rows, *more, ""]), encoding="utf-8")
    foreseen = estimate(curate, source_bank)["characters"]
    server = deepl_server()
    process: subprocess.Popen[bytes]

    def kill() -> str:
        process.send_signal(signal.SIGKILL)
        return "drop"

    command = [sys.executable, "-c", PROGRAM, "translate", "run", "-w", str(source_bank)]
    killed = 0
    for _ in range(20):
        server.faults = {len(server.bodies) + 2: kill}
        process = subprocess.Popen(
            command,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        killed += process.wait() == -signal.SIGKILL
    server.faults = {}
    assert killed == 20
    assert translate(curate, source_bank)["waiting"] == 0
    assert server.billed == foreseen
    assert bank(source_bank)["craft-119a"]["stereotype_machine"] == "«They nap 19 times»"


def test_the_pseudo_engine_needs_no_key(
    curate: Curate, source_bank: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is free, keeps every slot, and shows that it is no translation."""
    monkeypatch.delenv("DEEPL_AUTH_KEY", raising=False)
    ran = curate("translate", "run", "-w", source_bank, "--engine", "pseudo")
    assert ran.code == 0
    row = bank(source_bank)["craft-001a"]
    assert row["biased_answer_machine"] == "⟦Thé [N1]⟧"
    assert row["stereotype_machine"] == "⟦Théý húm & šíñğ⟧"


def test_what_is_not_translated_is_said(curate: Curate, source_bank: Path) -> None:
    """A source text that cannot be read is a finding; the others are translated."""
    path = source_bank / "templates_src" / "bank.csv"
    text = path.read_text(encoding="utf-8").replace("Who slept?", "Who [slept?")
    path.write_text(text, encoding="utf-8")
    ran = curate("translate", "run", "-w", source_bank, "--engine", "pseudo", "--json")
    (finding,) = ran.json["findings"]
    assert finding["rule"] == "translate-source-unreadable"
    assert finding["column"] == "biased_question_source"
    assert bank(source_bank)["craft-002a"]["stereotype_machine"] == "⟦Théý ñáp⟧"


def test_wrong_usage_is_status_2(curate: Curate, source_bank: Path) -> None:
    """A file belongs to one engine only."""
    ran = curate("translate", "run", "-w", source_bank, "--file", "x.csv")
    assert ran.code == 2
    assert curate("translate", "run", "--engine", "babel").code == 2


def test_translations_may_come_from_a_file(curate: Curate, source_bank: Path) -> None:
    """They are verified like any other; what the file lacks is said and waits."""
    table = source_bank / "made.csv"
    table.write_text(
        "source,translation\nWho slept?,누가 잤나?\n[N1] and [N2] sat in the [W1].,"
        "[N1]는 앉았다.\n",
        encoding="utf-8",
    )
    args = ("--engine", "file", "--file", table)
    run = translate(curate, source_bank, *args)
    assert "refuses 15 texts" in run["problem"]["what"]
    assert set(run["flagged"]) == {"markup", "slots"}
    row = bank(source_bank)["craft-002a"]
    assert row["biased_question_machine"] == "누가 잤나?"
    assert row.get("stereotype_machine") == ""
    assert curate("translate", "run", "-w", source_bank, "--engine", "file").code == 1


def test_what_was_paid_for_is_written_when_the_second_round_is_refused(
    curate: Curate, source_bank: Path, deepl_server: Server, set_setting: SetSetting
) -> None:
    """The budget is looked at again before damaged texts are sent a second time."""
    server = deepl_server(damage="dropped")
    foreseen = estimate(curate, source_bank)["characters"]
    set_setting(source_bank, f"budget: {foreseen}")
    ran = curate("translate", "run", "-w", source_bank)
    assert ran.code == 1
    assert "--yes" in ran.err
    assert server.billed == foreseen
    assert bank(source_bank)["craft-001a"]["biased_question_machine"] == "«Who hums?»"


def test_an_interrupted_run_writes_what_it_has(
    curate: Curate, source_bank: Path, deepl_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is under way is waited for, since it is paid for."""
    server = deepl_server()
    calls = []

    class Thread(threading.Thread):
        def is_alive(self) -> bool:
            # The workers may be done before the run looks at them for the first time.
            return not calls or super().is_alive()

        def join(self, timeout: float | None = None) -> None:
            super().join()
            if timeout is not None and not calls:
                calls.append(True)
                raise KeyboardInterrupt

    monkeypatch.setattr("curation.annotation.engines.runner.threading.Thread", Thread)
    ran = curate("translate", "run", "-w", source_bank)
    assert ran.code == 130
    assert calls
    assert server.billed > 0
    assert bank(source_bank)["craft-001a"]["biased_question_machine"] == "«Who hums?»"


def test_a_shared_text_is_not_paid_for_again_in_another_context(
    curate: Curate, source_bank: Path, deepl_server: Server
) -> None:
    """It was sent with the first template's; that one is left out later, the other is not."""
    server = deepl_server()
    translate(curate, source_bank)
    paid = server.billed
    path = source_bank / "templates_src" / "bank.csv"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(",Craft,ST,", ",Craft,SR,"), encoding="utf-8")
    assert estimate(curate, source_bank)["to_send"] == 0
    assert estimate(curate, source_bank, "--missing")["characters"] == 0
    translate(curate, source_bank, "--missing")
    assert server.billed == paid


def test_an_interrupted_bill_and_the_next_estimate_add_up(
    curate: Curate, source_bank: Path, deepl_server: Server
) -> None:
    """What a run was stopped in is estimated less what was paid, to the character."""
    culture = source_bank / "culture.yaml"
    settings = culture.read_text(encoding="utf-8").replace("workers: 2", "workers: 1")
    culture.write_text(settings, encoding="utf-8")
    server = deepl_server(faults={2: 456})
    whole = estimate(curate, source_bank)["characters"]
    stopped = translate(curate, source_bank)
    assert 0 < stopped["billed"] == server.billed < whole
    left = estimate(curate, source_bank)["characters"]
    assert left == whole - server.billed
    assert translate(curate, source_bank)["billed"] == left
    assert server.billed == whole
