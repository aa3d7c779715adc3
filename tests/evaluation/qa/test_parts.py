"""Replies are read part by part, and each is parsed once."""

import io
import json

import numpy as np
import pytest
from benchmark import benchmark
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curation.languages import load
from curation.records.messages import CurateError
from evaluation.prompts import bundled_prompts
from evaluation.qa.answers import choices_of, read_models
from evaluation.qa.prepare import full_grid, gather
from evaluation.replies import files, readings
from evaluation.replies.files import ReplyParts, load_replies, reply_files
from evaluation.requests import ORDERS, Orders

GRID = full_grid(gather(benchmark()), bundled_prompts("en").prompts[:2], Orders.CYCLIC)
NAMES = [GRID.name(at) for at in range(0, GRID.size, 17)][:4]
SAID = {"A": 0, "b": 1, "(C)": 2, "The answer is A.": 0, "Both": None}
LINES = st.lists(
    st.tuples(
        st.sampled_from([*NAMES, "nobody-0-p1"]),
        st.sampled_from(["m10", "m9"]),
        st.sampled_from([*SAID, None]),
    ),
    min_size=1,
    max_size=15,
)


def written(path, lines):
    keys = ("request_id", "model", "reply")
    rows = (json.dumps(dict(zip(keys, line, strict=True))) for line in lines)
    path.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    return path


@given(lines=LINES, size=st.sampled_from([1, 150, 1 << 20]))
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_parts_give_what_all_replies_at_once_give(tmp_path, lines, size):
    """However small the parts, of several replies the last counts, and a failure never does."""
    path = written(tmp_path / "replies.jsonl", lines)
    last = {}
    for name, model, said in lines:
        last[model, name] = said or last.get((model, name))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "BLOCK", size)
        found = read_models(GRID, ReplyParts([path]), keep=True)
    assert [item.model for item in found.models] == sorted(
        {model for model, _ in last}, key=lambda name: int(name[1:])
    )
    assert found.findings == load_replies([path]).findings
    for item in found.models:
        own = {name: said for (model, name), said in last.items() if model == item.model}
        known = {name: said for name, said in own.items() if name in NAMES}
        choices, places = choices_of(GRID, item.answers).ravel(), GRID.locate(list(known))
        for at, said in zip(places.tolist(), known.values(), strict=True):
            shown = SAID.get(said)
            right = -1 if shown is None else ORDERS[GRID.orders][at % 3][shown]
            assert choices[at] == right
            code = item.parsed.texts[at]
            assert said == (found.texts[code] if code >= 0 else None)
            assert (code < -1) == (said is None)
        assert item.failed == item.rules.get("missing", 0) == list(known.values()).count(None)
        assert sum(item.rules.values()) == len(known)
        assert item.unknown == (("nobody-0-p1",) if "nobody-0-p1" in own else ())
        assert sum(rule["count"] for rule in item.unparsed) == list(known.values()).count("Both")


def test_folders_hold_parts(tmp_path):
    """All files of replies in it are read, in natural order, and nothing else."""
    for name in ("10.jsonl", "9.jsonl", "9.jsonl.sqlite", "notes.txt"):
        written(tmp_path / name, [(NAMES[0], name, "A")])
    paths = tmp_path / "9.jsonl", tmp_path / "10.jsonl"
    assert reply_files([tmp_path, paths[0]]) == paths
    assert ReplyParts([tmp_path]).paths == paths
    (tmp_path / "empty").mkdir()
    with pytest.raises(CurateError, match="holds no replies"):
        reply_files([tmp_path / "empty"])


def test_a_reply_is_parsed_once(tmp_path, monkeypatch):
    """Its parsing is in the user's cache; another reader, other words or damage make it anew."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    said = {"The answer is A.": 0, "The answer is B.": 1, "Both": None}
    lines = [(name, "m", text) for name, text in zip(NAMES, [*said, "C"], strict=True)]
    path = written(tmp_path / "replies.jsonl", lines)
    store = readings._kept(path)
    assert store.is_relative_to(tmp_path / "cache")

    def answers():
        item = read_models(GRID, ReplyParts([path])).models[0]
        return item.rules, choices_of(GRID, item.answers).ravel()[GRID.locate(NAMES)].tolist()

    parsed, read = [], readings.read_reply
    monkeypatch.setattr(
        readings, "read_reply", lambda reply, *a, **k: parsed.append(reply) or read(reply, *a, **k)
    )
    first = answers()
    assert not store.exists() and len(parsed) == 3  # not worth a file
    monkeypatch.setattr(readings, "_WORTH", 1)
    assert answers() == first and store.exists() and len(parsed) == 6
    assert answers() == first and len(parsed) == 6
    lines[0] = (NAMES[0], "m", "The answer is C.")
    written(path, lines)
    changed = answers()
    assert changed[0] == first[0] and changed[1][0] != first[1][0] and parsed[6:] == [lines[0][2]]
    data = store.read_bytes()
    at = data.index(b"\n", data.index(b"found.npy")) + 1
    bare = io.BytesIO()
    np.savez(bare, key=[1])
    method = data.index(b"PK\x01\x02") + 10  # of compression, which nobody has
    flipped = [data[:it] + b"\x63" + data[it + 1 :] for it in (at, method)]
    for damaged in (data[:-9], b"", *flipped, bare.getvalue()):
        store.write_bytes(damaged)
        assert answers() == changed
        assert len(parsed) == 10
        del parsed[7:]
    monkeypatch.setattr(readings, "_version", lambda: "another")
    assert answers() == changed and len(parsed) == 10
    monkeypatch.undo()
    one, two = (readings.reader_version(load(code)) for code in ("en", "ko"))
    assert one != two


def test_a_person_goes_before_rules_and_a_second_reader_after_them(tmp_path):
    """What a rule reads the second one changes not; what was not replied to stays so."""
    said = ["Both", "The answer is A.", "B", None, "Both of them"]
    names = [*NAMES, GRID.name(1)]
    path = written(
        tmp_path / "r.jsonl", [(at, "m", it) for at, it in zip(names, said, strict=True)]
    )
    places = GRID.locate(names)
    lists, choices, labels = GRID.shown(places)
    judged = {
        readings.digest_of(said[at], choices[lists[at]], labels and labels[lists[at]]): place
        for at, place in ((1, 2), (4, None))
    }
    second = {
        readings.digest_of(text, choices[at], labels and labels[at]): 0
        for text, at in zip(said, lists.tolist(), strict=True)
        if text
    }
    (item,) = read_models(GRID, ReplyParts([path]), "strict", judged, second).models
    found = choices_of(GRID, item.answers).ravel()[places]
    shown = [ORDERS[GRID.orders][at % 3] for at in places.tolist()]
    assert found.tolist() == [shown[0][0], shown[1][2], shown[2][1], -1, -1]
    assert item.rules == {"letter": 1, "missing": 1, "person": 2, "second_reader": 1}
