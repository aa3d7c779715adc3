"""Kill a command at each write that it begins, run it again, and see that nothing differs.

    python -m tests.support.killing [--full] [--most N] [--seed S] [WAY ...]

runs the named ways, or all, and prints a table. A way is what a person does before a command, and
the command. It is run once undisturbed; each file that it opens for writing, renames, removes or
makes, each wait for the disk and each transaction of SQLite is a moment. Then it is run anew for
each moment, or for N that are drawn, in a process that ends there without a word, as SIGKILL would
end it, and run again by one that nobody ends. What is there then must be what the undisturbed run
left, byte for byte.

With --full nobody ends, but the disk is full from that moment on: the command must say so in words.

Commands are forks of one process. Servers that stand in for DeepL, models and Label Studio run in
forks too, and write down what they were asked, so that nothing can be paid for twice unseen.
"""

import argparse
import errno
import json
import os
import pickle
import random
import re
import shlex
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
TUTORIAL = ROOT / "templates_src" / "tutorial"
DEMO = ROOT / "templates_src" / "demo"
KILLED = 137
_CHANGES = {
    *("os.rename", "os.mkdir", "os.link", "os.symlink", "os.remove", "os.rmdir", "os.truncate"),
    "sqlite3.connect",
}
_FREES = {"os.remove", "os.rmdir", "sqlite", "sqlite3.connect"}
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_CHANCE = re.compile(
    rb'("(?:latency_s|at|pushed_at|created|workspace)": |canary: |line. \[)("[^"]*"|[0-9a-f.-]+)'
)
_WAIT_S = 120


@dataclass(frozen=True)
class Way:
    """What is done before a command, and the command.

    Attributes:
        name: What it is called.
        before: Commands that run undisturbed; `$` begins a line of bash. The demo workspace is
            there for who goes into its folder.
        command: The one that is killed.
        in_flight: How many things may be paid for twice, those that were under way.
        code: The status with which it ends well.
        most: How many kills of it are enough, where each takes long; 0 for all.
    """

    name: str
    before: Sequence[str]
    command: str
    in_flight: int = 0
    code: int = 0
    most: int = 0


