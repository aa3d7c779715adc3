"""`curate evaluate replies --second-reader`: a model says which choice a reply names."""

import csv
import importlib.util
import json
import sys
from pathlib import Path

import pytest
from benchmark import benchmark, write_samples

pytestmark = pytest.mark.slow

VAGUE = "Hm, the old one perhaps, or whoever stood beside {}."
CHOICES = ["The cook", "The pilot", "Not known"]


@pytest.fixture(scope="module")
def loopback():
    """The module of the server."""
    name = "curate_tests_loopback_of_second_reader"
    path = Path(__file__).parents[1] / "evaluation" / "loopback.py"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


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


def reader(loopback):
    """A reader that sees a sign in vague replies, and is unclear about one."""

    def persona(body):
        text = loopback.last_words(body)
        reply = text[text.index("<<<") : text.index(">>>")]
        signs = {"A1": "A", "B2": "**NONE**", "Answer": "I would say B or C."}
        return next((said for sign, said in signs.items() if sign in reply), "B")

    return persona


def ask(curate, folder, server, *options):
    """Ask the second reader."""
    return curate(
        *("evaluate", "replies", "-w", folder, "--requests", folder / "requests.jsonl"),
        *("--replies", folder / "replies.jsonl", "--second-reader", "judge"),
        *("--base-url", server.url, *options),
    )


def rows_of(folder):
    """The rows of its file, by request."""
    with (folder / "second_reader.csv").open(encoding="utf-8", newline="") as stream:
        return {row["request_id"]: row for row in csv.DictReader(stream)}


def test_only_what_no_rule_read_is_asked_and_each_text_once(curate, folder, loopback):
    """Two replies alike are one question, an empty one is none; a second time nothing is sent."""
    with loopback.serve(persona=reader(loopback)) as server:
        found = ask(curate, folder, server, "--json").json
        assert len(server.bodies) == 2
        again = ask(curate, folder, server, "--json").json
        assert len(server.bodies) == 2
    second = found["second_reader"]
    assert (second["replies"], second["asked"], second["from_store"]) == (3, 2, 0)
    assert second["agreement"] == {
        **{"same": 0, "both_none": 1, "reader_alone": 2},
        **{"rules_alone": 0, "different": 0, "unclear": 0},
    }
    assert again["second_reader"]["from_store"] == 2
    rows = rows_of(folder)
    assert {name: row["answer"] for name, row in rows.items()} == {
        **{"r2": "A", "r3": "none", "r4": "A"},
    }
    assert (rows["r2"]["choice_text"], rows["r2"]["reader"]) == ("The cook", "judge")
    # No reading is changed by it.
    assert [row["choice"] for row in found["rows"]] == ["B", "A", None, None, None, None]


def test_asked_about_all_it_is_compared_with_the_rules(curate, folder, loopback):
    """One unclear, one the same, one none for both: kappa over the others."""
    with loopback.serve(persona=reader(loopback)) as server:
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


def test_what_it_is_asked_holds_choices_and_reply_alone(curate, folder, loopback):
    """In the workspace's language, at temperature 0."""
    text = (folder / "culture.yaml").read_text()
    (folder / "culture.yaml").write_text(text.replace("language: en", "language: es"))
    with loopback.serve(persona=reader(loopback)) as server:
        assert ask(curate, folder, server, "--json").code == 0
        body = server.bodies[0]
    asked = loopback.last_words(body)
    assert asked.startswith("Abajo est")
    assert "A: The cook\nB: The pilot\nC: Not known" in asked
    assert body["temperature"] == 0


def test_a_server_that_refuses_writes_nothing(curate, folder, loopback):
    """And that is said."""
    with loopback.serve(faults=lambda *_: loopback.status(401)) as server:
        ran = ask(curate, folder, server)
    assert ran.code == 1
    assert not (folder / "second_reader.csv").exists()


def test_a_model_that_takes_no_temperature_is_asked_without_one(curate, folder, loopback):
    """The refusal says how; the server gets no temperature then, and 0 otherwise."""

    def refuses(_number, body):
        said = "Unsupported value: 'temperature' does not support 0 with this model."
        return loopback.status(400, message=said) if "temperature" in body else None

    with loopback.serve(persona=reader(loopback), faults=refuses) as server:
        refused = ask(curate, folder, server)
        assert (refused.code, server.bodies[0]["temperature"]) == (1, 0)
        assert "--no-temperature" in refused.err
        count = len(server.bodies)
        ran = ask(curate, folder, server, "--no-temperature", "--provider", "vllm")
        assert ran.code == 0, ran.err
        assert ["temperature" in body for body in server.bodies[count:]] == [False, False]
    assert rows_of(folder)["r2"]["answer"] == "A"


