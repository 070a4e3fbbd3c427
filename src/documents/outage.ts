import { unwrapDriverError, classifyFailure } from '../platform/database/database-error.js';
import { WorkerUnavailableError } from '../platform/jobs/worker-errors.js';
import { isSearchUnavailable } from './search/engine/search-unavailable-error.js';
import { ContentStoreError } from './contents/content-store.js';

/** A full disk, too many open files or no memory. Errors from worker threads keep only their message. */
const SYSTEM = /\b(ENOSPC|EDQUOT|EROFS|EIO|EMFILE|ENFILE|EAGAIN|ENOMEM)\b/;

/**
 * Whether a temporary failure of the machine, the database, the search engine, the content store or a
 * worker is to blame rather than the document.
 */
export function isOutage(error: unknown): boolean {
  if (classifyFailure(error) !== undefined) return true;
  const cause = unwrapDriverError(error);
  if (cause instanceof ContentStoreError) return true;
  if (cause instanceof WorkerUnavailableError || isSearchUnavailable(cause)) return true;
  if (!(cause instanceof Error)) return false;
  return SYSTEM.test('code' in cause ? String(cause.code) : cause.message);
}
