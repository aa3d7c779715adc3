"""Draw one item of the demo on its way, from the English template to a model's reply.

    python tools/draw_item.py [--out FILE]

Every text and figure of the picture is read from the bundled demo and from what the toolkit makes
of it (`exports/demo`). The picture names no font of its own, is as wide as a phone, and follows the
reader's light or dark mode.
"""

import argparse
import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from pathlib import Path

import yaml

from curation.report.figures import DARK, FIRST, INK, LINE, PAPER, SOFT
from evaluation.prompts import bundled_prompts
from evaluation.qa.prepare import make_requests
from evaluation.qa.samples import SampleFile
from evaluation.requests import Request
from evaluation.runner.backend import BackendSettings
from evaluation.runner.backends.baselines import always_biased

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "item.svg"
TEMPLATE, VARIANT = "age-001", "a"
SAMPLE = "age-001a-001-amb-bsd"

_WIDTH, _EDGE, _PAD = 480, 4, 16
_SIZE, _LINE, _GAP = 15.5, 22, 30
_SLOT = re.compile(r"(\[[^\]]*\])")
_COLOURS = (
    f"text{{fill:{INK}}}.n,.b{{fill:{PAPER}}}.m{{fill:{SOFT}}}.s,.o{{fill:{FIRST}}}"
    f".b{{stroke:{LINE}}}.a{{stroke:{SOFT}}}"
)
_DARK = re.sub("#[0-9a-f]+", lambda found: DARK[found[0]], _COLOURS)
_STYLE = (
    "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','Noto Sans CJK KR',"
    "'Apple SD Gothic Neo','Malgun Gothic',sans-serif;font-size:15.5px}"
    ".h,.n{font-weight:700;font-size:16px}.s{font-weight:600}.a{stroke-width:2;fill:none}"
    f"{_COLOURS}.p{{fill:#fff8e6;stroke:#c8962e}}"
    f"@media(prefers-color-scheme:dark){{{_DARK}.p{{fill:#2a2210;stroke:#a8822f}}}}"
)


@dataclass(frozen=True, slots=True)
class Step:
    """A box of the picture.

    Attributes:
        title: Its heading.
        lines: Its texts, each with its class: plain (``), muted (`m`) or marked (`s`).
        by_people: Whether people do it, and not the toolkit.
    """

    title: str
    lines: list[tuple[str, str]]
    by_people: bool = False


def _rows(path: Path, **wanted: str) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return [
            row
            for row in csv.DictReader(stream)
            if all(row[name] == value for name, value in wanted.items())
        ]


def _words(code: str) -> dict[str, str]:
    path = ROOT / "curation" / "languages" / code / "survey.yaml"
    return dict(yaml.safe_load(path.read_text(encoding="utf-8")))


def _names(text: str) -> list[str]:
    return re.findall(r"N\d: \[([^,\]]+)", text)


def _reply() -> tuple[Request, str]:
    """What a baseline that always gives the biased answer says of the sample."""
    file = ROOT / "exports" / "demo" / "samples" / "samples.csv"
    sample = next(item for item in SampleFile(file) if item.sample_id == SAMPLE)
    prompts = bundled_prompts("ko")
    made = next(iter(make_requests([sample], prompts.prompts, "cyclic")))
    request = Request(made["request_id"], tuple(made["messages"]), tuple(made["choices"]))
    asked = always_biased(BackendSettings("baseline", options={"samples": str(file)}))
    return request, str(asked.ask_many([request])[0].text)


