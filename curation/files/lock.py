"""One writer at a time: the lock of a workspace, which the operating system frees.

Whoever writes files that others write too does it inside `writing`. The lock is one of the
operating system's on `.curate/lock`, so that it is free as soon as its holder has ended, however
that was; who holds it is told by `.curate/lock.json` beside it. Results may go to a folder that is
in no workspace: `writing_results` then locks that folder itself, in which nothing stays behind.
"""

import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from pathlib import Path

from curation.files.atomic import HELD, led_to, lock_file, refused, sweep, sweep_beside
from curation.files.workspace import Workspace
from curation.records.messages import refusal

LOCK = "lock"
"""The file in `.curate` that is locked."""
_STEP = 0.05  # seconds between two looks at a lock
_SILENT = 0.5  # seconds; who waits for less is not told
_MODE = 0o664  # whoever may write in a folder that a group shares has to open its lock
_KEPT = (".curate", "annotations", "exports", "releases", "responses", "templates_src")


_HOLDER = "'{command}' (process {process} on {host}, since {since})"
"""What is said of who writes to a workspace: what it does, and since when, in local time."""


_held: set[tuple[int, int, Path]] = set()
"""What each thread of a process has locked: a block inside another one finds it so.

A child inherits the memory, but not the locks.
"""


@contextmanager
def writing(
    workspace: Workspace,
    command: str,
    *,
    to: Path | None = None,
    lock: str = LOCK,
    dry_run: bool = False,
) -> Iterator[Workspace]:
    """A block in which nobody else writes to a workspace; it may contain further such blocks.

    What the workspace loaded from files that have changed since is loaded anew, inside the block
    and after it, also where nothing is locked. What killed writers have left beside their targets
    is removed. A folder without settings is no workspace, and nothing is locked in it.

    Args:
        workspace: The workspace, which knows how long to wait for another writer.
        command: What is done, for those who wait, as `curate filter`.
        to: What is written to, if that is one folder or file: nothing is locked where it lies
            outside of the workspace.
        lock: Another lock than that of the whole workspace, for what takes long and must be done
            by one alone, though it leaves the files of others as they are.
        dry_run: Whether nothing is written, so that nothing is locked.

    Raises:
        CurateError: If another writer is not done in time, or the lock cannot be made.
    """
    outside = to is not None and not led_to(to).is_relative_to(workspace.root.resolve())
    if dry_run or outside or not workspace.culture_file.exists():
        workspace.refresh()
        yield workspace
        return
    ledger = workspace.ledger_file
    home = led_to(ledger).parent if ledger.is_symlink() else workspace.root
    with ExitStack() as stack:
        # A link leads to a ledger that other workspaces may write to as well.
        for folder in (workspace.root, *([home] if os.access(home, os.W_OK) else ())):
            stack.enter_context(locked(folder, command, workspace, lock=lock))
        workspace.refresh()
        try:
            yield workspace
        finally:
            workspace.refresh()


@contextmanager
def writing_results(
    folder: Path, command: str, workspace: Workspace | None = None
) -> Iterator[None]:
    """A block in which nobody else writes results to a folder; it may contain further such blocks.

    Where the folder lies in a workspace, the lock is that of the workspace: the one given, or the
    nearest one around the folder. Else it is the folder's own, and nobody needs a workspace. What
    killed writers have left there is removed.

    Args:
        folder: The folder; it is made where there is none, and removed if it stays empty.
        command: What is done, for those who wait, as `curate evaluate score`.
        workspace: The workspace that is worked with, which knows how to wait; what has changed
            in it is loaded anew.

    Raises:
        CurateError: If another writer is not done in time, or folder or lock cannot be made.
    """
    own = workspace or Workspace(Path())
    root = _workspace_around(folder, own)
    if root is None:
        with _folder_locked(folder, command, own):
            own.refresh()
            yield
    else:
        home = own if root == own.root.resolve() else Workspace(root, own.wait, own.on_wait)
        with writing(home, command):
            own.refresh()
            sweep_beside(folder)
            yield


def _workspace_around(folder: Path, workspace: Workspace) -> Path | None:
    path, root = led_to(folder), workspace.root.resolve()
    around = [root] if path.is_relative_to(root) else []
    places = (*around, path, *path.parents)
    return next((place for place in places if Workspace(place).culture_file.is_file()), None)


