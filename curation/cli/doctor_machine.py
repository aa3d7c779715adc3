"""What `curate doctor` sees of the machine: Python, packages, extras, keys."""

import locale
import os
import platform
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from importlib import metadata

from packaging.requirements import Requirement

from curation import DATA_FORMAT, __version__

_PACKAGE = "curate-bbq"
_OLDEST = (3, 11)
_EXTRAS = {
    "labelstudio": "push, pull and collect through Label Studio",
    "hf": "models of Hugging Face on this machine",
    "distributed": "evaluation on a Dask cluster",
    "spss": "survey files of SPSS",
}
_KEYS = {
    "DEEPL_AUTH_KEY": "translate deepl",
    "OPENAI_API_KEY": "evaluate run, translate openai",
    "LABEL_STUDIO_API_KEY": "push, pull",
}


class State(Enum):
    """How something is."""

    OK = "ok"
    NONE = "none"
    WARNING = "warning"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Seen:
    """Something that was looked at.

    Attributes:
        part: What it is part of, as a title.
        name: What it is.
        state: How it is.
        text: What was seen.
        hint: What to do; empty where nothing has to be done.
    """

    part: str
    name: str
    state: State
    text: str
    hint: str = ""


def look_at_machine() -> Iterator[Seen]:
    """Look at Python, the packages, the optional parts and the keys."""
    yield Seen("This machine", "curate", State.OK, f"{__version__}, data format {DATA_FORMAT}")
    yield _python()
    yield _texts()
    required, extras = _requirements()
    yield _packages(required)
    for extra, what in _EXTRAS.items():
        yield _extra(extra, what, extras.get(extra, []))
    for variable, what in _KEYS.items():
        yield _key(variable, what)


def _python() -> Seen:
    found = f"{platform.python_version()} at {sys.executable}, {platform.platform(terse=True)}"
    if sys.version_info[:2] < _OLDEST:
        hint = f"install Python {'.'.join(map(str, _OLDEST))} or later"
        return Seen("This machine", "Python", State.BROKEN, found, hint)
    return Seen("This machine", "Python", State.OK, found)


def _texts() -> Seen:
    """See whether text that is printed can hold every script."""
    found = {(stream.encoding or "").lower() for stream in (sys.stdout, sys.stderr)}
    found.add(locale.getpreferredencoding(do_setlocale=False).lower())
    strange = sorted(name for name in found if name.replace("-", "").replace("_", "") != "utf8")
    if strange:
        hint = "set PYTHONUTF8=1, so that every script can be printed"
        return Seen("This machine", "text", State.WARNING, ", ".join(strange), hint)
    return Seen("This machine", "text", State.OK, "UTF-8")


def _requirements() -> tuple[list[Requirement], dict[str, list[Requirement]]]:
    """Give what the package needs, and what each extra does."""
    try:
        stated = [Requirement(text) for text in metadata.requires(_PACKAGE) or ()]
    except metadata.PackageNotFoundError:
        return [], {}
    base = [item for item in stated if item.marker is None or item.marker.evaluate({"extra": ""})]
    extras = {
        extra: [
            item
            for item in stated
            if item not in base and item.marker and item.marker.evaluate({"extra": extra})
        ]
        for extra in _EXTRAS
    }
    return base, extras


def _faults(required: list[Requirement]) -> tuple[list[str], list[str]]:
    """Give the packages that are missing, and those of a version that does not do."""
    missing, other = [], []
    for item in required:
        try:
            found = metadata.version(item.name)
        except metadata.PackageNotFoundError:
            missing.append(item.name)
            continue
        if not item.specifier.contains(found, prereleases=True):
            other.append(f"{item.name} {found} (needs {item.specifier})")
    return missing, other


def _packages(required: list[Requirement]) -> Seen:
    if not required:
        text = "run from its source, not installed"
        hint = "pip install -e . in the source, if a command lacks a package"
        return Seen("This machine", "packages", State.WARNING, text, hint)
    missing, other = _faults(required)
    if missing or other:
        lacking = [f"{name} is missing" for name in missing]
        text = "; ".join([*lacking, *other])
        return Seen("This machine", "packages", State.BROKEN, text, f"pip install -U '{_PACKAGE}'")
    return Seen("This machine", "packages", State.OK, f"all {len(required)} that are needed")


def _extra(extra: str, what: str, required: list[Requirement]) -> Seen:
    part, name = "Optional parts", extra
    missing, other = _faults(required)
    install = f"pip install '{_PACKAGE}[{extra}]'"
    if other:
        return Seen(part, name, State.BROKEN, "; ".join(other), install)
    if missing or not required:
        text = f"not installed; for {what}: {install}" if required else f"not known; for {what}"
        return Seen(part, name, State.NONE, text)
    versions = ", ".join(f"{item.name} {metadata.version(item.name)}" for item in required)
    return Seen(part, name, State.OK, versions)


def _key(variable: str, what: str) -> Seen:
    """Say whether a key is there and can be one; of the key itself nothing is told."""
    part, value = "Keys in the environment", os.environ.get(variable, "")
    if not value.strip():
        return Seen(part, variable, State.NONE, f"not set; for {what}")
    key = value.strip()
    if not key.isascii() or not key.isprintable() or " " in key:
        hint = "copy it again, in one line"
        return Seen(part, variable, State.BROKEN, "set, but it holds signs that no key has", hint)
    return Seen(part, variable, State.OK, f"set; for {what}")
