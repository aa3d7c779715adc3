"""Tasks and their pages as they are on the server, and who gets which."""

import hashlib
import html
import json
import random
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import fromstring
from xml.sax.saxutils import quoteattr

from curation.annotation.sheets import consensus_page, pages
from curation.files.workbooks.writing import is_right_to_left
from curation.languages import LanguageOrCode, is_rtl
from curation.languages.general import Pages
from curation.records.annotation import CLASSIFY_LABELS
from curation.records.messages import refusal
from curation.report.texts import environment, resource

RESERVED = ("uid", "hash", "check")
"""Fields of a task's data that are not shown."""
NOTHING = "–"
"""What a page shows where there is no text."""


@dataclass(frozen=True, slots=True)
class Task:
    """One thing to be annotated.

    Attributes:
        uid: What tells it from the other tasks of its kind.
        shown: The fields of the page.
        version: A hash that changes when what it asks about changes; that of `shown` by default.
        kept: What is needed to read its answers and is not sent.
        suggested: What its page shows as chosen before anybody has answered, as the server writes
            the parts of an answer; it is no answer.
        asks: Keys of what it asks once for all tasks that need it.
        stays: Whether it is shown as it was once somebody has looked at it, though what is shown
            beside what it asks about has changed.
    """

    uid: str
    shown: Mapping[str, object]
    version: str = ""
    kept: tuple[str, ...] = ()
    suggested: tuple[Mapping[str, object], ...] = ()
    asks: tuple[str, ...] = ()
    stays: bool = False

    @property
    def hash(self) -> str:
        """The version of the content."""
        return self.version or digest(self.shown)

    @property
    def data(self) -> dict[str, object]:
        """The task's data as it is sent; `check` tells whether it was edited on the server."""
        body = {**self.shown, "uid": self.uid, "hash": self.hash}
        return {**body, "check": digest(body)}


def digest(content: Mapping[str, object]) -> str:
    """Hash some fields, whatever their order."""
    text = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def with_keys(shown: Mapping[str, object]) -> dict[str, object]:
    """The fields of a page whose `options` are chosen by the number keys, in their order."""
    options: Any = shown["options"]
    keyed = [{**option, "hotkey": str(at)} for at, option in enumerate(options, start=1)]
    return {**shown, "options": keyed}


def is_untouched(data: Mapping[str, object]) -> bool:
    """Say whether a task's data is as it was sent."""
    body = {key: value for key, value in data.items() if key != "check"}
    return data.get("check") == digest(body)


Allotment = Mapping[str, Sequence[str]]
"""By annotator, the uids that they get; one entry with an empty name for a project of all."""


def allot(
    uids: Sequence[str],
    annotators: Sequence[str],
    overlap: int | None,
    seed: int,
    earlier: Allotment,
    closed: Collection[str] = (),
) -> dict[str, list[str]]:
    """Say who annotates what; what was allotted earlier stays, and an overlap may grow.

    Args:
        uids: All tasks.
        annotators: Who annotates, each in a project of their own; nobody for one project of all.
        overlap: How many tasks all of them get; None for all tasks.
        seed: The seed of the draw.
        earlier: What they have.
        closed: Who of them gets no more.

    Raises:
        CurateError: If one project of all and projects of single annotators would be mixed.
    """
    if earlier and bool(annotators) != ("" not in earlier):
        way = "all" if "" in earlier else "each"
        raise refusal(__package__, "push-mixed", "annotations/labelstudio.json", way=way)
    if not annotators:
        known = list(earlier.get("", ()))
        return {"": [*known, *_without(uids, known)]}
    names = list(dict.fromkeys([*earlier, *annotators]))
    found = {name: list(earlier.get(name, ())) for name in names}
    rng = random.Random(f"{seed}:{len(earlier)}:{len(uids)}")  # noqa: S311  # a seeded draw
    taken = {uid for mine in found.values() for uid in mine}
    fresh = _without(uids, taken)
    going_on = {name: mine for name, mine in found.items() if name not in closed}
    shared = {name: mine for name, mine in earlier.items() if name not in closed}
    common = list(uids) if overlap is None else _common(shared, uids, overlap, rng)
    for mine in going_on.values():
        mine += _without(common, mine)
    rest = _without(fresh, common)
    rng.shuffle(rest)
    for uid in rest:
        min(going_on.values(), key=len).append(uid)
    place = {uid: at for at, uid in enumerate(uids)}
    return {name: sorted(mine, key=lambda uid: place.get(uid, -1)) for name, mine in found.items()}


