import { parseJson } from '@latchkey/text/parse-json';
import { usualName } from './scim-attributes.js';
import { invalidPath } from './scim-error.js';

/** A condition of a filter in a path: an attribute of an entry and the value that it must equal. */
export interface EntryCondition {
  readonly name: string;
  readonly value: string | number | boolean;
}

/** The target of an operation of a PATCH. */
export interface ScimPath {
  /** Undefined for an attribute of the resource's own schema. */
  readonly extension: string | undefined;
  /** Undefined for a whole schema. */
  readonly name: string | undefined;
  /** The conditions that the entries of a list must all meet. */
  readonly conditions: readonly EntryCondition[] | undefined;
  readonly part: string | undefined;
}

const MAX_LENGTH = 1000;
const MAX_CONDITIONS = 10;
const ATTRIBUTE = /^([A-Za-z][\w-]{0,63})(?:\[(.*)\])?(?:\.([$A-Za-z][\w-]{0,63}))?$/s;
/** The name of a schema ends with its version and the type of the resources. */
const OF_SCHEMA = /^(urn:[\w:.-]*?:\d[\d.]*:\w+)(?::(.*))?$/is;
const OF_UNVERSIONED_SCHEMA = /^(urn:[\w:.-]+):([^:]+)$/is;
const CONDITION =
  /^\s*([A-Za-z][\w-]{0,63})\s+eq\s+("(?:[^"\\]|\\.)*"|true|false|-?\d{1,15})\s*(?:and\s+(?=\S)|$)/i;

/**
 * Reads a path of RFC 7644: an attribute, a filter of equal values, and a sub-attribute, each of which may
 * be left out.
 *
 * @param schema the schema of the resource, which may prefix an attribute
 * @throws ScimProblem `invalidPath`
 */
export function parsePath(path: string, schema: string): ScimPath {
  if (path.length > MAX_LENGTH) throw unreadable();
  if (!/^urn:/i.test(path)) return { extension: undefined, ...parseAttribute(path) };
  const [, urn = '', rest] = OF_SCHEMA.exec(path) ?? OF_UNVERSIONED_SCHEMA.exec(path) ?? [];
  if (urn === '') throw unreadable();
  const attribute =
    rest === undefined
      ? { name: undefined, conditions: undefined, part: undefined }
      : parseAttribute(rest);
  const isOwn = urn.toLowerCase() === schema.toLowerCase();
  return { extension: isOwn ? undefined : urn, ...attribute };
}

function parseAttribute(path: string) {
  const [, name, filter, part] = ATTRIBUTE.exec(path) ?? [];
  if (name === undefined) throw unreadable();
  return {
    name: usualName(name),
    conditions: filter === undefined ? undefined : requireConditions(filter),
    part: part === undefined ? undefined : usualName(part),
  };
}

function requireConditions(filter: string): EntryCondition[] {
  const conditions = parseConditions(filter, MAX_CONDITIONS);
  if (!conditions) throw unreadable();
  return conditions;
}

/** @returns undefined unless the filter is one to `max` conditions, joined by `and` */
export function parseConditions(filter: string, max: number): EntryCondition[] | undefined {
  const conditions: EntryCondition[] = [];
  let rest = filter;
  do {
    const [all = '', name, literal = ''] = CONDITION.exec(rest) ?? [];
    const value = parseLiteral(literal);
    if (name === undefined || value === undefined || conditions.length === max) return undefined;
    conditions.push({ name: usualName(name), value });
    rest = rest.slice(all.length);
  } while (rest !== '');
  return conditions;
}

function parseLiteral(literal: string): EntryCondition['value'] | undefined {
  try {
    const json = literal.startsWith('"') ? literal : literal.toLowerCase();
    return parseJson(json) as EntryCondition['value'];
  } catch {
    return undefined;
  }
}

const unreadable = () =>
  invalidPath('path must be an attribute; its filter may only use `eq` and `and`.');
