"""The dataset card: README.md of the folder, for the people who are to use the benchmark."""

import json
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

import yaml

from curation.bank.sample_set import Counts
from curation.languages import name_and_code
from curation.records.culture import Author, SurveyNotes
from curation.records.messages import ended, shortened
from curation.report.page import ReportTexts
from curation.report.texts import count, filled, plain
from exports.card import citation
from exports.card.facts import FEW, SPLIT, Facts
from exports.edition import SMALLEST, joined

if TYPE_CHECKING:
    from matplotlib.figure import Figure


_HOLDS = {"list": "list of texts", "truth value": "true or false"}
"""What a column holds, where that is not called as its kind is."""


def card(facts: Facts) -> str:
    """Write the card, by the template beside this module."""
    columned: dict[tuple[object, ...], list[str]] = {}
    for item in facts.tables:
        columned.setdefault(item.columns, []).append(item.name)
    dropped = [kind["dropped"] for kind in (facts.survey or {}).get("kinds", ())]
    rules = (rule for numbers in dropped for rule, number in numbers.items() if number)
    there = [name for name, (_, lacks) in (facts.folders or {}).items() if not lacks]
    return filled(
        __package__,
        "readme.md.j2",
        **_ALWAYS,
        facts=facts,
        language=name_and_code(facts.culture.language),
        release=facts.culture.release,
        survey=facts.survey,
        first=facts.tables[0],
        split=SPLIT,
        said=partial(sentences, facts=facts),
        front=front_matter(facts),
        authors=[_author(author) for author in facts.culture.release.authors],
        example=json.dumps(facts.example._asdict(), ensure_ascii=False, indent=2),
        bibtex="\n\n".join(map(citation.bibtex, citation.cited(facts.culture))),
        picture=PICTURE,
        picture_alt=plain(alternative(facts)),
        columned=columned,
        holds=_HOLDS,
        rules=list(dict.fromkeys(rules)),
        tasks=[f"`{name}/`" for name in ("lm_eval", "inspect") if name in there],
        code=_code,
        grouped=grouped,
        when=when,
        paragraph=citation.paragraph,
        fence=lambda *arguments: "\n".join(citation.fence(*arguments)),
    )


def _author(author: Author) -> str:
    more = ", ".join(plain(item) for item in (author.affiliation, author.orcid) if item)
    return plain(author.shown) + (f" ({more})" if more else "")


def _code(text: str) -> str:
    """Write a name as code within a table."""
    return f"`{text.replace('|', '&#124;')}`" if "`" not in text else text.replace("|", "\\|")


def when(notes: SurveyNotes) -> str:
    """Say when the survey was held, as far as that is stated."""
    days = list(dict.fromkeys(day.isoformat() for day in (notes.began, notes.ended) if day))
    if notes.began and notes.ended:
        return " to ".join(days)
    return f"{'from' if notes.began else 'until'} {days[0]}" if days else ""


def grouped(values: Mapping[str, int]) -> dict[str, int]:
    """Put values that fewer than `SMALLEST` people share under one head, so that none stands out.

    Where they are still too few together the next smallest joins them.
    """
    few = joined(values, SMALLEST)
    told: dict[str, int] = {}
    for name in [*(name for name in values if name not in few), *few]:
        said = "others" if name in few else name or "not known"
        told[said] = told.get(said, 0) + values[name]  # a value may have either name itself
    return told


_ALWAYS = {
    "plain": plain,
    "link": citation.link,
    "linked": citation.linked,
    "licence_address": citation.licence_address,
    "not_stated": citation.NOT_STATED,
}
"""What card and sentences call."""
_TEXTS = ReportTexts(__package__, "sentences.yaml", few=FEW, **_ALWAYS)


def sentences(name: str, facts: Facts, **more: object) -> list[str]:
    """What is said of a benchmark on a subject of `sentences.yaml`, with `more` filled in."""
    known = {
        **{
            part: getattr(facts, part)
            for part in ("culture", "gaps", "survey", "total", "drawn", "machine", "agreement")
        },
        "facts": facts,
        "notes": facts.culture.release.survey,
        "left": facts.total["templates"],
        "sizes": [row["templates"] for row in facts.categories[:-1] if row["templates"]],
        "allowed": _allowed(facts),
        "of": _of,
        "ids": lambda names: ended(shortened(names, 10)),
        **more,
    }
    return [said for text in _TEXTS.known[name] if (said := _TEXTS.fill(text, **known))]


def _allowed(facts: Facts) -> str:
    """Say that conditions choose among combinations, where a template has some."""
    if not facts.conditioned:
        return ""
    whose = "its conditions" if facts.conditioned == facts.total["templates"] else "conditions"
    return f" that {whose} allow"


def _of(number: int, whole: int, *, capital: bool = False) -> str:
    """Write a part of the templates that are left: `2 of 31 templates`, `none`, `all`."""
    if number == whole:
        return f"{'All' if capital else 'all'} {count(whole, 'template')}"
    return f"{number:,} of {count(whole, 'template')}"


