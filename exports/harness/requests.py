"""What a task folder asks and says of itself, and the file of requests that all harnesses read."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from curation.files.jsonl import write_objects
from curation.files.sources import read_terms
from curation.languages.prompts import Prompt
from curation.records.bank import category_slug
from curation.records.culture import Culture
from curation.records.licences import Licence
from curation.records.sample import Sample
from evaluation.prompts import PromptSet, chosen_prompts
from evaluation.qa.grid import context_of, reference_of
from evaluation.qa.prepare import prompted, request_id
from evaluation.requests import ORDERS, Orders, shown
from exports.card.citation import title_of
from exports.edition import Edition
from exports.harness.core import DATA, GIVEN

BIASED, COUNTER_BIASED, UNKNOWN, _ = GIVEN
_HUB = re.compile(r"https://huggingface\.co/datasets/[\w.-]+/[\w.-]+")


@dataclass(frozen=True, slots=True)
class Tasks:
    """What a task folder asks and says of itself.

    Attributes:
        edition: The benchmark.
        kind: `test`, one filling of each pair of variants, or `all` fillings.
        prompts: The prompts.
        orders: The orders of the choices.
        sources: By name the published sets that templates come from, with the terms under which
            they were received; None where that is not recorded.
    """

    edition: Edition
    kind: str
    prompts: PromptSet
    orders: Orders
    sources: Mapping[str, Licence | None]

    @property
    def culture(self) -> Culture:
        """The settings of the adaptation."""
        return self.edition.workspace.culture

    @property
    def name(self) -> str:
        """The name for programs."""
        return self.culture.release_name

    @property
    def title(self) -> str:
        """The name for readers."""
        return title_of(self.culture)

    @property
    def prompt_ids(self) -> list[str]:
        """The ids of the prompts."""
        return [prompt.id for prompt in self.prompts.prompts]

    @property
    def seed(self) -> int | None:
        """The seed of the test set; None where all samples are asked."""
        return self.edition.seed if self.kind == "test" else None

    def settings(self, harness: str) -> dict[str, object]:
        """What programs are told.

        Args:
            harness: Whose folder it is.
        """
        release = self.culture.release
        told: dict[str, object] = {
            "name": self.name,
            "title": self.title,
            "version": self.culture.version,
            "language": self.culture.language,
            "set": self.kind,
            "licence": release.licence,
        }
        if _HUB.fullmatch(release.url):  # a package there has the folder in it
            told["data"] = f"{release.url}/resolve/main/{harness}/{DATA}"
        return told | ({"canary": release.canary} if release.canary else {})


def tasks_of(
    edition: Edition,
    kind: str = "test",
    prompts: Path | None = None,
    prompt_ids: Sequence[str] = (),
) -> Tasks:
    """What is to be asked.

    Args:
        edition: The benchmark.
        kind: `test` or `all`.
        prompts: A file of prompts; the toolkit's own in the workspace's language by default.
        prompt_ids: Only these prompts.

    Raises:
        CurateError: If the prompts cannot be read or the toolkit has none, there is none of an
            id, the list of imported files was damaged, or no template gives samples.
    """
    workspace, final = edition.workspace, edition.final
    found, chosen = chosen_prompts(workspace, prompts, prompt_ids, None, workspace.language)
    terms = read_terms(workspace.sources_folder)
    names = sorted({variant.source for variant in final.bank.variants} - {""})
    sources = {name: terms.get(name) for name in names}
    made = Tasks(edition, kind, found, chosen, sources)
    made.name  # noqa: B018  # what has no name for programs is refused before it is written
    edition.refuse_empty("ask")
    return made


@dataclass(slots=True)
class Written:
    """What was written of requests.

    Attributes:
        requests: How many.
        samples: Of how many samples.
        categories: By short name the category's name, in the order in which they come.
        example: The message of the first request.
    """

    requests: int = 0
    samples: int = 0
    categories: dict[str, str] = field(default_factory=dict)
    example: str = ""


def write_data(path: Path, tasks: Tasks) -> Written:
    """Write the requests, one a line, holding one at a time.

    Raises:
        CurateError: If a template cannot be filled, or the file cannot be written.
    """
    written = Written()
    write_objects(path, _rows(tasks, written))
    return written


def _rows(tasks: Tasks, written: Written) -> Iterator[Mapping[str, object]]:
    """Yield the requests in the order of `evaluation.qa.prepare.make_requests`."""
    shared: dict[str, object] = {"version": tasks.culture.version}
    if tasks.culture.release.canary:
        shared["canary"] = tasks.culture.release.canary
    for sample in tasks.edition.samples(tasks.seed):
        category = category_slug(sample.category)
        written.samples += 1
        written.categories.setdefault(category, sample.category)
        of_sample = {
            "sample_id": sample.sample_id,
            "template_id": sample.template_id,
            "variant": sample.variant,
            "category": sample.category,
            "category_id": category,
            "label": sample.label,
            "context_type": sample.context_type,
            "context_kind": context_of(sample).name.lower(),
            "question_type": sample.question_type,
        }
        for prompt in tasks.prompts.prompts:
            for row in _asked(sample, prompt, tasks.orders):
                written.requests += 1
                written.example = written.example or str(row["message"])
                yield {"request_id": row.pop("request_id"), **of_sample, **row, **shared}


def _asked(sample: Sample, prompt: Prompt, orders: Orders) -> Iterator[dict[str, object]]:
    """Yield what differs between the requests of a sample: a prompt in each order."""
    choices, roles = prompted(sample.choices, prompt), _roles(sample)
    right = 2 if sample.context_type == "amb" else sample.choices.index(sample.answer)
    for number, order in enumerate(ORDERS[orders]):
        placed = shown(choices, order)
        yield {
            "request_id": request_id(sample.sample_id, number, prompt.id),
            "prompt": prompt.id,
            "order": number,
            "message": prompt.text(sample.context, sample.question, placed),
            "choices": list(placed),
            "letters": list(prompt.letters),
            "roles": [roles[at] for at in order],
            "right": order.index(right),
        }


def _roles(sample: Sample) -> tuple[str, str, str]:
    """What each choice of a sample is, the last one the unknown expression."""
    if reference_of(sample) == 0:
        return BIASED, COUNTER_BIASED, UNKNOWN
    return COUNTER_BIASED, BIASED, UNKNOWN
