import { Client, type Document, type Page } from './client.js';
import { eventually } from './service.js';

const WORDS = Array.from({ length: 128 }, (_, n) => `word${n}`);
const INDEXING_MS = 600_000;

/** A question of many words, each of which is in many passages. */
export const HEAVY_QUESTION = WORDS.join(' ');
/** No document matches it. */
export const UNMATCHED_FILTER = { type: 'eq', key: 'kind', value: 'none' };

/** Twenty of the words in each small passage, so that each word is in a sixth of them. */
const heavyText = (document: number, passages: number): string =>
  Array.from({ length: passages }, (_, passage) => {
    const words = Array.from(
      { length: 20 },
      (_, n) => WORDS[(passage * 7 + n * 13 + document) % WORDS.length],
    );
    return `# ${document} ${passage}\n\n${words.join(' ')}`;
  }).join('\n\n');

/**
 * Creates a knowledge base in which a search for HEAVY_QUESTION takes long.
 *
 * @returns a key without a noticeable limit
 */
export async function heavyToSearch(
  owner: Client,
  documents: number,
  passages: number,
): Promise<string> {
  const { id } = await owner.createKnowledgeBase();
  for (let n = 0; n < documents; n++) {
    const [title, text] = [`Part ${n}`, heavyText(n, passages)];
    await owner.post(`/kbs/${id}/documents`, { title, text, mime_type: 'text/markdown' });
  }
  await eventually(async () => {
    const ready = `/kbs/${id}/documents?status=ready&limit=1`;
    return (await owner.get<Page<Document>>(ready)).body.total === documents;
  }, INDEXING_MS);
  return keyTo(owner, id);
}

/** The passages of a knowledge base that `heavyToRead` creates. */
export const PASSAGES_TO_READ = 10;
const SENTENCES = 250;

/** Creates a knowledge base whose passages take long to read, and returns a key to it. */
export const heavyToRead = async (owner: Client): Promise<string> =>
  keyTo(owner, await heavyKnowledgeBaseToRead(owner));

/** Creates a knowledge base whose passages take long to read: every word is a sentence. */
export async function heavyKnowledgeBaseToRead(owner: Client): Promise<string> {
  const { id } = await owner.createKnowledgeBase();
  await owner.set(id, { chunk_size: SENTENCES, chunk_overlap: 0 });
  const passages = Array.from({ length: PASSAGES_TO_READ }, (_, passage) => {
    // Each passage has another order of words, since near duplicates are left out.
    const step = 2 * passage + 3;
    const sentences = Array.from(
      { length: SENTENCES },
      (_, n) => `${WORDS[(n * step) % WORDS.length]}.`,
    );
    return `# ${passage}\n\n${sentences.join(' ')}`;
  });
  const document = { title: 'Words', text: passages.join('\n\n'), mime_type: 'text/markdown' };
  const { status } = await owner.addDocument(id, document);
  if (status !== 'ready') throw new Error(`The document is ${status}`);
  return id;
}

/** @returns a key without a noticeable limit */
export const keyTo = async (owner: Client, kbId: string): Promise<string> =>
  (await owner.createApiKey(kbId, { rate_limit_per_minute: 1_000_000 })).api_key;

/** @returns the status; undefined when the signal was aborted before it came */
export async function askUntil(
  signal: AbortSignal,
  url: string,
  body: object,
): Promise<number | undefined> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  }).catch(() => undefined);
  await response?.arrayBuffer().catch(() => undefined);
  return response?.status;
}
