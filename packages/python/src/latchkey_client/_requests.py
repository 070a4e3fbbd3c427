"""Shared by the synchronous and the asynchronous client: requests, and when to repeat them."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import IO, Any
from urllib.parse import quote

import httpx

_LONGEST_WAIT_SECONDS = 60
DEFAULT_TIMEOUT_SECONDS = 60.0
DEFAULT_RETRIES = 4


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    body: Mapping[str, Any] | None = None
    #: The name and the content of a file; the body's fields are sent beside it.
    file: tuple[str, bytes] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    def parameters(self) -> dict[str, Any]:
        """The arguments for httpx."""
        if self.file is not None:
            fields = {
                name: value if isinstance(value, str) else json.dumps(value)
                for name, value in (self.body or {}).items()
                if value is not None
            }
            return {"data": fields, "files": {"file": self.file}}
        return {} if self.body is None else {"json": dict(self.body)}


@dataclass(frozen=True)
class RetryPolicy:
    """Repeats requests that the service refused before it did anything, because it was too busy."""

    retries: int = DEFAULT_RETRIES

    def seconds(self, response: httpx.Response, attempt: int) -> float | None:
        """How long to wait before the next attempt; None if there is none."""
        if response.status_code not in (429, 503) or attempt >= self.retries:
            return None
        header = response.headers.get("retry-after", "")
        # A proxy in front of the service may send a date, or no Retry-After.
        seconds = int(header) if header.isdecimal() else 2**attempt
        # The random part keeps clients that were refused together from returning together.
        return seconds + random.random() if seconds <= _LONGEST_WAIT_SECONDS else None


def feedback_request(message_id: str, rating: str | None, comment: str | None) -> Request:
    path = f"/api/v1/messages/{quote(message_id, safe='')}/feedback"
    body = {"rating": rating} if comment is None else {"rating": rating, "comment": comment}
    return Request("POST", path, body)


def ingest_path(external_id: str) -> str:
    return f"/api/v1/ingest/documents/{quote(external_id, safe='')}"


def ingest_request(
    external_id: str, fields: Mapping[str, Any], file: tuple[str, bytes | IO[bytes]] | None = None
) -> Request:
    if file is None:
        return Request("PUT", ingest_path(external_id), fields)
    name, content = file
    # The file is read at once, since one that was sent cannot be sent again.
    read = content if isinstance(content, bytes) else content.read()
    return Request("PUT", ingest_path(external_id), fields, (name, read))
