"""Keys of engines: read from the environment, and kept out of everything that is written."""

import os

from curation.model.errors import CurateError


class Secret:
    """A key that does not show when it is printed.

    Args:
        value: The key.
    """

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """Give the key, for the engine's own client alone."""
        return self._value

    def hide(self, text: str) -> str:
        """Take the key out of a text."""
        return text.replace(self._value, "(key)")

    def __repr__(self) -> str:
        return "Secret()"


def secret_from(variable: str, where_from: str) -> Secret:
    """Read a key from an environment variable.

    Args:
        variable: Its name.
        where_from: Where a key is had, for the hint.

    Raises:
        CurateError: If there is none, or it cannot be a key; it is never shown.
    """
    value = os.environ.get(variable, "").strip()
    if not value:
        raise CurateError(
            f"{variable} is not set",
            "environment",
            f"{where_from}; or try everything without a key: --engine pseudo",
        )
    if len(value) < 4 or not value.isascii() or not value.isprintable() or " " in value:
        raise CurateError(
            f"{variable} holds no key", "environment", "copy the key again, without line breaks"
        )
    return Secret(value)
