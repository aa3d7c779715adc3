"""LibreTranslate, on a server of one's own or on another.

Its protocol: https://docs.libretranslate.com/guides/api_usage
"""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from curation.annotation.engines import engine
from curation.records.messages import refusal
from curation.web import service_key

URL_VARIABLE, KEY_VARIABLE = "LIBRETRANSLATE_URL", "LIBRETRANSLATE_API_KEY"
_PUBLIC = "https://libretranslate.com"
_KEY = f"set it to your key, or {URL_VARIABLE} to your server{engine.WITHOUT_KEY}"
_TOO_MUCH = "exceed"
"""What the server says, with status 400, of a text or a list that is longer than it takes."""


@dataclass
class LibreService(engine.OfLanguages):
    """LibreTranslate with the workspace's settings; it knows no glossary."""

    name: ClassVar[str] = "libretranslate"
    most_texts: ClassVar[int] = 25
    most_bytes: ClassVar[int] = 32 * 1024
    sees_context: ClassVar[bool] = False

    def __post_init__(self) -> None:
        """Refuse what would be left out without a word."""
        asked = {
            "glossary": bool(self.glossary),
            "formality": self.settings.formality in ("more", "less"),
            "instructions": bool(self.settings.instructions),
        }
        for name, is_asked in asked.items():
            if is_asked:
                where = f"translation.{name}"
                raise refusal("curation.annotation", "libre-lacks", where, lacking=name)

    @property
    def asked(self) -> dict[str, object]:
        """What is asked of every request."""
        target = self.settings.target_language or self.target
        return {"source": str(self.source).split("-")[0], "target": target, "format": "html"}

    @property
    def server(self) -> str:
        """Its address."""
        return os.environ.get(URL_VARIABLE, "").strip().rstrip("/") or _PUBLIC

    def signature(self, text: str) -> str:
        """Server and languages."""
        asked = {"engine": self.name, "server": self.server, **self.asked}
        return json.dumps(asked, sort_keys=True)

    def size(self, texts: Sequence[str], context: str) -> int:
        """The bytes of the body, without the key."""
        return len(json.dumps({**self.asked, "q": [*texts]}))

    def key(self) -> str:
        """The key; empty for a server of your own that needs none.

        Raises:
            CurateError: If there is none.
        """
        return service_key(KEY_VARIABLE, _KEY, needed=self.server == _PUBLIC)

    def translate(self, texts: Sequence[str], context: str) -> Sequence[engine.Reply | None]:
        """Translate texts; of a reply that lacks some, what it holds is kept.

        Raises:
            EngineFault: If that failed, or the reply is not as LibreTranslate's are.
        """
        # The key goes in the body: it stands in no address.
        key = {"api_key": key} if (key := self.key()) else {}
        value = self.call("/translate", {**self.asked, **key, "q": [*texts]})
        return self._replies(
            texts, value.get("translatedText") if isinstance(value, dict) else None
        )

    def refused(self, status: int, value: Any) -> engine.EngineFault:
        """What a refusal means: what is too much, too, has status 400."""
        is_too_much = status == 400 and _TOO_MUCH in str(value)
        return super().refused(413 if is_too_much else status, value)

    def _replies(self, texts: Sequence[str], found: object) -> Sequence[engine.Reply | None]:
        listed = found if isinstance(found, list) else []
        if not 0 < len(listed) <= len(texts) or not all(
            isinstance(one, str | None) for one in listed
        ):
            raise self.fault("strange")
        if len(listed) < len(texts):  # nobody knows whose they are
            return [None] * len(texts)
        return [engine.Reply(text, None) if text else None for text in listed]
