import { unwrapDriverError, classifyFailure } from '../platform/database/database-error.js';
import { WorkerUnavailableError } from '../platform/jobs/worker-errors.js';
import { isSearchUnavailable } from './search/opensearch/search-unavailable-error.js';
import { ContentStoreError } from './contents/content-store.js';

/** A full disk, too many open files, no memory. Of errors in worker threads only the message is left. */
const SYSTEM = /\b(ENOSPC|EDQUOT|EROFS|EIO|EMFILE|ENFILE|EAGAIN|ENOMEM)\b/;

/**
 * Whether the machine, the database, the search engine, the content store or a worker of the service failed for now, rather
 * than the document.
 */
export function isOutage(error: unknown): boolean {
  if (classifyFailure(error) !== undefined) return true;
  const cause = unwrapDriverError(error);
  if (cause instanceof ContentStoreError) return true;
  if (cause instanceof WorkerUnavailableError || isSearchUnavailable(cause)) return true;
  if (!(cause instanceof Error)) return false;
  return SYSTEM.test('code' in cause ? String(cause.code) : cause.message);
}
