import type { SourceEntry } from '../source-kind.js';
import type { JsonValue } from './json-value.js';

/** A rule of a document has no more. */
const MAX_PRINCIPALS = 500;

/** Whom a page names as its readers: nobody in particular, some, or that cannot be found out. */
export type Restriction = readonly string[] | 'none' | 'unreadable';

/** What `restrictions` of the operation `read` says. */
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

/** Of the cloud and Data Center. */
function readUser(user: JsonValue): string {
  const id = user.at('accountId').optionalText() ?? user.at('username').optionalText();
  return `user:${id ?? user.at('userKey').text()}`;
}

/** A list of names comes in pages, too, of which the first one alone is there. */
const isCut = (list: JsonValue) => {
  const limit = Number(list.at('limit').optionalText() ?? Infinity);
  return !list.at('_links', 'next').isMissing || list.at('results').list().length >= limit;
};

/**
 * Who may read a page, by its own restriction and those of the pages above it, all of which must allow a
 * reader. Names that only some of them allow are left out, since the members of groups are not known.
 */
export function accessBy(levels: readonly Restriction[]): SourceEntry['access'] {
  let allowed: readonly string[] | undefined;
  for (const level of levels) {
    if (level === 'unreadable') return 'unreadable';
    if (level === 'none') continue;
    allowed = allowed?.filter((name) => level.includes(name)) ?? level;
  }
  if (allowed === undefined) return undefined;
  return allowed.length === 0 ? 'unreadable' : { allow: [...allowed], deny: [] };
}
