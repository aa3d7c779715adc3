"""Labels by a model behind the protocol of OpenAI's chat completions."""

import json
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from curation.annotation.classify_sheets import shown
from curation.annotation.engines.engine import Limits, Reply, Usage
from curation.annotation.engines.openai_engine import OpenaiChat, openai_key, server_address
from curation.annotation.labelstudio.tasks import NOTHING
from curation.annotation.suggestions.rules import Ruled
from curation.languages.annotation import Pages
from curation.records.annotation import CLASSIFY_LABELS
from curation.records.bank import Label, Template
from curation.records.errors import CurateError
from curation.records.survey import join_groups

_SHOWN = (
    *("stereotype", "target_groups", "ambiguous_context", "disambiguating_context"),
    *("questions", "answers", "fillers", "reference"),
)
_WITHOUT = "--engine rules needs no model, it looks only at the groups"
_REASON = 300
_LIMITS = Limits(texts=1, bytes=256 * 1024)
_NAMES = "|".join(label.value for label in CLASSIFY_LABELS)
_THINKING = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
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
    lines = (f"{getattr(titles, name)}: {told[name]}" for name in _SHOWN if told[name])
    listed = join_groups(groups) or NOTHING
    return prompt.format(culture=culture, template="\n".join(lines), groups=listed)


def read_reply(reply: str) -> Ruled | None:
    """The label that a reply begins with, and why; None where it names none, or two of them."""
    text = unicodedata.normalize("NFKC", _THINKING.sub("", reply)).strip()
    listed = _listed(text)
    if listed is not None:
        return listed
    lines = [line for line in text.splitlines() if line.strip(" `*#_-")]
    found = _FIRST.match(lines[0]) if lines else None
    if found is None:
        return None
    rest = lines[0][found.end() :]
    if _OTHER.match(rest) and not _BETWEEN.match(rest):
        return None
    return Ruled(Label(found[1]), _reason(" ".join((rest, *lines[1:]))))


def _listed(text: str) -> Ruled | None:
    """A label in a JSON object, which some models write whatever they are asked for."""
    if "{" not in text:
        return None
    try:
        value = json.loads(text[text.index("{") : text.rindex("}") + 1])
        return Ruled(Label(_known(str(value["label"]).strip())), _reason(str(value["reason"])))
    except (ValueError, LookupError, TypeError, RecursionError):
        return None


def _known(label: str) -> str:
    if label not in CLASSIFY_LABELS:
        raise ValueError(label)
    return label


def _reason(text: str) -> str:
    line = " ".join(text.split()).strip(" *_`").lstrip(":.;-\u2013\u2014\u3002 ")
    return line if len(line) <= _REASON else f"{line[: _REASON - 1].rstrip()}\u2026"


@dataclass(frozen=True)
class SuggestService:
    """A model that is asked for labels; speaks `engines.engine.Service`.

    Attributes:
        model: The model, as the server names it.
        base_url: The server's address; the environment's, else OpenAI's, where it is empty.
        timeout: Seconds to wait for a reply.
    """

    model: str
    base_url: str = ""
    timeout: float = 60
    name: str = "openai"
    is_free: bool = False
    limits: Limits = _LIMITS

    def __post_init__(self) -> None:
        """Refuse to ask no model.

        Raises:
            CurateError: If none is named.
        """
        if not self.model.strip():
            raise CurateError("no model is named", "--model", "name one that the server offers")

    @property
    def signature(self) -> str:
        """Server and model."""
        told = {"engine": "suggest", "server": server_address(self.base_url), "model": self.model}
        return json.dumps(told, sort_keys=True)

    def size(self, texts: Sequence[str], context: str) -> int:
        """The bytes of what is said."""
        return len(context.encode()) + sum(len(text.encode()) for text in texts)

    def prepare(self) -> None:
        """Look for a key.

        Raises:
            CurateError: If there is none.
        """
        openai_key(self.base_url, _WITHOUT)

    def usage(self) -> Usage | None:
        """Nothing: the protocol does not say."""
        return None

    def client(self) -> "SuggestClient":
        """Open a connection.

        Raises:
            CurateError: If there is no key.
        """
        secret = openai_key(self.base_url, _WITHOUT)
        return SuggestClient(OpenaiChat(secret, self.model, self.timeout, self.base_url))


class SuggestClient:
    """One connection.

    Args:
        chat: The model.
    """

    def __init__(self, chat: OpenaiChat) -> None:
        self._chat = chat

    def translate(self, texts: Sequence[str], context: str) -> list[Reply]:
        """Ask each question; the runner of all engines calls it so.

        Raises:
            EngineFault: If that failed.
        """
        del context
        return [Reply(self._chat.ask(user=text), len(text)) for text in texts]

    def close(self) -> None:
        """Let the connection go."""
        self._chat.close()
