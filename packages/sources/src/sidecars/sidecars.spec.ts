import { describe, expect, it } from '@jest/globals';
import { SIDECAR } from './sidecar.js';
import { Sidecars } from './sidecars.js';
import { matchesPattern } from './wildcards.js';

const bytes = (text: string) => new TextEncoder().encode(text);
const HR = 'access: {allow: [group:hr], deny: [user:bob]}';
const EVERYONE = { allow: ['everyone'], deny: [] };

/** Reads sidecars by their folders; all folders have the files `a.md` and `b.md`. */
function read(
  texts: Record<string, string>,
  map?: ConstructorParameters<typeof Sidecars>[0],
  above: readonly string[] = [],
) {
  const sidecars = new Sidecars(map, above);
  for (const [folder, text] of Object.entries(texts)) {
    const path = folder === '' ? SIDECAR : `${folder}/${SIDECAR}`;
    sidecars.add(path, bytes(text), above.includes(folder) ? undefined : ['a.md', 'b.md']);
  }
  return sidecars;
}

const access = (sidecars: Sidecars, key: string) => sidecars.findAccess(key).access;

describe('Sidecars', () => {
  it('say who may read what is in their folder and below it, and nothing else', () => {
    const sidecars = read({ hr: HR });
    for (const key of ['hr/a.md', 'hr/deep/er/x.md']) {
      expect(access(sidecars, key)).toEqual({ allow: ['group:hr'], deny: ['user:bob'] });
    }
    for (const key of ['a.md', 'hr-news/a.md', 'hr']) expect(access(sidecars, key)).toBeUndefined();
    expect(sidecars.report.problems).toEqual([]);
  });

  it('are replaced in what they allow by deeper ones, but not in what they deny', () => {
    const sidecars = read({
      hr: HR,
      'hr/public': 'access: {allow: [everyone]}',
      'hr/less': 'access: {deny: [user:eve]}',
    });
    expect(access(sidecars, 'hr/public/x.md')).toEqual({ allow: ['everyone'], deny: ['user:bob'] });
    const less = { allow: ['group:hr'], deny: ['user:bob', 'user:eve'] };
    expect(access(sidecars, 'hr/less/x.md')).toEqual(less);
  });

  it('have rules for files, of which all that fit hold', () => {
    const sidecars = read({
      '': [
        'access: {allow: [everyone]}',
        'files:',
        '  a.md: {access: {allow: [group:a, group:both]}}',
        '  "*.md": {access: {allow: [group:both], deny: [user:bob]}}',
      ].join('\n'),
    });
    expect(access(sidecars, 'a.md')).toEqual({ allow: ['group:both'], deny: ['user:bob'] });
    expect(access(sidecars, 'b.md')).toEqual({ allow: ['group:both'], deny: ['user:bob'] });
    expect(access(sidecars, 'b.txt')).toEqual(EVERYONE);
    expect(access(sidecars, 'below/a.md')).toEqual(EVERYONE);
  });

  it('and the map of the configuration both hold', () => {
    const map = { hr: { allow: ['group:hr', 'user:ann'], deny: ['user:x'] }, all: EVERYONE };
    const sidecars = read({ hr: HR, all: HR, own: 'access: {allow: [everyone]}' }, map);
    const both = { allow: ['group:hr'], deny: ['user:x', 'user:bob'] };
    expect(access(sidecars, 'hr/a.md')).toEqual(both);
    expect(access(sidecars, 'all/a.md')).toEqual({ allow: ['group:hr'], deny: ['user:bob'] });
    expect(access(sidecars, 'own/a.md')).toEqual(EVERYONE);
    const apart = read({ hr: 'access: {allow: [group:other]}' }, map);
    expect(access(apart, 'hr/a.md')).toEqual({ allow: [], deny: ['user:x'] });
  });

  it('above the source hold as well', () => {
    const sidecars = read({ '../..': HR, '..': 'access: {allow: [group:it]}' }, undefined, [
      '../..',
      '..',
    ]);
    expect(access(sidecars, 'x/y.md')).toEqual({ allow: ['group:it'], deny: ['user:bob'] });
  });

  it.each([
    ['no YAML', 'access: [allow'],
    ['nothing', ''],
    ['only a comment', '# later'],
    ['a list', '- access'],
    ['an unknown key', `${HR}\nacess: {}`],
    ['an unknown key of a rule', 'access: {allow: [everyone], denny: [user:bob]}'],
    ['a rule without names', 'access: {}'],
    ['no access', 'files: {}'],
    ['a list that is none', 'access: {allow: everyone}'],
    ['an unknown entry', 'access: {allow: [hr]}'],
    ['a rule twice', `${HR}\n${HR}`],
    ['an alias', 'access: {allow: &a [everyone], deny: *a}'],
    ['a path of a file', `${HR}\nfiles: {"x/a.md": {access: {allow: [group:a]}}}`],
    ['a file without a rule', `${HR}\nfiles: {a.md: {}}`],
    ['a denial alone', 'access: {deny: [user:bob]}'],
    ['a denial of a file alone', 'files: {a.md: {access: {deny: [user:bob]}}}'],
    ['two documents', `${HR}\n---\n${HR}`],
    ['a tag', 'access: !!js/function "x"'],
    ['names of the language', '__proto__: {access: {allow: [everyone]}}'],
    [
      'too many patterns',
      `files: {${Array.from({ length: 21 }, (_, n) => `"${n}*": {access: {allow: [everyone]}}`).join(', ')}}`,
    ],
    ['levels without end', '['.repeat(60_000)],
    ['more bytes than it may have', `${HR}\n${'#'.repeat(65_536)}`],
  ])('close what is in their folder and below it if they have %s', (_what, text) => {
    const sidecars = read({ hr: text, 'hr/open': 'access: {allow: [everyone]}' });
    for (const key of ['hr/a.md', 'hr/x/y.md', 'hr/open/a.md']) {
      expect(access(sidecars, key)).toBe('unreadable');
    }
    expect(access(sidecars, 'a.md')).toBeUndefined();
    expect(sidecars.report.problems).toEqual([
      { key: `hr/${SIDECAR}`, message: expect.stringMatching(/Nobody can read/) },
    ]);
  });

  it.each([`hr/.latchkey.yaml`, `hr/.Latchkey.YML`])('close their folder as %s', (path) => {
    const sidecars = new Sidecars(undefined);
    sidecars.add(path, bytes(HR), []);
    expect(access(sidecars, 'hr/a.md')).toBe('unreadable');
    expect(sidecars.report.problems).toEqual([
      { key: path, message: expect.stringContaining(SIDECAR) },
    ]);
  });

  it('refuse bombs of aliases at once', () => {
    const levels = Array.from(
      { length: 30 },
      (_, level) =>
        `a${level}: &a${level} [${Array.from({ length: 10 }, () => (level === 0 ? 'x' : `*a${level - 1}`)).join(',')}]`,
    );
    const startedAt = performance.now();
    expect(access(read({ '': levels.join('\n') }), 'a.md')).toBe('unreadable');
    expect(performance.now() - startedAt).toBeLessThan(1000);
  });

  it('tell which names no file has', () => {
    const rule = '{access: {allow: [group:a]}}';
    const text = `files: {a.md: ${rule}, A.md: ${rule}, "*.md": ${rule}, "x?": {access: {allow: [everyone]}}}`;
    expect(read({ hr: text }).report.sidecars).toEqual([
      {
        folder: 'hr',
        names: [
          { name: 'a.md', isFound: true, isOpen: false },
          { name: 'A.md', isFound: false, isOpen: false },
          { name: '*.md', isFound: true, isOpen: false },
          { name: 'x?', isFound: false, isOpen: true },
        ],
      },
    ]);
  });
});

describe('matchesPattern', () => {
  it.each([
    ['a.md', '*.md', true],
    ['a.md', 'a.md', true],
    ['a.md', '?.md', true],
    ['ab.md', '?.md', false],
    ['a.md', '*', true],
    ['abcabd', 'a*b?', true],
    ['abcabd', 'a*c', false],
    ['😀.md', '?.md', true],
    ['.md', '*.md', true],
    ['a.mdx', '*.md', false],
  ])('of %s and %s is %s', (name, pattern, matches) => {
    expect(matchesPattern(name, pattern)).toBe(matches);
  });

  it('takes no longer for patterns that fit in many ways', () => {
    const startedAt = performance.now();
    expect(matchesPattern('a'.repeat(1000), `${'*a'.repeat(300)}b`)).toBe(false);
    expect(performance.now() - startedAt).toBeLessThan(1000);
  });
});
