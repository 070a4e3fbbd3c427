import { isTypeId } from '../../platform/http/type-id.js';

/**
 * What `sync/cleanup` does with a file that `sync/diff` has listed. oikb passes on the ids of both deleted and
 * changed files before it uploads anything, so the id says which it is.
 */
export type CleanedFile =
  /** The comparison of this run did not find it, and only as long as there is no later one. */
  | { readonly kind: 'gone'; readonly documentId: string; readonly runId: string }
  /** It stays until the new version comes: an interrupted run loses nothing. */
  | { readonly kind: 'changed'; readonly documentId: string }
  /** It has the same content at another place, and is not uploaded again. */
  | { readonly kind: 'moved'; readonly documentId: string; readonly key: string };

const GONE = 'gone:';
const CHANGED = 'changed:';
const MOVED = 'moved:';

export function toFileId(file: CleanedFile): string {
  if (file.kind === 'gone') return `${GONE}${file.documentId}:${file.runId}`;
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
  if (id.startsWith(GONE)) {
    const [documentId = '', runId] = id.slice(GONE.length).split(':');
    const isOurs = isTypeId('doc', documentId) && isTypeId('run', runId);
    return isOurs ? { kind: 'gone', documentId, runId } : undefined;
  }
  const documentId = id.startsWith(CHANGED) ? id.slice(CHANGED.length) : '';
  return isTypeId('doc', documentId) ? { kind: 'changed', documentId } : undefined;
}
