"""Parts of a job on a cluster: the same bytes, also where a worker is lost."""

import json
import os
import signal
from dataclasses import replace
from functools import partial

import pytest

pytest.importorskip("distributed", reason="the extra 'distributed' is not installed")
from distributed import Client, LocalCluster

from curation.files.workspace import Workspace
from curation.records.messages import CurateError
from evaluation.cluster import over_parts, run_parts
from evaluation.replies.merging import merge
from evaluation.runner.asking import RunPlan, run
from evaluation.runner.backend import BackendSettings

pytestmark = [pytest.mark.server, pytest.mark.xdist_group("cluster")]


def counted(folder, part, parts):
    """Notes that it was called; the first call of part 2 loses its worker, part 9 fails."""
    with (folder / f"{part}.txt").open("a") as log:
        log.write(f"{os.getpid()}\n")
    if part == 2 and len((folder / "2.txt").read_text().splitlines()) == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    if part == 9:
        raise CurateError("the disk is full")
    return f"{part} of {parts}"


@pytest.mark.filterwarnings("ignore")
def test_parts_are_worked_off_by_workers_that_may_be_lost(tmp_path):
    """In their order; a part that fails leaves the others as they are."""
    requests = tmp_path / "requests.jsonl"
    lines = [
        {
            "request_id": f"r{at}",
            "messages": [{"role": "user", "content": f"{at}: x, y or z?"}],
            "choices": ["x", "y", "z"],
        }
        for at in range(400)
    ]
    requests.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    wanted = RunPlan(
        workspace=Workspace(tmp_path),
        requests=requests,
        replies=tmp_path / "cluster.jsonl",
        store=tmp_path / "cluster.sqlite",
        backend="uniform",
        settings=BackendSettings("uniform", options={"seed": "3"}),
    )
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        known = partial(counted, tmp_path)
        assert over_parts(known, 4, client) == [f"{part} of 4" for part in (1, 2, 3, 4)]
        assert len((tmp_path / "2.txt").read_text().splitlines()) == 2
        with pytest.raises(CurateError, match="part 9/10 failed: the disk is full"):
            over_parts(known, 10, client, retries=0)
        assert (tmp_path / "10.txt").exists()
        run_parts(wanted, 5, client)
        whole = run_parts(wanted, 5, client)
    alone = tmp_path / "alone.jsonl"
    run(replace(wanted, replies=alone))
    merge([alone], tmp_path / "one.jsonl", requests)
    assert (tmp_path / "cluster.jsonl").read_bytes() == (tmp_path / "one.jsonl").read_bytes()
    assert (whole.written, whole.models) == (400, {"uniform": 400})
