"""Task folders of the benchmark for other people's harnesses."""

import json
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from string import Template

import yaml

from curation import __version__
from curation.files.atomic import atomic_text
from curation.files.lock import writing
from curation.files.workspace import Workspace
from curation.languages import asked_unknown, calling_unknown, reply_words
from curation.records.messages import refuse_unknown
from curation.report.texts import PURPOSE, count, plain
from evaluation.qa.metrics import METRICS
from exports.card.citation import bibtex, cited, fence, link, linked, paper, paragraph
from exports.edition import NOT_DRAWN, open_edition
from exports.folders import EXPORT, Exported, refuse_foreign, write_export
from exports.harness.core import DATA, RATIO, SCORES, SETTINGS
from exports.harness.program import program, resource, source
from exports.harness.requests import Tasks, Written, tasks_of, write_data
from exports.harness.words import WORDS

_KINDS = {"gen": "generated", "mc": "chosen"}
"""By kind of task the function that reads a result."""
_GENERATED = (
    "output_type: generate_until",
    "doc_to_target: !function utils.letter",
    "generation_kwargs:",
    "  until: []",
    "  do_sample: false",
    "  temperature: 0.0",
    "  max_gen_toks: 1024",
)
_CHOSEN = (
    "output_type: multiple_choice",
    "doc_to_target: right",
    "doc_to_choice: letters",
    'target_delimiter: " "',
)


def _lm_eval(folder: Path, tasks: Tasks, written: Written) -> dict[str, int]:
    """Write what is beside the requests; the same tasks give the same bytes."""
    for kind in _KINDS:
        name = f"{tasks.name}_{kind}"
        shared = f"_shared_{kind}.yaml"
        _write_lines(folder / shared, _shared(kind, tasks))
        _write_lines(folder / f"{name}.yaml", (f"include: {shared}", f"task: {_text(name)}"))
        by_category = [f"{name}_{short}" for short in written.categories]
        for task, category in zip(by_category, written.categories.values(), strict=True):
            lines = (
                f"include: {shared}",
                f"task: {_text(task)}",
                f"dataset_kwargs: {{category: {_text(category)}}}",
            )
            _write_lines(folder / f"{task}.yaml", lines)
        group = f"{tasks.name}_by_category_{kind}"
        _write_lines(folder / f"{group}.yaml", _group(group, by_category))
    with atomic_text(folder / "utils.py") as stream:
        stream.write(program(source("exports.harness.in_lm_eval")))
    write_about(folder, "lm_eval", tasks, written)
    count = len(_KINDS) * (1 + len(written.categories))
    return {"samples": written.samples, "requests": written.requests, "tasks": count}


def _shared(kind: str, tasks: Tasks) -> Iterator[str]:
    """Yield what all tasks of a kind have in common."""
    yield "# What the tasks have in common: see README.md."
    yield "custom_dataset: !function utils.load"
    yield "test_split: test"
    yield "doc_to_text: message"
    yield from _CHOSEN if kind == "mc" else _GENERATED
    yield "num_fewshot: 0"
    yield f"process_results: !function utils.{_KINDS[kind]}"
    yield "metric_list:"
    for name in SCORES:
        better = METRICS[name].higher if name != RATIO else False
        yield f"  - metric: {name}"
        yield f"    aggregation: !function utils.overall_{name}"
        yield f"    higher_is_better: {json.dumps(better)}"
    yield from _metadata(tasks)


def _group(name: str, by_category: Iterable[str]) -> Iterator[str]:
    """Yield the group of all categories, whose scores are the means of theirs."""
    yield f"group: {_text(name)}"
    yield "task:"
    yield from (f"  - {_text(task)}" for task in by_category)
    yield "aggregate_metric_list:"
    for metric in SCORES:
        yield f"  - metric: {metric}"
        yield "    aggregation: mean"
        yield "    weight_by_size: false"


def _metadata(tasks: Tasks) -> Iterator[str]:
    yield "metadata:"
    told = tasks.settings("lm_eval")
    for name in ("version", "set", "licence", "canary"):
        if told.get(name):
            write = _version if name == "version" else _text
            yield f"  {name}: {write(str(told[name]))}"


def _version(version: str) -> str:
    """Write a version as lm-eval's tasks do, as a number, where that is not another version."""
    number = re.fullmatch(r"(0|[1-9]\d*)\.(0|\d*[1-9])", version)
    return version if number else _text(version)


def _text(value: object) -> str:
    """Write a text as YAML reads it: JSON is YAML."""
    return json.dumps(value, ensure_ascii=False)


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    with atomic_text(path) as stream:
        stream.writelines(f"{line}\n" for line in lines)


