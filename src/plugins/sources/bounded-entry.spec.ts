import { describe, expect, it } from '@jest/globals';
import type { SourceEntry } from '@latchkey/sources/source-kind';
import { boundedEntry, ListingSize } from './bounded-entry.js';

const ENTRY = { key: 'a.md', version: '1', url: 'https://example.org/a' };
const long = (length: number) => 'x'.repeat(length);

describe(boundedEntry, () => {
  it('leaves an entry as it is', () => {
    const access = { allow: ['group:staff'], deny: [] };
    const entry = { ...ENTRY, title: 'A', modifiedAt: new Date(0), access };
    expect(boundedEntry(entry)).toEqual(entry);
    expect(boundedEntry({ ...ENTRY, access: 'unreadable' })).toMatchObject({
      access: 'unreadable',
    });
  });

  it('cuts what is shown, and leaves out an address that is too long', () => {
    const entry = { ...ENTRY, url: long(3000), title: long(3000), unavailable: long(3000) };
    const { url, title, unavailable } = boundedEntry(entry);
    expect([url, title?.length, unavailable?.length]).toEqual(['', 1000, 500]);
  });

  it.each([{ key: long(1001) }, { version: long(1001) }])(
    'refuses a listing that names a document by too much',
    (more) => {
      expect(() => boundedEntry({ ...ENTRY, ...more })).toThrow(
        expect.objectContaining({ code: 'incomplete_listing' }),
      );
    },
  );

  it.each([
    { allow: Array.from({ length: 501 }, (_, index) => `user:${index}`), deny: [] },
    { allow: ['everyone'], deny: Array.from({ length: 501 }, (_, index) => `user:${index}`) },
    { allow: [`user:${long(300)}`], deny: [] },
  ])('hides a document whose rule is too long', (access) => {
    expect(boundedEntry({ ...ENTRY, access }).access).toBe('unreadable');
  });
});

describe(ListingSize, () => {
  it('ends a listing whose entries are too large in all', () => {
    const size = new ListingSize(1000);
    const entry = { ...ENTRY, title: long(1000) };
    const add = (count: number) => {
      for (let index = 0; index < count; index++) size.add(entry, new Set());
    };
    add(1000);
    expect(() => {
      add(1000);
    }).toThrow(expect.objectContaining({ code: 'too_large' }));
  });

  it('ends one that is too large for the service, however many documents a source may have', () => {
    const size = new ListingSize(1_000_000);
    const entry = { ...ENTRY, title: long(1_000_000) };
    expect(() => {
      for (let index = 0; index < 60; index++) size.add(entry, new Set());
    }).toThrow(expect.objectContaining({ code: 'too_large' }));
  });

  it('counts a rule once for the entries of a message that have it, and others each', () => {
    const size = new ListingSize(1000);
    const names = Array.from({ length: 500 }, (_, index) => `user:${index}`);
    const access = { allow: names, deny: [] };
    const rules = new Set<SourceEntry['access']>();
    for (let index = 0; index < 1000; index++) size.add({ ...ENTRY, access }, rules);
    expect(() => {
      for (let index = 0; index < 1000; index++) {
        size.add({ ...ENTRY, access: { ...access } }, rules);
      }
    }).toThrow(expect.objectContaining({ code: 'too_large' }));
  });
});
