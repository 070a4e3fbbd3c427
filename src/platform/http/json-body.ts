import { isUtf8 } from 'node:buffer';
import { parseJson } from '@latchkey/text/parse-json';
import { MAX_FREE_FORM_FIELDS } from './dto-fields.js';
import { Problem } from '../problems/problem.js';

/** The size of a JSON body, and so of any string in one. */
export const MAX_JSON_BYTES = 1024 * 1024;
/** The limit where the credential may be in the body, which is parsed before the sender is known. */
export const MAX_OPEN_JSON_BYTES = 64 * 1024;

/** The limit of a list of every document of a source. */
export const MAX_LONG_JSON_BYTES = 32 * 1024 * 1024;

/** Size limits of a JSON text. */
interface JsonLimits {
  /** The nesting depth of objects and lists. */
  readonly depth: number;
  /** The number of fields of one object. */
  readonly fields: number;
  /**
   * The number of objects and lists. No request needs more, while 1 MiB of `{}` has fifteen times as
   * many.
   */
  readonly containers: number;
}

const LIMITS: JsonLimits = { depth: 32, fields: MAX_FREE_FORM_FIELDS, containers: 20_000 };
/** One object for each document of a source. */
const LONG_LIMITS: JsonLimits = { ...LIMITS, containers: 500_000 };

/**
 * Parses the JSON of a body: UTF-8 only, at most 32 levels deep, no `__proto__`, no oversized objects. An
 * empty body counts as missing, since many clients send the content type with every PATCH.
 *
 * @throws Problem `validation_failed`
 */
export function parseJsonBody(bytes: Buffer, hasLongLists = false): unknown {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw malformed('The body is not UTF-8.');
  return readJson(bytes.toString('utf8'), hasLongLists ? LONG_LIMITS : LIMITS);
}

/** @throws Problem `validation_failed` if the text is not JSON or exceeds the limits */
export function readJson(text: string, limits = LIMITS): unknown {
  const problem = findExcess(text, limits);
  if (problem !== undefined) throw malformed(problem);
  try {
    return parseUntrusted(text);
  } catch {
    throw malformed('The body is not well-formed JSON.');
  }
}

/**
 * @throws SyntaxError if the text is not JSON, or would change the prototype of objects that it is
 *   merged into
 */
function parseUntrusted(text: string): unknown {
  const value = parseJson(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
  if (reachesPrototype(value)) throw new SyntaxError('A name reaches the prototype');
  return value;
}

const BYTE_ORDER_MARK = '\uFEFF';

function reachesPrototype(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Object.hasOwn(value, '__proto__')) return true;
  if (Object.hasOwn(value, 'constructor') && hasPrototype(value.constructor)) return true;
  return Object.values(value).some(reachesPrototype);
}

const hasPrototype = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype');

const malformed = (detail: string) => new Problem('validation_failed', { detail });

/** Checks a JSON text against limits before parsing it; returns what is wrong, or undefined. */
export function findExcess(text: string, limits: JsonLimits): string | undefined {
  /** The number of commas in the open object at each depth; undefined for a list. */
  const commas: (number | undefined)[] = [];
  let depth = 0;
  let containers = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const char = text[index];
    if (inString) {
      if (char === '\\') index++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') {
      if (++depth > limits.depth) {
        return `The body is nested more than ${limits.depth} levels deep.`;
      }
      if (++containers > limits.containers) {
        return `The body has more than ${limits.containers} objects and lists.`;
      }
      commas[depth] = char === '{' ? 0 : undefined;
    } else if (char === '}' || char === ']') depth--;
    else if (char === ',') {
      const before = commas[depth];
      if (before === undefined) continue;
      commas[depth] = before + 1;
      if (before + 2 > limits.fields) {
        return `The body has an object of more than ${limits.fields} fields.`;
      }
    }
  }
  return undefined;
}