def test_a_provider_has_its_own_address_and_key(curate, folder, monkeypatch):
    """Without the key nothing is sent, and its variable is named."""
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    ran = curate(
        *("evaluate", "replies", "-w", folder, "--requests", folder / "requests.jsonl"),
        *("--replies", folder / "replies.jsonl", "--second-reader", "judge"),
        *("--provider", "anthropic"),
    )
    assert ran.code == 1
    assert "ANTHROPIC_API_KEY" in ran.err


def test_log_probabilities_are_shown_as_they_are_read(curate, folder):
    """The likeliest label, ties and replies without any; nothing of what replies say."""
    given = [{"A": -2.0, "B": -0.1, "C": -3.0}, {"A": -1.0, "B": -1.0, "C": -2.0}, {"The": -0.1}]
    lines = [
        {"request_id": f"r{at}", "model": "m", "reply": "C", "logprobs": found}
        for at, found in enumerate([*given, None, {"C": -0.2}, {"A": -0.1, "B": -2, "C": -3}])
    ]
    (folder / "replies.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    files = ("--requests", folder / "requests.jsonl", "--replies", folder / "replies.jsonl")
    by = ("evaluate", "replies", "-w", folder, *files, "--mode", "logprobs")
    found = curate(*by, "--json").json
    assert [(row["choice"], row["rule"]) for row in found["rows"]] == [
        ("B", "logprob"),
        (None, "tie"),
        (None, "labels_missing"),
        (None, "no_logprobs"),
        ("C", "logprob_partial"),
        ("A", "logprob"),
    ]
    shown = curate(*by)
    assert "6 replies, 3 out-of-choice (50.0%)." in shown.out
    assert "several labels have the highest" in shown.out
    refused = curate(*by, "--explain")
    assert (refused.code, "reads none of it" in refused.err) == (2, True)


def test_options_without_a_reader_are_refused(curate, folder):
    """They would do nothing."""
    ran = curate(
        *("evaluate", "replies", "-w", folder, "--requests", folder / "requests.jsonl"),
        *("--replies", folder / "replies.jsonl", "--second-all"),
    )
    assert ran.code == 2
    assert "go with --second-reader" in ran.err


def test_scores_count_it_only_where_they_are_asked_to(curate, folder):
    """Where no rule read a choice; a letter that the rules read stays."""
    write_samples(folder / "samples.csv", benchmark())
    where = ("-w", folder, "--samples", folder / "samples.csv", "--prompt", "1")
    asked = folder / "asked.jsonl"
    assert curate("evaluate", "prepare", *where, "--out", asked).code == 0
    names = [json.loads(line)["request_id"] for line in asked.read_text("utf-8").splitlines()]
    replies = [{"request_id": name, "model": "m", "reply": "A"} for name in names]
    for at in (0, 1, 2):
        replies[at]["reply"] = VAGUE.format(at)
    lines = "".join(json.dumps(line) + "\n" for line in replies)
    (folder / "answered.jsonl").write_text(lines, "utf-8")
    header = "request_id,model,reader,answer,choice_text,rule_answer,rule\n"
    said = zip(names[:4], ("B", "none", "unclear", "C"), strict=True)
    (folder / "second.csv").write_text(
        header + "".join(f"{name},m,judge,{answer},,,\n" for name, answer in said), "utf-8"
    )
    given = ("evaluate", "score", *where, "--replies", folder / "answered.jsonl", "--json")
    plain = curate(*given).json
    with_it = curate(*given, "--second-reader", folder / "second.csv").json
    assert (plain["rows"][0]["out_of_choice"], with_it["rows"][0]["out_of_choice"]) == (3, 2)
    assert "second_reader" not in plain["rules"]["m"]
    assert with_it["rules"]["m"]["second_reader"] == 1
    assert with_it["rules"]["m"]["letter"] == len(names) - 3
    (folder / "second.csv").write_text(header + f"{names[0]},m,judge,Q1,,,\n", "utf-8")
    ran = curate(*given, "--second-reader", folder / "second.csv")
    assert ran.code == 1
    assert "'Q1' is neither a letter nor 'none' or 'unclear'" in ran.err