@contextmanager
def _folder_locked(folder: Path, command: str, workspace: Workspace) -> Iterator[None]:
    path = led_to(folder)
    held = os.getpid(), threading.get_ident(), path
    if held in _held or (path.exists() and not path.is_dir()):  # the writer says what is in its way
        yield
        return
    made = [place for place in (path, *path.parents) if not place.exists()]
    handle = _folder_handle(folder, workspace)
    _held.add(held)
    try:
        _sign(path / HELD, command)
        sweep_beside(path)
        yield
    finally:
        _held.remove(held)
        with suppress(OSError):
            (path / HELD).unlink(missing_ok=True)
        with suppress(OSError):  # something was written
            for place in made:
                place.rmdir()
        if handle is not None:
            os.close(handle)


def _folder_handle(folder: Path, workspace: Workspace) -> int | None:
    """The handle that keeps a folder locked; none where folders cannot be locked."""
    for _ in _waits("this folder", folder, folder / HELD, workspace):
        is_ours: bool | None = True
        while is_ours:  # where it is and the folder is another one, its last writer has removed it
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise refused(folder, error) from error
            try:
                handle = os.open(folder, os.O_RDONLY)
            except OSError:
                return None
            is_ours = lock_file(handle)
            if is_ours and _is(folder, handle):
                return handle
            os.close(handle)
        if is_ours is None:
            break
    return None


def _waits(what: str, where: Path, signed: Path, workspace: Workspace) -> Iterator[None]:
    """Attempts to take a lock, till the time is up; who holds it is told once, if it takes long.

    Raises:
        CurateError: If another writer is not done in that time.
    """
    start, on_wait = time.monotonic(), workspace.on_wait
    while True:
        yield
        waited = time.monotonic() - start
        if waited >= workspace.wait:
            raise refusal("curation", "workspace-locked", where, what=what, holder=_holder(signed))
        if on_wait is not None and waited > _SILENT:
            on_wait(f"Waiting up to {workspace.wait:g} seconds for {_holder(signed)}.")
            on_wait = None
        time.sleep(_STEP)


def _is(folder: Path, handle: int) -> bool:
    with suppress(FileNotFoundError):
        return os.path.samestat(folder.stat(), os.fstat(handle))
    return False


@contextmanager
def locked(folder: Path, command: str, workspace: Workspace, *, lock: str = LOCK) -> Iterator[None]:
    """A block in which no other process and no other thread has the lock of a folder.

    Args:
        folder: The folder, which must be there.
        command: What is done, for those who wait.
        workspace: What knows how long to wait for another writer, and is told for which process,
            once, if that takes a while.
        lock: The name of the lock.

    Raises:
        CurateError: If another writer is not done in that time, or the lock cannot be made.
    """
    path = folder.resolve() / ".curate" / lock
    held = os.getpid(), threading.get_ident(), path
    if held in _held:
        yield
        return
    with _acquired(path, workspace):
        _held.add(held)
        try:
            _sign(_signed(path), command)
            sweep(folder, _KEPT)
            yield
        finally:
            _held.remove(held)
            with suppress(OSError):
                _signed(path).unlink(missing_ok=True)


@contextmanager
def _acquired(path: Path, workspace: Workspace) -> Iterator[None]:
    from filelock import FileLock, Timeout  # a command that only reads does not need it

    lock = FileLock(path, mode=_MODE)
    try:
        path.parent.mkdir(exist_ok=True)
        for _ in _waits("the workspace", path.parent.parent, _signed(path), workspace):
            with suppress(Timeout):
                lock.acquire(timeout=0)
                break
    except (OSError, NotImplementedError) as error:  # the latter where files cannot be locked
        why = getattr(error, "strerror", "") or error
        raise refusal("curation", "workspace-unlockable", str(path), why=why) from error
    try:
        yield
    finally:
        lock.release()


def _sign(signed: Path, command: str) -> None:
    since = datetime.now().astimezone().isoformat(sep=" ", timespec="seconds")
    holder = {"command": command, "process": os.getpid(), "host": socket.gethostname()}
    with suppress(OSError):  # the lock holds without: what is lost is the name in a message
        signed.unlink(missing_ok=True)  # that of a killed writer may belong to somebody else
        signed.write_text(json.dumps({**holder, "since": since}), encoding="utf-8")


def _signed(path: Path) -> Path:
    return path.with_suffix(".json")


def _holder(signed: Path) -> str:
    """Who holds the lock, as far as that is written down: it is signed just after it is taken."""
    try:
        return _HOLDER.format(**json.loads(signed.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError, KeyError):
        return "a command that has just begun"
