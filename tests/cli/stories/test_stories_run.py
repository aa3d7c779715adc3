"""Stories the whole way: built, continued and read by personas on this machine, scored."""

import importlib.util
import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

STORIES = ("evaluate", "stories")
Body = dict[str, Any]


def _loopback() -> ModuleType:
    name = "curate_tests_evaluation_loopback"
    if name not in sys.modules:
        path = Path(__file__).parents[2] / "evaluation" / "loopback.py"
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return sys.modules[name]


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Any]]:
    """Start servers; the environment names none."""
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with ExitStack() as stack:
        yield lambda **settings: stack.enter_context(_loopback().serve(**settings))


class Judge:
    """Reads whole stories rightly: it knows the stories, and what each persona does."""

    def __init__(self, rows: Sequence[dict[str, str]]) -> None:
        self._rows = rows

    def __call__(self, body: Body) -> str:
        """Name the choice that the continuation makes true."""
        text = str(body["messages"][-1]["content"])
        row = next(row for row in self._rows if row["context"] in text and row["question"] in text)
        answers = json.loads(row["choices"])
        meant = self._meant(row, answers, text.split(row["context"])[1])
        shown = dict(re.findall(r"^([ABC]): (.*)$", text, re.MULTILINE))
        wanted = next(
            (letter for letter, choice in shown.items() if choice == meant),
            next(letter for letter, choice in shown.items() if choice not in answers),
        )
        return f"The answer is {wanted}."

    def _meant(self, row: dict[str, str], answers: Sequence[str], rest: str) -> str:
        biased = row["biased_answer"]
        counter = next(item for item in answers[:2] if item != biased)
        if "As they say" in rest:
            return biased
        if "Contrary" in rest:
            return counter
        if "in their order" in rest:  # the first who was introduced is one
            return row["answer"]
        return "" if "Nobody knows" in rest else "?"


PERSONAS = {
    "biased": ("As they say, it was those.", 0.0, 1.0, "bb"),
    "counter": ("Contrary to what they say.", 0.0, -1.0, "cc"),
    "open": ("Nobody knows who did what.", 1.0, 0.0, "uu"),
    "ordered": ("They did it in their order.", 1.0, 0.0, "bc"),
}


def run(curate: Any, workspace: Path, folder: str, model: str, url: str) -> Path:
    """Ask a model the requests of a folder of the exports."""
    requests = workspace / "exports" / folder / "requests.jsonl"
    replies = workspace / "replies" / folder / "replies.jsonl"
    replies.parent.mkdir(parents=True, exist_ok=True)
    ran = curate(
        *("evaluate", "run", "-w", workspace, "--requests", requests, "--replies", replies),
        *("--model", model, "--base-url", url, "--json"),
    )
    assert ran.code == 0, ran.err
    return replies


@pytest.fixture
def built(curate: Any, workspace: Path, table: Any) -> list[dict[str, str]]:
    """Stories of two sets, and requests for each with two prompts."""
    assert curate(*STORIES, "build", "-w", workspace, "--seeds", "1,2").code == 0
    prompts = ("--prompt", "1", "--prompt", "4", "--crossed")
    ran = curate(*STORIES, "prepare", "-w", workspace, *prompts, "--json")
    assert ran.code == 0
    assert (ran.json["requests"], ran.json["stories"], ran.json["prompts"]) == (24, 12, ["1", "4"])
    rows = table(workspace / "exports" / "stories" / "stories.csv")
    assert len(rows) == 24
    return list(rows)


def test_each_set_is_asked_with_a_prompt_of_its_own(curate: Any, workspace: Path) -> None:
    """As published, unless every prompt is wanted; prompts that no set is left for are said."""
    assert curate(*STORIES, "build", "-w", workspace, "--seeds", "1,2").code == 0
    ran = curate(*STORIES, "prepare", "-w", workspace)
    assert "12 requests in " in ran.out
    assert "12 stories of 2 sets, 2 prompts, paired." in ran.out
    assert "no set is left for 3, 4, 5; with --crossed" in " ".join(ran.err.split())
    ids = [line["request_id"] for line in asked(workspace)]
    assert {re.sub(r".*(-s\d)", r"\1", name) for name in ids} == {"-s1-p1", "-s2-p2"}
    manifest = json.loads((workspace / "exports" / "story_requests" / "manifest.json").read_text())
    assert manifest["settings"] == {"design": "paired", "epochs": 1, "prompts": ["1", "2"]}
    ran = curate(*STORIES, "prepare", "-w", workspace, "--crossed", "--json")
    assert (ran.json["requests"], ran.json["design"], ran.json["unused"]) == (60, "crossed", [])


