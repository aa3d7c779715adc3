"""What columns and choices are called that have no name of their own."""


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
