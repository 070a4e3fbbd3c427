import { readText } from './read-text.js';
import { JsonReader, skipWhiteSpace } from './json-reader.js';

/**
 * `JSON.parse`, which on Node.js 24 and later gives a property name with an escape the wrong name: where
 * an earlier object of the process began with the same properties, and its next one is called like the
 * first characters of the escape (`\`, or `\u00`), that name is taken instead (nodejs/node#63785). One
 * tenant's request could so rename what another one sends. Names that are written as they are, are
 * right, whatever was parsed before.
 */
export const parseJson = (text: string): unknown =>
  hasEscapedName(text) ? new JsonReader(text).read() : JSON.parse(text);

/** `response.json()`, by `parseJson`. @throws Error when it has more bytes */
export const parseResponse = async (response: Response, maxBytes: number): Promise<unknown> =>
  parseJson(await readText(response, maxBytes));

/**
 * Whether a property name of a JSON text has an escape. Each part of the text is looked at once, and
 * without a backslash nothing but that is looked for.
 */
export function hasEscapedName(text: string): boolean {
  let escape = text.indexOf('\\');
  while (escape !== -1) {
    // Escapes are in strings alone, which end with the first quote that is not escaped.
    let end = text.indexOf('"', escape + 2);
    let next = text.indexOf('\\', escape + 2);
    while (next !== -1 && next < end) {
      if (end === next + 1) end = text.indexOf('"', next + 2);
      next = text.indexOf('\\', next + 2);
    }
    // Without an end it is no JSON.
    if (end === -1) return false;
    if (text[skipWhiteSpace(text, end + 1)] === ':') return true;
    escape = next;
  }
  return false;
}

/**
 * Whether the header or the claims of a JSON Web Token have such a name: who verifies tokens by a library
 * leaves the parsing to it, and so to `JSON.parse`.
 */
export const hasEscapedClaim = (token: string): boolean =>
  token.split('.', 2).some((part) => hasEscapedName(Buffer.from(part, 'base64url').toString()));
