"""Break places of the product one at a time, and see which tests notice.

    python tools/mutate.py --seed 1                      60 places, every test
    python tools/mutate.py --seed 1 --tests quick        only the tests that start nothing
    python tools/mutate.py --core --count 20 --hits DIR  places of the modules that decide numbers,
                                                         by a run of the tests that has watched them

First the tests run once, and each function with a chosen place writes down which tests come to it.
Then each place is broken in a process of its own, and only these tests are run until one fails. A
place that no test notices is a survivor. Survivors of the core modules end with status 1, but for
those of `tools/mutation/equal.txt`: changes that no test can notice, each with the reason.
"""

import argparse
import ast
import gc
import importlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from contextlib import redirect_stdout
from dataclasses import astuple, dataclass, field
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import NoReturn

import pytest

ROOT = Path(__file__).parents[1]
HERE = ROOT / "tools" / "mutation"
sys.path.insert(0, str(HERE))

from mutants import (  # noqa: E402  # beside the hook that processes load
    Changes,
    all_places,
    changes_of,
    install,
    run_meanwhile,
)

CORE: dict[str, tuple[str, ...]] = {
    "survey/rules.py": (),
    "survey/counts.py": ("merge", "_votes"),
    "curation/files/questionnaire.py": ("CountedRow", "write_tallies", "_rows", "read_tallies"),
    "survey/answers.py": (
        *("count_answers", "split_choices", "one_per_answer", "numbered_pairs"),
        "_contradictions",
    ),
    "evaluation/qa/metrics.py": (),
    "evaluation/qa/score.py": (
        *("tally_frame", "write_tallies", "Scored", "read_scored", "counts_by"),
    ),
    "curation/bank/rewording.py": (
        *("retarget", "_target_slot", "_fillers", "_refitted"),
        "_general",
    ),
    "curation/files/codec.py": ("followed", "now"),
    "exports/package_files.py": (),
}
"""Modules in which a fault is a wrong number, a wrong role or a wrong release; of some, those of
their functions and classes in which it is."""
QUICK = "not slow and not server and not command"
MOST_TESTS = 300
"""Tests that are tried for one place; the quickest come first."""
NEAR_S = 1.0
"""A test of the place's own folder comes before others that are quicker by so many seconds."""
MOST_SECONDS = (90.0, 25.0)
"""Seconds that these tests took together when they were watched, at most; of core and others."""
FIRST = 20
"""Tests that are tried before the others are collected."""
SHARED = (
    *("click.testing", "numpy", "openpyxl", "pandas", "pyarrow", "pydantic", "rich"),
    *("scipy.stats", "statsmodels.api", "yaml"),
)
"""What most tests import, and what is none of ours."""
LIMIT = (45.0, 3.0)
"""A broken place counts as noticed, for it never ends, after so many seconds, and so many times
what its tests took together when they were watched."""


OPTIONS = ("-x", "-q", "-p", "no:cacheprovider", "-n", "0")


@dataclass(slots=True)
class Watched:
    """What a run of the tests has seen.

    Attributes:
        tests: For each place, the tests that come to its function.
        seconds: What each test takes.
        quick: The tests that start nothing.
    """

    tests: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    seconds: dict[str, float] = field(default_factory=dict)
    quick: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Tried:
    """What became of a place: `killed` by a test, `survived`, or `unreached` by all tests."""

    place: str
    outcome: str
    by: str = ""
    tests: int = 0


def chosen(seed: str, count: int, modules: Collection[str]) -> list[str]:
    """Places drawn at random, each as likely as the other.

    Args:
        seed: Whatever it is drawn by.
        count: How many, at most.
        modules: Files or folders of the product; none for all of it.
    """
    paths = [
        path
        for name in modules
        for path in (
            sorted((ROOT / name).rglob("*.py")) if (ROOT / name).is_dir() else [ROOT / name]
        )
    ]
    known = equal()
    every = [place for place in all_places(paths) if text_of(place) not in known]
    if modules is CORE:
        every = [place for place in every if is_core(place)]
    return sorted(random.Random(seed).sample(every, min(count, len(every))))


def is_core(place: str) -> bool:
    """Whether a fault at a place is a wrong number, role or release.

    Raises:
        ValueError: If a function of `CORE` is not in its module.
    """
    path, line = place.split(":")[:2]
    return path in CORE and any(int(line) in lines for lines in _core_lines(path))


@cache
def _core_lines(path: str) -> tuple[range, ...]:
    body = ast.parse((ROOT / path).read_text(encoding="utf-8")).body
    if not CORE[path]:
        return (range(1, sys.maxsize),)
    named = {
        item.name: range(item.lineno, (item.end_lineno or item.lineno) + 1)
        for item in body
        if isinstance(item, ast.FunctionDef | ast.ClassDef)
    }
    if gone := set(CORE[path]) - named.keys():
        raise ValueError(f"{path} has no {', '.join(sorted(gone))}: see CORE")
    return tuple(named[name] for name in CORE[path])