def _inspect(folder: Path, tasks: Tasks, written: Written) -> dict[str, int]:
    """Write what is beside the requests; the same tasks give the same bytes."""
    summary = _summary(tasks)
    places = {
        "name": tasks.name,
        "count": written.requests,
        "package_version": _package_version(tasks.culture.version),
        "summary": json.dumps(summary, ensure_ascii=False),
    }
    task, test, registry = (
        Template(resource(f"inspect_{name}.py.txt")).substitute(places)
        for name in ("task", "test", "registry")
    )
    for name, text in (
        (f"{tasks.name}_gen.py", program(task)),
        (f"test_{tasks.name}_gen.py", test),
        ("_registry.py", registry),
        ("pyproject.toml", Template(resource("inspect_pyproject.toml.txt")).substitute(places)),
        ("eval.yaml", _entry(tasks, written, summary)),
    ):
        with atomic_text(folder / name) as stream:
            stream.write(text)
    write_about(folder, "inspect", tasks, written)
    return {"samples": written.samples, "requests": written.requests}


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


def _entry(tasks: Tasks, written: Written, summary: str) -> str:
    """What Inspect Evals asks for of an evaluation."""
    paper = tasks.culture.release.paper
    entry: dict[str, object] = {"title": tasks.title, "description": summary}
    if paper is not None and _ARXIV.fullmatch(paper.url):
        entry["arxiv"] = paper.url
    entry |= {
        "group": "Bias",
        "contributors": [],
        "version": "1-A",
        "tasks": [{"name": f"{tasks.name}_gen", "dataset_samples": written.requests}],
        "external_assets": [],
        "metadata": {"fast": True},
    }
    return yaml.safe_dump(entry, allow_unicode=True, sort_keys=False, width=10_000)


HARNESSES: Mapping[str, Callable[[Path, Tasks, Written], dict[str, int]]] = {
    "lm_eval": _lm_eval,
    "inspect": _inspect,
}
"""By harness, what writes its task folder beside the requests."""
TITLES: Mapping[str, str] = {
    "lm_eval": "the LM Evaluation Harness",
    "inspect": "Inspect",
}
"""By harness, what people call it."""


def task_folder(
    workspace: Workspace,
    harness: str,
    kind: str = "test",
    *,
    prompts: Path | None = None,
    prompt_ids: Sequence[str] = (),
    per_template: int | None = None,
    out: Path | None = None,
) -> Exported:
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
        settings = workspace.culture.samples.with_bounds(per_template)
        edition = open_edition(workspace, settings)
        tasks = tasks_of(edition, kind, prompts, prompt_ids)
        edition.refuse([tasks.seed])

        def write(stage: Path) -> Mapping[str, int]:
            return HARNESSES[harness](stage, tasks, write_data(stage / DATA, tasks))

        told: dict[str, object] = {
            "set": kind,
            "orders": tasks.orders.value,
            "prompts": tasks.prompt_ids,
        }
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
    written = write_data(folder / first / DATA, tasks)
    for name in others:
        (folder / name).mkdir()
        shutil.copyfile(folder / first / DATA, folder / name / DATA)
    for name, write in HARNESSES.items():
        write(folder / name, tasks, written)


_POOLING = {
    "test": "All replies are pooled.",
    "all": "Each template is scored, and\nscores are averaged over the templates in which they "
    "are defined.",
}
_SETS = {"test": "test set (one filling of each pair of variants)", "all": "entire set"}


def write_about(folder: Path, which: str, tasks: Tasks, written: Written) -> None:
    """Write them.

    Args:
        folder: The task folder.
        which: `lm_eval` or `inspect`.
        tasks: What the folder says of itself.
        written: What it holds.

    Raises:
        CurateError: If a file cannot be written.
    """
    asked = (tasks.culture.unknown, *(prompt.unknown for prompt in tasks.prompts.prompts))
    own = calling_unknown(tasks.edition.workspace.language, asked)
    packs = [words.model_dump(mode="json") for words in reply_words(own)]
    words = {"unknown": asked_unknown(own), "words": packs}
    for name, text in (
        (SETTINGS, json.dumps(tasks.settings(which), ensure_ascii=False, indent=2)),
        (WORDS, json.dumps(words, ensure_ascii=False)),
        ("LICENSE-CODE.txt", resource("LICENSE-CODE.txt").rstrip("\n")),
        ("README.md", _readme(which, tasks, written).rstrip("\n")),
    ):
        with atomic_text(folder / name) as stream:
            stream.write(f"{text}\n")


def _scores() -> Iterator[str]:
    """Yield the rows of the table of scores."""
    for name, metric in METRICS.items():
        formula = f"{metric.formula} ({metric.source})".replace("|", "\\|")
        yield f"| `{name}` | {metric.says} | {formula} |"
    yield f"| `{RATIO}` | Replies that name no choice, as a share of all. | n_o / n |"


