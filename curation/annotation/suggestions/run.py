"""Suggest labels for templates that are to be classified; say before what a model would cost."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from curation.annotation.classify_sheets import classify_hashes
from curation.annotation.engines.memory import Memory, reply_key
from curation.annotation.engines.runner import Item, Outcome, send
from curation.annotation.labels import classifiable, settled
from curation.annotation.suggestions.model import SuggestService, question, read_reply
from curation.annotation.suggestions.records import (
    ENGINES,
    OPENAI,
    RULES,
    SUGGESTIONS,
    Suggestion,
    fresh,
    read_suggestions,
    suggestions_file,
)
from curation.annotation.suggestions.rules import GroupRules, NoRule, Ruled
from curation.annotation.suggestions.texts import suggest_texts
from curation.annotation.texts import pages
from curation.annotation.translation.run import Listener
from curation.files.ledger import now
from curation.files.lock import writing
from curation.files.workspace import Workspace
from curation.languages import missing
from curation.records.annotation import CLASSIFY_LABELS
from curation.records.bank import Template
from curation.records.errors import CurateError, refuse_unknown
from curation.records.frames import frame
from curation.records.wording import plural, shortened

if TYPE_CHECKING:
    import pandas as pd

UNREADABLE = "the model's reply names no label"
"""Why a template has no suggestion of a model that has replied."""
_WAITING = "the model has not replied"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be suggested, and by what.

    Attributes:
        engine: `rules` or `openai`.
        model: The model; that of `translation.model` in the settings by default.
        base_url: The address of the server; that of the environment by default.
        templates: Ids of templates; all that have no consensus yet by default.
        groups_reviewed: Whether groups.csv says what groups the culture has also where nobody has
            changed it since the import.
    """

    engine: str = RULES
    model: str = ""
    base_url: str = ""
    templates: tuple[str, ...] = ()
    groups_reviewed: bool = False


@dataclass(frozen=True, slots=True)
class Unsuggested:
    """A template without a suggestion, and why."""

    template_id: str
    why: str


@dataclass(frozen=True, slots=True)
class Suggested:
    """What was suggested.

    Attributes:
        engine: What suggested it: `rules`, or `openai:` and the model.
        file: Where the suggestions are.
        templates: How many templates were to get one.
        labels: How often each label is suggested.
        suggestions: The suggestions for them.
        without: Those that have none, and why.
        changed: How many suggestions are others than before, or new.
        known: Replies of the model that were there before.
        requests: Requests that were answered now.
        unreadable: Replies that name no label.
        characters: Characters that were sent and answered now.
        unanswered: Questions that were sent without a reply, which may have been billed.
        problem: Why not everything was answered; None when it was.
    """

    engine: str
    file: str
    templates: int
    labels: dict[str, int]
    suggestions: tuple[Suggestion, ...]
    without: tuple[Unsuggested, ...]
    changed: int
    known: int = 0
    requests: int = 0
    unreadable: int = 0
    characters: int = 0
    unanswered: int = 0
    problem: CurateError | None = None

    def to_frame(self) -> "pd.DataFrame":
        """A row a suggestion: the columns of `suggestions.csv`, all object."""
        return frame(self.suggestions, Suggestion)


@dataclass(frozen=True, slots=True)
class SuggestionEstimate:
    """What a model would be asked.

    Attributes:
        model: The model.
        templates: Templates that are to get a label.
        known: Those whose reply is there already.
        to_send: Questions that would be sent, one a template.
        characters: Their characters; the replies, a label and a sentence each, come on top.
        price: What they cost; None where no price is known.
    """

    model: str
    templates: int
    known: int
    to_send: int
    characters: int
    price: float | None


