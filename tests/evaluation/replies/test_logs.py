"""Logs of lm-eval and Inspect as replies."""

import json
import struct
import zipfile

import pyarrow as pa
import pytest

from curation.records.messages import CurateError
from evaluation.replies.merging import collect, read_log


def lines(path):
    found = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [
        {name: value for name, value in line.items() if value is not None and name != "usage"}
        for line in found
    ]


def logged(folder, *samples, model="tiny"):
    """Write what lm-eval logs of a task, and its results beside it."""
    path = folder / "samples_craft_gen_2026-01-01.jsonl"
    path.write_text("".join(f"{json.dumps(item)}\n" for item in samples), encoding="utf-8")
    (folder / "results_2026-01-01.json").write_text(json.dumps({"model_name": model}))
    return path


def sample(name, *replies, only="none"):
    return {"doc_id": 0, "doc": {"request_id": name}, "resps": [list(replies)], "filter": only}


def inspected(name, epoch, reply, **more):
    output = {} if reply is None else {"completion": reply}
    return {"id": name, "epoch": epoch, "output": output, **more}


def test_repeats_of_lm_eval_are_epochs(tmp_path):
    """In their order; a request that is logged for two filters is there once."""
    path = logged(
        tmp_path, sample("q-0-p1", "A", "B"), sample("r-0-p1", "C", "C"),
        sample("q-0-p1", "A", "B", only="last"),
    )  # fmt: skip
    found = collect([path], tmp_path / "replies.jsonl")
    assert lines(tmp_path / "replies.jsonl") == [
        {"request_id": "q-0-p1", "model": "tiny", "reply": "A"},
        {"request_id": "q-0-p1-e2", "model": "tiny", "reply": "B"},
        {"request_id": "r-0-p1", "model": "tiny", "reply": "C"},
        {"request_id": "r-0-p1-e2", "model": "tiny", "reply": "C"},
    ]
    assert found.models == {"tiny": 4}


def test_a_folder_is_read_like_its_files(tmp_path):
    """In the order of their names; results of lm-eval beside its samples are none of them."""
    logged(tmp_path, sample("q-0-p1", "A"))
    for at, name in enumerate(("part10.jsonl", "part9.jsonl")):
        line = {"request_id": f"r{at}", "model": "m", "reply": "B"}
        (tmp_path / name).write_text(f"{json.dumps(line)}\n")
    log = {"eval": {"model": "n"}, "samples": [inspected("q-0-p1", 1, "C")]}
    (tmp_path / "log.json").write_text(json.dumps(log))
    collect([tmp_path, tmp_path / "part9.jsonl"], tmp_path / "out" / "replies.jsonl")
    found = lines(tmp_path / "out" / "replies.jsonl")
    assert [(line["request_id"], line["model"]) for line in found] == [
        ("q-0-p1", "n"), ("r1", "m"), ("r0", "m"), ("q-0-p1", "tiny"),
    ]  # fmt: skip
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / "results_1.json").write_text("{}")
    with pytest.raises(CurateError, match="the folder holds no replies") as caught:
        collect([tmp_path / "none"], tmp_path / "replies.jsonl")
    assert caught.value.hint == (
        "name a folder of files that end in .jsonl or .jsonl.gz or .eval or .json"
    )
    (tmp_path / "none" / "torn.json").write_text('{"eval": {')
    with pytest.raises(CurateError, match=r"torn\.json is not a log of replies"):
        collect([tmp_path / "none"], tmp_path / "replies.jsonl")


@pytest.mark.parametrize("packed", [False, True])
def test_epochs_of_inspect_are_epochs(tmp_path, packed):
    """Of a log as JSON, or packed; what failed is a failure."""
    samples = [
        inspected("q-0-p1", 1, "A"),
        inspected("q-0-p1", 2, None, error={"message": "out of time"}),
        inspected("r-0-p1", 1, None) | {
            "output": {"choices": [{"message": {"content": [
                {"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": "B"},
            ]}}]}
        },
    ]  # fmt: skip
    header = {"eval": {"model": "openai-api/local/m"}}
    path = tmp_path / ("log.eval" if packed else "log.json")
    if packed:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("header.json", json.dumps(header))
            for item in samples:
                name = f"samples/{item['id']}_epoch_{item['epoch']}.json"
                archive.writestr(name, json.dumps(item))
    else:
        path.write_text(json.dumps(header | {"samples": samples}))
    found = collect([path], tmp_path / "out.jsonl", model="m")
    assert lines(tmp_path / "out.jsonl") == [
        {"request_id": "q-0-p1", "model": "m", "reply": "A"},
        {
            "request_id": "q-0-p1-e2",
            "model": "m",
            "error": {"kind": "server", "message": "out of time", "status": None},
        },
        {"request_id": "r-0-p1", "model": "m", "reply": "B", "reasoning": "hm"},
    ]
    assert (found.written, found.models) == (3, {"m": 3})
    assert collect([path], tmp_path / "new.jsonl").models == {"openai-api/local/m": 3}


@pytest.mark.parametrize(
    ("name", "text", "what"),
    [
        ("a.jsonl", '{"doc": {}, "resps": [["A"]]}\n', "log of replies: it has another shape"),
        ("a.jsonl", '{"doc": {"request_id": "q"}, "resps": [[[-1.0, true]]]}\n', "holds no texts"),
        ("a.jsonl", '{"doc": {"request_id": "q"}, "resps": [["A"], ["B"]]}\n', "holds no texts"),
        ("a.jsonl", "", "holds no reply"),
        ("a.json", "[]", "it is not a log of Inspect"),
        ("a.json", "[" * 100_000, "is not a log of replies"),
        (
            "a.json",
            '{"eval": {"model": "m"}, "samples": [{"id": "q", "epoch": 1, "output": "A"}]}',
            "it has another shape",
        ),
        ("a.json", "nonsense", "is not a log of replies"),
        ("a.json", '{"eval": {"model": "m"}, "samples": []}', "holds no reply"),
    ],
)
def test_what_is_no_log_is_refused(tmp_path, name, text, what):
    """With what either harness writes."""
    (tmp_path / name).write_text(text)
    with pytest.raises(CurateError, match=what) as caught:
        read_log(tmp_path / name, "m")
    assert "--log_samples" in caught.value.hint


def test_a_log_packed_by_zstandard_is_read(tmp_path):
    """As Inspect packs it today; Python's own reader does not know it."""
    members = {
        "header.json": json.dumps({"eval": {"model": "m"}}).encode(),
        "samples/q_epoch_2.json": json.dumps(inspected("q", 2, "B" * 500)).encode(),
    }
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, pa.Codec("zstd").compress(data, asbytes=True))
        places = [(info.header_offset, len(members[info.filename])) for info in archive.infolist()]
    whole = bytearray(path.read_bytes())
    central = whole.index(b"PK\x01\x02")
    for place, size in places:
        whole[place + 8 : place + 10] = struct.pack("<H", 93)
        whole[central + 10 : central + 12] = struct.pack("<H", 93)
        whole[central + 24 : central + 28] = struct.pack("<I", size)
        central = whole.find(b"PK\x01\x02", central + 4)
    path.write_bytes(whole)
    collect([path], tmp_path / "out.jsonl")
    assert lines(tmp_path / "out.jsonl") == [
        {"request_id": "q-e2", "model": "m", "reply": "B" * 500}
    ]
