import { describe, expect, it } from '@jest/globals';
import { findAccess, readAccessMap } from './access-map.js';
import { ConfigFields } from './config-fields.js';
import { InvalidSource } from './source-kind.js';

describe('a map of who may read what', () => {
  const read = (access: unknown) => {
    const fields = new ConfigFields('config', { access });
    const map = readAccessMap(fields);
    fields.finish();
    return map.access;
  };
  const hr = { allow: ['group:hr'], deny: ['user:bob'] };
  const all = { allow: ['everyone'], deny: [] };

  it('lets the longest path decide', () => {
    const map = read({ 'hr/': hr, 'hr/public': { allow: ['everyone'] }, 'a/b.md': hr });
    expect(findAccess(map, 'hr/pay/2026.md')).toEqual({ access: hr });
    expect(findAccess(map, 'hr')).toEqual({ access: hr });
    expect(findAccess(map, 'hr/public/a.md')).toEqual({ access: all });
    expect(findAccess(map, 'a/b.md')).toEqual({ access: hr });
    expect(findAccess(map, 'hr-public/a.md')).toEqual({});
    expect(findAccess(map, '__proto__/constructor')).toEqual({});
    expect(findAccess(undefined, 'hr/pay.md')).toEqual({});
  });

  it.each([
    ['/hr', 'hr'],
    ['./hr', 'hr'],
    ['././hr/.', 'hr'],
    [' hr', 'hr'],
    ['hr\n', 'hr'],
    ['\u00a0hr\ufeff', 'hr'],
    ['hr//', 'hr'],
    ['/hr//pay/ ', 'hr/pay'],
    ['hr / pay', 'hr/pay'],
    ['Büro'.normalize('NFD'), 'Büro'.normalize('NFC')],
    ['각/α'.normalize('NFD'), '각/α'.normalize('NFC')],
    ['HR', 'HR'],
    ['hr?', 'hr?'],
    ['/', ''],
    ['./', ''],
    ['..hr', '..hr'],
  ])('keeps %j as %j', (path, kept) => {
    expect(Object.keys(read({ [path]: hr }) ?? {})).toEqual([kept]);
  });

  it.each(['hr/a.md', './hr/a.md', 'hr//a.md', ' hr/a.md', '/hr /a.md'])(
    'decides about the key %j',
    (key) => {
      expect(findAccess(read({ hr, Büro: hr }), key)).toEqual({ access: hr });
    },
  );

  it('decides about keys in either form of Unicode', () => {
    for (const form of ['NFC', 'NFD']) {
      const key = 'Büro/Änderung.md'.normalize(form);
      for (const other of ['NFC', 'NFD']) {
        expect(findAccess(read({ ['Büro'.normalize(other)]: hr }), key)).toEqual({ access: hr });
      }
    }
  });

  it.each(['hr/*', '*', 'hr/**/a.md', '*.md', '..', 'hr/..', '../hr', ' ', '\t\n', 'file:///hr'])(
    'refuses the path %j',
    (path) => {
      expect(() => read({ [path]: hr })).toThrow(InvalidSource);
    },
  );

  it('refuses paths of the machine', () => {
    const readBelow = (path: string) => {
      const fields = new ConfigFields('config', { access: { [path]: hr } });
      const { access } = readAccessMap(fields, ['/srv/docs', '/srv', '/']);
      fields.finish();
      return Object.keys(access ?? {});
    };
    expect(() => readBelow('/srv/docs/hr')).toThrow(/not whole addresses/);
    expect(() => readBelow(' /srv/docs')).toThrow(InvalidSource);
    expect(readBelow('/docs/hr')).toEqual(['docs/hr']);
    expect(readBelow('srv/docs')).toEqual(['srv/docs']);
  });

  it('has a rule for everything else at the empty path', () => {
    const map = read({ '': hr, open: all });
    expect(findAccess(map, 'a/b/c.md')).toEqual({ access: hr });
    expect(findAccess(map, 'open/c.md')).toEqual({ access: all });
  });

  it.each([
    [[]],
    ['group:hr'],
    [{ hr: null }],
    [{ hr: { deny: [] } }],
    [{ hr: { allow: 'everyone' } }],
    [{ hr: { allow: ['hr'] } }],
    [{ hr: { allow: ['group:'] } }],
    [{ hr: { allow: ['everyone'], others: [] } }],
    [{ hr: { allow: Array(501).fill('everyone') } }],
    [{ hr, 'hr/': hr }],
    [{ hr, './hr': hr }],
    [{ '': hr, '/': hr }],
  ])('refuses %j', (access) => {
    expect(() => read(access)).toThrow(InvalidSource);
  });
});
