"""One Label Studio server, spoken to through its SDK.

Nothing of what the SDK says of a failure is shown: its messages hold whole pages of HTML and
cookies. A failed request that changes something is never sent again blindly, for the server may
have done it: whoever sends looks first.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from curation.records.messages import CurateError, refusal
from curation.web import meaning, service_address, service_key

URL_VARIABLE = "LABEL_STUDIO_URL"
KEY_VARIABLE = "LABEL_STUDIO_API_KEY"
WHERE_MADE = "Account & Settings > Personal Access Token > Create New Token"
"""Where the server's pages give a token out."""
_SUCH = "http://localhost:8080"
INSTALL = "pip install 'curate-bbq[labelstudio]'"


def check_sdk() -> None:
    """See that the SDK is there and speaks the API that is used here.

    Raises:
        CurateError: If it is missing, or too old or new.
    """
    try:
        found = version("label-studio-sdk")
    except PackageNotFoundError as error:
        raise CurateError("the Label Studio SDK is not installed", hint=INSTALL) from error
    if found.split(".")[0] != "2":
        raise refusal("curation", "sdk-version", found=found, install=INSTALL)


_TIMEOUT = 60
_IMPORT_TIMEOUT = 300
_EXPORT_TIMEOUT = 1800
_PAGE = 1000


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
class User:
    """A user of the server."""

    id: int
    email: str
    name: str


def connect(url: str | None = None, key: str | None = None) -> "Server":
    """Connect to the server that the environment names.

    Raises:
        CurateError: If the address or the token is missing or cannot be one, or the SDK is.
    """
    address = os.environ.get(URL_VARIABLE, "").strip() if url is None else url
    address = service_address(address, f"environment variable {URL_VARIABLE}", _SUCH)
    hint = f"make a token in Label Studio, {WHERE_MADE}, and export it"
    secret = service_key(KEY_VARIABLE, hint) if key is None else key
    check_sdk()
    return Server(address, secret)


Suggested = Sequence[Mapping[str, object]]
"""What the page of a task shows as chosen before anybody has answered."""


