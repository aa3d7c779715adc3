"""Pushing and pulling 10,000 tasks against what the server itself takes to import and export them.

Needs a server: `LABEL_STUDIO_URL` and `LABEL_STUDIO_API_KEY` name an empty one. The server's own
import is one request with all tasks, its export one download.
"""

import json
import os
import statistics
import tempfile
import time
from pathlib import Path
from urllib.request import Request, urlopen

from benchmarks.measure import report
from curation.annotation.labelstudio.answers import kind_of
from curation.annotation.labelstudio.client import Server, Setup, connect
from curation.annotation.labelstudio.pull import pull_project
from curation.annotation.labelstudio.push import ProjectPlan, Pusher
from curation.annotation.labelstudio.store import load_state
from curation.annotation.labelstudio.tasks import Task, page_of

COUNT = 10_000
_FIELDS = (
    *("heading", "stereotype", "target_groups", "ambiguous_context", "disambiguating_context"),
    *("questions", "answers", "fillers", "example", "links", "reference"),
)


def tasks(count: int = COUNT) -> tuple[Task, ...]:
    """Make tasks of the size of a template."""
    return tuple(
        Task(f"age-{at:05d}", {name: f"{name} of template {at} " * 6 for name in _FIELDS})
        for at in range(count)
    )


def run() -> list[str]:
    """Measure push and pull, and the server's own import and export, in turn."""
    if not os.environ.get("LABEL_STUDIO_URL"):
        print("labelstudio: no server, set LABEL_STUDIO_URL and LABEL_STUDIO_API_KEY")
        return []
    made, server = tasks(), connect()
    names = ("import", "push", "listing", "again", "export", "pull")
    found: dict[str, list[float]] = {name: [] for name in names}
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(3):
            _once(server, made, Path(folder) / str(turn), found)
    medians = {name: statistics.median(seconds) for name, seconds in found.items()}
    print("  ".join(f"{name} {seconds:.2f} s" for name, seconds in medians.items()))
    return [
        report("push / import in one request", medians["push"] / medians["import"], 1.5, "x"),
        report("push again / listing", medians["again"] / medians["listing"], 1.2, "x"),
        report("pull / export", medians["pull"] / medians["export"], 1.5, "x"),
    ]


def _once(
    server: Server, made: tuple[Task, ...], folder: Path, found: dict[str, list[float]]
) -> None:
    setup = Setup(page_of("classify", "en", "en"), annotations=3)
    start = time.perf_counter()
    bulk = server.create("Benchmark of import", "", setup)
    server.send(bulk.id, [task.data for task in made])
    found["import"].append(time.perf_counter() - start)

    start = time.perf_counter()
    plan = ProjectPlan("classify", "", "Benchmark of push", setup, made)
    pushed = Pusher(server, load_state(folder / "labelstudio.json")).push(plan)
    found["push"].append(time.perf_counter() - start)
    start = time.perf_counter()
    server.listing(pushed["project"])
    found["listing"].append(time.perf_counter() - start)
    start = time.perf_counter()
    again = Pusher(server, load_state(folder / "labelstudio.json")).push(plan)
    found["again"].append(time.perf_counter() - start)
    if (again["sent"], again["page_changed"]) != (0, False):
        raise RuntimeError("pushing again sent something")
    if (pushed["tasks"], server.project(pushed["project"]).tasks) != (COUNT, COUNT):
        raise RuntimeError("the push did not send every task once")

    annotated = _annotated(server, made)
    start = time.perf_counter()
    count = len(json.loads(server.export(annotated)))
    found["export"].append(time.perf_counter() - start)
    start = time.perf_counter()
    project = server.project(annotated)
    current, at = {task.uid: task.hash for task in made}, "2026-01-01T00:00:00Z"
    page = page_of("classify", "en", "en")
    kind = kind_of("classify")
    pulled = pull_project(server, project, kind, page, current, current, folder, at)
    found["pull"].append(time.perf_counter() - start)
    if (len(pulled.answers), count, len(pulled.findings)) != (COUNT, COUNT, 0):
        raise RuntimeError("the pull did not read every annotation")


def _annotated(server: Server, made: tuple[Task, ...]) -> int:
    """Make a project whose tasks come with an annotation each."""
    setup = Setup(page_of("classify", "en", "en"), annotations=3)
    project = server.create("Benchmark of pull", "", setup)
    value = {"choices": ["ST"]}
    result = [{"from_name": "decision", "to_name": "x", "type": "choices", "value": value}]
    annotation = {"result": result, "completed_by": server.users()[0].user}
    request = [{"data": task.data, "annotations": [annotation]} for task in made]
    headers = {
        "Authorization": f"Token {os.environ['LABEL_STUDIO_API_KEY']}",
        "Content-Type": "application/json",
    }
    url = f"{server.url}/api/projects/{project.id}/import"
    asked = Request(url, json.dumps(request).encode(), headers)  # noqa: S310  # the one that is named
    with urlopen(asked, timeout=600) as answer:  # noqa: S310
        answer.read()
    return project.id
