import { toComparableName } from '@latchkey/text/person-name';
import { hasLength, isStorableText } from '../../platform/http/text.js';

/**
 * The principals that somebody reads documents as: `user:<id>` and `group:<name>`, proved by a credential.
 * `everyone` is implied and not in the list.
 */
export type Principals = readonly string[];

/** The limit for a rule, for the groups of a token, and for a key. */
export const MAX_PRINCIPALS = 500;
const MAX_NAME = 255;
const NAMED = /^(?:user|group):(.*)$/su;

const USER_PREFIX = 'user:';

export const userPrincipal = (id: string): string => USER_PREFIX + toComparableName(id);
export const groupPrincipal = (name: string): string => `group:${name}`.normalize('NFC');

/**
 * Parses a principal in the form in which it is shown; see `comparedPrincipal`.
 *
 * @returns in the form NFC; undefined unless it is `user:` or `group:` with 1 to 255 characters behind it
 */
export function parsePrincipal(value: unknown): string | undefined {
  if (!isStorableText(value)) return undefined;
  const [, name] = NAMED.exec(value) ?? [];
  return name !== undefined && hasLength(name, 1, MAX_NAME) ? value.normalize('NFC') : undefined;
}

/**
 * The form in which a principal is compared: groups by every character in NFC, users also regardless of
 * case.
 */
export const comparedPrincipal = (principal: string): string =>
  principal.startsWith(USER_PREFIX)
    ? userPrincipal(principal.slice(USER_PREFIX.length))
    : principal.normalize('NFC');

/** The principals in the form in which they are compared, without duplicates. */
export const toPrincipals = (names: readonly string[]): Principals => [
  ...new Set(names.map(comparedPrincipal)),
];

/**
 * Removes duplicates among names in the form in which they are shown; names that look alike in NFC are one.
 */
export const distinctNames = (names: readonly string[]): string[] => [
  ...new Set(names.map((name) => name.normalize('NFC'))),
];
