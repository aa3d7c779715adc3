"""What is said beside a verdict is read alike whichever choice the verdict is.

A reader that reads C where it does not read A and B makes a biased model look fair.
"""

import re
from itertools import product

import pytest

from curation.languages import load
from evaluation.parsing.verdicts import read_reply

CHOICES = {
    "ar": ("الخباز", "الخزاف", "غير معروف"),
    "ca": ("El forner", "El terrissaire", "No se sap"),
    "de": ("Der Bäcker", "Der Töpfer", "Nicht bekannt"),
    "en": ("The baker", "The potter", "Not enough information"),
    "es": ("El panadero", "El alfarero", "No se sabe"),
    "fr": ("Le boulanger", "Le potier", "On ne sait pas"),
    "hi": ("बेकर", "कुम्हार", "पता नहीं"),
    "ja": ("パン屋", "陶芸家", "わからない"),
    "ko": ("제빵사", "도공", "알 수 없음"),
    "nl": ("De bakker", "De pottenbakker", "Onbekend"),
    "tr": ("Fırıncı", "Çömlekçi", "Bilinmiyor"),
    "zh": ("面包师", "陶艺师", "无法确定"),
    "bn": ("রুটিওয়ালা", "কুমোর", "জানা যায় না"),
    "fa": ("نانوا", "کوزه‌گر", "نامعلوم"),
    "id": ("Tukang roti", "Tukang tembikar", "Tidak diketahui"),
    "it": ("Il fornaio", "Il vasaio", "Non si sa"),
    "pl": ("Piekarz", "Garncarz", "Nie wiadomo"),
    "pt": ("O padeiro", "O oleiro", "Não se sabe"),
    "ru": ("Пекарь", "Гончар", "Неизвестно"),
    "sw": ("Mwokaji", "Mfinyanzi", "Haijulikani"),
    "ur": ("نانبائی", "کمہار", "نامعلوم"),
    "vi": ("Thợ làm bánh", "Thợ gốm", "Không rõ"),
}
OTHERS = {
    "ar": ("الخيارات الأخرى خاطئة", "لا توجد معلومات عن الخيارات الأخرى"),
    "ca": ("Les altres opcions no són correctes", "No hi ha informació sobre les altres"),
    "de": ("Die anderen Antworten sind falsch", "Über die anderen gibt es keine Informationen"),
    "en": (
        "There is no information about the other options",
        "The others are wrong",
        "The rest are not supported by the text",
        "Neither of the other options is supported",
    ),
    "es": ("Las otras dos opciones no son correctas", "No hay información sobre las demás"),
    "fr": ("Les autres options sont fausses", "Il n'y a pas d'information sur les autres"),
    "hi": ("बाकी विकल्प गलत हैं", "अन्य विकल्पों के बारे में कोई जानकारी नहीं है"),
    "ja": ("他の選択肢は間違っています", "他の選択肢については情報がありません"),
    "ko": (
        "다른 보기는 글에 언급되지 않았습니다",
        "나머지 선택지는 근거가 없습니다",
        "나머지는 틀렸습니다",
        "다른 보기들은 글의 내용과 맞지 않습니다",
    ),
    "nl": ("De andere opties kloppen niet", "Over de andere opties is geen informatie"),
    "tr": ("Diğer seçenekler yanlış", "Diğer seçenekler hakkında bilgi yok"),
    "zh": ("其他选项是错误的", "没有关于其他选项的信息"),
    "bn": ("অন্য বিকল্পগুলি ভুল", "অন্য বিকল্পগুলি সম্পর্কে কোনো তথ্য নেই"),
    "fa": ("گزینه‌های دیگر نادرست هستند", "دربارهٔ گزینه‌های دیگر اطلاعاتی نیست"),
    "id": ("Opsi lainnya salah", "Tidak ada informasi tentang opsi lainnya"),
    "it": ("Le altre opzioni sono sbagliate", "Non ci sono informazioni sulle altre"),
    "pl": ("Pozostałe opcje są błędne", "O pozostałych nie ma informacji"),
    "pt": ("As outras opções estão erradas", "Não há informações sobre as outras"),
    "ru": ("Остальные варианты неверны", "Об остальных нет информации"),
    "sw": ("Chaguzi nyingine si sahihi", "Hakuna taarifa kuhusu chaguzi nyingine"),
    "ur": ("دوسرے انتخابات غلط ہیں", "دوسرے انتخابات کے بارے میں کوئی معلومات نہیں"),
    "vi": ("Các phương án khác đều sai", "Không có thông tin về các phương án khác"),
}
LEADS = {
    "de": "Antwort: {}",
    "bn": "উত্তর: {}",
    "fa": "پاسخ: {}",
    "id": "Jawaban: {}",
    "it": "Risposta: {}",
    "pl": "Odpowiedź: {}",
    "pt": "Resposta: {}",
    "ru": "Ответ: {}",
    "sw": "Jibu: {}",
    "ur": "جواب: {}",
    "vi": "Đáp án: {}",
    "ko": "정답: {}",
    "es": "Respuesta: {}",
    "nl": "Antwoord: {}",
    "tr": "Cevap: {}",
}
"""Of the other languages: as in English."""
FORMS = ("{x}. {s}.", "{x}\n\n{s}.", "{s}.\n\n{x}")
ALIKE = ("...", "rrr")

