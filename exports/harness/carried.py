"""Code that a task folder carries: the toolkit's own, with its imports made those of the folder.

The rules by which replies are read are therefore the same rules.
"""

import json
import re
from collections.abc import Mapping
from importlib import resources
from pathlib import Path

from curation import __version__
from curation.files.atomic import atomic_text
from curation.languages import Language, asked_unknown, reply_words
from exports.harness.measure.words import UNKNOWN, WORDS

MEASURE = "measure"
"""The package in the folder."""
_READING, _MEASURE = "evaluation.parsing", "exports.harness.measure"
_LANGUAGES = "curation.languages"
_INSIDE = "|".join(map(re.escape, (_READING, _MEASURE, _LANGUAGES)))
_FROM = re.compile(rf"^from ({_INSIDE})(\.\w+)? import", re.M)
_HEAD = (
    f"# Part of curate {__version__}, under the MIT licence (LICENSE-CODE.txt). Written by\n"
    "# `curate export`: change it in the toolkit, for scores of a changed copy are other scores.\n"
)


def write_code(folder: Path, language: Language | None = None) -> None:
    """Write the package `measure`, with the rules of reading as `measure.reading`.

    The words of languages come with it as JSON, for not every harness brings YAML and pydantic.

    Args:
        folder: The folder.
        language: The language of the workspace, whose words come with English ones, and with
            what prompts call the choice that nobody can know.

    Raises:
        CurateError: If a file cannot be written.
    """
    for name, text in _modules(_MEASURE).items():
        _write(folder / MEASURE / name, _rewritten(text, {_READING: ".reading", _MEASURE: "."}))
    for name, text in _modules(_READING).items():
        inside = {_READING: ".", _LANGUAGES: "..words"}
        _write(folder / MEASURE / "reading" / name, _rewritten(text, inside))
    words = [words.model_dump(mode="json") for words in reply_words(language)]
    text = json.dumps(words, ensure_ascii=False, indent=1)
    _write(folder / MEASURE / WORDS, f"{text}\n", head="")
    asked = json.dumps(asked_unknown(language), ensure_ascii=False, indent=1)
    _write(folder / MEASURE / UNKNOWN, f"{asked}\n", head="")
    _write(folder / "LICENSE-CODE.txt", resource("LICENSE-CODE.txt"), head="")


def resource(name: str) -> str:
    """The text of a file that is written to folders."""
    return resources.files(f"{__package__}.files").joinpath(name).read_text(encoding="utf-8")


def write_program(path: Path, text: str) -> None:
    """Write a program of a folder.

    Raises:
        CurateError: If it cannot be written.
    """
    _write(path, text)


def _modules(package: str) -> dict[str, str]:
    """The source of a package's modules by file name."""
    inside = resources.files(package).iterdir()
    files = sorted((item for item in inside if item.name.endswith(".py")), key=lambda i: i.name)
    return {item.name: item.read_text(encoding="utf-8") for item in files}


def _rewritten(source: str, inside: Mapping[str, str]) -> str:
    """Make imports relative.

    Args:
        source: Of a module.
        inside: By package what it is called from there, dot first.
    """

    def relative(match: re.Match[str]) -> str:
        package, module = inside[match[1]], match[2] or ""
        return f"from {package.rstrip('.') + module or package} import"

    return _FROM.sub(relative, source)


def _write(path: Path, text: str, head: str = _HEAD) -> None:
    with atomic_text(path) as stream:
        stream.write(head + text)
