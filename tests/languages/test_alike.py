"""What is said beside a verdict is read alike whichever choice the verdict is.

A reader that reads C where it does not read A and B makes a biased model look fair.
"""

import re
from collections.abc import Iterator

import pytest

from curation.languages import load
from evaluation.parsing import read_reply

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
}
ANYTHING = {
    "ar": "كان المتجر مفتوحا",
    "ca": "la botiga era oberta",
    "de": "der Laden offen war",
    "en": "the shop was open",
    "es": "la tienda estaba abierta",
    "fr": "la boutique était ouverte",
    "hi": "दुकान खुली थी",
    "ja": "店が開いていた",
    "ko": "가게가 열려 있었다",
    "nl": "de winkel open was",
    "tr": "dükkân açıktı",
    "zh": "商店开着",
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
}
LEADS = {"ko": "정답: {}", "es": "Respuesta: {}", "nl": "Antwoord: {}", "tr": "Cevap: {}"}
"""Of the other languages: as in English."""
FORMS = ("{x}. {s}.", "{x}\n\n{s}.", "{s}.\n\n{x}")
NAMING = ("articles", "prefixes", "alternatives", "either", "none")
"""Lists whose phrases name choices: a letter, another one, both people, or none of them."""
NOT_PHRASES = ("answer_keys", "labels", "ordinals", "marked", "nouns")
ALIKE = ("...", "rrr")

codes = pytest.mark.parametrize("code", CHOICES)


def plainest(phrase: str, parts: dict[str, str]) -> str:
    """A sentence of a phrase: without what may be missing, with the first of several."""
    out, at = "", 0
    while at < len(phrase):
        sign = phrase[at]
        if sign in "([":
            depth, end, cuts = 1, at + 1, [at]
            while depth:
                depth += (phrase[end] in "([") - (phrase[end] in ")]")
                if phrase[end] == "|" and depth == 1:
                    cuts.append(end)
                end += 1
            cuts.append(end - 1)
            if sign == "[":
                out += plainest(phrase[cuts[0] + 1 : cuts[1]], parts)
            at = end
        elif sign in "{<":
            end = phrase.index({"{": "}", "<": ">"}[sign], at)
            out += plainest(parts[phrase[at + 1 : end]], parts) if sign == "{" else ""
            at = end + 1
        else:
            out += {"_": " ", "*": "xyz"}.get(sign, sign)
            at += 1
    return out


def said(code: str) -> Iterator[str]:
    """A sentence of every phrase of a language that names no choice."""
    words = load(code).replies
    assert words is not None
    for name, phrases in words:
        if not isinstance(phrases, tuple) or name in (*NAMING, *NOT_PHRASES):
            continue
        for phrase in phrases:
            if not re.search("[XY]", phrase):
                text = plainest(phrase.replace(" ... ", " "), words.parts).strip(" -")
                text = re.sub(r"\s+", " ", text.replace("Z", ANYTHING[code]))
                yield text[:1].upper() + text[1:]


def outcomes(form: str, code: str) -> str:
    """How a reply is read with A, B and C in it: r as it says, . not at all."""
    read = [read_reply(form.format(x=x), CHOICES[code]).chosen for x in "ABC"]
    return "".join(
        "." if chosen is None else "r" if chosen == {at} else "!" for at, chosen in enumerate(read)
    )


@codes
def test_every_phrase_of_a_language_is_read_alike_beside_each_choice(code: str) -> None:
    """Before it and after it; what by itself is read as a choice is a second verdict."""
    found, read = {}, 0
    sentences = [text for text in said(code) if not read_reply(text, CHOICES[code]).chosen]
    for number, text in enumerate(sentences):
        form = FORMS[number % len(FORMS)].replace("{s}", text.replace("{", "").replace("}", ""))
        kinds = outcomes(form, code)
        read += kinds == "rrr"
        if kinds not in ALIKE:
            found[form] = kinds
    assert found == {}
    assert read >= 0.8 * len(sentences) >= 200


@codes
def test_what_is_said_of_the_others_changes_nothing(code: str) -> None:
    """They are a subject of their own: all choices but the verdict."""
    lead = LEADS.get(code, "Answer: {}").format("{x}")
    forms = [*FORMS, f"{lead}\n\n{{s}}.", f"{lead}. {{s}}."]
    replies = [form.replace("{s}", text) for form in forms for text in OTHERS[code]]
    assert {reply: kinds for reply in replies if (kinds := outcomes(reply, code)) != "rrr"} == {}
