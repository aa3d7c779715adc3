"""Suggest labels for templates that are to be classified; say before what a model would cost."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from curation.annotation.classify_sheets import classify_hashes
from curation.annotation.engines.memory import Memory, reply_key
from curation.annotation.engines.runner import (
    Item,
    Listener,
    Outcome,
    problem_of,
    send,
    tell_unanswered,
)
from curation.annotation.labels import classifiable, settled
from curation.annotation.suggestions.model import SuggestService, question, read_reply
from curation.annotation.suggestions.rules import GroupRules, NoRule, Ruled
from curation.annotation.suggestions.shown import (
    ENGINES,
    OPENAI,
    RULES,
    SUGGESTIONS,
    Suggestion,
    read_suggestions,
    suggest_texts,
    suggestions_file,
)
from curation.annotation.texts import pages
from curation.files.ledger import now
from curation.files.lock import writing
from curation.files.workspace import Workspace
from curation.languages import missing
from curation.records.annotation import CLASSIFY_LABELS
from curation.records.bank import Template
from curation.records.errors import CurateError, refuse_unknown
from curation.records.frames import frame
from curation.records.wording import counted, shortened

if TYPE_CHECKING:
    import pandas as pd

UNREADABLE = "the model's reply names no label"
"""Why a template has no suggestion of a model that has replied."""
_WAITING = "the model has not replied"


@dataclass(frozen=True, slots=True)
class Suggested:
    """What was suggested.

    Attributes:
        engine: What suggested it: `rules`, or `openai:` and the model.
        file: Where the suggestions are.
        templates: How many templates were to get one.
        labels: How often each label is suggested.
        suggestions: The suggestions for them.
        without: Those that have none (`template_id`), and `why`.
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
    without: tuple[dict[str, str], ...]
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


class _Asking:
    """The questions for a model, and the replies that are known."""

    def __init__(
        self, workspace: Workspace, templates: Sequence[str], *, groups_reviewed: bool
    ) -> None:
        self.templates = _chosen(workspace, templates)
        self.service = SuggestService(workspace.culture.translation)
        self.file = workspace.curate_folder / "suggestions.sqlite"
        texts = workspace.language.suggest
        if texts is None:
            raise missing(
                "suggest",
                workspace.language,
                f"there is no prompt for suggested labels in '{workspace.language}'",
                workspace.shown(workspace.culture_file),
                "use the rules instead: --engine rules",
            )
        rules = GroupRules(workspace, texts, reviewed=groups_reviewed)
        titles, culture = pages(workspace.language), workspace.culture.culture
        self.questions = {
            str(one.id): question(one, culture, rules.groups(one.category), texts.prompt, titles)
            for one in self.templates
        }
        self.replies: dict[str, str] = {}

    def memory(self, *, read_only: bool = False) -> Memory:
        """Where replies are kept."""
        return Memory(self.file, read_only=read_only, what="the store of suggestions")

    def look(self, memory: Memory) -> list[Item]:
        """Find out which replies are there; what is to be sent, each question once."""
        signed = self.service.signature
        keys = {name: reply_key(signed(asked), "", asked) for name, asked in self.questions.items()}
        found = memory.find(list(keys.values()))
        self.replies = {name: found[key] for name, key in keys.items() if key in found}
        asked = (self.questions[name] for name in self.questions if name not in self.replies)
        return [Item(text, "", len(text)) for text in dict.fromkeys(asked)]

    def found(self) -> dict[str, Ruled | str]:
        """By template its label, or why it has none."""
        return {
            name: _WAITING
            if name not in self.replies
            else read_reply(self.replies[name]) or UNREADABLE
            for name in self.questions
        }


def estimate_suggestions(
    workspace: Workspace, templates: Sequence[str] = (), *, groups_reviewed: bool = False
) -> dict[str, Any]:
    """Count what a model would be asked; nothing is sent, and no key is needed.

    Args:
        workspace: The workspace.
        templates: Ids of templates; all that have no consensus yet by default.
        groups_reviewed: As for `suggest_labels`.

    Returns:
        The `model`; how many `templates` are to get a label, for how many of them a reply is
        `known`, and how many questions there are `to_send`; their `characters`, to which the
        replies come on top; and the `price`, None where no price is known.

    Raises:
        CurateError: If no model is named, the language has no prompt, or a file cannot be read.
    """
    asking = _Asking(workspace, templates, groups_reviewed=groups_reviewed)
    with asking.memory(read_only=True) as memory:
        items = asking.look(memory)
    characters, settings = sum(item.characters for item in items), workspace.culture.translation
    return {
        "model": settings.model,
        "templates": len(asking.templates),
        "known": len(asking.replies),
        "to_send": len(items),
        "characters": characters,
        "price": None if settings.price is None else float(settings.price * characters / 1_000_000),
    }


