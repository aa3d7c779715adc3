"""What is known of earlier pushes: `annotations/labelstudio.json`. It holds nothing secret."""

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from curation.io.atomic import atomic_text
from curation.io.tables import read_text
from curation.model.errors import CurateError

_VERSION = 1


@dataclass(slots=True)
class Sent:
    """One project of ours.

    Attributes:
        id: Its number on the server.
        title: Its title.
        tasks: By uid, the hash of what was sent.
        sending: Whether tasks were under way when this was written.
    """

    id: int
    title: str
    tasks: dict[str, str] = field(default_factory=dict)
    sending: bool = False


@dataclass(slots=True)
class KindState:
    """What was pushed of one kind of task.

    Attributes:
        allotted: By annotator, the uids that he gets; one entry with an empty name for all.
        projects: By annotator, the project.
        overlap: How many tasks all annotators get in common; None for all.
    """

    allotted: dict[str, list[str]] = field(default_factory=dict)
    projects: dict[str, Sent] = field(default_factory=dict)
    overlap: int | None = None


@dataclass(slots=True)
class State:
    """All that was pushed from one workspace.

    Attributes:
        path: The file.
        workspace: A name drawn once, by which projects are found again on the server.
        url: The server.
        kinds: By kind of task.
    """

    path: Path
    workspace: str
    url: str = ""
    kinds: dict[str, KindState] = field(default_factory=dict)

    def kind(self, name: str) -> KindState:
        """Give what was pushed of a kind."""
        return self.kinds.setdefault(name, KindState())

    def save(self) -> None:
        """Write the file in place of the earlier one.

        Raises:
            CurateError: If it cannot be written.
        """
        kinds = {name: _kind_dict(kind) for name, kind in sorted(self.kinds.items())}
        value = {
            "version": _VERSION,
            "workspace": self.workspace,
            "url": self.url,
            "kinds": kinds,
        }
        with atomic_text(self.path) as stream:
            stream.write(f"{json.dumps(value, ensure_ascii=False)}\n")


def _kind_dict(kind: KindState) -> dict[str, object]:
    return {
        "overlap": kind.overlap,
        "allotted": kind.allotted,
        "projects": {
            name: {
                "id": sent.id,
                "title": sent.title,
                "sending": sent.sending,
                "tasks": dict(sorted(sent.tasks.items())),
            }
            for name, sent in kind.projects.items()
        },
    }


def load_state(path: Path) -> State:
    """Read the state; a new one where nothing was pushed.

    Raises:
        CurateError: If the file cannot be read: without it tasks might be sent twice.
    """
    if not path.exists():
        return State(path, uuid.uuid4().hex[:12])
    try:
        value = json.loads(read_text(path))
        if value["version"] != _VERSION:
            raise ValueError
        kinds = {str(name): _kind(kind) for name, kind in value["kinds"].items()}
        return State(path, str(value["workspace"]), str(value["url"]), kinds)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise CurateError(
            "the record of what was pushed was damaged or is of another version",
            str(path),
            "take it back from version control, or move it away: projects are found again by "
            "what their descriptions say only with its 'workspace'",
        ) from error


def _kind(value: Mapping[str, Any]) -> KindState:
    overlap = value["overlap"]
    return KindState(
        overlap=None if overlap is None else int(overlap),
        allotted={
            str(name): [str(uid) for uid in uids] for name, uids in value["allotted"].items()
        },
        projects={
            str(name): Sent(
                id=int(sent["id"]),
                title=str(sent["title"]),
                tasks={str(uid): str(digest) for uid, digest in sent["tasks"].items()},
                sending=bool(sent["sending"]),
            )
            for name, sent in value["projects"].items()
        },
    )
