from __future__ import annotations

import json
from typing import Any, cast

import httpx

from .types import ProblemDto


class LatchkeyError(Exception):
    """A request that was not answered.

    ``code`` never changes and is for programs, the message is for people. Beside the service's own
    codes there are ``unreachable`` (nothing answers), ``timed_out``, ``cut_off`` (the connection
    ended before the answer did) and ``not_latchkey`` (something else answered, such as a proxy).
    """

    def __init__(
        self, message: str, *, status: int, code: str, problem: ProblemDto | None = None
    ) -> None:
        super().__init__(message)
        #: The HTTP status; 0 where there is none. In a stream, the status it would have been.
        self.status = status
        self.code = code
        #: The problem that the service returned, with the fields of the request that are wrong.
        self.problem = problem
        #: Quote it when you ask the service's operator for help.
        self.request_id: str | None = problem.get("request_id") if problem else None


def refused(problem: ProblemDto) -> LatchkeyError:
    fields = "".join(f"; {each['field']}: {each['message']}" for each in problem.get("errors", []))
    return LatchkeyError(
        problem["detail"] + fields,
        status=problem["status"],
        code=problem["code"],
        problem=problem,
    )


def cut_off(status: int) -> LatchkeyError:
    return LatchkeyError(
        "The connection ended before the answer did.", status=status, code="cut_off"
    )


def not_answered(error: httpx.HTTPError | httpx.InvalidURL, url: str) -> LatchkeyError:
    if isinstance(error, httpx.TimeoutException):
        return LatchkeyError(f"No answer came from {url} in time.", status=0, code="timed_out")
    if isinstance(error, (httpx.ReadError, httpx.RemoteProtocolError)):
        return cut_off(0)
    reason = f" ({error})" if str(error) else ""
    return LatchkeyError(f"Nothing answers at {url}{reason}.", status=0, code="unreachable")


def body_of(response: httpx.Response, url: str) -> Any:
    """The JSON of a response that was read.

    :raises LatchkeyError: the service has refused the request, or something else has answered
    """
    try:
        body = json.loads(response.content)
    except ValueError:
        body = None
    if body is not None and response.is_success:
        return body
    if isinstance(body, dict) and "code" in body and "detail" in body:
        raise refused(cast(ProblemDto, body))
    raise LatchkeyError(
        f"Something other than Latchkey has answered at {url}, with status {response.status_code}.",
        status=response.status_code,
        code="not_latchkey",
    )
