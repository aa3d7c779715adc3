"""One Label Studio server, and what is asked of it.

Nothing of what it says of a failure is shown: its messages hold whole pages of HTML and cookies. A
failed request that changes something is never sent again blindly, for the server may have done it:
whoever sends looks first.
"""

import json
import os
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, TypeVar
from urllib.parse import urlencode

from curation.records.messages import CurateError
from curation.web import Caller, Client, NoReply, Response, meaning, service_address, service_key

URL_VARIABLE = "LABEL_STUDIO_URL"
KEY_VARIABLE = "LABEL_STUDIO_API_KEY"
WHERE_MADE = "Account & Settings > Personal Access Token > Create New Token"
"""Where the server's pages give a token out."""
_SUCH = "http://localhost:8080"
_MOST_BYTES = 1 << 30  # of a project's export
T = TypeVar("T")
_TIMEOUT = 60
_IMPORT_TIMEOUT = 300
_EXPORT_TIMEOUT = 1800


class ServerFault(CurateError):
    """A request that failed.

    Attributes:
        status: The server's answer; None where there was none.
        uncertain: Whether the server may have done what was asked all the same.
        busy: Whether it asks to come again later.
    """

    def __init__(
        self,
        what: str,
        where: str,
        hint: str,
        *,
        status: int | None = None,
        uncertain: bool = False,
    ) -> None:
        super().__init__(what, where, hint)
        self.status = status
        self.uncertain = uncertain
        self.busy = status == 429


@dataclass(frozen=True, slots=True)
class Setup:
    """How a project presents its tasks.

    Attributes:
        config: The labelling page.
        instructions: What annotators are told before their first task; HTML.
        annotations: How many annotations of each task are wanted.
    """

    config: str
    instructions: str = ""
    annotations: int = 1


@dataclass(frozen=True, slots=True)
class Project:
    """A project as the server has it.

    Attributes:
        id: Its number.
        title: Its title.
        description: Its description, which tells that it is ours.
        setup: How it presents its tasks.
        tasks: How many it holds.
        accepts_unchanged: Whether a page can be submitted on which nothing was touched.
    """

    id: int
    title: str
    description: str
    setup: Setup
    tasks: int
    accepts_unchanged: bool = True


@dataclass(frozen=True, slots=True)
class Known:
    """A task as the server has it.

    Attributes:
        id: Its number.
        uid: What tells it from the other tasks of its kind.
        hash: The version of what it asks about.
        check: A hash of all that its page shows.
        touched: Whether somebody annotated or skipped it, or has begun to.
    """

    id: int
    uid: str
    hash: str
    check: str
    touched: bool


@dataclass(frozen=True, slots=True)
class Person:
    """A user and their name as an annotator; a user without a name is ignored.

    Attributes:
        user: Their number on the server.
        email: Their address.
        annotator: The name; of the server's own list as the server knows it.
        same_as: The user whose second account it is, and who has the name; empty for a person.
    """

    user: int
    email: str
    annotator: str
    same_as: str = ""


def connect(url: str | None = None, key: str | None = None) -> "Server":
    """Connect to the server that the environment names.

    Raises:
        CurateError: If the address or the token is missing or cannot be one.
    """
    address = os.environ.get(URL_VARIABLE, "").strip() if url is None else url
    address = service_address(address, f"environment variable {URL_VARIABLE}", _SUCH)
    hint = f"make a token in Label Studio, {WHERE_MADE}, and export it"
    return Server(address, service_key(KEY_VARIABLE, hint) if key is None else key)


Suggested = Sequence[Mapping[str, object]]
"""What the page of a task shows as chosen before anybody has answered."""