def suggest_labels(
    workspace: Workspace,
    engine: str = RULES,
    templates: Sequence[str] = (),
    *,
    groups_reviewed: bool = False,
    listener: Listener | None = None,
) -> Suggested:
    """Suggest labels, and write them; they replace earlier suggestions for the same templates.

    A suggestion is not a label. A template without a new suggestion loses its earlier one, except
    if a model has not replied. No reply is paid for twice, so an interrupted run can be run again.

    Args:
        workspace: The workspace.
        engine: `rules` or `openai`, which is the model of `translation.model` in the settings.
        templates: Ids of templates; all that have no consensus yet by default.
        groups_reviewed: Whether groups.csv says what groups the culture has also where nobody has
            changed it since the import.
        listener: Who is told while a model is asked; nobody by default.

    Raises:
        CurateError: If there is no such template or engine, a key is missing, or a file cannot be
            read or written.
    """
    refuse_unknown("engine", engine, ENGINES)
    if engine == OPENAI:
        # Two at once would pay twice. It may take long, so that the files are locked at its end
        # alone.
        with writing(workspace, _COMMAND, lock="suggestions"):
            asking = _Asking(workspace, templates, groups_reviewed=groups_reviewed)
            return _by_model(workspace, asking, listener or Listener())
    with writing(workspace, _COMMAND):
        texts = suggest_texts(workspace.language)
        rules = GroupRules(workspace, texts, reviewed=groups_reviewed)
        chosen = _chosen(workspace, templates)
        ruled = {str(item.id): rules.rule(item) for item in chosen}
        said = {n: one.value if isinstance(one, NoRule) else one for n, one in ruled.items()}
        return _saved(workspace, chosen, said, RULES)


_COMMAND = "curate classify suggest"


def _by_model(workspace: Workspace, asking: _Asking, listener: Listener) -> Suggested:
    service, outcome = asking.service, Outcome()
    with asking.memory() as memory:
        items = asking.look(memory)
        known = len(asking.replies)
        try:
            tell_unanswered(memory, listener, "question")
            if items:
                service.prepare()
                characters = sum(item.characters for item in items)
                count = counted(len(items), "question")
                model = service.settings.model
                listener.tell(f"To ask {model}: {count}, {characters:,} characters.")
                workers = service.settings.workers
                outcome = send(items, service, memory, workers, listener.progress)
        finally:
            asking.look(memory)  # what was paid for is written, whatever ends the run
            found = asking.found()
            engine = f"{OPENAI}:{service.settings.model}"
            with writing(workspace, _COMMAND) as later:
                saved = _saved(later, asking.templates, found, engine)
    return replace(
        saved,
        known=known,
        requests=outcome.requests,
        unreadable=sum(item == UNREADABLE for item in found.values()),
        characters=outcome.billed,
        unanswered=len(outcome.unanswered),
        problem=problem_of([outcome], "question", ""),
    )


def _chosen(workspace: Workspace, wanted: Sequence[str]) -> list[Template]:
    """The templates that are to get a label.

    Raises:
        CurateError: If one that is named is none that can be classified.
    """
    every = classifiable(workspace.bank.templates())
    ids = {str(item.id) for item in every}
    strange = [name for name in wanted if name not in ids]
    if strange:
        raise CurateError(
            f"there is no template to be classified with the id {shortened(strange)}",
            workspace.shown(workspace.bank_file),
            "'curate stats' lists what there is; newly created ones (NC) are not classified",
        )
    done = settled(workspace.renamed_decisions)
    return [one for one in every if (str(one.id) in wanted if wanted else str(one.id) not in done)]


def _saved(
    workspace: Workspace, templates: Sequence[Template], found: dict[str, Ruled | str], engine: str
) -> Suggested:
    before = read_suggestions(workspace)
    hashes = classify_hashes(templates)
    at = now()
    made: dict[str, Suggestion] = {}
    for name, said in found.items():
        if isinstance(said, Ruled):
            item = Suggestion(name, said.label, said.reason, engine, hashes[name], at)
            known = before.get(name, item)
            made[name] = known if replace(known, suggested_at=at) == item else item
    new = list(made.values())
    kept = [item for name, item in before.items() if found.get(name, _WAITING) == _WAITING]
    after = {item.template_id: item for item in (*kept, *new)}
    if after != before:
        SUGGESTIONS.write(suggestions_file(workspace), after.values())
    counts = Counter(item.label for item in new)
    without = {name: said for name, said in found.items() if isinstance(said, str)}
    return Suggested(
        engine=engine,
        file=workspace.shown(suggestions_file(workspace)),
        templates=len(templates),
        labels={label.value: counts[label] for label in CLASSIFY_LABELS},
        suggestions=tuple(new),
        without=tuple({"template_id": name, "why": why} for name, why in without.items()),
        changed=sum(before.get(item.template_id) != item for item in new),
    )
