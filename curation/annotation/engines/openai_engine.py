"""Models behind the protocol of OpenAI's chat completions, which many servers speak."""

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from curation.annotation.engines import engine
from curation.languages import name_and_code
from curation.records.messages import CurateError, counted, refusal
from curation.report.texts import resource
from curation.web import NO_KEY, service_key

_PROMPT = resource(__package__, "translate.txt")
_OWN = "https://api.openai.com/v1"
_FORMALITY = {"more": "Write in a formal register.", "less": "Write in an informal register."}


@dataclass
class ChatService(engine.ServerService):
    """A model with the workspace's settings; an engine says what it is told, and what it replied.

    Attributes:
        without: What can be done without a key.
    """

    name: ClassVar[str] = "openai"
    most_texts: ClassVar[int] = 20
    most_bytes: ClassVar[int] = 32 * 1024
    without: ClassVar[str] = engine.WITHOUT_KEY
    _drawing: dict[str, object] = field(
        default_factory=lambda: {"temperature": 0}, init=False, repr=False
    )

    def __post_init__(self) -> None:
        """Refuse to ask no model.

        Raises:
            CurateError: If none is named.
        """
        if not self.settings.model.strip():
            raise refusal("curation.annotation", "model-unnamed", "translation.model")

    def signed(self, **told: str) -> str:
        """A signature of server, model and what else a reply depends on."""
        asked = {"server": _server_address(), "model": self.settings.model}
        return json.dumps({**asked, **told}, sort_keys=True)

    def said(self, texts: Sequence[str], context: str) -> dict[str, str]:
        """What the model is told, by role."""
        raise NotImplementedError

    def read(self, reply: str, texts: Sequence[str]) -> Sequence[engine.Reply | None]:
        """What the model's reply says of each text.

        Raises:
            EngineFault: If it cannot be read.
        """
        raise NotImplementedError

    def size(self, texts: Sequence[str], context: str) -> int:
        """The bytes of what is said."""
        return sum(len(text.encode()) for text in self.said(texts, context).values())

    def key(self) -> str:
        """The key; empty for a server of your own that needs none.

        Raises:
            CurateError: If there is none.
        """
        hint = f"set it to your key, or OPENAI_BASE_URL to your server{self.without}"
        return service_key("OPENAI_API_KEY", hint, needed=not _server_address())

    @property
    def server(self) -> str:
        """Its address."""
        return _server_address() or _OWN

    def headers(self) -> dict[str, str]:
        """The key."""
        return {"Authorization": f"Bearer {self.key() or NO_KEY}"}

    def translate(self, texts: Sequence[str], context: str) -> Sequence[engine.Reply | None]:
        """Ask the model; the runner of all engines calls it so.

        Raises:
            EngineFault: If that failed, or the model's answer cannot be read.
        """
        said = self.said(texts, context)
        messages = [{"role": role, "content": text} for role, text in said.items()]
        model = self.settings.model
        asked = {"model": model, "messages": messages, **self._drawing}
        value = self.call("/chat/completions", asked)
        if not isinstance(value, dict):
            raise self.fault("strange")
        try:
            text = value["choices"][0]["message"]["content"]
        except (LookupError, TypeError):
            text = ""
        return self.read(text if isinstance(text, str) else "", texts)

    def refused(self, status: int, value: Any) -> engine.EngineFault:
        """What a refusal means: a quota that is used up has a status of its own here.

        Models that reason take no temperature. They are asked again without one.
        """
        error = value.get("error") if isinstance(value, dict) else None
        said = error if isinstance(error, dict) else {}
        if status == 429 and said.get("code") == "insufficient_quota":
            return self.fault("quota")
        if status == 400 and said.get("param") == "temperature":
            self._drawing = {}
            return engine.EngineFault(engine.FaultKind.BUSY, "the model takes no temperature")
        return super().refused(status, value)


def _server_address() -> str:
    """The address of the server, of the environment; empty for OpenAI's own."""
    return os.environ.get("OPENAI_BASE_URL", "").strip()