class _Asking:
    """The questions for a model, and the replies that are known."""

    def __init__(self, workspace: Workspace, wanted: Wanted) -> None:
        settings = workspace.culture.translation
        self.templates = _chosen(workspace, wanted)
        self.service = SuggestService(
            wanted.model or settings.model, wanted.base_url, float(settings.timeout)
        )
        texts = workspace.language.suggest
        if texts is None:
            raise missing(
                "suggest",
                workspace.language,
                f"there is no prompt for suggested labels in '{workspace.language}'",
                workspace.shown(workspace.culture_file),
                "use the rules instead: --engine rules",
            )
        rules = GroupRules(workspace, texts, reviewed=wanted.groups_reviewed)
        titles = pages(workspace.language)
        self.questions = {
            str(item.id): question(
                item,
                workspace.culture.culture,
                rules.groups(item.category),
                texts.prompt,
                titles,
            )
            for item in self.templates
        }
        self._keys = {
            name: reply_key(self.service.signature, "", asked)
            for name, asked in self.questions.items()
        }
        self.replies: dict[str, str] = {}

    def look(self, memory: Memory) -> None:
        """Find out which replies are there."""
        found = memory.find(list(self._keys.values()))
        self.replies = {name: found[key] for name, key in self._keys.items() if key in found}

    @property
    def open(self) -> list[Item]:
        """What is to be sent; templates with one question are asked about once."""
        asked = (self.questions[name] for name in self.questions if name not in self.replies)
        return [Item(text, "", len(text)) for text in dict.fromkeys(asked)]

    def found(self) -> dict[str, Ruled | str]:
        """By template its label, or why it has none."""
        found: dict[str, Ruled | str] = {}
        for name in self.questions:
            reply = self.replies.get(name)
            found[name] = _WAITING if reply is None else read_reply(reply) or UNREADABLE
        return found


def estimate_suggestions(
    workspace: Workspace, wanted: Wanted, price: Fraction | None = None
) -> SuggestionEstimate:
    """Count what a model would be asked; nothing is sent, and no key is needed.

    Args:
        workspace: The workspace.
        wanted: What is to be suggested by which model.
        price: What a million characters cost, where that is known.

    Raises:
        CurateError: If no model is named, the language has no prompt, or a file cannot be read.
    """
    asking = _Asking(workspace, wanted)
    with Memory(_memory_file(workspace), read_only=True, what=_MEMORY) as memory:
        asking.look(memory)
    items = asking.open
    characters = sum(item.characters for item in items)
    return SuggestionEstimate(
        model=asking.service.model,
        templates=len(asking.templates),
        known=len(asking.replies),
        to_send=len(items),
        characters=characters,
        price=None if price is None else float(price * characters / 1_000_000),
    )


def suggest_labels(
    workspace: Workspace,
    wanted: Wanted | None = None,
    *,
    dry_run: bool = False,
    listener: Listener | None = None,
) -> Suggested:
    """Suggest labels, and write them; they replace earlier suggestions for the same templates.

    A suggestion is not a label. A template without a new suggestion loses its earlier one, except
    if a model has not replied. No reply is paid for twice, so an interrupted run can be run again.

    Args:
        workspace: The workspace.
        wanted: What is to be suggested, and by what; all by rules by default.
        dry_run: Whether nothing is written; a model is not asked then.
        listener: Who is told while a model is asked; nobody by default.

    Raises:
        CurateError: If there is no such template or engine, a key is missing, or a file cannot be
            read or written.
    """
    wanted = wanted or Wanted()
    refuse_unknown("engine", wanted.engine, ENGINES)
    if wanted.engine == OPENAI:
        return _by_model(workspace, wanted, listener or Listener(), dry_run=dry_run)
    texts = suggest_texts(workspace.language)
    with writing(workspace, "curate classify suggest", dry_run=dry_run):
        rules = GroupRules(workspace, texts, reviewed=wanted.groups_reviewed)
        chosen = _chosen(workspace, wanted)
        ruled: dict[str, Ruled | str] = {}
        for item in chosen:
            said = rules.rule(item)
            ruled[str(item.id)] = said.value if isinstance(said, NoRule) else said
        return _saved(workspace, chosen, ruled, RULES, dry_run=dry_run)


def _by_model(
    workspace: Workspace, wanted: Wanted, listener: Listener, *, dry_run: bool
) -> Suggested:
    command = "curate classify suggest"
    # Two at once would pay twice. It may take long, so that the files are locked at its end alone.
    with writing(workspace, command, lock="suggestions", dry_run=dry_run):
        asking = _Asking(workspace, wanted)
        engine = f"{OPENAI}:{asking.service.model}"
        outcome = Outcome()
        with Memory(_memory_file(workspace), read_only=dry_run, what=_MEMORY) as memory:
            asking.look(memory)
            known = len(asking.replies)
            if not dry_run:
                try:
                    outcome = _sent(workspace, asking, memory, listener)
                except (CurateError, KeyboardInterrupt):
                    asking.look(memory)  # what was paid for is written, whatever ends the run
                    with writing(workspace, command) as later:
                        _saved(later, asking.templates, asking.found(), engine)
                    raise
                asking.look(memory)
        found = asking.found()
        if dry_run:
            saved = _saved(workspace, asking.templates, found, engine, dry_run=True)
        else:
            with writing(workspace, command) as later:
                saved = _saved(later, asking.templates, found, engine)
    return replace(
        saved,
        known=known,
        requests=outcome.requests,
        unreadable=sum(item == UNREADABLE for item in found.values()),
        characters=outcome.billed,
        unanswered=outcome.unanswered,
        problem=_problem(outcome),
    )


