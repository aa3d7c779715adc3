"""What is wrong with one value of the settings, said where the value is known best."""

import datetime
import re
from collections.abc import Callable
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator

from curation.records.errors import CurateError
from curation.records.wording import given_name


class WrongValue(ValueError):
    """A value that a setting cannot have.

    Args:
        what: What is wrong with it.
        hint: What to write instead.
        at: The keys that lead to it from where it was found out.
    """

    def __init__(self, what: str, hint: str, at: tuple[str | int, ...] = ()) -> None:
        super().__init__(f"{what}: {hint}")
        self.what = what
        self.hint = hint
        self.at = at


def shaped(pattern: str, what: str, hint: str) -> AfterValidator:
    """A validator of texts that have a form, or are empty.

    Args:
        pattern: The form, which the whole text must have.
        what: What one that has it is called, as `no ORCID`.
        hint: What to write instead.
    """
    return AfterValidator(_checked(pattern, what, lambda _: hint))


def in_one_line(text: str) -> str:
    """A name or title, in single spaces.

    Raises:
        WrongValue: If it holds a character that cannot be seen.
    """
    try:
        return given_name(text)
    except CurateError as error:
        raise WrongValue(error.what, error.hint) from error


def _checked(pattern: str, what: str, hint: Callable[[str], str]) -> Callable[[str], str]:
    compiled = re.compile(pattern)

    def check(text: str) -> str:
        if text and not compiled.fullmatch(text):
            raise WrongValue(f"'{text}' is {what}", hint(text))
        return text

    return check


def _name(text: str) -> str:
    """Say what a name for programs consists of, and the nearest one to what was written."""
    near = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_0123456789")
    allowed = "it consists of lower-case letters, digits and _, and begins with a letter"
    return f"{allowed}: {near}" if near else f"{allowed}, such as kobbq"


Name = Annotated[
    str, AfterValidator(_checked(r"[a-z][a-z0-9_]*", "not a name for programs", _name))
]
"""A name for programs, or nothing."""


def _day(value: object) -> object:
    """Read a day as it is written, and nothing that merely resembles one."""
    if value is None or type(value) is datetime.date:
        return value
    text = value.strip() if isinstance(value, str) else ""
    try:
        if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text, re.ASCII):
            return datetime.date.fromisoformat(text)
    except ValueError:
        pass  # such as 2026-02-30
    shown = f"'{value}'" if isinstance(value, str | int | datetime.date) else "a list or map"
    raise WrongValue(f"{shown} is not a day", "write year, month and day, such as 2026-03-31")


Day = Annotated[datetime.date | None, BeforeValidator(_day)]
"""A day, or nothing."""
