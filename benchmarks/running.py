"""`evaluation.runner` against a server on this machine, beside a bare loop over aiohttp.

Replies take no time, 50 ms or 1 s; 64 are asked at once. A run can then reach 64 divided by the
latency, or what the bare loop reaches where that is less: it sends and reads, and writes nothing.
Both ask in turn, each in a process of its own, the server in another one. Beside wall-clock time
stands processor time a request, which says the same on a busy machine.

At 50 ms lm-eval and Inspect ask in the same turns, where they are installed (`benchmarks.peers`).

Then batches: requests written into batch files, and results read, beside pandas and polars, which
read the same requests.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks.measure import ROOT, report
from benchmarks.peers import POLARS, PROGRAMS, interpreter, skipped, version

CONCURRENCY = 64
TURNS = 3
WITH_PEERS = 0.05
"""The latency at which other programs ask, too."""
REQUESTS = int(os.environ.get("CURATE_BATCH_REQUESTS", "120000"))
"""Requests of the batches: KoBBQ's entire set has 1,148,520."""
CASES = ((0.0, 10_000), (0.05, 34_200), (1.0, 640))
"""Seconds that a reply takes, and requests."""
_LONG = {"choices": ["The potter", "The baker", "Nobody can tell"], "note": "x" * 500}
"""What makes a request as long as one of question answering, with what stands beside it."""
_SERVER = """\
import sys
from tests.evaluation import loopback
with loopback.serve(latency=float(sys.argv[1])) as server:
    print(server.url, flush=True)
    sys.stdin.read()
"""
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
from evaluation.runner.backends.completions import OpenaiBackend
from evaluation.runner.run import Purse
from evaluation.runner.store import ReplyFile
from evaluation.runner.run import Job, run_requests
from evaluation.runner.run import RunCounts
from evaluation.runner.store import EarlierCosts, Store

path, url, replies, store = sys.argv[1:]
import aiohttp
backend = OpenaiBackend(BackendSettings("bench", {"temperature": 0, "max_tokens": 16}, 64, url))
with (
    index_requests(Path(path), backend.asking) as index,
    Store(Path(store)) as kept,
    ReplyFile(Path(replies)) as file,
):
    purse = Purse(None, None, None, EarlierCosts())
    tally = RunCounts(requests=len(index))
    start, busy = time.perf_counter(), time.process_time()
    run_requests(Job(index, bytearray(len(index)), backend, kept, file, purse, 64), tally)
    seconds, busy = time.perf_counter() - start, time.process_time() - busy
assert tally.answered == len(index), tally
print(tally.answered / seconds, busy / tally.answered)
"""


_BATCHES = """\
import json, sys, time
from pathlib import Path
from curation.files.workspace import Workspace
from evaluation.batch import read, write
from evaluation.runner.asking import plan_run
from evaluation.runner.backend import BackendSettings
import evaluation.batch
import pandas as pd

requests, _, folder, _ = map(Path, sys.argv[1:])
folder.mkdir()
files = {"replies": folder / "r.jsonl", "store": folder / "s.sqlite", "requests": requests}
model = BackendSettings("m", {"temperature": 0})
reply = {"index": 0, "message": {"role": "assistant", "content": "A"}, "finish_reason": "stop"}
body = {"model": "m", "choices": [reply], "usage": {"prompt_tokens": 90, "completion_tokens": 1}}
response = {"status_code": 200, "body": body}

def took(step):
    start = time.process_time()
    step()
    return time.process_time() - start

pandas = took(lambda: pd.read_json(requests, lines=True))
plan = plan_run(Workspace(folder), "openai", model, **files)
written = took(lambda: write(plan, folder / "b"))
results = []
for path in sorted((folder / "b" / "001").glob("openai-*.jsonl")):
    results.append(folder / f"result-{path.name}")
    with path.open() as items, results[-1].open("w") as out:
        for line in items:
            item = {"custom_id": json.loads(line)["custom_id"], "response": response}
            out.write(json.dumps(item) + "\\n")
