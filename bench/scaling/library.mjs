import { Buffer } from 'node:buffer';
import { setTimeout as pause } from 'node:timers/promises';
import { send, sendAll } from './requests.mjs';

/** @typedef {import('../fixtures/text.mjs').Passage} Passage */
/** @typedef {{ id: string, key: string }} FilledKnowledgeBase */

export const CHUNKS_PER_DOCUMENT = 10;
const UPLOADS_AT_ONCE = 4;

/** Fills knowledge bases with documents of equal length. */
export class Library {
  #added = 0;

  /**
   * @param {string} url of the service
   * @param {Passage[]} passages
   */
  constructor(url, passages) {
    this.url = url;
    this.passages = passages;
  }

  /** @returns {Promise<FilledKnowledgeBase>} */
  async create() {
    const { id } = await send(this.url, {
      ...{ method: 'POST', path: '/kbs', status: 201 },
      body: { name: 'Costs' },
    });
    const key = await send(this.url, {
      ...{ method: 'POST', path: `/kbs/${id}/api-keys`, status: 201 },
      body: { name: 'Costs', environment: 'live', rate_limit_per_minute: 1_000_000 },
    });
    return { id, key: key.api_key };
  }

  /**
   * Adds documents and waits until all of the knowledge base are ready.
   *
   * @param {string} kbId
   * @param {number} count
   * @returns {Promise<number>} bytes of text
   */
  async fill(kbId, count) {
    let bytes = 0;
    const path = `/kbs/${kbId}/documents`;
    await sendAll(count, UPLOADS_AT_ONCE, async () => {
      const text = this.#nextText();
      bytes += Buffer.byteLength(text);
      const body = { title: `Volume ${this.#added}`, text, mime_type: 'text/markdown' };
      await send(this.url, { method: 'POST', path, body, status: 202 });
    });
    for (;;) {
      const [ready, all] = await Promise.all(
        ['?status=ready&limit=1', '?limit=1'].map((query) =>
          send(this.url, { path: path + query }),
        ),
      );
      if (ready.total === all.total) return bytes;
      await pause(500);
    }
  }

  #nextText() {
    const number = this.#added++;
    const sections = Array.from({ length: CHUNKS_PER_DOCUMENT }, (_, n) => {
      const place = (number * CHUNKS_PER_DOCUMENT + n) % this.passages.length;
      const { heading, text } = this.passages[place] ?? { heading: '', text: '' };
      return `## ${heading}\n\n${text}`;
    });
    // No two are the same, which would be refused.
    return `${sections.join('\n\n')} ${number}`;
  }
}