_SIZES = ("n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M", "10M<n<100M")
"""How the hub tells sizes: numbers of three digits at most, of four, and so on."""
_TAGS = ("bias", "fairness", "social-bias", "stereotypes", "bbq", "benchmark", "evaluation")


def front_matter(facts: Facts) -> str:
    """Write the front matter, with the lines that enclose it."""
    tables = {item.name: item for item in facts.tables}
    first = facts.tables[0]
    samples = facts.total["samples"] if "samples" in tables else first.size
    labels = ("simply_transferred", "target_modified", "sample_removed")
    labelled = any(row[name] for row in facts.categories for name in labels)
    experts = labelled or facts.agreement is not None
    people = ["crowdsourced"] * (facts.survey is not None) + ["expert-generated"] * experts
    columns = (column for column in tables["templates"].columns) if "templates" in tables else ()
    machine = any(column.name.endswith("_machine") for column in columns)
    found = [f"extended|other-{source['id'].lower()}" for source in facts.sources]
    made = {
        **_licence(facts.culture.release.licence.strip()),
        "language": [facts.culture.language.split("-")[0]],
        "pretty_name": facts.title,
        "size_categories": [_SIZES[min(max(len(str(samples)), 3) - 3, len(_SIZES) - 1)]],
        "task_categories": ["question-answering", "multiple-choice"],
        "tags": [*_TAGS, facts.culture.release_name],
        "annotations_creators": people or ["no-annotation"],
        "language_creators": [
            *["found"] * bool(found),
            *["machine-generated"] * machine,
            "expert-generated",
        ],
        "multilinguality": ["monolingual"],
        "source_datasets": [*found, *["original"] * bool(facts.written)],
        "configs": [
            {
                "config_name": item.name,
                "data_files": [{"split": SPLIT, "path": item.path}],
                **({"default": True} if item is first else {}),
            }
            for item in facts.tables
        ],
    }
    text = yaml.safe_dump(made, allow_unicode=True, sort_keys=False)
    return f"---\n{text}---\n"


def _licence(stated: str) -> dict[str, object]:
    """Name the licence as the hub spells it; one that it does not know goes by its own name."""
    known = citation.hub_licence(stated)
    if not stated or known != "other":
        return {"license": known if stated else "unknown"}
    other: dict[str, object] = {"license": "other", "license_name": stated}
    address = citation.licence_address(stated)
    return {**other, "license_link": address} if address else other


PICTURE = "templates.png"
"""The picture's name, beside the card."""
_LONGEST = 28  # characters of a category's name that have room
_KINDS = ("retained", "dropped", "removed before the survey")
_WIDTH, _ROW, _TOP = 7.2, 0.28, 0.7  # inches


def _counts(row: Counts) -> tuple[int, int, int]:
    """Templates of a category, or of all, in the order of `_KINDS`."""
    kept, before = row["templates"], row["templates_before_survey"]
    return kept, before - kept, row["sample_removed"]


def alternative(facts: Facts) -> str:
    """What the picture shows, for who does not see it: the numbers of all templates."""
    total = _counts(facts.total)
    told = ", ".join(
        f"{number:,} {name}" for name, number in zip(_KINDS, total, strict=True) if number
    )
    return f"What became of the {sum(total):,} templates by category: {told or 'none'}"


def picture(facts: Facts) -> bytes:
    """Draw it as PNG: a bar a category, as long as it has templates, with their numbers."""
    from curation.report import figures
    from curation.report.figures import FIRST, LINE, SECOND

    *rows, _ = map(_counts, facts.categories)
    # By their ids, which everybody can read, and which have letters in every font.
    ids = (row["category"].replace("_", " ") for row in facts.categories[:-1])
    names = [figures.shortened(name, _LONGEST) for name in ids]

    def paint(figure: "Figure") -> None:
        axes = figure.add_subplot()
        start = [0] * len(rows)
        for at, (name, colour) in enumerate(zip(_KINDS, (FIRST, SECOND, LINE), strict=True)):
            widths = [counts[at] for counts in rows]
            axes.barh(range(len(rows)), widths, left=start, color=colour, label=name)
            start = [one + wide for one, wide in zip(start, widths, strict=True)]
        most = max(start, default=0) or 1
        for place, (counts, end) in enumerate(zip(rows, start, strict=True)):
            numbers = " / ".join(f"{number:,}" for number in counts)
            axes.text(end + most / 60, place, numbers, va="center")
        axes.set_yticks(range(len(rows)), names)
        axes.tick_params(length=0)
        axes.invert_yaxis()
        axes.set_xlim(0, most * 1.25)
        axes.get_xaxis().set_visible(False)
        for spine in axes.spines.values():
            spine.set_visible(False)
        figure.legend(loc="outside upper left", ncols=len(_KINDS), frameon=False)

    size = _WIDTH, _TOP + _ROW * len(rows)
    return figures.written(figures.draw("templates", alternative(facts), size, paint).figure, "png")
