import { describe, expect, it } from '@jest/globals';
import { decideBy } from '../../knowledge-bases/access-rules/access-rules.js';
import { toNarrowerRule } from './narrower-rule.js';

const PRINCIPALS = ['everyone', 'user:bob', 'group:staff', 'group:hr'];

describe(toNarrowerRule, () => {
  it('is the rule that names fewer', () => {
    const open = { allow: ['everyone'], deny: [] };
    const staff = { allow: ['group:staff', 'user:Bob'], deny: ['group:hr'] };
    expect(toNarrowerRule(open, staff)).toEqual(staff);
    expect(toNarrowerRule(staff, open)).toEqual(staff);
    expect(toNarrowerRule(staff, { allow: ['user:bob'], deny: [] })).toEqual({
      ...{ allow: ['user:Bob'], deny: ['group:hr'] },
    });
  });

  it('never lets anybody read whom one of the two does not', () => {
    const subsets = (names: readonly string[]) =>
      Array.from({ length: 2 ** names.length }, (_, mask) =>
        names.filter((_name, bit) => mask & (1 << bit)),
      );
    const rules = subsets(PRINCIPALS).flatMap((allow) => [
      { allow, deny: [] },
      { allow, deny: ['group:hr'] },
    ]);
    for (const one of rules) {
      for (const other of rules) {
        const narrower = toNarrowerRule(one, other);
        for (const own of subsets(PRINCIPALS.slice(1))) {
          const reads = (rule: typeof one) =>
            decideBy(rule, (entry) => entry === 'everyone' || own.includes(entry)).allowed;
          if (reads(narrower)) expect([reads(one), reads(other)]).toEqual([true, true]);
        }
      }
    }
  });
});