print(pandas, written, took(lambda: read(plan, results, folder=folder / "b")))
"""


def run() -> list[str]:
    """Measure all latencies, then batches; of several turns the medians are compared."""
    lines = []
    for latency, count in CASES:
        lines += _case(latency, count, PROGRAMS if latency == WITH_PEERS else ())
    return lines + batches()


def peers() -> list[str]:
    """Measure the latency at which other programs ask, too."""
    return [
        line
        for latency, count in CASES
        if latency == WITH_PEERS
        for line in _case(latency, count, PROGRAMS)
    ]


def _case(latency: float, count: int, others: Iterable[str]) -> list[str]:
    """Ask with each program in turn, and report ours beside each."""
    versions = {name: version(PROGRAMS[name][0]) for name in others}
    lines = [skipped(name) for name, found in versions.items() if found is None]
    programs = {"bare": (sys.executable, _BARE), "ours": (sys.executable, _RUN)}
    for name, found in versions.items():
        if found is not None:
            programs[name] = (str(interpreter()), PROGRAMS[name][1])
    figures: dict[str, list[tuple[float, float]]] = {name: [] for name in programs}
    with tempfile.TemporaryDirectory() as folder, _server(latency) as url:
        path = Path(folder) / "requests.jsonl"
        _write(path, count)
        for turn in range(TURNS):
            for name, (python, program) in programs.items():
                files = [str(Path(folder) / f"{turn}{name}{end}") for end in (".jsonl", ".sqlite")]
                figures[name].append(_figures(program, [str(path), url, *files], python))
    lines += _said(latency, _medians(figures["bare"]), _medians(figures["ours"]))
    for name, found in versions.items():
        if found is not None:
            lines += _beside(f"{name} {found}", figures["ours"], figures[name])
    return lines


def _beside(
    name: str, ours: Sequence[tuple[float, float]], other: Sequence[tuple[float, float]]
) -> list[str]:
    """Report our time and processor time beside another program's, turn by turn."""
    pairs = list(zip(ours, other, strict=True))
    time = statistics.median(theirs[0] / mine[0] for mine, theirs in pairs)
    busy = statistics.median(mine[1] / theirs[1] for mine, theirs in pairs)
    mine, theirs = _medians(ours), _medians(other)
    rates = f"{mine[0]:,.0f}/s; {name} {theirs[0]:,.0f}/s; load {os.getloadavg()[0]:.1f}"
    costs = f"{mine[1] * 1e6:.0f} us; {name} {theirs[1] * 1e6:.0f} us"
    return [
        report(f"  time / {name}", time, 1, "x", rates),
        report(f"  processor time / {name}", busy, 1.25, "x", costs),
    ]


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


def batches() -> list[str]:
    """Measure the processor time of batches beside that of pandas and polars."""
    polars = version("polars")
    lines = [] if polars else [skipped("polars")]
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "requests.jsonl"
        _write(path, REQUESTS, _LONG)
        found, others = [], []
        for turn in range(TURNS):
            found.append(_run_program(_BATCHES, [str(path), "", str(Path(name) / str(turn)), ""]))
            if polars:
                others.append(_figures(POLARS, [str(path)], str(interpreter()))[1])
    pandas, *ours = zip(*found, strict=True)
    for beside, times in (("pandas", pandas), (f"polars {polars}", others)):
        for what, mine in zip(("write", "read"), ours, strict=True):
            if times:
                ratio = statistics.median(a / b for a, b in zip(mine, times, strict=True))
                costs = f"{statistics.median(mine):.1f} s / {statistics.median(times):.1f} s"
                costs += f" for {REQUESTS:,} requests"
                name = f"batch {what}: processor time / {beside}' read"
                lines.append(report(name, ratio, 3, "x", costs))
    return lines


def _medians(found: Sequence[tuple[float, float]]) -> tuple[float, float]:
    first, second = zip(*found, strict=True)
    return statistics.median(first), statistics.median(second)


def _figures(
    program: str, arguments: list[str], python: str = sys.executable
) -> tuple[float, float]:
    first, second = _run_program(program, arguments, python)
    return first, second


def _run_program(
    program: str, arguments: list[str], python: str = sys.executable
) -> tuple[float, ...]:
    ran = subprocess.run(
        [python, "-c", program, *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT), "NO_PROXY": "127.0.0.1"},
        check=False,
        capture_output=True,
        text=True,
    )
    if ran.returncode:
        raise RuntimeError(f"a program of {python} failed:\n{ran.stderr}")
    return tuple(map(float, ran.stdout.split()))


def _write(path: Path, count: int, more: Mapping[str, object] | None = None) -> None:
    with path.open("w", encoding="utf-8") as stream:
        for at in range(count):
            messages = [{"role": "user", "content": _TEXT.format(at)}]
            value = {"request_id": f"r{at}", "messages": messages, **(more or {})}
            stream.write(json.dumps(value) + "\n")


@contextmanager
def _server(latency: float) -> Iterator[str]:
    command = [sys.executable, "-c", _SERVER, str(latency)]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("the server has no pipes")
        yield process.stdout.readline().strip()
        process.stdin.close()
