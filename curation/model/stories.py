"""The settings of stories in `culture.yaml`."""

from typing import Annotated

from pydantic import Field, model_validator

from curation.model.settings import Settings

_Word = Annotated[str, Field(min_length=1)]


class StorySettings(Settings):
    """How stories leave open who is who.

    Attributes:
        placeholders: What stands for the person who is mentioned first, and for the other one;
            those of the language by default.
        repeat_limit: A story in which one of them stands more often is a finding.
    """

    placeholders: tuple[_Word, _Word] | None = None
    repeat_limit: int = Field(default=2, ge=1)

    @model_validator(mode="after")
    def _apart(self) -> "StorySettings":
        if self.placeholders and len({item.strip().casefold() for item in self.placeholders}) < 2:
            raise ValueError("placeholders: write two different ones")
        return self
