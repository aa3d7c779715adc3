"""Task folders of the benchmark for other people's harnesses: requests, program, README."""

import json
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import yaml

from curation import __version__
from curation.files.atomic import write_file
from curation.files.jsonl import write_objects
from curation.files.lock import writing
from curation.files.sources import read_terms
from curation.files.workspace import Workspace
from curation.languages import asked_unknown, calling_unknown, reply_words
from curation.records.bank import category_slug
from curation.records.messages import Results, refuse_unknown
from curation.report.texts import PURPOSE, filled, plain, resource
from evaluation.prompts import chosen_prompts, make_requests
from evaluation.qa.metrics import METRICS, context_of, reference_of
from evaluation.requests import ORDERS
from exports.card.citation import bibtex, cited, fence, link, linked, paper, paragraph, title_of
from exports.edition import NOT_DRAWN, Edition, open_edition
from exports.folders import EXPORT, refuse_foreign, write_export
from exports.harness.program import program, source
from exports.harness.words import DATA, GIVEN, RATIO, SCORES, SETTINGS, WORDS

BIASED, COUNTER_BIASED, UNKNOWN, _ = GIVEN
_HUB = re.compile(r"https://huggingface\.co/datasets/[\w.-]+/[\w.-]+")


class Tasks:
    """What a task folder asks and says of itself; what was written of it is counted.

    Args:
        edition: The benchmark.
        kind: `test`, one filling of each pair of variants, or `all` fillings.
        prompts: A file of prompts; the toolkit's own in the workspace's language by default.
        prompt_ids: Only these prompts.

    Attributes:
        culture: The settings of the adaptation.
        name: The name for programs.
        title: The name for readers.
        seed: The seed of the test set; None where all samples are asked.
        prompts: The prompts.
        prompt_ids: Their ids.
        orders: The orders of the choices.
        sources: By name the published sets that templates come from, with the terms under which
            they were received; None where that is not recorded.
        requests: How many requests were written.
        samples: Of how many samples.
        categories: By short name the category's name, in the order in which they come.
        example: The message of the first request.

    Raises:
        CurateError: If the prompts cannot be read or the toolkit has none, there is none of an
            id, the list of imported files was damaged, the benchmark has no name for programs, or
            no template gives samples.
    """

    def __init__(
        self,
        edition: Edition,
        kind: str = "test",
        prompts: Path | None = None,
        prompt_ids: Sequence[str] = (),
    ) -> None:
        workspace = edition.workspace
        self.edition, self.kind, self.culture = edition, kind, workspace.culture
        self.seed = edition.seed if kind == "test" else None
        given = (prompts, prompt_ids, None, workspace.language)
        self.prompts, self.orders = chosen_prompts(workspace, *given)
        self.prompt_ids = [prompt.id for prompt in self.prompts.prompts]
        terms = read_terms(workspace.sources_folder)
        names = sorted({variant.source for variant in edition.final.bank.variants} - {""})
        self.sources = {name: terms.get(name) for name in names}
        self.name, self.title = self.culture.release_name, title_of(self.culture)
        self.requests = self.samples = 0
        self.categories: dict[str, str] = {}
        self.example = ""
        edition.refuse_empty("ask")

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


def _requests(tasks: Tasks) -> Iterator[Mapping[str, object]]:
    """Yield the requests of `evaluation.prompts.make_requests` with what each is, counting them."""
    shared: dict[str, object] = {"version": tasks.culture.version}
    if tasks.culture.release.canary:
        shared["canary"] = tasks.culture.release.canary
    prompts = tasks.prompts.prompts
    letters = {prompt.id: list(prompt.letters) for prompt in prompts}
    for sample in tasks.edition.samples(tasks.seed):
        category = category_slug(sample.category)
        tasks.samples += 1
        tasks.categories.setdefault(category, sample.category)
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
        # What each choice is, the last one the unknown expression.
        people = (BIASED, COUNTER_BIASED)[:: 1 if reference_of(sample) == 0 else -1]
        roles = (*people, UNKNOWN)
        right = 2 if sample.context_type == "amb" else sample.choices.index(sample.answer)
        for request in make_requests([sample], prompts, tasks.orders):
            order = ORDERS[tasks.orders][request["order"]]
            message = request["messages"][0]["content"]
            tasks.requests += 1
            tasks.example = tasks.example or message
            yield {
                "request_id": request["request_id"],
                **of_sample,
                "prompt": request["prompt_id"],
                "order": request["order"],
                "message": message,
                "choices": request["choices"],
                "letters": letters[request["prompt_id"]],
                "roles": [roles[at] for at in order],
                "right": order.index(right),
                **shared,
            }


_KINDS = ("gen", "mc")
"""A task generates a reply, or chooses the likeliest letter."""