def _common(earlier: Allotment, uids: Sequence[str], overlap: int, rng: random.Random) -> list[str]:
    """Draw what all annotators get: what they have in common already, then of the others."""
    lists = [list(mine) for mine in earlier.values()]
    shared = [uid for uid in lists[0] if all(uid in mine for mine in lists[1:])] if lists else []
    if len(shared) > overlap:
        return rng.sample(shared, overlap)
    others = _without(uids, shared)
    return [*shared, *rng.sample(others, min(overlap - len(shared), len(others)))]


def move(
    allotted: dict[str, list[str]], giver: str, taker: str, stay: Collection[str]
) -> list[str]:
    """Give one annotator's tasks to another, except some; says which.

    Raises:
        CurateError: If they are not two annotators, or the first has no tasks.
    """
    if giver not in allotted or not taker or giver == taker:
        words = {"names": ", ".join(filter(None, allotted)) or "(nobody)"}
        words |= {"giver": giver, "taker": taker}
        raise refusal(__package__, "push-unmoved", "--reassign", **words)
    moved = [uid for uid in allotted[giver] if uid not in stay]
    allotted[giver] = _without(allotted[giver], moved)
    allotted[taker] = [*allotted.get(taker, ()), *_without(moved, allotted.get(taker, ()))]
    return moved


def _without(uids: Sequence[str], taken: Collection[str]) -> list[str]:
    done = set(taken)
    return [uid for uid in uids if uid not in done]


TRANSLATE = "translate"
"""The kind of task that is answered by texts alone."""
DECISION = "decision"
"""The question for the label of a template."""
SHOWN = "ambiguous_context"
"""The text of a template that its questions point to."""
UNSURE = "unsure"
"""The choice of who is not sure of a label."""
HELPS = ("example", "forms", "names", "note")
"""What stands beside a text on the page of translation, each with a heading if there is any."""


def page_of(
    kind: str, source: LanguageOrCode, language: LanguageOrCode, suggestion: str = ""
) -> str:
    """The page of a kind of task.

    Args:
        kind: The kind of task.
        source: The language of what is shown.
        language: The culture's, in which the page speaks, and which is translated into.
        suggestion: What stands above a suggested label; no suggestion is shown without it.
    """
    made, texts = environment(__package__), pages(language)
    made.filters["quoted"] = quoteattr
    return made.get_template("pages.xml.j2").render(
        kind=kind,
        source_rtl=is_rtl(source),
        target_rtl=is_rtl(language),
        texts=texts,
        rtl=is_right_to_left(texts.known),
        style=resource(__package__, "pages.css"),
        labels=[label.value for label in CLASSIFY_LABELS],
        unsure=UNSURE,
        suggestion=suggestion,
        words=consensus_page(language),
        helps=HELPS,
    )


def instructions(kind: str, texts: Pages, paragraphs: Sequence[str] = ()) -> str:
    """The instructions before the first task and by the button *Instructions*, as HTML.

    Args:
        kind: The kind of task.
        texts: What the page says.
        paragraphs: What they are told, where the texts of pages do not say it.
    """
    # Label Studio keeps nothing of a box in which somebody still writes, nor of a page whose
    # submission it refused: until it is loaded again, `submissionStarted` forbids every draft.
    paragraphs = (texts.leave, *(paragraphs or getattr(texts.guidelines, kind)))
    if kind != TRANSLATE:
        paragraphs = (*paragraphs, texts.keys)
    lines = "".join(f"<p>{html.escape(text)}</p><br>" for text in paragraphs)
    return f'<div dir="{"rtl" if is_right_to_left(texts.known) else "ltr"}">{lines}</div>'


_LINK = re.compile(r"https?://[^\s<>\"]+[^\s<>\".,;:!?)\]}']")


def linked(text: str) -> str:
    """A text as HTML, whose addresses open in a page of their own."""
    parts = []
    start = 0
    for found in _LINK.finditer(text):
        address = html.escape(found[0])
        parts.append(html.escape(text[start : found.start()]))
        parts.append(f'<a href="{address}" target="_blank" rel="noopener">{address}</a>')
        start = found.end()
    return "".join((*parts, html.escape(text[start:])))


def box(name: str, to: str, text: str = "") -> dict[str, object]:
    """What stands in a box at first: Label Studio keeps in drafts what is changed in such boxes."""
    return {"from_name": name, "to_name": to, "type": "textarea", "value": {"text": [text]}}


def boxes_of(page: str) -> tuple[dict[str, object], ...]:
    """The boxes of a page that are kept as they are written, empty; but those of lists."""
    found = (one.attrib for one in fromstring(page).iter("TextArea"))  # noqa: S314  # our own
    kept = (one for one in found if "transcription" in one and "{" not in one["name"])
    return tuple(box(one["name"], one["toName"]) for one in kept)
