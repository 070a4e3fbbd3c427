import { TextDecoder } from 'node:util';
import { NOT_TEXT } from '@latchkey/extraction/encodings';

const CHARSET = /;\s*charset\s*=\s*["']?([^\s"';]{1,40})/i;

/** The encoding declared in the header of an answer. */
export function readDeclaredCharset(headers: Headers): { charset?: string } {
  const charset = CHARSET.exec(headers.get('content-type') ?? '')?.[1];
  return charset === undefined ? {} : { charset };
}

/**
 * Checks whether a text is in the encoding that its server declares. Many servers declare the same one for
 * all files, so a text that is valid UTF-8 is taken for UTF-8 in any case.
 */
export class CharsetCheck {
  private readonly declared: TextDecoder | undefined;
  private readonly utf8 = new TextDecoder('utf-8', { fatal: true });
  private isDeclared: boolean;
  private isUtf8 = true;

  constructor(charset: string | undefined) {
    this.declared = makeDecoder(charset);
    this.isDeclared = this.declared !== undefined;
  }

  /** The declared encoding, if the text is in it; undefined if the encoding can be detected. */
  get charset(): string | undefined {
    const isIn = this.isDeclared && isDecodable(this.declared, new Uint8Array(), false);
    const isInUtf8 = this.isUtf8 && isDecodable(this.utf8, new Uint8Array(), false);
    return isIn && !isInUtf8 ? this.declared?.encoding : undefined;
  }

  /** Passes on the parts of the text, checking each. */
  async *checkParts(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const part of parts) {
      this.isDeclared &&= isDecodable(this.declared, part, true);
      // If the declared encoding is wrong, it does not matter whether the text is UTF-8.
      this.isUtf8 &&= this.isDeclared && isDecodable(this.utf8, part, true);
      yield part;
    }
  }
}

function makeDecoder(charset: string | undefined): TextDecoder | undefined {
  try {
    return charset === undefined ? undefined : new TextDecoder(charset, { fatal: true });
  } catch {
    return undefined;
  }
}

function isDecodable(
  decoder: TextDecoder | undefined,
  bytes: Uint8Array,
  stream: boolean,
): boolean {
  try {
    const text = decoder?.decode(bytes, { stream });
    return text !== undefined && !NOT_TEXT.test(text);
  } catch {
    return false;
  }
}
