"""What is known of earlier pushes: `annotations/labelstudio.json`. It holds nothing secret."""

import json
import uuid
from dataclasses import asdict, dataclass, field
from pathlib import Path

from pydantic import TypeAdapter

from curation.files.annotations import AnnotationsFolder
from curation.files.atomic import atomic_text
from curation.files.tables import read_text
from curation.files.workspace import Workspace
from curation.records.errors import CurateError

_VERSION = 1


def state_file(workspace: Workspace) -> Path:
    """Where it is kept what was pushed from a workspace."""
    return AnnotationsFolder(workspace.root).folder / "labelstudio.json"


@dataclass(slots=True)
class Sent:
    """One project of ours.

    Attributes:
        id: Its number on the server.
        title: Its title.
        sending: Whether tasks were under way when this was written.
        tasks: By uid, the hash of what was sent.
        annotations: How many annotations of each task it wants; 0 where that is not known.
    """

    id: int
    title: str
    sending: bool = False
    tasks: dict[str, str] = field(default_factory=dict)
    annotations: int = 0


@dataclass(slots=True)
class KindState:
    """What was pushed of one kind of task.

    Attributes:
        overlap: How many tasks all annotators get in common; None for all.
        allotted: By annotator, the uids that they get; one entry with an empty name for all.
        projects: By annotator, the project.
        suggestions: By annotator, whether they are shown suggestions; who is not named is
            shown none.
        asked: By key of what is asked once for all, the task that asks it.
        former: By annotator, a project with tasks of a shape that earlier versions made.
    """

    overlap: int | None = None
    allotted: dict[str, list[str]] = field(default_factory=dict)
    projects: dict[str, Sent] = field(default_factory=dict)
    suggestions: dict[str, bool] = field(default_factory=dict)
    asked: dict[str, str] = field(default_factory=dict)
    former: dict[str, Sent] = field(default_factory=dict)


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
        """What was pushed of a kind."""
        return self.kinds.setdefault(name, KindState())

    def save(self) -> None:
        """Write the file in place of the earlier one.

        Raises:
            CurateError: If it cannot be written.
        """
        for kind in self.kinds.values():
            for sent in (*kind.projects.values(), *kind.former.values()):
                sent.tasks = dict(sorted(sent.tasks.items()))
        kinds = {name: asdict(kind) for name, kind in sorted(self.kinds.items())}
        value = {
            "version": _VERSION,
            "workspace": self.workspace,
            "url": self.url,
            "kinds": kinds,
        }
        with atomic_text(self.path) as stream:
            stream.write(f"{json.dumps(value, ensure_ascii=False)}\n")


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
        kinds = TypeAdapter(dict[str, KindState]).validate_python(value["kinds"])
        return State(path, str(value["workspace"]), str(value["url"]), kinds)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise CurateError(
            "the record of what was pushed was damaged or is of another version",
            str(path),
            "restore it from version control, or move it away: without its 'workspace', the "
            "projects on "
            "the server are not found again",
        ) from error


@dataclass(frozen=True, slots=True)
class Handed:
    """What one annotator was given in a project of their own.

    Attributes:
        annotator: The name that it was pushed under.
        project: Its number on the server.
        tasks: The uids.
    """

    annotator: str
    project: int
    tasks: frozenset[str]


@dataclass(frozen=True, slots=True)
class Shared:
    """What was pushed to one project of all annotators.

    Attributes:
        project: Its number on the server.
        tasks: The uids.
        annotations: How many annotations of each are wanted.
    """

    project: int
    tasks: frozenset[str]
    annotations: int


def shared(workspace: Workspace, kind: str, usual: int) -> Shared | None:
    """What was pushed to one project of all annotators; None without one.

    Args:
        workspace: The workspace.
        kind: The kind of task.
        usual: How many annotations are wanted where the record does not say.

    Raises:
        CurateError: If the record of what was pushed cannot be read.
    """
    path = state_file(workspace)
    found = load_state(path).kinds.get(kind, KindState()) if path.exists() else KindState()
    sent = found.projects.get("")
    if sent is None:
        return None
    return Shared(sent.id, frozenset(found.allotted.get("", ())), sent.annotations or usual)


def handed_out(workspace: Workspace, kind: str) -> list[Handed]:
    """What annotators with projects of their own were given; nothing without a push.

    Raises:
        CurateError: If the record of what was pushed cannot be read.
    """
    path = state_file(workspace)
    found = load_state(path).kinds.get(kind, KindState()) if path.exists() else KindState()
    return [
        Handed(name, found.projects[name].id, frozenset(uids))
        for name, uids in found.allotted.items()
        if name and name in found.projects
    ]
