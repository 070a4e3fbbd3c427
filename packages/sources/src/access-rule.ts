import type { SourceEntry } from './source-kind.js';

export interface AccessRule {
  readonly allow: string[];
  readonly deny: string[];
}

/** Who may read a document at its source; `unreadable` if that cannot be found out, so nobody may. */
export type FoundAccess = NonNullable<SourceEntry['access']>;

const PRINCIPAL = /^(?:everyone|(?:user|group):[^\0]{1,255})$/su;
export const MAX_PRINCIPALS = 500;

/** Whether a value is a list that a rule may have: of `everyone`, `user:<id>` and `group:<name>`. */
export const arePrincipals = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length <= MAX_PRINCIPALS &&
  value.every((entry) => typeof entry === 'string' && PRINCIPAL.test(entry));

/**
 * Reads a rule that a source sends with a document, such as in its metadata: `{"allow": […], "deny"?: […]}`.
 * Anything else closes the document, since it may have been meant to.
 */
export function readAccess(value: unknown): FoundAccess {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'unreadable';
  const { allow, deny = [], ...others } = value as Record<string, unknown>;
  const isRule = arePrincipals(allow) && arePrincipals(deny) && Object.keys(others).length === 0;
  return isRule ? { allow, deny } : 'unreadable';
}

/**
 * Combines rules that all apply to a document, such as one of a map and one of a sidecar: nobody reads it whom
 * one of them keeps out. `everyone` leaves the other rule as it is; else a name counts if all rules have it,
 * since the members of groups are not known.
 *
 * @returns undefined if there is no rule
 */
export function intersectRules(
  rules: readonly (FoundAccess | undefined)[],
): FoundAccess | undefined {
  let combined: AccessRule | undefined;
  for (const rule of rules) {
    if (rule === 'unreadable') return 'unreadable';
    if (rule) combined = combined ? intersect(combined, rule) : rule;
  }
  return combined && combined.deny.length > MAX_PRINCIPALS ? 'unreadable' : combined;
}

export function intersectAllowed(one: string[], other: string[]): string[] {
  if (one.includes('everyone')) return other;
  if (other.includes('everyone')) return one;
  const names = new Set(other.map(normalise));
  return one.filter((name) => names.has(normalise(name)));
}

export const addDenied = (one: string[], other: string[]): string[] =>
  other.length === 0 ? one : [...new Set([...one, ...other])];

const intersect = (one: AccessRule, other: AccessRule): AccessRule => ({
  allow: intersectAllowed(one.allow, other.allow),
  deny: addDenied(one.deny, other.deny),
});

const normalise = (name: string) => name.normalize('NFC');
