import { describe, expect, it } from '@jest/globals';
import { pageOf, pdf } from '../../../../test/support/pdf.mjs';
import { read, getTexts } from '../../test/pdf-lines.js';
import { Recognition } from '../recognition/recognition.js';
import { readPdf } from './read-pdf.js';

const SENTENCES = [
  'Pressure relief valves open at four bar and close again at three.',
  'They are looked after twice a year by people who know how to.',
  'Whoever finds one that leaks tells the workshop on the same day.',
];
const picture = (left: number, bottom: number, width: number, height: number) =>
  `q ${width} 0 0 ${height} ${left} ${bottom} cm BI /W 2 /H 2 /CS /G /BPC 8 /F /AHx ID 00ff00ff> EI Q`;
const WHOLE_PAGE = picture(0, 0, 612, 792);
/** Text that is not drawn, as programs put it over scans. */
const invisible = (lines: readonly string[]) => pageOf(lines).replace('BT', 'BT 3 Tr');
const strokes = (count: number) =>
  Array.from({ length: count }, (_, n) => `${n} 10 m ${n} 20 l S`).join(' ');

/** The text by the numbers of its letters in the font, as some programs leave it. */
const moved = (text: string) =>
  text.replace(/[^ ]/g, (char) => String.fromCharCode(Math.max(0x21, char.charCodeAt(0) - 29)));

const MOVED = [...SENTENCES, ...SENTENCES].map(moved);

/** Whether the first page is to be recognised. */
async function isWanted(page: string, ocr: 'auto' | 'always' = 'auto'): Promise<boolean> {
  const recognition = new Recognition({ ocr, maxPages: 10, recognised: [] });
  const context = { progress: () => undefined, warn: () => undefined, recognition };
  await readPdf(pdf([page]), context);
  return recognition.pagesToRecognise.includes(1);
}

describe('a page of a PDF', () => {
  it.each([
    ['is a picture', WHOLE_PAGE],
    ['is a picture with a stamp', `${WHOLE_PAGE} ${pageOf(['Received 2026-03-01'])}`],
    ['is in two pictures', `${picture(0, 0, 612, 396)} ${picture(0, 396, 612, 396)}`],
    ['has its letters drawn as lines', strokes(400)],
    ['has letters that its font maps to others', pageOf(MOVED)],
    [
      'has a layer that was recognised badly',
      `${WHOLE_PAGE} ${invisible(SENTENCES.map((text) => text.replace(/[aeo]/g, '0')))}`,
    ],
  ])('is recognised when it %s', async (_, page) => {
    expect(await isWanted(page)).toBe(true);
  });

  it.each([
    ['has text', pageOf(SENTENCES)],
    ['has text over a picture', `${WHOLE_PAGE} ${pageOf(SENTENCES)}`],
    ['has a layer that was recognised well', `${WHOLE_PAGE} ${invisible(SENTENCES)}`],
    ['has a title only', pageOf(['Part two'])],
    ['has a small picture and a title', `${picture(100, 100, 60, 60)} ${pageOf(['Part two'])}`],
    ['has a few lines', strokes(40)],
    ['is empty', ''],
  ])('is read as it is when it %s', async (_, page) => {
    expect(await isWanted(page)).toBe(false);
  });

  it('is left out, with a warning, where its letters are others than they look', async () => {
    const content = pdf([pageOf(SENTENCES), pageOf(MOVED)]);
    const { blocks, warnings } = await read(content);
    expect(getTexts(blocks)).toEqual([SENTENCES.join(' ')]);
    expect(warnings).toMatchObject([{ code: 'page_unreadable', pages: [2] }]);
    expect((await read(pdf([pageOf(MOVED)]))).blocks).toEqual([]);
  });

  it('keeps its own text when its recognition was given up', async () => {
    const failed = { number: 1, height: 0, rows: [], confidence: 0, isFailed: true };
    const recognition = new Recognition({
      ...{ ocr: 'always', maxPages: 10 },
      recognised: [JSON.stringify(failed)],
    });
    const context = { progress: () => undefined, warn: () => undefined, recognition };
    const blocks = await readPdf(pdf([pageOf(SENTENCES)]), context);
    expect(JSON.stringify(blocks)).toContain('Pressure relief valves');
    expect(recognition.pagesToRecognise).toEqual([]);
  });

  it('is recognised whatever it has where that is wanted', async () => {
    expect(await isWanted(pageOf(SENTENCES), 'always')).toBe(true);
  });
});
