"""Kill a command at chosen moments: run by a Python that has the SDK, `killing.py POINT ARG...`.

A point is before or after each request and each renaming of a file, in order; `PREFIX~` kills in
the middle of a request, while the server works. Prints how many points there were when none of
them was reached.
"""

import os
import signal
import sys
import threading
from pathlib import Path
from typing import Any

import httpx

from curation.cli.main import main

_seen = 0


def _reach(point: int) -> None:
    global _seen
    _seen += 1
    if _seen == point:
        os.kill(os.getpid(), signal.SIGKILL)


def _run(text: str, arguments: list[str]) -> None:
    during = text.endswith("~")
    point = int(text.rstrip("~"))
    send, replace = httpx.Client.send, Path.replace

    def killed_send(self: Any, *args: Any, **kwargs: Any) -> Any:
        _reach(0 if during else point)
        if during and _seen == point:
            threading.Timer(0.02, os.kill, (os.getpid(), signal.SIGKILL)).start()
        response = send(self, *args, **kwargs)
        _reach(0 if during else point)
        return response

    def killed_replace(self: Any, target: Any) -> Any:
        _reach(0 if during else point)
        result = replace(self, target)
        _reach(0 if during else point)
        return result

    httpx.Client.send = killed_send  # type: ignore[method-assign]
    Path.replace = killed_replace  # type: ignore[method-assign]
    try:
        main(arguments)
    except SystemExit as left:
        sys.stderr.write(f"{_seen} points, status {left.code}\n")
        raise


if __name__ == "__main__":
    _run(sys.argv[1], sys.argv[2:])
