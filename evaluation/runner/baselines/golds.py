"""What baselines know of the samples that requests are about."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from curation.io.tables import read_bytes
from curation.io.workspace import Workspace
from curation.model.errors import CurateError
from evaluation.prepare import parse_request_id
from evaluation.requests import Request
from evaluation.runner.backend import BackendSettings
from evaluation.samples import UNKNOWN, read_samples

_SETS = ("test_samples", "samples")
_ENDINGS = ("csv", "jsonl", "parquet", "tsv")


@dataclass(frozen=True, slots=True)
class Gold:
    """What a sample says of its choices.

    Attributes:
        people: Its first two choices.
        answer: Which of its three choices is right.
        biased: Which of the two people is the biased answer.
    """

    people: tuple[str, str]
    answer: int
    biased: int


class Golds:
    """The right and the biased answers of samples.

    Args:
        paths: Files of samples. The next one is read when a sample is in none before it.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = list(paths)
        self._unread = list(paths)
        self._known: dict[str, Gold] = {}

    def digest(self) -> str:
        """Hash the files: a reply depends on what they hold.

        Raises:
            CurateError: If one cannot be read.
        """
        whole = hashlib.sha256()
        for path in self._paths:
            whole.update(hashlib.sha256(read_bytes(path)).digest())
        return whole.hexdigest()

    def get(self, request: Request) -> Gold:
        """Give what is known of the sample that a request is about.

        Raises:
            ValueError: If no file has it.
            CurateError: If a file cannot be read.
        """
        try:
            sample_id = parse_request_id(request.request_id)[0]
        except ValueError as error:
            raise ValueError(f"request {request.request_id} is about no sample") from error
        while sample_id not in self._known and self._unread:
            self._read(self._unread.pop(0))
        if sample_id not in self._known:
            files = ", ".join(map(str, self._paths))
            raise ValueError(f"request {request.request_id} is of no sample of {files}")
        return self._known[sample_id]

    def _read(self, path: Path) -> None:
        for item in read_samples(path):
            first, second, _ = item.choices
            self._known[item.sample_id] = Gold(
                (first, second),
                item.choices.index(item.answer),
                item.choices.index(item.biased_answer),
            )


def places(request: Request, gold: Gold) -> tuple[int, int, int]:
    """Find where the choices of a sample stand in a request.

    Returns:
        The positions of the two people and of the unknown expression, which is the prompt's own:
        the choice that is neither person.

    Raises:
        ValueError: If the request shows other choices than its sample has.
    """
    shown = list(request.choices)
    others = [at for at, text in enumerate(shown) if text not in gold.people]
    if len(set(shown)) != 3 or len(shown) != 3 or len(others) != 1:
        raise ValueError(f"request {request.request_id} shows other choices than its sample has")
    found = (shown.index(gold.people[0]), shown.index(gold.people[1]), others[0])
    assert others[0] == found[UNKNOWN]  # noqa: S101  # the order in which samples have them
    return found


def samples_files(settings: BackendSettings) -> list[Path]:
    """Find the samples: the file that is named, else the exported test set, then all of them.

    Raises:
        CurateError: If none is named, and none was exported.
    """
    if "samples" in settings.options:
        return [Path(settings.options["samples"])]
    folder = Workspace(settings.workspace).exports_folder / "samples"
    found = []
    for name in _SETS:
        paths = (folder / f"{name}.{ending}" for ending in _ENDINGS)
        found += [path for path in paths if path.exists()][:1]
    if not found:
        raise CurateError(
            "there are no samples that say which answer is right, and which is biased",
            str(folder),
            "write them with 'curate export samples', or name a file: --option samples=FILE",
        )
    return found
