"""DeepL, through its own client."""

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any, ClassVar, TypeVar

from curation.annotation.engines.engine import (
    Connection,
    EngineFault,
    Glossary,
    Reply,
    Service,
    glossary_digest,
    glossary_part,
    in_their_places,
    secret_from,
)
from curation.languages import LanguageOrCode, available, load
from curation.languages.general import DeeplTexts
from curation.records.culture import TranslationSettings
from curation.records.messages import CurateError

_TAGS: dict[str, object] = {
    "tag_handling": "xml",
    "tag_handling_version": "v2",
    "ignore_tags": ["x"],
    "non_splitting_tags": ["x"],
    "outline_detection": False,
}
_KEY = "set it to the key in your DeepL account"
T = TypeVar("T")


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
    named = [texts.targets for texts in (_texts(language), _texts(wanted)) if texts is not None]
    if any(wanted.upper() in targets.values() for targets in named):
        return wanted.upper()
    known = _known_targets()
    code = wanted.lower()
    while code:
        for targets in named:
            if code in targets:
                return targets[code]
        if code.upper() in known:
            return code.upper()
        code = "" if asked else code.rpartition("-")[0]
    plain = wanted.upper().split("-")[0]
    near = [item for item in known if item.split("-")[0] == plain]
    raise CurateError(
        f"DeepL does not translate into {wanted.upper()}",
        "translation.target_language" if asked else "language",
        f"it translates into {', '.join(near or known)}; set translation.target_language in "
        "culture.yaml, "
        "or translate with another engine, such as file",
    )


def _texts(language: LanguageOrCode) -> DeeplTexts | None:
    """What a language's pack says of DeepL."""
    general = load(language).general
    return general.deepl if general is not None else None


@cache
def _known_targets() -> tuple[str, ...]:
    """What DeepL takes: what packs name, and what its client does; a region where it wants one."""
    import deepl

    listed = (value for name, value in vars(deepl.Language).items() if name.isupper())
    codes = {value.upper() for value in listed}
    for code in available():
        texts = _texts(code)
        codes |= {*texts.targets.values()} if texts is not None else set()
    with_region = {"EN", "PT"}  # the client refuses them
    return tuple(sorted(codes - with_region))


@dataclass
class DeeplService(Service):
    """DeepL with the workspace's settings.

    Attributes:
        settings: What to ask for.
        source: ISO 639-1 code of the source texts.
        target: The culture's language.
        glossary: Words with fixed translations.
    """

    settings: TranslationSettings
    source: str
    target: LanguageOrCode
    glossary: Glossary = ()
    name: ClassVar[str] = "deepl"
    is_free: ClassVar[bool] = False
    most_texts: ClassVar[int] = 50
    most_bytes: ClassVar[int] = 128 * 1024
    _glossary_id: str | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        """Refuse what DeepL would refuse after the first request."""
        target = self._target
        if self.settings.formality in ("more", "less") and self._register is None:
            raise CurateError(
                f"DeepL has no formal or informal register for {target}",
                f"translation.formality: {self.settings.formality}",
                f"write prefer_{self.settings.formality}, or describe it in "
                "translation.instructions",
            )

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
        return self.source.split("-")[0].upper(), self._target

    @property
    def asked(self) -> dict[str, object]:
        """What is asked of every request, with the glossary."""
        return self._options | ({"glossary": self._glossary_id} if self._glossary_id else {})

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
        content = glossary_digest(glossary_part(self.glossary, [text]))
        return json.dumps(
            {"engine": self.name, "glossary": content, **self._options}, sort_keys=True
        )

    def size(self, texts: Sequence[str], context: str) -> int:
        """The bytes of the body as the client writes it: JSON in ASCII."""
        body = {
            **self._options,
            "glossary_id": "0" * 36,
            "show_billed_characters": True,
            "text": list(texts),
            "context": context,
        }
        return len(json.dumps(body))

    def prepare(self) -> None:
        """Find or make the glossary.

        Raises:
            CurateError: If there is no key, or DeepL refuses.
        """
        if self.glossary:
            self._glossary_id = self._said(DeeplClient.glossary)
        else:
            secret_from("DEEPL_AUTH_KEY", _KEY)

    def left(self) -> int | None:
        """The characters that the account may still use.

        Raises:
            CurateError: If there is no key, or DeepL refuses it.
        """
        return self._said(DeeplClient.left)

    def _said(self, call: "Callable[[DeeplClient], T]") -> T:
        """Make a call outside a run.

        Raises:
            CurateError: If it fails.
        """
        client = self.client()
        try:
            return call(client)
        except EngineFault as fault:
            raise CurateError(fault.what, "DeepL", fault.hint) from None
        finally:
            client.close()

    def client(self) -> "DeeplClient":
        """Open a connection.

        Raises:
            CurateError: If there is no key.
        """
        return DeeplClient(self)


