import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Config } from '../../platform/config/config.js';
import { Peppers } from '../../platform/peppers/peppers.js';
import { WebhookSecrets } from './webhook-secrets.js';

const pepper = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const [A, B] = [pepper('a'), pepper('b')];
const under = (peppers: string) =>
  new WebhookSecrets(Peppers.load(Config.fromEnvironment({ API_KEY_PEPPERS: peppers })));

describe(WebhookSecrets, () => {
  const secrets = under(A);
  const secret = secrets.generate();
  const stored = {
    id: 'wh_1',
    secret: secrets.seal('wh_1', secret),
    previousSecret: null,
    pepperId: secrets.pepperId,
  };

  it('generates a different secret of 256 bits each time', () => {
    expect(secret).toMatch(/^whsec_[0-9A-Za-z+/]{43}=$/);
    expect(secrets.generate()).not.toBe(secret);
  });

  it('decrypts what it has encrypted, with a different ciphertext each time', () => {
    expect(secrets.open(stored)).toEqual({ secret, previous: null });
    expect(secrets.seal('wh_1', secret)).not.toBe(stored.secret);
    expect(stored.secret).not.toContain(secret.slice(6));
  });

  it('reads the secret before it, too', () => {
    const previous = secrets.generate();
    const rotated = { ...stored, previousSecret: secrets.seal('wh_1', previous) };
    expect(secrets.open(rotated)).toEqual({ secret, previous });
  });

  it('reads secrets of a previous pepper', () => {
    expect(under(`${B},${A}`).open(stored)).toEqual({ secret, previous: null });
  });

  it('cannot read them without the pepper, for another webhook, or altered', () => {
    expect(under(B).open(stored)).toBeUndefined();
    expect(under(pepper('a')).open(stored)).toBeUndefined();
    expect(secrets.open({ ...stored, id: 'wh_2' })).toBeUndefined();
    for (const index of [0, 15, 40, 77]) {
      const bytes = Buffer.from(stored.secret, 'base64');
      bytes[index] = Number(bytes[index]) ^ 1;
      expect(secrets.open({ ...stored, secret: bytes.toString('base64') })).toBeUndefined();
    }
    expect(secrets.open({ ...stored, secret: '' })).toBeUndefined();
  });
});
