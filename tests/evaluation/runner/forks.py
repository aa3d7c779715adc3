"""Run `curate` many times in short lives, with what it imports imported once.

Reads one JSON object a line, `{"args": [...], "limit": bytes, "expiry": seconds}` (the last two
may be missing), runs each in a process of its own, prints its number when it has begun, and
`{"code", "out", "err"}` when it has ended; `code` is negative for a signal. `limit` is the most
that a file may hold, `expiry` how long claims hold without a sign of life.
"""

import contextlib
import io
import json
import os
import resource
import sys
import tempfile

import aiohttp
import numpy as np
import yaml

from curation.cli.main import main
from evaluation.cli import run as evaluate_run
from evaluation.runner import asking, store
from evaluation.runner.backends import openai as openai_backend

USED = (np, aiohttp, yaml, evaluate_run, asking, openai_backend)


def child(order, out, err):
    """Run the command; its output goes into files."""
    if order.get("limit"):
        resource.setrlimit(resource.RLIMIT_FSIZE, (order["limit"], order["limit"]))
    store.EXPIRY_S = order.get("expiry", store.EXPIRY_S)
    printed, said = io.StringIO(), io.StringIO()
    code: object = 0
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(said):
        try:
            main(order["args"])
        except SystemExit as left:
            code = left.code
    for path, text in ((out, printed), (err, said)):
        with open(path, "w", encoding="utf-8") as stream:  # noqa: PTH123  # a descriptor's name
            stream.write(text.getvalue())
    os._exit(int(str(code)) if code else 0)


def carry_out(order):
    """Run the command in a process of its own."""
    with tempfile.NamedTemporaryFile() as out, tempfile.NamedTemporaryFile() as err:
        pid = os.fork()
        if not pid:
            child(order, out.name, err.name)
        sys.stdout.write(f"{pid}\n")
        sys.stdout.flush()
        _, status = os.waitpid(pid, 0)
        texts = [item.read().decode() for item in (out, err)]
    code = os.waitstatus_to_exitcode(status)
    return {"code": code, "out": texts[0], "err": texts[1]}


if __name__ == "__main__":
    for line in sys.stdin:
        sys.stdout.write(json.dumps(carry_out(json.loads(line))) + "\n")
        sys.stdout.flush()
