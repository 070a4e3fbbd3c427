import { extname } from 'node:path';
import type { SourceEntry } from '@latchkey/sources/source-kind';
import {
  type ChangedEntry,
  type KnownDocument,
  storedKey,
  storedVersion,
  versionOfContent,
} from './source-documents.js';

/**
 * Pairs documents that are gone at a source with new ones. Both must have the same content, which no other
 * gone or new document has, and the same extension, because it decides how some contents are read.
 */
export function findMoved(
  added: readonly SourceEntry[],
  gone: readonly KnownDocument[],
): ChangedEntry[] {
  const hashed = added.filter(({ versionIsOfContent }) => versionIsOfContent);
  if (hashed.length === 0) return [];
  const entries = Map.groupBy(hashed, (entry) =>
    contentName(storedVersion({ version: entry.version }), storedKey(entry.key)),
  );
  const documents = Map.groupBy(gone, (known) =>
    contentName(versionOfContent(known), known.sourceKey ?? ''),
  );
  return [...entries].flatMap(([content, [entry, ...others]]) => {
    const [known, ...copies] = documents.get(content) ?? [];
    return entry && known && others.length + copies.length === 0 ? [{ entry, known }] : [];
  });
}

const contentName = (version: string | null, key: string) =>
  `${version ?? ''} ${extname(key).toLowerCase()}`;