_FILL = f"$ {sys.executable} {TUTORIAL}/fill_in.py"
_BEGIN = ("init w --language ko --culture Marevia", "cd w", f"import bbq {TUTORIAL}/bbq")
_LABELLED = (
    *_BEGIN,
    "classify sheet --annotator Mina --annotator Jun",
    f"{_FILL} annotations/sheets/classify-Mina.xlsx {TUTORIAL}/labels-mina.csv ../Mina.xlsx",
    f"{_FILL} annotations/sheets/classify-Jun.xlsx {TUTORIAL}/labels-jun.csv ../Jun.xlsx",
)
_CONSENSUS = (
    *_LABELLED,
    "collect ../Mina.xlsx ../Jun.xlsx --by Mina",
    "override age-003 --as SR --by Mina --reason unknown",
)
_TRANSLATED = (
    *_CONSENSUS,
    "translate run --engine pseudo",
    "translate sheet --translator Mina",
    f"{_FILL} annotations/sheets/translate-Mina.xlsx {TUTORIAL}/translations.csv ../back.xlsx",
)
_WHOLE = (
    *_TRANSLATED,
    "collect ../back.xlsx",
    f"$ sed 's/,beach,/,coast,/' {TUTORIAL}/groups.csv > templates_src/groups.csv",
)
_GROUPS = (
    "cd demo",
    "groups sheet",
    "$ printf 'group,level\\n노인,cohort\\n' > ../edit.csv",
    f"{_FILL} annotations/sheets/groups.xlsx ../edit.csv ../groups.xlsx",
)
_COMMENTS = (
    "cd demo",
    "filter --survey responses/responses.csv",
    f"$ {sys.executable} {ROOT}/tests/scenarios/browse_page/given/comments.py",
)
_LABELS = """[{"template_id": "age-001", "annotator": "Ann", "label": "ST"}]"""
_SURVEY = ("cd demo", "filter --survey responses/responses.csv")
_ASKED = (*_SURVEY, "export samples --set test", "evaluate prepare --prompt 1 --limit 40")
_REPLIED = (*_ASKED, "evaluate run --backend uniform")
_SCORE = "evaluate score --replies exports/evaluation/replies.jsonl --out scores"
WAYS = [
    Way("tutorial files", (), "demo --tutorial w"),
    Way("init", (), _BEGIN[0]),
    Way("import", _BEGIN[:2], _BEGIN[2]),
    Way("classify sheet", _BEGIN, _LABELLED[3]),
    Way("collect labels", _LABELLED, "collect ../Mina.xlsx ../Jun.xlsx --by Mina"),
    Way("collect a list", (*_BEGIN, f"$ echo '{_LABELS}' > ../ann.json"), "collect ../ann.json"),
    Way("new sheet", _SURVEY[:1], "new sheet"),
    Way("groups sheet", _SURVEY[:1], "groups sheet"),
    Way("collect groups", _GROUPS, "collect ../groups.xlsx"),
    Way("collect comments", _COMMENTS, "collect comments.json --by Mina"),
    Way("collect translations", _TRANSLATED, "collect ../back.xlsx"),
    Way("resolve", _CONSENSUS[:-1], _CONSENSUS[-1]),
    Way("translate run", _CONSENSUS, "translate run --engine deepl --yes", in_flight=20),
    Way("translate sheet", _CONSENSUS, _TRANSLATED[-2]),
    Way("survey build", _WHOLE, "survey build --format csv,qualtrics,google,xlsform", most=120),
    Way("filter", _SURVEY[:1], _SURVEY[1]),
    Way("filter again", (*_SURVEY, f"{_SURVEY[1]} --target-multiple 9/2"), _SURVEY[1]),
    Way("survey report", _SURVEY, "survey report", most=24),
    Way("override", _SURVEY, "override age-006 --keep --by Mina --reason known"),
    Way("set aside", _SURVEY, "override hobby-001 --as set-aside --by Mina --reason later"),
    Way("export samples", _SURVEY, "export samples --set all --format csv,xlsx,parquet"),
    Way("export bank", _SURVEY, "export bank"),
    Way("export package", _SURVEY, "export package --draft --zip", most=120),
    Way("browse", _SURVEY, "browse", most=120),
    Way("push", _SURVEY[:1], "push classify"),
    Way("pull", (*_SURVEY[:1], "push classify", "!annotate"), "pull classify"),
    Way("prepare", _ASKED[:-1], _ASKED[-1]),
    Way("run", _ASKED, "evaluate run --model m --concurrency 4", in_flight=8),
    Way("run of parts", _ASKED, "evaluate run --backend uniform --shard 1/2 --replies 1.jsonl"),
    Way("score", _REPLIED, _SCORE),
    Way("report", _REPLIED, _SCORE.replace("score", "report", 1), most=12),
    Way(
        "compare",
        (*_REPLIED, _SCORE),
        "evaluate compare scores --by groups --out compared",
        most=24,
    ),
    Way("batch", _ASKED, "evaluate run --batch --model m"),
    Way("stories", _SURVEY[:1], "evaluate stories build"),
]


@dataclass
class Table:
    """What came of a way: moments, kills, most things paid for twice, what was wrong by moment."""

    way: Way
    moments: int = 0
    kills: int = 0
    seconds: float = 0.0
    twice: int = 0
    faults: dict[int, str] = field(default_factory=dict)

    def __str__(self):
        counts = f"{self.moments:8}{self.kills:7}{len(self.faults):8}"
        counts += f"{self.twice:8}{self.seconds:9.1f}"
        faults = (f"   {moment}: {fault}" for moment, fault in self.faults.items())
        return "\n".join([f"{self.way.name:22}{counts}", *faults])


# ---------------------------------------------------------------- in the process that is killed


