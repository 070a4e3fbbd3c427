"""Asks a question with an API key. Standard library only.

LATCHKEY_API_KEY=... python3 ask.py "<question>" [--stream]
"""

import json
import os
import random
import sys
import time
import urllib.error
import urllib.request

ATTEMPTS = 5
LONGEST_WAIT_SECONDS = 60


class Refusal(Exception):
    """A problem of the service. Switch on `code`, which never changes."""

    def __init__(self, problem):
        super().__init__(problem.get("detail", "The service gave no reason."))
        self.code = problem.get("code", "unknown")
        self.request_id = problem.get("request_id", "unknown")


def post(url, body):
    """Sends JSON; again where the service asks for patience (429 and 503, with Retry-After)."""
    request = urllib.request.Request(
        url, json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return urllib.request.urlopen(request, timeout=60)
        except urllib.error.HTTPError as error:
            seconds = int(error.headers.get("Retry-After", 2**attempt))
            patient = error.code in (429, 503) and seconds <= LONGEST_WAIT_SECONDS
            if not patient or attempt == ATTEMPTS:
                try:
                    problem = json.load(error)
                except ValueError:
                    # Not the service but something in front of it has answered.
                    problem = {"detail": f"HTTP status {error.code}"}
                raise Refusal(problem) from None
        # Up to a second more: those who were turned away together must not come back together.
        time.sleep(seconds + random.random())
    raise AssertionError("unreachable")


def ask(url, api_key, message):
    with post(f"{url}/api/v1/chat", {"api_key": api_key, "message": message}) as response:
        return json.load(response)


def ask_streaming(url, api_key, message):
    """Yields the answer word by word."""
    body = {"api_key": api_key, "message": message, "stream": True}
    event = None
    with post(f"{url}/api/v1/chat", body) as response:
        for line in response:
            name, _, value = line.decode().rstrip("\r\n").partition(": ")
            if name == "event":
                event = value
            elif name == "data" and event == "delta":
                yield json.loads(value)["text"]
            elif name == "data" and event == "error":
                raise Refusal(json.loads(value))
            elif name == "data" and event == "message_end":
                return
    raise Refusal({"code": "cut_off", "detail": "The answer ended before its end."})


def main():
    url = os.environ.get("LATCHKEY_URL", "http://localhost:3000")
    # Out of the secret manager, by the environment: never in the source, an argument or a log.
    api_key = os.environ.get("LATCHKEY_API_KEY")
    if not api_key or len(sys.argv) < 2:
        sys.exit(__doc__)
    try:
        if "--stream" in sys.argv[2:]:
            for text in ask_streaming(url, api_key, sys.argv[1]):
                print(text, end="", flush=True)
            print()
        else:
            answer = ask(url, api_key, sys.argv[1])
            print(answer["answer"])
            for source in answer["sources"]:
                print(f"[{source['index']}] {source['document_title']}")
    except Refusal as refusal:
        print(f"{refusal.code}: {refusal} (request {refusal.request_id})", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