def _sent(workspace: Workspace, asking: _Asking, memory: Memory, listener: Listener) -> Outcome:
    texts, characters = memory.unanswered()
    if texts:
        listener.tell(
            f"Note: an earlier run ended before the reply to {texts} {plural('question', texts)}; "
            f"{characters:,} characters may have been billed for them, and will be again."
        )
        memory.forget_all_sent()
    items = asking.open
    if not items:
        return Outcome()
    asking.service.prepare()
    characters = sum(item.characters for item in items)
    listener.tell(
        f"To ask {asking.service.model}: {len(items)} {plural('question', len(items))}, "
        f"{characters:,} characters."
    )
    workers = workspace.culture.translation.workers
    return send(items, asking.service, memory, workers, listener.progress)


_MEMORY = "the store of suggestions"


def _memory_file(workspace: Workspace) -> Path:
    return workspace.curate_folder / "suggestions.sqlite"


def _chosen(workspace: Workspace, wanted: Wanted) -> list[Template]:
    """The templates that are to get a label.

    Raises:
        CurateError: If one that is named is none that can be classified.
    """
    every = classifiable(workspace.bank.templates())
    ids = {str(item.id) for item in every}
    strange = [name for name in wanted.templates if name not in ids]
    if strange:
        raise CurateError(
            f"there is no template to be classified with the id {shortened(strange)}",
            workspace.shown(workspace.bank_file),
            "'curate stats' lists what there is; newly created ones (NC) are not classified",
        )
    if wanted.templates:
        return [item for item in every if str(item.id) in wanted.templates]
    done = settled(workspace.renamed_decisions)
    return [item for item in every if str(item.id) not in done]


def _saved(
    workspace: Workspace,
    templates: Sequence[Template],
    found: dict[str, Ruled | str],
    engine: str,
    *,
    dry_run: bool = False,
) -> Suggested:
    before = read_suggestions(workspace)
    hashes = classify_hashes(templates)
    at = now()
    made: dict[str, Suggestion] = {}
    without = []
    for name, said in found.items():
        if isinstance(said, str):
            without.append(Unsuggested(name, said))
            if said == _WAITING and name in before:
                made[name] = before[name]
            continue
        item = Suggestion(name, said.label, said.reason, engine, hashes[name], at)
        known = before.get(name)
        same = known is not None and replace(known, suggested_at=at) == item
        made[name] = known if same and known is not None else item
    after = {name: item for name, item in before.items() if name not in found} | made
    if after != before and not dry_run:
        SUGGESTIONS.write(suggestions_file(workspace), after.values())
    new = [item for name, item in made.items() if isinstance(found[name], Ruled)]
    counts = Counter(item.label for item in new)
    return Suggested(
        engine=engine,
        file=workspace.shown(suggestions_file(workspace)),
        templates=len(templates),
        labels={label.value: counts[label] for label in CLASSIFY_LABELS},
        suggestions=tuple(new),
        without=tuple(without),
        changed=sum(before.get(item.template_id) != item for item in new),
    )


def _problem(outcome: Outcome) -> CurateError | None:
    if outcome.stopped is not None:
        return CurateError(outcome.stopped.what, "", outcome.stopped.hint)
    if outcome.unanswered and outcome.reason is not None:
        return CurateError(
            f"{outcome.reason.what}: {outcome.unanswered} questions have no reply",
            "they may have been billed",
            outcome.reason.hint,
        )
    if outcome.refused:
        count = len(outcome.refused)
        return CurateError(f"{count} {plural('template', count)} are too long for one request")
    return None


def usable_suggestions(workspace: Workspace) -> tuple[dict[str, Suggestion], tuple[str, ...]]:
    """The suggestions of templates as they are now, and which templates changed since theirs.

    Raises:
        CurateError: If a file cannot be read.
    """
    hashes = classify_hashes(classifiable(workspace.bank.templates()))
    return fresh(read_suggestions(workspace), hashes)
