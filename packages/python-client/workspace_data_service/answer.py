"""What a call gives, and the two ways in which it fails."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, Optional, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Answer(Generic[T]):
    data: T
    status: int
    # Of a single resource, for if_match.
    etag: Optional[str]
    # Of what was made: /v1/...
    location: Optional[str]
    request_id: Optional[str]
    # The stored answer of an earlier try with the same idempotency key.
    is_replayed: bool


class ApiProblem(Exception):
    """A refusal (RFC 9457), or an answer that is none of the API (code unexpected_answer)."""

    def __init__(
        self,
        document: dict[str, Any],
        *,
        status: int,
        request_id: Optional[str],
        retry_after_seconds: Optional[int],
        idempotency_key: Optional[str],
    ) -> None:
        super().__init__(f"{status} {document['code']}: {document.get('detail')}")
        self.status = status
        # Stable, such as invalid_state.
        self.code: str = document["code"]
        self.detail: Optional[str] = document.get("detail")
        # The faults one by one: pointer or parameter, code, detail.
        self.errors: list[dict[str, Any]] = document.get("errors", [])
        self.request_id = request_id
        self.retry_after_seconds = retry_after_seconds
        self.idempotency_key = idempotency_key
        # With the members that belong to this code.
        self.document = document


class NoAnswer(Exception):
    """No whole answer came. A write may have taken effect: with the same idempotency_key it does once."""

    def __init__(self, reason: object, *, idempotency_key: Optional[str]) -> None:
        super().__init__(f"no answer ({reason})")
        self.idempotency_key = idempotency_key
