"""Writes what is generated of the package whenever it is built: the asynchronous client, from the
synchronous one, and the types, from openapi.json."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

GENERATED = ["src/latchkey_client/_async_client.py", "src/latchkey_client/types.py"]

# Replacements that turn the synchronous client into the asynchronous one.
REPLACEMENTS = [
    (r"^import time$", "import asyncio"),
    (r"\btime\.sleep\(", "await asyncio.sleep("),
    (r"\bIterator\b", "AsyncIterator"),
    (r"\bcontextmanager\b", "asynccontextmanager"),
    (r"^class Latchkey:", "class AsyncLatchkey:"),
    (r"\bhttpx\.Client\b", "httpx.AsyncClient"),
    (r"\bdef (?!__init__)", "async def "),
    (r"\b__(enter|exit)__", r"__a\1__"),
    (r"\bdef close\(", "def aclose("),
    (r"\bself\._http\.close\(", "await self._http.aclose("),
    (r"\bself\.close\(", "await self.aclose("),
    (r"(?<!def )\bself\._json\(", "await self._json("),
    (r"\bwith (?=self\._)", "async with "),
    (r"\bfor (\w+) in response\.iter_bytes\(", r"async for \1 in response.aiter_bytes("),
    (r"\bresponse\.read\(", "await response.aread("),
]

TYPES_OPTIONS = [
    *("--input-file-type", "openapi", "--output-model-type", "typing.TypedDict"),
    *("--strict-nullable", "--use-union-operator", "--use-standard-collections"),
    *("--target-python-version", "3.10", "--formatters", "black", "isort"),
    *("--use-double-quotes", "--disable-timestamp", "--disable-warnings"),
]


def to_async(source: str) -> str:
    for found, instead in REPLACEMENTS:
        source, count = re.subn(found, instead, source, flags=re.MULTILINE)
        if count == 0:
            raise ValueError(f"_client.py has no {found}")
    return f"# Written by hatch_build.py from _client.py.\n{source}"


class CustomBuildHook(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        # Git ignores them, and hatchling packs what git does not ignore.
        build_data["artifacts"] += GENERATED
        package = Path(self.root)
        contract = package.parent.parent / "openapi.json"
        async_client, types = (package / path for path in GENERATED)
        # A source distribution brings them along instead.
        if not contract.exists() and types.exists():
            return
        source = (async_client.parent / "_client.py").read_text("utf-8")
        async_client.write_text(to_async(source), "utf-8")
        generator = [sys.executable, "-m", "datamodel_code_generator"]
        files = ["--input", str(contract), "--output", str(types)]
        subprocess.run([*generator, *files, *TYPES_OPTIONS], check=True)
