"""Replies constrained to the labels of a request, and questions in two turns."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from waiting import wait_for

from curation.languages import available, load
from curation.records.messages import CurateError
from evaluation.prompts import ANSWERS, bundled_prompts, read_prompts
from evaluation.replies.files import load_replies
from evaluation.requests import Request
from evaluation.runner.backend import BackendSettings, open_backend, providers, served_by
from evaluation.runner.index import Asking, keeps_to, reply_key
from evaluation.runner.run import Ending, Price, Purse
from evaluation.runner.store import EarlierCosts
from tests.evaluation.runner.conftest import write as write_requests

ROOT = Path(__file__).parents[3]
MESSAGES = ({"role": "user", "content": "Who slept?\na) the baker\nb) the potter\nc) Unknown"},)
REQUEST = Request("r0", MESSAGES, ("the baker", "the potter", "Unknown"))
SCHEMA = {
    "response_format": {
        "type": "json_schema",
        "json_schema": {
            "name": "answer",
            "strict": True,
            "schema": {
                "type": "object",
                "properties": {"answer": {"type": "string", "enum": ["a", "b", "c"]}},
                "required": ["answer"],
                "additionalProperties": False,
            },
        },
    }
}
SENT = {
    "openai": SCHEMA,
    "gemini": SCHEMA,
    "azure": SCHEMA,
    "ollama": SCHEMA,
    "openrouter": {**SCHEMA, "provider": {"require_parameters": True}},
    "vllm": {"structured_outputs": {"choice": ["a", "b", "c"]}},
    "llama.cpp": {"grammar": 'root ::= "a" | "b" | "c"'},
    None: SCHEMA,
}


@pytest.mark.parametrize("provider", SENT)
def test_each_provider_is_sent_what_constrains_it(provider):
    """With the labels of the request at hand; all of it is part of the reply's key."""
    address = BackendSettings("m", {"temperature": 0}, base_url="http://localhost/v1")
    asking = served_by(address, provider, constrain=True).asking()
    body = {"model": "m", "messages": list(MESSAGES), "temperature": 0, **SENT[provider]}
    assert asking.body(REQUEST) == body
    assert asking.key(REQUEST) == reply_key(body)
    assert asking.key(REQUEST) != served_by(address, provider).asking().key(REQUEST)


def test_of_two_turns_the_second_is_constrained():
    """The first reply is free, and what the second turn asks is part of the key."""
    asking = Asking("m", {}, constrain="choice", then_ask="Only {letters}.")
    assert asking.body(REQUEST) == asking.first.body(REQUEST)
    second = asking.body(REQUEST, "Hm.")
    assert second["structured_outputs"] == {"choice": ["a", "b", "c"]}
    assert second["messages"][1:] == [
        {"role": "assistant", "content": "Hm."},
        {"role": "user", "content": "Only a, b, c."},
    ]
    keys = {replace(asking, then_ask=text).key(REQUEST) for text in ("", "Only {letters}.", "Now?")}
    assert len(keys | {asking.first.key(REQUEST)}) == 4


def test_what_cannot_be_constrained_is_refused():
    """A provider without a way, a model here, no choices, a parameter given twice."""
    assert set(providers()) - set(SENT) == {"anthropic"}
    with pytest.raises(CurateError, match="anthropic cannot constrain"):
        served_by(BackendSettings("m"), "anthropic", constrain=True)
    with pytest.raises(CurateError, match="are labels already"):
        open_backend("uniform", BackendSettings("", constrain="schema"))
    with pytest.raises(ValueError, match="no choices"):
        Asking("m", {}, constrain="choice").key(Request("r", MESSAGES))
    with pytest.raises(CurateError, match="'grammar' is set by --constrain"):
        Asking("m", {"grammar": "x"}, constrain="grammar")
    with pytest.raises(CurateError, match="first token"):
        Asking("m", {"logprobs": True}, constrain="schema")


def test_a_reply_is_a_label_or_it_is_not():
    """As it stands or as JSON; nothing else."""
    kept = ["a", ' {"answer": "b"}\n']
    others = ["d", '{"answer": "d"}', "", "a, for he slept", '{"answer": ["a"]}', "[1]"]
    labels = ("a", "b", "c")
    assert [text for text in (*kept, *others) if keeps_to(text, labels)] == kept


def test_a_server_that_passes_over_the_constraint_is_noticed(tmp_path, serve, ask):
    """Once, at the first reply that is none of the labels."""
    server = serve(persona=lambda _body: "a, for he slept")
    write(tmp_path, 2)
    asked = ask(tmp_path, server.url, constrain="choice", parameters={"temperature": 0})
    assert asked.said == [
        "a reply is none of the labels that --constrain allows: the server passes over it, or the "
        "reply was cut off at --max-tokens"
    ]


def write(folder, count):
    write_requests(folder, [f"q{at}: A. x B. y" for at in range(count)], choices=["x", "y"])


def think(body):
    """Reply at length to the first turn, and with a letter to the second."""
    return "B" if len(body["messages"]) == 3 else f"Hm: {body['messages'][0]['content']}"


