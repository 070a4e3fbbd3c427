import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type DerivedKey, Peppers } from '../../platform/peppers/peppers.js';
import type { Webhook } from './webhook.entity.js';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SECRET_BYTES = 32;

type Sealed = Pick<Webhook, 'id' | 'secret' | 'previousSecret' | 'pepperId'>;

/**
 * Generates signing secrets, and encrypts them for storage by AES-256-GCM under a key derived from the
 * pepper, so that a stolen database reveals none. A secret whose pepper is lost cannot be read again:
 * the webhook needs a new one.
 */
@Injectable()
export class WebhookSecrets {
  private readonly keys: readonly [DerivedKey, ...DerivedKey[]];

  constructor(peppers: Peppers) {
    this.keys = peppers.derive('latchkey webhook secrets');
  }

  /** The pepper that secrets are encrypted under. */
  get pepperId(): string {
    return this.keys[0].pepperId;
  }

  generate(): string {
    return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  }

  /** @param webhookId bound to the result, which cannot be read for another webhook */
  seal(webhookId: string, secret: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.keys[0].key, nonce).setAAD(
      Buffer.from(webhookId),
    );
    const text = [cipher.update(secret, 'utf8'), cipher.final()];
    return Buffer.concat([nonce, ...text, cipher.getAuthTag()]).toString('base64');
  }

  /**
   * The secret, and the one before it if there is one.
   *
   * @returns undefined when the pepper that they are encrypted under is not configured
   */
  open(webhook: Sealed): { secret: string; previous: string | null } | undefined {
    const { id, secret, previousSecret, pepperId } = webhook;
    const key = this.keys.find((one) => one.pepperId === pepperId);
    if (!key) return undefined;
    const previous = previousSecret === null ? undefined : unseal(key, id, previousSecret);
    const current = unseal(key, id, secret);
    return current === undefined ? undefined : { secret: current, previous: previous ?? null };
  }
}

/** @returns undefined when it was encrypted under another pepper of the same id, or altered */
function unseal({ key }: DerivedKey, webhookId: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64');
  const tagStart = bytes.length - TAG_BYTES;
  try {
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(webhookId))
      .setAuthTag(bytes.subarray(tagStart));
    const text = decipher.update(bytes.subarray(NONCE_BYTES, tagStart), undefined, 'utf8');
    return text + decipher.final('utf8');
  } catch {
    return undefined;
  }
}
