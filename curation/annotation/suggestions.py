"""Suggested labels: by rules on groups or by a model, who is shown them, and how many agree.

What a model would cost is said before. By default half of the annotators see them, so that one can
compare.
"""

import random
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, ClassVar

from curation.annotation.engines.engine import Listener, Memory, Outcome, price_of, problem_of
from curation.annotation.engines.openai_engine import QuestionService, json_in, said_in
from curation.annotation.labels import (
    LabelState,
    as_now,
    classifiable,
    classify_hashes,
    settled,
    shown,
    to_classify,
)
from curation.annotation.labelstudio.store import FROM_SERVER
from curation.annotation.labelstudio.tasks import NOTHING
from curation.annotation.sheets import FALLBACK, pages
from curation.files.codec import Codec, now
from curation.files.lock import writing
from curation.files.workspace import Workspace
from curation.languages import LanguageOrCode, load, missing
from curation.languages.general import Pages
from curation.languages.prompts import SuggestTexts
from curation.records.annotation import CLASSIFY_LABELS, Annotation, person_key
from curation.records.bank import Group, Label, Template, Texts, Variant
from curation.records.messages import CurateError, Results, refusal, refuse_unknown, shortened
from curation.records.survey import join_groups
from curation.slots.grammar import print_fillers
from curation.sources.imported import groups_of

RULES = "rules"
"""The engine that looks at groups alone."""
OPENAI = "openai"
"""The engine that asks a model; the name of the model follows in a suggestion."""
ENGINES = (RULES, OPENAI)
"""What can suggest labels."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A label that is suggested for a template; fields are the columns of `suggestions.csv`.

    Attributes:
        template_id: The template.
        label: ST, TM or SR.
        reason: Why, in the language of the annotators.
        engine: What suggested it: `rules`, or `openai:` and the model.
        row_hash: Hash of what annotators were shown of the template.
        suggested_at: When this label was first suggested, UTC, ISO 8601.
    """

    template_id: str
    label: Label
    reason: str
    engine: str
    row_hash: str
    suggested_at: str


@dataclass(frozen=True, slots=True)
class Allotted:
    """Whether a suggestion was shown; fields are the columns of `suggestions_shown.csv`.

    Attributes:
        template_id: The template.
        annotator: Who was handed the template; empty in a project of all.
        place: Where: `sheet`, or `labelstudio:` and the number of the project.
        shown: `true` if the annotator was shown the suggestion, else `false`.
        label: The suggested label.
        engine: What suggested it.
        row_hash: Hash of what annotators were shown of the template.
        allotted_at: When it was handed out, UTC, ISO 8601.
    """

    template_id: str
    annotator: str
    place: str
    shown: bool
    label: Label
    engine: str
    row_hash: str
    allotted_at: str


_AGAIN = "labels are ST, TM and SR; make them again: curate classify suggest"
_LABELS = {"label": CLASSIFY_LABELS}
SUGGESTIONS = Codec(Suggestion, _AGAIN, key=("template_id",), order=("template_id",), words=_LABELS)
"""The table `suggestions.csv`."""
ALLOTTED = Codec(
    Allotted,
    "restore the file from version control",
    order=("template_id", "annotator", "place", "shown", "row_hash", "allotted_at"),
    words=_LABELS,
)
"""The table `suggestions_shown.csv`."""
SHEET = "sheet"
"""The place of what is handed out in a workbook."""


def suggestions_file(workspace: Workspace) -> Path:
    """Where the suggestions are."""
    return workspace.annotations.folder / "suggestions.csv"


def shown_file(workspace: Workspace) -> Path:
    """Where it is kept who was shown suggestions."""
    return workspace.annotations.folder / "suggestions_shown.csv"


def read_suggestions(workspace: Workspace) -> dict[str, Suggestion]:
    """The suggestions by template; none where there is no file.

    Raises:
        CurateError: If a row cannot be read, or a template occurs twice.
    """
    rows = as_now(workspace, SUGGESTIONS.read(suggestions_file(workspace)))
    return {item.template_id: item for item in rows}


