"""The servers that take batch files: files go up, and states and results come back.

OpenAI's protocol wants the file first and then a batch of it; Anthropic's takes the requests at
once. Only what changes nothing is tried again by itself: a batch that was sent twice would be
paid for twice.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from curation.files.atomic import atomic_path
from curation.records.errors import CurateError
from evaluation.batch.formats import Format
from evaluation.runner.backends.completions import Scrubber, refusal, retry_after

if TYPE_CHECKING:
    import httpx

PAUSES = (1.0, 2.0, 4.0, 8.0)
"""Seconds before a question that changes nothing is put again."""
ADDRESSES = {
    Format.OPENAI: "https://api.openai.com/v1",
    Format.ANTHROPIC: "https://api.anthropic.com/v1",
}
"""Where batches go where no address is named."""
KEYS = {Format.OPENAI: "OPENAI_API_KEY", Format.ANTHROPIC: "ANTHROPIC_API_KEY"}
"""The environment variables that hold the keys."""
MARK = "curate"
"""The name under which OpenAI's batches carry the hash of their file."""
_ENDPOINT = "/v1/chat/completions"
_VERSION = "2023-06-01"  # of Anthropic's protocol
_OVER = 500  # statuses from here on do not say whether the request had an effect
_CONNECT_S, _WAIT_S = 10.0, 600.0
_AGAIN_LATER = (408, 409, 425, 429)
_LONGEST_PAUSE_S = 60.0


class Unclear(CurateError):
    """The connection broke before the server said whether it has taken a batch."""


@dataclass(frozen=True, slots=True)
class State:
    """How far a batch is.

    Attributes:
        batch: Its name at the provider.
        status: What the provider calls its state.
        ended: Whether nothing more will come of it.
        asked: The requests in it; None where it is not said.
        answered: Those that were answered or have failed; None where it is not said.
        results: Where its results are, by what they are: `output`, `errors`.
        message: What the provider says of its failure.
    """

    batch: str
    status: str
    ended: bool
    asked: int | None
    answered: int | None
    results: Mapping[str, str]
    message: str = ""

    @property
    def lost(self) -> bool:
        """Whether it has ended without any result, so that its file may be sent again."""
        return self.ended and not self.results


class Service(Protocol):
    """A provider's server."""

    address: str

    def send(self, file: Path, mark: str) -> str:
        """Send a batch file once, and give the name of its batch.

        Raises:
            Unclear: If nobody knows whether the server has taken it.
            CurateError: If it has not.
        """

    def sent_before(self, mark: str, since: float) -> str | None:
        """The batch of a file that was sent after `since`, if the server can tell.

        Raises:
            CurateError: If it cannot tell, or cannot be asked.
        """

    def look(self, batch: str) -> State:
        """How far a batch is.

        Raises:
            CurateError: If the server does not say so.
        """

    def fetch(self, place: str, path: Path) -> None:
        """Write results to a file, whole or not at all.

        Raises:
            CurateError: If they do not come, or cannot be written.
        """

    def close(self) -> None:
        """Close the connections."""


def open_service(format_: Format, address: str, key: str) -> Service:
    """Open a server of a kind of batch files."""
    kind = _Openai if format_ is Format.OPENAI else _Anthropic
    return kind(address, key)


class _Http:
    """What both protocols do over HTTP."""

    def __init__(self, address: str, headers: Mapping[str, str], key: str) -> None:
        import httpx

        self.address = address.rstrip("/")
        self._scrubber = Scrubber(key)
        timeout = httpx.Timeout(_WAIT_S, connect=_CONNECT_S)
        self._client = httpx.Client(headers=dict(headers), timeout=timeout)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _get(self, path: str, **query: object) -> Any:
        """Ask for an object, again after a while where that may help."""
        params = {name: str(value) for name, value in query.items() if value is not None}
        url = f"{self.address}{path}"
        return self._again(lambda: self._object(self._client.get(url, params=params)))

    def _post(self, path: str, **content: Any) -> Any:
        """Send something, once."""
        import httpx

        try:
            response = self._client.post(f"{self.address}{path}", **content)
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise self._unreachable(error) from error
        except httpx.HTTPError as error:
            raise Unclear(
                f"{self.address} did not say whether it has taken the batch "
                f"({type(error).__name__})"
            ) from error
        if response.status_code >= _OVER:
            raise Unclear(
                f"{self.address} did not say whether it has taken the batch "
                f"(status {response.status_code})"
            )
        return self._object(response)

    def fetch(self, place: str, path: Path) -> None:
        """Write results to a file, whole or not at all."""

        def stream() -> None:
            url = f"{self.address}{place}"
            with self._client.stream("GET", url) as response:
                if response.status_code != 200:
                    response.read()
                    self._object(response)
                with atomic_path(path) as target, target.open("wb") as out:
                    for block in response.iter_bytes():
                        out.write(block)

        self._again(stream)

    def _again(self, ask: Callable[[], Any]) -> Any:
        import httpx

        for pause in (*PAUSES, None):
            try:
                return ask()
            except httpx.HTTPError as error:
                if pause is None:
                    raise self._unreachable(error) from error
            except _LaterError as error:
                if pause is None:
                    raise CurateError(error.what, error.where, error.hint) from error
                pause = max(pause, min(error.wait_s or 0.0, _LONGEST_PAUSE_S))
            time.sleep(pause)
        raise AssertionError  # the last pause is None

    def _object(self, response: "httpx.Response") -> Any:
        """Read an object; a refusal is an error."""
        try:
            value: Any = response.json()
        except ValueError:
            value = response.text
        if response.status_code != 200:
            found = refusal(response.status_code, value, response.headers, self._scrubber)
            message = f"{self.address} refused with status {response.status_code}: {found.message}"
            hint = found.hint or "see what the provider says about batches"
            if response.status_code >= _OVER or response.status_code in _AGAIN_LATER:
                raise _LaterError(message, retry_after(response.headers), hint)
            raise CurateError(message, hint=hint)
        if not isinstance(value, dict):
            what = f"{self.address} sent something that is not JSON"
            raise CurateError(what, hint="check the address: --base-url")
        return value

    def _unreachable(self, error: Exception) -> CurateError:
        return CurateError(
            f"{self.address} cannot be reached ({type(error).__name__})",
            hint="check the network and --base-url, then run the same command again",
        )


