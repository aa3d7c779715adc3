"""The program for Inspect, with stand-ins for what it takes from Inspect."""

from pathlib import Path
from typing import Any

import pytest

from .conftest import Bare, lines

pytestmark = pytest.mark.slow


STAND_INS = """
import asyncio, importlib.util, json, math, sys, types
from pathlib import Path

def module(name, **members):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(members)

class Record:
    def __init__(self, *args, **members):
        self.args = args
        self.__dict__.update(members)
    def as_dict(self):
        return self.value

def plain(function):
    return function

def scorer(metrics):
    def mark(function):
        def make():
            made = function()
            made.metrics = metrics
            return made
        return make
    return mark

def MemoryDataset(samples, name):
    return samples

module("inspect_ai", Task=Record, task=plain)
module("inspect_ai.dataset", MemoryDataset=MemoryDataset, Sample=Record)
module("inspect_ai.scorer", Metric=object, SampleScore=Record, Score=Record, Scorer=object,
       Target=object, Value=object, metric=plain, scorer=scorer)
module("inspect_ai.solver", TaskState=object, generate=lambda: "generate")
spec = importlib.util.spec_from_file_location("t", Path(sys.argv[1]) / "marevibbq_gen.py")
program = importlib.util.module_from_spec(spec)
spec.loader.exec_module(program)
"""
SELECT = (
    STAND_INS
    + """
found = []
for line in sys.stdin:
    task = program.marevibbq_gen(**json.loads(line))
    found.append([sample.id for sample in task.dataset])
sample = task.dataset[0]
json.dump([found, sample.input, sample.target, sample.metadata, task.version, task.metadata,
           task.solver], sys.stdout)
"""
)


def selected(bare: Bare, folder: Path, **wanted: object) -> Any:
    """Give the ids that a task asks."""
    return bare(SELECT, folder, [wanted])[0][0]


def test_a_task_asks_what_its_parameters_say(
    folders: dict[str, Path], workspace: Path, bare: Bare
) -> None:
    """Everything, or a category (by either name), a prompt, an order, in the requests' order."""
    folder = folders["inspect"]
    rows = lines(folder / "data.jsonl")

    def where(**wanted: object) -> list[str]:
        return [
            row["request_id"]
            for row in rows
            if all(row[name] == value for name, value in wanted.items())
        ]

    assert selected(bare, folder) == where()
    assert selected(bare, folder, category="Home_region") == where(category="Home_region")
    assert selected(bare, folder, category="home_region") == where(category="Home_region")
    assert selected(bare, folder, prompt=2, order="0") == where(prompt="2", order=0)
    assert len(selected(bare, folder, category="age", prompt="2", order=1)) == 56


def test_a_limit_draws_the_samples_that_evaluate_prepare_draws(
    folders: dict[str, Path], workspace: Path, tmp_path: Path, bare: Bare
) -> None:
    """The same seed, the same ones."""
    from .conftest import run

    out = tmp_path / "requests.jsonl"
    run("evaluate", "prepare", "-w", workspace, "--limit", 7, "--seed", 3, "--out", out, "--json")
    ids = [row["request_id"] for row in lines(out)]
    assert len(ids) == 7 * 15
    assert selected(bare, folders["inspect"], limit=7, seed=3) == ids
    assert selected(bare, folders["inspect"], limit=7) != ids
    assert len(selected(bare, folders["inspect"], limit=9999)) == 3960
