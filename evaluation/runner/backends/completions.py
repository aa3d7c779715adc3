"""A model behind a server that speaks OpenAI's chat completions: asked once, and its reply read.

Each call is one attempt: who asks again is the runner, which counts. What a server's refusals mean
for a run is here, and what every backend makes of a text that a model wrote: thoughts apart, and
whether it counts. It does if it has words and its end is a normal one.
"""

import json
import os
import re
import time
from collections.abc import Mapping
from dataclasses import replace
from itertools import accumulate
from math import isfinite
from typing import Any
from urllib.parse import urlsplit

from curation.web import (
    NO_KEY,
    Cause,
    Client,
    NoReply,
    Response,
    Scrubber,
    meaning,
    service_address,
    service_key,
)
from evaluation.parsing.thoughts import parted
from evaluation.replies.reply import CUT_ENDS, Failure, FailureKind, Reply, Usage, whole
from evaluation.requests import Request
from evaluation.runner.backend import BackendSettings, refuse_other_options
from evaluation.runner.index import ENCODE

_WITHIN = "the reply ended within the model's thoughts"
_BEFORE = "the reply was cut off at the most tokens before its text began"
_FILTERED = "a content filter stopped the reply"
_ENDS = {
    "stop": ("stop", "stop_sequence", "end_turn", "eos", "eos_token", "complete"),
    "length": CUT_ENDS,
    "content_filter": (
        "content_filter", "refusal", "sensitive", "safety", "prohibited_content", "blocklist",
    ),
}  # fmt: skip
"""The names that servers have for an end that leaves a reply: as OpenAI's protocol calls it."""
_HALF = ("error", "network_error", "insufficient_system_resource", "abort", "timeout")
"""Ends at which the server failed, so that the same request may have a reply."""
_NAMES = {name: end for end, names in _ENDS.items() for name in names}
_DATED = re.compile(r"[-@:](latest|\d{3,}(-\d{2,})*)$")


def settled(reply: Reply) -> Reply:
    """Part the thoughts from a reply, and say whether it is one.

    A text without words is none, even where the thoughts have some, and neither is one that ended
    otherwise than at its own end, at the most tokens or by a filter. A server may leave out how a
    reply ended.

    Args:
        reply: A text as the model wrote it, with the thoughts that came apart from it.

    Returns:
        The reply; a failure `empty`, `server` or `ended` where it is none. What a filter stopped,
        and what was cut off before its text began, counts as given and is named.
    """
    assert reply.text is not None  # noqa: S101  # a fault of ours: there is a text
    thoughts, text = parted(reply.text)
    both = "\n".join(filter(None, (reply.reasoning, thoughts)))
    said = reply.finish_reason
    end = _NAMES.get(said.casefold(), said) if said else None
    if (text, end) != (reply.text, said) or both != (reply.reasoning or ""):
        reply = reply._replace(text=text or "", reasoning=both or None, finish_reason=end)
    if reply.error is not None:
        return reply
    words = bool((text or "").strip())
    if end == "content_filter":
        return reply._replace(error=Failure(FailureKind.CONTENT_FILTER, _FILTERED))
    if end not in (None, "stop", "length"):
        return reply._replace(text=None, error=_ended(end, words=words))
    if text is None or (end == "length" and not words):
        why = _WITHIN if both or text is None else _BEFORE
        return reply._replace(text="", error=Failure(FailureKind.UNFINISHED, why))
    if not words:
        what = "words in its thoughts and none in its text" if both else "no words"
        # The same request may bring the same again, and is paid for: the next run may ask.
        ended = f" (finish_reason {end})" if end else ""
        none = Failure(FailureKind.EMPTY, f"the reply has {what}{ended}")
        return reply._replace(text=None, error=none)
    return reply


def _ended(end: str, *, words: bool) -> Failure:
    """What it means that a reply ended in a way that leaves none."""
    broken = end.casefold() in _HALF
    kind = FailureKind.SERVER if broken else FailureKind.ENDED
    what = "the server broke off the reply" if broken else "the model ended in another way"
    after = "within its text" if words else "before its text"
    return Failure(kind, f"{what} (finish_reason {end}), {after}", again=broken)


def stem(model: str) -> str:
    """A model's name as it is compared: names with one stem may be of one model.

    Providers put a date or a number of the edition behind a name (`-2024-08-06`, `-001`,
    `-latest`), gateways the provider before it (`openai/`). Case makes no difference. Whatever
    else differs (`-mini`) is another model.
    """
    return _DATED.sub("", model.rsplit("/", 1)[-1].casefold())


