"""Part of the card that credits the published sets, and says what was changed."""

from collections.abc import Iterator

from curation.io.pages.markdown import plain
from curation.io.pages.numbers import count
from curation.model.licences import Licence
from curation.publish.escapes import link
from curation.publish.facts import Facts, SourceFact
from curation.publish.licences import licence_address
from curation.publish.unstated import NOT_STATED


def sources(facts: Facts) -> Iterator[str]:
    """Yield the terms of the benchmark, and credit and changes of each source."""
    yield "## Sources, licences and changes"
    yield ""
    stated = facts.culture.release.licence
    terms = plain(stated) or NOT_STATED
    address = licence_address(stated)
    yield f"Licence of this benchmark: {terms}{f' ({link(address)})' if address else ''}."
    yield ""
    for source in facts.sources:
        yield f"- {attribution(source)} {changes(source)}"
    if facts.written:
        what = "Newly written" if facts.sources else "All newly written, without a source"
        yield f"- {what}: {count(facts.written, 'template')} of those that are left."
    yield ""


def attribution(source: SourceFact) -> str:
    """Credit a source with its holder, its address and its licence, in Markdown."""
    title, licence = plain(source.title), source.licence
    if licence is None:
        return (
            f"**{title}.** Its licence is {NOT_STATED}: no published file of this name was "
            "imported into the workspace."
        )
    address = f", {_linked(licence.address)}" if licence.address else ""
    return f"**{title}** by {plain(licence.holder)}{address}, {_terms(licence)}."


def _terms(licence: Licence) -> str:
    address = licence_address(licence.name)
    text = f"licensed under {plain(licence.name)}"
    text += f" ({link(address)})" if address else ""
    return f"{text}, which texts derived from it must carry too" if licence.share_alike else text


def _linked(address: str) -> str:
    return link(address) if address.startswith(("https://", "http://")) else plain(address)


def changes(source: SourceFact) -> str:
    """Say what was done with the templates of a source."""
    taken = "taken over"
    if source.translated_from:
        taken += f" (translated from `{source.translated_from}` and adapted)"
    done = [
        (source.taken, taken),
        (source.modified, "given other groups or another wording for the culture"),
        (source.created, "taken over that the source itself had written for its culture"),
        (source.removed, "removed, for the culture has no such stereotype"),
        (source.dropped, "dropped by the survey or by a person"),
    ]
    said = "; ".join(
        f"{number:,} {'was' if number == 1 else 'were'} {what}" for number, what in done if number
    )
    return f"Changes were made. Of its {count(source.templates, 'template')} {said}."
