"""What columns and choices are called that have no name of their own; scripts without blanks."""

BY_CHARACTER = "\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff"
"""Scripts that set no blank between words (Thai, Lao, Japanese, Chinese), as in a class."""


def column_letters(at: int) -> str:
    """The letters by which a spreadsheet calls a column, from 0: A to Z, then AA, AB, and so on."""
    letters = ""
    at += 1
    while at:
        at, rest = divmod(at - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def choice_letters(count: int) -> list[str]:
    """Name choices as spreadsheets name columns."""
    return [column_letters(at) for at in range(count)]
