import { ValidateBy } from 'class-validator';
import { findEncodingName } from '@latchkey/extraction/encodings';
import { invalidField } from '../platform/problems/problem.js';

export const MAX_CHARSET = 40;
/** Clients send this for any text whose encoding they do not know, so it is ignored. */
const ASCII = /^(?:us-)?ascii$/i;

/** The name of an encoding of the WHATWG, or of code page 850. */
export const IsCharset = () =>
  ValidateBy({
    name: 'isCharset',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string' &&
        value.length <= MAX_CHARSET &&
        findEncodingName(value) !== undefined,
      defaultMessage: () =>
        '$property must be the name of an encoding, such as `windows-1250` or `shift_jis`',
    },
  });

/**
 * Reads the encoding from the media type of a part or a response.
 *
 * @throws Problem if the encoding is unknown
 */
export function parseCharset(mediaType: string): string | undefined {
  const label = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(mediaType)?.[1];
  if (label === undefined || ASCII.test(label)) return undefined;
  const name = findEncodingName(label);
  if (name === undefined) throw invalidField('file', 'file has a media type of an unknown charset');
  return name;
}
