import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { hostname } from 'node:os';
import { isRefusal } from './client.js';
import type { Document } from '@latchkey/client';
import { type Destination, SOURCE_FIELD } from './destination.js';

/**
 * Identifies a folder by this machine and its path, so that documents of another folder are never taken for its
 * own. It is a hash, because every caller who may search sees a document's metadata.
 */
export const identifyFolder = (folder: string): string =>
  createHash('sha256')
    .update(JSON.stringify([hostname(), realpathSync(folder)]))
    .digest('hex')
    .slice(0, 32);

/**
 * Finds the documents of files in this folder that no longer exist. The document of a renamed file is not missing,
 * although it keeps the old name.
 *
 * @param present the documents of the folder's files, by id
 */
export async function findMissingDocuments(
  destination: Destination,
  source: string,
  present: ReadonlyMap<string, unknown>,
): Promise<Document[]> {
  const rows = await destination.list();
  return rows.filter(
    ({ id, external_id: file, metadata }) =>
      file !== null && metadata[SOURCE_FIELD] === source && !present.has(id),
  );
}

/** @returns the files of the documents */
export async function deleteDocuments(
  destination: Destination,
  documents: readonly Document[],
): Promise<string[]> {
  for (const document of documents) {
    try {
      await destination.delete(document);
    } catch (error) {
      // 404: somebody else has deleted it meanwhile.
      if (!isRefusal(error) || error.status !== 404) throw error;
    }
  }
  return documents.map(({ external_id: file }) => String(file));
}
