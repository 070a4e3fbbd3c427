import { expect } from '@jest/globals';
import type { Client, Document as AnyDocument, Page } from './client.js';
import { docx, documentXml, paragraph, uploadFile } from './files.js';
import { relationships } from './office-files.js';
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
export const PATIENCE_MS = 300_000;

/** A document that has a text of its own, and pictures. */
export const withPictures = (text: string, pictures: readonly Buffer[]): Buffer => {
  const drawings = pictures.map((_, n) => `<w:drawing><a:blip r:embed="r${n + 1}"/></w:drawing>`);
  const files = pictures.map((content, n) => ({ name: `word/media/image${n}.png`, content }));
  return docx(documentXml(`${paragraph(text)}<w:p><w:r>${drawings.join('')}</w:r></w:p>`), [
    relationships(
      'word/document.xml',
      pictures.map((_, n) => ['image', `media/image${n}.png`]),
    ),
    ...files,
  ]);
};

export const withPicture = (text: string, picture: Buffer): Buffer => withPictures(text, [picture]);

/** Documents of a knowledge base, of which pages are recognised. */
export function recognitionIn(place: () => { alice: Client; kbId: string }) {
  const upload = async (name: string, bytes: Buffer, fields: Record<string, string> = {}) => {
    const answer = await uploadFile(place().alice, place().kbId, { name, bytes }, fields);
    expect(answer.status).toBe(202);
    return answer.body.id;
  };
  const documentOf = async (id: string, by = place().alice) =>
    (await by.get<Document>(`/documents/${id}`)).body;
  const ended = async (id: string, by = place().alice): Promise<Document> => {
    await eventually(
      async () => ['ready', 'failed'].includes((await documentOf(id, by)).status),
      PATIENCE_MS,
    );
    return documentOf(id, by);
  };
  const passagesOf = async (id: string) =>
    (
      await place().alice.get<Page<{ text: string; page: number | null }>>(
        `/documents/${id}/chunks?limit=100`,
      )
    ).body.data;
  const textOf = async (id: string) => (await passagesOf(id)).map(({ text }) => text).join('\n');
  const recognised = async (document: Document): Promise<Recognised> => {
    const passages = await passagesOf(document.id);
    return {
      document,
      text: passages.map(({ text }) => text).join('\n'),
      pages: passages.map(({ page }) => page),
    };
  };
  const read = async (name: string, bytes: Buffer, fields: Record<string, string> = {}) =>
    recognised(await ended(await upload(name, bytes, fields)));

  return { upload, documentOf, ended, textOf, recognised, read };
}
