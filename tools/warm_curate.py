"""Run `curate` in forks of one process, so that what it imports is imported once.

    python warm_curate.py SOCKET            until nobody holds it; prints a line when ready
    python warm_client.py SOCKET ARG...     what `curate ARG...` does, here and with these streams

A command has its own process, folder, environment and streams, as if it had been started by the
shell; only the imports are shared. Whoever has commands run holds a connection meanwhile (`held`).
"""

import array
import os
import signal
import socket
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
HEAVY = ("matplotlib.figure", "matplotlib.font_manager", "openpyxl", "pandas", "scipy.stats")
_HOLDER = b"h"
"""What the connection of a holder begins with, and that of a command does not."""


def hold(path: str) -> socket.socket:
    """Keep the process running until what this gives is closed."""
    server = socket.socket(socket.AF_UNIX)
    server.connect(path)
    server.sendall(_HOLDER)
    return server


def serve(path: str) -> None:
    """Run what is asked for, each in a fork."""
    import fcntl
    import gc
    import importlib
    import select

    from curation.cli.main import main

    for name in (*HEAVY, *ours()):
        importlib.import_module(name)
    gc.collect()
    gc.freeze()  # forks share what is imported, and do not look through it for what can be freed
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    holders: list[socket.socket] = []
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(path)
        listening.listen()
        print("ready", flush=True)
        while True:
            ready, _, _ = select.select([listening, *holders], [], [])
            if listening in ready:
                connection, _ = listening.accept()
                if connection.recv(1, socket.MSG_PEEK) == _HOLDER:
                    connection.recv(1)
                    holders.append(connection)
                    continue
                with connection:
                    if not os.fork():
                        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                        listening.close()
                        _run(connection, main)
                continue
            for holder in ready:
                holders.remove(holder)
                holder.close()
            if not holders:
                with Path(f"{path}.lock").open("w") as lock:  # nobody begins to hold meanwhile
                    fcntl.flock(lock, fcntl.LOCK_EX)
                    if not select.select([listening], [], [], 0)[0]:
                        Path(path).unlink()
                        return


def ours() -> list[str]:
    """The modules of the toolkit, but for scripts."""
    found = []
    for package in ("curation", "survey", "evaluation", "exports"):
        for path in sorted((ROOT / package).rglob("*.py")):
            if path.name != "__main__.py":
                module = path.parent if path.name == "__init__.py" else path.with_suffix("")
                found.append(".".join(module.relative_to(ROOT).parts))
    return found


def _run(connection: socket.socket, main: object) -> None:
    """Be a command: take over its streams, folder and environment, and end as it does."""
    import time

    space = socket.CMSG_SPACE(3 * array.array("i").itemsize)
    _, messages, _, _ = connection.recvmsg(1, space)
    streams = array.array("i", messages[0][2])
    order = b"".join(iter(lambda: connection.recv(65536), b"")).split(b"\0")
    folder, size = order[0], 2 + int(order[1])
    args = [*map(os.fsdecode, order[2:size])]
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(folder)
    os.environ.clear()
    for item in order[size:]:
        name, _, value = item.partition(b"=")
        os.environ[os.fsdecode(name)] = os.fsdecode(value)
    time.tzset()
    sys.argv = ["curate", *args]
    code: object = 0
    try:
        assert callable(main)  # noqa: S101  # click's command is untyped here
        main(args)
    except SystemExit as left:
        code = left.code
    except BaseException:  # noqa: BLE001  # as the interpreter says it
        sys.excepthook(*sys.exc_info())
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    connection.sendall(str(code if isinstance(code, int) else int(code is not None)).encode())
    os._exit(0)


if __name__ == "__main__":
    serve(sys.argv[1])
