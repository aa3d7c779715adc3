"""What findings on agreement, forms and features advise, followed to the letter.

Each step writes what the hint says into an invented template. What was found must be gone, and what
is found instead may be the next filler of the list, or what the first answer leaves open.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest

from curation.checks.catalogue import run
from curation.records.findings import Finding
from curation.slots import parse_fillers, parse_lists, print_fillers

_STEPS = 12
_LISTED = re.compile(r"write in the list of fillers (?P<ways>.+)$")
_NAMED = re.compile(r"^write it into the list: (?P<ways>.+)$")
_READING = re.compile(r"give its reading in the list of fillers[:,] (?P<ways>[^,;]+\|reading)")
_STEM = re.compile(r": (?P<ways>[^:]+ \{stem: \.\.\.\})$")
_POSSESSIVE = re.compile(r": (?P<ways>[^:]+ \{possessive: yes\} or \{possessive: no\})")
_SUCH_AS = re.compile(r"such as (?P<slot>\S+)$")
_ORDER = re.compile(r"has the wrong order: write (?P<slot>\S+)$")
_SPELLED = re.compile(
    r"^(?P<key>\w+) is '(?P<wrong>[^']+)' in slot \w+, elsewhere '(?P<right>[^']+)'"
)
_DECLARED = re.compile(r"^write its list into words: (?P<list>.+?\])(; or write|$)")
_ANOTHER = re.compile(r"or write a slot that has one: (?P<slots>.+)$")
_OPEN = re.compile(r"^write (?P<ways>\[.+) or a named form such as \[(?P<named>\S+)\], which")
_BRACES = re.compile(r"\((\w+)[:=] ?(\w+)\)")


@dataclass(frozen=True)
class Case:
    """A pair of variants: the people of one list and of another, and a slot of the first.

    `reading`, `stem` are what a person writes for the dots and the word of a hint.
    """

    language: str
    first: tuple[str, ...]
    second: tuple[str, ...]
    slot: str
    reading: str = ""
    stem: str = ""
    words: str = "W1: [station, market]"

    def variants(self, make):
        """The pair; the slot follows the person of the first list."""
        one, other = (f"[{', '.join(names)}]" for names in (self.first, self.second))
        made = []
        for letter, names in (("a", (one, other)), ("b", (other, one))):
            texts = {
                "names": f"N1: {names[0]}; N2: {names[1]}",
                "ambiguous_context": f"There: [{self.slot}], [N2], [W1].",
                "words": self.words,
            }
            made.append(make.variant(f"craft-001{letter}", **texts))
        return made

    def findings(self, make) -> list[Finding]:
        """What every rule says of it."""
        return run(make.subject(self.variants(make), language=self.language))

    def replaced(self, wanted: str, instead: str) -> "Case":
        """The case with what is written in the place of the filler of the same name."""

        def written(names: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(instead if base(name) == base(wanted) else name for name in names)

        words = "; ".join(
            f"{name}: [{', '.join(written(tuple(print_fillers([one])[1:-1] for one in listed)))}]"
            for name, listed in ((n, item.fillers) for n, item in parse_lists(self.words).items())
        )
        return replace(self, first=written(self.first), second=written(self.second), words=words)

    def advised(self, finding: Finding) -> Iterator["Case"]:
        """What follows from each way that a finding names."""
        hint, name = finding.hint, self.slot.split("|")[0].split(":")[0].split(".")[0]
        for pattern in (_LISTED, _NAMED, _READING, _STEM, _POSSESSIVE):
            if found := pattern.search(hint):
                ways = found["ways"].split(" or ")
                head = ways[0].partition(" {")[0]
                for way in ways:
                    full = way if way.startswith(head) else f"{head} {way}"
                    full = full.replace("|reading", f"|{self.reading}")
                    full = full.replace("{stem: ...}", f"{{stem: {self.stem}}}")
                    yield self.replaced(full, full.replace("...", "form"))
        if found := _SUCH_AS.search(hint) or _ORDER.search(finding.message):
            yield replace(self, slot=f"{name}|{found['slot']}")
        if "list the forms" in hint or "list one form for each filler" in hint:
            forms = ", ".join(f"form{at}" for at in range(len(self.first)))
            yield replace(self, slot=f"{name}: {forms}")
        if found := _DECLARED.search(hint):
            yield replace(self, words=f"{self.words}; {found['list']}")
        if found := _ANOTHER.search(hint):
            for other in found["slots"].split(", "):
                yield replace(self, slot=self.slot.replace(name, other, 1))
        if found := _OPEN.search(hint):
            for way in (*found["ways"].split(", "), f"[{found['named']}]"):
                yield replace(self, slot=way.strip("[]"))
        if found := re.search(rf"\[{name}\.(\w+)\] (?:with|in its place)", hint):
            case, key = replace(self, slot=f"{name}.{found[1]}"), found[1]
            for filler in (*self.first, *self.second):
                case = case.replaced(filler, f"{base(filler)} {{{key}: form of {base(filler)}}}")
            yield case
        if found := re.search(r"use it in a text, \[N\d\.(\w+)\], or delete it", hint):
            yield replace(self, slot=f"{name}.{found[1]}")
            case = self
            for filler in (*self.first, *self.second):
                kept = [f"{k}: {v}" for k, v in parsed(filler).features if k != found[1]]
                case = case.replaced(
                    filler, f"{base(filler)} {{{', '.join(kept)}}}" if kept else base(filler)
                )
            yield case
        if "attributes are written in braces" in hint:
            yield replace(
                self,
                first=tuple(_BRACES.sub(r"{\1: \2}", item) for item in self.first),
                second=tuple(_BRACES.sub(r"{\1: \2}", item) for item in self.second),
            )
        if finding.rule == "feature-spelling" and (found := _SPELLED.search(finding.message)):
            wrong, right = (f"{found['key']}: {found[one]}" for one in ("wrong", "right"))
            yield replace(
                self,
                first=tuple(item.replace(wrong, right) for item in self.first),
                second=tuple(item.replace(wrong, right) for item in self.second),
            )
        if found := re.search(r"(\w+) is '(\w+)', but agreement uses (\w+)$", finding.message):
            wrong, right = f"{found[1]}: {found[2]}", f"{found[1]}: {found[3]}"
            yield replace(
                self,
                first=tuple(item.replace(wrong, right) for item in self.first),
                second=tuple(item.replace(wrong, right) for item in self.second),
            )
        if "give it to every filler of the list" in hint:
            key = re.search(r"has no '(\w+)'", finding.message)
            assert key is not None
            every = (*self.first, *self.second)
            value = next(v for item in every for k, v in parsed(item).features if k == key[1])
            case = self
            for item in every:
                if parsed(item).feature(key[1]) is None:
                    case = case.replaced(item, f"{item} {{{key[1]}: {value}}}")
            yield case


def parsed(filler: str):
    """A filler as a list holds it."""
    (found,) = parse_fillers(f"[{filler}]")
    return found


def base(filler: str) -> str:
    """Its name alone."""
    return parsed(filler).text


HAFIDA, JADD = "\u062d\u0641\u064a\u062f\u0629", "\u062c\u062f"
KAN = "N1|=\u0643\u0627\u0646/\u0643\u0627\u0646\u062a"
SONJA, IMO, HALMEONI = "\uc190\uc790", "\uc774\ubaa8", "\ud560\uba38\ub2c8"
CASES = {
    "es no gender": Case("es", ("nieta", "nieto"), ("abuela", "abuelo"), "N1|un/una"),
    "es one gender": Case("es", ("nieta {gender: f}", "nieto"), ("mago", "maga"), "N1|el/la"),
    "es plural": Case(
        "es",
        ("nietas {gender: f, number: p}", "nieto {gender: m}"),
        ("maga {gender: f}", "mago {gender: m}"),
        "N1|el/la",
    ),
    "es alone": Case("es", ("nieta", "nieto"), ("maga", "mago"), "N1|=alto/alta"),
    "es order": Case("es", ("nieta {gender: f}",), ("mago {gender: m}",), "N1|la/el"),
    "es count": Case("es", ("nieta {gender: f}",), ("mago {gender: m}",), "N1|un/una/unos"),
    "es value": Case("es", ("nieta {gender: fem}",), ("mago {gender: masc}",), "N1|un/una"),
    "es spelling": Case(
        *("es", ("nieta {gender: F}", "maga {gender: f}"), ("mago {gender: m}",), "N1|un/una")
    ),
    "es brackets": Case("es", ("nieta (gender: f)",), ("mago (gender: m)",), "N1|un/una"),
    "es named": Case("es", ("nieta", "nieto"), ("maga", "mago"), "N1.def"),
    "es form count": Case("es", ("nieta", "nieto"), ("maga", "mago"), "N1: una nieta"),
    "es forms too many": Case("es", ("nieta",), ("maga",), "N1: una nieta, un nieto"),
    "es named in part": Case(
        "es", ("nieta {def: la nieta}", "nieto"), ("maga", "mago {def: el mago}"), "N1.def"
    ),
    "es undeclared": Case("es", ("nieta", "nieto"), ("maga", "mago"), "W2"),
    "es undeclared named": Case("es", ("nieta", "nieto"), ("maga", "mago"), "X1.def"),
    "es undeclared forms": Case("es", ("nieta", "nieto"), ("maga", "mago"), "W2: una, dos, tres"),
    "es open": Case("es", ("*",), ("*",), "N1: una nieta"),
    "hi open": Case("hi", ("*",), ("*",), "N1: poti, pota"),
    "ko open": Case("ko", ("*",), ("*",), "N1: one"),
    "eu open": Case("eu", ("*",), ("*",), "N1: one"),
    "de no gender": Case("de", ("Enkelin", "Enkel"), ("Magd", "Wirt"), "N1|dem/der"),
    "de neuter": Case("de", ("Kind {gender: n}",), ("Wirt {gender: m}",), "N1|der/die"),
    "de plural": Case(
        "de", ("Kinder {gender: n, number: p}",), ("Wirt {gender: m}",), "N1|der/die/das"
    ),
    "de genitive": Case(
        "de", ("Opa {gender: m}", "Oma {gender: f}"), ("Wirt {gender: m}",), "N1|des/der"
    ),
    "de genitive without article": Case(
        "de", ("Opa {gender: m, gen: Opas}",), ("Wirt {gender: m, gen: Wirts}",), "N1|des/der"
    ),
    "de dative plural": Case(
        *("de", ("Kinder {gender: n, number: p}",), ("Frauen {gender: f, number: p}",)),
        "N1|dem/der/dem/den",
    ),
    "de weak noun": Case(
        *("de", ("Student {gender: m, dat: dem Studenten}",), ("Wirtin {gender: f}",)), "N1|dem/der"
    ),
    "ru unused": Case(
        "ru", ("vnuk {gen: vnuka}", "vnuchka {gen: vnuchki}"), ("ded {gen: deda}",), "N1"
    ),
    "de order": Case("de", ("Magd {gender: f}",), ("Wirt {gender: m}",), "N1|die/der"),
    "fr no gender": Case("fr", ("tante", "oncle"), ("soeur", "cousin"), "N1|le/la"),
    "fr plural": Case("fr", ("tantes {number: p}",), ("cousin {gender: m}",), "N1|le/la"),
    "fr alone": Case("fr", ("tante",), ("cousin",), "N1|=las/lasse"),
    "nl gender": Case("nl", ("meisje",), ("oom {gender: m}",), "N1|de/het"),
    "hi plural": Case("hi", ("poti {gender: f, number: p}",), ("pota",), "N1|=gaya/gayi"),
    "ar no gender": Case("ar", (HAFIDA,), (JADD,), KAN),
    "ar plural": Case(
        "ar",
        ("\u062d\u0641\u064a\u062f\u0627\u062a {gender: f, number: p}",),
        ("\u062c\u062f {gender: m}",),
        KAN,
    ),
    "tr stem": Case("tr", ("kitap", "ev"), ("oda", "yol"), "N1|-(y)i", stem="kitab"),
    "tr digits": Case("tr", ("20", "ev"), ("oda", "yol"), "N1|-de", reading="yirmi"),
    "tr possessive": Case("tr", ("ev sahibi",), ("oda",), "N1|-(y)i"),
    "tr possessive value": Case("tr", ("ev sahibi {possessive: maybe}",), ("oda",), "N1|-(y)i"),
    "tr possessive joined": Case("tr", ("ev sahibi {possessive: yes}",), ("oda",), "N1|-li"),
    "tr irregular": Case("tr", ("su",), ("oda",), "N1|-(n)in", reading="su"),
    "tr unknown suffix": Case("tr", ("ev",), ("oda",), "N1|-zzz"),
    "ko reading": Case(
        "ko", ("DJ", SONJA), (HALMEONI, IMO), "N1|\uc740/\ub294", reading="\ub514\uc81c\uc774"
    ),
    "ko particles": Case("ko", (SONJA,), (IMO,), "N1|a/an"),
    "en reading": Case("en", ("FBI", "cook"), ("actor", "baker"), "N1|a/an", reading="eff"),
    "ja none": Case("ja", ("\u5b6b", "\u53d4\u6bcd"), ("\u7956\u6bcd", "\u53d4\u7236"), "N1|a/an"),
    "zh none": Case("zh", ("\u5b59",), ("\u59d1",), "N1|a/an"),
}
EXPECTED = {
    "agreement-unknown",
    "form-missing",
    "form-count",
    "form-open",
    "slot-undeclared",
    "slot-unused",
    "feature-spelling",
    "feature-unknown",
    "feature-incomplete",
    "name-unchanged",
    "form-unused",
    "filler-parentheses",
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_what_a_finding_advises_ends_it(make, case: Case) -> None:
    """Every way that is named leads to a template of which nothing is said, in a few steps."""
    seen: set[Case] = set()
    open_cases = [(case, 0)]
    ended = 0
    assert case.findings(make)
    while open_cases:
        now, steps = open_cases.pop()
        findings = now.findings(make)
        if not findings:
            ended += 1
            continue
        assert {item.rule for item in findings} <= EXPECTED, findings
        assert steps < _STEPS, findings
        for finding in findings:
            advised = list(now.advised(finding))
            assert advised, f"nothing can be followed: {finding.message}: {finding.hint}"
            for then in advised:
                assert then != now, f"in a circle: {finding.message}: {finding.hint}"
                assert finding not in then.findings(make)
                if then not in seen:
                    seen.add(then)
                    open_cases.append((then, steps + 1))
    assert ended


def test_a_singular_need_not_be_stated(make) -> None:
    """Nor a stem that does not soften: agreement takes them for granted."""
    plural = Case(
        "es",
        ("nietas {gender: f, number: p}", "nieto {gender: m}"),
        ("maga {gender: f}", "mago {gender: m}"),
        "N1|el/la/los/las",
    )
    assert plural.findings(make) == []
    english = replace(plural, slot="N1", language="en")
    assert [item.rule for item in english.findings(make)] == ["feature-incomplete"] * 2
