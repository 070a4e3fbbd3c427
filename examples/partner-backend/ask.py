"""Asks a question with an API key. Standard library only, Python 3.9 or later.

Usage: LATCHKEY_API_KEY=… python3 ask.py "<question>" [--stream]
"""

import http.client
import json
import os
import random
import sys
import time
import urllib.error
import urllib.request

ATTEMPTS = 5
LONGEST_WAIT_SECONDS = 60
# How long the service may be silent: a model can take long.
TIMEOUT_SECONDS = 300


class Refusal(Exception):
    """A problem of the service. Switch on `code`, which never changes."""

    def __init__(self, problem):
        super().__init__(problem.get("detail", "The service gave no reason."))
        self.code = problem.get("code", "not_latchkey")
        self.request_id = problem.get("request_id")


def read_json(response):
    try:
        return json.load(response)
    except (ValueError, OSError, http.client.HTTPException):
        # A proxy in front of the service may answer by itself, and not in JSON.
        detail = f"Something other than Latchkey has answered, with status {response.status}."
        raise Refusal({"detail": detail}) from None


def post(url, path, body):
    """Sends JSON; repeats it after 429 and 503, which say in Retry-After when."""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            request = urllib.request.Request(
                url.rstrip("/") + path,
                json.dumps(body).encode(),
                {"Content-Type": "application/json"},
            )
            return urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS)
        except urllib.error.HTTPError as error:
            # A proxy in front of the service may send a date, or no Retry-After.
            header = error.headers.get("Retry-After", "")
            seconds = int(header) if header.isdecimal() else 2**attempt
            is_busy = error.code in (429, 503) and seconds <= LONGEST_WAIT_SECONDS
            if not is_busy or attempt == ATTEMPTS:
                raise Refusal(read_json(error)) from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            # An unknown host, a refused connection, a timeout, or an invalid URL.
            reason = getattr(error, "reason", error)
            detail = f"Nothing answers at {url} ({reason})."
            raise Refusal({"code": "unreachable", "detail": detail}) from None
        # The random part keeps clients that were refused together from returning together.
        time.sleep(seconds + random.random())
    raise AssertionError("unreachable")


def ask(url, api_key, message):
    with post(url, "/api/v1/chat", {"api_key": api_key, "message": message}) as response:
        return read_json(response)


def ask_streaming(url, api_key, message):
    """Yields the answer word by word."""
    body = {"api_key": api_key, "message": message, "stream": True}
    event = None
    with post(url, "/api/v1/chat", body) as response:
        try:
            for line in response:
                name, _, value = line.decode().rstrip("\r\n").partition(": ")
                if name == "event":
                    event = value
                elif name == "data" and event == "delta":
                    yield json.loads(value)["text"]
                elif name == "data" and event == "error":
                    # In a stream an error is an event, and the text so far is no answer.
                    raise Refusal(json.loads(value))
                elif name == "data" and event == "message_end":
                    return
        except (OSError, http.client.HTTPException):
            pass  # A broken connection is handled as an early end.
    raise Refusal({"code": "cut_off", "detail": "The stream ended before its last event."})


def main():
    url = os.environ.get("LATCHKEY_URL", "http://localhost:3000")
    # From the secret manager through the environment, never from the source or an argument.
    api_key = os.environ.get("LATCHKEY_API_KEY")
    question = sys.argv[1] if len(sys.argv) > 1 else ""
    if not api_key or not question.strip():
        print(__doc__.strip(), file=sys.stderr)
        sys.exit(2)
    try:
        if "--stream" in sys.argv[2:]:
            for text in ask_streaming(url, api_key, question):
                print(text, end="", flush=True)
            print()
        else:
            answer = ask(url, api_key, question)
            # Only quoted answers have a confidence: the probability that they are right.
            if answer.get("answered") and answer.get("confidence", 1) < 0.6:
                print("This may not be what you asked.")
            print(answer["answer"])
            for source in answer["sources"]:
                print(f"[{source['index']}] {source['document_title']}")
    except Refusal as refusal:
        request = f" (request {refusal.request_id})" if refusal.request_id else ""
        print(f"{refusal.code}: {refusal}{request}", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
