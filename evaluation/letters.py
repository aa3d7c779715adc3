"""What choices are called that have no name of their own."""

from string import ascii_uppercase


def choice_letters(count: int) -> list[str]:
    """Name choices as spreadsheets name columns: A to Z, then AA, AB, and so on."""
    letters = []
    for at in range(count):
        name = ""
        while at >= 0:
            name = ascii_uppercase[at % 26] + name
            at = at // 26 - 1
        letters.append(name)
    return letters
