import type { Api } from './api.js';

const DOCUMENTS = 5;
const PASSAGES = 20;
const SHOWN = 6;
const MAX_LENGTH = 80;

/** Headings of the newest documents, as something to ask about; the titles of those without any. */
export async function suggestionsOf(
  api: Api,
  kbId: string,
  signal: AbortSignal,
): Promise<string[]> {
  const { data } = await api.get('/api/v1/kbs/{kb_id}/documents', {
    path: { kb_id: kbId },
    query: { limit: DOCUMENTS, status: 'ready' },
    signal,
  });
  const perDocument = await Promise.all(
    data.map(async ({ id, title }) => {
      // Its rule may not let one read it.
      const chunks = await api
        .get('/api/v1/documents/{document_id}/chunks', {
          path: { document_id: id },
          query: { limit: PASSAGES },
          signal,
        })
        .catch(() => undefined);
      const headings = chunks?.data.flatMap(({ heading }) => heading?.split(/ › | \/ /) ?? []);
      // The first is mostly the title again.
      const inner = [...new Set(headings)].filter((heading) => heading !== title);
      return inner.length > 0 ? inner : chunks ? [title] : [];
    }),
  );
  // One of each document first.
  const longest = Math.max(0, ...perDocument.map(({ length }) => length));
  const all = Array.from({ length: longest }, (_, place) =>
    perDocument.flatMap((headings) => headings[place] ?? []),
  ).flat();
  return [...new Set(all)].filter(({ length }) => length <= MAX_LENGTH).slice(0, SHOWN);
}
