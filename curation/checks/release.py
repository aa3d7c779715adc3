"""What only a release has to obey, looked at in `Subject.release`."""

import re
from collections.abc import Iterator

from curation.checks.subject import Remark, Subject, in_settings, remark, rule
from curation.records import licences
from curation.records.bank import Label, Template
from curation.records.licences import TERMS, Licence, Terms, conflict, terms_of

_VERSION = re.compile(r"[0-9A-Za-z](?:[0-9A-Za-z.+-]*[0-9A-Za-z])?")
_WHY = {
    "title": "readers know it by its title",
    "description": "a sentence or two say what it is",
    "licence": "without a licence, such as CC-BY-4.0, nobody may use it",
    "authors": "it says who is cited: [{family: Kim, given: Mina}]",
    "date": "it is cited by its date, such as 2026-03-31",
}
_WHY_SURVEY = {
    "population": "say which people the respondents stand for",
    "began": "say when people were asked, because stereotypes change",
    "ended": "say when people were asked, because stereotypes change",
}


def _retained(subject: Subject) -> Iterator[Template]:
    """Yield the templates of the bank that are kept."""
    kept = subject.release.retained
    return (template for template in subject.templates if str(template.id) in kept)


def _sources(subject: Subject) -> dict[str, Template]:
    """The sources whose texts are in retained templates, each with the first of these."""
    found: dict[str, Template] = {}
    for template in _retained(subject):
        for variant in template.variants:
            if variant.source.strip():
                found.setdefault(variant.source.strip(), template)
    return found


def _terms(subject: Subject) -> Iterator[tuple[str, Template, Terms]]:
    """Yield the sources whose terms are known; others are left to `release-source-unknown`."""
    for source, template in _sources(subject).items():
        if terms := terms_of(subject.release.sources.get(source, Licence("")).name):
            yield source, template, terms


@rule
def undecided(subject: Subject) -> Iterator[Remark]:
    """A release says of each template whether the public knows its stereotype."""
    for template in subject.templates:
        if reason := subject.release.undecided.get(str(template.id)):
            yield subject.in_bank(template.first, "", f"{template.id} is undecided: {reason}")


@rule
def stale(subject: Subject) -> Iterator[Remark]:
    """Decisions are published with the files that they were made from."""
    yield from subject.release.stale


@rule
def comprehension(subject: Subject) -> Iterator[Remark]:
    """Readers take a benchmark of KoBBQ's kind as tested, unless they are told."""
    names = subject.release.untested
    if not names or subject.culture.release.survey.comprehension:
        return
    first = f"{names[0]} first" if len(names) > 1 else names[0]
    yield in_settings("release.survey.comprehension", count=len(names), first=first)


@rule
def reworded(subject: Subject) -> Iterator[Remark]:
    """A share of correct answers is of the text that respondents read."""
    for template in _retained(subject):
        if str(template.id) in subject.release.reworded:
            yield subject.in_bank(template.first, "", template=template.id)


@rule
def without_samples(subject: Subject) -> Iterator[Remark]:
    """What is counted as a template of the benchmark is in its samples."""
    if not subject.release.retained:
        message = "no template is retained, so there is nothing to release"
        hint = "import templates, and let 'curate filter' decide which of them are kept"
        yield remark(subject.bank_file, None, "", message, hint)
    for template in _retained(subject):
        if str(template.id) in subject.release.waiting:
            yield subject.in_bank(template.first, "names", template=template.id)


@rule
def unconfirmed(subject: Subject) -> Iterator[Remark]:
    """A machine's text is published only when somebody answers for it."""
    for template in _retained(subject):
        if number := subject.release.unconfirmed.get(str(template.id), 0):
            yield subject.in_bank(template.first, "", template=template.id, count=number)


@rule
def unfinished(subject: Subject) -> Iterator[Remark]:
    """Its samples cannot be made."""
    for error in subject.release.problems:
        yield remark(error.where, None, "", error.what, error.hint)


@rule
def reference_modified(subject: Subject) -> Iterator[Remark]:
    """The target group was changed: the survey found it, or a reference says so."""
    for template in _retained(subject):
        documented = template.has_reference or str(template.id) in subject.release.surveyed
        if template.label is Label.TARGET_MODIFIED and not documented:
            yield subject.in_bank(template.first, "reference", template=template.id)


@rule
def licence(subject: Subject) -> Iterator[Remark]:
    """Readers and programs know what an SPDX identifier means."""
    name = subject.culture.release.licence
    if name and name not in TERMS:
        near = terms_of(name)
        hint = f"write it {near.spdx}" if near else f"write one of {', '.join(TERMS)}"
        yield in_settings("release.licence", "", hint, licence=name)


@rule
def source_unknown(subject: Subject) -> Iterator[Remark]:
    """What somebody else wrote is passed on by leave only."""
    for variant in (item for template in _retained(subject) for item in template.variants):
        if variant.source_id.strip() and not variant.source.strip():
            message = f"{variant.template_id} has the source_id of a template and names no source"
            yield subject.in_bank(variant, "source", message)
            break
    known = {source for source, _, _ in _terms(subject)}
    for source, template in _sources(subject).items():
        if source not in known:
            terms = subject.release.sources.get(source, Licence(""))
            stated = "has no record of its licence"
            if terms.name:
                stated = f"is under '{terms.name}', which is not a licence that the toolkit knows"
            elif terms.address:
                stated = "states no licence, so nothing derived from it may be published"
            told = {"source": source, "template": template.id, "stated": stated}
            yield subject.in_bank(template.first, "source", **told)


