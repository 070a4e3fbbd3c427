import { isDeepStrictEqual } from 'node:util';
import type { Document } from './document.entity.js';

/** Columns that describe a document, besides its metadata. */
const DESCRIBING = [
  'title',
  'sourceUrl',
  'externalId',
  'validFrom',
  'validUntil',
  'supersedes',
] as const;

type Described = Pick<Document, (typeof DESCRIBING)[number] | 'metadata' | 'date' | 'dateFrom'>;

/**
 * Whether a change would overwrite or remove an existing value of a document; adding values does not
 * count.
 */
export function overwrites(
  document: Described,
  { metadata, ...changed }: { readonly [Name in keyof Described]?: unknown },
): boolean {
  const isLost = (name: (typeof DESCRIBING)[number] | 'date') =>
    document[name] !== null &&
    changed[name] !== undefined &&
    !isDeepStrictEqual(changed[name], document[name]);
  if (DESCRIBING.some(isLost)) return true;
  // Any other date is found again in the file, or said again by the source.
  if (document.dateFrom === 'given' && isLost('date')) return true;
  if (metadata === undefined) return false;
  const after = new Map(Object.entries(Object(metadata) as object));
  return Object.entries(document.metadata).some(
    ([key, value]) => !isDeepStrictEqual(after.get(key), value),
  );
}
