"""What every translation engine offers, and how it fails."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Reply:
    """One text as it came back, and the characters that were billed for it."""

    text: str
    billed: int


@dataclass(frozen=True, slots=True)
class Usage:
    """Characters that an account has used, and may use; None where it has no limit."""

    used: int
    limit: int | None


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one request holds: texts, and bytes of its body."""

    texts: int
    bytes: int


class FaultKind(StrEnum):
    """What a failed request means for the run.

    `stop`: nothing more can be sent. `busy`: refused unread, and may be sent again.
    `too_large`: refused unread, and may be sent in parts. `unanswered`: it may have been read
    and billed, so it is not sent again in the same run.
    """

    STOP = "stop"
    BUSY = "busy"
    TOO_LARGE = "too_large"
    UNANSWERED = "unanswered"


class EngineFault(Exception):
    """A request that failed.

    Args:
        kind: What it means for the run.
        what: What happened, one line; never holds a key.
        hint: What to do, one line.
        billed: Whether a request that stops the run may have been billed.
    """

    def __init__(self, kind: FaultKind, what: str, hint: str = "", *, billed: bool = False) -> None:
        super().__init__(what)
        self.kind = kind
        self.what = what
        self.hint = hint
        self.billed = billed or kind is FaultKind.UNANSWERED


class Client(Protocol):
    """A connection to an engine; each worker has its own."""

    def translate(self, texts: Sequence[str], context: str) -> list[Reply]:
        """Translate texts (XML with slots as tags `x`), in order.

        Raises:
            EngineFault: If that failed.
        """

    def close(self) -> None:
        """Let the connection go."""


class Service(Protocol):
    """An engine with its settings.

    Attributes:
        name: Of the engine.
        signature: Every option that a reply depends on, but text and context.
        is_free: Whether it bills nothing.
        limits: Of one request.
    """

    @property
    def name(self) -> str:
        """Of the engine."""

    @property
    def signature(self) -> str:
        """Every option that a reply depends on, but text and context."""

    @property
    def is_free(self) -> bool:
        """Whether it bills nothing."""

    @property
    def limits(self) -> Limits:
        """Of one request."""

    def size(self, texts: Sequence[str], context: str) -> int:
        """Give the bytes of a request's body."""

    def prepare(self) -> None:
        """Do once what requests need, such as a glossary, before the first of them.

        Raises:
            CurateError: If a key is missing, or the engine refuses.
        """

    def usage(self) -> Usage | None:
        """Give what the account has used; None where the engine does not say.

        Raises:
            CurateError: If a key is missing, or the engine refuses it.
        """

    def client(self) -> Client:
        """Open a connection.

        Raises:
            CurateError: If a key is missing.
        """
