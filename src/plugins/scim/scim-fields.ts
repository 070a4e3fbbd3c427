import { hasLength, isStorableText } from '../../platform/http/text.js';
import { Problem } from '../../platform/problems/problem.js';
import { KEPT, KEYS_SCHEMA, usualName } from './scim-attributes.js';
import { parseConditions } from './scim-path.js';

export type Resource = Record<string, unknown>;

/** The maximum length of a user's further attributes together, as JSON. */
const MAX_PROFILE_LENGTH = 16_384;
const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;
const OWN_SCHEMA = /^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group)(?::|$)/i;

/**
 * Normalises attribute names. They are case-insensitive, and may be prefixed by their schema or be nested in
 * an object named after it.
 */
export const withUsualNames = (resource: Resource): Resource =>
  Object.fromEntries(
    Object.entries(resource).flatMap(([name, value]): [string, unknown][] => {
      const own = withoutSchema(name);
      if (own !== '') return [[usualName(own), value]];
      if (!isObject(value)) throw invalid('The value of a schema must be an object of attributes.');
      return Object.entries(value).map(([attribute, inner]) => {
        const ownInner = withoutSchema(attribute);
        if (ownInner === '') throw nestedSchema();
        return [usualName(ownInner), inner];
      });
    }),
  );

/** @returns the name without its schema; empty for the schema itself */
export function withoutSchema(name: string): string {
  const own = name.replace(OWN_SCHEMA, '');
  if (own !== name && OWN_SCHEMA.test(own)) throw nestedSchema();
  return own;
}

const nestedSchema = () => invalid('A schema must not be nested in another schema.');

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

/**
 * Entra writes booleans as `"True"` and `"False"`.
 *
 * @param otherwise the value if the resource does not have the attribute
 */
export function activeField(resource: Resource, otherwise: boolean): boolean {
  const { active = otherwise } = resource;
  if (typeof active === 'boolean') return active;
  const text = typeof active === 'string' ? active.toLowerCase() : '';
  if (text !== 'true' && text !== 'false') throw invalid('active must be true or false.');
  return text === 'true';
}

export function readProfile(resource: Resource): object {
  const kept = Object.entries(resource).filter(
    ([name, value]) =>
      (KEPT.has(name) || isOtherSchema(name)) && value !== undefined && value !== null,
  );
  const profile = Object.fromEntries(
    kept.map(([name, value]) => [name, KEPT.get(name) === 'list' ? toList(value) : value]),
  );
  const text = JSON.stringify(profile);
  if (text.length > MAX_PROFILE_LENGTH || UNSTORABLE.test(text)) {
    throw invalid('The attributes of the user are too long or cannot be stored.');
  }
  return profile;
}

const isOtherSchema = (name: string): boolean =>
  /^urn:/i.test(name) && name.toLowerCase() !== KEYS_SCHEMA.toLowerCase();

/** Entra writes `primary` as a string. */
function toList(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((entry: unknown) => {
    const primary = isObject(entry) ? entry['primary'] : undefined;
    const isPrimary = typeof primary === 'string' && primary.toLowerCase() === 'true';
    return isObject(entry) && typeof primary === 'string'
      ? { ...entry, primary: isPrimary }
      : entry;
  });
}

/** @returns the ids that `members` names, each once */
export function memberIds(members: unknown): string[] {
  if (members === undefined || members === null) return [];
  const list: unknown[] = Array.isArray(members) ? members : [members];
  const ids = list.map((member) =>
    isObject(member) ? withUsualNames(member)['value'] : undefined,
  );
  if (!ids.every(isStorableText)) throw invalid('members must be a list of objects with a value.');
  return [...new Set(ids)];
}

/** Entra sends two conditions to ask whether a reference exists. */
const MAX_CONDITIONS = 2;
const FILTERED = ['username', 'externalid', 'displayname', 'id', 'manager', 'members'];

/** An attribute and the value that it must equal. */
export interface Condition {
  readonly name: string;
  readonly value: string;
}

/** @returns conditions that must all hold; empty without a filter */
export function parseFilter(filter: unknown): Condition[] {
  if (filter === undefined) return [];
  const conditions = parseConditions(typeof filter === 'string' ? filter : '', MAX_CONDITIONS);
  const known = conditions?.filter((one): one is Condition => {
    return FILTERED.includes(one.name.toLowerCase()) && isStorableText(one.value);
  });
  if (known && known.length === conditions?.length) return known;
  throw invalid(
    'filter must be an attribute, eq and a quoted string, or two of these joined by and.',
  );
}

/** Reads `startIndex` and `count`. */
export function readPage({ startIndex, count }: Resource): { skip: number; take: number } {
  // A query string contains text, the body of a search contains numbers.
  const number = (value: unknown, usual: number) =>
    (typeof value === 'string' || typeof value === 'number') && /^\d{1,9}$/.test(String(value))
      ? Number(value)
      : usual;
  return { skip: Math.max(number(startIndex, 1), 1) - 1, take: Math.min(number(count, 100), 200) };
}
