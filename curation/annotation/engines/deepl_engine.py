"""DeepL.

Its protocol: https://developers.deepl.com/api-reference
"""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar
from urllib.parse import urlencode

from curation.annotation.engines import engine
from curation.languages import LanguageOrCode, available, load
from curation.languages.general import DeeplTexts
from curation.records.messages import own_yaml, refusal
from curation.report.texts import resource
from curation.web import service_key

_TAGS: dict[str, object] = {
    "tag_handling": "xml",
    "tag_handling_version": "v2",
    "ignore_tags": ["x"],
    "non_splitting_tags": ["x"],
    "outline_detection": False,
}
_KEY = f"set it to the key in your DeepL account{engine.WITHOUT_KEY}"


def target_code(language: LanguageOrCode, asked: str = "") -> str:
    """A target language as DeepL takes it, by what the language's pack says.

    A variant that the pack does not name is that of its language: `de-AT` is DE. A language of
    which no pack says anything is called as DeepL's own client calls it.

    Args:
        language: The culture's.
        asked: What was asked for in DeepL's words, in its place; no other variant will do.

    Raises:
        CurateError: If DeepL does not translate into it.
    """
    wanted = asked or load(language).code
    targets: dict[str, str] = {}
    for texts in (_texts(wanted), _texts(language)):
        targets |= texts.targets if texts is not None else {}
    if wanted.upper() in targets.values():
        return wanted.upper()
    known = _known_targets()
    code = wanted.lower()
    while code:
        if code in targets or code.upper() in known:
            return targets.get(code, code.upper())
        code = "" if asked else code.rpartition("-")[0]
    plain = wanted.upper().split("-")[0]
    near = [item for item in known if item.split("-")[0] == plain]
    where, words = "translation.target_language" if asked else "language", {"known": near or known}
    raise refusal("curation.annotation", "deepl-target", where, wanted=wanted.upper(), **words)


def _texts(language: LanguageOrCode) -> DeeplTexts | None:
    """What a language's pack says of DeepL."""
    general = load(language).general
    return general.deepl if general is not None else None


@cache
def _known_targets() -> tuple[str, ...]:
    """What DeepL takes: what packs name, and all others that it has."""
    codes = set(own_yaml(resource(__package__, "deepl.yaml"))["targets"])
    for code in available():
        texts = _texts(code)
        codes |= {*texts.targets.values()} if texts is not None else set()
    return tuple(sorted(codes))


