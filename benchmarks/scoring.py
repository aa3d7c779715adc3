"""`curate evaluate`: preparing and scoring a test set and an entire set, against pandas."""

import json
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.measure import curate, python, report, side_by_side
from curation.files.writers import write_table
from curation.records.sample import SAMPLE_COLUMNS, Sample

_TEMPLATES = 285
_FILLINGS = {"test": 1, "entire": 34}
_UNKNOWN = "Cannot be determined"


def run() -> list[str]:
    """Measure whole commands; replies are letters, some of them in a sentence."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lines: list[str] = []
        for kind, fillings in _FILLINGS.items():
            lines += _scoring(folder / kind, kind, fillings)
        return lines


def _scoring(folder: Path, kind: str, fillings: int) -> Iterator[str]:
    folder.mkdir()
    (folder / "culture.yaml").write_text("culture: X\nlanguage: en\nunknown: U\n", "utf-8")
    samples, requests, replies = (
        folder / name for name in ("samples.csv", "requests.jsonl", "replies.jsonl")
    )
    write_table(samples, "csv", SAMPLE_COLUMNS, _samples(fillings))
    where = ("-w", str(folder), "--samples", str(samples))
    prepare = curate("evaluate", "prepare", *where, "--out", str(requests))
    (preparing,) = side_by_side(prepare, runs=1)
    count = _replies(requests, replies)
    ours, pandas = side_by_side(
        curate("evaluate", "score", *where, "--replies", str(replies), "--json"),
        python(
            "import pandas\n"
            f"pandas.read_csv({str(samples)!r}, dtype=str)\n"
            f"pandas.read_json({str(replies)!r}, lines=True)"
        ),
        runs=1 if fillings > 1 else 3,
    )
    note = f"{ours.median:.2f} s / {pandas.median:.2f} s"
    ratio = ours.median / pandas.median
    yield report(f"score {count:,} replies / pandas reading the files", ratio, 4, "x", note)
    if fillings == 1:
        _replies(requests, replies, [f"m{at}" for at in range(10)])
        again = ("--replies", str(replies), "--out", str(folder / "scores"))
        (split,) = side_by_side(curate("evaluate", "score", *where, *again), runs=1)
        yield report(f"  of ten models, variances split: {10 * count:,}", split.median, 60, "s")
    else:
        yield report("  its peak memory", ours.peak_mb, 1500, "MB")
        note = f"{count / preparing.median:,.0f} requests/s"
        yield report(f"prepare {count:,} requests: peak memory", preparing.peak_mb, 300, "MB", note)


def _samples(fillings: int) -> Iterator[Sample]:
    for number in range(1, _TEMPLATES + 1):
        for variant in "ab":
            for index in range(1, fillings + 1):
                yield from _filled(number, variant, index)


def _filled(number: int, variant: str, index: int) -> Iterator[Sample]:
    target, other = f"the potter {index}", f"the weaver {index}"
    first, second = (other, target) if variant == "a" else (target, other)
    category, template = f"Trade_{number % 12}", f"trade_{number % 12}-{number:03d}"
    for context in ("amb", "dis"):
        for question, asked in (("bsd", first), ("cnt", second)):
            yield Sample(
                sample_id=f"{template}{variant}-{index:03d}-{context}-{question}",
                template_id=template,
                variant=variant,
                category=category,
                label="ST" if number % 2 else "TM",
                stereotype="They like clay.",
                context=f"{first} and {second} came to the market early in the morning. " * 2,
                question="Who bought the clay?" if question == "bsd" else "Who sold it?",
                context_type=context,
                question_type=question,
                choices=(first, second, _UNKNOWN),
                biased_answer=target if question == "bsd" else other,
                answer=_UNKNOWN if context == "amb" else asked,
                n1_group="weavers",
                n2_group="potters",
                source_id="",
                source_category="",
            )


def _replies(requests: Path, replies: Path, models: Sequence[str] = ("m",)) -> int:
    draw = random.Random(1)  # noqa: S311  # a seeded model
    asked = 0
    with requests.open(encoding="utf-8") as lines, replies.open("w", encoding="utf-8") as out:
        for line in lines:
            request = json.loads(line)
            asked += 1
            for model in models:
                at = draw.randrange(3)
                reply = "ABC"[at]
                if not draw.randrange(20):
                    reply = f"The answer is {request['choices'][at]}."
                value = {"request_id": request["request_id"], "model": model, "reply": reply}
                out.write(json.dumps(value) + "\n")
    return asked


if __name__ == "__main__":
    sys.exit(any("MISSED" in line for line in run()))
