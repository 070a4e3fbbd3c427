import { describe, expect, it } from '@jest/globals';
import { cleanCredential, parseApiKey, parseBearer } from './pasted-credential.js';

const KEY = `rag_live_${'a'.repeat(48)}`;

/** As Node.js gives a header: each byte is a character. */
const header = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

describe(cleanCredential.name, () => {
  it.each([
    KEY,
    ` ${KEY}`,
    `${KEY}\n`,
    `\r\n${KEY}\r\n`,
    `\t${KEY} \t`,
    `\uFEFF${KEY}`,
    `\uFEFF ${KEY}\u0085`.replace('\u0085', '\u2028'),
    `\u00A0${KEY}\u3000`,
    `Bearer ${KEY}`,
    `bearer\t${KEY}\n`,
    ` Bearer  \uFEFF${KEY} `,
  ])('finds the key in %j', (pasted) => {
    expect(cleanCredential(pasted)).toBe(KEY);
  });

  it.each([`"${KEY}"`, `${KEY}.`, `${KEY} ${KEY}`, `Bearer${KEY}`, `Basic ${KEY}`, 'Bearer'])(
    'leaves %j as it is',
    (pasted) => {
      expect(cleanCredential(pasted)).toBe(pasted);
    },
  );

  it('takes linear time', () => {
    const pasted = `x${' '.repeat(500_000)}x`;
    expect(cleanCredential(pasted)).toBe(pasted);
    expect(parseBearer(`Bearer ${pasted}`)).toBeUndefined();
  });
});

describe(parseBearer.name, () => {
  it.each([
    `Bearer ${KEY}`,
    `bearer   ${KEY} `,
    `BEARER\t${KEY}`,
    `Bearer Bearer ${KEY}`,
    header(`Bearer \uFEFF${KEY}`),
    header(`\uFEFFBearer ${KEY}\uFEFF`),
    header(`Bearer \u00A0${KEY}`),
    // As some clients send a non-breaking space: one byte of ISO 8859-1.
    `Bearer \u00A0${KEY}`,
  ])('finds the key in %j', (authorization) => {
    expect(parseBearer(authorization)).toBe(KEY);
  });

  it.each([undefined, '', 'Bearer', `Basic ${KEY}`, KEY, 'Bearer two words', 'Bearer Bearer'])(
    'finds no key in %j, or what is none',
    (authorization) => {
      expect([undefined, 'Bearer']).toContain(parseBearer(authorization));
    },
  );
});

describe(parseApiKey.name, () => {
  it.each([`Bearer ${KEY}`, `DPoP ${KEY}`, `  dpop\t${KEY} `, `DPoP Bearer ${KEY}`])(
    'finds the key in %j',
    (authorization) => {
      expect(parseApiKey(authorization)).toBe(KEY);
    },
  );

  it.each([undefined, 'DPoP', `DPoPs ${KEY}`, 'DPoP two words'])('finds none in %j', (text) => {
    expect(parseApiKey(text)).toBeUndefined();
  });
});
