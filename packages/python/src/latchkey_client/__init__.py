"""Ask a Latchkey knowledge base."""

from ._async_client import AsyncLatchkey
from ._client import Latchkey
from ._errors import LatchkeyError
from ._events import ChatEvent, Delta, MessageEnd, MessageStart, Related, Sources

__all__ = [
    "AsyncLatchkey",
    "ChatEvent",
    "Delta",
    "Latchkey",
    "LatchkeyError",
    "MessageEnd",
    "MessageStart",
    "Related",
    "Sources",
]
