"""What models replied."""

import json

import pytest

from evaluation.replies.files import load_replies


def read(tmp_path, *lines):
    """Write replies and read them; a text is a line as it is."""
    path = tmp_path / "replies.jsonl"
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join([*texts, ""]), encoding="utf-8")
    return load_replies([path])


def line(request, reply, model="m", **more):
    """Make one line."""
    return {"request_id": request, "model": model, "reply": reply, **more}


def test_a_second_reply_to_the_same_epoch_is_an_error(tmp_path):
    """Two that differ are refused by name and line; one that occurs twice is counted."""
    found = read(
        tmp_path,
        line("q-p1", "A"),
        line("q-p1-e2", "B"),
        line("q-p1-e2", "A"),
        line("r-p1", "A"),
        line("r-p1", "A"),
    )
    assert found.frame["reply"].tolist() == ["A", "A", "A"]
    assert found.duplicates == 2
    second, twice = found.findings
    assert (second.rule, second.severity.value, second.row) == ("replies-second", "error", 3)
    path = tmp_path / "replies.jsonl"
    assert second.message == (
        "1 request has two different replies of one model in one epoch: q-p1-e2 (m); the first in "
        f"{path}, line 2 and {path}, line 3"
    )
    assert twice.rule == "replies-duplicate"
    assert twice.message == (
        "1 reply left out, because there is a later one: of 1 request, 0 asked again "
        "with a different text: r-p1 (m)"
    )


@pytest.mark.parametrize("name", ["key", "messages_hash"])
def test_what_was_asked_anew_has_its_last_reply(tmp_path, name):
    """With other parameters it has another key, with another prompt another hash."""
    one, other = {name: "0" * 16}, {name: "1" * 16}
    found = read(tmp_path, line("q-p1", "A", **one), line("q-p1", "B", **other))
    assert found.frame["reply"].tolist() == ["B"]
    (finding,) = found.findings
    assert (finding.rule, finding.severity.value) == ("replies-duplicate", "warning")
    assert "1 asked again with a different text: q-p1 (m)" in finding.message
    found = read(tmp_path, line("q-p1", "A", **one), line("q-p1", "B", **one))
    assert [item.rule for item in found.findings] == ["replies-second"]