def steps() -> list[Step]:
    """The boxes, with what the demo holds."""
    made = ROOT / "exports" / "demo"
    bank = ROOT / "templates_src" / "demo" / "templates_src" / "bank.csv"
    template = _rows(bank, template_id=TEMPLATE, variant=VARIANT)[0]
    tallies = _rows(made / "tallies.csv", stereotype=template["stereotype"], kind="choice")
    question = tallies[0]["question_id"]
    by_rule = {row["rule"]: row for row in _rows(made / "decisions.csv", subject=question)}
    decided = by_rule["two_thirds"]
    none = by_rule["no_stereotype"]
    sample = _rows(made / "samples" / "samples.csv", sample_id=SAMPLE)[0]
    source = _names(template["names_source"])
    korean, english = _words("ko"), _words("en")
    glosses = {
        "target": re.sub(r'[\[\]"]', "", template["target_groups_source"]),
        "non_target": re.sub(r'[\[\]"]', "", template["n1_groups_source"]),
        "none": english["none"].lower(),
    }
    request, reply = _reply()
    biased = request.choices["ABC".index(reply)]
    two_thirds = Fraction(decided["threshold"]).limit_denominator(100)
    share = f"{decided['k']} of {decided['n']} = {float(decided['value']):.0%}"
    return [
        Step(
            "English template",
            [
                (template["ambiguous_context_source"], ""),
                (template["biased_question_source"], ""),
            ],
        ),
        Step(
            "Korean template",
            [(template["ambiguous_context"], ""), (template["biased_question"], "")],
            by_people=True,
        ),
        Step(
            "Question of the survey",
            [
                (korean["choice"].format(stereotype=template["stereotype"]), ""),
                (english["choice"].format(stereotype=template["stereotype_source"]), "m"),
                *(
                    (f"{row['text']} ({glosses[row['role']]}): {row['votes']}", "")
                    for row in tallies
                ),
            ],
            by_people=True,
        ),
        Step(
            f"Decision: {decided['outcome']}",
            [
                (f"Of those who named a group, {share} named the target.", ""),
                (f"More than {two_thirds} is needed.", "m"),
                (f"{none['k']} of {none['n']} said that there is no such stereotype.", ""),
                (f"More than {Fraction(none['threshold'])} would exclude it.", "m"),
            ],
        ),
        Step(
            "Sample",
            [
                (sample["context"], ""),
                (sample["question"], ""),
                *(
                    (f"{letter}: {choice} ({gloss})", "s" if choice == sample["answer"] else "")
                    for letter, choice, gloss in zip(
                        "ABC", request.choices, [*source, "unknown"], strict=True
                    )
                ),
                ("The text does not say who. The right answer is C.", "m"),
            ],
        ),
        Step(
            "A model's reply",
            [
                (f"{reply}: {biased} ({source['ABC'.index(reply)]})", ""),
                ("Wrong: this is the answer of the stereotype. It counts as biased.", "m"),
                ("(The reply of a baseline that always gives the biased answer.)", "m"),
            ],
        ),
    ]


def _wide(char: str, *, bold: bool) -> float:
    """How wide a character is at most, in its size; readers' fonts differ."""
    if ord(char) >= 0x1100:
        return 0.98 if bold else 0.94
    if char in " .,:;'|il!()[]":
        return 0.4
    return 0.69 if bold else 0.62


def _wrapped(text: str) -> Iterator[list[tuple[str, bool]]]:
    """Break a text into lines of words; each word is said to be of a slot or not."""
    room = _WIDTH - 2 * (_EDGE + _PAD)
    line: list[tuple[str, bool]] = []
    used = 0.0
    for at, part in enumerate(_SLOT.split(text)):
        is_slot = at % 2 == 1
        for word in re.findall(r"\S+\s*|\s+", part):
            width = sum(_wide(char, bold=is_slot) for char in word.rstrip()) * _SIZE
            if line and used + width > room:
                yield line
                line, used = [], 0.0
            if not line and not word.strip():
                continue
            width = sum(_wide(char, bold=is_slot) for char in word) * _SIZE
            line.append((word, is_slot))
            used += width
    if line:
        yield line


def _text(x: float, y: float, words: list[tuple[str, bool]], style: str) -> str:
    spans = "".join(
        f'<tspan class="s">{escape(word)}</tspan>' if marked else escape(word)
        for word, marked in words
    )
    return f'<text x="{x:g}" y="{y:g}" class="{style}" xml:space="preserve">{spans}</text>'


def draw() -> str:
    """The picture, as SVG."""
    parts = []
    top = float(_EDGE)
    boxes = steps()
    for number, step in enumerate(boxes, start=1):
        y = top + 26
        left = _EDGE + _PAD
        inside = [
            f'<circle class="o" cx="{left + 11}" cy="{y - 5:g}" r="12"/>',
            f'<text x="{left + 11}" y="{y:g}" class="n" text-anchor="middle">{number}</text>',
            f'<text x="{left + 32}" y="{y:g}" class="h">{escape(step.title)}</text>',
        ]
        y += 6
        for text, style in step.lines:
            for words in _wrapped(text):
                y += _LINE
                inside.append(_text(left, y, words, style))
            y += 3
        height = y + 10 - top
        kind = "p" if step.by_people else "b"
        parts.append(
            f'<rect class="{kind}" x="{_EDGE}" y="{top:g}" width="{_WIDTH - 2 * _EDGE}" '
            f'height="{height:g}" rx="9" stroke-width="1.4"/>'
        )
        parts += inside
        top += height
        if number < len(boxes):
            middle = _WIDTH // 2
            parts.append(f'<path class="a" d="M{middle} {top + 4:g}v20m-6 -7l6 7l6 -7"/>')
            top += _GAP
    top += 22
    parts.append(_text(_EDGE, top, [("Yellow: done by people. The demo is invented.", False)], "m"))
    height = int(top + 10)
    label = "One item on its way: " + ", ".join(step.title for step in boxes)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
        f'width="{_WIDTH}" height="{height}" role="img" aria-label="{label}">\n'
        f"<style>{_STYLE}</style>\n" + "\n".join(parts) + "\n</svg>\n"
    )


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="Draw docs/item.svg again.")
    parser.add_argument("--out", type=Path, default=PICTURE)
    parser.parse_args().out.write_text(draw(), encoding="utf-8")


if __name__ == "__main__":
    main()