class Moments:
    """Counts the moments of this process, and ends it at one of them.

    Args:
        place: The folder in which writing counts.
        end: The moment at which to end; 0 for never.
        full: Whether the disk is full from that moment on, in place of an end.
        told: A file that gets a line a moment.
    """

    def __init__(self, place, end, told, *, full=False):
        self.place, self.end, self.passed, self.full = place, end, 0, full
        self.told = None if told is None else os.open(told, os.O_WRONLY | os.O_CREAT, 0o644)

    def watch(self):
        """Begin; a process cannot stop being watched."""
        fsync, connect = os.fsync, sqlite3.connect

        def counted(handle):
            self.tick("fsync", "")
            fsync(handle)

        def traced(*args, **kind):
            database = connect(*args, **kind)
            database.set_trace_callback(self._statement)
            return database

        os.fsync, sqlite3.connect = counted, traced
        sys.addaudithook(self._hook)

    def _statement(self, text):
        if text.startswith(("COMMIT", "CREATE", "INSERT", "DELETE", "UPDATE")):
            self.tick("sqlite", text.split()[0])

    def _hook(self, event, args):
        if event == "open":
            path, mode, flags = args
            writes = any(it in mode for it in "wax+") if mode else (flags or 0) & _WRITES
            if not writes:
                return
        elif event not in _CHANGES:
            return
        else:
            path = args[1] if event == "os.rename" else args[0]
        if isinstance(path, int):
            return
        where = Path.cwd() / os.fsdecode(path)
        if where.is_relative_to(self.place) or event == "sqlite3.connect":
            self.tick(event, str(where))

    def tick(self, event, path):
        self.passed += 1
        if self.told is not None:
            os.write(self.told, f"{event}\t{path}\n".encode())
        if self.passed == self.end and not self.full:
            os._exit(KILLED)
        if self.full and 0 < self.end <= self.passed and event not in _FREES:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _fork(work, printed):
    """Do something in a fork; gives its status and what it printed."""
    sys.stdout.flush()
    child = os.fork()
    if not child:
        code = 70
        try:
            handle = os.open(printed, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
            nothing = os.open(os.devnull, os.O_RDONLY)
            for number, stream in enumerate((nothing, handle, handle)):
                os.dup2(stream, number)
            sys.stdin, sys.stdout, sys.stderr = (
                os.fdopen(number, mode) for number, mode in enumerate("rww")
            )
            work()
            code = 0
        except SystemExit as left:
            code = left.code if isinstance(left.code, int) else int(left.code is not None)
        except BaseException:  # noqa: BLE001  # said as the interpreter does
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    until = time.monotonic() + _WAIT_S
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status), printed.read_text("utf-8", "replace")
        if time.monotonic() > until:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return -9, "hangs: " + printed.read_text("utf-8", "replace")
        time.sleep(0.002)


# ---------------------------------------------------------------- what stands in for servers


def _stand_in(place):
    """Let Label Studio be a server whose memory is a file of this place."""
    from tests.annotation.labelstudio.fake import FakeServer

    memory = place / "labelstudio.pickle"

    class Kept(FakeServer):
        def __init__(self):
            super().__init__()
            if memory.exists():
                vars(self).update(pickle.loads(memory.read_bytes()))  # noqa: S301  # our own

        def keep(self):
            kept = {name: value for name, value in vars(self).items() if name != "calls"}
            beside = memory.with_suffix(".new")
            beside.write_bytes(pickle.dumps(kept))
            beside.replace(memory)

        def _do(self, name, size, work):
            result = super()._do(name, size, work)
            if name in ("create", "set_up", "send", "replace", "suggest", "delete"):
                self.keep()
            return result

    import curation.annotation.labelstudio.pull as pull
    import curation.annotation.labelstudio.push as push

    push.connect = pull.connect = Kept
    push.CHUNK = 10
    push.time.sleep = lambda _seconds: None


def _annotate(place):
    from tests.annotation.labelstudio.fake import choices

    _stand_in(place)
    from curation.annotation.labelstudio.push import connect

    server = connect()
    for task in ("age-001", "age-002", "age-006"):
        for user in (1, 2):
            server.annotate(1, task, user, [choices("decision", "ST")])
    server.keep()


