"""A server in memory that can be made to fail, and does what is asked before some failures."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Any

from curation.annotation.labelstudio.client import Known, Person, Project, ServerFault, Setup

PEOPLE = (
    Person(1, "kim@example.org", "Kim"),
    Person(2, "lee@example.org", ""),
    Person(3, "p@x.org", ""),
)


def fields_of(page):
    """The fields of a task's data that a page shows."""
    return set(re.findall(r'"\$([A-Za-z_]\w*)"', page))


def fault(status: int | None = None, *, uncertain: bool = False) -> ServerFault:
    """Make a failure as the client does."""
    return ServerFault("cannot do it", "http://fake", "try", status=status, uncertain=uncertain)


class FakeServer:
    """Speaks `Server`.

    Attributes:
        failures: By call, what its next uses do: None is well, a fault is raised before the
            work, a pair of a fault and True after it.
        calls: What was called with how many items.
    """

    def __init__(self) -> None:
        self.url = "http://fake"
        self.found: dict[int, dict[str, Any]] = {}
        self.tasks: dict[int, dict[int, dict[str, Any]]] = {}
        self.people = list(PEOPLE)
        self.failures: dict[str, list[Any]] = {}
        self.calls: list[tuple[str, int]] = []
        self.number = 0

    def _do(self, name: str, size: int, work: Callable[[], Any]) -> Any:
        self.calls.append((name, size))
        planned = self.failures.get(name) or [None]
        failure = planned.pop(0)
        if isinstance(failure, BaseException):
            raise failure
        result = work()
        if failure is not None:
            raise failure[0]
        return result

    def _id(self) -> int:
        self.number += 1
        return self.number

    def _gone(self, project: int) -> None:
        if project not in self.found:
            raise fault(404)

    def _project(self, number: int) -> Project:
        self._gone(number)
        return Project(id=number, tasks=len(self.tasks[number]), **self.found[number])

    def projects(self, title: str) -> list[Project]:

        def work() -> list[Project]:
            return [self._project(n) for n, p in self.found.items() if title in p["title"]]

        return self._do("projects", 1, work)

    def project(self, number: int) -> Project:
        return self._do("project", 1, lambda: self._project(number))

    def create(self, title: str, description: str, setup: Setup) -> Project:

        def work() -> Project:
            number = self._id()
            self.found[number] = {"title": title, "description": description, "setup": setup}
            self.tasks[number] = {}
            return self._project(number)

        return self._do("create", setup.annotations, work)

    def set_up(self, project: int, setup: Setup) -> None:
        more = {"setup": setup, "accepts_unchanged": True}
        self._do("set_up", 1, lambda: self.found[project].update(more))

    def _known(self, project: int) -> list[Known]:
        self._gone(project)
        return [
            Known(
                number,
                *(str(task["data"].get(name, "")) for name in ("uid", "hash", "check")),
                bool(task["annotations"]),
            )
            for number, task in self.tasks[project].items()
        ]

    def listing(self, project: int) -> list[Known]:
        return self._do("listing", 1, lambda: self._known(project))

    def send(
        self,
        project: int,
        data: Sequence[Mapping[str, object]],
        suggested: Sequence[Sequence[Mapping[str, object]]] = (),
    ) -> None:
        shown = [list(item) for item in suggested] or [[]] * len(data)

        def work() -> None:
            self._gone(project)
            for item, parts in zip(data, shown, strict=True):
                copy = json.loads(json.dumps(item))
                task = {"data": copy, "annotations": []}
                self.tasks[project][self._id()] = task | ({"suggested": parts} if parts else {})

        self._do("send", len(data), work)

    def _of(self, task: int) -> dict[int, dict[str, Any]]:
        return next(tasks for tasks in self.tasks.values() if task in tasks)

    def replace(self, task: int, data: Mapping[str, object]) -> None:
        self._do("replace", 1, lambda: self._of(task)[task].update(data=dict(data)))

    def suggest(self, task: int, suggested: Sequence[Mapping[str, object]]) -> None:
        more = {"suggested": list(suggested)}
        self._do("suggest", 1, lambda: self._of(task)[task].update(more))

    def delete(self, task: int) -> None:
        self._do("delete", 1, lambda: self._of(task).pop(task))

    def export(self, project: int) -> bytes:

        def work() -> bytes:
            self._gone(project)
            tasks = [{"id": n, **deepcopy(t)} for n, t in self.tasks[project].items()]
            return json.dumps(tasks).encode()

        return self._do("export", 1, work)

    def users(self) -> dict[int, Person]:
        return self._do("users", 1, lambda: {one.user: one for one in self.people})

    def annotate(
        self, project: int, uid: str, user: object, result: object, **more: object
    ) -> dict[str, Any]:
        """Store an annotation, whatever it is, as the server does."""
        number = self._id()
        annotation = {
            "id": number,
            "completed_by": user,
            "result": result,
            "was_cancelled": False,
            "created_at": "2026-01-01T00:00:00Z",
            "updated_at": f"2026-01-01T00:{number % 3600 // 60:02d}:{number % 60:02d}Z",
            "lead_time": 2.5,
            **more,
        }
        task = [t for t in self.tasks[project].values() if t["data"]["uid"] == uid][-1]
        task["annotations"].append(annotation)
        return annotation


def choices(name: str, *chosen: str) -> dict[str, Any]:
    """Make the part of a result that holds choices."""
    return {
        "from_name": name,
        "to_name": "ambiguous_context",
        "type": "choices",
        "value": {"choices": list(chosen)},
    }


def text(name: str, *lines: str) -> dict[str, Any]:
    """Make the part of a result that holds text."""
    return {
        "from_name": name,
        "to_name": "ambiguous_context",
        "type": "textarea",
        "value": {"text": list(lines)},
    }
