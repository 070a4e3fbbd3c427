import { describe, expect, it } from '@jest/globals';
import { readGroups, toGroups } from './user-groups.js';

const NAME = 'X-Idp-Groups';
const refused = expect.objectContaining({ code: 'invalid_groups' });

describe(readGroups.name, () => {
  it.each([
    [[], []],
    [[NAME, '[]'], []],
    [
      ['Host', 'x', NAME.toUpperCase(), '["a", "b, c", "a"]'],
      ['group:a', 'group:b, c'],
    ],
    [[NAME, '["\\u6cd5\\u52d9"]'], ['group:法務']],
    [
      [NAME, Buffer.from('["法務", "Süd"]').toString('latin1')],
      ['group:法務', 'group:Süd'],
    ],
    [[NAME, '["Cafe\\u0301", "Caf\\u00e9"]'], ['group:Café']],
  ])('reads %j', (headers, groups) => {
    expect(readGroups(headers)).toEqual(groups);
  });

  it.each([
    ...['', 'a,b', '"a"', '{"0":"a"}', '[1]', '[""]', '[null]', '["a"', '["\\ud800"]'],
    ...['["a\\u0000"]', '["\u00fc"]', '[["a"]]', `["${'x'.repeat(256)}"]`],
    JSON.stringify(Array.from({ length: 501 }, (_, index) => `${index}`)),
  ])('refuses %j', (value) => {
    expect(() => readGroups([NAME, value])).toThrow(refused);
  });

  it('refuses two of them', () => {
    expect(() => readGroups([NAME, '["a"]', NAME, '["b"]'])).toThrow(refused);
  });
});

it('10,000 groups are refused', () => {
  expect(() => toGroups(Array.from({ length: 10_000 }, () => 'x'))).toThrow(refused);
});
