import { readText } from './read-text.js';
import { JsonReader, skipWhiteSpace } from './json-reader.js';

/**
 * Parses JSON without a bug of `JSON.parse` in Node.js 24 and later: it misreads a property name with an escape
 * if an earlier object of the process began with the same properties, and its next name equals the first
 * characters of the escape (`\`, or `\u00`); that name is taken instead (nodejs/node#63785). So one tenant's
 * request could rename properties of another tenant's. Names without an escape are always read correctly.
 */
export const parseJson = (text: string): unknown =>
  hasEscapedName(text) ? new JsonReader(text).read() : JSON.parse(text);

/** `response.json()`, by `parseJson`. @throws Error when it has more bytes */
export const parseResponse = async (response: Response, maxBytes: number): Promise<unknown> =>
  parseJson(await readText(response, maxBytes));

/**
 * Whether a property name of a JSON text has an escape. Each part of the text is read once; a text without a
 * backslash is only searched for one.
 */
export function hasEscapedName(text: string): boolean {
  let escape = text.indexOf('\\');
  while (escape !== -1) {
    // Only strings have escapes; a string ends with the first quote that is not escaped.
    let end = text.indexOf('"', escape + 2);
    let next = text.indexOf('\\', escape + 2);
    while (next !== -1 && next < end) {
      if (end === next + 1) end = text.indexOf('"', next + 2);
      next = text.indexOf('\\', next + 2);
    }
    // A string without an end is no JSON.
    if (end === -1) return false;
    if (text[skipWhiteSpace(text, end + 1)] === ':') return true;
    escape = next;
  }
  return false;
}

/**
 * Whether the header or the claims of a JSON Web Token have such a name. Libraries that verify tokens parse them
 * by `JSON.parse`.
 */
export const hasEscapedClaim = (token: string): boolean =>
  token.split('.', 2).some((part) => hasEscapedName(Buffer.from(part, 'base64url').toString()));
