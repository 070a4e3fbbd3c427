// What the asynchronous Python client has instead of the synchronous one's.
const REPLACEMENTS = [
  [/^import time$/m, 'import asyncio'],
  [/\btime\.sleep\(/g, 'await asyncio.sleep('],
  [/\bIterator\b/g, 'AsyncIterator'],
  [/\bcontextmanager\b/g, 'asynccontextmanager'],
  [/^class Latchkey:/m, 'class AsyncLatchkey:'],
  [/\bhttpx\.Client\b/g, 'httpx.AsyncClient'],
  [/\bdef (?!__init__)/g, 'async def '],
  [/\b__(enter|exit)__/g, '__a$1__'],
  [/\bdef close\(/g, 'def aclose('],
  [/\bself\._http\.close\(/g, 'await self._http.aclose('],
  [/\bself\.close\(/g, 'await self.aclose('],
  [/(?<!def )\bself\._json\(/g, 'await self._json('],
  [/\bwith (?=self\._)/g, 'async with '],
  [/\bfor (\w+) in response\.iter_bytes\(/g, 'async for $1 in response.aiter_bytes('],
  [/\bresponse\.read\(/g, 'await response.aread('],
];

/** @param {string} source */
export const toAsync = (source) => {
  const body = REPLACEMENTS.reduce((text, [found, instead]) => {
    if (text.search(found) === -1) throw new Error(`_client.py has no ${found}`);
    return text.replace(found, instead);
  }, source);
  return `# Written by \`npm run python\` from _client.py.\n${body}`;
};
