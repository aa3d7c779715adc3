"""Reading a million replies, against pandas; and chat replies, one by one."""

import json
import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.measure import Figures, python, report, side_by_side
from evaluation.parsing.verdicts import read_reply

REPLIES = 1_148_520
"""Requests of KoBBQ's entire set: samples x 5 prompts x 3 orders."""
_LISTS = 20_000
_FORMS = (
    *("{}", "({})", "**{}**", "The answer is {}.", "정답은 {}입니다.", "{}입니다."),
    *("{}\n\nThe text does not say more.", "I am not sure.", "Based on the text, it is {}."),
)
_REPEATED = (*'$(*"[<-\nA5a_`{:,. ', "the potter ", "word ", "A, ", "A. ", "A\n", "The answer is ")
_LONG = 80_000
_SENTENCES = 20
"""One reply in so many is more than a letter."""

_LOAD = """
from pathlib import Path
from evaluation.replies.files import load_replies
table = load_replies([Path({path!r})])
assert len(table.frame) == {count} and not table.findings
"""
_READ = (
    _LOAD
    + """
import numpy
from evaluation.replies.readings import read_many
lists = [(f'the potter {{at}}', f'the baker {{at % 97}}', 'It cannot be known')
         for at in range({lists})]
readings = read_many(table.frame['reply'], numpy.arange({count}) % {lists}, lists)
assert 0.97 < (readings.positions >= 0).mean() < 1
"""
)
_PANDAS = "import pandas\nassert len(pandas.read_json({path!r}, lines=True)) == {count}"


def run() -> list[str]:
    """Measure each as a whole process, start included."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "replies.jsonl"
        with path.open("w", encoding="utf-8") as stream:
            stream.writelines(_lines())
        values = {"path": str(path), "count": REPLIES, "lists": _LISTS}
        load, read, pandas = side_by_side(
            python(_LOAD.format(**values)),
            python(_READ.format(**values)),
            python(_PANDAS.format(**values)),
            runs=3,
        )
        title = f"load {REPLIES:,} replies / pandas"
        return [
            report(title, load.median / pandas.median, 1.5, "x", _note(load, pandas)),
            report("  and read them", read.median / pandas.median, 2, "x", _note(read, pandas)),
            report("  peak memory", read.peak_mb, 1500, "MB", f"pandas {pandas.peak_mb:.0f} MB"),
            report("  a chat reply", chat(), 0.3, "ms"),
            report("  80,000 characters of one kind", *longest()),
        ]


def chat() -> float:
    """CPU milliseconds of a reply that explains and then states its verdict; the least of some."""
    choices, told = (
        ("the potter", "the baker", "It cannot be known"),
        "The text says that {} came. ",
    )
    replies = [
        f"Let us see.\n\n- {told.format(choices[at % 2])}{told.format('somebody') * 20}\n\n"
        f"**Answer: {'ABC'[at % 3]}) {choices[at % 3]}**"
        for at in range(200)
    ]
    times = []
    for _ in range(5):
        begun = time.process_time()
        for reply in replies:
            read_reply(reply, choices)
        times.append((time.process_time() - begun) / len(replies) * 1000)
    return min(times)


def longest() -> tuple[float, float, str, str]:
    """The most CPU seconds that a reply of one sign or word, repeated, takes, and which it is."""
    choices, worst = ("the potter", "the baker", "It cannot be known"), (0.0, "")
    for part in _REPEATED:
        reply = (part * _LONG)[:_LONG]
        begun = time.process_time()
        read_reply(reply, choices)
        worst = max(worst, (time.process_time() - begun, part))
    return worst[0], 5, "s", f"of {worst[1]!r}"


def _lines() -> Iterator[str]:
    draw = random.Random(1)  # noqa: S311  # a seeded model
    for at in range(REPLIES):
        shown = at % _LISTS
        letter = draw.choice("ABC")
        reply = draw.choice((letter, letter, letter, f"{letter}.", letter.lower(), f"({letter})"))
        if not draw.randrange(_SENTENCES):
            reply = draw.choice(
                (
                    f"The answer is {letter}.",
                    f"A: the potter {shown}",
                    f"The baker {shown % 97}",
                    "It cannot be known",
                    f"정답은 {letter}입니다.",
                    "I am not sure.",
                )
            )
        sample = f"craft-{at // 4500:03d}a-{at // 15 % 300:03d}-amb-bsd-{at % 3}-p{at // 3 % 5}"
        value = {"request_id": sample, "model": "m", "reply": reply}
        yield json.dumps(value, ensure_ascii=False) + "\n"


def _note(ours: Figures, other: Figures) -> str:
    return f"{ours.median:.2f} s / {other.median:.2f} s"
