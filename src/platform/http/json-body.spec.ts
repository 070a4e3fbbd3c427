import { describe, expect, it } from '@jest/globals';
import { findExcess } from './json-body.js';

const TOO_DEEP = 'The body is nested more than 2 levels deep.';
const TOO_MANY_FIELDS = 'The body has an object of more than 3 fields.';

const TOO_MANY_CONTAINERS = 'The body has more than 4 objects and lists.';

describe(findExcess.name, () => {
  it.each<[string, string | undefined]>([
    ['[[]]', undefined],
    ['[[[]]]', TOO_DEEP],
    ['[{"a":[', TOO_DEEP],
    ['[[],[],[]]', undefined],
    ['"[[["', undefined],
    ['["\\"[[["]', undefined],
    ['["\\\\",[[', TOO_DEEP],
    [']]]]', undefined],
    ['{"a":1,"b":2,"c":3}', undefined],
    ['{"a":1,"b":2,"c":3,"d":4}', TOO_MANY_FIELDS],
    ['[{"a":1,"b":2,"c":3,', TOO_MANY_FIELDS],
    ['{"a":{"b":1,"c":2,"d":3},"e":[1,2,3,4],"f":",,,,"}', undefined],
    ['{"a":{"b":1},"c":{"d":2},"e":3,"f":4}', TOO_MANY_FIELDS],
    ['[1,2,3,4,5]', undefined],
    ['}{,,,', TOO_MANY_FIELDS],
    ['[[],{},[]]', undefined],
    ['[[],{},[],{', TOO_MANY_CONTAINERS],
    ['"[[],{},[],{"', undefined],
  ])('%s with a depth of 2, 3 fields and 4 objects at most: %p', (text, excess) => {
    expect(findExcess(text, { depth: 2, fields: 3, containers: 4 })).toBe(excess);
  });
});