@rule
def source_terms(subject: Subject) -> Iterator[Remark]:
    """Share-alike stays share-alike, and nobody passes on what is not theirs."""
    released = terms_of(subject.culture.release.licence)
    for source, template, terms in _terms(subject):
        if why := conflict(terms, released or terms):
            told = {"source": source, "template": template.id, "why": why}
            yield subject.in_bank(template.first, "source", **told)


@rule
def attribution(subject: Subject) -> Iterator[Remark]:
    """The package names the creators of what it was derived from."""
    for source, template, terms in _terms(subject):
        record = subject.release.sources[source]
        lacking = [name for name in ("holder", "address") if not getattr(record, name).strip()]
        if terms.attribution and lacking:
            told = {"source": source, "spdx": terms.spdx, "lacking": lacking[0]}
            yield subject.in_bank(template.first, "source", **told)


@rule
def personal_data(subject: Subject) -> Iterator[Remark]:
    """No respondent and no annotator can be reached or told by what is published.

    The words that name somebody are not repeated.
    """
    own = subject.culture.release.contact.strip()
    for cell in subject.release.outgoing:
        text = cell.text.replace(own, "") if own else cell.text
        found = dict.fromkeys(what for what, _ in licences.personal_in(text))
        if any(True for _ in licences.ids_in(text, subject.release.respondents)):
            found["the id of a respondent"] = None
        for what in found:
            yield cell.remark(f"the text holds what looks like {what}")


@rule
def annotator_name(subject: Subject) -> Iterator[Remark]:
    """Who worked on it is named by leave only; authors of the release have given it."""
    authors = subject.culture.release.authors
    # Who is known here by a part of their name is named by it.
    named = {
        name for one in authors for name in (one.shown, *one.shown.split(), one.given, one.family)
    }
    names = subject.release.annotators - named
    for cell in subject.release.outgoing:
        if any(True for _ in licences.names_in(cell.text, names)):
            yield cell.remark("the text holds the name of somebody who worked on it")


@rule
def incomplete(subject: Subject) -> Iterator[Remark]:
    """A benchmark of stereotypes without these cannot be judged."""
    release = subject.culture.release
    asked = {f"release.{key}": (getattr(release, key), why) for key, why in _WHY.items()}
    if subject.release.has_survey:
        for key, why in _WHY_SURVEY.items():
            asked[f"release.survey.{key}"] = getattr(release.survey, key), why
    for name, (value, why) in asked.items():
        if not value:
            yield in_settings(name, f"{name} is not written: {why}")


@rule
def contact(subject: Subject) -> Iterator[Remark]:
    """Texts that many find offensive need somebody who answers for them."""
    release = subject.culture.release
    if not (release.contact.strip() or release.url):
        yield in_settings("release.contact", "the release has no contact and no home page")


@rule
def canary(subject: Subject) -> Iterator[Remark]:
    """A benchmark that is trained on measures nothing."""
    now, before = subject.culture.release.canary, subject.release.canary_before
    if not now:
        yield in_settings("release.canary", "the release has no canary")
    elif before and now != before:
        message = "the canary is not that of the last release"
        hint = "restore the former one: people who filter training data look for it"
        yield in_settings("release.canary", message, hint)


@rule
def version(subject: Subject) -> Iterator[Remark]:
    """Scores of one version can be compared: its samples never change."""
    name = subject.culture.version
    digest, releases = subject.release.digest, subject.release.releases
    if not _VERSION.fullmatch(name):
        message = f"version '{name}' cannot be in the name of a file"
        yield in_settings("version", message, "write digits and points, such as 1.0")
        return
    if digest is None or not releases:
        return
    same = [item for item in releases if item.version == name]
    changed = [item for item in same if item.samples_sha256 != digest.samples_sha256]
    last = releases[-1].version
    if changed:
        before, now = changed[-1].samples, digest.samples
        what = f"{now:,} different" if before == now else f"{before:,} samples, not these {now:,}"
        yield in_settings("version", f"version {name} was released with {what} samples")
    elif not same and _is_below(name, last):
        yield in_settings("version", version=name, last=last)


def _is_below(version: str, other: str) -> bool:
    """Compare versions of numbers and points; others have no order."""
    try:
        first, second = ([int(part) for part in item.split(".")] for item in (version, other))
    except ValueError:
        return False
    return first < second


@rule
def test_set(subject: Subject) -> Iterator[Remark]:
    """Scores on the test set of one version can be compared."""
    now = subject.release.digest
    for item in subject.release.releases:
        if now is None or item.version != subject.culture.version:
            continue
        # Where the samples are others, 'release-version' says so.
        same = item.samples_sha256 == now.samples_sha256
        if same and item.test_samples_sha256 != now.test_samples_sha256:
            told = {"version": item.version, "before": item.seed, "seed": now.seed}
            yield in_settings("samples.seed", **told)
            return
