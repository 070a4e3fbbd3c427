import { toComparableName } from '@latchkey/text/person-name';
import { hasLength, isStorableText } from '../../platform/http/text.js';

/**
 * In whose name somebody reads: `user:<id>` and `group:<name>`, proved by a credential. `everyone` is
 * implied, so it is not among them.
 */
export type Principals = readonly string[];

export const EVERYONE = 'everyone';
/** Of a rule, of a token's groups, of a key. */
export const MAX_PRINCIPALS = 500;
const MAX_NAME = 255;
const NAMED = /^(?:user|group):(.*)$/su;

const USER_PREFIX = 'user:';

export const userPrincipal = (id: string): string => USER_PREFIX + toComparableName(id);
export const groupPrincipal = (name: string): string => `group:${name}`.normalize('NFC');

/**
 * Reads a principal as it is shown; see `comparedPrincipal`.
 *
 * @returns in the form NFC; undefined unless it is `user:` or `group:` with 1 to 255 characters behind it
 */
export function parsePrincipal(value: unknown): string | undefined {
  if (!isStorableText(value)) return undefined;
  const [, name] = NAMED.exec(value) ?? [];
  return name !== undefined && hasLength(name, 1, MAX_NAME) ? value.normalize('NFC') : undefined;
}

/** How a principal is compared: groups by every character of the form NFC, users without case too. */
export const comparedPrincipal = (principal: string): string =>
  principal.startsWith(USER_PREFIX)
    ? userPrincipal(principal.slice(USER_PREFIX.length))
    : principal.normalize('NFC');

/** In whose name somebody reads who has these, as they were written. */
export const toPrincipals = (names: readonly string[]): Principals => [
  ...new Set(names.map(comparedPrincipal)),
];

/** Names that look alike are one, in the form NFC; as they are shown. */
export const distinctNames = (names: readonly string[]): string[] => [
  ...new Set(names.map((name) => name.normalize('NFC'))),
];
