import { isDeepStrictEqual } from 'node:util';
import type { Document } from './document.entity.js';

type Described = Pick<Document, 'title' | 'sourceUrl' | 'externalId' | 'metadata'>;

/**
 * Whether a change would overwrite or remove an existing value of a document; adding values does not
 * count.
 */
export function overwrites(
  document: Described,
  { metadata, ...changed }: { readonly [Name in keyof Described]?: unknown },
): boolean {
  const isLost = (name: 'title' | 'sourceUrl' | 'externalId') =>
    document[name] !== null && changed[name] !== undefined && changed[name] !== document[name];
  if ((['title', 'sourceUrl', 'externalId'] as const).some(isLost)) return true;
  if (metadata === undefined) return false;
  const after = new Map(Object.entries(Object(metadata) as object));
  return Object.entries(document.metadata).some(
    ([key, value]) => !isDeepStrictEqual(after.get(key), value),
  );
}