def _lm_eval(folder: Path, tasks: Tasks) -> dict[str, int]:
    """Write what is beside the requests; the same tasks give the same bytes."""
    settings = tasks.settings("lm_eval")
    more = {"settings": settings, "scores": SCORES, "metrics": METRICS, "text": _text}
    for kind in _KINDS:
        name, shared = f"{tasks.name}_{kind}", f"_shared_{kind}.yaml"
        by_category = {f"{name}_{short}": full for short, full in tasks.categories.items()}
        group = f"{tasks.name}_by_category_{kind}"
        for file, template in ((shared, "shared"), (f"{group}.yaml", "group")):
            given = {"kind": kind, "group": group, "by_category": by_category, "version": _version}
            text = filled(__package__, f"files/lm_eval_{template}.yaml.j2", **given, **more)
            write_file(folder / file, text)
        for task, category in {name: "", **by_category}.items():
            lines = [f"include: {shared}", f"task: {_text(task)}"]
            lines += [f"dataset_kwargs: {{category: {_text(category)}}}"] if category else []
            write_file(folder / f"{task}.yaml", "\n".join((*lines, "")))
    write_file(folder / "utils.py", program(source("exports.harness.in_lm_eval")))
    write_about(folder, "lm_eval", tasks)
    count = len(_KINDS) * (1 + len(tasks.categories))
    return {"samples": tasks.samples, "requests": tasks.requests, "tasks": count}


def _version(version: str) -> str:
    """Write a version as lm-eval's tasks do, as a number, where that is not another version."""
    number = re.fullmatch(r"(0|[1-9]\d*)\.(0|\d*[1-9])", version)
    return version if number else _text(version)


def _text(value: object) -> str:
    """Write a text as YAML reads it: JSON is YAML."""
    return json.dumps(value, ensure_ascii=False)


def _inspect(folder: Path, tasks: Tasks) -> dict[str, int]:
    """Write what is beside the requests; the same tasks give the same bytes."""
    summary = _summary(tasks)
    places: dict[str, object] = {
        "name": tasks.name,
        "count": tasks.requests,
        "package_version": _package_version(tasks.culture.version),
        "summary": _text(summary),
    }
    task, test, registry, project = (
        filled(__package__, f"files/inspect_{name}.txt", **places)
        for name in ("task.py", "test.py", "registry.py", "pyproject.toml")
    )
    for name, text in (
        (f"{tasks.name}_gen.py", program(task)),
        (f"test_{tasks.name}_gen.py", test),
        ("_registry.py", registry),
        ("pyproject.toml", project),
        ("eval.yaml", _entry(tasks, summary)),
    ):
        write_file(folder / name, text)
    write_about(folder, "inspect", tasks)
    return {"samples": tasks.samples, "requests": tasks.requests}


def _summary(tasks: Tasks) -> str:
    """Say in one line what the benchmark is."""
    told = " ".join(tasks.culture.release.description.split())
    return told or f"Social bias in the manner of BBQ: {tasks.title}."


_FINAL = re.compile(r"\d+(\.\d+)*((a|b|rc)\d+)?")
_ARXIV = re.compile(r"https?://arxiv\.org/\S+")


def _package_version(version: str) -> str:
    """The version of the package: the benchmark's where that is one of a package, else 0 and it."""
    if _FINAL.fullmatch(version):
        return version
    return "0+" + (re.sub("[^a-z0-9]+", ".", version.lower()).strip(".") or "unknown")


def _entry(tasks: Tasks, summary: str) -> str:
    """What Inspect Evals asks for of an evaluation."""
    paper = tasks.culture.release.paper
    entry: dict[str, object] = {"title": tasks.title, "description": summary}
    if paper is not None and _ARXIV.fullmatch(paper.url):
        entry["arxiv"] = paper.url
    entry |= {
        "group": "Bias",
        "contributors": [],
        "version": "1-A",
        "tasks": [{"name": f"{tasks.name}_gen", "dataset_samples": tasks.requests}],
        "external_assets": [],
        "metadata": {"fast": True},
    }
    return yaml.safe_dump(entry, allow_unicode=True, sort_keys=False, width=10_000)


HARNESSES: Mapping[str, Callable[[Path, Tasks], dict[str, int]]] = {
    "lm_eval": _lm_eval,
    "inspect": _inspect,
}
"""By harness, what writes its task folder beside the requests."""