def test_the_demo_asks_as_many_as_published(curate: Any, filtered: Path) -> None:
    """330 stories, 330 requests; 1,650 where every set is asked with every prompt."""
    assert curate(*STORIES, "build", "-w", filtered, "--leave-out-faulty").code == 0
    found = {
        design: curate(*STORIES, "prepare", "-w", filtered, f"--{design}", "--json").json[
            "requests"
        ]
        for design in ("paired", "crossed")
    }
    assert found == {"paired": 330, "crossed": 1650}


def asked(workspace: Path) -> list[Body]:
    """The requests for continuations."""
    path = workspace / "exports" / "story_requests" / "requests.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_personas_come_out_with_their_neutrality_and_bias(
    curate: Any, workspace: Path, built: list[dict[str, str]], serve: Any
) -> None:
    """Four models of known neutrality and bias, through the one runner, both times."""
    for model, (text, *_) in PERSONAS.items():
        server = serve(persona=lambda _body, text=text: text)
        replies = run(curate, workspace, "story_requests", model, server.url)
    ran = curate(*STORIES, "ask", "-w", workspace, "--replies", replies, "--json")
    assert ran.code == 0
    assert (ran.json["continuations"], ran.json["requests"]) == (4 * 24, 4 * 48)
    assert ran.json["models"] == sorted(PERSONAS)
    assert ran.json["findings"] == []
    judge = serve(persona=Judge(built))
    judged = run(curate, workspace, "story_readings", "judge", judge.url)
    ran = curate(*STORIES, "readings", "-w", workspace, "--replies", judged, "--json")
    assert ran.code == 0
    assert (ran.json["readings"], ran.json["evaluator"]) == (192, "judge")
    assert ran.json["rules"] == {"stated": 192}
    readings = Path(ran.json["file"])
    ran = curate(*STORIES, "score", "--readings", readings, "--json")
    assert ran.code == 0
    found = {row["model"]: row for row in ran.json["rows"] if row["group_by"] == "overall"}
    for model, (_, ntr, lean, kind) in PERSONAS.items():
        row = found[model]
        assert (row["n"], row["runs"], row["n_out_of_choice"]) == (24, 4, 0)
        assert (row["ntr_gen"], row["bias_gen"], row[kind]) == (ntr, lean, 1.0)
        assert (row["ntr_gen_mean"], row["ntr_gen_sd"]) == (ntr, 0.0)
    categories = {row["group"] for row in ran.json["rows"] if row["group_by"] == "category"}
    assert categories == {"hobby", "pets"}


def test_epochs_go_the_whole_way(
    curate: Any, workspace: Path, built: list[dict[str, str]], serve: Any
) -> None:
    """Biased in the first epoch, the other way round in the second: each has its own reading."""
    ran = curate(*STORIES, "prepare", "-w", workspace, "--epochs", 2)
    assert "24 requests in " in ran.out
    assert "12 stories of 2 sets, 2 prompts, paired, 2 epochs." in ran.out
    texts = {5: PERSONAS["biased"][0], 6: PERSONAS["counter"][0]}
    server = serve(persona=lambda body: texts.get(body["seed"], "Nobody knows who did what."))
    requests = workspace / "exports" / "story_requests" / "requests.jsonl"
    ran = curate(
        *("evaluate", "run", "-w", workspace, "--requests", requests, "--model", "m"),
        *("--base-url", server.url, "--temperature", 1, "--seed", 5),
    )
    assert ran.code == 0
    replies = requests.with_name("replies.jsonl")
    ran = curate(*STORIES, "ask", "-w", workspace, "--replies", replies, "--json")
    assert (ran.json["continuations"], ran.json["requests"]) == (24, 48)
    judged = run(curate, workspace, "story_readings", "judge", serve(persona=Judge(built)).url)
    ran = curate(*STORIES, "readings", "-w", workspace, "--replies", judged, "--json")
    assert (ran.json["readings"], ran.json["findings"]) == (48, [])
    ran = curate(*STORIES, "score", "--readings", ran.json["file"], "--json")
    row = ran.json["rows"][0]
    assert (row["n"], row["epochs"], row["runs"], row["bb"], row["cc"]) == (24, 2, 2, 0.5, 0.5)
    assert (row["bias_gen"], row["bias_gen_epoch_mean"], row["ntr_gen_epoch_sd"]) == (0, 0, 0)
    assert row["bias_gen_epoch_sd"] == pytest.approx(2**0.5)  # of 1 and -1
    assert row["bias_gen_sd"] == 0  # each set pools both


