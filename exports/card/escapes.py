"""How texts of a workspace are written so that Markdown and BibTeX show them and nothing else.

YAML and JSON are written by their libraries, which escape by themselves.
"""

import re

from curation.report.texts import plain

_BLOCK = re.compile(r"([-+=:]|\d+[.)])")
_BACKTICKS = re.compile(r"`+")
_BREAK = re.compile(r"\s+")
_LATEX = {
    "\\": r"\textbackslash{}",
    # An escaped brace counts as a brace to BibTeX, which would look for its partner.
    "{": r"\textbraceleft{}",
    "}": r"\textbraceright{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "|": r"\textbar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    '"': r"\textquotedbl{}",
}
_IN_ADDRESS = {"{": "%7B", "}": "%7D", "\\": "%5C", '"': "%22", "<": "%3C", ">": "%3E", " ": "%20"}


def paragraph(text: str) -> str:
    """Write a text as a paragraph of Markdown: what opens a list elsewhere opens none."""
    shown = plain(text.strip())
    opening = _BLOCK.match(shown)
    if opening is None:
        return shown
    mark = opening[0][-1]
    return f"{opening[0][:-1]}\\{mark}{shown[opening.end() :]}"


def link(address: str) -> str:
    """Write an address as a link that shows itself."""
    quoted = "".join(_IN_ADDRESS.get(char, char) for char in address.strip())
    return f"<{quoted}>"


def linked(address: str) -> str:
    """Write an address as a link where it is one on the web, and as text otherwise."""
    return link(address) if address.startswith(("https://", "http://")) else plain(address)


def fence(text: str, language: str = "") -> list[str]:
    """Write a text as a block of code, whatever backticks it holds."""
    longest = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
    ticks = "`" * max(3, longest + 1)
    return [f"{ticks}{language}", *text.split("\n"), ticks]


def latex(text: str) -> str:
    """Write a text as a value of BibTeX."""
    one_line = _BREAK.sub(" ", text.strip())
    return "".join(_LATEX.get(char, char) for char in one_line)


def bibtex_address(text: str) -> str:
    """Write an address or a DOI as a value of BibTeX, where it is taken letter by letter."""
    return "".join(_IN_ADDRESS.get(char, char) for char in text.strip())
