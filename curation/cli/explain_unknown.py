"""What to ask `curate explain` instead of what it does not know."""

import difflib
from collections.abc import Iterator, Sequence

from curation.cli.final import Final
from curation.io.workspace import Workspace
from curation.model.bank import Template
from curation.model.errors import CurateError
from survey.matching import people_groups

_SHOWN = 5


def unknown_subject(final: Final, workspace: Workspace, subject: str) -> CurateError:
    """Say that nothing has a name, what is like it, and what can be asked about.

    Args:
        final: The final bank.
        workspace: The workspace, for its categories and groups.
        subject: What was asked.
    """
    hints = [*_category(final, workspace, subject), *_groups(final, subject)]
    if not hints:
        near = _near(final, subject)
        hints = [f"did you mean {' or '.join(near)}?"] if near else []
    hints.append(
        f"SUBJECT is a template ({_example(final)}), a variant or sample of one "
        "(age-001a, age-001a-002-amb-bsd), a question of the survey (q-age-1a2b3c4d) or a "
        "stereotype word for word"
    )
    return CurateError(
        f"the bank has no template, stereotype, question or sample '{subject}'",
        hint="; ".join(hints),
    )


def _example(final: Final) -> str:
    return str(final.outcomes[0].template.id) if final.outcomes else "age-001"


def _near(final: Final, subject: str) -> list[str]:
    """Give names that are spelt alike, and stereotypes that have the words in them."""
    words = " ".join(subject.split()).casefold()
    templates = [item.template for item in final.outcomes]
    names = [
        *(str(template.id) for template in templates),
        *(str(variant.id) for template in templates for variant in template.variants),
        *(tally.question.id for tally in final.tallies),
        *(template.stereotype for template in templates),
        *(tally.question.stereotype for tally in final.tallies),
    ]
    known = [name for name in dict.fromkeys(names) if name]
    near = difflib.get_close_matches(subject, known, n=3, cutoff=0.5)
    holding = [name for name in known if words and words in name.casefold()]
    return list(dict.fromkeys([*near, *holding]))[:_SHOWN]


def _category(final: Final, workspace: Workspace, subject: str) -> Iterator[str]:
    wanted = "_".join(subject.split()).casefold()
    known = {"_".join(i.name.split()).casefold(): i.id for i in workspace.culture.categories}
    known |= {item.template.category.casefold(): item.template.category for item in final.outcomes}
    known |= {item.id.casefold(): item.id for item in workspace.culture.categories}
    category = known.get(wanted) if wanted else None
    if category:
        members = [i.template for i in final.outcomes if i.template.category == category]
        yield f"{category} is a category: ask about {_list(members)}"


def _groups(final: Final, subject: str) -> Iterator[str]:
    wanted = " ".join(subject.split()).casefold()
    named: dict[tuple[str, str], list[Template]] = {}
    for item in final.outcomes:
        template = item.template
        groups = {
            group
            for variant in template.variants
            for part in people_groups(variant)
            for group in part
        }
        for group in groups:
            if wanted and group.casefold() == wanted:
                named.setdefault((template.category, group), []).append(template)
    for (category, group), members in named.items():
        yield f"{group} is a group of {category}: ask about {_list(members)}"


def _list(members: Sequence[Template]) -> str:
    """Name templates, the first few."""
    if not members:
        return "something else, for no template has it"
    more = f" (and {len(members) - _SHOWN} more)" if len(members) > _SHOWN else ""
    return ", ".join(str(template.id) for template in members[:_SHOWN]) + more
