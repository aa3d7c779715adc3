"""What a task folder is made of."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from curation.model.culture import Culture
from curation.model.ids import category_slug
from curation.model.licences import Licence
from curation.model.sample import Sample
from curation.publish.harness.measure.scoring import ANSWERS

BIASED, COUNTER_BIASED, UNKNOWN, _ = ANSWERS


@dataclass(frozen=True, slots=True)
class Asked:
    """One request: a sample with a prompt in an order of its choices.

    Attributes:
        sample: The sample.
        request_id: What the request is known by.
        prompt: Id of the prompt.
        order: Number of the order.
        message: All that the model reads.
        choices: The choices as they are shown.
        letters: What they are called.
        order_of: For each place, which choice of the sample stands there.
    """

    sample: Sample
    request_id: str
    prompt: str
    order: int
    message: str
    choices: tuple[str, ...]
    letters: tuple[str, ...]
    order_of: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """A published set that templates come from.

    Attributes:
        name: Its name in the bank.
        terms: Under which terms it was received; None where that is not recorded.
    """

    name: str
    terms: Licence | None


@dataclass(frozen=True, slots=True)
class Benchmark:
    """What a task folder says of itself.

    Attributes:
        culture: The settings of the adaptation.
        kind: `test`, one filling of each pair of variants, or `all` fillings.
        prompts: Ids of the prompts.
        sources: Where its templates come from.
    """

    culture: Culture
    kind: str
    prompts: tuple[str, ...]
    sources: tuple[Source, ...] = ()

    @property
    def name(self) -> str:
        """The name for programs."""
        return self.culture.release_name

    @property
    def title(self) -> str:
        """The name for readers."""
        return self.culture.release.title or f"{self.culture.culture} bias benchmark"

    @property
    def version(self) -> str:
        """The version of the data."""
        return self.culture.version

    def settings(self) -> dict[str, object]:
        """Give what programs are told."""
        release = self.culture.release
        told: dict[str, object] = {
            "name": self.name,
            "title": self.title,
            "version": self.version,
            "language": self.culture.language,
            "set": self.kind,
            "licence": release.licence,
        }
        return told | ({"canary": release.canary} if release.canary else {})


@dataclass(slots=True)
class Written:
    """What was written of requests.

    Attributes:
        requests: How many.
        samples: Of how many samples.
        categories: By short name the category's name, in the order in which they come.
    """

    requests: int = 0
    samples: int = 0
    categories: dict[str, str] = field(default_factory=dict)


def rows(
    asked: Iterable[Asked], benchmark: Benchmark, written: Written
) -> Iterable[Mapping[str, object]]:
    """Yield the lines of the data, and note in `written` what they are."""
    last = ""
    shared: dict[str, object] = {"version": benchmark.version}
    if benchmark.culture.release.canary:
        shared["canary"] = benchmark.culture.release.canary
    for item in asked:
        sample = item.sample
        written.requests += 1
        written.samples += sample.sample_id != last
        last = sample.sample_id
        category = category_slug(sample.category)
        written.categories.setdefault(category, sample.category)
        roles = _roles(sample)
        yield {
            "request_id": item.request_id,
            "sample_id": sample.sample_id,
            "template_id": sample.template_id,
            "variant": sample.variant,
            "category": sample.category,
            "category_id": category,
            "label": sample.label,
            "context_type": sample.context_type,
            "question_type": sample.question_type,
            "prompt": item.prompt,
            "order": item.order,
            "message": item.message,
            "choices": list(item.choices),
            "letters": list(item.letters),
            "roles": [roles[at] for at in item.order_of],
            "right": item.order_of.index(_right(sample)),
            **shared,
        }


def _roles(sample: Sample) -> tuple[str, str, str]:
    """Say what each choice of a sample is, the last one the unknown expression."""
    if sample.choices.index(sample.biased_answer) == 0:
        return BIASED, COUNTER_BIASED, UNKNOWN
    return COUNTER_BIASED, BIASED, UNKNOWN


def _right(sample: Sample) -> int:
    return 2 if sample.context_type == "amb" else sample.choices.index(sample.answer)