_THOUGHTS = ("thinking", "reasoning", "redacted_thinking")
_FILTER_CODES = ("content_filter", "ResponsibleAIPolicyViolation")


def read_completion(data: bytes, scrubber: Scrubber) -> Reply:
    """Read the body of a reply with status 200.

    Args:
        data: The body.
        scrubber: For messages, and for what the reply repeats.

    Returns:
        The text and what goes with it, thoughts apart; or a failure: `malformed`, `empty`, or
        what an error object in place of a reply means.
    """
    try:
        value: Any = scrubber.hide(json.loads(data))  # an echo of the key is in no file
    except (ValueError, RecursionError):
        return Reply(None, error=_no_json(data))
    return read_value(value, scrubber)


def read_value(value: Any, scrubber: Scrubber) -> Reply:
    """Read a body of status 200, as `read_completion`, that is parsed already.

    Args:
        value: The body's value.
        scrubber: For messages.
    """
    if not isinstance(value, dict):
        return _failed(FailureKind.MALFORMED, "the reply is not a JSON object")
    choices: Any = value.get("choices")
    usage = _usage(value)
    if not choices and isinstance(value.get("error"), dict | str):
        return _behind(value, scrubber)
    if choices == []:
        return _failed(FailureKind.EMPTY, "the reply holds no choice", usage)
    try:
        return _choice(value, choices[0], usage, scrubber)
    except (TypeError, LookupError, AttributeError):
        return _failed(FailureKind.MALFORMED, "the reply is not a chat completion", usage)


def _no_json(data: bytes) -> Failure:
    """Say what a body is that is no JSON, and what to do where it goes on like that."""
    head = data[:100].decode("utf-8", "replace").strip().casefold()
    said, hint, stops = "the reply is not JSON", "", False
    if head.startswith(("<!doctype html", "<html")):
        said = "the reply is a web page, not a model's"
        hint = "check --base-url: the address usually ends in /v1, and may need a login"
    elif head.startswith(("data:", "event:")):
        said = "the reply is a stream, which was not asked for"
        hint, stops = "turn off streaming in the server's settings", True  # all are paid
    return Failure(FailureKind.MALFORMED, said, again=not stops, stops=stops, hint=hint)


def _behind(body: Mapping[str, Any], scrubber: Scrubber) -> Reply:
    """What an error object means that a gateway sends with status 200, for a server behind it."""
    code = str(_error_object(body).get("code"))
    named = 400 if code in _FILTER_CODES else 500
    return refused_reply(int(code) if code.isdecimal() else named, body, {}, scrubber)


def _choice(
    value: Mapping[str, Any], choice: Mapping[str, Any], usage: Usage, scrubber: Scrubber
) -> Reply:
    """Read the first choice; what is of no known shape raises."""
    if isinstance(choice.get("error"), dict):
        return _behind(choice, scrubber)._replace(usage=usage)
    message = choice["message"]
    content, parts = _parted(message.get("content"))
    told = (message.get(name) for name in ("reasoning_content", "reasoning"))
    # One is the other's former name; a gateway may send both.
    thoughts = "\n".join([*[text for text in told if isinstance(text, str) and text][:1], *parts])
    text = message.get("refusal") or "" if content in (None, "") else content
    if not isinstance(text, str):
        raise TypeError
    reason, served = choice.get("finish_reason"), value.get("model")
    found = settled(
        Reply(
            whole(text),
            usage,
            reason if isinstance(reason, str) else None,
            reasoning=whole(thoughts) or None,
            served=whole(served) if isinstance(served, str) and served.strip() else None,
        )
    )
    if found.text is None:
        return found
    logprobs = first_logprobs(choice.get("logprobs"), found.text, thought=bool(found.reasoning))
    return found if logprobs is None else found._replace(logprobs=logprobs)


