"""The data of the page, in chunks that it loads when they are looked at.

A page that is opened from disk may not fetch files, but it may load scripts. Each chunk is a script
of one line that hands over its name and its content: JSON, compressed, written in base64. None of
it is code: the content is one text of letters and digits.
"""

import base64
import functools
import gzip
import hashlib
import json
import re
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from curation.bank.planning import TemplatePlan
from curation.files.annotations import CLASSIFY_TABLE
from curation.files.atomic import Closing
from curation.files.outcomes import TemplateOutcome
from curation.files.workspace import Workspace
from curation.records.annotation import Annotation
from curation.records.bank import Template, TemplateId
from curation.records.messages import Progress, silent
from curation.records.survey import NOT_USED, Status
from exports.edition import Edition
from survey.bank import FinalBank

if TYPE_CHECKING:
    from evaluation.qa.scoring import ScoreInputs


DATA = "data"
"""The folder of the chunks."""
_LEVEL = 9


@dataclass(slots=True)
class ChunkWriter:
    """Writes chunks, each once, and counts them.

    The same content gives the same bytes: no time and no name of a file is in them.

    Attributes:
        folder: The folder of the page.
        sizes: By name, the bytes of each chunk that was written.
    """

    folder: Path
    sizes: dict[str, int] = field(default_factory=dict)

    def add(self, name: str, content: object) -> None:
        """Write a chunk.

        Args:
            name: Small letters, and numbers after hyphens: `index`, `samples-12-0`.
            content: What JSON can hold; texts are written as they are.

        Raises:
            ValueError: If the content has a number that JSON does not have.
        """
        script = (
            f'curateBrowse.receive("{name}","{base64.b64encode(_packed(content)).decode()}");\n'
        )
        path = self.folder / DATA / f"{name}.js"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(script, encoding="ascii", newline="")
        self.sizes[name] = len(script)


def _packed(content: object) -> bytes:
    """Content as compressed JSON, the same bytes for the same content."""
    write = functools.partial(json.dumps, separators=(",", ":"), allow_nan=False)
    try:
        text = write(content, ensure_ascii=False).encode()
    except UnicodeEncodeError:  # half a pair of UTF-16, as models write it, has no UTF-8
        text = write(content).encode()
    packed = gzip.compress(text, _LEVEL, mtime=0)
    # The tenth byte names the system, which versions of Python write differently: 255 names none.
    return packed[:9] + b"\xff" + packed[10:]


def read_chunk(path: Path) -> object:
    """Read a chunk back: what the page gets.

    Raises:
        ValueError: If the file is no chunk.
    """
    text = path.read_text("ascii")
    found = re.fullmatch(r'curateBrowse\.receive\("([a-z0-9-]+)","([A-Za-z0-9+/=]+)"\);\n', text)
    if found is None or found[1] != path.stem:
        raise ValueError(f"{path.name} is not a chunk")
    return json.loads(gzip.decompress(base64.b64decode(found[2])))


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> dict[str, object]:
    """A table as chunks hold it: the names of its columns once, then the rows."""
    return {"columns": list(columns), "rows": [list(row) for row in rows]}


class Spool(Closing):
    """A temporary file of texts, deleted at the end of its block; a text is found by its place."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  # closed at the block's end
        self._end = 0

    def close(self) -> None:
        """Delete it."""
        self._file.close()

    def put(self, value: object) -> int:
        """Keep what JSON can hold; returns its place."""
        at = self._file.seek(self._end)  # a seek from the end would write what is buffered
        self._end += self._file.write(json.dumps(value).encode("ascii") + b"\n")
        return at

    def get(self, at: int) -> object:
        """What was put at a place."""
        self._file.seek(at)
        return json.loads(self._file.readline())


@dataclass(frozen=True)
class Shown:
    """What a page shows.

    Attributes:
        edition: The benchmark as it is now.
        annotations: What annotators said of templates, under the names that the page shows.
        answered: What models replied, and to what; None where no model was asked.
        progress: Called with the progress.
    """

    edition: Edition
    annotations: Sequence[Annotation] = ()
    answered: "ScoreInputs | None" = None
    progress: Progress = field(default=silent, repr=False, compare=False)

    @property
    def workspace(self) -> Workspace:
        """The workspace."""
        return self.edition.workspace

    @property
    def final(self) -> FinalBank:
        """The status of every template."""
        return self.edition.final

    @cached_property
    def outcomes(self) -> tuple[TemplateOutcome, ...]:
        """Every template in the order of the page's rows: the bank's, a category's together."""
        homes = list(dict.fromkeys(item.template.category for item in self.final.outcomes))
        known = sorted(self.final.outcomes, key=lambda item: homes.index(item.template.category))
        return tuple(known)

    @cached_property
    def plans(self) -> Mapping[str, TemplatePlan]:
        """By template what samples are taken of it; those that give none are not among them."""
        return {str(item.template.id): item for item in self.edition.plan().templates}

    @cached_property
    def faults(self) -> Mapping[str, str]:
        """By template why it cannot be filled, though it is in."""
        rows = {v.row: str(v.template_id) for v in self.workspace.bank.variants}
        return {rows[item.row]: item.message for item in self.edition.faults() if item.row in rows}

    @cached_property
    def understood(self) -> Mapping[str, Sequence[str]]:
        """By template the questions of comprehension that were asked about it."""
        found: dict[str, list[str]] = {}
        for tally in self.final.tallies:
            if tally.question.template_id:
                found.setdefault(tally.question.template_id, []).append(tally.question.id)
        return found

    @cached_property
    def _now(self) -> Mapping[TemplateId, Template]:
        return {template.id: template for template in self.final.every}

    def now(self, item: TemplateOutcome) -> Template:
        """A template with the surveyed groups put in."""
        return self._now[item.template.id]

    @cached_property
    def annotated(self) -> Mapping[str, Sequence[Annotation]]:
        """By template, under the id that it has now, what annotators said of it."""
        renamed = self.workspace.renamed
        found: dict[str, list[Annotation]] = {}
        for item in self.annotations:
            name = renamed.get(item.template_id, item.template_id)
            found.setdefault(name, []).append(item)
        return found


def in_page(status: Status) -> str:
    """What the page calls the status of a template."""
    return "excluded" if status in NOT_USED else status.value


def said_by_annotators(workspace: Workspace) -> list[Annotation]:
    """What annotators said of templates; nothing where nobody was asked.

    Raises:
        CurateError: If their file cannot be read.
    """
    if not workspace.annotations.renamed.exists():
        return CLASSIFY_TABLE.read(workspace.annotations.classify)
    from curation.annotation.labels import read_labels  # workbooks, for a template that moved

    return read_labels(workspace)


def fingerprint(workspace: Workspace) -> str:
    """Name a workspace, so that comments written on one state of it belong to the next one too.

    It is made of the canary, which is never changed and stands in no other workspace. Where the
    settings have none it is made of the culture's name, its languages and the release's name.

    Returns:
        Sixteen hexadecimal digits.

    Raises:
        CurateError: If the settings cannot be read.
    """
    culture, release = workspace.culture, workspace.culture.release
    named = ["canary", release.canary]
    if not release.canary:
        languages = culture.source_language, culture.language
        named = ["culture", culture.culture, *languages, release.name]
    return hashlib.sha256(json.dumps(named, ensure_ascii=False).encode()).hexdigest()[:16]
