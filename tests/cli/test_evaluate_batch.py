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


def anthropic(path, expired=()):
    """Answer a batch file as Anthropic does."""
    lines = []
    for item in json.loads(path.read_text(encoding="utf-8"))["requests"]:
        assert item["params"]["system"] == "Be brief."
        assert [message["role"] for message in item["params"]["messages"]] == ["user"]
        result = {"type": "expired"}
        if item["custom_id"] not in expired:
            content = [{"type": "text", "text": "B"}]
            message = {"model": item["params"]["model"], "content": content}
            result = {"type": "succeeded", "message": message}
        lines.append({"custom_id": item["custom_id"], "result": result})
    target = path.with_suffix(".out")
    target.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return target


def write(curate, folder, *options):
    """Write batches."""
    return curate("evaluate", "batch", "write", "-w", folder, "--model", "m", *options)


def read(curate, folder, *files):
    """Read results."""
    return curate("evaluate", "batch", "read", "-w", folder, *files)


def replied(folder):
    """Give the ids that have a reply; none has two."""
    path = folder / "exports" / "evaluation" / "replies.jsonl"
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    names = [line["request_id"] for line in lines if line["reply"] is not None]
    assert len(set(names)) == len(names)
    return names


def test_batches_go_out_and_come_back(folder, curate):
    """Failures are written again, and then every request has its reply."""
    ran = write(curate, folder, "--max-tokens", "4", "--max-requests", "10", "--json")
    assert (ran.code, ran.err) == (0, "")
    assert (ran.json["written"], ran.json["waiting"], ran.json["from_store"]) == (24, 0, 0)
    batches = folder / "exports" / "evaluation" / "batches" / "m"
    files = [batches / "001" / f"openai-00{at}.jsonl" for at in (1, 2, 3)]
    assert ran.json["paths"] == [str(path) for path in files]
    assert [len(path.read_text().splitlines()) for path in files] == [10, 10, 4]

    out, err = openai(files[0], failing=("age-000", "age-002"))
    ran = read(curate, folder, out, err)
    assert ran.code == 1
    assert "10 results of m: 8 new, 0 known before, 2 failed (2 refused)" in ran.out
    assert f"10 requests wait for the results of {files[1]}" in ran.err
    assert "2 requests left without a reply: age-000, age-002\n" in ran.err
    assert (
        "write them again with the same 'curate evaluate batch write'; it writes only these"
        in ran.err
    )

    ran = write(curate, folder, "--max-tokens", "4")
    assert ran.out.startswith(
        "24 requests to m: 8 had a reply, 0 had one in the store, 14 are in earlier batches "
        "without results, 2 written.\n"
    )
    again = batches / "002" / "openai-001.jsonl"
    assert [json.loads(line)["custom_id"] for line in again.read_text().splitlines()] == [
        "age-000-r2",
        "age-002-r2",
    ]
    results = [openai(path)[0] for path in (files[1], files[2], again)]
    ran = read(curate, folder, *results)
    assert (ran.code, ran.err) == (0, "")
    assert len(replied(folder)) == REQUESTS
    before = (folder / "exports" / "evaluation" / "replies.jsonl").read_bytes()
    ran = read(curate, folder, *results, out)
    assert (ran.code, ran.err) == (0, "")
    assert (folder / "exports" / "evaluation" / "replies.jsonl").read_bytes() == before
    assert "Nothing to write" in write(curate, folder, "--max-tokens", "4").out


def test_anthropics_batches_go_out_and_come_back(folder, curate):
    """With hashed ids, and what expired is asked again."""
    ran = write(curate, folder, "--format", "anthropic", "--max-tokens", "4", "--json")
    (path,) = map(type(folder), ran.json["paths"])
    ran = read(curate, folder, anthropic(path, expired=("age-004",)), "--json")
    assert ran.code == 1
    assert (ran.json["replies"], ran.json["failed"]) == (23, {"expired": 1})
    assert (ran.json["missing"], ran.json["waiting"]) == (["age-004"], {})
    ran = write(curate, folder, "--format", "anthropic", "--max-tokens", "4", "--json")
    assert ran.json["written"] == 1
    (path,) = map(type(folder), ran.json["paths"])
    ran = read(curate, folder, anthropic(path), "--json")
    assert (ran.code, ran.json["replies"]) == (0, 1)
    assert len(replied(folder)) == REQUESTS


def test_a_run_and_a_batch_share_the_store(folder, curate):
    """What a batch has answered, a run into another file pays nothing for."""
    write(curate, folder, "--max-tokens", "4", "--temperature", "0")
    batches = folder / "exports" / "evaluation" / "batches" / "m" / "001"
    read(curate, folder, openai(batches / "openai-001.jsonl")[0])
    ran = curate(
        *("evaluate", "run", "-w", folder, "--model", "m", "--max-tokens", "4"),
        *("--temperature", "0", "--replies", folder / "other.jsonl"),
        *("--base-url", "http://127.0.0.1:9/v1", "--json"),
    )
    assert ran.code == 0
    assert (ran.json["from_store"], ran.json["answered"]) == (24, 0)
    first = json.loads((folder / "other.jsonl").read_text().splitlines()[0])
    second = (folder / "exports" / "evaluation" / "replies.jsonl").read_text().splitlines()[0]
    assert first == json.loads(second)


def test_requests_that_have_changed_are_refused(folder, curate):
    """Their replies were given to something else."""
    write(curate, folder, "--max-tokens", "4")
    batches = folder / "exports" / "evaluation" / "batches" / "m" / "001"
    read(curate, folder, openai(batches / "openai-001.jsonl")[0])
    ran = write(curate, folder, "--max-tokens", "5")
    assert ran.code == 1
    assert (
        "24 requests (age-000) got a reply with a different prompt or different parameters"
        in ran.err
    )


def test_of_several_models_one_has_to_be_named(folder, curate):
    """Custom ids do not say which it was."""
    path = folder / "results.jsonl"
    path.write_text("")
    ran = read(curate, folder, path)
    assert ran.code == 1
    assert "there are no batches whose results could be read" in ran.err
    write(curate, folder)
    ran = curate("evaluate", "batch", "write", "-w", folder, "--model", "org/n 2")
    assert ran.code == 0
    ran = read(curate, folder, path)
    assert ran.code == 1
    assert "there are batches of several models: m, org_n_2" in ran.err
    first = folder / "exports" / "evaluation" / "batches" / "org_n_2" / "001"
    ran = read(curate, folder, openai(first / "openai-001.jsonl")[0], "--model", "org/n 2")
    assert (ran.code, ran.err) == (0, "")


def test_what_cannot_be_asked_is_refused_before_anything_is_written(folder, curate):
    """Wrong usage of a format, and no requests."""
    ran = write(curate, folder, "--format", "anthropic")
    assert ran.code == 1
    assert "Anthropic needs the maximum number of tokens of a reply" in ran.err
    ran = write(curate, folder, "--extra", "stop")
    assert ran.code == 2
    requests = folder / "exports" / "evaluation" / "requests.jsonl"
    requests.write_text("")
    ran = write(curate, folder)
    assert ran.code == 1
    assert "there is no request" in ran.err
    assert not (folder / "exports" / "evaluation" / "batches").exists()


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
