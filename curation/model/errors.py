"""The one kind of failure that a user is told about."""


class CurateError(Exception):
    """Something that a user has to mend, said in three parts.

    Args:
        what: What is wrong, one line.
        where: File, row and column, or the option or subject; empty when there is no place.
        hint: What to do about it, one line.
    """

    def __init__(self, what: str, where: str = "", hint: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        return "\n".join(line for line in (self.what, self.where, self.hint) if line)
