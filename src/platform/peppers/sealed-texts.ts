import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { DerivedKey, Peppers } from './peppers.js';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts texts for storage by AES-256-GCM under a key derived from the pepper, so that a stolen
 * database reveals none. If the pepper is lost, the text cannot be decrypted.
 */
export class SealedTexts {
  private readonly keys: readonly [DerivedKey, ...DerivedKey[]];

  /** @param purpose texts sealed for one purpose cannot be opened for another */
  constructor(peppers: Peppers, purpose: string) {
    this.keys = peppers.derive(purpose);
  }

  /** The id of the pepper that texts are encrypted under. */
  get pepperId(): string {
    return this.keys[0].pepperId;
  }

  /** @param owner the id of the row, to which the result is bound */
  seal(owner: string, text: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.keys[0].key, nonce).setAAD(Buffer.from(owner));
    const parts = [cipher.update(text, 'utf8'), cipher.final()];
    return Buffer.concat([nonce, ...parts, cipher.getAuthTag()]).toString('base64');
  }

  /**
   * @param pepperId the pepper that it was encrypted under
   * @returns undefined if that pepper is not configured, or the text was altered
   */
  open(owner: string, sealed: string, pepperId: string): string | undefined {
    const key = this.keys.find((one) => one.pepperId === pepperId)?.key;
    if (!key) return undefined;
    const bytes = Buffer.from(sealed, 'base64');
    const tagStart = bytes.length - TAG_BYTES;
    try {
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(owner))
        .setAuthTag(bytes.subarray(tagStart));
      const text = decipher.update(bytes.subarray(NONCE_BYTES, tagStart), undefined, 'utf8');
      return text + decipher.final('utf8');
    } catch {
      return undefined;
    }
  }
}
