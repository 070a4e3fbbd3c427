import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Peppers } from '../../platform/peppers/peppers.js';
import { SealedTexts } from '../../platform/peppers/sealed-texts.js';
import type { Webhook } from './webhook.entity.js';

const SECRET_BYTES = 32;

type Sealed = Pick<Webhook, 'id' | 'secret' | 'previousSecret' | 'pepperId'>;

/**
 * Generates signing secrets, and encrypts them for storage. A webhook whose pepper is lost needs a new
 * secret.
 */
@Injectable()
export class WebhookSecrets {
  private readonly texts: SealedTexts;

  constructor(peppers: Peppers) {
    this.texts = new SealedTexts(peppers, 'latchkey webhook secrets');
  }

  /** The pepper that secrets are encrypted under. */
  get pepperId(): string {
    return this.texts.pepperId;
  }

  generate(): string {
    return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  }

  /** @param webhookId bound to the result, which cannot be read for another webhook */
  seal(webhookId: string, secret: string): string {
    return this.texts.seal(webhookId, secret);
  }

  /**
   * The secret, and the one before it if there is one.
   *
   * @returns undefined when the pepper that they are encrypted under is not configured
   */
  open(webhook: Sealed): { secret: string; previous: string | null } | undefined {
    const { id, secret, previousSecret, pepperId } = webhook;
    const current = this.texts.open(id, secret, pepperId);
    if (current === undefined) return undefined;
    const previous = previousSecret === null ? null : this.texts.open(id, previousSecret, pepperId);
    return { secret: current, previous: previous ?? null };
  }
}
