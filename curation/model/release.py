"""The settings of a release in `culture.yaml`: who publishes what, under which terms."""

import datetime
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, model_validator

from curation.model.settings import Settings


def _web_address(text: str) -> str:
    parts = urlsplit(text)
    if text and (parts.scheme not in ("http", "https") or not parts.netloc):
        raise ValueError("write an address that begins with https://")
    return text


_Url = Annotated[str, AfterValidator(_web_address)]
_Doi = Annotated[str, Field(pattern=r"^(10\.\d{4,9}/\S+)?$")]
_Text = Annotated[str, Field(min_length=1)]


class Author(Settings):
    """A person or an organisation that publishes the benchmark.

    Attributes:
        family: Family name of a person.
        given: Given names of a person.
        name: Name of an organisation, or of a person whose name is not to be parted.
        orcid: As 0000-0002-1825-0097.
        affiliation: Where a person works.
    """

    family: str = ""
    given: str = ""
    name: str = ""
    orcid: str = Field(default="", pattern=r"^(\d{4}-\d{4}-\d{4}-\d{3}[\dX])?$")
    affiliation: str = ""

    @model_validator(mode="after")
    def _one_name(self) -> "Author":
        if bool(self.name) == bool(self.family):
            raise ValueError("write family (and given) of a person, or name of an organisation")
        if self.given and not self.family:
            raise ValueError("given needs family beside it")
        return self

    @property
    def shown(self) -> str:
        """The name as it is read: given names first."""
        return self.name or f"{self.given} {self.family}".strip()


class Paper(Settings):
    """The paper that presents the benchmark, and that its users are to cite.

    Attributes:
        title: Its title.
        venue: Journal, proceedings or archive.
        year: Of publication.
        doi: Without address: 10.1162/...
        url: Where it is read.
        authors: Its authors; the release's by default.
    """

    title: _Text
    venue: str = ""
    year: int = Field(ge=1900, le=2200)
    doi: _Doi = ""
    url: _Url = ""
    authors: tuple[Author, ...] = ()


class SurveyNotes(Settings):
    """What the survey's files do not say of it.

    Attributes:
        began: First day.
        ended: Last day.
        company: Who recruited the respondents.
        population: Whom they stand for, in words.
        payment: What they were paid.
        ethics: Which board approved it, or why none had to.
    """

    began: datetime.date | None = None
    ended: datetime.date | None = None
    company: str = ""
    population: str = ""
    payment: str = ""
    ethics: str = ""

    @model_validator(mode="after")
    def _in_order(self) -> "SurveyNotes":
        if self.began and self.ended and self.ended < self.began:
            raise ValueError("ended lies before began")
        return self


class ReleaseSettings(Settings):
    """What a published benchmark says of itself.

    Attributes:
        name: Short name for programs, such as kobbq: small letters, digits and _.
        title: Name for readers.
        description: What it is, in a sentence or two.
        licence: SPDX identifier of the terms of the data, such as CC-BY-4.0.
        authors: Who publishes it.
        contact: Address for questions.
        url: Its home page or repository.
        doi: Of the data set, without address.
        date: Day of the release.
        canary: A text that stands nowhere else, by which the data can be found in, and kept
            out of, training data. `curate init` makes one.
        paper: What is to be cited.
        survey: What the survey's files do not say of it.
        annotators: Who annotated and translated, one sentence each: role, number, background, pay.
        limits: Known limits, one sentence each, beside those that the toolkit knows.
        uses: Intended uses, one sentence each, beside those that the toolkit knows.
    """

    name: str = Field(default="", pattern=r"^([a-z][a-z0-9_]*)?$")
    title: str = ""
    description: str = ""
    licence: str = ""
    authors: tuple[Author, ...] = ()
    contact: str = ""
    url: _Url = ""
    doi: _Doi = ""
    date: datetime.date | None = None
    canary: str = Field(default="", pattern=r"^(\S.{14,}\S)?$")
    paper: Paper | None = None
    survey: SurveyNotes = SurveyNotes()
    annotators: tuple[_Text, ...] = ()
    limits: tuple[_Text, ...] = ()
    uses: tuple[_Text, ...] = ()
