import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Webhook as Verifier } from 'standardwebhooks';
import { signatureHeaders } from './sign-delivery.js';

const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;
const [NEW, OLD, OTHER] = [secretOf(1), secretOf(2), secretOf(3)];
const MESSAGE = { id: 'whd_1', body: '{"type":"message.rated","data":{"rating":"up ✓"}}' };

describe(signatureHeaders, () => {
  const now = new Date();
  const headers = signatureHeaders(MESSAGE, [NEW, OLD], now);

  it('names the message and the second of the attempt', () => {
    expect(headers['webhook-id']).toBe('whd_1');
    expect(headers['webhook-timestamp']).toBe(String(Math.floor(now.getTime() / 1000)));
  });

  it('signs id, time and body with HMAC-SHA-256, by each secret', () => {
    const signed = `whd_1.${headers['webhook-timestamp']}.${MESSAGE.body}`;
    const signatures = [NEW, OLD].map((secret) => {
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
      return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
    });
    expect(headers['webhook-signature']).toBe(signatures.join(' '));
  });

  it.each([NEW, OLD])('is accepted by a receiver that has one of the secrets', (secret) => {
    expect(new Verifier(secret).verify(MESSAGE.body, headers)).toEqual(JSON.parse(MESSAGE.body));
  });

  it('is rejected by a receiver that has another secret, or got another body', () => {
    expect(() => new Verifier(OTHER).verify(MESSAGE.body, headers)).toThrow('No matching');
    expect(() => new Verifier(NEW).verify(`${MESSAGE.body} `, headers)).toThrow('No matching');
  });
});
