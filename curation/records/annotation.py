"""What annotators say of templates, in normal form, and what a meeting has to settle."""

import gc
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from curation.records.bank import Label
from curation.records.messages import MARKS

CLASSIFY_LABELS = (Label.SIMPLY_TRANSFERRED, Label.TARGET_MODIFIED, Label.SAMPLE_REMOVED)
"""The labels that a source template can be given; NC is for templates that have no source."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """One annotator's word on one template; fields are the columns of `classify.csv`.

    Attributes:
        template_id: The template.
        annotator: Name of the annotator.
        label: The label; none where there is only a remark.
        reason: The reason; always given with SR.
        proposed_targets: Target groups proposed for a TM template.
        proposed_non_targets: Non-target groups proposed for a TM template.
        remark: Other remarks.
        source_file: The returned file in `annotations/raw`, or the project.
        row_hash: Hash of what the annotator saw; empty where that is not known.
        collected_at: When it was first read, UTC, ISO 8601.
    """

    template_id: str
    annotator: str
    label: Label | None = None
    reason: str = ""
    proposed_targets: tuple[str, ...] = ()
    proposed_non_targets: tuple[str, ...] = ()
    remark: str = ""
    source_file: str = ""
    row_hash: str = ""
    collected_at: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """What no other annotation has: template and annotator."""
        return self.template_id, self.annotator


@dataclass(frozen=True, slots=True)
class AgendaItem:
    """A template that a consensus meeting has to settle.

    Attributes:
        template_id: The template.
        category: Its category.
        stereotype: Its stereotype.
        kind: `disagreement`; `incomplete` where annotators agree as far as they labelled it;
            `unanimous`, which needs no meeting.
        counts: How many annotators gave each label, the most frequent first.
        opinions: What each annotator said, by name.
        links: By annotator, the address of their answer on a server.
    """

    template_id: str
    category: str
    stereotype: str
    kind: str
    counts: tuple[tuple[Label, int], ...]
    opinions: tuple[Annotation, ...]
    links: Mapping[str, str] = field(default_factory=dict)


def person_key(name: str) -> str:
    """What is the same for one name however it is typed."""
    return " ".join(unicodedata.normalize("NFKC", MARKS.sub("", name)).split()).casefold()


@contextmanager
def without_collecting() -> Iterator[None]:
    """Let millions of objects come and go unwatched: texts and records make no cycles to be found.

    Python otherwise goes through all of them again and again while they become more.
    """
    watched = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if watched:
            gc.enable()
