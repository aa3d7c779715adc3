"""Models behind the protocol of OpenAI's chat completions, which many servers speak."""

import json
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from curation.annotation.engines.engine import (
    WITHOUT_KEY,
    EngineFault,
    FaultKind,
    Glossary,
    Limits,
    Reply,
    Secret,
    Usage,
    fault_of,
    secret_from,
)
from curation.languages import LanguageOrCode, name_and_code
from curation.records.culture import TranslationSettings
from curation.records.errors import CurateError

_TAG = re.compile(r"<[^<>]*>")
_PROMPT = (
    "You translate short texts of a language benchmark from {source} to {target}. The user sends "
    'a JSON object with "context", which is not to be translated, and "texts". Answer with a JSON '
    'object {{"translations": [...]}} and nothing else: one string for each text, in the same '
    'order. Tags such as <x id="1"/> stand for names: keep each tag exactly as it is, once, where '
    "the name belongs, and put nothing into it that was not there. &amp; &lt; &gt; stay escaped."
)
_FORMALITY = {
    "more": "Write in a formal register.",
    "prefer_more": "Write in a formal register.",
    "less": "Write in an informal register.",
    "prefer_less": "Write in an informal register.",
}
_LIMITS = Limits(texts=20, bytes=32 * 1024)


@dataclass(frozen=True)
class OpenaiService:
    """A model with the workspace's settings.

    Attributes:
        settings: What to ask for.
        source: Language of the source texts, or its code.
        target: The culture's language, or its code.
        glossary: Words with fixed translations.
    """

    settings: TranslationSettings
    source: LanguageOrCode
    target: LanguageOrCode
    glossary: Glossary | None = None
    name: str = "openai"
    is_free: bool = False
    limits: Limits = _LIMITS

    def __post_init__(self) -> None:
        """Refuse to ask no model.

        Raises:
            CurateError: If none is named.
        """
        if not self.settings.model:
            raise CurateError(
                "no model is named", "translation.model", "name one that the server offers"
            )

    @property
    def prompt(self) -> str:
        """The system prompt of every request."""
        target = name_and_code(self.settings.target_language or self.target)
        lines = [_PROMPT.format(source=name_and_code(self.source), target=target)]
        lines += [_FORMALITY[key] for key in (self.settings.formality,) if key in _FORMALITY]
        lines += self.settings.instructions
        if self.glossary is not None:
            entries = sorted(self.glossary.entries)
            lines += ["Always translate:", *(f"{word} = {made}" for word, made in entries)]
        return "\n".join(lines)

    @property
    def signature(self) -> str:
        """Server, model and all instructions."""
        told = {"engine": self.name, "server": server_address(), "model": self.settings.model}
        return json.dumps({**told, "prompt": self.prompt}, sort_keys=True)

    def size(self, texts: Sequence[str], context: str) -> int:
        """The bytes of what is said."""
        return len(self.prompt.encode()) + len(_question(texts, context).encode())

    def prepare(self) -> None:
        """Look for a key.

        Raises:
            CurateError: If there is none.
        """
        openai_key()

    def usage(self) -> Usage | None:
        """Nothing: the protocol does not say."""
        return None

    def client(self) -> "OpenaiClient":
        """Open a connection.

        Raises:
            CurateError: If there is no key.
        """
        return OpenaiClient(openai_key(), self.settings, self.prompt)


def server_address(base_url: str = "") -> str:
    """The address of the server: the one given, else the environment's; empty for OpenAI's own."""
    return base_url.strip() or os.environ.get("OPENAI_BASE_URL", "").strip()


def openai_key(base_url: str = "", without: str = WITHOUT_KEY) -> Secret:
    """Read the key; a server of your own may need none.

    Args:
        base_url: The server's address where it is not the environment's.
        without: What can be done without a key.

    Raises:
        CurateError: If there is none.
    """
    if server_address(base_url) and not os.environ.get("OPENAI_API_KEY"):
        return Secret("no-key")
    where = "set it to your key, or OPENAI_BASE_URL to your server"
    return secret_from("OPENAI_API_KEY", where, without)


