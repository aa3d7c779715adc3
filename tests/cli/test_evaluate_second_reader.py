"""`curate evaluate replies --second-reader`: a model says which choice a reply names."""

import json

import pytest
from benchmark import benchmark, write_samples
from csv_rows import read_rows

from evaluation.replies.readings import digest_of
from evaluation.replies.second import NOTHING, UNCLEAR, _kind
from tests.evaluation import loopback

pytestmark = pytest.mark.slow

VAGUE = "Hm, the old one perhaps, or whoever stood beside {}."
CHOICES = ["The cook", "The pilot", "Not known"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Six requests; of the replies the rules read two, two are alike, one is empty."""
    for variable in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(variable, raising=False)
    (tmp_path / "culture.yaml").write_text("culture: X\nlanguage: en\nunknown: Not known\n")
    requests = [{"request_id": f"r{at}", "choices": CHOICES} for at in range(6)]
    texts = ["B", "Answer: A", VAGUE.format("A1"), VAGUE.format("B2"), VAGUE.format("A1"), "  "]
    replies = [{"request_id": f"r{at}", "model": "m", "reply": t} for at, t in enumerate(texts)]
    for name, lines in (("requests", requests), ("replies", replies)):
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (tmp_path / f"{name}.jsonl").write_text(text, "utf-8")
    return tmp_path


def reader():
    """A reader that sees a sign in vague replies, and is unclear about one."""

    def persona(body):
        text = loopback.last_words(body)
        reply = text[text.index("<<<") : text.index(">>>")]
        signs = {"A1": "A", "B2": "**NONE**", "Answer": "I would say B or C."}
        return next((said for sign, said in signs.items() if sign in reply), "B")

    return persona


def ask(curate, folder, server, *options):
    return curate(
        *("evaluate", "replies", "-w", folder, "--requests", folder / "requests.jsonl"),
        *("--replies", folder / "replies.jsonl", "--second-reader", "judge"),
        *("--base-url", server.url, *options),
    )


def rows_of(folder):
    return {row["request_id"]: row for row in read_rows(folder / "second_reader.csv")}


def test_asked_about_all_it_is_compared_with_the_rules(curate, folder):
    """One unclear, one the same, one none for both: kappa over the others."""
    with loopback.serve(persona=reader()) as server:
        ran = ask(curate, folder, server, "--second-all")
    assert ran.code == 0, ran.err
    rows = rows_of(folder)
    assert {name: (row["answer"], row["rule_answer"]) for name, row in rows.items()} == {
        "r0": ("B", "B"),
        "r1": ("unclear", "A"),
        "r2": ("A", "none"),
        "r3": ("none", "none"),
        "r4": ("A", "none"),
    }
    # Agreement is 2 of 4; by chance (1 x 1 + 1 x 3) / 16 = 1/4: kappa = (1/2 - 1/4) / (3/4).
    assert "Cohen's kappa with the rules: 0.333" in ran.out
    assert "Replies of the second reader without a letter: 1" in ran.out


@pytest.mark.parametrize("every", [1, 2])
def test_a_reader_that_takes_no_temperature_is_asked_again_without_one(curate, folder, every):
    """As reasoning models do, or one server of several; all replies are then of one kind."""

    def refuse(number, body):
        told = "Unsupported value: 'temperature' does not support 0 with this model"
        taken = "temperature" not in body or number % every
        return None if taken else loopback.status(400, message=told)

    with loopback.serve(persona=reader(), faults=refuse) as server:
        ran = ask(curate, folder, server)
    assert ran.code == 0, ran.err
    assert "takes no temperature" in ran.err
    assert {row["answer"] for row in rows_of(folder).values()} == {"A", "none"}


def test_scores_count_it_only_where_they_are_asked_to(curate, folder):
    """Where no rule read a choice; a letter that the rules read, or another reply, stays."""
    write_samples(folder / "samples.csv", benchmark())
    where = ("-w", folder, "--samples", folder / "samples.csv")
    asked = folder / "asked.jsonl"
    assert curate("evaluate", "prepare", *where, "--out", asked).code == 0
    requests = [json.loads(line) for line in asked.read_text("utf-8").splitlines()]
    names = [request["request_id"] for request in requests]
    replies = [{"request_id": name, "model": "m", "reply": "A"} for name in names]
    for at in (0, 1, 2):
        replies[at]["reply"] = VAGUE.format(at)
    lines = "".join(json.dumps(line) + "\n" for line in replies)
    (folder / "answered.jsonl").write_text(lines, "utf-8")
    header = "request_id,model,reader,answer,reply\n"
    known = [digest_of(replies[at]["reply"], requests[at]["choices"], None) for at in range(4)]
    said = zip(known, ("B", "none", "unclear", "C"), strict=True)
    (folder / "second.csv").write_text(
        header + "".join(f"x,m,judge,{answer},{reply}\n" for reply, answer in said), "utf-8"
    )
    given = ("evaluate", "score", *where, "--replies", folder / "answered.jsonl", "--json")
    plain = curate(*given).json
    with_it = curate(*given, "--filled", folder / "second.csv").json
    assert (plain["rows"][0]["out_of_choice"], with_it["rows"][0]["out_of_choice"]) == (3, 2)
    assert "second_reader" not in plain["rules"]["m"]
    assert with_it["rules"]["m"]["second_reader"] == 1
    assert with_it["rules"]["m"]["letter"] == len(names) - 3
    replies[0]["reply"] = "Hm, not that one."
    (folder / "answered.jsonl").write_text("".join(json.dumps(it) + "\n" for it in replies))
    later = curate(*given, "--filled", folder / "second.csv").json
    assert later["rows"][0]["out_of_choice"] == 3
    (folder / "second.csv").write_text(header + f"x,m,judge,Q1,{known[0]}\n", "utf-8")
    ran = curate(*given, "--filled", folder / "second.csv")
    assert ran.code == 1
    assert "'Q1' is neither a letter nor 'none' or 'unclear'" in ran.err


def test_how_a_reader_and_the_rules_agree():
    """By what each of them reads of a reply."""
    for answer, rules, kind in (
        ("A", "A", "same"),
        ("A", "B", "different"),
        ("A", NOTHING, "reader_alone"),
        (NOTHING, "A", "rules_alone"),
        (NOTHING, NOTHING, "both_none"),
        (UNCLEAR, "A", UNCLEAR),
    ):
        assert _kind(answer, rules) == kind