def test_a_second_turn_gets_the_first_reply_and_both_are_one_line(tmp_path, serve, ask):
    """The tokens of both are the reply's. The same model asked in one turn pays nothing again."""
    server = serve(persona=think)
    write(tmp_path, 1)
    fixed = {"parameters": {"temperature": 0}}
    asked = ask(tmp_path, server.url, then_ask="Only {letters}.", **fixed)
    first = "Hm: q0: A. x B. y"
    assert [body["messages"][1:] for body in server.bodies] == [
        [],
        [
            {"role": "assistant", "content": first},
            {"role": "user", "content": "Only A, B."},
        ],
    ]
    (line,) = asked.lines
    named = {"model": "tiny (then asked)", "reply": "B", "first_reply": first}
    assert line.items() >= named.items()
    assert line["usage"] == {"input_tokens": 3 + 2, "output_tokens": 4 + 1}
    assert (asked.tally.answered, asked.tally.input_tokens) == (1, 5)
    single = ask(tmp_path, server.url, replies="single.jsonl", **fixed)
    assert (single.tally.from_store, single.replies) == (1, {"r0": first})
    again = ask(tmp_path, server.url, then_ask="Only {letters}.", replies="again.jsonl", **fixed)
    assert (again.tally.from_store, len(server.bodies)) == (1, 2)
    other = ask(tmp_path, server.url, then_ask="Just {letters}.", replies="other.jsonl", **fixed)
    assert (other.tally.answered, len(server.bodies)) == (1, 3)  # the first turn is in the store


def test_two_turns_cost_what_was_reserved_where_tokens_are_not_counted(tmp_path, serve, ask):
    """4 tokens of a request are sent twice, with at most 5 of the first reply; 5 come twice."""
    server = serve(persona=think, usage=lambda *_: None)
    write(tmp_path, 3)
    purse = Purse(Price(1_000_000, 2_000_000), 2 * 33, 5, EarlierCosts(), turns=2)
    asked = ask(tmp_path, server.url, then_ask="Only {letters}.", purse=purse, concurrency=1)
    assert (asked.tally.answered, asked.tally.ending) == (2, Ending.BUDGET)
    assert purse.spent == 2 * (4 + 4 + 5 + 2 * (5 + 5))


@pytest.mark.parametrize("end", ["length", "content_filter"])
def test_a_first_turn_that_was_cut_off_concludes_nothing(tmp_path, serve, ask, loopback, end):
    """Nothing more is asked: a letter would be invented."""

    def ended(reply):
        return {**reply, "choices": [{**reply["choices"][0], "finish_reason": end}]}

    server = serve(persona=think, faults=lambda *_: loopback.Fault(change=ended))
    write(tmp_path, 1)
    asked = ask(tmp_path, server.url, then_ask="Only {letters}.")
    cut = end == "length"
    assert (asked.tally.cut_in_thoughts, asked.tally.content_filter) == (cut, not cut)
    assert (asked.lines[0]["first_reply"], len(server.bodies)) == ("Hm: q0: A. x B. y", 1)
    found = load_replies([tmp_path / "replies.jsonl"]).frame["reply"].tolist()
    assert found == ["<think>" if cut else ""]


def test_a_kill_between_the_turns_pays_nothing_twice(tmp_path, serve):
    """The first replies are on the disk before the second turns are sent."""
    folder = tmp_path / "exports" / "evaluation"
    folder.mkdir(parents=True)
    write(folder, 6)
    server = serve(persona=think)
    server.holds = lambda number: len(server.bodies[number - 1]["messages"]) == 3
    program = "from curation.cli.main import main; main()"
    options = ["--base-url", server.url, "--then-ask", "--constrain", "--language", "en"]
    command = ["evaluate", "run", "-w", str(tmp_path), "--model", "tiny", *options]
    given = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen([sys.executable, "-c", program, *command], env=given)
    wait_for(lambda: len(server.bodies) == 12 or process.poll() is not None)
    process.kill()
    process.wait(120)
    server.holds = lambda _number: False
    subprocess.run([sys.executable, "-c", program, *command], env=given, check=True, timeout=300)
    turns = [len(body["messages"]) for body in server.bodies]
    assert (turns.count(1), turns.count(3)) == (6, 12)
    second = [body for body in server.bodies if len(body["messages"]) == 3]
    assert all("response_format" in body for body in second)
    assert not any("response_format" in body for body in server.bodies[:6])
    question = server.bodies[-1]["messages"][-1]["content"]
    assert question == "Write one letter and nothing else: A, B."


def test_a_file_of_prompts_has_sentences_of_its_own(tmp_path):
    """Of one that lacks them the language is asked; without either nothing is added."""
    text = 'prompts: [{id: "1", layout: "{context} {question} {a} {b} {c}", unknown: "?"}]\n'
    path = tmp_path / "prompts.yaml"
    path.write_text(text + 'answer_letter: "Only {letters}!"\n')
    found = read_prompts(path)
    (prompt,) = found.answered("letter", load("en")).prompts
    assert prompt.text("C.", "Q?", "xyz") == "Only A, B, C!\n\nC. Q? x y z"
    (prompt,) = found.answered("json", load("en")).prompts
    assert prompt.text("C.", "Q?", "xyz").startswith("Give the letter as JSON")
    with pytest.raises(CurateError, match="no language is named"):
        found.answered("json", None)


@pytest.mark.parametrize("code", sorted(name for name in available() if load(name).prompts))
def test_every_language_asks_for_a_letter_and_for_json(code):
    """In prompts of other ids, which hold the sentence once, with their own letters."""
    plain = bundled_prompts(code)
    for form in ANSWERS:
        found = plain.answered(form, load(code))
        for before, after in zip(plain.prompts, found.prompts, strict=True):
            assert after.id == f"{before.id}_{form}"
            text = after.text("c", "q", ("x", "y", after.unknown))
            assert text.count('{"answer": "X"}') == (form == "json")
            assert ", ".join(before.letters) in text
            assert len(text) > len(before.text("c", "q", ("x", "y", before.unknown))) + 10
