"""DeepL through its own client, against a server on this machine."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curation.annotation.engines.deepl_engine import DeeplService, target_code
from curation.annotation.engines.engine import (
    EngineFault,
    FaultKind,
    Memory,
    TextToSend,
    glossary_of_groups,
    send,
)
from curation.annotation.translation.run import estimate_translation
from curation.files.workspace import Workspace
from curation.records.bank import Group
from curation.records.culture import TranslationSettings
from curation.records.messages import CurateError
from curation.web import Caller

Server = Callable[..., Any]


def service(target="ko", **settings):
    """Give the engine from English."""
    return DeeplService(TranslationSettings.model_validate(settings), "en", target)


def test_languages_are_written_as_deepl_takes_them():
    """As the pack says, by the nearest code; one without a pack as DeepL's client calls it."""
    for language, code in [
        *(("ko", "KO"), ("en", "EN-US"), ("pt", "PT-BR"), ("en-GB", "EN-GB"), ("es-419", "ES-419")),
        *(("EN", "EN-US"), ("pt-PT", "PT-PT"), ("es-MX", "ES-419"), ("es-ES", "ES")),
        *(("zh", "ZH-HANS"), ("zh-Hant-TW", "ZH-HANT"), ("zh-TW", "ZH-HANT"), ("de-AT", "DE")),
        *(("uk", "UK"), ("eu", "EU"), ("uk-UA", "UK")),
    ]:
        assert target_code(language) == code


def test_a_language_that_deepl_lacks_is_refused():
    """Before anything is sent or estimated; what was asked for by name is never replaced."""
    for language, wanted, what, where, hint in [
        ("tlh", "", "into TLH", "language", "it translates into ACE, AF,"),
        (
            "pt",
            "PT-XX",
            "into PT-XX",
            "translation.target_language",
            "it translates into PT-BR, PT-PT;",
        ),
        ("ko", "KOR", "into KOR", "translation.target_language", "it translates into ACE, AF,"),
    ]:
        with pytest.raises(CurateError) as caught:
            service(language, target_language=wanted)
        assert caught.value.what == f"DeepL does not translate {what}"
        assert caught.value.where == where
        assert caught.value.hint.startswith(hint)


@pytest.mark.parametrize("target", ["ko", "zh", "tr", "en", "hi", "uk"])
def test_a_register_is_refused_where_deepl_has_none(target):
    """Before anything is sent; a preference is always accepted."""
    with pytest.raises(CurateError, match="DeepL has no formal or informal register"):
        service(target, formality="more")
    service(target, formality="prefer_more")
    for known in ("de", "es-MX", "pt-PT", "ja", "pl"):
        assert service(known, formality="more")._options["formality"] == "more"


def test_the_size_is_that_of_the_body_as_it_is_sent(deepl_server, monkeypatch):
    """One Hangul character takes six bytes; the estimate is never below the real body."""
    sizes = []
    server = deepl_server(translate=lambda text: text)
    engine = service(instructions=["가"])
    sent = Caller.send
    monkeypatch.setattr(
        Caller, "send", lambda *request: sizes.append(len(request[3])) or sent(*request)
    )
    texts = ["가나다", "a <x id='1'/>"]
    engine.translate(texts, "문맥")
    engine.close()
    assert server.bodies
    assert sizes[0] <= engine.size(texts, "문맥") <= sizes[0] + 100
    assert engine.size(["가" * 100], "") - engine.size(["a" * 100], "") == 500


def test_every_failure_is_told_apart(deepl_server):
    """By whether the request may be sent again; the client itself sends it once."""
    for fault, kind in [
        (403, FaultKind.STOP),
        (456, FaultKind.STOP),
        (400, FaultKind.STOP),
        (413, FaultKind.TOO_LARGE),
        (429, FaultKind.BUSY),
        (500, FaultKind.BUSY),
        (503, FaultKind.BUSY),
        (529, FaultKind.BUSY),
        (504, FaultKind.UNANSWERED),
        ("drop", FaultKind.UNANSWERED),
        ("drop after", FaultKind.UNANSWERED),
        ("strange", FaultKind.STOP),
    ]:
        server = deepl_server(faults={1: fault})
        client = service()
        with pytest.raises(EngineFault) as caught:
            client.translate(["text"], "")
        client.close()
        assert caught.value.kind is kind
        assert caught.value.billed == (kind is FaultKind.UNANSWERED or fault == "strange")
        assert len(server.bodies) == 1


