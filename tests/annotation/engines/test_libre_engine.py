"""LibreTranslate, against a server on this machine."""

import json

import pytest
from rows import variant
from site_on_loopback import serving

import curation
from curation.annotation.engines.engine import EngineFault, FaultKind, Memory, TextToSend, send
from curation.annotation.engines.libre_engine import LibreService
from curation.annotation.translation.run import run_translation
from curation.files.bank import write_bank
from curation.records.bank import Bank
from curation.records.culture import TranslationSettings
from curation.records.messages import CurateError

KEY = "libre-loopback-31"


@pytest.fixture
def libre_server(monkeypatch):
    """A server that the environment names with its key; `fault` is what its first request meets."""
    with serving() as site:

        def start(fault=None, most=100):
            def answer(_method, _path):
                body = bodies(site)[-1]
                first = fault if len(site.got) == 1 else None
                if first == "drop":
                    return 0, ""
                if isinstance(first, int):
                    return first, json.dumps({"error": f"no: {body.get('api_key')}"})
                if first is None and len(body["q"]) > most:
                    return 400, '{"error": "Invalid request: request exceeds text limit"}'
                made = {"translatedText": [f"«{text}»" for text in body["q"]]}
                return 200, json.dumps(made if first is None else first)

            site.answer = answer
            return site

        for name, value in (("URL", site.url), ("API_KEY", KEY)):
            monkeypatch.setenv(f"LIBRETRANSLATE_{name}", value)
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        yield start


def bodies(site):
    return [json.loads(one.partition(b"\n\n")[2]) for one in site.got]


def service(**settings):
    return LibreService(TranslationSettings.model_validate(settings), "en-US", "ko")


@pytest.mark.slow
def test_texts_go_out_as_html_and_come_back_in_their_order(libre_server, tmp_path):
    """In parts where the server takes fewer; the key stands in the body alone."""
    server = libre_server(most=2)
    items = [TextToSend(f'<x id="{at}"/> came &amp; went', "", 10) for at in range(3)]
    with Memory(tmp_path / "memory.sqlite") as memory:
        outcome = send(items, service(), memory, 1)
        assert memory.billed("libretranslate") == 30
    assert (outcome.stopped, outcome.answered, outcome.unanswered) == (None, 3, [])
    assert [len(body["q"]) for body in bodies(server)] == [3, 1, 2]
    first = bodies(server)[0]
    assert (first["source"], first["target"], first["format"]) == ("en", "ko", "html")
    assert first["api_key"] == KEY and first["q"][0] == items[0].wire
    assert KEY.encode() not in b"".join(path.read_bytes() for path in tmp_path.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "kind", "said"),
    [
        (403, FaultKind.STOP, "refuses the key (403): no: (key); check LIBRETRANSLATE_API_KEY"),
        (400, FaultKind.STOP, "translation.target_language"),
        (413, FaultKind.TOO_LARGE, "too large"),
        (429, FaultKind.BUSY, "later"),
        (500, FaultKind.BUSY, "later"),
        (504, FaultKind.UNANSWERED, "no reply came (504)"),
        ("drop", FaultKind.UNANSWERED, "lost"),
        ({}, FaultKind.STOP, "cannot be read"),
        ([], FaultKind.STOP, "cannot be read"),
        ({"translatedText": ["a", "b", "c"]}, FaultKind.STOP, "cannot be read"),
        ({"translatedText": "a"}, FaultKind.STOP, "cannot be read"),
        ({"translatedText": [1, 2]}, FaultKind.STOP, "cannot be read"),
    ],
)
def test_every_failure_is_told_apart(libre_server, fault, kind, said):
    """By whether the request may be sent again; it is said what to look at, without the key."""
    server = libre_server(fault=fault)
    client = service()
    with pytest.raises(EngineFault) as caught:
        client.translate(["text", "more"], "")
    client.close()
    assert caught.value.kind is kind and len(bodies(server)) == 1
    shown = f"{caught.value.what}; {caught.value.hint}"
    assert said in shown and KEY not in shown


@pytest.mark.slow
@pytest.mark.parametrize(
    ("texts", "kept"),
    [
        (['«<x id="2"/>»'], [None, None, None]),
        (["a", "", "c"], ["a", None, "c"]),
        ([None, "b", "c"], [None, "b", "c"]),
        (["", "", ""], [None, None, None]),
    ],
)
def test_what_a_reply_that_lacks_texts_holds_is_kept(libre_server, texts, kept):
    """At its place; of a shorter one nobody knows whose its texts are."""
    libre_server(fault={"translatedText": texts})
    client = service()
    found = client.translate(['<x id="1"/>', '<x id="2"/>', "plain"], "")
    client.close()
    assert [one and one.text for one in found] == kept


@pytest.mark.slow
def test_another_context_sends_no_text_again(libre_server, tmp_path):
    """It sees none: what is sent is the text that has changed, and all texts in one request."""
    server = libre_server()
    workspace = curation.init_workspace(tmp_path / "w", "ko")
    with workspace.culture_file.open("a", encoding="utf-8") as stream:
        stream.write("translation: {unlabelled: true}\n")
    for told in ("It rained.", "It snowed."):
        first = variant(ambiguous_context=told, biased_question="Who?")
        write_bank(workspace.bank_file, Bank((first, variant("craft-002a", stereotype="Dry."))))
        made = curation.open_workspace(workspace.root)
        assert run_translation(made, "libretranslate")["waiting"] == 0
    assert [sorted(body["q"]) for body in bodies(server)] == [
        ["Dry.", "It rained.", "Who?"],
        ["It snowed."],
    ]


def test_a_server_of_ones_own_may_want_no_key(monkeypatch):
    """The public one wants one."""
    monkeypatch.delenv("LIBRETRANSLATE_API_KEY", raising=False)
    monkeypatch.setenv("LIBRETRANSLATE_URL", "http://127.0.0.1:9/")
    service().prepare()
    monkeypatch.delenv("LIBRETRANSLATE_URL")
    with pytest.raises(CurateError, match="LIBRETRANSLATE_API_KEY is not set"):
        service().prepare()


@pytest.mark.parametrize(
    "settings", [{"formality": "more"}, {"instructions": ["Write plainly."]}, {"glossary": "x"}]
)
def test_what_it_cannot_do_is_refused(settings):
    """It would be left out without a word; a preference may be."""
    glossary = (("potter", "옹기장이"),) if "glossary" in settings else ()
    made = TranslationSettings.model_validate(settings)
    with pytest.raises(CurateError, match=f"has no {next(iter(settings))}"):
        LibreService(made, "en", "ko", glossary)
    service(formality="prefer_more", target_language="zh-Hans")