class Server:
    """A server; every call raises `ServerFault` when it fails.

    Args:
        url: Its address.
        key: A personal access token or a legacy token.
    """

    def __init__(self, url: str, key: str) -> None:
        self.url = url
        # A personal token is one of three parts; for it the server gives another, which soon ends.
        self._personal, self._token = (key, "") if key.count(".") == 2 else ("", key)
        self._caller = Caller(
            Client(url, {"Content-Type": "application/json"}, _TIMEOUT, _MOST_BYTES)
        )
        weakref.finalize(self, self._caller.close)

    def _ask(
        self, what: str, method: str, path: str, body: object = None, seconds: float = _TIMEOUT
    ) -> bytes:
        """Send a request, and turn a failure into what a user can do about it.

        Args:
            what: What is being done.
            method: Of HTTP; all but GET may change something.
            path: Behind the address.
            body: Sent as JSON.
            seconds: To wait for a reply.
        """
        answer = self._sent(method, path, body, seconds)
        if isinstance(answer, NoReply):
            sent = method != "GET" and answer.cause.sent
            raise self._fault(what, answer.cause, answer.said, uncertain=sent)
        if answer.status >= 400:
            uncertain = answer.status >= 500 or answer.status == 408
            raise self._fault(what, answer.status, uncertain=uncertain)
        return answer.body

    def _read(self, what: str, answer: bytes, read: Callable[[Any], T]) -> T:
        """What the JSON of a reply holds."""
        try:
            return read(json.loads(answer))
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError):
            raise self._fault(what, "strange", uncertain=True) from None

    def _sent(self, method: str, path: str, body: object, seconds: float) -> Response | NoReply:
        """Send a request; who is not let in by a token that has ended comes with another one."""
        data = None if body is None else json.dumps(body).encode()
        answer = self._let_in(method, path, data, seconds)
        if isinstance(answer, NoReply) or answer.status != 401 or not self._personal:
            return answer
        asked = json.dumps({"refresh": self._personal}).encode()
        given = self._caller.send("POST", f"{self.url}/api/token/refresh/", asked)
        if isinstance(given, NoReply) or given.status != 200:
            return given
        self._token = self._read("log in", given.body, lambda value: str(value["access"]))
        return self._let_in(method, path, data, seconds)

    def _let_in(
        self, method: str, path: str, data: bytes | None, seconds: float
    ) -> Response | NoReply:
        kind = "Bearer" if self._personal else "Token"
        headers = {"Authorization": f"{kind} {self._token}"}
        return self._caller.send(method, f"{self.url}{path}", data, headers, seconds)

    def _fault(
        self, what: str, why: int | str, said: str = "", *, uncertain: bool = False
    ) -> ServerFault:
        """What a failure means, as `curation.web.meaning` says.

        Args:
            what: What was being done.
            why: The status, or what happened where there is none.
            said: What happened, in words.
            uncertain: Whether the server may have done it all the same.
        """
        status = why if isinstance(why, int) else None
        known = meaning("labelstudio", why, message=said, where_made=WHERE_MADE)
        told = f"cannot {what}: {known['what']}" + (f" ({status})" if status else "")
        return ServerFault(told, self.url, known["hint"], status=status, uncertain=uncertain)

    def _each(
        self, what: str, path: str, name: str, counted: str, read: Callable[[Any], T]
    ) -> Iterator[T]:
        """Each item of a list that the server gives in pages."""
        found = 0
        for page in count(1):
            answer = self._ask(what, "GET", f"{path}&page={page}")
            items, total = self._read(
                what, answer, lambda value: ([read(one) for one in value[name]], value[counted])
            )
            yield from items
            found += len(items)
            if not items or found >= total:
                return

    def projects(self, title: str) -> list[Project]:
        """List the projects whose title holds these words."""
        path = f"/api/projects/?{urlencode({'title': title, 'page_size': 100})}"
        return [*self._each("list the projects", path, "results", "count", _project)]

    def project(self, number: int) -> Project:
        """Look at a project."""
        what = f"look at project {number}"
        return self._read(what, self._ask(what, "GET", f"/api/projects/{number}/"), _project)

    def create(self, title: str, description: str, setup: Setup) -> Project:
        """Make a project."""
        body = {"title": title, "description": description, **_settings(setup)}
        what = f"make the project '{title}'"
        return self._read(what, self._ask(what, "POST", "/api/projects/", body), _project)

    def set_up(self, project: int, setup: Setup) -> None:
        """Change how a project presents its tasks."""
        what = f"change the page of project {project}"
        self._ask(what, "PATCH", f"/api/projects/{project}/", _settings(setup))

    def listing(self, project: int) -> list[Known]:
        """List all tasks of a project."""
        asked = {
            "project": project,
            "fields": "task_only",
            "include": "id,data,total_annotations,cancelled_annotations,draft_exists",
            "query": _ANY_DRAFT,
            "page_size": 1000,
        }
        path = f"/api/tasks/?{urlencode(asked)}"
        return [*self._each(f"list the tasks of project {project}", path, "tasks", "total", _known)]

    def send(
        self,
        project: int,
        data: Sequence[Mapping[str, object]],
        suggested: Sequence[Suggested] = (),
    ) -> None:
        """Add tasks.

        Args:
            project: The project.
            data: Their data.
            suggested: By task what its page shows as chosen, where any of them has something.
        """
        request: list[dict[str, Any]] = [{"data": dict(item)} for item in data]
        for item, parts in zip(request, suggested, strict=False):
            if parts:
                item["predictions"] = [_prediction(parts)]
        what, path = f"send {len(data)} tasks to project {project}", f"/api/projects/{project}"
        self._ask(what, "POST", f"{path}/import", request, _IMPORT_TIMEOUT)

    def replace(self, task: int, data: Mapping[str, object]) -> None:
        """Replace a task's data."""
        self._ask(f"replace task {task}", "PATCH", f"/api/tasks/{task}/", {"data": dict(data)})

    def suggest(self, task: int, suggested: Suggested) -> None:
        """Let the page of a task show this as chosen, and nothing that it showed before."""
        what, path = f"change what is suggested for task {task}", "/api/predictions/"
        found = self._ask(what, "GET", f"{path}?task={task}")
        known = self._read(what, found, lambda value: [int(one["id"]) for one in value])
        if suggested:
            self._ask(what, "POST", path, {"task": task, **_prediction(suggested)})
        for number in known:
            self._ask(what, "DELETE", f"{path}{number}/")

    def delete(self, task: int) -> None:
        """Delete a task."""
        self._ask(f"delete task {task}", "DELETE", f"/api/tasks/{task}/")

    def export(self, project: int) -> bytes:
        """All tasks of a project with their annotations, JSON as the server writes it."""
        path = f"/api/projects/{project}/export?exportType=JSON&download_all_tasks=true"
        return self._ask(f"export project {project}", "GET", path, seconds=_EXPORT_TIMEOUT)

    def users(self) -> dict[int, Person]:
        """The users by number."""
        what = "list the users"
        every = self._read(
            what, self._ask(what, "GET", "/api/users/"), lambda value: [*map(_user, value)]
        )
        return {one.user: one for one in every}


