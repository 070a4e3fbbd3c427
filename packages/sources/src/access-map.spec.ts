import { describe, expect, it } from '@jest/globals';
import { accessAt, readAccessMap } from './access-map.js';
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
    expect(accessAt(map, 'hr/pay/2026.md')).toEqual({ access: hr });
    expect(accessAt(map, 'hr')).toEqual({ access: hr });
    expect(accessAt(map, 'hr/public/a.md')).toEqual({ access: all });
    expect(accessAt(map, 'a/b.md')).toEqual({ access: hr });
    expect(accessAt(map, 'hr-public/a.md')).toEqual({});
    expect(accessAt(map, '__proto__/constructor')).toEqual({});
    expect(accessAt(undefined, 'hr/pay.md')).toEqual({});
  });

  it('has a rule for everything else at the empty path', () => {
    const map = read({ '': hr, open: all });
    expect(accessAt(map, 'a/b/c.md')).toEqual({ access: hr });
    expect(accessAt(map, 'open/c.md')).toEqual({ access: all });
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
  ])('refuses %j', (access) => {
    expect(() => read(access)).toThrow(InvalidSource);
  });
});