def first_logprobs(
    logprobs: object, text: str, *, thought: bool = False
) -> dict[str, float] | None:
    """The likeliest tokens at the first place of the answer; None where it is not known.

    That place is the first token that is not blank. After thoughts, whose tokens may be among
    them, it is where the reply begins.

    Args:
        logprobs: As the protocol has them.
        text: The reply.
        thought: Whether thoughts came, too.
    """
    found: dict[str, float] = {}
    if not text:
        return None
    try:
        places = logprobs["content"]  # type: ignore[index]
        tokens = [place["token"] for place in places]
        start = "".join(tokens).rindex(text.strip()) if thought else 0
        ends = zip(accumulate(map(len, tokens)), tokens, places, strict=True)
        first = next(place for end, token, place in ends if end > start and token.strip())
        for item in (first, *(first.get("top_logprobs") or ())):
            # A token that has no chance at all is one that does not come.
            if isfinite(item["logprob"]):
                token, number = whole(item["token"]), item["logprob"]
                found[token] = max(number, found.get(token, number))
    except (TypeError, LookupError, ValueError, AttributeError, StopIteration):
        return None  # of another shape, or nothing that the answer may begin with
    return found or None


def _parted(content: object) -> tuple[object, list[str]]:
    """The text of a reply that comes in parts, and its thoughts; anything else as it is.

    A text of no known type raises.
    """
    if not isinstance(content, list):
        return content, []
    text, thoughts = "", []
    for part in content:
        kind = "text" if isinstance(part, str) else part.get("type")
        if kind in _THOUGHTS:
            thought, _ = _parted(part.get("thinking", part.get("text")))
            thoughts += [thought] if isinstance(thought, str) and thought else []
        elif kind in ("text", "output_text", "refusal"):
            said = "refusal" if kind == "refusal" else "text"
            text += part if isinstance(part, str) else part[said] or ""
        elif isinstance(part.get("text"), str):
            raise LookupError
    return text, thoughts


MOST_TOKENS = 50_000_000
"""More than any request can have: a count above it is none."""


def _usage(value: Mapping[str, Any]) -> Usage:
    """Read the counts of tokens; one that cannot be makes all of them unknown.

    A total that is more than both others has the thoughts that some servers leave out of the
    tokens of the reply: they are tokens of the reply, and are paid for as such.
    """
    found = value.get("usage")
    if found is None:
        return Usage()
    if not isinstance(found, dict):
        return Usage(refused=True)
    details = found.get("completion_tokens_details")
    within = details.get("reasoning_tokens") if isinstance(details, dict) else None
    thought = found.get("reasoning_tokens") if within is None else within
    try:
        used = tokens(found.get("prompt_tokens"))
        made = tokens(found.get("completion_tokens"))
        total = tokens(found.get("total_tokens"))
        reasoning = tokens(thought)
    except ValueError:
        return Usage(refused=True)
    if used is not None and made is not None and total is not None and total > used + made:
        apart = total - used - made
        made += apart if reasoning in (None, apart) else 0
    if made is not None and reasoning is not None and reasoning > made:
        return Usage(refused=True)
    return Usage(used, made, reasoning)


def tokens(count: object) -> int | None:
    """Read a count of tokens; None where there is none.

    Raises:
        ValueError: If it is no such number.
    """
    if count is None:
        return None
    if isinstance(count, float) and count.is_integer():
        count = int(count)
    if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= MOST_TOKENS:
        raise ValueError
    return count


def _failed(kind: FailureKind, message: str, usage: Usage | None = None) -> Reply:
    return Reply(None, usage or Usage(), error=Failure(kind, message, again=True))


def failure(
    what: int | str, said: str, status: int | None = None, wait_s: float | None = None
) -> Failure:
    """What a failure means for the run, as `curation.web.meaning` says.

    Args:
        what: The HTTP status, or what happened where there is none.
        said: What the server says, or the client of it.
        status: The HTTP status, where there was one.
        wait_s: Seconds that the server asks to wait.
    """
    means = meaning("models", what, message=said, status=status)
    kind, again, hint = FailureKind(means["kind"]), means["again"], means["hint"]
    return Failure(
        kind,
        means["what"],
        status,
        again,
        wait_s if again else None,
        sent=not isinstance(what, Cause) or what.sent,
        stops=bool(hint),
        hint=hint,
    )