def _question(texts: Sequence[str], context: str) -> str:
    return json.dumps({"context": context, "texts": list(texts)}, ensure_ascii=False)


class OpenaiChat:
    """One connection to a model.

    Args:
        secret: The key.
        model: The model, as the server names it.
        timeout: Seconds to wait for a reply.
        base_url: The server's address where it is not the environment's.
    """

    def __init__(self, secret: Secret, model: str, timeout: float, base_url: str = "") -> None:
        import openai

        self._secret = secret
        self._model = model
        self._client = openai.OpenAI(
            api_key=secret.reveal(),
            base_url=server_address(base_url) or None,
            max_retries=0,  # attempts are counted by the runner
            timeout=timeout,
        )

    def ask(self, **said: str) -> str:
        """Ask the model; what its reply says, empty where it says nothing.

        Args:
            said: What it is told, by role, in order.

        Raises:
            EngineFault: If that failed.
        """
        messages = [{"role": role, "content": text} for role, text in said.items()]
        reply = self._call(
            lambda: self._client.chat.completions.create(
                model=self._model,
                temperature=0,
                messages=messages,  # type: ignore[arg-type]  # its types tell roles apart
            )
        )
        try:
            text = reply.choices[0].message.content
        except (LookupError, TypeError, AttributeError):
            return ""
        return text if isinstance(text, str) else ""

    def close(self) -> None:
        """Let the connection go."""
        self._client.close()

    def _call(self, call: Callable[[], Any]) -> Any:
        import openai

        try:
            return call()
        except openai.OpenAIError as error:
            raise _fault(error, self._secret) from None
        except (TypeError, ValueError, LookupError, AttributeError):
            raise fault_of("openai", "strange") from None


class OpenaiClient:
    """One connection for translations.

    Args:
        secret: The key.
        settings: Model and time to wait.
        prompt: What the model is told.
    """

    def __init__(self, secret: Secret, settings: TranslationSettings, prompt: str) -> None:
        self._chat = OpenaiChat(secret, settings.model, float(settings.timeout))
        self._prompt = prompt

    def translate(self, texts: Sequence[str], context: str) -> list[Reply]:
        """Translate texts.

        Raises:
            EngineFault: If that failed, or the model's answer cannot be read.
        """
        reply = self._chat.ask(system=self._prompt, user=_question(texts, context))
        found = _translations(reply, len(texts))
        return [Reply(made, len(_plain(text))) for text, made in zip(texts, found, strict=True)]

    def close(self) -> None:
        """Let the connection go."""
        self._chat.close()


def _plain(text: str) -> str:
    words = _TAG.sub("", text)
    return words.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _translations(text: str, count: int) -> list[str]:
    """Read the model's answer; one that is cut off or no such object is asked for in parts."""
    strange = EngineFault(
        FaultKind.TOO_LARGE, "the model's answer does not have the form that was asked for"
    )
    try:
        found = json.loads(text[text.index("{") : text.rindex("}") + 1])["translations"]
    except (ValueError, LookupError, TypeError, RecursionError):
        raise strange from None
    if not isinstance(found, list) or len(found) != count:
        raise strange
    if not all(isinstance(item, str) for item in found):
        raise strange
    return found


def _fault(error: Any, secret: Secret) -> EngineFault:
    """Say what a failure of the client means for the run."""
    return fault_of("openai", _what(error), secret.hide(str(error)))


def _what(error: Any) -> int | str | None:
    import openai

    if isinstance(error, openai.APITimeoutError):
        return "late"
    if isinstance(error, openai.APIConnectionError):
        never_sent = type(error.__cause__).__name__ in ("ConnectError", "ConnectTimeout")
        return "not reached" if never_sent else "lost"
    status = getattr(error, "status_code", None)
    used_up = status == 429 and getattr(error, "code", None) == "insufficient_quota"
    return "quota" if used_up else status