def text_of(place: str) -> str:
    """A place as `equal.txt` names it: by module, kind and what stands there, not by its line."""
    name, line, column, kind = place.split(":")
    text = (ROOT / name).read_text(encoding="utf-8").splitlines()[int(line) - 1]
    return f"{name} | {kind} {int(column) - (len(text) - len(text.lstrip()))} | {text.strip()}"


def equal() -> set[str]:
    """The changes that nobody can notice."""
    path = HERE / "equal.txt"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {line for line in lines if line and not line.startswith("#")}


def environment(**values: str) -> dict[str, str]:
    """Of a process that loads the hook."""
    found = [str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(found), **values}


def watch(
    places: Sequence[str], folder: Path, tests: str, workers: str, within: Sequence[str]
) -> None:
    """Run the tests once, and write down which of them come to which place."""
    listed = folder / "places"
    listed.write_text("\n".join(places), encoding="utf-8")
    subprocess.run(  # noqa: S603  # our own tests
        [sys.executable, "-m", "pytest", "-q", "-n", workers, "-p", "taken"]
        + (["-m", QUICK] if tests == "quick" else [])
        + list(within),
        cwd=ROOT,
        env=environment(MUTANT_HITS=str(folder), MUTANT_PLACES=str(listed)),
        check=False,
    )


def read_watched(folder: Path) -> Watched:
    """Read what `watch` has written."""
    places = (folder / "places").read_text(encoding="utf-8").split()
    found = Watched()
    for path in folder.glob("*.txt"):
        for line in path.read_text(encoding="utf-8").splitlines():
            number, _, test = line.partition("\t")
            if test:
                found.tests[places[int(number)]].add(_without_group(test))
    for path in folder.glob("*.json"):
        told = json.loads(path.read_text(encoding="utf-8"))
        for test, seconds in told["seconds"].items():
            name = _without_group(test)
            found.seconds[name] = max(seconds, found.seconds.get(name, 0.0))
        found.quick.update(
            _without_group(name) for name, marks in told["marks"].items() if not marks
        )
    return found


def _without_group(test: str) -> str:
    """A test as it is named where no groups are kept together; an `@` may be one of its values."""
    return re.sub(r"@[\w.-]+$", "", test)


def attempts(places: Sequence[str], watched: Watched, tests: str) -> list[Tried]:
    """Break each place in a fork, as many at once as there are cores.

    Where it can be, the fork is of a process that has imported the product and the tests, and the
    code of one function is changed in it. What was run by an import would have left its result
    there: such a place is broken before anything is imported.
    """
    for name in SHARED:
        importlib.import_module(name)
    ordered = {place: _tests_of(place, watched, tests) for place in places}
    found = {at: Tried(at, "unreached") for at, reaching in ordered.items() if not reaching}
    with tempfile.TemporaryDirectory() as name:
        told = Path(name, "told.json")
        warm = os.fork()
        if not warm:
            _be_warm(
                {place: ordered[place] for place in places if place not in found}, watched, told
            )
        os.waitpid(warm, 0)
        if told.exists():
            found |= {item[0]: Tried(*item) for item in json.loads(told.read_text())}
    found |= _each({at: ordered[at] for at in places if at not in found}, watched, {})
    return [found[place] for place in places]


def _be_warm(ordered: dict[str, list[str]], watched: Watched, told: Path) -> NoReturn:
    """Be a process that has imported all, and break those places whose functions have not run."""
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    files = sorted({test.partition("::")[0] for tests in ordered.values() for test in tests})
    with Path(os.devnull).open("w") as nothing, redirect_stdout(nothing):
        ran = run_meanwhile(lambda: pytest.main([*OPTIONS, "--collect-only", *files]))
    changed = {place: changes_of(place, ran) for place in ordered}
    late = {place: change for place, change in changed.items() if change is not None}
    gc.collect()
    gc.freeze()
    tried = _each({place: ordered[place] for place in late}, watched, late)
    told.write_text(json.dumps([astuple(item) for item in tried.values()]))
    os._exit(0)


def _each(
    ordered: dict[str, list[str]], watched: Watched, late: dict[str, Changes]
) -> dict[str, Tried]:
    """Break each place in a fork of this process.

    Args:
        ordered: The tests of each place.
        watched: What they take.
        late: Of what is imported already, the functions that a place changes.
    """
    waiting = list(ordered)
    running: dict[int, _Running] = {}
    found: dict[str, Tried] = {}
    with tempfile.TemporaryDirectory() as name:
        while waiting or running:
            while waiting and len(running) < (os.cpu_count() or 2):
                place = waiting.pop()
                log = Path(name, f"{len(waiting)}.log")
                child = os.fork()
                if not child:
                    _be_broken(place, ordered[place], log, late.get(place, []))
                taken = sum(watched.seconds.get(test, 0.0) for test in ordered[place])
                until = time.monotonic() + LIMIT[0] + LIMIT[1] * taken
                running[child] = _Running(place, len(ordered[place]), log, until)
            for child, item in list(running.items()):
                ended, status = os.waitpid(child, os.WNOHANG)
                too_long = time.monotonic() > item.until
                if too_long and not ended:
                    os.killpg(child, signal.SIGKILL)
                    os.waitpid(child, 0)
                if ended or too_long:
                    del running[child]
                    code = os.waitstatus_to_exitcode(status) if ended else None
                    found[item.place] = _became(item, code)
            time.sleep(0.02)
    return found


