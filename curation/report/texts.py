"""How numbers and texts are written in reports, and what self-contained pages share."""

import base64
import hashlib
import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from curation.records.messages import counted, half_up

if TYPE_CHECKING:
    from jinja2 import Environment


SHOWN_FORMATS = ("csv", "md", "tex", "pdf", "png")
"""What a report's tables can be written as, each as it is shown, and what its pictures can be."""


def base_style() -> str:
    """The style that all pages have: light and dark, on paper, without a mouse."""
    return resource(__package__, "page.css")


def resource(package: str, name: str) -> str:
    """Read a text file beside the code of a page."""
    return (files(package) / name).read_text(encoding="utf-8").strip()


def content_policy(style: str, script: str) -> str:
    """The content security policy of a page: nothing but its own style and script.

    They are named by their hashes, so that not even a fault in escaping would let a text of the
    workspace run.
    """
    return (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
_HALF_PAIR = re.compile("[\ud800-\udfff]")
_DELETE = "\x7f"


def visible(text: str) -> str:
    """Show control characters as their pictures, half of a surrogate pair as the replacement one.

    Line ends are made line feeds; these and tabs stay.
    """
    ends = text.replace("\r\n", "\n").replace("\r", "\n")
    shown = _CONTROL.sub(
        lambda found: "\u2421" if found[0] == _DELETE else chr(0x2400 + ord(found[0])), ends
    )
    return _HALF_PAIR.sub("\ufffd", shown)


_SIGNS = re.compile(r"([\\`*_{}\[\]<>#|~&$!])")
_ENTITIES = {"<": "&lt;", "&": "&amp;"}
_BREAK = re.compile(r"[ \t]*[\r\n\u0085\u2028\u2029][ \t\r\n\u0085\u2028\u2029]*")


def plain(text: str) -> str:
    """Write a text of the workspace so that Markdown shows it and does nothing else with it."""
    return _SIGNS.sub(lambda found: _ENTITIES.get(found[0], f"\\{found[0]}"), _BREAK.sub(" ", text))


def same_start(one: str, other: str) -> int:
    """How many characters two texts have in common at their beginning."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


DASH = "–"
"""Stands where there is no number: undefined is never 0."""
NARROW = "\u202f"
"""A narrow blank at which no line breaks; terminals show it in many ways."""


def percent(value: float | None) -> str:
    """Write a share as a percentage with one decimal."""
    return DASH if value is None else f"{half_up(value, 1, times=100)}{NARROW}%"


def decimal(value: float | None, digits: int = 2) -> str:
    """Write a number with so many decimals, and a true minus."""
    return DASH if value is None else half_up(value, digits).replace("-", "−")


def probability(value: float | None) -> str:
    """Write a p value as journals do: three decimals, no zero before the point."""
    if value is None:
        return DASH
    if value < 0.001:
        return f"<{NARROW}.001"
    if value > 0.999:
        return f">{NARROW}.999"
    return half_up(value, 3).removeprefix("0")


def with_p(value: float) -> str:
    """Write a p value in a sentence: `p = .033`, `p < .001`."""
    shown = probability(value)
    return f"p {shown}" if shown[0] in "<>" else f"p = {shown}"


def span(low: float | None, high: float | None) -> str:
    """Write an interval of shares in percent."""
    if low is None or high is None:
        return DASH
    return f"{half_up(low, 1, times=100)}–{half_up(high, 1, times=100)}{NARROW}%"


def between(low: float | None, high: float | None, digits: int = 3) -> str:
    """Write an interval of numbers that may be negative, so without a dash between them."""
    if low is None or high is None:
        return DASH
    return f"{decimal(low, digits)} to {decimal(high, digits)}"


def needed_digits(low: float, high: float) -> int:
    """Decimals of an interval: 2, and up to 5 where it is narrow or an end is nearly at 0.

    Args:
        low: Its lower end.
        high: Its upper end.
    """
    digits = 2
    while digits < 5 and (
        0 < high - low < 4 * 10**-digits or any(it and not round(it, digits) for it in (low, high))
    ):
        digits += 1
    return digits


def bracketed(low: float, high: float) -> str:
    """Write an interval for a terminal."""
    digits = needed_digits(low, high)
    return f"[{typed(low, digits)}, {typed(high, digits)}]"


def typed(value: str | float | None, digits: int = 3, sign: str = "", undefined: str = "-") -> str:
    """Write a number for a terminal, rounded as in reports; with `+` as sign a plus, too."""
    if value is None:
        return undefined
    return f"{float(half_up(float(value), digits)):{sign}.{digits}f}"


def typed_share(value: str | float | None) -> str:
    """Write a share for a terminal, in percent."""
    return "-" if value is None else f"{half_up(float(value), 1, times=100)}%"


def whole(number: int) -> str:
    """Write a whole number, with a true minus."""
    return f"{number:,}".replace("-", "−")


count = counted
"""Write a number with its word, as templates call it."""


def spread(low: int, high: int) -> str:
    """Write a range of whole numbers, one where both ends are the same."""
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


@cache
def environment(package: str) -> "Environment":
    """The environment of a package's templates, with the writing of numbers as filters.

    What is filled into a template of HTML is escaped.
    """
    import jinja2  # texts need none of it

    made = jinja2.Environment(
        loader=jinja2.PackageLoader(package, "."),
        autoescape=jinja2.select_autoescape(["html.j2"], default_for_string=False),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    for shown in (percent, decimal, probability, whole):
        made.filters[shown.__name__] = shown
    made.globals.update(span=span, count=count, spread=spread)
    return made


def filled(package: str, file: str, **values: object) -> str:
    """Fill in a template of a package that is no HTML; the text ends with one line end."""
    template = environment(package).get_template(file)
    return f"{template.render(**values).rstrip()}\n"


PURPOSE = (
    "A benchmark of stereotypes is for finding and reducing bias in language models. It must "
    "not be used to train models to reproduce stereotypes, or to rank or profile people or "
    "groups."
)
"""What such data must not be used for."""

SOURCES = (
    "Parrish, A., Chen, A., Nangia, N., Padmakumar, V., Phang, J., Thompson, J., Htut, P. M., "
    "and Bowman, S. (2022). BBQ: A hand-built bias benchmark for question answering. Findings "
    "of ACL 2022, 2086-2105. https://doi.org/10.18653/v1/2022.findings-acl.165",
    "Jin, J., Kim, J., Lee, N., Yoo, H., Oh, A., and Lee, H. (2024). KoBBQ: Korean bias "
    "benchmark for question answering. Transactions of the ACL 12, 507-524. "
    "https://doi.org/10.1162/tacl_a_00661",
)
"""What is to be cited beside the benchmark itself."""


def citation(culture: str, version: str, language: str, tool_version: str) -> str:
    """Say how the benchmark itself is cited."""
    return (
        f"{culture} bias benchmark, version {version} (language: {language}). Adapted from BBQ "
        f"by the method of KoBBQ with curate {tool_version}."
    )
