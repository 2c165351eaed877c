"""Sends calls and reads their answers. Its operations follow from the OpenAPI document: operations.py."""

from __future__ import annotations

import http.client
import json
import random
import re
import secrets
import time
import urllib.error
import urllib.parse
import urllib.request
import warnings
from typing import Any, Callable, Iterator, Optional

from .answer import Answer, ApiProblem, NoAnswer
from .operations import Operations

# Longer than this nobody waits here: the error tells how long it would have been.
WAIT_MAX_SECONDS = 60


class Client(Operations):
    """
    retries: how often a call is sent again after 429, 503 and where no answer came; a POST with the key of its first try.
    timeout_seconds: for connecting and for each wait for the next bytes, so that a large file may take longer as a whole.
    """

    def __init__(
        self,
        base_url: str,
        key: str,
        *,
        retries: int = 3,
        timeout_seconds: float = 30,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self._base_url = base_url.rstrip("/")
        self._key = key
        self._retries = retries
        self._timeout_seconds = timeout_seconds
        self._wait = wait
        self._opener = urllib.request.build_opener(_NoRedirect)

    def _call(
        self,
        method: str,
        path: str,
        *,
        path_parameters: Optional[dict[str, str]] = None,
        query: Optional[dict[str, Any]] = None,
        body: Any = None,
        content_type: Optional[str] = None,
        if_match: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer[Any]:
        if method == "POST" and idempotency_key is None:
            idempotency_key = secrets.token_hex(16)
        headers = {"Authorization": f"Bearer {self._key}", "Accept": "application/json, */*;q=0.1"}
        if idempotency_key is not None:
            headers["Idempotency-Key"] = f'"{idempotency_key}"'
        if if_match is not None:
            headers["If-Match"] = if_match
        if body is not None and content_type is not None:
            headers["Content-Type"] = content_type
        url = self._base_url + _filled_in(path, path_parameters or {}) + _query_text(query or {})
        data = _bytes_of(body, content_type)
        is_repeatable = method == "GET" or idempotency_key is not None
        tries = 0
        while True:
            try:
                return self._send(method, path, url, headers, data, idempotency_key)
            except (ApiProblem, NoAnswer) as error:
                seconds = _wait_of(error, tries, is_repeatable) if tries < self._retries else None
                if seconds is None:
                    raise
                self._wait(seconds)
                tries += 1

    def _send(
        self,
        method: str,
        path: str,
        url: str,
        headers: dict[str, str],
        data: Optional[bytes],
        idempotency_key: Optional[str],
    ) -> Answer[Any]:
        request = urllib.request.Request(url, data=data, headers=headers, method=method)
        try:
            try:
                response = self._opener.open(request, timeout=self._timeout_seconds)
            except urllib.error.HTTPError as refusal:
                response = refusal
            with response:
                status, found, content = response.status, response.headers, response.read()
        except (OSError, http.client.HTTPException) as error:
            raise NoAnswer(error, idempotency_key=idempotency_key) from error
        if "Deprecation" in found:
            _warn(f"{method} {path}", found)
        told: dict[str, Any] = {"status": status, "request_id": found["X-Request-Id"]}
        kind = found.get_content_type() if "Content-Type" in found else ""
        document: Any = content
        if status >= 300 or kind.endswith("json"):
            try:
                document = json.loads(content) if content else None
            except ValueError:
                document = _NOT_READ
        if 200 <= status < 300 and document is not _NOT_READ:
            return Answer(
                data=document if content else None,
                etag=found["ETag"],
                location=found["Location"],
                is_replayed=found["Idempotency-Replayed"] == "true",
                **told,
            )
        after = found["Retry-After"] or ""
        raise ApiProblem(
            document if kind == "application/problem+json" and _is_problem(document) else _unexpected(status),
            retry_after_seconds=int(after) if re.fullmatch("[0-9]+", after) else None,
            idempotency_key=idempotency_key,
            **told,
        )


def pages(operation: Callable[..., Answer[Any]], *path: str, **query: Any) -> Iterator[Answer[Any]]:
    """The pages of a list one after the other: pages(client.list_webhooks, status="enabled")."""
    cursor = query.pop("cursor", None)
    while True:
        page = operation(*path, cursor=cursor, **query)
        yield page
        cursor = page.data["next_cursor"]
        if not page.data["has_more"] or cursor is None:
            return


def items(operation: Callable[..., Answer[Any]], *path: str, **query: Any) -> Iterator[Any]:
    """The items of a list one after the other; the next page is asked for when it is wanted."""
    for page in pages(operation, *path, **query):
        yield from page.data["data"]


_NOT_READ = object()


def _warn(operation: str, headers: http.client.HTTPMessage) -> None:
    """That an operation will end, which Python shows once; FutureWarning is for those who run the program."""
    until = f", it may be gone from {headers['Sunset']} on" if "Sunset" in headers else ""
    instead = re.search(r'<([^>]*)>\s*;[^,]*\brel="deprecation"', headers["Link"] or "")
    page = f": {instead[1]}" if instead else ""
    warnings.warn(f"{operation} is deprecated{until}{page}", FutureWarning, stacklevel=5)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """The API redirects nowhere, and a key goes to no other address."""

    def redirect_request(self, *_: Any) -> None:
        return None


def _filled_in(template: str, parameters: dict[str, str]) -> str:
    def value(found: re.Match[str]) -> str:
        text = parameters.get(found[1])
        if not isinstance(text, str) or text in ("", ".", ".."):
            raise ValueError(f"{template} needs {found[1]}")
        return urllib.parse.quote(text, safe="")

    return re.sub(r"\{(\w+)\}", value, template)


def _query_text(parameters: dict[str, Any]) -> str:
    """Lists are separated by commas, a comma within a value is written behind a backslash."""
    given = {name: _text_of(value) for name, value in parameters.items() if value is not None}
    return "?" + urllib.parse.urlencode(given, quote_via=urllib.parse.quote) if given else ""


def _text_of(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(re.sub(r"([\\,])", r"\\\1", _text_of(one)) for one in value)
    return str(value)


def _bytes_of(body: Any, content_type: Optional[str]) -> Optional[bytes]:
    if body is None or isinstance(body, bytes):
        return body
    if content_type is not None and content_type.endswith("json"):
        return json.dumps(body).encode()
    return str(body).encode()


def _wait_of(error: Exception, tries: int, is_repeatable: bool) -> Optional[float]:
    """Seconds; None where it is not tried again. Half of a growing pause is left to chance."""
    if not _is_refused_for_now(error) and not (is_repeatable and _may_pass(error)):
        return None
    told = error.retry_after_seconds if isinstance(error, ApiProblem) else None
    seconds = 0.5 * 2**tries * random.uniform(0.5, 1) if told is None else told
    return None if seconds > WAIT_MAX_SECONDS else seconds


def _is_refused_for_now(error: Exception) -> bool:
    """By the API itself: before anything was done, or a repeat finds what was (call-the-api.md, what a repeat meets)."""
    if not isinstance(error, ApiProblem) or error.code == "unexpected_answer":
        return False
    return error.status in (429, 503) or error.code == "idempotency_in_progress"


def _may_pass(error: Exception) -> bool:
    return isinstance(error, NoAnswer) or (isinstance(error, ApiProblem) and error.status >= 500)


def _is_problem(document: Any) -> bool:
    return isinstance(document, dict) and isinstance(document.get("code"), str)


def _unexpected(status: int) -> dict[str, Any]:
    return {"code": "unexpected_answer", "detail": f"The answer of status {status} is not one of the API."}
