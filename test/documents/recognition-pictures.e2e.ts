import sharp from 'sharp';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '../support/client.js';
import { furnish } from '../support/furnish.js';
import { PATIENCE_MS, recognitionIn, RETURNS, WARRANTY } from '../support/recognition.js';
import { scan } from '../support/scans.js';

describe('a picture of a page', () => {
  let alice: Client;
  let kbId: string;

  beforeAll(async () => {
    ({ alice, kbId } = await furnish());
  });

  const { read } = recognitionIn(() => ({ alice, kbId }));

  it.each(['png', 'jpeg', 'webp', 'tiff'] as const)(
    'reads a picture of the type %s, and says how sure it is',
    async (format) => {
      const picture = (await scan(RETURNS)).toFormat(format);
      const { document, text } = await read(`returns.${format}`, await picture.toBuffer());
      expect([document.status, document.mime_type]).toEqual(['ready', `image/${format}`]);
      expect(text).toContain('send back any order within thirty days');
      expect(document.warnings).toEqual([
        expect.objectContaining({ code: 'recognised', pages: [1] }),
      ]);
      expect(document.warnings[0]?.confidence).toBeGreaterThan(80);
    },
    PATIENCE_MS,
  );

  it(
    'reads each page of a TIFF',
    async () => {
      const pages = [await scan(RETURNS), await scan(WARRANTY)];
      const pngs = await Promise.all(pages.map((page) => page.png().toBuffer()));
      const both = await sharp(pngs, { join: { animated: true } })
        .tiff()
        .toBuffer();
      const { document, text, pages: cited } = await read('two.tiff', both);
      expect(document.warnings).toMatchObject([{ code: 'recognised', pages: [1, 2] }]);
      expect(text).toContain('within thirty days');
      expect(text).toContain('guaranteed for ten years');
      expect(new Set(cited)).toEqual(new Set([1, 2]));
    },
    PATIENCE_MS,
  );

  it(
    'refuses a picture of 200 megapixels before it is decoded',
    async () => {
      const blank = { width: 20_000, height: 10_000, channels: 3 as const, background: 'white' };
      const bytes = await sharp({ create: blank, limitInputPixels: false })
        .toColourspace('b-w')
        .png()
        .toBuffer();
      const { document } = await read('wall.png', bytes);
      expect([document.status, document.error?.code]).toEqual(['failed', 'too_large']);
    },
    PATIENCE_MS,
  );

  it.each([
    ['on its side', 90],
    ['on its head', 180],
    ['askew', 2],
  ])(
    'reads a page that lies %s',
    async (_, degrees) => {
      const lines = [...RETURNS, '', ...WARRANTY, '', ...RETURNS.map((line) => `${line} Again.`)];
      const upright = await scan(lines);
      const turned = upright.rotate(degrees, { background: 'white' }).png();
      const { text } = await read(`turned-${degrees}.png`, await turned.toBuffer());
      expect(text).toContain('Bicycle frames are guaranteed for ten years');
    },
    PATIENCE_MS,
  );

  it(
    'names the command that installs a language which is missing',
    async () => {
      const bytes = await (await scan(RETURNS)).png().toBuffer();
      const { document, text } = await read('japanese.png', bytes, {
        languages: 'ja',
        on_duplicate: 'replace',
      });
      expect(text).toContain('within thirty days');
      expect(document.warnings.map(({ code, message }) => [code, message])).toContainEqual([
        'language_not_installed',
        expect.stringContaining('npm run models -- install ocr:ja'),
      ]);
    },
    PATIENCE_MS,
  );

  it.each([
    ['cut off', async () => (await (await scan(RETURNS)).png().toBuffer()).subarray(0, 400)],
    ['no picture inside', () => Promise.resolve(Buffer.from('89504e470d0a1a0a00', 'hex'))],
    ['blank', async () => (await scan([])).png().toBuffer()],
  ])(
    'fails a picture that is %s',
    async (name, bytes) => {
      const { document } = await read(`${name}.png`, await bytes());
      expect(document.status).toBe('failed');
      expect(['parse_failed', 'no_text_extracted']).toContain(document.error?.code);
    },
    PATIENCE_MS,
  );
});
