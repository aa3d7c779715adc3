"""A model behind a server that speaks OpenAI's chat completions.

What a reply says is read in `completions`. Each call is one attempt: who asks again is the runner,
which counts.
"""

import os
import time
from dataclasses import replace
from urllib.parse import urlsplit

from curation.records.messages import CurateError
from curation.web import NO_KEY, Answer, Client, NoReply, Scrubber, service_address, service_key
from evaluation.replies.reply import Failure, FailureKind, Reply
from evaluation.requests import Request
from evaluation.runner.backend import BackendSettings
from evaluation.runner.backends.completions import failure, read_completion, refused_reply
from evaluation.runner.index import ENCODE

FIRST_REST_S = 1.0
"""Seconds that a server is left alone when it cannot be reached; then twice as long."""
LONGEST_REST_S = 60.0
"""The most of these."""
LONGEST_WAIT_S = 600.0
"""The longest that a run waits because a server asks for it; then it stops."""
PATIENCE_S = 60.0
"""Seconds without a sign of life of the server after which a run stops."""
FIRST_PATIENCE_S = 10.0
"""The same while it has never answered."""
OWN_URL = "https://api.openai.com/v1"
"""OpenAI's own address."""
_PATH = "/chat/completions"
_NAMED = {"OPENAI_ORG_ID": "OpenAI-Organization", "OPENAI_PROJECT_ID": "OpenAI-Project"}


class OpenaiBackend:
    """A server's model.

    Args:
        settings: Model, parameters, address, time to wait.

    Attributes:
        model: What replies call the model.
        asking: How it is asked.

    Raises:
        CurateError: If there is no key, or the address is none.
    """

    def __init__(self, settings: BackendSettings) -> None:
        self.model = settings.measured
        self.asking = settings.asking()
        own = os.environ.get("OPENAI_BASE_URL", "").strip()
        self._url = service_address(settings.base_url or own or OWN_URL, "--base-url")
        # Azure's dated address has its version behind it.
        base, mark, query = self._url.partition("?")
        self._completions = f"{base.rstrip('/')}{_PATH}{mark}{query}"
        hint = "set it to your key, or name a server that needs none with --base-url"
        needed = settings.lacks_key
        key = "" if settings.dry else service_key(settings.key_variable, hint, needed=needed)
        self._scrubber = Scrubber(key)
        headers = _headers(key or NO_KEY, dated=bool(urlsplit(self._url).query))
        self._client = Client(self._url, headers, settings.timeout_s)
        self._rests_until = 0.0  # on the clock of `time.monotonic`
        self._down = 0  # how often it could not be reached since its last sign of life
        self._alive = time.monotonic()
        self._answered = False

    async def ask(self, request: Request, first: str | None = None) -> Reply:
        """Ask the server, once; while it is to be left alone, say so."""
        wait = self._rests_until - time.monotonic()
        if wait > 0:
            return Reply(None, error=self._resting(wait))
        body = ENCODE(self.asking.body(request, first)).encode()
        start = time.perf_counter()
        answer = await self._client.post(self._completions, body)
        reply = replace(self._read(answer), latency_s=time.perf_counter() - start)
        self._note(reply.error)
        return reply

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    def _read(self, answer: Answer | NoReply) -> Reply:
        if isinstance(answer, NoReply):
            return Reply(None, error=failure(answer.cause, answer.said, answer.status))
        if 200 <= answer.status < 300:
            return read_completion(answer.body, self._scrubber)
        return refused_reply(answer.status, answer.body, answer.headers, self._scrubber)

    def _note(self, error: Failure | None) -> None:
        """Note what an outcome says of the server, and how long it is left alone for it."""
        now = time.monotonic()
        if error is None or error.sent:
            self._alive, self._answered, self._down = now, True, 0
            if error is not None and error.wait_s is not None:
                self._rests_until = max(self._rests_until, now + error.wait_s)
        elif self._rests_until <= now:  # else others that were under way have said so already
            self._rests_until = now + min(LONGEST_REST_S, FIRST_REST_S * 2.0**self._down)
            self._down += 1

    def _resting(self, wait: float) -> Failure:
        """Say how long to wait while the server is left alone, or that it would be too long."""
        silent = time.monotonic() - self._alive
        if self._down and silent > (PATIENCE_S if self._answered else FIRST_PATIENCE_S):
            said = f"the server cannot be reached for {silent:.0f} s: {self._url}"
            hint = "start the server or check --base-url, then run the same command again"
            return Failure(FailureKind.CONNECTION, said, sent=False, stops=True, hint=hint)
        if wait > LONGEST_WAIT_S:
            said = f"the server asks to wait for {wait:,.0f} s: {self._url}"
            hint = "run the same command again then: only what has no reply is asked"
            return Failure(FailureKind.RATE_LIMIT, said, sent=False, stops=True, hint=hint)
        kind = FailureKind.CONNECTION if self._down else FailureKind.RATE_LIMIT
        return Failure(kind, "the server is left alone", again=True, wait_s=wait, sent=False)


def open_backend(settings: BackendSettings) -> OpenaiBackend:
    """Open the server.

    Raises:
        CurateError: If there is no key, or the address is none.
    """
    if settings.options:
        name = next(iter(settings.options))
        raise CurateError(f"servers have no option '{name}'", "--option", "leave it out")
    return OpenaiBackend(settings)


def _headers(key: str, *, dated: bool = False) -> dict[str, str]:
    """What is sent with every request; Azure's dated API takes the key by a name of its own."""
    named = {"api-key": key} if dated else {"Authorization": f"Bearer {key}"}
    headers = {**named, "Content-Type": "application/json"}
    for variable, name in _NAMED.items():
        if value := os.environ.get(variable, "").strip():
            headers[name] = value
    return {**headers, "Accept": "application/json", "User-Agent": "curate"}