def test_a_glossary_that_somebody_has_changed_is_not_used(deepl_server):
    """Glossaries can be changed under their id: the entries count."""
    server = deepl_server()
    engine = service()
    engine.glossary = (("potter", "옹기장이"),)
    engine.prepare()
    engine.prepare()
    assert len(server.glossaries) == 1
    server.glossaries["glossary-1"]["entries"] = "potter\t도공"
    engine.prepare()
    assert len(server.glossaries) == 2
    engine.translate(["the potter"], "")
    engine.close()
    assert server.bodies[-1]["glossary_id"] == "glossary-2"


def test_a_glossary_is_of_languages_and_a_translation_of_a_variant(deepl_server):
    """DeepL takes no region in a glossary, and uses one of Portuguese for that of Brazil."""
    server = deepl_server()
    engine = service("pt-BR")
    engine.glossary = (("potter", "oleiro"),)
    engine.prepare()
    engine.translate(["the potter"], "")
    engine.close()
    assert server.glossaries["glossary-1"]["pair"] == {"source_lang": "EN", "target_lang": "PT"}
    assert server.bodies[-1]["target_lang"] == "PT-BR"


def test_the_signature_holds_every_option():
    signatures = {
        service().signature("a b"),
        service("ja").signature("a b"),
        service(formality="prefer_less").signature("a b"),
        service(instructions=["Plain."]).signature("a b"),
        service(target_language="EN-GB").signature("a b"),
        DeeplService(TranslationSettings(), "de", "ko").signature("a b"),
        DeeplService(TranslationSettings(), "en", "ko", (("A", "c"),)).signature("a b"),
    }
    assert len(signatures) == 7
    assert service(budget=5, price=2, workers=1).signature("a b") == service().signature("a b")


def test_a_new_entry_of_a_glossary_asks_only_for_texts_that_have_it():
    """In whatever case, not in tags, and with what XML escapes."""
    plain = service().signature("x")
    engine = service()
    engine.glossary = (("potter", "옹기장이"), ("A & B", "가나"), ("id", "신분증"))
    for text, is_other in [
        ('The <x id="1"/> sat.', False),
        ("The Potter sat.", True),
        ("at A &amp; B", True),
        ('<x id="1">a potter</x>', True),
    ]:
        assert (engine.signature(text) != plain) == is_other


def test_what_a_reply_lacks_is_asked_for_alone(deepl_server, tmp_path):
    """What it holds is kept; a count that is missing is that of the estimate."""
    items = [TextToSend("Who hums?", "", 9), TextToSend("Who sat?", "", 8)]
    items.append(TextToSend('<x id="1"/> sat', "", 4))
    for faults, asked, billed in [
        ({1: "-text billed_characters"}, [items, items[:1]], 9 + 21),
        ({1: "one less"}, [items, items[:1], items[1:]], 21 + 21),
        ({1: "one less", 2: 429}, [items, items[:1], items[:1], items[1:]], 21 + 21),
    ]:
        server = deepl_server(faults=faults)
        with Memory(tmp_path / f"{len(asked)}{billed}.sqlite") as memory:
            outcome = send(items, service(), memory, 1)
            assert (outcome.unanswered, outcome.stopped, outcome.answered) == ([], None, 3)
            kept = memory.select(
                "SELECT text, reply FROM replies WHERE text IN", [i.wire for i in items]
            )
            assert dict(kept) == {item.wire: server.reply_to(item.wire) for item in items}
            assert (outcome.billed, memory.billed("deepl"), server.billed) == (billed,) * 3
        sent = [[item.wire for item in request] for request in asked]
        assert [body["text"] for body in server.bodies] == sent
    deepl_server(faults={1: "-text"})
    with Memory(tmp_path / "alone.sqlite") as memory:  # it may be billed each time
        assert send(items[:1], service(), memory, 1).unanswered == items[:1]


def test_groups_that_people_named_are_a_glossary():
    """What is called differently in two categories says nothing, nor does a merged group."""
    groups = [
        Group("Age", "노인", key="old"),
        Group("Age", "teenaged", key="teenaged"),
        Group("Home", "섬", key="island"),
        Group("Job", "도서", key="island"),
        Group("Age", "x", key="elderly", same_as="old"),
    ]
    assert glossary_of_groups(groups) == (("old", "노인"),)
    assert glossary_of_groups(groups[1:2]) == ()


def test_an_estimate_says_the_most_that_may_be_billed():
    """193 characters once, and 158 of six texts with slots, filled in, if all come back damaged."""
    given = Path(__file__).parents[2] / "scenarios" / "translate" / "given" / "w"
    found = estimate_translation(Workspace(given), "deepl")
    assert (found["characters"], found["most"]) == (193, 193 + 37 + 42 + 10 + 9 + 29 + 31)
