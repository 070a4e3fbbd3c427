import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { generateSecret, isWellFormedSecret, LEAKED_SECRET, parsePrefix } from './secret.js';

const BODY = `rag_live_0123456789${'a'.repeat(32)}`;
/** Computed by another implementation of CRC-32. */
const CHECKSUM = '3KCYAH';
const SECRET = BODY + CHECKSUM;

describe('an API key secret', () => {
  it.each(['live', 'test'] as const)('is generated well-formed for %s', (environment) => {
    const secret = generateSecret(environment);
    expect(secret).toMatch(/^rag_(live|test)_[0-9A-Za-z]{48}$/);
    expect(secret.startsWith(`rag_${environment}_`)).toBe(true);
    expect(isWellFormedSecret(secret)).toBe(true);
    expect(generateSecret(environment)).not.toBe(secret);
  });

  it('has a prefix of its environment and lookup id', () => {
    expect(parsePrefix(SECRET)).toBe('rag_live_0123456789');
  });

  it('is well-formed with the right checksum', () => {
    expect(isWellFormedSecret(SECRET)).toBe(true);
  });

  it.each([
    ['a changed character', SECRET.replace('5', '6')],
    ['two exchanged characters', SECRET.replace('12', '21')],
    ['another environment', SECRET.replace('live', 'test')],
    ['an unknown environment', SECRET.replace('live', 'prod')],
    ['a checksum in lower case', BODY + CHECKSUM.toLowerCase()],
    ['a character less', SECRET.slice(0, -1)],
    ['a character more', `${SECRET}0`],
    ['white space around it', ` ${SECRET}`],
    ['a line break behind it', `${SECRET}\n`],
    ['a character outside of base62', SECRET.replace('0', '-')],
    ['nothing', ''],
  ])('is not well-formed with %s', (_, text) => {
    expect(isWellFormedSecret(text)).toBe(false);
  });

  it('is found in a text, but not within a longer word', () => {
    expect(`KEY="${SECRET}", ${SECRET}.`.match(LEAKED_SECRET)).toEqual([SECRET, SECRET]);
    expect(`{"log":"a\\n${SECRET}"} _${SECRET}_`.match(LEAKED_SECRET)).toEqual([SECRET, SECRET]);
    expect(`${SECRET}9`.match(LEAKED_SECRET)).toBeNull();
  });

  const DOCUMENTED = ['docs/api-keys.md', 'docs/partners.md', 'deploy/scanners/README.md'];

  it.each([...DOCUMENTED, 'openapi.json'])('is found by the same expression in %s', (file) => {
    expect(readFileSync(file, 'utf8').includes(LEAKED_SECRET.source)).toBe(true);
  });

  it.each(DOCUMENTED)('is found without lookahead by the first group in %s', (file) => {
    const [, expression = ''] = /`(\(rag_[^`]+)`/.exec(readFileSync(file, 'utf8')) ?? [];
    const found = [...`a\\n${SECRET}_ ${SECRET}9 ${SECRET}`.matchAll(RegExp(expression, 'g'))];
    expect(found.map(([, secret]) => secret)).toEqual([SECRET, SECRET]);
  });
});
