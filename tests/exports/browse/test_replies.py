"""Replies in the page: what `evaluate score` and `evaluate replies` say, in chunks."""

import json

import pytest
from benchmark import benchmark, write_samples

from curation.files.workspace import Workspace
from evaluation.compare.templates import stronger, template_bias
from evaluation.prompts import bundled_prompts
from evaluation.qa.prepare import make_requests
from evaluation.qa.scoring import ScoreInputs, read_answers, score
from evaluation.replies.files import load_replies
from evaluation.replies.rows import load_asked, read_replies_to
from evaluation.requests import ORDERS, Orders, messages_hash
from exports.browse.chunks import ChunkWriter, read_chunk
from exports.browse.replies import MEASURES, add_replies
from exports.browse.templates import COLUMNS

PROMPTS = bundled_prompts("en").prompts[:2]
TEMPLATES = ("hobby-001", "hobby-002", "job-001")
MODELS = ("always A", "chatty")


def reply_of(model, request):
    """Answer with A; or in several ways, some of which no rule reads."""
    if model == "always A":
        return "A"
    at = sum(map(ord, request["request_id"])) % 5
    return (
        "The answer is B.",
        f"C. {request['choices'][2]}\n\nNobody says.",
        "I would rather not say.",
        f"<think>Is it {request['choices'][0]}?</think>A",
        "B, not A",
    )[at]


class Made:
    """Files of an evaluation, and the chunks that were made of them."""

    def __init__(self, folder, rows=TEMPLATES):
        self.folder = folder
        self.samples = write_samples(folder / "samples.csv", benchmark(TEMPLATES))
        self.asked = list(make_requests(benchmark(TEMPLATES), PROMPTS, Orders.CYCLIC))
        self.requests = folder / "requests.jsonl"
        self._write(self.requests, self.asked)
        self.lines = [
            {"request_id": item["request_id"], "model": model, "reply": reply_of(model, item)}
            for model in MODELS
            for item in self.asked
        ]
        self.replies = folder / "replies.jsonl"
        self.rows = rows

    @staticmethod
    def _write(path, lines):
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")

    def wanted(self, **options):
        self._write(self.replies, self.lines)
        given = {"samples": self.samples, "language": "en", "prompt_ids": ("1", "2")}
        return ScoreInputs(**{**given, "replies": (self.replies,), **options})

    def chunks(self, **options):
        """Write the chunks; gives what came of it and a reader of chunks."""
        out = self.folder / "page"
        empty = [[name if column == "id" else None for column in COLUMNS] for name in self.rows]
        self.index = {"templates": {"columns": COLUMNS, "rows": empty}, "counts": {}}
        workspace = Workspace(self.folder)
        found = add_replies(ChunkWriter(out), self.index, workspace, self.wanted(**options))
        return found, lambda name: read_chunk(out / "data" / f"{name}.js")

    def listed(self, name):
        """What the index says of a template."""
        row = next(row for row in self.index["templates"]["rows"] if name in row)
        return dict(zip(COLUMNS, row, strict=True))


@pytest.fixture
def made(tmp_path):
    return Made(tmp_path)


def shown(read, model_count, prompts=2):
    """Yield each reply of the chunks: sample, prompt, order, model, text, choice, rule."""
    scores = read("scores")
    for row in scores["templates"]:
        for number in sorted(set(read(f"replies-{row}")["chunk"])):
            chunk = read(f"replies-{row}-{number}")
            columns = chunk["samples"]["columns"]
            places = (
                (dict(zip(columns, sample, strict=True)), prompt, order, model)
                for sample in chunk["samples"]["rows"]
                for prompt in range(prompts)
                for order in range(3)
                for model in range(model_count)
            )
            for at, (sample, prompt, order, model) in enumerate(places):
                text = chunk["text"][at]
                rule = scores["rules"][int(chunk["rule"][at], 36)][0]
                said = None if text < 0 else chunk["texts"][text]
                yield sample, prompt, order, model, said, chunk["choice"][at], rule


