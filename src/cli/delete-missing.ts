import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { hostname } from 'node:os';
import { answer, everyPage, type Latchkey, Refusal } from './client.js';
import type { components } from './latchkey.js';

type Document = components['schemas']['DocumentDto'];

/** In a document's metadata: the folder that it was sent from. */
export const SOURCE_FIELD = 'ingested_from';

/**
 * Names a folder by this machine and its path, so that no other folder's documents are taken for
 * its own. A hash, since whoever may ask sees a document's metadata.
 */
export const sourceOf = (folder: string): string =>
  createHash('sha256')
    .update(JSON.stringify([hostname(), realpathSync(folder)]))
    .digest('hex')
    .slice(0, 32);

/**
 * The documents that were made from files of this folder which are no longer there. A file that was
 * renamed still stands for its document, under its old name.
 *
 * @param present the documents that files of the folder stand for, by their ids
 */
export async function missingDocuments(
  client: Latchkey,
  kbId: string,
  source: string,
  present: ReadonlyMap<string, unknown>,
): Promise<Document[]> {
  const rows = await everyPage((query) =>
    client.GET('/api/v1/kbs/{kb_id}/documents', { params: { path: { kb_id: kbId }, query } }),
  );
  return rows.filter(
    ({ id, external_id: file, metadata }) =>
      file !== null && metadata[SOURCE_FIELD] === source && !present.has(id),
  );
}

/** @returns the files that they were made from */
export async function deleteDocuments(
  client: Latchkey,
  documents: readonly Document[],
): Promise<string[]> {
  for (const { id } of documents) {
    try {
      await answer(
        client.DELETE('/api/v1/documents/{document_id}', { params: { path: { document_id: id } } }),
      );
    } catch (error) {
      // Somebody else has deleted it meanwhile.
      if (!(error instanceof Refusal) || error.status !== 404) throw error;
    }
  }
  return documents.map(({ external_id: file }) => String(file));
}