@dataclass(frozen=True, slots=True)
class _Running:
    place: str
    tests: int
    log: Path
    until: float


def _tests_of(place: str, watched: Watched, tests: str) -> list[str]:
    """The tests that come to a place: the quickest first, and those of its own folder."""
    folder = f"tests/{Path(place).parent.as_posix().removeprefix('curation/')}/"

    def wait(test: str) -> tuple[float, str]:
        seconds = watched.seconds.get(test, 9.0)
        return (seconds if test.startswith(folder) else seconds + NEAR_S), test

    known = watched.tests.get(place, set())
    if tests == "quick":
        known = known & watched.quick
    ordered = sorted(known, key=wait)[:MOST_TESTS]
    taken = accumulate(watched.seconds.get(test, 9.0) for test in ordered)
    return [
        test
        for at, (test, until) in enumerate(zip(ordered, taken, strict=True))
        if not at or until <= MOST_SECONDS[not is_core(place)]
    ]


def _be_broken(place: str, ordered: Sequence[str], log: Path, late: Changes) -> NoReturn:
    """Be a process in which a place is broken, and run tests until one fails."""
    os.setpgid(0, 0)
    stream = os.open(log, os.O_WRONLY | os.O_CREAT)
    for number in (1, 2):
        os.dup2(stream, number)
    os.environ.update(environment(MUTANT=place))
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    code = 70
    try:
        install({"MUTANT": place})
        for function, code in late:
            function.__code__ = code
        code = 0
        # Most places are noticed by one of a few tests: the files of the others are not read then.
        for part in filter(None, (ordered[:FIRST], ordered[FIRST:])):
            code = code or int(pytest.main([*OPTIONS, *part]))
    except BaseException:  # noqa: BLE001  # the parent shows what it was
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _became(item: _Running, code: int | None) -> Tried:
    """What became of a place by how its process ended."""
    if code is None:
        return Tried(item.place, "killed", "never ends", item.tests)
    if code == 0:
        return Tried(item.place, "survived", tests=item.tests)
    printed = item.log.read_text(encoding="utf-8", errors="replace")
    if "found no collectors" in printed:
        return Tried(item.place, "killed", "what the tests import cannot be imported", item.tests)
    if code > 2:  # no test has failed: the run itself has
        print(f"not tried, {code}: {item.place}\n{printed[-1500:]}")
        return Tried(item.place, "unreached", tests=item.tests)
    failed = [line for line in printed.splitlines() if line.startswith(("FAILED ", "ERROR "))]
    by = failed[0].split(" ")[1] if failed else f"exit {code}"
    return Tried(item.place, "killed", by, item.tests)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Break places, and see which tests notice.")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--verbose", action="store_true", help="also name who noticed each place")
    parser.add_argument("--core", action="store_true", help="only modules that decide numbers")
    parser.add_argument("--of", nargs="*", default=[], help="only these modules or folders")
    parser.add_argument("--tests", choices=("all", "quick"), default="all")
    parser.add_argument("--hits", type=Path, help="a folder with a watched run")
    parser.add_argument("--keep", type=Path, help="an empty folder for what is watched")
    parser.add_argument("--list", action="store_true", help="only print the places, for --hits")
    parser.add_argument("--workers", default="auto")
    parser.add_argument("within", nargs="*", help="only tests of these files or folders")
    asked = parser.parse_args()
    places = chosen(asked.seed, asked.count, CORE if asked.core else asked.of)
    if asked.list:
        print("\n".join(places))
        return
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as made:
        folder = asked.hits or asked.keep or Path(made)
        if asked.hits is None:
            watch(places, folder, asked.tests, asked.workers, asked.within)
        else:
            places = (folder / "places").read_text(encoding="utf-8").split()
        watched = read_watched(folder)
    tried = attempts(places, watched, asked.tests)
    print(f"{'module':<58}{'killed':>8}{'survived':>10}{'unreached':>11}")
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for item in tried:
        counts[item.place.partition(":")[0]][item.outcome] += 1
    counts["all"] = Counter(item.outcome for item in tried)
    for name, found in counts.items():
        print(f"{name:<58}{found['killed']:>8}{found['survived']:>10}{found['unreached']:>11}")
    for item in tried if asked.verbose else ():
        print(f"{item.outcome} {item.place} {item.by}")
    alive = [item for item in tried if item.outcome != "killed"]
    for item in alive:
        print(f"{item.outcome} ({item.tests} tests): {item.place}\n    {text_of(item.place)}")
    print(f"seed {asked.seed}, {len(places)} places, {time.monotonic() - begun:.0f} s")
    if any(is_core(item.place) for item in alive):
        sys.exit(1)


if __name__ == "__main__":
    main()
