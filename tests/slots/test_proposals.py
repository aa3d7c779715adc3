"""Agreement that a translation seems to ask for."""

import pytest

from curation.slots import Filler, parse_text, print_text
from curation.slots.agreement import agreement_for
from curation.slots.proposals import propose


@pytest.mark.parametrize(
    ("text", "proposed"),
    [
        ("[N1]은 왔다.", "[N1|은/는] 왔다."),
        ("[N1]는 [N2]과 왔다.", "[N1|은/는] [N2|과/와] 왔다."),
        ("[N1]은(는) 왔다.", "[N1|은/는] 왔다."),
        ("[N1.def]은 왔다.", "[N1.def]은 왔다."),
        ("[N1]를(을), 곧", "[N1|을/를], 곧"),
        ("[W1](으)로 갔다", "[W1|으로/로] 갔다"),
        ("[W1]로 갔다", "[W1|으로/로] 갔다"),
        ("[W1]으로부터", "[W1|으로부터/로부터]"),
        ("[N1]이", "[N1|이/가]"),
        ("[N1]와의 약속", "[N1|과의/와의] 약속"),
    ],
)
def test_a_particle_after_a_bare_slot_is_proposed_as_agreement(text: str, proposed: str) -> None:
    """As the slot that fits every filler."""
    found, proposals = propose(parse_text(text), "ko")
    assert print_text(found) == proposed
    assert all(item.proposed in proposed for item in proposals)


@pytest.mark.parametrize(
    "text",
    [
        "[N1] 이 사람",
        "[N1]가게",
        "[N1]이다.",
        "[N1]의 집",
        "[N1]에게",
        "[N1|은/는] 왔다",
        "[N1: 할머니는] 왔다",
        "[N1]야 뭐",
        "은 [N1]",
    ],
)
def test_nothing_is_proposed_where_it_is_not_sure(text: str) -> None:
    """Another syllable after it, a space before it, or no pair of particles."""
    assert propose(parse_text(text), "ko") == (parse_text(text), ())


@pytest.mark.parametrize(
    ("language", "text", "proposed"),
    [
        ("es", "Un [N1] y una [N2] esperaban.", "[N1|un/una] y [N2|un/una] esperaban."),
        ("es", "La carta del [N1], no al [W1].", "La carta de [N1|el/la], no a [W1|el/la]."),
        (
            "es",
            "Del [N1] se sabe; los [N2] callan.",
            "De [N1|el/la] se sabe; [N2|el/la/los/las] callan.",
        ),
        (
            "es",
            "Con [N1], mi [N2] y el [N1|=bueno/buena]",
            "Con [N1], mi [N2] y el [N1|=bueno/buena]",
        ),
        ("es", "el\u00a0[N1] y [N1.def]", "el\u00a0[N1] y [N1.def]"),
        ("ca", "un [N1] i el [N2]", "[N1|un/una] i [N2|el/la]"),
        ("fr", "le [N1] et une [N2]", "[N1|le/la] et [N2|un/une]"),
        ("fr", "du [N1]", "de [N1|le/la]"),
        ("nl", "de [N1] en het [N2]", "[N1|de/het] en [N2|de/het]"),
        ("de", "der [N1] und das [N2]", "der [N1] und das [N2]"),
        ("de", "Mit dem [N1] wegen des [N2]", "Mit [N1|dem/der] wegen des [N2]"),
        ("de", "eines [N1] einer [N2] Eines [N1]", "eines [N1] einer [N2] Eines [N1]"),
        ("hi", "एक [N1]", "एक [N1]"),
    ],
)
def test_an_article_before_a_bare_slot_is_proposed_as_agreement(
    language: str, text: str, proposed: str
) -> None:
    """Contracted ones are taken apart; one that may be of several sets is left as it is."""
    found, proposals = propose(parse_text(text), language)
    assert print_text(found) == proposed
    assert all(item.found in text and item.proposed in proposed for item in proposals)


def test_other_languages_have_no_proposals() -> None:
    """Where nothing agrees with a name."""
    assert propose(parse_text("[N1]은"), "ja")[1] == ()


def test_every_proposal_is_agreement_that_is_known() -> None:
    """What is proposed can be filled in."""
    agreement = agreement_for("ko")
    assert agreement is not None
    for particle in ("은", "가", "을", "와", "로", "랑", "나", "과는", "로서", "라도", "으로써"):
        _, (proposal,) = propose(parse_text(f"[N1]{particle} 끝"), "ko")
        pair = proposal.proposed[4:-1]
        assert agreement.form(Filler("솔"), pair)
