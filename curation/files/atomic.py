"""Write beside and rename: a reader never meets half a file.

What is written lies beside its target as a stage, which is locked while its writer lives. A stage
that nobody locks belongs to a writer that was killed, and the next one removes it; a folder that
was complete and was being put into its place is put there first.
"""

import errno
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Self

from curation.records.messages import CurateError

try:
    import fcntl
except ImportError:  # Windows has no such locks: what a killed writer leaves there is not removed
    fcntl = None  # type: ignore[assignment]

HELD = ".curate-lock.json"
"""Who writes to a folder outside of any workspace, for as long as that takes."""
_SUFFIX = ".stage"
_COMPLETE = ".complete.json"
"""The file of a staged folder that says that all is written, and which files then go."""
_MASK = os.umask(0o077)
"""What new files are not to be, as who started the program has it."""
os.umask(_MASK)
_STAGE = re.compile(rf"\..+\.\w{{8}}{re.escape(_SUFFIX)}", re.DOTALL)


@contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """A path beside `path` to write to; it is renamed over `path` when the block succeeds.

    Of a link the file that it leads to is written, wherever that lies. Who may read the file stays
    as it was, or as new files are to be.

    Raises:
        CurateError: If the folder cannot be written to or the disk is full.
    """
    if path.is_symlink():
        path = led_to(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside, lock = _stage(path)
    except OSError as error:
        raise refused(path, error) from error
    try:
        yield beside
        with beside.open("rb") as stream:
            os.fsync(stream.fileno())
        beside.chmod(0o600 | path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_MASK)
        beside.replace(path)
    except OSError as error:
        raise refused(path, error) from error
    finally:
        beside.unlink(missing_ok=True)
        _free(lock)


@contextmanager
def atomic_text(path: Path) -> Iterator[IO[str]]:
    """Open a UTF-8 text file for writing with line feeds, in place of `path` on success."""
    with atomic_path(path) as beside, beside.open("w", encoding="utf-8", newline="") as stream:
        yield stream


def write_file(path: Path, content: str | bytes) -> None:
    """Write all that a file holds in place of `path`; a text as UTF-8, its line ends as they are.

    Raises:
        CurateError: If it cannot be written.
    """
    with atomic_path(path) as beside:
        beside.write_bytes(content.encode() if isinstance(content, str) else content)


def led_to(path: Path) -> Path:
    """Where a path leads; a link to itself is none to follow, and no fault as to `resolve`."""
    return Path(os.path.realpath(path))


def refused(path: Path, error: OSError) -> CurateError:
    """What is said of a path that the system does not let be written."""
    return CurateError(
        f"cannot write {path}: {error.strerror or error}",
        hint="check the folder's permissions and the free space",
    )


@contextmanager
def staged_folder(folder: Path, stale: Iterable[str] = ()) -> Iterator[Path]:
    """A folder beside `folder` to write to; its files are moved over when the block succeeds.

    An interrupted export so leaves the folder as it was. Once moving has begun it is finished: by
    the same command where it is interrupted, by the next writer where it is killed.

    Args:
        folder: The folder.
        stale: Files of the folder, by their paths below it, that are taken away then; looked at
            when the block has ended.

    Raises:
        CurateError: If the folder cannot be written to or the disk is full.
    """
    made = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise refused(folder, error) from error
    try:
        with scratch_folder(folder) as stage:
            yield stage
            for path in _files(stage):
                target = folder / path.relative_to(stage)
                within = path.relative_to(stage).parents
                if blocked := next((it for it in within if (folder / it).is_file()), None):
                    raise NotADirectoryError(errno.ENOTDIR, f"{blocked} is a file there")
                if target.is_dir():
                    raise IsADirectoryError(errno.EISDIR, f"{target.name} is a folder there")
            (stage / _COMPLETE).write_text(json.dumps(sorted(stale)), encoding="utf-8")
            try:
                _move(stage, folder)
            except KeyboardInterrupt:
                _move(stage, folder)
                raise
    except OSError as error:
        raise refused(folder, error) from error
    finally:
        if made and not any(folder.iterdir()):
            folder.rmdir()


def _files(stage: Path) -> list[Path]:
    found = (path for path in stage.rglob("*") if path.is_file())
    return sorted(path for path in found if path != stage / _COMPLETE)


def _move(stage: Path, folder: Path) -> None:
    """Move what is in a complete stage over to its folder; may be done again from anywhere.

    Of a link the file that it leads to is written, wherever that lies.
    """
    for path in _files(stage):
        target = led_to(folder / path.relative_to(stage))
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.parent.stat().st_dev == path.stat().st_dev:
            path.replace(target)
            continue
        with atomic_path(target) as beside:
            shutil.copyfile(path, beside)
        path.unlink()
    for name in json.loads((stage / _COMPLETE).read_text(encoding="utf-8")):
        (folder / name).unlink(missing_ok=True)


@contextmanager
def scratch_folder(target: Path) -> Iterator[Path]:
    """A folder beside `target` for what it is made from, which is removed after the block.

    Raises:
        CurateError: If it cannot be made.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        stage, lock = _stage(led_to(target), folder=True)
    except OSError as error:
        raise refused(target, error) from error
    try:
        yield stage
    finally:
        shutil.rmtree(stage, ignore_errors=True)
        _free(lock)


def sweep(folder: Path, below: Iterable[str]) -> None:
    """Remove the stages that killed writers have left; those of living writers stay.

    Args:
        folder: The folder, itself looked at without what is below it.
        below: Names of folders in it that are looked at with all that is below them.
    """
    found = [*_stages(folder, deep=False)]
    for name in below:
        found += _stages(folder / name, deep=True)
    _remove(found)


def sweep_beside(folder: Path) -> None:
    """Remove the stages that killed writers of one folder have left beside it and in it."""
    beside = _stages(folder.parent, deep=False)
    mine = re.compile(rf"\.{re.escape(folder.name)}\.\w{{8}}{re.escape(_SUFFIX)}")
    own = (path for path in beside if mine.fullmatch(path.name))
    _remove([*own, *_stages(folder, deep=False)])


def _remove(stages: Iterable[Path]) -> None:
    for stage in stages:
        lock = _lock(stage, wait=False)
        if lock is None:
            continue
        with suppress(OSError):  # a later writer may be allowed to
            target = stage.with_name(stage.name[1 : -len(_SUFFIX)].rpartition(".")[0])
            if (stage / _COMPLETE).exists() and not _STAGE.fullmatch(target.name):
                _move(stage, target)  # what was to go into a stage goes with that one
            if stage.is_dir():
                shutil.rmtree(stage, ignore_errors=True)
            else:
                stage.unlink()
        _free(lock)


def _stages(folder: Path, *, deep: bool) -> Iterator[Path]:
    for root, folders, files in os.walk(folder):
        yield from (Path(root, name) for name in (*folders, *files) if _STAGE.fullmatch(name))
        folders[:] = [name for name in folders if deep and not _STAGE.fullmatch(name)]


def _stage(target: Path, *, folder: bool = False) -> tuple[Path, int | None]:
    """A new stage beside a target, and the handle that keeps it locked."""
    while True:
        if folder:
            name = tempfile.mkdtemp(_SUFFIX, f".{target.name}.", target.parent)
        else:
            handle, name = tempfile.mkstemp(_SUFFIX, f".{target.name}.", target.parent)
            os.close(handle)
        stage = Path(name)
        lock = _lock(stage, wait=True)
        if stage.exists():  # else another writer swept it between its making and its locking
            return stage, lock
        _free(lock)


def _lock(stage: Path, *, wait: bool) -> int | None:
    """The handle that keeps a stage locked; none where another has it or files have no locks."""
    try:
        handle = os.open(stage, os.O_RDONLY)
    except OSError:
        return None
    if lock_file(handle, wait=wait):
        return handle
    os.close(handle)
    return None


def lock_file(handle: int, *, wait: bool = False) -> bool | None:
    """Lock an open file or folder, until it is closed, however its holder ends.

    Returns:
        False where another process has it locked, None where there are no such locks.
    """
    if fcntl is None:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def _free(lock: int | None) -> None:
    if lock is not None:
        os.close(lock)


class Closing:
    """Something that is closed at the end of a `with` block, however it ends."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let the file go."""
        raise NotImplementedError
