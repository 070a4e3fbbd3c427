import { describe, expect, it } from '@jest/globals';
import { epub } from '../../../test/support/office-files.js';
import { outline, read } from '../test/reading.js';
import { readEpub } from './read-epub.js';

describe('an EPUB', () => {
  it('has its chapters in reading order, with the titles of its table of contents', async () => {
    const { blocks, progress } = await read(
      readEpub,
      epub([
        { title: 'The Storm', body: '<p>It rained<a id="x"/>.</p>' },
        { body: '<p>It went on.</p>' },
        { title: 'The Calm', body: '<h2>The Calm</h2><p>It stopped.</p>' },
      ]),
    );
    expect(outline(blocks)).toEqual([
      '# The Storm',
      'It rained.',
      'It went on.',
      '## The Calm',
      'It stopped.',
    ]);
    expect(blocks.map(({ locator }) => locator)).toEqual([
      { chapter: 'The Storm' },
      { chapter: 'The Storm' },
      { chapter: 'The Storm' },
      { chapter: 'The Calm' },
      { chapter: 'The Calm' },
    ]);
    expect(progress).toBeGreaterThanOrEqual(3);
  });

  it('has the chapters of a part that holds several', async () => {
    const body =
      '<h2>Dawn</h2><p>It is light.</p><h3>Note</h3><p>Soon.</p><h2>Dusk</h2><p>Dark.</p>';
    const { blocks } = await read(readEpub, epub([{ title: ['Dawn', 'Dusk'], body }]));
    expect(blocks.map(({ locator }) => locator)).toEqual([
      ...Array.from({ length: 4 }, () => ({ chapter: 'Dawn' })),
      ...Array.from({ length: 2 }, () => ({ chapter: 'Dusk' })),
    ]);
  });

  it('is read without a chapter that is damaged, and says so', async () => {
    const damaged = epub([
      { title: 'One', body: '<p>First.</p>' },
      { title: 'Two', body: '<div>'.repeat(600) },
    ]);
    const { blocks, warnings } = await read(readEpub, damaged);
    expect(outline(blocks)).toEqual(['# One', 'First.']);
    expect(warnings).toEqual([
      { code: 'chapter_unreadable', message: 'The chapter “Two” could not be read.' },
    ]);
  });

  it.each<[what: string, bytes: Uint8Array, code: string]>([
    ['is cut off', epub([{ body: '' }]).subarray(0, 500), 'parse_failed'],
    [
      'is encrypted',
      epub(
        [{ body: '<p>Hi</p>' }],
        [
          {
            name: 'META-INF/encryption.xml',
            content:
              '<encryption><EncryptedData><CipherReference URI="book/text/chapter-1.xhtml"/></EncryptedData></encryption>',
          },
        ],
      ),
      'encrypted',
    ],
  ])('that %s is refused', async (_, bytes, code) => {
    await expect(read(readEpub, bytes)).rejects.toMatchObject({ code });
  });
});
