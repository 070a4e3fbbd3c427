import { describe, expect, it } from '@jest/globals';
import { newId } from '../../platform/http/type-id.js';
import { type CleanedFile, fromFileId, toFileId } from './file-ids.js';
import { fromDirectoryId, isOutside, toDirectoryId, toKey } from './file-names.js';
import { readManifest } from './manifest.js';

const LIMITS = { maxFiles: 10, maxBytes: 100 };
const file = (path: string, filename: string, checksum = 'x') => ({
  ...{ path, filename, checksum, size: 1 },
});

describe('names of files', () => {
  it('are the same in a manifest and in an upload by httpx', () => {
    expect(toKey('a', 'say "hi"\n.md')).toBe(toKey('a', 'say %22hi%22%0A.md'));
    expect(toKey('fu\u0308r', 'a.md')).toBe(toKey('für', 'a.md'));
  });

  it.each(['..', '../a', 'a/..', '/a', 'a/', 'a//b', '.', 'a\0b', ''])(
    'lead out of their folder as %j',
    (path) => {
      expect(isOutside(path)).toBe(true);
    },
  );

  it('are ids of directories, and nothing else is one', () => {
    expect(fromDirectoryId(toDirectoryId('a/für'))).toBe('a/für');
    for (const id of ['dir-YQ==', 'YQ', 'dir-/w']) expect(fromDirectoryId(id)).toBeUndefined();
  });
});

describe('ids of files', () => {
  const documentId = newId('doc');

  it.each<CleanedFile>([
    { kind: 'gone', documentId, runId: newId('run') },
    { kind: 'changed', documentId },
    { kind: 'moved', documentId, key: 'a/für: b.md' },
  ])('come back as they went: $kind', (cleaned) => {
    expect(fromFileId(toFileId(cleaned))).toEqual(cleaned);
  });

  it.each([
    ...['', 'doc_1', documentId, `gone:${documentId}`, `gone:${documentId}:${newId('kb')}`],
    ...[`changed:${newId('kb')}`, `moved:${documentId}`, `moved:${documentId}:=`],
  ])('are none if somebody made them up: %j', (id) => {
    expect(fromFileId(id)).toBeUndefined();
  });
});

describe(readManifest.name, () => {
  it('leaves out what cannot become a document, and says why', () => {
    const manifest = [
      file('', 'a.md'),
      file('', 'a.md', 'y'),
      file('', 'b\\c.md'),
      file('', 'd/e.md'),
      file('', '\ud800.md'),
      file('', 'empty.md', 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'),
      { ...file('', 'large.md'), size: 101 },
    ];
    const { files, errors } = readManifest({ manifest }, LIMITS);
    expect(files.map(({ key }) => key)).toEqual(['a.md']);
    expect(errors).toHaveLength(6);
  });

  it.each([
    ['no list', { manifest: {} }],
    ['another field', { manifest: [], files: [] }],
    ['too many files', { manifest: Array(11).fill(file('', 'a.md')) }],
    ['a file that is none', { manifest: [null] }],
    ['a file without a name', { manifest: [file('a', '')] }],
    ['a long name', { manifest: [file('a', 'b'.repeat(5000))] }],
    ['a long checksum', { manifest: [file('a', 'b', 'c'.repeat(2000))] }],
    ['a path that leads out', { manifest: [file('a/../..', 'b')] }],
  ])('refuses %s', (_, body) => {
    expect(() => readManifest(body, LIMITS)).toThrow(
      expect.objectContaining({ code: 'validation_failed' }),
    );
  });
});