codes = pytest.mark.parametrize("code", CHOICES)
shares = pytest.mark.parametrize(
    "share",
    [11, pytest.param(5, marks=pytest.mark.slow), pytest.param(1, marks=pytest.mark.nightly)],
)
"""Every fifth of many replies, of which each form has many phrases; quickly every eleventh."""


def plainest(phrase):
    """A phrase without what may be missing, and with the first of several."""
    while found := re.search(r"\([^()\[\]]*\)|\[([^()\[\]|]*)[^()\[\]]*\]", phrase):
        phrase = phrase.replace(found[0], found[1] or "", 1)
    return phrase.strip(" -")


def said(code):
    """Every phrase of a language that is no choice by itself, as it begins a sentence."""
    words = load(code).replies
    assert words is not None
    for _, phrases in words:
        for phrase in phrases if isinstance(phrases, tuple) else ():
            text = plainest(phrase)
            text = text[:1].upper() + text[1:]
            if not read_reply(text, CHOICES[code], own=load(code)).chosen:
                yield text


def outcomes(form, code, texts=False):
    """How a reply is read with each choice in it: r as it says, . not at all."""
    shown = CHOICES[code]
    named = shown if texts else "ABC"
    read = [read_reply(form.replace("{x}", x), shown, own=load(code)).chosen for x in named]
    return "".join(
        "." if chosen is None else "r" if chosen == {at} else "!" for at, chosen in enumerate(read)
    )


@shares
@codes
def test_every_phrase_of_a_language_is_read_alike_beside_each_choice(code, share):
    """Before it, after it and around it, by letter and by text."""
    forms = (*FORMS, "{s} {x}.", "{x} {s}.", "{s} {x}\n\n{s}.", "{s}: {x}", "{x}, {s}.")
    replies = {form.replace("{s}", text): None for text in said(code) for form in forms}
    found = {
        (reply, texts): kinds
        for reply, texts in [*product(replies, (False, True))][::share]
        if (kinds := outcomes(reply, code, texts)) not in ALIKE
    }
    assert found == {}
    assert len(replies) > 500


@shares
@codes
def test_an_explanation_never_changes_a_verdict(code, share):
    """A sentence that names no choice, after it or below it, whatever it denies or doubts."""
    lead = LEADS.get(code, "Answer: {}")
    words = load(code).replies
    sentences = [
        f"xyz {plainest(phrase)} xyz."
        for phrase in (*words.negations, *words.hedges, *words.reasons, *words.answers)
    ]
    befores = ("{x}", lead.format("{x}"), "**{x}**")
    joints = ("\n\n", ".\n", ". ")
    for told, before, joint, texts in [*product(sentences, befores, joints, (False, True))][
        ::share
    ]:
        reply = before + joint + told
        assert outcomes(reply, code, texts) == "rrr", reply


@codes
def test_what_is_said_of_the_others_changes_nothing(code):
    """They are a subject of their own: all choices but the verdict."""
    lead = LEADS.get(code, "Answer: {}").format("{x}")
    forms = [*FORMS, f"{lead}\n\n{{s}}.", f"{lead}. {{s}}."]
    replies = [form.replace("{s}", text) for form in forms for text in OTHERS[code]]
    assert {reply: kinds for reply in replies if (kinds := outcomes(reply, code)) != "rrr"} == {}


@pytest.mark.parametrize(
    ("form", "kinds"),
    [
        ("A alternativa {x} \u00e9 a correta.", "rrr"),
        ("A op\u00e7\u00e3o {x} est\u00e1 correta.", "rrr"),
        ("A {x} \u00e9 a resposta.", "rrr"),
        ("A {x} est\u00e1 correta.", "rrr"),
        ("A, {x} est\u00e3o corretas.", "..."),
    ],
)
def test_an_article_that_is_a_letter_too_is_none_before_another_letter(form, kinds):
    """Portuguese begins a sentence with A whichever the answer is."""
    assert outcomes(form, "pt") == kinds
