/* global location */
import { LatchkeyDashboard } from './latchkey-client/index.js';

/**
 * Calls the service through the gateway, which identifies the user by the session cookie. The page
 * itself has no credential.
 */
export const service = new LatchkeyDashboard({ baseUrl: location.origin, headers: () => ({}) });

/** Reads all pages of a list. */
export async function list(operation, input) {
  const rows = [];
  let cursor;
  do {
    const page = await service.get(operation, { ...input, query: { limit: 100, cursor } });
    rows.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor);
  return rows;
}