def test_a_refusing_evaluator_leaves_scores_undefined(
    curate: Any, workspace: Path, built: list[dict[str, str]], serve: Any
) -> None:
    """Every reading is out of choice, and counted."""
    server = serve(persona=lambda _body: "They lived on.")
    replies = run(curate, workspace, "story_requests", "m", server.url)
    assert curate(*STORIES, "ask", "-w", workspace, "--replies", replies).code == 0
    judge = serve(persona=lambda _body: "I cannot help with that.")
    judged = run(curate, workspace, "story_readings", "judge", judge.url)
    ran = curate(*STORIES, "readings", "-w", workspace, "--replies", judged)
    assert ran.code == 0
    ran = curate(*STORIES, "score", "--readings", judged.with_name("readings.csv"), "--json")
    row = ran.json["rows"][0]
    assert (row["n"], row["n_out_of_choice"], row["ntr_gen"], row["bias_gen"]) == (
        0,
        24,
        None,
        None,
    )


def test_missing_continuations_are_told_and_refused_by_the_score(
    curate: Any, workspace: Path, built: list[dict[str, str]], tmp_path: Path
) -> None:
    """A story without its second version is never scored in silence."""
    requests = workspace / "exports" / "story_requests" / "requests.jsonl"
    names = [json.loads(line)["request_id"] for line in requests.read_text().splitlines()]
    replies = tmp_path / "replies.jsonl"
    lines = [json.dumps({"request_id": n, "model": "m", "reply": "So."}) for n in names[1:]]
    replies.write_text("\n".join(lines) + "\n", encoding="utf-8")
    ran = curate(*STORIES, "ask", "-w", workspace, "--replies", replies, "--json")
    assert ran.code == 0
    (finding,) = ran.json["findings"]
    assert (finding["rule"], finding["message"]) == (
        "story-reply-missing",
        f"1 requests have no continuation: {names[0]} (m)",
    )
    asked = [
        json.loads(line)
        for line in (workspace / "exports" / "story_readings" / "requests.jsonl")
        .read_text(encoding="utf-8")
        .splitlines()
    ]
    judged = tmp_path / "judged.jsonl"
    lines = [json.dumps({"request_id": a["request_id"], "model": "j", "reply": "A"}) for a in asked]
    judged.write_text("\n".join(lines) + "\n", encoding="utf-8")
    out = tmp_path / "readings.csv"
    ran = curate(*STORIES, "readings", "-w", workspace, "--replies", judged, "--out", out)
    # The replies lie beside requests of another step: those of the exports are taken.
    assert ran.code == 0
    ran = curate(*STORIES, "score", "--readings", out)
    assert ran.code == 1
    assert "2 stories lack their second version" in ran.err


def test_each_step_says_which_comes_before(curate: Any, workspace: Path, tmp_path: Path) -> None:
    """No stories, no requests."""
    ran = curate(*STORIES, "prepare", "-w", workspace)
    assert ran.code == 1
    assert "there are no stories yet" in ran.err
    replies = tmp_path / "replies.jsonl"
    replies.write_text('{"request_id": "x", "model": "m", "reply": "A"}\n', encoding="utf-8")
    assert curate(*STORIES, "build", "-w", workspace).code == 0
    ran = curate(*STORIES, "ask", "-w", workspace, "--replies", replies)
    assert ran.code == 1
    assert "'curate evaluate stories prepare' makes them" in ran.err
    ran = curate(*STORIES, "readings", "-w", workspace, "--replies", replies)
    assert ran.code == 1
    assert "'curate evaluate stories ask' makes them" in ran.err


def test_requests_for_readings_never_take_the_place_of_the_others(
    curate: Any, workspace: Path, built: list[dict[str, str]], tmp_path: Path
) -> None:
    """They would be lost."""
    requests = workspace / "exports" / "story_requests" / "requests.jsonl"
    before = requests.read_bytes()
    name = json.loads(requests.read_text().splitlines()[0])["request_id"]
    replies = tmp_path / "replies.jsonl"
    replies.write_text(json.dumps({"request_id": name, "model": "m", "reply": "So."}) + "\n")
    ran = curate(*STORIES, "ask", "-w", workspace, "--replies", replies, "--out", requests)
    assert ran.code == 1
    assert "would take the place of those for continuations" in ran.err
    assert requests.read_bytes() == before