class Server:
    """A server, through the SDK; every call raises `ServerFault` when it fails.

    Args:
        url: Its address.
        key: A personal access token or a legacy token.

    Raises:
        CurateError: If the token has expired or is none.
    """

    def __init__(self, url: str, key: str) -> None:
        from label_studio_sdk import LabelStudio

        from curation.annotation.labelstudio.transport import client

        self._url = url
        http = client(url, _TIMEOUT)
        with self._asking("log in"):
            # The SDK takes the last part of a path away unless a slash follows it.
            self._sdk: Any = LabelStudio(
                base_url=f"{url}/", api_key=key, timeout=_TIMEOUT, httpx_client=http
            )

    @property
    def url(self) -> str:
        """Its address."""
        return self._url

    @contextmanager
    def _asking(self, what: str, *, changes: bool = False) -> Iterator[None]:
        """Turn failures into what a user can do about them.

        Args:
            what: What is being done.
            changes: Whether a request without an answer may have changed something.
        """
        from label_studio_sdk.core.api_error import ApiError
        from label_studio_sdk.core.parse_error import ParsingError

        from curation.annotation.labelstudio.transport import Unanswered

        try:
            yield
        except ApiError as error:
            status = error.status_code
            if status is not None and status < 400:  # what is no JSON
                raise self._fault(what, "strange", uncertain=changes) from None
            uncertain = status is not None and (status >= 500 or status == 408)
            raise self._fault(what, status or "other", uncertain=uncertain) from None
        except Unanswered as error:
            cause, said, _ = error.reply
            raise self._fault(what, cause, said, uncertain=changes and cause.sent) from None
        except (ParsingError, ValueError, AttributeError, TypeError):
            raise self._fault(what, "strange", uncertain=changes) from None

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
        return ServerFault(told, self._url, known["hint"], status=status, uncertain=uncertain)

    def projects(self, title: str) -> list[Project]:
        """List the projects whose title holds these words."""
        with self._asking("list the projects"):
            return [_project(item) for item in self._sdk.projects.list(title=title, page_size=100)]

    def project(self, number: int) -> Project:
        """Look at a project."""
        with self._asking(f"look at project {number}"):
            return _project(self._sdk.projects.get(number))

    def create(self, title: str, description: str, setup: Setup) -> Project:
        """Make a project."""
        with self._asking(f"make the project '{title}'", changes=True):
            return _project(
                self._sdk.projects.create(
                    title=title, description=description, **_settings(setup), request_options=_ONCE
                )
            )

    def set_up(self, project: int, setup: Setup) -> None:
        """Change how a project presents its tasks."""
        with self._asking(f"change the page of project {project}", changes=True):
            self._sdk.projects.update(project, **_settings(setup), request_options=_ONCE)

    def listing(self, project: int) -> list[Known]:
        """List all tasks of a project."""
        with self._asking(f"list the tasks of project {project}"):
            pages = self._sdk.tasks.list(
                project=project,
                fields="task_only",
                include="id,data,total_annotations,cancelled_annotations,draft_exists",
                query=_ANY_DRAFT,
                page_size=_PAGE,
            )
            return [_known(item) for item in pages]

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
                item["predictions"] = [{"model_version": _VERSION, "result": _parts(parts)}]
        options = {**_ONCE, "timeout": _IMPORT_TIMEOUT}
        with self._asking(f"send {len(data)} tasks to project {project}", changes=True):
            self._sdk.projects.import_tasks(project, request=request, request_options=options)

    def replace(self, task: int, data: Mapping[str, object]) -> None:
        """Replace a task's data."""
        with self._asking(f"replace task {task}", changes=True):
            self._sdk.tasks.update(str(task), data=dict(data), request_options=_ONCE)

    def suggest(self, task: int, suggested: Suggested) -> None:
        """Let the page of a task show this as chosen, and nothing that it showed before."""
        with self._asking(f"change what is suggested for task {task}", changes=True):
            known = self._sdk.predictions.list(task=task)
            if suggested:
                more = {"result": _parts(suggested), "model_version": _VERSION}
                self._sdk.predictions.create(task=task, **more, request_options=_ONCE)
            for item in known:
                self._sdk.predictions.delete(item.id, request_options=_ONCE)

    def delete(self, task: int) -> None:
        """Delete a task."""
        with self._asking(f"delete task {task}", changes=True):
            self._sdk.tasks.delete(str(task), request_options=_ONCE)

    def export(self, project: int) -> bytes:
        """All tasks of a project with their annotations, JSON as the server writes it."""
        with self._asking(f"export project {project}"):
            return b"".join(
                self._sdk.projects.exports.download_sync(
                    project,
                    export_type="JSON",
                    download_all_tasks=True,
                    request_options={"timeout": _EXPORT_TIMEOUT},
                )
            )

    def users(self) -> list[User]:
        """List the users."""
        with self._asking("list the users"):
            return [
                User(
                    int(one.id),
                    str(one.email or ""),
                    " ".join(filter(None, (one.first_name, one.last_name))),
                )
                for one in self._sdk.users.list()
            ]


_DRAFT = {"filter": "filter:tasks:draft_exists", "operator": "equal", "type": "Boolean"}
_ANY_DRAFT = json.dumps(
    {"filters": {"conjunction": "or", "items": [{**_DRAFT, "value": one} for one in (True, False)]}}
)
"""All tasks: a server tells whether a task has a draft only if it is to choose by that."""
_ONCE = {"max_retries": 0}
_VERSION = "curate"
"""The version of all suggestions: a project shows those of one."""


def _parts(suggested: Suggested) -> list[dict[str, Any]]:
    return [{"id": f"suggested-{at}", **part} for at, part in enumerate(suggested)]


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
        id=int(item.id),
        title=str(item.title or ""),
        description=str(item.description or ""),
        setup=Setup(
            str(item.label_config or ""),
            str(getattr(item, "expert_instruction", None) or ""),
            int(getattr(item, "maximum_annotations", None) or 1),
        ),
        tasks=int(getattr(item, "task_number", None) or 0),
        accepts_unchanged=bool(getattr(item, "enable_empty_annotation", True)),
    )


def _known(item: Any) -> Known:
    data = item.data if isinstance(item.data, Mapping) else {}
    counts = (item.total_annotations, item.cancelled_annotations, item.draft_exists)
    uid, version, check = (str(data.get(name, "")) for name in ("uid", "hash", "check"))
    return Known(int(item.id), uid, version, check, any(counts))
