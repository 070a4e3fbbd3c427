import { describe, expect, it } from '@jest/globals';
import { RobotsRules, TooManyRules } from './robots-rules.js';

const allowed = (text: string, ...paths: string[]) => {
  const rules = new RobotsRules(text, 'Latchkey-Sources');
  return paths.filter((path) => rules.allows(`https://example.org${path}`));
};

describe(RobotsRules, () => {
  it('keeps to the rule that names most of an address, and to the one that allows of two', () => {
    const text =
      'User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c\nAllow: /x\nDisallow: /x';
    expect(allowed(text, '/', '/a', '/a/b', '/a/b/d', '/a/b/c/d', '/x')).toEqual([
      '/',
      '/a/b',
      '/a/b/d',
      '/x',
    ]);
  });

  it.each([
    ['/*.pdf', ['/a.pdf', '/b/a.pdf?x'], ['/a.txt']],
    ['/*.pdf$', ['/a.pdf'], ['/a.pdf?x', '/a.pdf/b']],
    ['/a*/c', ['/a/b/c', '/ac/c/d'], ['/a/b', '/b/c']],
    ['*', ['/', '/a'], []],
    ['/a$b', ['/a$b/c'], ['/a']],
    ['/**a***b', ['/1a2b3'], ['/b2a']],
    ['/%e4%bd', ['/%E4%BD%A0'], ['/%E4']],
    ['/你', ['/%E4%BD%A0/a'], ['/a']],
    ['private', [], ['/private']],
    ['', [], ['/', '/a']],
  ])('forbids by %s', (pattern, forbidden, free) => {
    expect(allowed(`User-agent: *\nDisallow: ${pattern}`, ...forbidden, ...free)).toEqual(free);
  });

  it.each([
    [
      'its own group before that of all',
      'User-agent: *\nDisallow: /\n\nUser-agent: latchkey-sources\nDisallow: /a',
    ],
    [
      'its own groups together',
      'User-agent: Latchkey-Sources/1\nDisallow: /a\nUser-agent: *\nDisallow: /\nUser-agent: LATCHKEY-SOURCES\nDisallow: /a/b',
    ],
    [
      'a group of several',
      '\ufeffuser-agent: other\r\nUser-Agent : latchkey-sources # us\r\nDISALLOW: /a # not this\r\n',
    ],
    [
      'a group after a rule that nobody knows',
      'User-agent: x\rNoise: 1\rUser-agent: *\rSitemap: /s\rDisallow: /a',
    ],
  ])('reads %s', (_name, text) => {
    expect(allowed(text, '/a', '/b')).toEqual(['/b']);
  });

  it('forbids nothing without a group of its own or of all', () => {
    for (const text of ['', 'Disallow: /', '<html>Disallow: /', 'User-agent: other\nDisallow: /']) {
      expect(allowed(text, '/a')).toEqual(['/a']);
    }
  });

  it('knows how slowly it shall ask', () => {
    const delay = (text: string) => new RobotsRules(text, 'Latchkey-Sources').crawlDelay;
    expect(delay('User-agent: *\nCrawl-delay: 2.5')).toBe(2.5);
    expect(delay('User-agent: *\nCrawl-delay: soon')).toBeUndefined();
    expect(delay('Crawl-delay: 2')).toBeUndefined();
  });

  it('takes rules that are made to be slow, and refuses more than any website has', () => {
    const slow = (count: number) =>
      `User-agent: *\n${`Disallow: /${'*b'.repeat(20)}*c\n`.repeat(count)}`;
    expect(allowed(slow(100), `/${'b'.repeat(900)}`)).toHaveLength(1);
    expect(() => allowed(slow(10_001), '/')).toThrow(TooManyRules);
    // Rules for others do not count.
    expect(allowed(slow(10_001).replace('*', 'other'), '/a')).toEqual(['/a']);
  });

  it('leaves out a rule that is longer than addresses are', () => {
    expect(allowed(`User-agent: *\nDisallow: /${'a'.repeat(2000)}\nDisallow: /b`, '/b')).toEqual(
      [],
    );
  });
});