_THOUGHTS = re.compile(r".*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)


def said_in(reply: str) -> str:
    """A reply without what the model thought before; its opening tag may stand in the prompt."""
    return _THOUGHTS.sub("", reply).strip()


def json_in(reply: str) -> dict[str, Any]:
    """The JSON object in a reply; an empty one where there is none."""
    text = said_in(reply)
    try:
        found: dict[str, Any] = json.loads(text[text.index("{") : text.rindex("}") + 1])
    except (ValueError, RecursionError):
        return {}
    return found


class QuestionService(ChatService):
    """A model that is asked one question in each request; its reply is kept as it is.

    Attributes:
        purpose: What the replies are for.
    """

    purpose: ClassVar[str]
    most_texts: ClassVar[int] = 1
    most_bytes: ClassVar[int] = 256 * 1024

    def signature(self, text: str) -> str:
        """Server and model."""
        return self.signed(engine=self.purpose)

    def said(self, texts: Sequence[str], context: str) -> dict[str, str]:
        """The question."""
        return {"user": "".join(texts)}

    def read(self, reply: str, texts: Sequence[str]) -> list[engine.Reply]:
        """The reply as it is."""
        return [engine.Reply(reply, len(text)) for text in texts]

    def replies(self, memory: engine.Memory, questions: Mapping[str, str]) -> dict[str, str]:
        """The replies that are known, by the names of their questions."""
        keys = {
            name: engine.reply_key(self.signature(asked), "", asked)
            for name, asked in questions.items()
        }
        found = memory.find([*keys.values()])
        return {name: found[key] for name, key in keys.items() if key in found}

    def open(self, memory: engine.Memory, questions: Mapping[str, str]) -> list[engine.TextToSend]:
        """What is to be sent for questions without a reply, each once."""
        known = self.replies(memory, questions)
        asked = (text for name, text in questions.items() if name not in known)
        return [engine.TextToSend(text, "", len(text)) for text in dict.fromkeys(asked)]

    def ask(
        self, memory: engine.Memory, items: Sequence[engine.TextToSend], listener: engine.Listener
    ) -> engine.Outcome:
        """Ask what is open.

        Raises:
            CurateError: If there is no key, or the budget does not suffice.
        """
        engine.tell_unanswered(memory, listener, "question")
        if not items:
            return engine.Outcome()
        self.prepare()
        characters = sum(item.characters for item in items)
        count, cost = counted(len(items), "question"), engine.cost_text(characters, self.settings)
        listener.tell(f"To ask {self.settings.model}: {count}, {cost}.")
        if said := engine.over_budget(self, self.settings.budget, characters, memory):
            raise CurateError(said, "translation.budget", "raise the budget")
        return engine.send(items, self, memory, self.settings.workers, listener.progress)


@dataclass
class OpenaiService(ChatService, engine.OfLanguages):
    """A model that translates."""

    def prompt(self, texts: Sequence[str]) -> str:
        """The system prompt, with the entries of the glossary that occur in texts."""
        target = name_and_code(self.settings.target_language or self.target)
        lines = [_PROMPT.format(source=name_and_code(self.source), target=target)]
        register = self.settings.formality.removeprefix("prefer_")
        lines += [_FORMALITY[register]] if register in _FORMALITY else []
        lines += self.settings.instructions
        if entries := sorted(engine.glossary_part(self.glossary, texts)):
            lines += ["Always translate:", *(f"{word} = {made}" for word, made in entries)]
        return "\n".join(lines)

    def signature(self, text: str) -> str:
        """Server, model and all instructions."""
        return self.signed(engine=self.name, prompt=self.prompt([text]))

    def said(self, texts: Sequence[str], context: str) -> dict[str, str]:
        """The prompt, and the texts as JSON."""
        asked = json.dumps({"context": context, "texts": list(texts)}, ensure_ascii=False)
        return {"system": self.prompt(texts), "user": asked}

    def read(self, reply: str, texts: Sequence[str]) -> Sequence[engine.Reply | None]:
        """The translations; none of an answer that is cut off, no such object, or lacks a text.

        Raises:
            EngineFault: If it has none of a text that was asked for alone.
        """
        found = json_in(reply).get("translations")
        given = found if isinstance(found, list) else []
        listed = [item if isinstance(item, str) else "" for item in given]
        if len(listed) != len(texts):  # a model that gives fewer has often made one of two
            listed = [""] * len(texts)
        if listed == [""]:
            what = "the model's answer does not have the form that was asked for"
            raise engine.EngineFault(engine.FaultKind.TOO_LARGE, what, billed=True)
        return [engine.Reply(item, None) if item else None for item in listed]
