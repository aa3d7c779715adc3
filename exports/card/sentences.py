"""The sentences of a card, from the texts beside this module."""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import yaml

from curation.report.texts import count, environment, plain, resource
from exports.card.escapes import link, linked
from exports.card.facts import FEW, Facts
from exports.card.front import licence_address
from exports.card.unstated import NOT_STATED

if TYPE_CHECKING:
    from jinja2 import Template

_NAMED = 10


@cache
def _templates() -> "dict[str, list[Template]]":
    made = environment(__package__).overlay(autoescape=False)
    texts: dict[str, list[str]] = yaml.safe_load(resource(__package__, "sentences.yaml"))
    return {name: [made.from_string(text) for text in some] for name, some in texts.items()}


def sentences(name: str, facts: Facts, **more: object) -> list[str]:
    """What is said of a benchmark on a subject of `sentences.yaml`, with `more` filled in."""
    known: dict[str, Any] = {
        **{part: getattr(facts, part) for part in ("culture", "gaps", "survey", "total", "drawn")},
        **{part: getattr(facts, part) for part in ("machine", "agreement")},
        "facts": facts,
        "notes": facts.culture.release.survey,
        "left": facts.total.templates,
        "sizes": [row.templates for row in facts.categories[:-1] if row.templates],
        "allowed": _allowed(facts),
        "not_stated": NOT_STATED,
        "plain": plain,
        "link": link,
        "linked": linked,
        "licence_address": licence_address,
        "few": FEW,
        "of": _of,
        "ids": _ids,
    }
    return [said for text in _templates()[name] if (said := text.render(known, **more))]


def _allowed(facts: Facts) -> str:
    """Say that conditions choose among combinations, where a template has some."""
    if not facts.conditioned:
        return ""
    whose = "its conditions" if facts.conditioned == facts.total.templates else "conditions"
    return f" that {whose} allow"


def _of(number: int, whole: int, *, capital: bool = False) -> str:
    """Write a part of the templates that are left: `2 of 31 templates`, `none`, `all`."""
    if number == whole:
        return f"{'All' if capital else 'all'} {count(whole, 'template')}"
    return f"{number:,} of {count(whole, 'template')}"


def _ids(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more
