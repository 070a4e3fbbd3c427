import { TextDecoder } from 'node:util';
import { NOT_TEXT } from '@latchkey/extraction/encodings';

const CHARSET = /;\s*charset\s*=\s*["']?([^\s"';]{1,40})/i;

/** The encoding that the header of an answer names. */
export function declaredCharset(headers: Headers): { charset?: string } {
  const charset = CHARSET.exec(headers.get('content-type') ?? '')?.[1];
  return charset === undefined ? {} : { charset };
}

/**
 * Looks whether a text is in the encoding that its server names. Many servers name the same one for
 * all files, so a text that is valid UTF-8 is in UTF-8, whatever they say.
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

  /** The encoding, if the text is in it; undefined where that is found out without its name. */
  get charset(): string | undefined {
    const isIn = this.isDeclared && decodes(this.declared, new Uint8Array(), false);
    const isInUtf8 = this.isUtf8 && decodes(this.utf8, new Uint8Array(), false);
    return isIn && !isInUtf8 ? this.declared?.encoding : undefined;
  }

  /** Passes the parts of the text on. */
  async *through(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const part of parts) {
      this.isDeclared &&= decodes(this.declared, part, true);
      // Where the named encoding is not that of the text, it does not matter whether UTF-8 is.
      this.isUtf8 &&= this.isDeclared && decodes(this.utf8, part, true);
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

function decodes(decoder: TextDecoder | undefined, bytes: Uint8Array, stream: boolean): boolean {
  try {
    const text = decoder?.decode(bytes, { stream });
    return text !== undefined && !NOT_TEXT.test(text);
  } catch {
    return false;
  }
}