def record_allotted(workspace: Workspace, new: Iterable[Allotted]) -> None:
    """Add who was shown what. What was once shown stays so, and the same keeps its time.

    Raises:
        CurateError: If the file cannot be read or written.
    """
    rows: dict[tuple[str, str, str, str], Allotted] = {}
    before = ALLOTTED.read(shown_file(workspace))
    for item in (*before, *new):
        key = item.template_id, item.annotator, item.place, item.row_hash
        known = rows.get(key)
        same = known is not None and known.shown == item.shown and known.label is item.label
        if not same and (known is None or item.shown or not known.shown):
            rows[key] = item
    if list(rows.values()) != before:
        ALLOTTED.write(shown_file(workspace), rows.values())


def usable_suggestions(workspace: Workspace) -> tuple[dict[str, Suggestion], tuple[str, ...]]:
    """The suggestions of templates as they are now, and which templates changed since theirs.

    Raises:
        CurateError: If a file cannot be read.
    """
    found = read_suggestions(workspace)
    hashes = classify_hashes(classifiable(workspace.bank.templates()))
    fresh = {name: item for name, item in found.items() if item.row_hash == hashes.get(name)}
    return fresh, tuple(name for name in found if name in hashes and name not in fresh)


def suggest_texts(language: LanguageOrCode) -> SuggestTexts:
    """The texts of the language of the culture, or English ones."""
    found = (load(code).suggest for code in (language, FALLBACK))
    return next(item for item in found if item is not None)


def said_of(suggestion: Suggestion, texts: SuggestTexts) -> str:
    """What an annotator reads of a suggestion."""
    parts = (f"{suggestion.label.value} ({suggestion.engine})", suggestion.reason)
    return f"{': '.join(filter(None, parts))}\n{texts.judge}"


HALF, ALL, NONE = "half", "all", "none"
"""Who sees no suggestions, where no names are given."""


_SEED = 42
"""Of the draw of a half."""


def who_sees(workspace: Workspace, names: Sequence[str], hidden: Sequence[str]) -> dict[str, bool]:
    """Say which annotators are shown suggestions; of a half who was drawn before stays.

    Args:
        workspace: The workspace.
        names: The annotators; one empty name for a project of all.
        hidden: Who does not see them: `half`, `all` or `none` of the annotators, or names.

    Raises:
        CurateError: If a name is none of theirs, or the people of one project would be told apart.
    """
    blind = {person_key(name): name for name in hidden}
    if not names:
        return {}
    if {*blind} in ({ALL}, {NONE}):
        return dict.fromkeys(names, NONE in blind)
    if names == [""]:
        raise refusal(__package__, "suggestions-shared", "--blind")
    if {*blind} == {HALF}:
        return _half(workspace, names)
    known = {person_key(name) for name in names}
    if strange := [name for key, name in blind.items() if key not in known]:
        words = {"name": " ".join(strange[0].split()), "names": names}
        raise refusal(__package__, "suggestions-whose", "--blind", **words)
    return {name: person_key(name) not in blind for name in names}