@contextmanager
def servers(place):
    """Servers of models and DeepL in forks; gives the environment that leads to them."""
    asked = place / "asked.txt"
    found = {}
    children = []

    def note(text):
        with asked.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(text) + "\n")

    def models(pipe):
        from tests.evaluation.loopback import last_words, serve

        def persona(body):
            note(last_words(body))
            return "A"

        with serve(persona=persona) as server:
            os.write(pipe, server.url.encode())
            os.close(pipe)
            time.sleep(100_000)

    def deepl(pipe):
        from tests.annotation.engines.loopback import serve

        with serve() as server:
            os.write(pipe, server.url.encode())
            os.close(pipe)
            seen = 0
            while True:
                for body in server.bodies[seen:]:
                    seen += 1
                    for text in body["text"]:
                        note(text)
                time.sleep(0.001)

    for variable, server in (("OPENAI_BASE_URL", models), ("DEEPL_SERVER_URL", deepl)):
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            os.close(reading)
            sys.stderr.flush()
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # a client that is killed is no fault
            server(writing)
        os.close(writing)
        found[variable] = os.read(reading, 1000).decode()
        os.close(reading)
        children.append(child)
    try:
        yield found
    finally:
        for child in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


# ---------------------------------------------------------------- a way


class Driver:
    """Runs ways.

    Args:
        place: An empty folder.
        environment: What leads to the servers.
    """

    def __init__(self, place, environment):
        self.place = place
        self.asked = place / "asked.txt"
        self._starts = {}
        from tests.annotation.engines.loopback import KEY

        self.environment = {
            **{
                name: os.environ[name]
                for name in ("PATH", "HOME", "PYTHONPATH")
                if name in os.environ
            },
            "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache")),
            "SOURCE_DATE_EPOCH": "1767225600",
            "DEEPL_AUTH_KEY": KEY,
            "OPENAI_API_KEY": "sk-none",
            "NO_PROXY": "127.0.0.1",
            "NO_COLOR": "1",
            "COLUMNS": "200",
            "TZ": "UTC",
            **environment,
        }

    def call(self, command, here, end=0, told=None, *, full=False):
        """Run a command of a way; gives its status and what it printed."""

        def work():
            os.chdir(here)
            os.environ.clear()
            os.environ.update(self.environment)
            work_place = self.place / "work"
            if command == "!annotate":
                return _annotate(work_place)
            if command.startswith("$ "):
                os.execv("/bin/bash", ["bash", "-ec", command[2:]])  # noqa: S606  # our own lines
            words = shlex.split(command)
            from curation.annotation.engines import engine
            from curation.cli.main import main

            engine.PAUSES = (0.0, 0.0)
            _stand_in(work_place)
            sys.argv = ["curate", *words]
            if end or told:
                Moments(work_place / "tree", end, told, full=full).watch()
            return main(words)

        return _fork(work, self.place / "printed.txt")

    def run(self, way, most, seed, *, full=False):
        """Kill a way's command at its moments, or have the disk full from there on."""
        table, begin = Table(way), time.monotonic()
        work, start = self.place / "work", self._started(tuple(way.before))
        here = work / "tree" / _folder(way.before)

        def anew():
            shutil.rmtree(work, ignore_errors=True)
            shutil.copytree(start, work)
            self.asked.write_text("")

        anew()
        told = self.place / "moments.txt"
        told.unlink(missing_ok=True)
        code, printed = self.call(way.command, here, 0, told)
        if code != way.code:
            raise RuntimeError(f"{way.name}: ended with {code}:\n{printed}")
        whole, paid = state(work), self._paid()
        moments = told.read_text(encoding="utf-8").splitlines() if told.exists() else []
        table.moments = len(moments)
        again, _ = self.call(way.command, here)
        twice = state(work)
        for moment in chosen(len(moments), min(filter(None, (most, way.most)), default=0), seed):
            anew()
            code, printed = self.call(way.command, here, moment, full=full)
            said = code == 1 and "No space left" in printed and "Traceback" not in printed
            if not (said or code == way.code if full else code == KILLED):
                table.faults[moment] = f"{moments[moment - 1]}\n      {code}: {printed[-900:]}"
                continue
            table.kills += 1
            code, printed = self.call(way.command, here)
            left = state(work)
            fault = ""
            if code not in (way.code, again):
                fault = f"ended with {code}: {printed[-600:]}"
            elif left not in (whole, twice) or (code == again != way.code and left != whole):
                names = sorted(it for it in {*whole, *left} if whole.get(it) != left.get(it))
                fault = f"differs: {names[:6]}"
            else:
                extra = sum((self._paid() - paid).values())
                table.twice = max(table.twice, extra)
                if extra > way.in_flight:
                    fault = f"{extra} paid for twice"
            if fault:
                table.faults[moment] = f"{moments[moment - 1]}\n      {fault}"
        table.seconds = time.monotonic() - begin
        return table

    def _started(self, before):
        """The place as it is after some commands, which many ways have in common."""
        if before not in self._starts:
            start = self._starts[before] = self.place / f"start{len(self._starts)}"
            if not before:
                (start / "tree").mkdir(parents=True)
                return start
            work = self.place / "work"
            shutil.rmtree(work, ignore_errors=True)
            shutil.copytree(self._started(before[:-1]), work)
            here, command = work / "tree" / _folder(before[:-1]), before[-1]
            if command == "cd demo":
                shutil.copytree(DEMO, here / "demo")
            elif not command.startswith("cd "):
                code, printed = self.call(command, here)
                if code not in (0, 1):
                    raise RuntimeError(f"'{command}' ended with {code}:\n{printed}")
            work.rename(start)
        return self._starts[before]

    def _paid(self):
        time.sleep(0.005 if self.asked.stat().st_size else 0)
        return Counter(self.asked.read_text(encoding="utf-8").splitlines())


