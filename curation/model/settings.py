"""What all settings of `culture.yaml` have in common."""

from pydantic import BaseModel, ConfigDict


class Settings(BaseModel):
    """Settings that cannot be changed once they are read; a key that is not known is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)
