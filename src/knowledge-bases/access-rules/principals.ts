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

export const userPrincipal = (id: string): string => `user:${id}`.normalize('NFC');
export const groupPrincipal = (name: string): string => `group:${name}`.normalize('NFC');

/**
 * Names that look alike are the same: they are compared in the form NFC, by every character.
 *
 * @returns undefined unless it is `user:` or `group:` with 1 to 255 characters behind it
 */
export function parsePrincipal(value: unknown): string | undefined {
  if (!isStorableText(value)) return undefined;
  const [, name] = NAMED.exec(value) ?? [];
  return name !== undefined && hasLength(name, 1, MAX_NAME) ? value.normalize('NFC') : undefined;
}

/** Names that look alike are one, in the form NFC. */
export const distinctNames = (names: readonly string[]): string[] => [
  ...new Set(names.map((name) => name.normalize('NFC'))),
];
