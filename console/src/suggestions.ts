import type { Api } from './api.js';

const DOCUMENTS = 5;
const PASSAGES = 50;
const SHOWN = 6;
const MAX_LENGTH = 80;

/**
 * Loads headings of the newest documents, or their titles, as suggestions. They come from a search, so that the
 * user only sees headings of documents that they may read.
 */
export async function loadSuggestions(
  api: Api,
  kbId: string,
  signal: AbortSignal,
): Promise<string[]> {
  const path = { kb_id: kbId };
  const query = { limit: DOCUMENTS, status: 'ready' } as const;
  const { data } = await api.get('/api/v1/kbs/{kb_id}/documents', { path, query, signal });
  if (data.length === 0) return [];
  const message = data.map(({ title }) => title).join('\n');
  const body = { message: message.slice(0, 8000), top_k: PASSAGES, min_score: 0 };
  const { results } = await api.post('/api/v1/kbs/{kb_id}/query', { path, body, signal });
  const ids = [...new Set(results.map(({ document_id }) => document_id))];
  const perDocument = ids.map((id) => {
    const passages = results.filter(({ document_id }) => document_id === id);
    const title = passages[0]?.document_title ?? '';
    const headings = passages.flatMap(({ heading }) => heading?.split(/ › | \/ /) ?? []);
    // The first heading mostly repeats the title.
    const inner = [...new Set(headings)].filter((heading) => heading !== title);
    return inner.length > 0 ? inner : [title];
  });
  // The first headings of all documents come first.
  const longest = Math.max(0, ...perDocument.map(({ length }) => length));
  const all = Array.from({ length: longest }, (_, place) =>
    perDocument.flatMap((headings) => headings[place] ?? []),
  ).flat();
  return [...new Set(all)].filter(({ length }) => length <= MAX_LENGTH).slice(0, SHOWN);
}