_DRAFT = {"filter": "filter:tasks:draft_exists", "operator": "equal", "type": "Boolean"}
_ANY_DRAFT = json.dumps(
    {"filters": {"conjunction": "or", "items": [{**_DRAFT, "value": one} for one in (True, False)]}}
)
"""All tasks: a server tells whether a task has a draft only if it is to choose by that."""
_VERSION = "curate"
"""The version of all suggestions: a project shows those of one."""


def _prediction(suggested: Suggested) -> dict[str, object]:
    parts = [{"id": f"suggested-{at}", **part} for at, part in enumerate(suggested)]
    return {"result": parts, "model_version": _VERSION}


def _settings(setup: Setup) -> dict[str, Any]:
    return {
        "label_config": setup.config,
        "expert_instruction": setup.instructions,
        "show_instruction": True,
        "maximum_annotations": setup.annotations,
        # Without it a text that is right as it stands cannot be submitted. What has to be
        # answered is marked as required on the page itself.
        "enable_empty_annotation": True,
    }


def _project(item: Any) -> Project:
    return Project(
        id=int(item["id"]),
        title=str(item.get("title") or ""),
        description=str(item.get("description") or ""),
        setup=Setup(
            str(item.get("label_config") or ""),
            str(item.get("expert_instruction") or ""),
            int(item.get("maximum_annotations") or 1),
        ),
        tasks=int(item.get("task_number") or 0),
        accepts_unchanged=bool(item.get("enable_empty_annotation", True)),
    )


def _known(item: Any) -> Known:
    data = item["data"] if isinstance(item["data"], Mapping) else {}
    counts = ("total_annotations", "cancelled_annotations", "draft_exists")
    uid, version, check = (str(data.get(name, "")) for name in ("uid", "hash", "check"))
    return Known(int(item["id"]), uid, version, check, any(map(item.get, counts)))


def _user(item: Any) -> Person:
    names = " ".join(str(item.get(name) or "") for name in ("first_name", "last_name"))
    return Person(int(item["id"]), str(item.get("email") or ""), " ".join(names.split()))
