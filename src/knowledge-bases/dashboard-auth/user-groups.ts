import { parseJson } from '@latchkey/text/parse-json';
import { Problem } from '../../platform/problems/problem.js';
import { MAX_PRINCIPALS, parsePrincipal, type Principals } from '../access-rules/principals.js';

const HEADER = 'x-idp-groups';

/**
 * The prefix of groups, which also distinguishes groups from users among members: ids of users never begin
 * with it.
 */
export const GROUP_PREFIX = 'group:';

/**
 * The groups of a user as an identity provider names them. An unreadable group is an error and not ignored,
 * because a rule could deny it something.
 *
 * @returns each once, as rules and members name it
 * @throws Problem `invalid_groups`
 */
export function toGroups(names: unknown): Principals {
  if (!Array.isArray(names) || names.length > MAX_PRINCIPALS) throw new Problem('invalid_groups');
  const groups = names.map((name: unknown) => {
    const group = typeof name === 'string' ? parsePrincipal(GROUP_PREFIX + name) : undefined;
    if (group === undefined) throw new Problem('invalid_groups');
    return group;
  });
  return [...new Set(groups)];
}

/**
 * Reads the header X-Idp-Groups, a JSON list in UTF-8.
 *
 * @param rawHeaders names and values in turn, as node:http gives them
 * @throws Problem `invalid_groups`
 */
export function readGroups(rawHeaders: readonly string[]): Principals {
  const values = rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === HEADER,
  );
  const [value] = values;
  if (value === undefined) return [];
  if (values.length > 1) throw new Problem('invalid_groups');
  return toGroups(parseHeader(value));
}

function parseHeader(value: string): unknown {
  try {
    // Node.js gives each byte of a header as one character.
    const bytes = Buffer.from(value, 'latin1');
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Problem('invalid_groups');
  }
}