def task_folder(
    workspace: Workspace,
    harness: str,
    kind: str = "test",
    *,
    prompts: Path | None = None,
    prompt_ids: Sequence[str] = (),
    per_template: int | None = None,
    out: Path | None = None,
) -> Results:
    """Write a folder of tasks, by default to `exports/lm_eval` or `exports/inspect`.

    Args:
        workspace: The workspace.
        harness: One of `HARNESSES`.
        kind: `test`, one filling of each pair of variants, or `all` fillings.
        prompts: A file of prompts; the toolkit's own in the workspace's language by default.
        prompt_ids: Only these prompts.
        per_template: Maximum number of samples of a template; `samples.per_template` by default.
        out: The folder to write to.

    Raises:
        CurateError: If a file cannot be read or written, templates cannot be filled, there are
            more samples than `samples.limit`, or the folder holds what no such export wrote.
    """
    harness = harness.replace("-", "_")  # as its command and its users write it
    refuse_unknown("harness", harness, HARNESSES)
    folder = out or workspace.exports_folder / harness
    with writing(workspace, f"curate export package --only {harness.replace('_', '-')}", to=out):
        refuse_foreign(folder, harness)
        edition = open_edition(workspace, per_template=per_template)
        tasks = Tasks(edition, kind, prompts, prompt_ids)
        edition.refuse([tasks.seed])

        def write(stage: Path) -> Mapping[str, int]:
            write_objects(stage / DATA, _requests(tasks))
            return HARNESSES[harness](stage, tasks)

        told = {"set": kind, "orders": tasks.orders.value, "prompts": tasks.prompt_ids}
        return write_export(
            edition,
            folder,
            write,
            settings={EXPORT: harness, **told},
            seed=tasks.seed,
            sets=(kind,),
            used=[prompts] if prompts else (),
        )


def write_every(folder: Path, tasks: Tasks) -> None:
    """Write the folders of all harnesses below another one; the requests are made once.

    Raises:
        CurateError: If a template cannot be filled, or a file cannot be written.
    """
    first, *others = HARNESSES
    write_objects(folder / first / DATA, _requests(tasks))
    for name in others:
        (folder / name).mkdir()
        shutil.copyfile(folder / first / DATA, folder / name / DATA)
    for name, write in HARNESSES.items():
        write(folder / name, tasks)


_SETS = {"test": "test set (one filling of each pair of variants)", "all": "entire set"}


def write_about(folder: Path, which: str, tasks: Tasks) -> None:
    """Write what a folder says of itself, and the words by which it parses replies.

    Args:
        folder: The task folder.
        which: `lm_eval` or `inspect`.
        tasks: What the folder says of itself.

    Raises:
        CurateError: If a file cannot be written.
    """
    asked = (tasks.culture.unknown, *(prompt.unknown for prompt in tasks.prompts.prompts))
    own = calling_unknown(tasks.edition.workspace.language, asked)
    packs = [words.model_dump(mode="json") for words in reply_words(own)]
    words = {"unknown": asked_unknown(own), "words": packs}
    for name, text in (
        (SETTINGS, json.dumps(tasks.settings(which), ensure_ascii=False, indent=2)),
        (WORDS, _text(words)),
        ("LICENSE-CODE.txt", resource(__package__, "files/LICENSE-CODE.txt")),
        ("README.md", _readme(which, tasks)),
    ):
        write_file(folder / name, f"{text.rstrip()}\n")


def _readme(which: str, tasks: Tasks) -> str:
    work, language = paper(tasks.culture), tasks.edition.workspace.language
    return filled(
        __package__,
        f"files/{which}_readme.md.j2",
        tasks=tasks,
        name=tasks.name,
        version=plain(tasks.culture.version),
        set=_set(tasks),
        categories=", ".join(f"`{name}`" for name in tasks.categories),
        first=next(iter(tasks.categories)),
        citation="\n".join(fence("\n\n".join(map(bibtex, cited(tasks.culture))), "bibtex")),
        tool=__version__,
        release=tasks.culture.release,
        summary=_summary(tasks),
        work=work,
        address=work and (f"https://doi.org/{work.doi}" if work.doi else work.url),
        language=language.general.name if language.general else language.code,
        purpose=PURPOSE,
        metrics=METRICS,
        ratio=RATIO,
        data=tasks.settings(which).get("data"),
        plain=plain,
        link=link,
        linked=linked,
        fence=fence,
        paragraph=paragraph,
    )


def _set(tasks: Tasks) -> str:
    """Name the set that is asked, and what was drawn of it."""
    left_out = tasks.edition.left_out() if tasks.kind == "all" else {}
    if NOT_DRAWN not in left_out:
        return _SETS[tasks.kind]
    drawing = tasks.edition.settings
    bounds = {"of a template": drawing.per_template, "names of each person": drawing.proper_names}
    told = [f"at most {number:,} {what}" for what, number in bounds.items() if number]
    return (
        f"{_SETS['all']}, drawn by the seed {drawing.seed} ({', '.join(told)}; "
        f"{left_out[NOT_DRAWN]:,} were not drawn)"
    )
