import { describe, expect, it } from '@jest/globals';
import { AccessPaths, type SettledPaths } from './access-paths.js';

describe(AccessPaths, () => {
  const hr = { allow: ['group:hr'], deny: [] };
  const all = { allow: ['everyone'], deny: [] };
  const KEYS = ['hr/pay.md', 'hr/old/2024.md', 'open/a.md', 'b.md'];

  const look = (map: object, keys = KEYS, settled: SettledPaths = {}, isConfirmed = false) => {
    const paths = new AccessPaths(map as Record<string, typeof hr>, settled, isConfirmed);
    for (const key of keys) paths.addDocument(key);
    const findHold = paths.decideHolds();
    const held = (kind: string) => keys.filter((key) => findHold?.(key) === kind);
    return { paths, unmatched: paths.unmatched, all: held('all'), new: held('new') };
  };

  it('hold nothing back where each path is one of a document', () => {
    const { paths, ...found } = look({ '': all, hr, 'hr/old': all, 'b.md': hr });
    expect(found).toEqual({ unmatched: [], all: [], new: [] });
    expect(paths.mayHoldAll).toBe(false);
    expect(paths.decideHolds()).toBeUndefined();
    const matched = { '': 'matched', hr: 'matched', 'hr/old': 'matched', 'b.md': 'matched' };
    expect(paths.settledPaths).toEqual(matched);
  });

  it.each([
    ['a name that differs by case', { HR: hr }, ['hr/pay.md', 'hr/old/2024.md']],
    ['a name that differs by case below', { 'hr/OLD': hr }, ['hr/old/2024.md']],
    ['a file whose name differs by case', { 'B.MD': hr }, ['b.md']],
    ['full-width letters', { ｈｒ: hr }, ['hr/pay.md', 'hr/old/2024.md']],
    ['a name that nothing has', { hrr: hr }, KEYS],
    ['a name that nothing has below a folder', { 'hr/odl': hr }, ['hr/pay.md', 'hr/old/2024.md']],
    ['a place below a file', { 'b.md/x': hr }, ['b.md']],
    ['what the map names itself', { '': all, hr, open: all, hrr: hr }, ['b.md']],
    ['both of two names', { HR: hr, opn: hr }, KEYS],
    ['a name that has a rule of its own', { HR: hr, hr, open: all }, ['b.md']],
    ['inherited names', { constructor: hr, open: all, hr }, ['b.md']],
  ])('hold back what may be meant by %s', (_what, map, held) => {
    expect(look(map)).toMatchObject({ all: held, new: [] });
  });

  it('say how the source spells it', () => {
    const { paths } = look({ HR: hr, hrr: hr }, [...KEYS, 'Hr/x.md']);
    expect(paths.findAlike('HR')).toEqual(['hr', 'Hr']);
    expect(paths.findAlike('hrr')).toEqual([]);
  });

  it('hold nothing back for a rule that opens', () => {
    expect(look({ '': hr, opne: all })).toMatchObject({ unmatched: ['opne'], all: [], new: [] });
    const denied = { allow: ['everyone'], deny: ['user:bob'] };
    expect(look({ '': hr, opne: denied })).toMatchObject({ all: KEYS });
  });

  it('hold back only what is new where a path had documents before', () => {
    const { paths, ...found } = look({ '': all, staff: hr }, KEYS, { staff: 'matched' });
    expect(found).toEqual({ unmatched: ['staff'], all: [], new: KEYS });
    expect(paths.mayHoldAll).toBe(false);
    const asked = paths.settledPaths;
    expect(asked).toEqual({ '': 'matched', staff: 'gone' });
    expect(look({ '': all, staff: hr }, KEYS, asked)).toMatchObject({ all: [], new: KEYS });
    const confirmed = look({ '': all, staff: hr }, KEYS, asked, true);
    expect(confirmed).toMatchObject({ all: [], new: [] });
    expect(confirmed.paths.settledPaths).toEqual({ '': 'matched', staff: 'confirmed' });
  });

  it('hold nothing back once somebody has confirmed it, until a document was there', () => {
    const { paths } = look({ staff: hr });
    expect(paths.mayHoldAll).toBe(true);
    const asked = paths.settledPaths;
    expect(asked).toEqual({ staff: 'asked' });
    const confirming = look({ staff: hr }, KEYS, asked, true);
    expect(confirming).toMatchObject({ unmatched: ['staff'], all: [], new: [] });
    const confirmed = confirming.paths.settledPaths;
    expect(confirmed).toEqual({ staff: 'confirmed' });
    expect(look({ staff: hr }, KEYS, confirmed)).toMatchObject({ all: [], new: [] });
    const again = look({ staff: hr }, [...KEYS, 'staff/c.md'], confirmed).paths;
    expect(again.settledPaths).toEqual({ staff: 'matched' });
  });

  it.each<[string, SettledPaths, string]>([
    ['that is new', {}, 'asked'],
    ['that had documents until now', { staff: 'matched' }, 'gone'],
  ])('ask about a path %s, though somebody confirms what was asked before', (_, known, state) => {
    const settled: SettledPaths = { hrr: 'asked', ...known };
    const map = { '': all, hrr: hr, staff: hr };
    const { paths, ...found } = look(map, KEYS, settled, true);
    expect(found).toMatchObject(state === 'asked' ? { all: KEYS } : { all: [], new: KEYS });
    expect(paths.settledPaths).toEqual({ '': 'matched', hrr: 'confirmed', staff: state });
  });

  it('never confirm a path that nobody was asked about, since its rule opens', () => {
    const opened = look({ staff: all }, KEYS, {}, true).paths.settledPaths;
    expect(opened).toEqual({});
    expect(look({ staff: hr }, KEYS, opened)).toMatchObject({ all: KEYS });
  });

  it('compare in one normal form', () => {
    const keys = ['Büro'.normalize('NFD') + '/a.md', ' hr /b.md', '/x//y/c.md'];
    expect(look({ Büro: hr, hr, 'x/y': hr }, keys)).toMatchObject({ unmatched: [] });
  });

  it('take no longer for deep and long keys', () => {
    const keys = Array.from({ length: 2000 }, (_, index) => `${'a/'.repeat(490)}${index}.md`);
    const map = Object.fromEntries(keys.slice(0, 100).map((key) => [key, hr]));
    expect(look(map, keys).unmatched).toEqual([]);
  });
});