def test_the_cells_of_the_heat_map_are_the_scores_by_template(made):
    """Each measure of each model and template is exactly what `evaluate score` gives."""
    _, read = made.chunks()
    scores = score(Workspace(made.folder), made.wanted())
    rows = {(r["model"], r["group"]): r for r in scores.rows if r["group_by"] == "template"}
    compared = 0
    for at, measure in enumerate(MEASURES):
        chunk = read(f"scores-{at}")
        assert chunk["measure"] == measure
        for model, cells, sizes in zip(sorted(MODELS), chunk["cells"], chunk["n"], strict=True):
            for template, cell, size in zip(TEMPLATES, cells, sizes, strict=True):
                row = rows[model, template]
                assert (None if cell < 0 else chunk["values"][cell]) == row[measure]
                parts = [measure[-3:]] if measure[-4:] in ("_amb", "_dis") else ["amb", "dis"]
                out = row["out_of_choice"] if len(parts) == 2 else 0
                assert size == sum(row[f"n_{part}"] for part in parts) + out
                compared += 1
    assert compared == 5 * 2 * 3


def test_each_reply_is_parsed_as_the_command_for_replies_parses_it(made):
    """Choice and rule of all replies are those of `evaluate replies`."""
    _, read = made.chunks()
    parsed = read_replies_to(load_replies((made.replies,)), load_asked(made.requests))
    expected = {
        (request, model): (None if letter is None else "ABC".index(letter), rule)
        for request, model, letter, _, rule in parsed.rows()
    }
    found = {}
    for sample, prompt, order, model, _, choice, rule in shown(read, 2):
        name = f"{sample['sample_id']}-{order}-p{PROMPTS[prompt].id}"
        place = ORDERS[Orders.CYCLIC][order].index(int(choice)) if choice in "012" else None
        found[name, sorted(MODELS)[model]] = place, rule
    assert found == expected
    assert {rule for _, rule in found.values()} >= {"letter", "stated", "negation"}


def test_thoughts_stand_apart_from_replies(made):
    """Both those that the reply holds and those that its line keeps beside it."""
    made.lines[0]["reasoning"] = "First I look at who met."
    _, read = made.chunks()
    said = [text for _, _, _, model, text, _, _ in shown(read, 2) if model == 1]
    assert not any("think" in (text or "") for text in said)
    chunk, thoughts = read("replies-0-0"), read("reasoning-0-0")
    assert len(thoughts["of"]) == len(chunk["thought"])
    assert chunk["thought"][0] == 0
    assert thoughts["texts"][thoughts["of"][0]] == "First I look at who met."
    assert any(text.startswith("Is it the") for text in thoughts["texts"])


def filled(layout, sample, choices):
    texts = {"context": sample["context"], "question": sample["question"]}
    texts |= dict(zip("abc", choices, strict=True))
    return [
        {"role": role, "content": "".join(texts[place] if place else text for text, place in part)}
        for role, part in layout
    ]


@pytest.mark.parametrize("by_file", [False, True])
def test_requests_are_shown_as_they_were_sent(made, by_file):
    """The layout of each prompt gives exactly the messages of a request, or they are whole."""
    if by_file:
        for item in made.asked[6:10]:  # asked in another way
            item["messages"] = [{"role": "system", "content": "Be brief."}, *item["messages"]]
        made.asked[12]["messages"] = [{"role": "user", "content": "Say A."}]
        made._write(made.requests, made.asked)
    _, read = made.chunks(**({"requests": made.requests} if by_file else {}))
    prompts = {item["id"]: item for item in read("scores")["prompts"]}
    sent = {item["request_id"]: item["messages"] for item in made.asked}
    whole = {}
    for row in range(3):
        whole |= read(f"replies-{row}-0").get("sent", {})
    for sample, prompt, order, _, _, _, _ in shown(read, 2):
        of = prompts[PROMPTS[prompt].id]
        name = f"{sample['sample_id']}-{order}-p{of['id']}"
        texts = (*sample["choices"][:2], of["unknown"])
        choices = [texts[at] for at in ORDERS[Orders.CYCLIC][order]]
        found = filled(of["layout"], sample, choices)
        if name in whole:
            found = [{"role": role, "content": text} for role, text in whole[name]]
        assert messages_hash(found) == messages_hash(sent[name])
    assert len(whole) == 5 * by_file


def test_what_a_file_of_requests_did_not_ask_is_marked(made):
    """Nobody is said to have left it without a reply."""
    (lacking,) = made.asked[4:5]
    made.lines = [line for line in made.lines if line["request_id"] != lacking["request_id"]]
    made._write(made.requests, [item for item in made.asked if item is not lacking])
    _, read = made.chunks(requests=made.requests)
    found = [
        f"{sample['sample_id']}-{order}-p{PROMPTS[prompt].id}"
        for sample, prompt, order, _, _, choice, _ in shown(read, 2)
        if choice == "~"
    ]
    assert found == [lacking["request_id"]] * len(MODELS)