class _LaterError(CurateError):
    """A refusal that may be none later."""

    def __init__(self, what: str, wait_s: float | None, hint: str) -> None:
        super().__init__(what, hint=hint)
        self.wait_s = wait_s


@contextmanager
def _shape(address: str) -> Iterator[None]:
    """Make a reply of another shape an error."""
    try:
        yield
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        what = f"{address} sent a reply that does not follow the protocol ({error!r})"
        raise CurateError(what, hint="check the address: --base-url") from error


_ENDED = ("completed", "failed", "expired", "cancelled")


class _Openai(_Http):
    def __init__(self, address: str, key: str) -> None:
        super().__init__(address, {"Authorization": f"Bearer {key}"}, key)

    def send(self, file: Path, mark: str) -> str:
        with file.open("rb") as stream:
            form = {"files": {"file": (file.name, stream)}, "data": {"purpose": "batch"}}
            try:
                uploaded = self._post("/files", **form)
            except Unclear as error:  # a file alone costs nothing and asks nobody
                hint = "run the same command again"
                raise CurateError("the file was not taken: " + error.what, hint=hint) from error
        with _shape(self.address):
            order = {
                "input_file_id": str(uploaded["id"]),
                "endpoint": _ENDPOINT,
                "completion_window": "24h",
                "metadata": {MARK: mark},
            }
        made = self._post("/batches", json=order)
        with _shape(self.address):
            return str(made["id"])

    def sent_before(self, mark: str, since: float) -> str | None:
        after = None
        while True:
            page = self._get("/batches", limit=100, after=after)
            with _shape(self.address):
                for item in page["data"]:
                    if (item.get("metadata") or {}).get(MARK) == mark:
                        if str(item["status"]) == "failed":
                            continue
                        return str(item["id"])
                    if float(item["created_at"]) < since - _CLOCKS_S:
                        return None
                if not page.get("has_more") or not page["data"]:
                    return None
                after = page["data"][-1]["id"]

    def look(self, batch: str) -> State:
        value = self._get(f"/batches/{batch}")
        with _shape(self.address):
            status = str(value["status"])
            counts = value.get("request_counts") or {}
            found = {"output": value.get("output_file_id"), "errors": value.get("error_file_id")}
            errors = (value.get("errors") or {}).get("data") or []
            said = self._scrubber.clean("; ".join(str(item.get("message")) for item in errors[:3]))
            done, failed = counts.get("completed"), counts.get("failed")
            return State(
                batch,
                status,
                status in _ENDED,
                counts.get("total"),
                None if done is None or failed is None else done + failed,
                {name: f"/files/{file}/content" for name, file in found.items() if file},
                said,
            )


_CLOCKS_S = 86_400.0  # what clocks may differ by


class _Anthropic(_Http):
    def __init__(self, address: str, key: str) -> None:
        super().__init__(address, {"x-api-key": key, "anthropic-version": _VERSION}, key)

    def send(self, file: Path, mark: str) -> str:
        with file.open("rb") as stream:
            made = self._post(
                "/messages/batches",
                content=stream,
                headers={
                    "content-type": "application/json",
                    "content-length": str(file.stat().st_size),
                },
            )
        with _shape(self.address):
            return str(made["id"])

    def sent_before(self, mark: str, since: float) -> str | None:
        page = self._get("/messages/batches", limit=20)
        with _shape(self.address):
            listed = [
                f"{item['id']} ({item['created_at']}, {sum(item['request_counts'].values()):,} "
                "requests)"
                for item in page["data"]
            ]
        raise CurateError(
            "a batch file was being sent when an earlier command ended, and Anthropic's batches "
            "do not say which file they come from. The latest batches there: "
            + ("; ".join(listed) or "none"),
            hint="say which one it is with --sent FILE=BATCH, or that it is none of them with "
            "--not-sent FILE",
        )

    def look(self, batch: str) -> State:
        value = self._get(f"/messages/batches/{batch}")
        with _shape(self.address):
            counts = {str(name): int(count) for name, count in value["request_counts"].items()}
            ended = value["processing_status"] == "ended"
            asked = sum(counts.values())
            # The key goes to the address that was named, not to one that a reply names.
            place = {"output": f"/messages/batches/{batch}/results"} if ended else {}
            return State(
                batch,
                str(value["processing_status"]),
                ended,
                asked,
                asked - counts.get("processing", 0),
                place,
            )


def named_batch(text: str) -> tuple[str, str]:
    """Read what batch a file was sent as: `openai-001.jsonl=batch_abc`.

    Raises:
        CurateError: If it names none.
    """
    file, sign, batch = text.partition("=")
    good = batch.replace("_", "").replace("-", "").isalnum() and batch.isascii()
    if not (sign and file and good):
        hint = "write FILE=BATCH, such as openai-001.jsonl=batch_abc123"
        raise CurateError(f"'{text}' is not written as FILE=BATCH", "--sent", hint)
    return file, batch
