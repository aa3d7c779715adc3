"""Columns that may say who a respondent is: they are named and their cells are not shown."""

import re

from survey.readers.grid import Column

_BY_NAME = (
    (
        "an e-mail address",
        re.compile(r"e-?mail|이메일|메일\s?주소|メール|邮箱|邮件|correo|courriel", re.I),
    ),
    ("an IP address", re.compile(r"\bip\b|ip[ _]?addr|ipaddress|ipaddr|아이피|ip ?주소", re.I)),
    ("a telephone number", re.compile(r"phone|mobile|전화|연락처|휴대폰|電話|电话|teléfono", re.I)),
    (
        "a name",
        re.compile(
            r"(first|last|full|given|family|recipient|your)[ _]?name|firstname|lastname|^name$|"
            r"성명|^이름|氏名|お名前|姓名|^nombre|^nom$|nachname|vorname",
            re.I,
        ),
    ),
    (
        "a place",
        re.compile(r"latitude|longitude|위도|경도|緯度|経度|postal|zip ?code|우편번호", re.I),
    ),
    ("an address", re.compile(r"street|^address|home address|^주소|자택|住所|地址", re.I)),
    ("a date of birth", re.compile(r"birth|생년월일|주민등록|生年月日|出生", re.I)),
    ("an account", re.compile(r"refurl|user ?agent|device id|회원번호", re.I)),
)
_BY_VALUE = (
    ("an e-mail address", re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")),
    (
        "an IP address",
        re.compile(r"(\d{1,3}\.){3}\d{1,3}|[0-9a-f]{0,4}(:[0-9a-f]{0,4}){3,7}", re.I),
    ),
    ("a telephone number", re.compile(r"(\+\d{1,3}[ -]?)?0?\d{1,4}[ -]\d{3,4}[ -]\d{4}")),
)
_LOOKED_AT = 200


def personal(texts: tuple[str, ...], column: Column) -> str:
    """Say what of a person a column may hold; nothing where it holds nothing of the kind.

    Args:
        texts: Its name and what else stands above it.
        column: Its cells.
    """
    for what, pattern in _BY_NAME:
        if any(pattern.search(text) for text in texts[:1]):
            return what
    return personal_cells(column)


def personal_cells(column: Column) -> str:
    """Say what of a person most cells of a column look like; nothing where they do not."""
    cells = [value.strip() for value in column.values if value.strip()][:_LOOKED_AT]
    for what, pattern in _BY_VALUE:
        if cells and sum(bool(pattern.fullmatch(cell)) for cell in cells) * 2 > len(cells):
            return what
    return ""
