"""`curate evaluate batch`: out to a provider and back, with nothing lost, doubled or paid twice."""

import json

import batch_provider
import pytest

REQUESTS = 24


@pytest.fixture
def folder(tmp_path):
    """A workspace with requests alone."""
    path = tmp_path / "exports" / "evaluation" / "requests.jsonl"
    path.parent.mkdir(parents=True)
    lines = [
        {
            "request_id": f"나이-001a-{at:03d}-amb-bsd-0-p1" if at % 2 else f"age-{at:03d}",
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": f"Who sang? ({at})"},
            ],
            "choices": ["Ann", "Bob", "Unknown"],
        }
        for at in range(REQUESTS)
    ]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return tmp_path


def openai(path, failing=()):
    """Answer a batch file as OpenAI does: backwards, and failures in a file of their own."""
    results, errors = [], []
    for line in reversed(path.read_text(encoding="utf-8").splitlines()):
        item = json.loads(line)
        status, body = (
            200,
            {
                "model": item["body"]["model"],
                "choices": [{"message": {"content": "A"}, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 9, "completion_tokens": 1},
            },
        )
        if item["custom_id"] in failing:
            status, body = 400, {"error": {"message": "no"}}
        response = {"status_code": status, "request_id": "x", "body": body}
        value = {"custom_id": item["custom_id"], "response": response, "error": None}
        (results if status == 200 else errors).append(value)
    paths = path.with_suffix(".out"), path.with_suffix(".err")
    for target, values in zip(paths, (results, errors), strict=True):
        target.write_text("".join(f"{json.dumps(value)}\n" for value in values))
    return paths


def write(curate, folder, *options):
    """Write batches."""
    return curate("evaluate", "batch", "write", "-w", folder, "--model", "m", *options)


def read(curate, folder, *files):
    """Read results."""
    return curate("evaluate", "batch", "read", "-w", folder, *files)


@pytest.mark.slow
def test_files_are_sent_and_fetched(curate, folder, monkeypatch):
    """Three commands from requests to replies; the last one says what is still missing."""
    monkeypatch.setenv("OPENAI_API_KEY", batch_provider.KEY)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with batch_provider.provider(looks=1) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        written = write(curate, folder, "--max-requests", "10")
        assert f"Send them: curate evaluate batch send --workspace {folder} --model m\n" in (
            written.out
        )
        sent = curate("evaluate", "batch", "send", "-w", folder)
        assert sent.out.endswith(
            f"Get the results: curate evaluate batch fetch --until-done --workspace {folder}\n"
        )
        assert sent.out.startswith("3 files with 24 requests sent to m; 0 sent before, 0 not sent.")
        assert "openai-003.jsonl: sent as batch_3 (3 of 3)" in sent.err
        early = curate("evaluate", "batch", "fetch", "-w", folder)
        assert early.code == 1
        assert "openai-001.jsonl: in_progress, 0 of 10" in early.err
        assert "3 batches not done yet." in early.err
        done = curate("evaluate", "batch", "fetch", "-w", folder, "--until-done", "--every", "1")
        assert done.out.startswith("24 results of m: 24 new, 0 known before.")
        after = curate("evaluate", "batch", "fetch", "-w", folder)
        assert after.out == "The results of all batch files were already read.\n"
        told = curate("evaluate", "batch", "send", "-w", folder, "--sent", "x=y")
        assert told.code == 1
        assert "no batch file without results is called 'x'" in told.err
