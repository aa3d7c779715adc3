"""What every task folder holds beside its program: settings, words, licence and a README.md."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Template

from curation import __version__
from curation.files.atomic import atomic_text
from curation.languages import asked_unknown, calling_unknown, reply_words
from curation.report.texts import PURPOSE, count, plain
from evaluation.qa.metrics import METRICS
from exports.card.citation import bibtex, cited, paper
from exports.card.escapes import fence, link, linked, paragraph
from exports.edition import NOT_DRAWN
from exports.harness.core import RATIO, SETTINGS
from exports.harness.program import resource
from exports.harness.requests import Tasks, Written
from exports.harness.words import WORDS

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
