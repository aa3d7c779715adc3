"""The settings by which a server is found: address, token, and the SDK."""

import os
from importlib.metadata import PackageNotFoundError, version
from urllib.parse import urlsplit

from curation.model.errors import CurateError

URL_VARIABLE = "LABEL_STUDIO_URL"
KEY_VARIABLE = "LABEL_STUDIO_API_KEY"
INSTALL = "pip install 'curate-bbq[labelstudio]'"


def find_settings(url: str | None = None, key: str | None = None) -> tuple[str, str]:
    """Give address and token, from the environment where they are not given.

    Raises:
        CurateError: If one is missing or cannot be one.
    """
    address = (url if url is not None else os.environ.get(URL_VARIABLE, "")).strip()
    secret = (key if key is not None else os.environ.get(KEY_VARIABLE, "")).strip()
    check_url(address)
    if not secret:
        raise CurateError(
            "there is no access token for Label Studio",
            f"environment variable {KEY_VARIABLE}",
            "copy yours from Label Studio, Account & Settings > Access Token, and export it",
        )
    if not secret.isascii() or not secret.isprintable() or " " in secret:
        raise CurateError(
            "the access token holds signs that no token has",
            f"environment variable {KEY_VARIABLE}",
            "copy it again, in one line",
        )
    return address.rstrip("/"), secret


def check_sdk() -> None:
    """See that the SDK is there and speaks the API that is used here.

    Raises:
        CurateError: If it is missing, or too old or new.
    """
    try:
        found = version("label-studio-sdk")
    except PackageNotFoundError as error:
        raise CurateError("the Label Studio SDK is not installed", hint=INSTALL) from error
    if found.split(".")[0] != "2":
        raise CurateError(
            f"label-studio-sdk {found} is installed; version 2 is needed",
            hint=f"{INSTALL} in a fresh virtual environment: another package holds it back",
        )


def check_url(address: str) -> None:
    """Refuse an address that is none.

    Raises:
        CurateError: If it is empty, has no scheme or host, or holds a password.
    """
    where, hint = f"environment variable {URL_VARIABLE}", "such as http://127.0.0.1:8080"
    if not address:
        raise CurateError("the address of Label Studio is not set", where, f"export it, {hint}")
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise CurateError("the address cannot be read", where, f"write it {hint}") from None
    if parts.scheme not in ("http", "https") or not host:
        raise CurateError(f"'{address}' is no web address", where, f"begin with http://, {hint}")
    if parts.username or parts.password or parts.query:
        raise CurateError(
            "the address holds a name, a password or a query", where, f"write it without, {hint}"
        )