def test_templates_know_how_much_models_disagree(made):
    """The mean over requests of the share of pairs of models that chose differently."""
    _, read = made.chunks()
    counts = {}
    for sample, prompt, order, _, _, choice, _ in shown(read, 2):
        if choice in "012":
            key = sample["template_id"], sample["sample_id"], prompt, order
            counts.setdefault(key, []).append(choice)
    for template in TEMPLATES:
        both = [c for (name, *_), c in counts.items() if name == template and len(c) == 2]
        mean = sum(one != other for one, other in both) / len(both)
        assert made.listed(template)["disagree"] == pytest.approx(mean, abs=1e-6)


def test_bias_is_that_of_the_report(made):
    """The list and the heat map hold the rows of `drivers.csv`, and compute nothing."""
    _, read = made.chunks()
    answered = read_answers(Workspace(made.folder), made.wanted())
    rows = template_bias(answered.grid, answered.models)
    order = [row["template_id"] for row in rows]
    assert [made.listed(name)["evidence"] for name in order] == [0, 1, 2]
    for row in rows:
        told = made.listed(row["template_id"])
        at = TEMPLATES.index(row["template_id"])
        assert told["bias"] == row[f"diff_bias_{stronger(row)}"]
        assert told["differs"] == (stronger(row) if row["differs"] else "")
        for number, context in enumerate(("amb", "dis")):
            cells = read(f"scores-{number}")
            given = [cells[name][at] for name in ("mean", "low", "high", "replies", "q")]
            names = ("diff_bias", "low", "high", "n", "q")
            assert given == [row[f"{name}_{context}"] for name in names]
            assert cells["differs"][at] == (context in row["differs"])
    accuracy = read("scores-2")
    cells = [[accuracy["values"][at] for at in model] for model in accuracy["cells"]]
    assert accuracy["mean"] == pytest.approx(
        [sum(pair) / 2 for pair in zip(*cells, strict=True)], abs=1e-6
    )


def test_replies_to_what_is_gone_are_counted(tmp_path):
    """Those of templates that the page lacks, and those that answer no request."""
    made = Made(tmp_path, rows=TEMPLATES[:2])
    gone = {"request_id": "job-009a-001-amb-bsd-0-p1", "model": "chatty", "reply": "A"}
    made.lines.append(gone)
    found, read = made.chunks()
    of_job = sum("job-001" in line["request_id"] for line in made.lines)
    told = {"requests": 1, "templates": of_job, "template_ids": ["job-001"]}
    assert found["gone"] == read("scores")["gone"] == told
    assert made.index["counts"]["replies"] == len(made.lines) - 1 - of_job


def test_failed_calls_and_requests_without_a_reply_are_told_apart(made):
    """A failed call says what kind of failure it was; what has no line has nothing."""
    kinds = dict(zip((0, 3, 7), ("timeout", "refused", "timeout"), strict=True))
    for at, kind in kinds.items():
        made.lines[at] = {**made.lines[at], "reply": None, "error": {"kind": kind}}
    gone = made.lines.pop(1)
    _, read = made.chunks()
    found = {}
    for sample, prompt, order, model, text, choice, _ in shown(read, 2):
        if model == 0 and (text is None or choice == "."):
            found[f"{sample['sample_id']}-{order}-p{PROMPTS[prompt].id}"] = text, choice
    assert found == {
        gone["request_id"]: (None, "."),
        **{made.asked[at]["request_id"]: (kind, ".") for at, kind in kinds.items()},
    }
    assert read("replies-0")["tallies"][0][0][4] == 3


def test_a_large_template_has_several_chunks(made, monkeypatch):
    """No chunk has more replies than it may, and each sample is in the one that it names."""
    monkeypatch.setattr("exports.browse.replies.ROWS", 24)
    _, read = made.chunks()
    whole = read("replies-0")
    assert whole["chunk"] == [0, 0, 1, 1, 2, 2, 3, 3]
    for sample, number in zip(whole["samples"], whole["chunk"], strict=True):
        rows = read(f"replies-0-{number}")["samples"]["rows"]
        assert sample in [row[0] for row in rows]
