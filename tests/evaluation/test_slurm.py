"""The array of jobs that the page on asking models shows, under a stand-in for Slurm."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "evaluation-running.md"
JOBS = 2
REQUESTS = 40

# Starts each job of the array in a session of its own, all at once, and waits for them.
SBATCH = """\
import os, re, subprocess, sys
from pathlib import Path
*options, script = sys.argv[1:]
text = Path(script).read_text()
array = next(iter(options), "") or re.search(r"^#SBATCH (--array=\\S+)", text, re.M)[1]
first, _, last = array.removeprefix("--array=").partition("-")
log = re.search(r"--output=(\\S+)", text)[1]
ports = os.environ["PORTS"].split(",")
jobs = []
for job, port in zip(range(int(first), int(last or first) + 1), ports):
    told = {"SLURM_ARRAY_TASK_ID": str(job), "SLURM_JOB_ID": str(int(port) - 20000)}
    with open(log.replace("%a", str(job)), "ab") as out:
        jobs.append(subprocess.Popen(
            ["bash", script], env={**os.environ, **told}, stdout=out, stderr=out,
            start_new_session=True,
        ))
for job in jobs:
    print(job.wait(200))
"""
# Answers on the port that it is given and notes what it was asked; the node is lost once.
VLLM = """\
import asyncio, os, signal, sys
from pathlib import Path
sys.path.insert(0, os.environ["HELPERS"])
import loopback
port = int(sys.argv[sys.argv.index("--port") + 1])
name = sys.argv[sys.argv.index("--served-model-name") + 1]
job = os.environ["SLURM_ARRAY_TASK_ID"]
asked = []
def persona(body):
    assert body["model"] == name
    asked.append(loopback.last_words(body))
    with open("asked.txt", "a") as file:
        file.write(asked[-1] + "\\n")
    lost = Path("lost")
    if job == "2" and len(asked) == 5 and not lost.exists():
        lost.touch()
        os.killpg(0, signal.SIGKILL)
    return "A"
async def main():
    await loopback.started(loopback.Loopback(persona=persona), port)
    await asyncio.Event().wait()
asyncio.run(main())
"""


@pytest.fixture
def cluster(tmp_path, monkeypatch):
    """A workspace with requests and the page's file of jobs, and what runs a command in it."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, code in (("sbatch", SBATCH), ("vllm", VLLM)):
        program = programs / name
        program.write_text(f"#!{sys.executable}\n{code}")
        program.chmod(0o755)
    workspace = tmp_path / "workspace"
    (workspace / "exports" / "evaluation").mkdir(parents=True)
    (workspace / "parts").mkdir()
    (workspace / "exports" / "evaluation" / "requests.jsonl").write_text(
        "".join(
            json.dumps(
                {"request_id": f"r{at}", "messages": [{"role": "user", "content": f"q{at}"}]}
            )
            + "\n"
            for at in range(REQUESTS)
        )
    )
    (workspace / "ask.sh").write_text(jobs_file())
    environment = {
        "PATH": f"{programs}:{Path(sys.executable).parent}:{os.environ['PATH']}",
        "HELPERS": str(Path(__file__).parent),
        "NO_PROXY": "127.0.0.1",
        "COLUMNS": "80",
    }

    def run(*words):
        ports = ",".join(map(str, free_ports(JOBS)))
        ran = subprocess.run(
            words,
            cwd=workspace,
            env={**environment, "PORTS": ports},
            capture_output=True,
            text=True,
            timeout=240,
        )
        return ran.stdout + ran.stderr

    return run


def jobs_file():
    """The page's file, with fewer jobs, as the page says that they are changed."""
    blocks = re.findall(r"```bash\n(#!/bin/bash\n#SBATCH --array=.*?)```", PAGE.read_text(), re.S)
    assert len(blocks) == 1
    text = blocks[0].replace("--array=1-8", f"--array=1-{JOBS}").replace("PARTS=8", f"PARTS={JOBS}")
    assert text.count(str(JOBS)) >= 2
    return str(text)


def free_ports(count):
    """Ports that the page's sum of job and 20000 can give, and that nobody has."""
    found = []
    for port in range(20000 + os.getpid() % 15000, 40000):
        with socket.socket() as tried:
            try:
                tried.bind(("127.0.0.1", port))
            except OSError:
                continue
        found.append(port)
        if len(found) == count:
            return found
    raise AssertionError("no port is free")


@pytest.mark.server
@pytest.mark.slow
@pytest.mark.skipif(shutil.which("curl") is None, reason="the file of jobs asks vLLM with curl")
def test_jobs_ask_their_parts_and_a_lost_one_goes_on(cluster, tmp_path):
    """All jobs at once; the second one's node is lost; sent again, it asks only what is missing."""
    workspace = tmp_path / "workspace"
    merge = "curate evaluate replies parts/1.jsonl parts/2.jsonl --requests "
    merge += "exports/evaluation/requests.jsonl --replies replies.jsonl"

    assert cluster("sbatch", "ask.sh") == "0\n-9\n"
    logs = {job: (workspace / "parts" / f"job-{job}.log").read_text() for job in (1, 2)}
    assert "Nothing was written." in cluster(*merge.split()), logs
    assert not (workspace / "replies.jsonl").exists()

    assert cluster("sbatch", "--array=2", "ask.sh") == "0\n"
    said = cluster(*merge.split())
    assert f"Complete: all {REQUESTS} requests have a reply of each model." in said
    lines = [json.loads(line) for line in (workspace / "replies.jsonl").read_text().splitlines()]
    assert [line["request_id"] for line in lines] == [f"r{at}" for at in range(REQUESTS)]
    assert {(line["model"], line["reply"]) for line in lines} == {("qwen3-8b", "A")}

    asked = Counter((workspace / "asked.txt").read_text().split())
    assert set(asked) == {f"q{at}" for at in range(REQUESTS)}
    twice = {text for text, count in asked.items() if count > 1}
    assert len(twice) <= 5, "what the lost node had answered and nobody received is asked again"
    assert max(asked.values()) <= 2
    stores = sorted(path.name for path in (workspace / "parts").glob("*.sqlite"))
    assert stores == ["1.sqlite", "2.sqlite"]
    assert not (workspace / ".curate").exists()
