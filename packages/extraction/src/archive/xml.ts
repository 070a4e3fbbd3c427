import { TextDecoder } from 'node:util';
import { SaxesParser } from 'saxes';
import { findMarkedEncoding } from '../marked-encoding.js';
import { Unreadable } from '../unreadable.js';

const MAX_DEPTH = 1000;
/** Limits one part; a sheet of a million cells has three million elements. */
const MAX_ELEMENTS = 6_000_000;
/** Bytes that are searched for the XML declaration. */
const DECLARATION_BYTES = 200;

/** The attributes of an element, by their qualified names. */
export type Attributes = Readonly<Record<string, string>>;

/** Receives element names without their prefixes. */
export interface XmlHandler {
  open?(name: string, attributes: Attributes): void;
  text?(text: string): void;
  close?(name: string): void;
}

/**
 * Parses XML while it is inflated. Entities are never expanded, except for the five of XML itself.
 *
 * @throws Unreadable if it is no well-formed XML, defines entities or is nested too deeply,
 *   or has too many elements
 */
export async function readXml(
  pieces: AsyncIterable<Uint8Array>,
  handler: XmlHandler,
): Promise<void> {
  const parser = new SaxesParser({ position: false });
  const localNames = new Map<string, string>();
  const toLocalName = (name: string) => {
    let local = localNames.get(name);
    if (local === undefined) localNames.set(name, (local = name.slice(name.indexOf(':') + 1)));
    return local;
  };
  let depth = 0;
  let elements = 0;
  parser.on('error', () => {
    throw new Unreadable('parse_failed', 'A part of the file is no well-formed XML.');
  });
  parser.on('doctype', (doctype) => {
    if (doctype.includes('<!ENTITY')) {
      throw new Unreadable('parse_failed', 'The document defines XML entities.');
    }
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (++depth > MAX_DEPTH) {
      throw new Unreadable('parse_failed', 'The document is nested too deeply.');
    }
    if (++elements > MAX_ELEMENTS) {
      throw new Unreadable(
        'too_large',
        'A part of the document has more than six million elements.',
      );
    }
    handler.open?.(toLocalName(name), attributes as Attributes);
  });
  parser.on('closetag', ({ name }) => {
    depth--;
    handler.close?.(toLocalName(name));
  });
  parser.on('text', (text) => handler.text?.(text));
  parser.on('cdata', (text) => handler.text?.(text));
  let decoder: TextDecoder | undefined;
  for await (const piece of pieces) {
    decoder ??= chooseDecoder(piece);
    parser.write(decoder.decode(piece, { stream: true }));
  }
  parser.write(decoder?.decode() ?? '').close();
}

/** An attribute by its name without a prefix. */
export function attribute(attributes: Attributes, localName: string): string | undefined {
  const own = attributes[localName];
  if (own !== undefined) return own;
  const suffix = `:${localName}`;
  for (const name in attributes) if (name.endsWith(suffix)) return attributes[name];
  return undefined;
}

function chooseDecoder(start: Uint8Array): TextDecoder {
  const declaration = Buffer.from(start.subarray(0, DECLARATION_BYTES)).toString('latin1');
  const declared = /^<\?xml\b[^>]*?\bencoding\s*=\s*["']([\w.-]+)/.exec(declaration)?.[1];
  try {
    return new TextDecoder(findMarkedEncoding(start) ?? declared);
  } catch {
    throw new Unreadable('parse_failed', 'The file has an encoding that is unknown.');
  }
}