@dataclass
class DeeplService(engine.OfLanguages):
    """DeepL with the workspace's settings."""

    name: ClassVar[str] = "deepl"
    most_texts: ClassVar[int] = 50
    most_bytes: ClassVar[int] = 128 * 1024
    _glossary_id: str | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        """Refuse what DeepL would refuse after the first request."""
        target = self._target
        if self.settings.formality in ("more", "less") and self._register is None:
            words = {"target": target, "formality": self.settings.formality}
            where = f"translation.formality: {self.settings.formality}"
            raise refusal("curation.annotation", "deepl-register", where, **words)

    @property
    def _target(self) -> str:
        return target_code(self.target, self.settings.target_language)

    @property
    def _register(self) -> str | None:
        """The register that the language's pack asks for; None where DeepL knows none."""
        for texts in (_texts(self.target), _texts(self._target)):
            if texts is not None and self._target in texts.targets.values():
                return texts.formality
        return None

    @property
    def languages(self) -> tuple[str, str]:
        """The languages of the source texts and of the translations, as DeepL names them."""
        return str(self.source).split("-")[0].upper(), self._target

    @property
    def asked(self) -> dict[str, object]:
        """What is asked of every request, with the glossary."""
        return self._options | ({"glossary_id": self._glossary_id} if self._glossary_id else {})

    @property
    def _options(self) -> dict[str, object]:
        """What is asked of every request, but the glossary, which has an id of its own there."""
        source, target = self.languages
        options: dict[str, object] = {"source_lang": source, "target_lang": target, **_TAGS}
        wanted = self.settings.formality
        register = (self._register or "default") if wanted == "default" else wanted
        if register != "default":
            options["formality"] = register
        if self.settings.instructions:
            options["custom_instructions"] = list(self.settings.instructions)
        return options

    def signature(self, text: str) -> str:
        """Every option, with what the glossary holds for the text in place of its id."""
        content = engine.glossary_digest(engine.glossary_part(self.glossary, [text]))
        return json.dumps(
            {"engine": self.name, "glossary": content, **self._options}, sort_keys=True
        )

    def size(self, texts: Sequence[str], context: str) -> int:
        """The bytes of the body: JSON in ASCII."""
        body = {
            **self._options,
            "glossary_id": "0" * 36,
            "show_billed_characters": True,
            "text": list(texts),
            "context": context,
        }
        return len(json.dumps(body))

    def key(self) -> str:
        """The key.

        Raises:
            CurateError: If there is none.
        """
        return service_key("DEEPL_AUTH_KEY", _KEY)

    @property
    def server(self) -> str:
        """Its address: free accounts have one of their own."""
        free = "api-free" if self.key().endswith(":fx") else "api"
        return os.environ.get("DEEPL_SERVER_URL", "").strip() or f"https://{free}.deepl.com"

    def headers(self) -> dict[str, str]:
        """The key."""
        return {"Authorization": f"DeepL-Auth-Key {self.key()}"}

    def prepare(self) -> None:
        """Find or make the glossary.

        Raises:
            CurateError: If there is no key, or DeepL refuses.
        """
        super().prepare()
        if self.glossary:
            try:
                self._glossary_id = self._found_or_made()
            finally:
                self.close()

    def left(self) -> int | None:
        """The characters that the account may still use; None where it has no limit.

        Raises:
            CurateError: If there is no key, or DeepL refuses it.
        """
        try:
            usage = self._part({"usage": self.call("/v2/usage")}, "usage", dict)
        finally:
            self.close()
        limit, used = usage.get("character_limit"), usage.get("character_count")
        return max(0, limit - (used or 0)) if isinstance(limit, int) else None

    def translate(self, texts: Sequence[str], context: str) -> Sequence[engine.Reply | None]:
        """Translate texts; of a reply that lacks something, what it holds is kept.

        Raises:
            EngineFault: If that failed, or the reply is not as DeepL's are.
        """
        body = {"text": list(texts), **self.asked, "show_billed_characters": True}
        value = self.call("/v2/translate", {**body, "context": context} if context else body)
        replies = [_reply(item) for item in self._part(value, "translations")]
        if not 0 < len(replies) <= len(texts):
            raise self.fault("strange", "its texts are not those that were sent")
        # Of fewer replies nobody knows whose they are.
        return replies if len(replies) == len(texts) else [None] * len(texts)

    def _part(self, value: Any, name: str, kind: type = list) -> Any:
        """A part of a reply.

        Raises:
            EngineFault: If it has none of this kind.
        """
        found = value.get(name) if isinstance(value, dict) else None
        if not isinstance(found, kind):
            raise self.fault("strange", "it lacks the fields of DeepL's replies")
        return found

    def _found_or_made(self) -> str:
        """The id of a glossary with exactly the wanted entries; make it if there is none.

        Glossaries can be changed under their id, so their entries are looked at.

        Raises:
            EngineFault: If that failed.
        """
        wanted, (source, target) = dict(self.glossary), self.languages
        # A glossary is of languages, and holds of each variant of them.
        pair = {"source_lang": source, "target_lang": target.split("-")[0]}
        name = f"curate-{engine.glossary_digest(self.glossary)[:16]}"
        for known in self._part(self.call("/v3/glossaries"), "glossaries"):
            if isinstance(known, dict) and known.get("name") == name:
                path = f"/v3/glossaries/{known.get('glossary_id')}/entries?{urlencode(pair)}"
                if self._entries(path) == wanted:
                    return str(known["glossary_id"])
        entries = "\n".join(f"{word}\t{made}" for word, made in wanted.items())
        held = {**pair, "entries": entries, "entries_format": "tsv"}
        made = self.call("/v3/glossaries", {"name": name, "dictionaries": [held]})
        return str(self._part(made, "glossary_id", str))

    def _entries(self, path: str) -> dict[str, str]:
        try:
            found = self._part(self.call(path), "dictionaries")
            tables = [item["entries"] for item in found]
            lines = [line for table in tables for line in table.splitlines() if line]
            return {
                word.strip(): made.strip() for word, _, made in (x.partition("\t") for x in lines)
            }
        except (engine.EngineFault, LookupError, TypeError, ValueError, AttributeError):
            return {}


def _reply(item: Any) -> engine.Reply | None:
    """A translation; None where it lacks its text."""
    if not isinstance(item, dict) or not isinstance(item.get("text"), str):
        return None
    count = item.get("billed_characters")
    return engine.Reply(item["text"], count if isinstance(count, int) else None)