class DeeplClient(Connection):
    """One connection.

    Args:
        service: What is asked of every request.

    Raises:
        CurateError: If there is no key.
    """

    def __init__(self, service: DeeplService) -> None:
        import deepl
        from deepl import http_client

        # The client sends a request again that timed out, which is then billed twice: attempts
        # are counted by the runner, which knows what may be sent again.
        http_client.max_network_retries = 0
        http_client.min_connection_timeout = float(service.settings.timeout)
        server = os.environ.get("DEEPL_SERVER_URL", "").strip()
        secret = secret_from("DEEPL_AUTH_KEY", _KEY)
        client: Any = deepl.DeepLClient(
            secret.reveal(),
            server_url=f"{server.rstrip('/')}/" if server else None,
            verify_ssl=os.environ.get("REQUESTS_CA_BUNDLE") or None,
            send_platform_info=False,
        )
        # The client refuses a whole reply in which anything is missing, however little.
        client._api_call = partial(_completed, client._api_call)
        super().__init__(service.name, client, secret)
        self._service = service

    def translate(self, texts: Sequence[str], context: str) -> Sequence[Reply | None]:
        """Translate texts; of a reply that lacks something, what it holds is kept.

        Raises:
            EngineFault: If that failed, or the reply is not as DeepL's are.
        """
        options: dict[str, Any] = {**self._service.asked, "context": context or None}
        results = self._call(lambda: self._client.translate_text(list(texts), **options))
        replies = [
            Reply(one.text, None if one.billed_characters == _UNSAID else one.billed_characters)
            if isinstance(one.text, str)
            else None
            for one in results
        ]
        if len(replies) < len(texts):
            replies = in_their_places(texts, [one for one in replies if one is not None])
        if len(replies) > len(texts) or not any(replies):
            raise self.fault("strange", "its texts are not those that were sent")
        return replies

    def left(self) -> int | None:
        """The characters that the account may still use; None where it has no limit.

        Raises:
            EngineFault: If that failed.
        """
        found = self._call(self._client.get_usage).character
        return None if found.limit is None else max(0, found.limit - (found.count or 0))

    def glossary(self) -> str:
        """The id of a glossary with exactly the wanted entries; make it if there is none.

        Glossaries can be changed under their id, so their entries are looked at.

        Raises:
            EngineFault: If that failed.
        """
        from deepl.api_data import MultilingualGlossaryDictionaryEntries

        wanted, (source, target) = dict(self._service.glossary), self._service.languages
        name = f"curate-{glossary_digest(self._service.glossary)[:16]}"
        for known in self._call(self._client.list_multilingual_glossaries):
            if known.name == name and self._entries(known.glossary_id) == wanted:
                return str(known.glossary_id)
        entries = MultilingualGlossaryDictionaryEntries(source, target, wanted)
        made = self._call(lambda: self._client.create_multilingual_glossary(name, [entries]))
        return str(made.glossary_id)

    def _entries(self, glossary_id: str) -> dict[str, str]:
        import deepl
        from deepl.util import convert_tsv_to_dict

        try:
            source, target = self._service.languages
            found = self._client.get_multilingual_glossary_entries(glossary_id, source, target)
            entries: dict[str, str] = {}
            for item in found.dictionaries:
                # The client hands on the table of tab-separated values as it came.
                entries |= (
                    convert_tsv_to_dict(item.entries)
                    if isinstance(item.entries, str)
                    else item.entries
                )
        except (deepl.DeepLException, LookupError, ValueError, TypeError):
            return {}
        return entries

    def _call(self, call: Callable[[], T]) -> T:
        import deepl

        try:
            return call()
        except deepl.DeepLException as error:
            what = error.http_status_code or _without_status(error.__cause__)
            raise self.fault(what, str(error)) from None
        except (TypeError, ValueError, LookupError, AttributeError):
            raise self.fault("strange", "it lacks the fields of DeepL's replies") from None


_UNSAID = -1
"""In the place of a count that a reply lacks: the client takes a whole number alone."""


def _completed(call: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Make a call of the client, and write into its reply which fields were missing."""
    status, content, found = call(*args, **options)
    if isinstance(found, dict) and isinstance(found.get("translations"), list):
        held = [item if isinstance(item, dict) else {} for item in found["translations"]]
        counts = (item.get("billed_characters") for item in held)
        found["translations"] = [
            {
                **item,
                "text": item.get("text"),
                "billed_characters": count if isinstance(count, int) else _UNSAID,
            }
            for item, count in zip(held, counts, strict=True)
        ]
    return status, content, found


def _without_status(cause: object) -> str:
    """Say what happened to a request that got no reply."""
    from requests import exceptions

    if not isinstance(cause, exceptions.RequestException):
        return "not made"
    if isinstance(cause, exceptions.SSLError):
        return "not trusted"
    if isinstance(cause, exceptions.ConnectTimeout) or (
        isinstance(cause, exceptions.ConnectionError) and _not_connected(cause)
    ):
        return "not reached"
    return "late" if isinstance(cause, exceptions.Timeout) else "lost"


def _not_connected(cause: Exception) -> bool:
    """Tell a connection that was never made from one that was lost."""
    from urllib3.exceptions import MaxRetryError, NewConnectionError

    inner = cause.args[0] if cause.args else None
    return isinstance(inner, MaxRetryError) and isinstance(inner.reason, NewConnectionError)
