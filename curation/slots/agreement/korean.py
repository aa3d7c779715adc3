"""Korean particles: they follow the final sound of the name."""

_FIRST, _LAST = ord("가"), ord("힣")
_FINALS = 28
_RIEUL = 8

# After a consonant, after a vowel. What both sides end in is taken off first, so that
# 으로부터/로부터 or 이라는/라는 need no entry of their own.
_PAIRS = (
    ("은", "는"),
    ("이", "가"),
    ("을", "를"),
    ("과", "와"),
    ("아", "야"),
    ("이", ""),
    ("으", ""),
    ("이었", "였"),
    ("이에", "예"),
)
_CLOSING_MARKS = "'\"’”」』》〉"


class KoreanAgreement:
    """Chooses between two particles by the final sound of a name in Hangul."""

    common = (
        "은/는",
        "이/가",
        "을/를",
        "과/와",
        "으로/로",
        "이랑/랑",
        "이나/나",
        "이라는/라는",
        "이라고/라고",
        "이었다/였다",
        "이에요/예요",
        "아/야",
    )

    def form(self, filler: str, reading: str | None, alternatives: str) -> str | None:
        """Give the filler with its particle; None when its final sound cannot be read.

        Digits and Latin letters are read in more than one way, so they need a reading.

        Raises:
            ValueError: If the alternatives are no pair of particles.
        """
        after_consonant, after_vowel = particle_pair(alternatives)
        final = final_sound(reading or filler)
        if final is None:
            return None
        # 으로 and its compounds count a final ㄹ as a vowel.
        rieul_as_vowel = after_consonant.startswith("으로") and final == _RIEUL
        takes_vowel = final == 0 or rieul_as_vowel
        return filler + (after_vowel if takes_vowel else after_consonant)


def particle_pair(alternatives: str) -> tuple[str, str]:
    """Read `은/는` or `는/은` as (after a consonant, after a vowel).

    Raises:
        ValueError: If the two are no pair of particles.
    """
    sides = [side.strip() for side in alternatives.split("/")]
    if len(sides) == 2:
        first, second = sides
        for one, other in ((first, second), (second, first)):
            if any(_is_pair(one, other, pair) for pair in _PAIRS):
                return one, other
    raise ValueError(f"'{alternatives}' is no pair of Korean particles such as 은/는 or 을/를")


def _is_pair(consonant: str, vowel: str, pair: tuple[str, str]) -> bool:
    head, other = pair
    if not consonant.startswith(head) or not vowel.startswith(other):
        return False
    tail = consonant[len(head) :]
    return tail == vowel[len(other) :] and (bool(other) or bool(tail))


def final_sound(name: str) -> int | None:
    """Give the final consonant's index (0 none, 8 ㄹ) of a name that ends in Hangul, else None."""
    last = name.strip().rstrip(_CLOSING_MARKS)[-1:]
    if last and _FIRST <= ord(last) <= _LAST:
        return (ord(last) - _FIRST) % _FINALS
    return None
