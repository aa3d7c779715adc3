"""A Dask cluster on this machine: a scheduler and two worker processes. Needs the extra.

As a script it runs until its input ends, and prints one JSON object: the scheduler's address.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Cluster:
    """A cluster that runs.

    Attributes:
        address: The scheduler's.
        process: The scheduler's, which the workers end with.
    """

    address: str
    process: "subprocess.Popen[str]"


@contextmanager
def two_workers(folder: Path) -> Iterator[Cluster]:
    """Start a cluster; workers know the backend `scripted`."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with (
        (folder / "cluster.log").open("w") as log,
        subprocess.Popen(
            [sys.executable, __file__, str(folder)],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        ) as process,
    ):
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            assert line, (folder / "cluster.log").read_text()
            yield Cluster(json.loads(line)["address"], process)
        finally:
            process.stdin.close()


def main(folder: str) -> None:
    """Be the cluster."""
    import dask
    from distributed import LocalCluster

    dask.config.set(
        {
            # One worker may be lost with a task; at the second one the task itself is at fault.
            "distributed.scheduler.allowed-failures": 1,
            # A worker that was killed is started again, however busy the machine is.
            "distributed.deploy.lost-worker-timeout": "10 minutes",
        }
    )
    with LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address=None,
        memory_limit=0,
        local_directory=folder,
        silence_logs=False,
        preload=["scripted_backend"],
    ) as cluster:
        print(json.dumps({"address": cluster.scheduler_address}), flush=True)  # noqa: T201  # is read
        sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1])
