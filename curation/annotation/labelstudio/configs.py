"""Labelling pages, and what is asked on them.

The pages are in `pages.xml.j2` and `pages.css`, beside this module.
"""

import html
import re
from collections.abc import Sequence
from unicodedata import bidirectional
from xml.sax.saxutils import quoteattr

from curation.languages import LanguageOrCode, is_rtl
from curation.languages.annotation import ConsensusPage, Pages
from curation.records.bank import Label
from curation.report.texts import environment, resource

TRANSLATE = "translate"
"""The kind of task that is answered by texts alone."""
LABELS = (Label.SIMPLY_TRANSFERRED, Label.TARGET_MODIFIED, Label.SAMPLE_REMOVED)
"""The labels of classification, in the order of the keys that choose them."""
DECISION = "decision"
"""The question for the label of a template."""
SHOWN = "ambiguous_context"
"""The text of a template that its questions point to."""
UNSURE = "unsure"
"""The choice of who is not sure of a label."""
CHECKS = ("entities_adapted", "slots_kept")
"""The checkboxes of translation."""

HELPS = ("example", "forms", "names", "note")
"""What stands beside a text on the page of translation, each with a heading if there is any."""


def page_of(
    kind: str,
    language: LanguageOrCode,
    texts: Pages,
    *,
    target: LanguageOrCode | None = None,
    suggestion: str = "",
    words: ConsensusPage | None = None,
) -> str:
    """The page of a kind of task.

    Args:
        kind: The kind of task.
        language: Of what is shown.
        texts: What the page says.
        target: The language that is translated into.
        suggestion: What stands above a suggested label; no suggestion is shown without it.
        words: What the page of consensus alone says.
    """
    made = environment(__package__).overlay(autoescape=False)
    made.filters["quoted"] = quoteattr
    return made.get_template("pages.xml.j2").render(
        kind=kind,
        source_rtl=is_rtl(language),
        target_rtl=target is not None and is_rtl(target),
        texts=texts,
        rtl=_runs_right(texts),
        style=resource(__package__, "pages.css"),
        labels=[label.value for label in LABELS],
        unsure=UNSURE,
        suggestion=suggestion,
        words=words,
        checks=CHECKS,
        helps=HELPS,
    )


def _runs_right(texts: Pages) -> bool:
    runs = {bidirectional(character) for character in texts.known}
    return bool(runs & {"R", "AL"})


def instructions(kind: str, texts: Pages, paragraphs: Sequence[str] = ()) -> str:
    """The instructions before the first task and by the button *Instructions*, as HTML.

    Args:
        kind: The kind of task.
        texts: What the page says.
        paragraphs: What they are told, where the texts of pages do not say it.
    """
    paragraphs = paragraphs or getattr(texts.guidelines, kind)
    if kind != TRANSLATE:  # whose boxes Label Studio keeps as they are written
        paragraphs = (texts.leave, *paragraphs, texts.keys)
    lines = "".join(f"<p>{html.escape(text)}</p><br>" for text in paragraphs)
    return f'<div dir="{"rtl" if _runs_right(texts) else "ltr"}">{lines}</div>'


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


def fields_of(page: str) -> set[str]:
    """The fields of a task's data that a page shows."""
    return set(re.findall(r'"\$([A-Za-z_]\w*)"', page))
