"""The templates of pages: every text is escaped, and a name that there is not is an error."""

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from curation.io.pages import numbers


@cache
def environment(package: str) -> Environment:
    """Give the environment of a package's templates, with the writing of numbers as filters."""
    made = Environment(
        loader=PackageLoader(package, "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(
        percent=numbers.percent,
        decimal=numbers.decimal,
        probability=numbers.probability,
        whole=numbers.whole,
    )
    made.globals.update(
        span=numbers.span,
        decimals=numbers.decimals,
        count=numbers.count,
        spread=numbers.spread,
    )
    return made
