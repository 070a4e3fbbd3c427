import { Injectable } from '@nestjs/common';
import { parseJson } from '@latchkey/text/parse-json';
import { Peppers } from '../../platform/peppers/peppers.js';
import { SealedTexts } from '../../platform/peppers/sealed-texts.js';
import type { Source } from './source.entity.js';

type Sealed = Pick<Source, 'credentials' | 'pepperId'>;

/** Encrypts credentials for storage. If the pepper is lost, they must be entered again. */
@Injectable()
export class SourceCredentials {
  private readonly texts: SealedTexts;

  constructor(peppers: Peppers) {
    this.texts = new SealedTexts(peppers, 'latchkey source credentials');
  }

  get pepperId(): string {
    return this.texts.pepperId;
  }

  /** @param credentials null or an empty object means none */
  seal(sourceId: string, credentials: object | null | undefined): Sealed {
    if (!credentials || Object.keys(credentials).length === 0) {
      return { credentials: null, pepperId: null };
    }
    const text = JSON.stringify(credentials);
    return { credentials: this.texts.seal(sourceId, text), pepperId: this.texts.pepperId };
  }

  /** @returns null if there are none, undefined if they cannot be decrypted */
  open({ id, credentials, pepperId }: Sealed & Pick<Source, 'id'>): object | null | undefined {
    if (credentials === null || pepperId === null) return null;
    const text = this.texts.open(id, credentials, pepperId);
    return text === undefined ? undefined : (parseJson(text) as object);
  }
}
