from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from ._errors import refused
from .types import ChatAnswerDto, SourceDto


@dataclass(frozen=True)
class MessageStart:
    conversation_id: str
    message_id: str


@dataclass(frozen=True)
class Sources:
    sources: list[SourceDto]


@dataclass(frozen=True)
class Delta:
    """The texts joined are the answer."""

    text: str


@dataclass(frozen=True)
class Related:
    """The question is not answered; these passages may help."""

    related: list[SourceDto]


@dataclass(frozen=True)
class MessageEnd:
    answer: ChatAnswerDto


ChatEvent: TypeAlias = MessageStart | Sources | Delta | Related | MessageEnd

_LINE_END = re.compile(r"\r\n|\n|\r")


class EventParser:
    """Reads the events of a ``text/event-stream``."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""
        self._event = "message"
        self._data: list[str] = []

    def feed(self, content: bytes) -> Iterator[ChatEvent]:
        """The events that end in these bytes.

        :raises LatchkeyError: the event is an error
        """
        text = self._rest + self._decoder.decode(content)
        # A carriage return at the end may be the first half of a line end.
        complete = text[:-1] if text.endswith("\r") else text
        *lines, rest = _LINE_END.split(complete)
        self._rest = rest + text[len(complete) :]
        for line in lines:
            if line:
                self._take(line)
                continue
            event, data = self._event, self._data
            self._event, self._data = "message", []
            if data:
                yield from _chat_event(event, json.loads("\n".join(data)))

    def _take(self, line: str) -> None:
        # A line that begins with a colon is a comment, which keeps the connection open.
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            self._event = value
        elif field == "data":
            self._data.append(value)


def _chat_event(event: str, content: Any) -> Iterator[ChatEvent]:
    if event == "error":
        raise refused(content)
    if event == "message_start":
        yield MessageStart(content["conversation_id"], content["message_id"])
    elif event == "sources":
        yield Sources(content["sources"])
    elif event == "delta":
        yield Delta(content["text"])
    elif event == "related":
        yield Related(content["related"])
    elif event == "message_end":
        yield MessageEnd(content)
    # Unknown events, which a later version may add, are ignored.
