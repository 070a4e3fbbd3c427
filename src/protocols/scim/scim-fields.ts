import { hasLength, isStorableText } from '../../platform/http/text.js';
import { parseJson } from '@latchkey/text/parse-json';
import { Problem } from '../../platform/problems/problem.js';

export type Resource = Record<string, unknown>;

/** Of a user's further attributes together, as JSON. */
const MAX_PROFILE_LENGTH = 16_384;
const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;
/** Attributes that are kept beside those that have a meaning here. */
const KEPT = ['displayName', 'name', 'emails', 'title', 'preferredLanguage', 'locale', 'timezone'];

const NAMES = new Map(
  [
    ...['userName', 'externalId', 'active', 'members', ...KEPT],
    ...['Operations', 'op', 'path', 'value'],
  ].map((name) => [name.toLowerCase(), name]),
);

/** Names are the same in any case. */
export const usualName = (name: string): string => NAMES.get(name.toLowerCase()) ?? name;
export const withUsualNames = (resource: Resource): Resource =>
  Object.fromEntries(Object.entries(resource).map(([name, value]) => [usualName(name), value]));

export const invalid = (detail: string) => new Problem('validation_failed', { detail });

export const isObject = (value: unknown): value is Resource =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function textField(resource: Resource, name: string): string {
  const value = resource[name];
  if (hasLength(value, 1, 255) && isStorableText(value)) return value;
  throw invalid(`${name} must have 1 to 255 characters.`);
}

export const optionalText = (resource: Resource, name: string): string | null =>
  resource[name] === undefined || resource[name] === null ? null : textField(resource, name);

/** Entra writes booleans as `"True"` and `"False"`. */
export function activeField({ active = true }: Resource): boolean {
  if (typeof active === 'boolean') return active;
  const text = typeof active === 'string' ? active.toLowerCase() : '';
  if (text !== 'true' && text !== 'false') throw invalid('active must be true or false.');
  return text === 'true';
}

export function profileOf(resource: Resource): object {
  const kept = KEPT.filter((name) => resource[name] !== undefined && resource[name] !== null);
  const profile = Object.fromEntries(kept.map((name) => [name, resource[name]]));
  const text = JSON.stringify(profile);
  if (text.length > MAX_PROFILE_LENGTH || UNSTORABLE.test(text)) {
    throw invalid('The attributes of the user are too long or cannot be stored.');
  }
  return profile;
}

/** @returns the ids that `members` names, each once */
export function memberIds(members: unknown): string[] {
  if (members === undefined || members === null) return [];
  const list: unknown[] = Array.isArray(members) ? members : [members];
  const ids = list.map((member) =>
    isObject(member) ? withUsualNames(member)['value'] : undefined,
  );
  if (!ids.every(isStorableText)) throw invalid('members must be objects of value.');
  return [...new Set(ids)];
}

const FILTER = /^\s*(userName|externalId|displayName|id)\s+eq\s+("(?:[^"\\]|\\.)*")\s*$/i;

/** @returns the attribute in lower case and what it must equal; undefined without a filter */
export function parseFilter(filter: unknown): { name: string; value: string } | undefined {
  if (filter === undefined) return undefined;
  const [, name, json] = FILTER.exec(typeof filter === 'string' ? filter : '') ?? [];
  if (name === undefined || json === undefined) {
    throw invalid('filter must be one attribute, eq and a text in quotes.');
  }
  try {
    const value = parseJson(json);
    if (isStorableText(value)) return { name: name.toLowerCase(), value };
  } catch {
    // Answered below.
  }
  throw invalid('filter must have a text in quotes.');
}

/** The slice that `startIndex` and `count` ask for. */
export function pageOf({ startIndex, count }: Resource): { skip: number; take: number } {
  const number = (value: unknown, usual: number) =>
    typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : usual;
  return { skip: Math.max(number(startIndex, 1), 1) - 1, take: Math.min(number(count, 100), 200) };
}
