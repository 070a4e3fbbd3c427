from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, Literal, cast

import httpx
from typing_extensions import Self, Unpack

from ._dpop import Prover
from ._errors import body_of, cut_off, not_answered
from ._events import ChatEvent, EventParser, MessageEnd
from ._requests import (
    DEFAULT_RETRIES,
    DEFAULT_TIMEOUT_SECONDS,
    Request,
    RetryPolicy,
    feedback_request,
    ingest_path,
    ingest_request,
)
from .types import (
    ChatAnswerDto,
    ChatDto,
    ClientTokenDto,
    CreateClientTokenDto,
    DocumentDto,
    KeyViewDto,
    PutDocumentDto,
    MessageFeedbackDto,
    QueryAnswerDto,
    QueryDto,
    RotatedKeyDto,
)

if TYPE_CHECKING:
    from ._dpop import ProvingKey


class Latchkey:
    """Asks the knowledge base that the key belongs to. All methods raise LatchkeyError.

    :param base_url: such as ``https://kb.example.com``
    :param api_key: an API key, or a client token
    :param timeout: how long the service may be silent, in seconds
    :param max_retries: how often a request that the service is too busy for is repeated
    :param dpop: the key of ``joserfc`` with the private key that the API key or client token is bound
        to (``sender_constraint``); each request then has a proof of it
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout: float = DEFAULT_TIMEOUT_SECONDS,
        max_retries: int = DEFAULT_RETRIES,
        http_client: httpx.Client | None = None,
        dpop: ProvingKey | None = None,
    ) -> None:
        self._url = base_url.rstrip("/")
        self._prover = Prover(api_key, dpop)
        self._timeout = timeout
        self._retry = RetryPolicy(max_retries)
        self._http = http_client or httpx.Client()

    def query(self, **request: Unpack[QueryDto]) -> QueryAnswerDto:
        """The passages relevant to a message, best first; no language model is used."""
        return cast(QueryAnswerDto, self._json(Request("POST", "/api/v1/query", request)))

    def chat(self, **request: Unpack[ChatDto]) -> ChatAnswerDto:
        """An answer from the documents, with its sources."""
        return cast(ChatAnswerDto, self._json(Request("POST", "/api/v1/chat", request)))

    def chat_stream(self, **request: Unpack[ChatDto]) -> Iterator[ChatEvent]:
        """Streams an answer while it is written: MessageStart, Sources, any number of Delta, MessageEnd.

        Closing the iterator ends the request.
        """
        streamed = Request("POST", "/api/v1/chat", {**request, "stream": True})
        parser = EventParser()
        with self._response(streamed) as response:
            for content in response.iter_bytes():
                for event in parser.feed(content):
                    yield event
                    if isinstance(event, MessageEnd):
                        return
            raise cut_off(response.status_code)

    def feedback(
        self,
        message_id: str,
        *,
        rating: Literal["up", "down"] | None,
        comment: str | None = None,
    ) -> MessageFeedbackDto:
        """Rates an answer; None takes the rating back."""
        request = feedback_request(message_id, rating, comment)
        return cast(MessageFeedbackDto, self._json(request))

    def create_client_token(self, **request: Unpack[CreateClientTokenDto]) -> ClientTokenDto:
        """Creates a credential for a browser or an app, which expires by itself and with its key."""
        return cast(ClientTokenDto, self._json(Request("POST", "/api/v1/client-tokens", request)))

    def key(self) -> KeyViewDto:
        """What the key may do, and the rest of its limits. Does not count as a use of the key."""
        return cast(KeyViewDto, self._json(Request("GET", "/api/v1/key")))

    def rotate_key(self, idempotency_key: str) -> RotatedKeyDto:
        """Creates a successor of the key, if the key may rotate itself; this client goes on with the old one.

        :param idempotency_key: a text of your own, new for each rotation: if the answer is lost, the same
            one gives the same successor, with a new secret
        """
        headers = {"idempotency-key": idempotency_key}
        request = Request("POST", "/api/v1/key/rotate", headers=headers)
        return cast(RotatedKeyDto, self._json(request))

    def revoke_key(self) -> None:
        """Ends the key: every request with it is refused from then on."""
        self._json(Request("POST", "/api/v1/key/revoke"))

    def ingest(self, external_id: str, **document: Unpack[PutDocumentDto]) -> DocumentDto:
        """Adds a text, or replaces the document that has the id; indexed in the background."""
        return cast(DocumentDto, self._json(ingest_request(external_id, document)))

    def ingest_file(
        self, external_id: str, file_name: str, file: bytes | IO[bytes], **fields: Any
    ) -> DocumentDto:
        """Adds or replaces a document by a file, whose name tells its type; fields as in ``ingest``."""
        request = ingest_request(external_id, fields, (file_name, file))
        return cast(DocumentDto, self._json(request))

    def ingested_document(self, external_id: str) -> DocumentDto:
        """A document that was ingested; its status says whether it can be found."""
        return cast(DocumentDto, self._json(Request("GET", ingest_path(external_id))))

    def delete_ingested_document(self, external_id: str) -> None:
        self._json(Request("DELETE", ingest_path(external_id)))

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _json(self, request: Request) -> Any:
        with self._response(request) as response:
            response.read()
            return body_of(response, self._url)

    @contextmanager
    def _response(self, request: Request) -> Iterator[httpx.Response]:
        try:
            attempt, has_nonce = 0, False
            while True:
                url = self._url + request.path
                with self._http.stream(
                    request.method,
                    url,
                    headers={**request.headers, **self._prover.headers(request.method, url)},
                    timeout=self._timeout,
                    **request.parameters(),
                ) as response:
                    if self._prover.wants_repetition(response) and not has_nonce:
                        has_nonce = True
                        continue
                    seconds = self._retry.seconds(response, attempt)
                    if seconds is None:
                        if not response.is_success:
                            response.read()
                            body_of(response, self._url)
                        yield response
                        return
                attempt += 1
                time.sleep(seconds)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise not_answered(error, self._url) from error
