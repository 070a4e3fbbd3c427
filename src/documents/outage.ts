import { causeOf, isDatabaseUnavailable } from '../database/database-error.js';

/** No room, no right to write, nothing left to run a process with. Threads hand on the text only. */
const SYSTEM = /\b(ENOSPC|EDQUOT|EROFS|EIO|EMFILE|ENFILE|EAGAIN|ENOMEM)\b/;

/** Whether the machine or the database failed, for now, whatever the document is. */
export function isOutage(error: unknown): boolean {
  const cause = causeOf(error);
  if (isDatabaseUnavailable(cause)) return true;
  if (!(cause instanceof Error)) return false;
  return SYSTEM.test('code' in cause ? String(cause.code) : cause.message);
}
