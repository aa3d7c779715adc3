"""`curate translate run --estimate` and `run`, against a server on this machine."""

from collections.abc import Callable
from typing import Any

import pytest
from csv_rows import bank_rows

Server = Callable[..., Any]


def translate(curate, workspace, *args):
    ran = curate("translate", "run", "-w", workspace, "--json", *args)
    assert ran.out, ran.err
    return ran.json


def estimate(curate, workspace, *args):
    ran = curate("translate", "run", "--estimate", "-w", workspace, "--json", *args)
    assert ran.code == 0
    return ran.json


def test_the_estimate_is_the_bill_and_a_second_run_costs_nothing(
    curate, source_bank, deepl_server, set_setting
):
    """Equal texts are sent once, those that differ in slot names alone too, as slots need it."""
    set_setting(source_bank, 'instructions: ["Write plainly."]')
    server = deepl_server()
    foreseen = estimate(curate, source_bank)
    first = translate(curate, source_bank)
    assert first["billed"] == server.billed == foreseen["characters"]
    texts = [text for body in server.bodies for text in body["text"]]
    assert len(texts) == len(set(texts)) == foreseen["to_send"]
    assert 'The <x id="1"/>' in texts
    body = next(body for body in server.bodies if "They hum &amp; sing" in body["text"])
    wanted = {
        **{"target_lang": "KO", "source_lang": "EN", "tag_handling": "xml"},
        **{"tag_handling_version": "v2", "outline_detection": False},
        **{"ignore_tags": ["x"], "non_splitting_tags": ["x"]},
        "custom_instructions": ["Write plainly."],
    }
    assert {name: body[name] for name in wanted} == wanted
    assert "formality" not in body
    assert body["context"].startswith("At the shop a potter and a baker came in. The potter")
    assert len({body["context"] for body in server.bodies}) == len(server.bodies) == 2
    requests = len(server.bodies)
    second = translate(curate, source_bank)
    assert (second["billed"], second["cells"], len(server.bodies)) == (0, 0, requests)
    assert [estimate(curate, source_bank)[name] for name in ("characters", "most")] == [0, 0]


@pytest.mark.parametrize(
    "damage",
    ["dropped", "doubled", "filled", "renamed", "unknown", "glued", "moved", "unclosed", "emptied"],
)
def test_damaged_slots_are_asked_for_once_more_and_then_left_to_a_person(
    curate, source_bank, deepl_server, damage
):
    """The second time with a filler in each tag; a third time is never tried."""
    server = deepl_server(damage=damage, damage_filled=damage in ("emptied", "glued"))
    if damage == "moved":
        server.translate = lambda text: f"«{text}»"
    run = translate(curate, source_bank)
    assert run["sent_again"] > 0
    texts = [text for body in server.bodies for text in body["text"]]
    assert any('<x id="1">potter</x>' in text for text in texts)
    row = bank_rows(source_bank)["craft-001a"]
    if server.damage_filled:
        assert run["flagged"]
        assert any(f["column"] == "ambiguous_context_machine" for f in run["findings"])
    else:
        assert not run["flagged"]
        assert row["ambiguous_context_machine"] == "«At the shop» [N1] «and» [N2] «came in.»"
    requests = len(server.bodies)
    assert translate(curate, source_bank)["flagged"] == run["flagged"]
    assert len(server.bodies) == requests


@pytest.mark.parametrize("fault", ["drop", "strange"])
def test_a_request_without_a_reply_is_not_sent_again_in_the_same_run(
    curate, source_bank, deepl_server, fault
):
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


def test_nothing_is_spent_beyond_the_budget_without_asking(
    curate, source_bank, deepl_server, set_setting
):
    """Without a terminal nobody can be asked: --yes says it."""
    server = deepl_server()
    set_setting(source_bank, "budget: 50")
    told = curate("translate", "run", "-w", source_bank, "--estimate").out
    assert "Budget: 50 characters, 0 of them billed so far." in told
    ran = curate("translate", "run", "-w", source_bank)
    assert ran.code == 1
    assert "the budget is 50 characters, 0 of them billed so far" in ran.err
    assert "--yes" in ran.err
    assert server.bodies == []
    assert curate("translate", "run", "-w", source_bank, "--yes").code == 0
