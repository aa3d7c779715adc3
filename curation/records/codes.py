"""Codes of languages: ISO 639-1, and what people write in their place."""

import difflib
import re
from typing import Annotated

from pydantic import AfterValidator

from curation.records.wrong_values import WrongValue

_FORM = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]+)*")
_NAMES = """
aa Afar, ab Abkhazian, ae Avestan, af Afrikaans, ak Akan, am Amharic, an Aragonese, ar Arabic,
as Assamese, av Avaric, ay Aymara, az Azerbaijani, ba Bashkir, be Belarusian, bg Bulgarian,
bh Bihari, bi Bislama, bm Bambara, bn Bengali, bo Tibetan, br Breton, bs Bosnian, ca Catalan,
ce Chechen, ch Chamorro, co Corsican, cr Cree, cs Czech, cu Church Slavic, cv Chuvash, cy Welsh,
da Danish, de German, dv Divehi, dz Dzongkha, ee Ewe, el Greek, en English, eo Esperanto,
es Spanish, et Estonian, eu Basque, fa Persian, ff Fulah, fi Finnish, fj Fijian, fo Faroese,
fr French, fy Western Frisian, ga Irish, gd Gaelic, gl Galician, gn Guarani, gu Gujarati, gv Manx,
ha Hausa, he Hebrew, hi Hindi, ho Hiri Motu, hr Croatian, ht Haitian, hu Hungarian, hy Armenian,
hz Herero, ia Interlingua, id Indonesian, ie Interlingue, ig Igbo, ii Sichuan Yi, ik Inupiaq,
io Ido, is Icelandic, it Italian, iu Inuktitut, ja Japanese, jv Javanese, ka Georgian, kg Kongo,
ki Kikuyu, kj Kuanyama, kk Kazakh, kl Kalaallisut, km Khmer, kn Kannada, ko Korean, kr Kanuri,
ks Kashmiri, ku Kurdish, kv Komi, kw Cornish, ky Kyrgyz, la Latin, lb Luxembourgish, lg Ganda,
li Limburgan, ln Lingala, lo Lao, lt Lithuanian, lu Luba-Katanga, lv Latvian, mg Malagasy,
mh Marshallese, mi Maori, mk Macedonian, ml Malayalam, mn Mongolian, mr Marathi, ms Malay,
mt Maltese, my Burmese, na Nauru, nb Norwegian Bokmal, nd North Ndebele, ne Nepali, ng Ndonga,
nl Dutch, nn Norwegian Nynorsk, no Norwegian, nr South Ndebele, nv Navajo, ny Chichewa,
oc Occitan, oj Ojibwa, om Oromo, or Odia, os Ossetian, pa Punjabi, pi Pali, pl Polish, ps Pashto,
pt Portuguese, qu Quechua, rm Romansh, rn Rundi, ro Romanian, ru Russian, rw Kinyarwanda,
sa Sanskrit, sc Sardinian, sd Sindhi, se Northern Sami, sg Sango, si Sinhala, sk Slovak,
sl Slovenian, sm Samoan, sn Shona, so Somali, sq Albanian, sr Serbian, ss Swati,
st Southern Sotho, su Sundanese, sv Swedish, sw Swahili, ta Tamil, te Telugu, tg Tajik, th Thai,
ti Tigrinya, tk Turkmen, tl Tagalog, tn Tswana, to Tonga, tr Turkish, ts Tsonga, tt Tatar,
tw Twi, ty Tahitian, ug Uyghur, uk Ukrainian, ur Urdu, uz Uzbek, ve Venda, vi Vietnamese,
vo Volapuk, wa Walloon, wo Wolof, xh Xhosa, yi Yiddish, yo Yoruba, za Zhuang, zh Chinese, zu Zulu
"""
LANGUAGES: dict[str, str] = {
    code: name.strip()
    for code, _, name in (item.strip().partition(" ") for item in _NAMES.split(","))
}
"""The names of languages in English by their ISO 639-1 code."""
_MEANT = {
    "al": "sq", "cn": "zh", "cz": "cs", "dk": "da", "ge": "ka", "gr": "el", "in": "id",
    "ir": "fa", "iw": "he", "jp": "ja", "sp": "es", "ua": "uk", "us": "en",
    "vn": "vi", "ger": "de", "deu": "de", "spa": "es", "eng": "en", "fra": "fr", "fre": "fr",
    "kor": "ko", "jpn": "ja", "zho": "zh", "chi": "zh", "tur": "tr", "ara": "ar", "hin": "hi",
    "cat": "ca", "nld": "nl", "dut": "nl", "por": "pt", "ita": "it", "rus": "ru", "pol": "pl",
}  # fmt: skip
"""Codes of countries, and of three letters, in whose place there is one of two."""
_ANY = "write its ISO 639-1 code in lower-case letters, such as ko, en or zh-Hant"


def check_code(text: str) -> str:
    """Give a code of a language: of two letters as in ISO 639-1, or of three; with its variety.

    Raises:
        WrongValue: With the nearest code, if it is none.
    """
    first = text.partition("-")[0]
    if _FORM.fullmatch(text) and first not in _MEANT and (len(first) > 2 or first in LANGUAGES):
        return text
    near = near_code(text)
    meant = f"did you mean {near} ({LANGUAGES[near.split('-')[0]]})? " if near else ""
    raise WrongValue(
        f"'{text}' is not a code of a language" if text else "it is empty", f"{meant}{_ANY}"
    )


def near_code(text: str) -> str:
    """The code that was probably meant, or nothing: `ko_KR`, `Korean`, `jp`, `KO`."""
    plain = text.strip().lower().replace("_", "-")
    first = plain.partition("-")[0]
    if first in _MEANT:
        return _MEANT[first]
    if first in LANGUAGES:
        as_written = text.strip().replace("_", "-").partition("-")[2]
        is_variety = re.fullmatch(r"[A-Za-z0-9]+(-[A-Za-z0-9]+)*", as_written)
        return f"{first}-{as_written}" if is_variety else first
    names = {name.lower(): code for code, name in LANGUAGES.items()}
    found = difflib.get_close_matches(plain, names, n=1, cutoff=0.75)
    return names[found[0]] if found else ""


LanguageCode = Annotated[str, AfterValidator(check_code)]
"""The code of a language."""