def _half(workspace: Workspace, names: Sequence[str]) -> dict[str, bool]:
    """Draw who sees no suggestions: half of the annotators, of an odd number one more.

    Who was ever shown one goes on so, and who was settled to be shown none.
    """
    before: dict[str, bool] = {}
    for item in ALLOTTED.read(shown_file(workspace)):
        key = person_key(item.annotator)
        before[key] = before.get(key, False) or item.shown
    found = {name: before[person_key(name)] for name in names if person_key(name) in before}
    fresh = [name for name in names if name not in found]
    lacking = -(-len(names) // 2) - sum(not sees for sees in found.values())
    random.Random(_SEED).shuffle(fresh)  # noqa: S311  # a seeded draw
    found |= {name: at >= lacking for at, name in enumerate(fresh)}
    return {name: found[name] for name in names}


def to_show(workspace: Workspace) -> tuple[dict[str, Suggestion], tuple[str, ...]]:
    """The suggestions that can be shown, and the templates that changed since theirs was made.

    Raises:
        CurateError: If there are none, or a file cannot be read.
    """
    found, stale = usable_suggestions(workspace)
    if not found:
        way, where = "stale" if stale else "none", "annotations/suggestions.csv"
        raise refusal(__package__, "suggestions-none", where, way=way, count=len(stale))
    return found, stale


def record_shown(
    workspace: Workspace,
    annotator: str,
    place: str,
    suggestions: Iterable[Suggestion],
    shown: Iterable[str],
) -> None:
    """Record which suggestions an annotator saw, and for which templates they were blind.

    Args:
        workspace: The workspace.
        annotator: Who was handed the templates; empty in a project of all.
        place: Where, as `Allotted` says.
        suggestions: Those for the templates that they were handed.
        shown: The templates beside which they stand.

    Raises:
        CurateError: If the file cannot be read or written.
    """
    seen, at = set(shown), now()
    rows = (
        Allotted(uid, annotator, place, uid in seen, item.label, item.engine, item.row_hash, at)
        for item in suggestions
        for uid in (item.template_id,)
    )
    record_allotted(workspace, rows)


SHOWN, BLIND = "shown", "blind"
"""Whether the annotator saw the suggestion."""


def compare(
    standing: LabelState, suggestions: Mapping[str, Suggestion], allotted: Sequence[Allotted]
) -> tuple[dict[str, Any], ...]:
    """Compare labels with suggestions; nothing if no label has a suggestion.

    A label counts as given in sight of a suggestion where that was recorded when the template was
    handed out, and the label came after it.

    Args:
        standing: What the annotators say.
        suggestions: The suggestions of templates as they are now.
        allotted: Who was shown which suggestion.

    Returns:
        By `view`, `shown` where the annotator saw the suggestion and `blind` where they did not,
        and by `annotator`, empty for all of them together: how many `labels` there are beside a
        suggestion; how many of them `agree`; and their `share`, None where there are none.
    """
    by_template: dict[str, list[Allotted]] = {}
    for item in allotted:
        by_template.setdefault(item.template_id, []).append(item)
    given: list[tuple[str, str, Label, Label]] = []
    for name, opinions in standing.opinions.items():
        for opinion in opinions:
            view, suggested = _seen(opinion, by_template.get(name, ()), suggestions.get(name))
            if opinion.label is not None and suggested is not None:
                given.append((view, opinion.annotator, suggested, opinion.label))
    found = []
    for view in (SHOWN, BLIND):
        mine = [item for item in given if item[0] == view]
        for who in ("", *sorted({by for _, by, *_ in mine})) if given else ():
            pairs = Counter((one, other) for _, by, one, other in mine if who in ("", by))
            agree, count = sum(pairs[one, one] for one in CLASSIFY_LABELS), pairs.total()
            found.append(
                {
                    "view": view,
                    "annotator": who,
                    "labels": count,
                    "agree": agree,
                    "share": agree / count if count else None,
                }
            )
    return tuple(found)


def _seen(
    opinion: Annotation, rows: Iterable[Allotted], suggestion: Suggestion | None
) -> tuple[str, Label | None]:
    """What was suggested beside a label, and whether it was seen."""
    mine = [row for row in rows if _is_of(row, opinion)]
    for row in mine:
        if row.shown and not (opinion.collected_at and opinion.collected_at < row.allotted_at):
            return SHOWN, row.label
    labels = (row.label for row in mine if not row.shown)
    return BLIND, next(labels, suggestion.label if suggestion is not None else None)


def _is_of(row: Allotted, opinion: Annotation) -> bool:
    """Whether a template was handed out as a label says that it was answered."""
    if opinion.row_hash and opinion.row_hash != row.row_hash:
        return False
    if row.place.startswith(FROM_SERVER) or opinion.source_file.startswith(FROM_SERVER):
        return row.place == opinion.source_file
    return person_key(row.annotator) == person_key(opinion.annotator)


_NO_FILLERS = print_fillers(())


class NoRule(StrEnum):
    """Why no rule suggests a label."""

    NO_GROUPS = "it names no stereotyped group"
    AS_IMPORTED = "nobody has changed the groups of its category since they were imported"


Labelled = tuple[Label, str]
"""A label, and why."""


class GroupRules:
    """The groups of a culture, and what they say of templates.

    Args:
        workspace: The workspace.
        texts: How reasons are worded.
    """

    def __init__(self, workspace: Workspace, texts: SuggestTexts) -> None:
        self._texts = texts
        self._book = workspace.book
        rows: dict[str, list[Group]] = {item.category: [] for item in workspace.groups}
        for item in workspace.groups:
            rows[item.category].append(item)
        published = [item for item in workspace.bank.variants if item.source]
        own = _by_category(published)
        source = _by_category(replace(item, texts=Texts()) for item in published)
        self._groups = rows
        self._reviewed = {
            category
            for category in {**own, **source}
            if workspace.groups
            if workspace.culture.groups_reviewed
            or not _is_as_imported(
                rows.get(category, ()), own.get(category, {}), source.get(category, {})
            )
        }
        self._known = {
            category: {
                person_key(name): name
                for item in items
                for name in (item.parent, item.group)
                if name
            }
            for category, items in rows.items()
        }

    def groups(self, category: str) -> tuple[str, ...]:
        """The groups of a category that the culture has; none where that is not known."""
        if category not in self._reviewed:
            return ()
        return tuple(item.group for item in self._groups.get(category, ()))

    def rule(self, template: Template) -> Labelled | NoRule:
        """The label of a template, or why there is none.

        All of its stereotyped groups are groups of the culture: ST. Some are, or others of the
        category are: TM. The culture has no group of the category: SR.
        """
        named = stereotyped(template)
        if not named:
            return NoRule.NO_GROUPS
        if template.category not in self._reviewed:
            return NoRule.AS_IMPORTED
        now = {name: self._now(template.category, name) for name in named}
        there = tuple(dict.fromkeys(found for found in now.values() if found))
        missing = tuple(name for name, found in now.items() if not found)
        places = {"there": join_groups(there), "missing": join_groups(missing)}
        if not missing:
            return Label.SIMPLY_TRANSFERRED, self._texts.all_stand.format(**places)
        if there:
            return Label.TARGET_MODIFIED, self._texts.some_stand.format(**places)
        if self._groups.get(template.category):
            return Label.TARGET_MODIFIED, self._texts.others_stand.format(**places)
        return Label.SAMPLE_REMOVED, self._texts.none_stand.format(**places)

    def _now(self, category: str, name: str) -> str:
        """What the culture calls a group; empty where it has none of the name."""
        known = self._known.get(category, {})
        now = person_key(self._book.name(category, name))
        return known.get(person_key(name)) or known.get(now, "")


_Imported = Mapping[str, Mapping[str, str]]
"""By category the groups that an import finds, with their fillers."""


def _by_category(variants: Iterable[Variant]) -> _Imported:
    found: dict[str, dict[str, str]] = {}
    for item in groups_of(variants):
        found.setdefault(item.category, {})[item.group] = item.fillers
    return found


def _is_as_imported(
    rows: Sequence[Group], own: Mapping[str, str], source: Mapping[str, str]
) -> bool:
    """Whether the groups of a category are those that its templates brought along.

    A set that was published in the culture's language brings them in it. Where people have
    translated templates and renamed groups the names may be the same, but not the fillers.
    """
    if any(item.parent or item.level for item in rows):
        return False
    now = {item.group: item.fillers for item in rows}
    if now.keys() == source.keys():
        return True
    return now.keys() == own.keys() and any(
        fillers not in ("", _NO_FILLERS) and own[name] == fillers for name, fillers in now.items()
    )


def stereotyped(template: Template) -> tuple[str, ...]:
    """The groups that the stereotype of a template is about.

    They are those of the culture's own column where people have written them, else the source's.
    """
    for side in ("texts", "source_texts"):
        found = (getattr(item, side).target_groups for item in template.variants)
        named = tuple(dict.fromkeys(name for groups in found for name in groups if name.strip()))
        if named:
            return named
    return ()


TOLD = (
    *("stereotype", "target_groups", "ambiguous_context", "disambiguating_context"),
    *("questions", "answers", "fillers", "reference"),
)
"""What a model is told of a template."""
_REASON = 300
_NAMES = "|".join(label.value for label in CLASSIFY_LABELS)
_FIRST = re.compile(rf"[\W_]*(?:[^\W\d_][^\W\d_ ]*(?: [^\W\d_]+)?\s*:[\W_]*)?({_NAMES})(?![\w-])")
_OTHER = re.compile(rf"\W*(?:\w+\W+)?({_NAMES})(?![\w-])")
_BETWEEN = re.compile(r"[\s*_`'\"]*[:.;\-\u2013\u2014\u3002\uff0e]")


def question(
    template: Template, culture: str, groups: Sequence[str], prompt: str, titles: Pages
) -> str:
    """What a model is asked about a template.

    Args:
        template: The template.
        culture: The name of the culture.
        groups: The culture's groups of its category, as far as they are known.
        prompt: The prompt of the language.
        titles: What the parts of a template are called.
    """
    told = shown(template)
    lines = (f"{getattr(titles, name)}: {told[name]}" for name in TOLD if told[name])
    listed = join_groups(groups) or NOTHING
    return prompt.format(culture=culture, template="\n".join(lines), groups=listed)


def read_reply(reply: str) -> Labelled | None:
    """The label that a reply begins with, and why; None where it names none, or two of them."""
    text = unicodedata.normalize("NFKC", said_in(reply))
    # Some models write a JSON object, whatever they are asked for.
    listed = json_in(text)
    if (label := str(listed.get("label")).strip()) in CLASSIFY_LABELS:
        return Label(label), _reason(str(listed.get("reason") or ""))
    lines = [line for line in text.splitlines() if line.strip(" `*#_-")]
    found = _FIRST.match(lines[0]) if lines else None
    if found is None:
        return None
    rest = lines[0][found.end() :]
    if _OTHER.match(rest) and not _BETWEEN.match(rest):
        return None
    return Label(found[1]), _reason(" ".join((rest, *lines[1:])))


def _reason(text: str) -> str:
    line = " ".join(text.split()).strip(" *_`").lstrip(":.;-\u2013\u2014\u3002 ")
    return line if len(line) <= _REASON else f"{line[: _REASON - 1].rstrip()}\u2026"


class SuggestService(QuestionService):
    """A model that is asked for labels."""

    purpose: ClassVar[str] = "suggest"
    without: ClassVar[str] = "; or --engine rules needs no model, it looks only at the groups"


UNREADABLE = "the model's reply names no label"
"""Why a template has no suggestion of a model that has replied."""
_WAITING = "the model has not replied"


def suggestion_store(workspace: Workspace, *, read_only: bool = False) -> Memory:
    """Where the replies of models on templates are kept."""
    file = workspace.curate_folder / "suggestions.sqlite"
    return Memory(file, read_only=read_only, what="the store of suggestions")


def _questions(workspace: Workspace, templates: Sequence[Template]) -> dict[str, str]:
    """What a model is asked, by template."""
    texts = workspace.language.suggest
    if texts is None:
        where = workspace.shown(workspace.culture_file)
        told = refusal(__package__, "suggest-no-prompt", where, language=workspace.language)
        raise missing("suggest", workspace.language, told)
    rules = GroupRules(workspace, texts)
    titles, culture = pages(workspace.language), workspace.culture.culture
    return {
        str(one.id): question(one, culture, rules.groups(one.category), texts.prompt, titles)
        for one in templates
    }


def estimate_suggestions(workspace: Workspace, templates: Sequence[str] = ()) -> dict[str, Any]:
    """Count what a model would be asked; nothing is sent, and no key is needed.

    Args:
        workspace: The workspace.
        templates: Ids and categories; all templates that have no consensus yet by default.

    Returns:
        The `model`; how many `templates` are to get a label, for how many of them a reply is
        `known`, and how many questions there are `to_send`; their `characters`, to which the
        replies come on top; and the `price`, None where no price is known.

    Raises:
        CurateError: If no model is named, the language has no prompt, or a file cannot be read.
    """
    settings, chosen = workspace.culture.translation, _chosen(workspace, templates)
    service, asked = SuggestService(settings), _questions(workspace, chosen)
    with suggestion_store(workspace, read_only=True) as memory:
        items, known = service.open(memory, asked), service.replies(memory, asked)
    characters = sum(item.characters for item in items)
    price = price_of(characters, settings)
    return {
        "model": settings.model,
        "templates": len(chosen),
        "known": len(known),
        "to_send": len(items),
        "characters": characters,
        "price": None if price is None else float(price),
    }


def suggest_labels(
    workspace: Workspace,
    engine: str = RULES,
    templates: Sequence[str] = (),
    *,
    listener: Listener | None = None,
) -> Results:
    """Suggest labels, and write them; they replace earlier suggestions for the same templates.

    A suggestion is not a label. A template without a new suggestion loses its earlier one, except
    if a model has not replied. No reply is paid for twice, so an interrupted run can be run again.

    Args:
        workspace: The workspace.
        engine: `rules` or `openai`, which is the model of `translation.model` in the settings.
        templates: Ids and categories; all templates that have no consensus yet by default.
        listener: Who is told while a model is asked; nobody by default.

    Returns:
        What it comes to, by key.

        - `engine`: What suggested it: `rules`, or `openai:` and the model.
        - `file`: Where the suggestions are.
        - `templates`: How many templates were to get one.
        - `labels`: How often each label is suggested.
        - `suggestions`: The suggestions for them.
        - `without`: Those that have none (`template_id`), and `why`.
        - `changed`: How many suggestions are others than before, or new.
        - `known`: Replies of the model that were there before.
        - `requests`: Requests that were answered now.
        - `unreadable`: Replies that name no label.
        - `characters`: Characters that were sent and answered now.
        - `unanswered`: Questions that were sent without a reply, which may have been billed.
        - `problem`: Why not everything was answered; None when it was.

    Raises:
        CurateError: If there is no such template or engine, a key is missing, or a file cannot be
            read or written.
    """
    refuse_unknown("engine", engine, ENGINES)
    if engine == OPENAI:
        # Two at once would pay twice. It may take long, so that the files are locked at its end
        # alone.
        with writing(workspace, _COMMAND, lock="suggestions"):
            return _by_model(workspace, _chosen(workspace, templates), listener or Listener())
    with writing(workspace, _COMMAND):
        texts = suggest_texts(workspace.language)
        rules = GroupRules(workspace, texts)
        chosen = _chosen(workspace, templates)
        return _saved(workspace, chosen, {str(one.id): rules.rule(one) for one in chosen}, RULES)


_COMMAND = "curate classify suggest"


def _by_model(workspace: Workspace, templates: Sequence[Template], listener: Listener) -> Results:
    service, outcome = SuggestService(workspace.culture.translation), Outcome()
    asked = _questions(workspace, templates)
    with suggestion_store(workspace) as memory:
        known = len(service.replies(memory, asked))
        try:
            outcome = service.ask(memory, service.open(memory, asked), listener)
        finally:  # what was paid for is written, whatever ends the run
            replies = service.replies(memory, asked)
            found = dict.fromkeys(asked, _WAITING) | {
                name: read_reply(reply) or UNREADABLE for name, reply in replies.items()
            }
            engine = f"{OPENAI}:{service.settings.model}"
            with writing(workspace, _COMMAND) as later:
                saved = _saved(later, templates, found, engine)
    more = {
        "known": known,
        "requests": outcome.requests,
        "unreadable": sum(item == UNREADABLE for item in found.values()),
        "characters": outcome.billed,
        "unanswered": len(outcome.unanswered),
        "problem": problem_of(outcome, "question", ""),
    }
    return replace(saved, values_by_key={**saved, **more})


def _chosen(workspace: Workspace, wanted: Sequence[str]) -> list[Template]:
    """The templates that are to get a label.

    Raises:
        CurateError: If one that is named is none that can be classified.
    """
    every, ids = to_classify(workspace), workspace.chosen(wanted)
    if wanted and ids.isdisjoint(str(item.id) for item in every):
        what = f"{shortened(wanted)} is newly created (NC) or not used, and not classified"
        raise CurateError(what, workspace.shown(workspace.bank_file))
    done = frozenset[str]() if wanted else settled(workspace.renamed_decisions).keys()
    return [one for one in every if str(one.id) in ids - done]


def _saved(
    workspace: Workspace,
    templates: Sequence[Template],
    found: Mapping[str, Labelled | str],
    engine: str,
) -> Results:
    before = read_suggestions(workspace)
    hashes = classify_hashes(templates)
    at = now()
    new: list[Suggestion] = []
    for name, said in found.items():
        if isinstance(said, tuple):
            item = Suggestion(name, *said, engine, hashes[name], at)
            known = before.get(name, item)
            new.append(known if replace(known, suggested_at=at) == item else item)
    kept = [item for name, item in before.items() if found.get(name, _WAITING) == _WAITING]
    after = {item.template_id: item for item in (*kept, *new)}
    if after != before:
        SUGGESTIONS.write(suggestions_file(workspace), after.values())
    counts = Counter(item.label for item in new)
    without = {name: said for name, said in found.items() if isinstance(said, str)}
    values = {
        "engine": engine,
        "file": workspace.shown(suggestions_file(workspace)),
        "templates": len(templates),
        "labels": {label.value: counts[label] for label in CLASSIFY_LABELS},
        "suggestions": tuple(new),
        "without": tuple({"template_id": name, "why": why} for name, why in without.items()),
        "changed": sum(before.get(item.template_id) != item for item in new),
        **dict.fromkeys(("known", "requests", "unreadable", "characters", "unanswered"), 0),
        "problem": None,
    }
    return Results(values, {"suggestions": SUGGESTIONS.columns})
