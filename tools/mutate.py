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
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1]
HERE = ROOT / "tools" / "mutation"
sys.path.insert(0, str(HERE))

from mutants import all_places  # noqa: E402  # it lies beside the hook that processes load

CORE = (
    "survey/rules.py",
    "survey/tallies.py",
    "survey/votes.py",
    "evaluation/qa/metrics.py",
    "evaluation/qa/tallies.py",
    "curation/bank/retarget.py",
    "curation/files/ledger.py",
    "exports/package_files.py",
)
"""Modules in which a fault is a wrong number, a wrong role or a wrong release."""
QUICK = "not slow and not server and not command"
MOST_TESTS = 300
"""Tests that are tried for one place; the quickest come first."""
LIMIT = 300.0
"""Seconds after which a broken place counts as noticed: it never ends."""


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


def chosen(seed: str, count: int, *, core: bool) -> list[str]:
    """Places drawn at random, each as likely as the other."""
    paths = [ROOT / name for name in CORE] if core else None
    every = list(all_places(paths))
    known = equal()
    every = [place for place in every if text_of(place) not in known]
    return sorted(random.Random(seed).sample(every, min(count, len(every))))


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
                found.tests[places[int(number)]].add(test.partition("@")[0])
    for path in folder.glob("*.json"):
        told = json.loads(path.read_text(encoding="utf-8"))
        for test, seconds in told["seconds"].items():
            name = test.partition("@")[0]
            found.seconds[name] = max(seconds, found.seconds.get(name, 0.0))
        found.quick.update(
            name.partition("@")[0] for name, marks in told["marks"].items() if not marks
        )
    return found


def attempt(place: str, watched: Watched, tests: str) -> Tried:
    """Break a place and run the tests that come to it, the quickest first."""
    known = watched.tests.get(place, set())
    if tests == "quick":
        known = known & watched.quick
    ordered = sorted(known, key=lambda test: (watched.seconds.get(test, 9.0), test))[:MOST_TESTS]
    if not ordered:
        return Tried(place, "unreached")
    done = 0
    for size in (40, MOST_TESTS):  # most faults are noticed at once
        part = ordered[done : done + size]
        if not part:
            break
        done += len(part)
        # A group of tests has its name behind an @ where tests are distributed.
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p"]
        command += ["no:randomly", "-n", "0", *part]
        try:
            ran = subprocess.run(  # noqa: S603  # our own tests
                command,
                cwd=ROOT,
                env=environment(MUTANT=place),
                capture_output=True,
                text=True,
                timeout=LIMIT,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Tried(place, "killed", "never ends", done)
        if ran.returncode:
            failed = [
                line for line in ran.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))
            ]
            by = failed[0].split(" - ")[0].split(" ", 1)[1] if failed else f"exit {ran.returncode}"
            return Tried(place, "killed", by, done)
    return Tried(place, "survived", tests=done)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Break places, and see which tests notice.")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--verbose", action="store_true", help="also name who noticed each place")
    parser.add_argument("--core", action="store_true", help="only modules that decide numbers")
    parser.add_argument("--tests", choices=("all", "quick"), default="all")
    parser.add_argument("--hits", type=Path, help="a folder with a watched run")
    parser.add_argument("--keep", type=Path, help="an empty folder for what is watched")
    parser.add_argument("--list", action="store_true", help="only print the places, for --hits")
    parser.add_argument("--workers", default="auto")
    parser.add_argument("within", nargs="*", help="only tests of these files or folders")
    asked = parser.parse_args()
    places = chosen(asked.seed, asked.count, core=asked.core)
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
    with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        tried = list(pool.map(lambda place: attempt(place, watched, asked.tests), places))
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
    if any(item.place.partition(":")[0] in CORE for item in alive):
        sys.exit(1)


if __name__ == "__main__":
    main()
