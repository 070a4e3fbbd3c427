import { isTypeId } from '../../platform/http/type-id.js';

/**
 * What `sync/cleanup` does with a file that `sync/diff` has listed. oikb passes on the ids of both deleted and
 * changed files before it uploads anything, so the id says which it is.
 */
export type CleanedFile =
  | { readonly kind: 'gone'; readonly documentId: string }
  /** It stays until the new version comes: an interrupted run loses nothing. */
  | { readonly kind: 'changed'; readonly documentId: string }
  /** It has the same content at another place, and is not uploaded again. */
  | { readonly kind: 'moved'; readonly documentId: string; readonly key: string };

const CHANGED = 'changed:';
const MOVED = 'moved:';

export function toFileId(file: CleanedFile): string {
  if (file.kind === 'gone') return file.documentId;
  if (file.kind === 'changed') return CHANGED + file.documentId;
  return `${MOVED}${file.documentId}:${Buffer.from(file.key).toString('base64url')}`;
}

/** @returns undefined for what is no id of a file */
export function fromFileId(id: string): CleanedFile | undefined {
  if (id.startsWith(MOVED)) {
    const [documentId = '', encoded = ''] = id.slice(MOVED.length).split(':');
    const key = Buffer.from(encoded, 'base64url').toString();
    const isOurs =
      isTypeId('doc', documentId) && Buffer.from(key).toString('base64url') === encoded;
    return isOurs && key !== '' ? { kind: 'moved', documentId, key } : undefined;
  }
  const kind = id.startsWith(CHANGED) ? 'changed' : 'gone';
  const documentId = kind === 'changed' ? id.slice(CHANGED.length) : id;
  return isTypeId('doc', documentId) ? { kind, documentId } : undefined;
}
