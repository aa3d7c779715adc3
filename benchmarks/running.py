"""`evaluation.runner` against a server on this machine, beside a bare loop over aiohttp.

Replies take no time, 50 ms or 1 s; 64 are asked at once. A run can then reach 64 divided by the
latency, or what the bare loop reaches where that is less: it sends and reads, and writes nothing.
Both ask in turn, each in a process of its own, the server in another one. Beside wall-clock time
stands processor time a request, which says the same on a busy machine.

Then batches: requests written into batch files, and results read, beside pandas, which reads the
same requests.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from benchmarks.measure import ROOT, report

CONCURRENCY = 64
TURNS = 3
CASES = ((0.0, 10_000), (0.05, 34_200), (1.0, 640))
"""Seconds that a reply takes, and requests."""
_LONG = {"choices": ["The potter", "The baker", "Nobody can tell"], "note": "x" * 500}
"""What makes a request as long as one of question answering, with what stands beside it."""
_SERVER = ROOT / "tests" / "evaluation" / "loopback.py"
_TEXT = "At the market a potter and a baker set up their stalls. Who sang? (a) (b) (c) Number {}."
_BARE = """\
import asyncio, json, sys, time
import aiohttp

async def main(path, url, _replies, _store):
    texts = [json.loads(line)["messages"] for line in open(path)]
    waiting = iter(texts)
    connector = aiohttp.TCPConnector(limit=0)
    headers = {"Content-Type": "application/json"}

    async def work(session):
        for messages in waiting:
            body = {"model": "bench", "messages": messages, "temperature": 0, "max_tokens": 16}
            data = json.dumps(body).encode()
            async with session.post(url + "/chat/completions", data=data) as reply:
                found = json.loads(await reply.read())
            assert found["choices"][0]["message"]["content"] == "A"

    async with aiohttp.ClientSession(connector=connector, headers=headers) as session:
        start, busy = time.perf_counter(), time.process_time()
        await asyncio.gather(*(work(session) for _ in range(64)))
        print(len(texts) / (time.perf_counter() - start), (time.process_time() - busy) / len(texts))

asyncio.run(main(*sys.argv[1:]))
"""
_RUN = """\
import sys, time
from pathlib import Path
from evaluation.runner.backend import BackendSettings
from evaluation.runner.index import index_requests
from evaluation.runner.backends.openai import OpenaiBackend
from evaluation.runner.costs import Purse
from evaluation.runner.reply_file import ReplyFile
from evaluation.runner.run import Job, Limits, run_requests
from evaluation.runner.tally import Tally
from evaluation.runner.store import Seen, Store

path, url, replies, store = sys.argv[1:]
import aiohttp
backend = OpenaiBackend(BackendSettings("bench", {"temperature": 0, "max_tokens": 16}, 64, (url,)))
with (
    index_requests(Path(path), "bench", backend.parameters) as index,
    Store(Path(store)) as kept,
    ReplyFile(Path(replies)) as file,
):
    purse = Purse(None, None, None, Seen(0, 0, 0, 0))
    tally = Tally(requests=len(index))
    start, busy = time.perf_counter(), time.process_time()
    run_requests(
        Job(index, bytearray(len(index)), backend, kept, file, purse, Limits(64)), tally
    )
    seconds, busy = time.perf_counter() - start, time.process_time() - busy
assert tally.answered == len(index), tally
print(tally.answered / seconds, busy / tally.answered)
"""


_BATCHES = """\
import json, sys, time
from pathlib import Path
from curation.files.workspace import Workspace
from evaluation.batch import Format, Order, read, write
import evaluation.batch.reading, evaluation.batch.writing
import pandas as pd

requests, _, folder, _ = map(Path, sys.argv[1:])
folder.mkdir()
files = {"replies": folder / "r.jsonl", "store": folder / "s.sqlite", "folder": folder / "b"}
reply = {"index": 0, "message": {"role": "assistant", "content": "A"}, "finish_reason": "stop"}
body = {"model": "m", "choices": [reply], "usage": {"prompt_tokens": 90, "completion_tokens": 1}}
response = {"status_code": 200, "body": body}

