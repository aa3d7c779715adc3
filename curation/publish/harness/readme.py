"""The README.md of task folders."""

from string import Template

from curation.io.pages.markdown import plain
from curation.io.pages.words import PURPOSE, SOURCES
from curation.publish.escapes import fence, link, paragraph
from curation.publish.harness.carried import resource
from curation.publish.harness.records import Benchmark, Written

_POOLING = {
    "test": "All replies pool.",
    "all": "Each template is scored, and\nscores are averaged over the templates in which they "
    "are defined.",
}
_SETS = {"test": "test set (one filling of each pair of variants)", "all": "entire set"}


def readme(which: str, benchmark: Benchmark, written: Written) -> str:
    """Give the text of a folder's README.md.

    Args:
        which: `lm_eval` or `inspect`.
        benchmark: What the folder says of itself.
        written: What it holds.
    """
    count = len(benchmark.prompts)
    places = {
        "title": plain(benchmark.title),
        "description": _description(benchmark),
        "name": benchmark.name,
        "version": plain(benchmark.version),
        "set": _SETS[benchmark.kind],
        "samples": f"{written.samples:,}",
        "requests": f"{written.requests:,}",
        "prompts": f"{count} {'prompt' if count == 1 else 'prompts'}",
        "prompt": benchmark.prompts[0],
        "prompt_ids": ", ".join(f"`{name}`" for name in benchmark.prompts),
        "first": next(iter(written.categories)),
        "categories": ", ".join(f"`{name}`" for name in written.categories),
    }
    common = Template(resource("readme_common.md.txt")).substitute(
        pooling=_POOLING[benchmark.kind],
        purpose=PURPOSE,
        canary=_canary(benchmark),
        terms=_terms(benchmark),
        citation=_citation(benchmark),
    )
    body = resource(f"{which}_readme.md.txt")
    return Template(body).substitute(places, common=common.rstrip("\n"))


def _description(benchmark: Benchmark) -> str:
    told = benchmark.culture.release.description.strip()
    return f"\n{paragraph(told)}\n" if told else ""


def _canary(benchmark: Benchmark) -> str:
    canary = benchmark.culture.release.canary
    if not canary:
        return ""
    told = (
        "It must not be in training data. Every line of `data.jsonl` holds this canary, by which "
        "it can be found\nand kept out:\n"
    )
    return "\n".join((told, *fence(canary), ""))


def _terms(benchmark: Benchmark) -> str:
    licence = benchmark.culture.release.licence
    stated = (
        f"The data is under {plain(licence)}."
        if licence
        else "The data states no licence: ask those who publish it before you use it."
    )
    lines = [f"{stated} The programs are under the MIT licence (LICENSE-CODE.txt)."]
    for source in benchmark.sources:
        terms = source.terms
        if terms is None or not terms.name:
            lines.append(f"Templates come from {plain(source.name)}, whose terms are not recorded.")
            continue
        holder = f" of {plain(terms.holder)}" if terms.holder else ""
        address = f" ({link(terms.address)})" if terms.address else ""
        told = f"{plain(source.name)}, under {plain(terms.name)}{holder}{address}"
        lines.append(f"Templates come from {told}.")
    return "\n".join(lines)


def _citation(benchmark: Benchmark) -> str:
    """Say what is to be cited: the paper where there is one, and what the method is from."""
    release = benchmark.culture.release
    if release.paper is not None:
        paper = release.paper
        names = ", ".join(author.shown for author in paper.authors or release.authors)
        parts = (
            names,
            f"({paper.year}).",
            f"{paper.title}.",
            f"{paper.venue}." * bool(paper.venue),
        )
        own, address = " ".join(part for part in parts if part), (paper.doi, paper.url)
    else:
        own = f"{benchmark.title}, version {benchmark.version}."
        address = (release.doi, release.url)
    doi, url = address
    shown = link(f"https://doi.org/{doi}" if doi else url) if doi or url else ""
    cited = (f"{plain(own)} {shown}".strip(), *SOURCES)
    return "\n".join(("Cite", "", *(f"- {item}" for item in cited)))