def _folder(before):
    return next((it.removeprefix("cd ") for it in before if it.startswith("cd ")), "")


def state(work):
    """What is in a place: files by content (caches by name), folders, and the servers' memory."""
    found = {}
    tree = work / "tree"
    for path in sorted(tree.rglob("*")):
        name = path.relative_to(tree).as_posix()
        if path.is_symlink():
            found[name] = str(path.readlink())
        elif path.is_dir():
            found[name] = "folder"
        elif "/.curate/" in f"/{name}":
            if path.name != "lock.json":  # who writes, which counts for nothing without a lock
                found[name] = "cache"
        else:
            data = _CHANCE.sub(rb"\1", path.read_bytes())
            in_order = path.name.endswith("replies.jsonl")
            found[name] = b"".join(sorted(data.splitlines(True))) if in_order else data
    memory = work / "labelstudio.pickle"
    if memory.exists():
        kept = pickle.loads(memory.read_bytes())  # noqa: S301  # our own
        tasks = [
            sorted(json.dumps(task, sort_keys=True) for task in of.values())
            for of in kept["tasks"].values()
        ]
        found["(server)"] = _CHANCE.sub(rb"\1", repr((kept["found"], tasks)).encode())
    return found


def chosen(count, most, seed):
    """Which moments to kill at: all, or some that are drawn."""
    order = range(1, count + 1)
    draw = random.Random(seed)  # noqa: S311  # no secret
    return sorted(draw.sample(order, most)) if 0 < most < count else order


def main():
    """Run the ways that are named, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ways", nargs="*", help="names of ways; all where there is none")
    parser.add_argument("--most", type=int, default=0, help="kills of each way")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--full", action="store_true", help="a full disk in place of a kill")
    asked = parser.parse_args()
    sys.path.insert(0, str(ROOT / "tools"))
    import importlib

    from warm_curate import HEAVY, ours

    ways = [way for way in WAYS if not asked.ways or way.name in asked.ways]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder).resolve()
        with servers(place) as environment:
            for name in (*HEAVY, *ours(), "tests.annotation.labelstudio.fake"):
                importlib.import_module(name)
            driver = Driver(place, environment)
            failed = False
            sys.stdout.write(
                f"{'command':22}{'moments':>8}{'kills':>7}{'faults':>8}{'twice':>8}{'seconds':>9}\n"
            )
            for way in ways:
                table = driver.run(way, asked.most, asked.seed, full=asked.full)
                failed |= bool(table.faults)
                sys.stdout.write(f"{table}\n")
                sys.stdout.flush()
    sys.exit(failed)


if __name__ == "__main__":
    main()