def took(step):
    start = time.process_time()
    step()
    return time.process_time() - start

pandas = took(lambda: pd.read_json(requests, lines=True))
order = Order(Format.OPENAI, "m", {"temperature": 0})
written = took(lambda: write(Workspace(folder), order, requests=requests, **files))
results = []
for path in sorted((folder / "b" / "001").glob("openai-*.jsonl")):
    results.append(folder / f"result-{path.name}")
    with path.open() as items, results[-1].open("w") as out:
        for line in items:
            item = {"custom_id": json.loads(line)["custom_id"], "response": response}
            out.write(json.dumps(item) + "\\n")
print(written / pandas, took(lambda: read(Workspace(folder), results, **files)) / pandas)
"""


def run() -> list[str]:
    """Measure all latencies, then batches; of several turns the medians are compared."""
    lines = []
    for latency, count in CASES:
        with tempfile.TemporaryDirectory() as name, _server(latency) as url:
            path = Path(name) / "requests.jsonl"
            _write(path, count)
            bare, ours = [], []
            for turn in range(TURNS):
                files = [str(Path(name) / f"{turn}{end}") for end in (".jsonl", ".sqlite")]
                arguments = [str(path), url, *files]
                bare.append(_figures(_BARE, arguments))
                ours.append(_figures(_RUN, arguments))
        lines += _said(latency, _medians(bare), _medians(ours))
    return lines + _batches()


def _said(latency: float, bare: tuple[float, float], ours: tuple[float, float]) -> list[str]:
    """Report how much longer a run takes than it may at best, and its processor time."""
    bound = CONCURRENCY / latency if latency else bare[0]
    best = min(bound, bare[0])
    what = f"run at {latency * 1000:g} ms"
    rates = f"{ours[0]:,.0f}/s; the bare loop {bare[0]:,.0f}/s"
    rates += f", at best {bound:,.0f}/s" if latency else ""
    costs = f"{ours[1] * 1e6:.0f} us; the bare loop {bare[1] * 1e6:.0f} us"
    limit = 1.15 if latency else 2.5  # without latency all the time is processor time
    return [
        report(f"{what}: time / at best", best / ours[0], limit, "x", rates),
        report(f"{what}: processor time / bare loop's", ours[1] / bare[1], 2.5, "x", costs),
    ]


def _batches() -> list[str]:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "requests.jsonl"
        _write(path, 120_000, _LONG)
        found = [
            _figures(_BATCHES, [str(path), "", str(Path(name) / str(turn)), ""])
            for turn in range(TURNS)
        ]
    written, read = _medians(found)
    return [
        report("batch write: processor time / pandas' read", written, 3, "x"),
        report("batch read: processor time / pandas' read", read, 3, "x"),
    ]


def _medians(found: list[tuple[float, float]]) -> tuple[float, float]:
    first, second = zip(*found, strict=True)
    return statistics.median(first), statistics.median(second)


def _figures(program: str, arguments: list[str]) -> tuple[float, float]:
    ran = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT), "NO_PROXY": "127.0.0.1"},
        check=True,
        capture_output=True,
        text=True,
    )
    first, second = ran.stdout.split()
    return float(first), float(second)


def _write(path: Path, count: int, more: Mapping[str, object] | None = None) -> None:
    with path.open("w", encoding="utf-8") as stream:
        for at in range(count):
            messages = [{"role": "user", "content": _TEXT.format(at)}]
            value = {"request_id": f"r{at}", "messages": messages, **(more or {})}
            stream.write(json.dumps(value) + "\n")


@contextmanager
def _server(latency: float) -> Iterator[str]:
    command = [sys.executable, str(_SERVER), "--latency", str(latency)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("the server has no pipes")
        yield process.stdout.readline().strip()
        process.stdin.close()