def refused_reply(
    status: int, body: object, headers: Mapping[str, str], scrubber: Scrubber
) -> Reply:
    """Say what an error status means: a failure, or a reply that a filter stopped.

    Args:
        status: The HTTP status.
        body: The body: an object as the protocol has it, bytes of one, or whatever there was.
        headers: The reply's headers.
        scrubber: For messages.
    """
    if isinstance(body, bytes):
        text = body.decode("utf-8", "replace").strip()
        try:
            body = json.loads(text)
        except (ValueError, RecursionError):
            body = text
    error = _error_object(body)
    code = error.get("code")
    said = scrubber.clean(str(error.get("message") or "no reason given"))
    metadata = error.get("metadata")
    flagged = isinstance(metadata, dict) and "flagged_input" in metadata
    if status in (400, 403) and (code in _FILTER_CODES or flagged):
        filtered = FailureKind.CONTENT_FILTER
        return Reply("", finish_reason=filtered, error=Failure(filtered, said, status))
    # A wait of nothing is no wait that would help: the runner's own is taken.
    wait = retry_after(headers) or None
    found = failure("quota" if code == "insufficient_quota" else status, said, status, wait)
    hint = ""  # where it is not the fault of this request alone
    if found.kind is FailureKind.REFUSED:
        if "max_completion_tokens" in said and error.get("param") == "max_tokens":
            hint = "give --extra max_completion_tokens=N in place of --max-tokens"
        elif error.get("param") == "temperature" and "unsupported" in str(code):
            hint = "leave --temperature out: this model takes none"
        found = replace(found, stops=bool(hint), hint=hint)
    return Reply(None, error=found)


def _error_object(body: object) -> Mapping[str, Any]:
    if isinstance(body, list) and body:  # Gemini puts its error into a list
        body = body[0]
    if isinstance(body, dict):
        error = body.get("error", body)
        if isinstance(error, dict):
            return error
        return {"message": error, **body} if "message" not in body else body
    return {"message": body if isinstance(body, str) else ""}


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Read how long a server asks to wait, in seconds; None where it says no such number.

    A date, which the header may have too, leaves the wait to the runner.

    Args:
        headers: The reply's headers; names in lower case are looked for.
    """
    try:
        seconds = float(headers.get("retry-after", ""))
    except ValueError:
        return None
    # What is no number compares as false.
    return max(0.0, seconds) if seconds < 1e9 else None


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
        CurateError: If there is no key, the address is none, or there is an option.
    """

    def __init__(self, settings: BackendSettings) -> None:
        refuse_other_options(settings, ())
        self.model = settings.measured
        self.asking = settings.asking()
        own = os.environ.get("OPENAI_BASE_URL", "").strip()
        self._url = service_address(settings.base_url or own or OWN_URL, "--base-url")
        # Azure's dated address has its version behind it.
        base, mark, query = self._url.partition("?")
        self._completions = f"{base.rstrip('/')}{_PATH}{mark}{query}"
        hint = "set it to your key, or name a server that needs none with --base-url"
        needed = settings.needs_key or not (settings.base_url or own)  # one's own needs none
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
        answer = await self._client.send("POST", self._completions, body)
        reply = self._read(answer)._replace(latency_s=time.perf_counter() - start)
        error = reply.error
        self._note(error)
        if error is None or (error.wait_s or 0.0) <= LONGEST_WAIT_S:
            return reply
        # Each of those under way would wait for itself: none would be left to stop the run.
        said = f"the server asks to wait for {error.wait_s:,.0f} s: {self._url}"
        hint = "run the same command again then: only what has no reply is asked"
        kind = FailureKind.RATE_LIMIT
        return reply._replace(error=Failure(kind, said, error.status, stops=True, hint=hint))

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    def _read(self, answer: Response | NoReply) -> Reply:
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
        """Say how long to wait while the server is left alone, or that it cannot be reached."""
        silent = time.monotonic() - self._alive
        if self._down and silent > (PATIENCE_S if self._answered else FIRST_PATIENCE_S):
            said = f"the server cannot be reached for {silent:.0f} s: {self._url}"
            hint = "start the server or check --base-url, then run the same command again"
            return Failure(FailureKind.CONNECTION, said, sent=False, stops=True, hint=hint)
        kind = FailureKind.CONNECTION if self._down else FailureKind.RATE_LIMIT
        return Failure(kind, "the server is left alone", again=True, wait_s=wait, sent=False)


def _headers(key: str, *, dated: bool = False) -> dict[str, str]:
    """What is sent with every request; Azure's dated API takes the key by a name of its own."""
    named = {"api-key": key} if dated else {"Authorization": f"Bearer {key}"}
    headers = {**named, "Content-Type": "application/json"}
    for variable, name in _NAMED.items():
        if value := os.environ.get(variable, "").strip():
            headers[name] = value
    return {**headers, "Accept": "application/json", "User-Agent": "curate"}
