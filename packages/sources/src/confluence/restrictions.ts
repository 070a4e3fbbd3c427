import type { SourceEntry } from '../source-kind.js';
import type { JsonValue } from './json-value.js';

/** The maximum for a rule of a document. */
const MAX_PRINCIPALS = 500;

/** The readers that a page names: some, `none` if it has no restriction, or `unreadable`. */
export type Restriction = readonly string[] | 'none' | 'unreadable';

/** Reads `restrictions` of the operation `read`. */
export function readRestriction(restrictions: JsonValue): Restriction {
  const users = restrictions.at('user');
  const groups = restrictions.at('group');
  if (users.isMissing || groups.isMissing) return 'unreadable';
  if (isCut(users) || isCut(groups)) return 'unreadable';
  const allowed = [
    ...users.at('results').list().map(readUser),
    ...groups
      .at('results')
      .list()
      .map((group) => `group:${group.at('name').text()}`),
  ];
  if (allowed.length > MAX_PRINCIPALS) return 'unreadable';
  return allowed.length === 0 ? 'none' : allowed.sort();
}

/** Reads a user of the cloud or of Data Center. */
function readUser(user: JsonValue): string {
  const id = user.at('accountId').optionalText() ?? user.at('username').optionalText();
  return `user:${id ?? user.at('userKey').text()}`;
}

/** Whether a list of names has further pages, since an answer contains only the first. */
const isCut = (list: JsonValue) => {
  const limit = Number(list.at('limit').optionalText() ?? Infinity);
  return !list.at('_links', 'next').isMissing || list.at('results').list().length >= limit;
};

/**
 * Who may read a page: its own restriction and those of all pages above it must allow a reader. Names that
 * only some of them allow are left out, since the members of groups are not known.
 */
export function intersectAccess(levels: readonly Restriction[]): SourceEntry['access'] {
  let allowed: readonly string[] | undefined;
  for (const level of levels) {
    if (level === 'unreadable') return 'unreadable';
    if (level === 'none') continue;
    allowed = allowed?.filter((name) => level.includes(name)) ?? level;
  }
  if (allowed === undefined) return undefined;
  return allowed.length === 0 ? 'unreadable' : { allow: [...allowed], deny: [] };
}
