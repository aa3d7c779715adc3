"""One writer at a time: who waits, who holds the lock, and what killed writers leave."""

import re
import shutil
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest

from curation.files.atomic import atomic_text, scratch_folder, staged_folder
from curation.files.codec import DECISIONS
from curation.files.lock import writing
from curation.files.workspace import Workspace
from curation.records.messages import CurateError
from curation.records.survey import Decision, Outcome, Rule, Stage

DEMO = Path(__file__).parents[2] / "templates_src" / "demo"
HOLDER = """
import sys
from pathlib import Path
from curation.files.atomic import atomic_text, staged_folder
from curation.files.lock import writing
from curation.files.workspace import Workspace
folder = Path(sys.argv[1])
with (
    writing(Workspace(folder, wait=600), "curate filter"),
    atomic_text(folder / "decisions.csv") as stream,
    staged_folder(folder / "exports" / "samples") as stage,
):
    stream.write("half")
    stream.flush()
    (stage / "samples.csv").write_text("half")
    print("held", flush=True)
    sys.stdin.read()
    sys.exit("gone without a trace")
"""

FORKED = """
import os, sys
from pathlib import Path
from curation.files.lock import writing
from curation.files.workspace import Workspace
from curation.records.messages import CurateError
folder = Path(sys.argv[1])
with writing(Workspace(folder, wait=0), "parent"):
    child = os.fork()
    if not child:
        try:
            with writing(Workspace(folder, wait=0), "child"):
                os._exit(2)
        except CurateError:
            os._exit(3)
        os._exit(1)
    os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "demo"
    shutil.copytree(DEMO, folder)
    (folder / "decisions.csv").unlink(missing_ok=True)
    return folder


@contextmanager
def another(folder):
    """Another process that writes to a workspace, till its input is closed or it is killed."""
    command = [sys.executable, "-c", HOLDER, str(folder)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def stages(folder):
    """What lies beside its target in a workspace, by the name of the target."""
    found = [path.name for path in folder.rglob(".*.stage")]
    return sorted(re.sub(r"^\.(.+)\.\w{8}\.stage$", r"\1", name) for name in found)


def decision(subject):
    return Decision(subject, Stage.MANUAL, Rule.OVERRIDE, Outcome.KEEP, "we looked", by="Mina")


@pytest.mark.slow
def test_a_writer_waits_for_the_one_before(folder):
    """It tells once for whom, and goes on when that one has ended."""
    told = []
    with another(folder) as holder:

        def tell(text):
            told.append(text)
            holder.communicate(timeout=120)

        with writing(Workspace(folder, wait=600, on_wait=tell), "second"):
            assert holder.returncode == 1
    assert len(told) == 1
    assert told[0].startswith(
        f"Waiting up to 600 seconds for 'curate filter' (process {holder.pid}"
    )


@pytest.mark.slow
def test_the_lock_of_a_killed_writer_is_free_and_its_stages_are_removed(folder):
    """The operating system frees it at once; the next writer, of whatever lock, removes them."""
    bank = (folder / "templates_src" / "bank.csv").read_bytes()
    with another(folder) as holder:
        assert stages(folder) == ["decisions.csv", "samples"]
        holder.kill()
        holder.wait(120)
        assert stages(folder) == ["decisions.csv", "samples"]
        with writing(Workspace(folder, wait=0), "second", lock="push"):
            assert stages(folder) == []
    assert not (folder / "decisions.csv").exists()
    assert [path.name for path in (folder / "exports").rglob("*")] == ["samples"]
    assert (folder / "templates_src" / "bank.csv").read_bytes() == bank
    assert {path.name for path in (folder / ".curate").iterdir()} == {"lock", "lock.json", "push"}


@pytest.mark.slow
def test_a_ledger_that_workspaces_share_by_a_link_has_one_writer(folder, tmp_path):
    """Links stay links; what a killed writer left beside the ledger is removed, decisions stay."""
    shared, other = tmp_path / "drive", tmp_path / "other"
    shared.mkdir()
    DECISIONS.write(shared / "all.csv", [decision("age-001")])
    before = (shared / "all.csv").read_bytes()
    shutil.copytree(folder, other)
    for root in (folder, other):
        (root / "decisions.csv").symlink_to(shared / "all.csv")
    with another(folder) as holder:
        with (
            pytest.raises(CurateError, match="another command is writing"),
            writing(Workspace(other, wait=0), "second"),
        ):
            pass
        holder.kill()
        holder.wait(120)
        assert stages(shared) == ["all.csv"]
        assert (shared / "all.csv").read_bytes() == before
        for root, subject in ((folder, "age-002"), (other, "age-003")):
            with writing(Workspace(root, wait=0), "second") as workspace:
                known = workspace.decisions
                DECISIONS.write(workspace.ledger_file, [*known, decision(subject)])
    subjects = [item.subject for item in DECISIONS.read(shared / "all.csv")]
    assert subjects == ["age-001", "age-002", "age-003"]
    assert stages(shared) == stages(folder) == stages(other) == []
    assert all((root / "decisions.csv").is_symlink() for root in (folder, other))


def test_the_stages_of_a_living_writer_stay(folder):
    """Whoever writes without the lock, beside its target too, keeps what it has written."""
    like = folder / "templates_src" / ".bank.csv.stage"
    like.write_text("a file of the user's")
    with (
        atomic_text(folder / "responses" / "kept.csv") as stream,
        staged_folder(folder / "exports" / "mine") as stage,
        scratch_folder(folder / "exports" / "a.zip") as scratch,
    ):
        (stage / "a.csv").write_text("whole")
        with writing(Workspace(folder, wait=0), "second"):
            pass
        stream.write("whole")
        assert stages(folder) == [".bank.csv.stage", "a.zip", "kept.csv", "mine"]
        assert scratch.is_dir()
    assert (folder / "responses" / "kept.csv").read_text() == "whole"
    assert (folder / "exports" / "mine" / "a.csv").read_text() == "whole"
    assert stages(folder) == [".bank.csv.stage"]


def test_a_block_inside_another_has_the_lock(folder):
    """A use case calls others; the lock is free when the outermost has ended, by an error too."""
    workspace = Workspace(folder, wait=0)
    with pytest.raises(ZeroDivisionError), writing(workspace, "outer"):
        with writing(Workspace(folder / ".." / folder.name, wait=0), "inner"):
            pass
        assert in_thread(folder) == ["another command is writing to the workspace"]
        _ = 1 // 0
    assert in_thread(folder) == ["free"]


def in_thread(folder):
    found = []

    def try_it():
        try:
            with writing(Workspace(folder, wait=0), "thread"):
                found.append("free")
        except CurateError as error:
            found.append(error.what.partition(":")[0])

    thread = threading.Thread(target=try_it)
    thread.start()
    thread.join(60)
    return found


@pytest.mark.slow
def test_a_child_does_not_have_the_lock_of_its_parent(folder):
    """It inherits the memory of the process, and has to wait like any other."""
    program = [sys.executable, "-c", FORKED, str(folder)]  # one without other threads
    assert subprocess.run(program, timeout=120, check=False).returncode == 3


def test_what_changed_since_is_loaded_anew_under_the_lock(folder):
    """What others have written meanwhile, and after the block what was written in it."""
    workspace, other = Workspace(folder, wait=0), Workspace(folder, wait=0)
    assert workspace.decisions == []
    bank = workspace.bank
    with writing(workspace, "nothing changed"):
        assert workspace.bank is bank
    with writing(other, "other"):
        DECISIONS.append(other.ledger_file, [decision("age-001")])
    assert workspace.decisions == []
    with writing(workspace, "this") as same:
        assert same is workspace
        assert [item.subject for item in workspace.decisions] == ["age-001"]
        DECISIONS.append(workspace.ledger_file, [decision("age-002")])
    assert [item.subject for item in workspace.decisions] == ["age-001", "age-002"]


@pytest.mark.parametrize(
    ("break_it", "why"),
    [
        (lambda folder: (folder / ".curate").write_text("a file"), "File exists"),
        (lambda folder: (folder / ".curate" / "lock").mkdir(parents=True), "Is a directory"),
    ],
)
def test_a_lock_that_cannot_be_made_is_refused(folder, break_it, why):
    """In words; what only reads needs none."""
    break_it(folder)
    workspace = Workspace(folder, wait=0)
    with pytest.raises(CurateError) as refused, writing(workspace, "this"):
        pytest.fail("the block must not run")
    assert refused.value.what == f"cannot lock the workspace for writing: {why}"
    assert refused.value.where == str(folder / ".curate" / "lock")
    assert "only read need no lock" in refused.value.hint
    assert workspace.bank.variants
