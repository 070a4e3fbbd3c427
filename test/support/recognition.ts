import { expect } from '@jest/globals';
import type { Client, Document as AnyDocument, Page } from './client.js';
import { uploadFile } from './files.js';
import { eventually } from './service.js';

interface Warning {
  readonly code: string;
  readonly message: string;
  readonly pages?: number[];
  readonly confidence?: number;
}

export type Document = AnyDocument & { readonly mime_type: string; readonly warnings: Warning[] };

interface Recognised {
  readonly document: Document;
  readonly text: string;
  readonly pages: (number | null)[];
}

export const RETURNS = [
  'Returns policy',
  '',
  'Customers may send back any order within thirty days.',
  'The money is transferred within five working days.',
];
export const WARRANTY = [
  'Warranty',
  '',
  'Bicycle frames are guaranteed for ten years after delivery.',
  'Batteries of electric bicycles are guaranteed for two years.',
];
/** As drawn, a page takes a few seconds of a busy processor, and of a low priority. */
export const PATIENCE_MS = 120_000;

/** Documents of a knowledge base, of which pages are recognised. */
export function recognitionIn(place: () => { alice: Client; kbId: string }) {
  const ended = async (id: string): Promise<Document> => {
    let document: Document | undefined;
    await eventually(async () => {
      document = (await place().alice.get<Document>(`/documents/${id}`)).body;
      return document.status === 'ready' || document.status === 'failed';
    }, PATIENCE_MS);
    if (!document) throw new Error('There is no document');
    return document;
  };

  async function read(name: string, bytes: Buffer, fields: Record<string, string> = {}) {
    const answer = await uploadFile(place().alice, place().kbId, { name, bytes }, fields);
    expect(answer.status).toBe(202);
    return recognised(await ended(answer.body.id));
  }

  async function recognised(document: Document): Promise<Recognised> {
    const { body } = await place().alice.get<Page<{ text: string; page: number | null }>>(
      `/documents/${document.id}/chunks?limit=100`,
    );
    return {
      document,
      text: body.data.map(({ text }) => text).join('\n'),
      pages: body.data.map(({ page }) => page),
    };
  }

  return { read, recognised, ended };
}