def _data(which: str, tasks: Tasks) -> str:
    address = tasks.settings(which).get("data")
    return f"; a folder without this file takes it from <{address}>" if address else ""


_LEVELS = {"lm_eval": "###", "inspect": "##"}
"""By harness the level of headings that its own repository has in a README."""


def _readme(which: str, tasks: Tasks, written: Written) -> str:
    prompts = tasks.prompt_ids
    places = {
        "title": plain(tasks.title),
        "description": _description(tasks),
        "name": tasks.name,
        "version": plain(tasks.culture.version),
        "set": _set(tasks),
        "samples": f"{written.samples:,}",
        "requests": f"{written.requests:,}",
        "prompts": count(len(prompts), "prompt"),
        "prompt": prompts[0],
        "prompt_ids": ", ".join(f"`{name}`" for name in prompts),
        "first": next(iter(written.categories)),
        "categories": ", ".join(f"`{name}`" for name in written.categories),
        "citation": "\n".join(fence("\n\n".join(map(bibtex, cited(tasks.culture))), "bibtex")),
        "tool": __version__,
        **_presented(tasks),
        "example": "\n".join(fence(written.example, "text")),
        "contributors": _contributors(tasks),
    }
    common = Template(resource("readme_common.md.txt")).substitute(
        level=_LEVELS[which],
        pooling=_POOLING[tasks.kind],
        purpose=PURPOSE,
        canary=_canary(tasks),
        terms=_terms(tasks),
        scores="\n".join(_scores()),
        data=_data(which, tasks),
    )
    body = resource(f"{which}_readme.md.txt")
    return Template(body).substitute(places, common=common.rstrip("\n"))


def _presented(tasks: Tasks) -> Mapping[str, str]:
    """What a README says of the paper, of the home page, and in a table of tasks."""
    work, release = paper(tasks.culture), tasks.culture.release
    address = work and (f"https://doi.org/{work.doi}" if work.doi else work.url)
    told = (
        " ".join(release.description.split()) or f"Social bias in the manner of BBQ: {tasks.title}."
    )
    language = tasks.edition.workspace.language
    about = (
        f"Title: {plain(work.title)}" if work else "",
        f"Abstract: {link(address)}" if address else "",
        _description(tasks).strip("\n"),
        f"Homepage: {link(release.url)}" if release.url else "",
    )
    return {
        "about": "\n\n".join(filter(None, about)) or "There is none yet: cite the data set.",
        "has_paper": "x" if work else " ",
        "row": plain(told).replace("|", "\\|"),
        "language": language.general.name if language.general else language.code,
    }


def _contributors(tasks: Tasks) -> str:
    names = [plain(author.shown) for author in tasks.culture.release.authors]
    return f"Contributed by {', '.join(names)}" if names else "Contributed by those who publish it"


def _set(tasks: Tasks) -> str:
    """Name the set that is asked, and what was drawn of it."""
    left_out = tasks.edition.left_out() if tasks.kind == "all" else {}
    if NOT_DRAWN not in left_out:
        return _SETS[tasks.kind]
    drawing = tasks.edition.drawing
    bounds = {"of a template": drawing.per_template, "names of each person": drawing.proper_names}
    told = [f"at most {number:,} {what}" for what, number in bounds.items() if number]
    return (
        f"{_SETS['all']}, drawn by the seed {drawing.seed} ({', '.join(told)}; "
        f"{left_out[NOT_DRAWN]:,} were not drawn)"
    )


def _description(tasks: Tasks) -> str:
    told = tasks.culture.release.description.strip()
    return f"\n{paragraph(told)}\n" if told else ""


def _canary(tasks: Tasks) -> str:
    canary = tasks.culture.release.canary
    if not canary:
        return ""
    told = (
        "It must not be in training data. Every line of `data.jsonl` holds this canary, by which "
        "it can be found\nand kept out:\n"
    )
    return "\n".join((told, *fence(canary), ""))


def _terms(tasks: Tasks) -> str:
    licence = tasks.culture.release.licence
    stated = (
        f"The data is under {plain(licence)}."
        if licence
        else "The data states no licence: ask those who publish it before you use it."
    )
    lines = [f"{stated} The programs are under the MIT licence (LICENSE-CODE.txt)."]
    for name, terms in tasks.sources.items():
        if terms is None or not terms.name:
            lines.append(f"Templates come from {plain(name)}, whose terms are not known.")
            continue
        holder = f" of {plain(terms.holder)}" if terms.holder else ""
        address = f" ({linked(terms.address)})" if terms.address else ""
        told = f"{plain(name)}, under {plain(terms.name)}{holder}{address}"
        lines.append(f"Templates come from {told}.")
    return "\n".join(lines)
