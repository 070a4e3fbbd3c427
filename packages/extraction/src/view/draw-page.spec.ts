import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { at, BODY, lines } from '../../test/pdf-lines.js';
import { pdf } from '../../../../test/support/pdf.mjs';
import { PDF } from '../formats.js';
import { drawPage, type DrawnPage, type PageRequest } from './draw-page.js';

const REQUEST = { mimeType: PDF, page: 1, text: null, recognised: undefined };
const [FIRST = '', SECOND = '', THIRD = ''] = BODY;

/** The smallest rectangle around all that is yellow, as shares of the page, from its upper left corner. */
async function markedOn(drawn: DrawnPage | null) {
  if (!drawn) throw new Error('The page was not drawn');
  const { data, info } = await sharp(drawn.png).raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const [xs, ys]: [number[], number[]] = [[], []];
  for (let pixel = 0; pixel < width * height; pixel++) {
    const [red = 0, green = 0, blue = 0] = data.subarray(pixel * channels, pixel * channels + 3);
    if (red < 250 || green < 220 || blue > 100) continue;
    xs.push(pixel % width);
    ys.push(Math.floor(pixel / width));
  }
  const least = (values: number[]) => values.reduce((one, other) => Math.min(one, other), Infinity);
  const most = (values: number[]) => values.reduce((one, other) => Math.max(one, other), 0);
  return {
    left: least(xs) / width,
    right: most(xs) / width,
    top: least(ys) / height,
    bottom: most(ys) / height,
    width,
    height,
  };
}

const drawn = (request: Partial<PageRequest> & Pick<PageRequest, 'content'>) =>
  drawPage({ ...REQUEST, ...request });

describe(drawPage.name, () => {
  const content = pdf([
    lines(72, 700, ['Nothing of this is cited anywhere, in no answer.', FIRST, SECOND, THIRD]),
    at(72, 700, 'The second page stands alone.'),
  ]);

  it('marks the lines of a passage of a PDF, and no others', async () => {
    const page = await drawn({ content, text: BODY.join(' ') });
    expect(page).toMatchObject({ pageCount: 2 });
    const marks = await markedOn(page);
    expect(Math.max(marks.width, marks.height)).toBe(1600);
    expect(page?.markedAt).toBeCloseTo(marks.top, 2);
    // Their baselines are at 688, 676 and 664 of 792 points.
    expect(marks.top).toBeGreaterThan(1 - 699 / 792);
    expect(marks.top).toBeLessThan(1 - 692 / 792);
    expect(marks.bottom).toBeGreaterThan(1 - 664 / 792);
    expect(marks.bottom).toBeLessThan(1 - 658 / 792);
    expect(marks.left).toBeCloseTo(72 / 612, 2);
  });

  it('marks nothing on another page, and draws none that is not there', async () => {
    expect(await drawn({ content, page: 2, text: BODY.join(' ') })).toMatchObject({
      markedAt: null,
    });
    expect(await drawn({ content, page: 3 })).toBeNull();
  });

  it('marks a passage on a page that is shown turned', async () => {
    const turned = Buffer.from(
      Buffer.from(content).toString('latin1').replaceAll('/Type /Page ', '/Type /Page /Rotate 90 '),
      'latin1',
    );
    const marks = await markedOn(await drawn({ content: turned, text: BODY.join(' ') }));
    expect(marks.width).toBe(1600);
    // The upper part of the page is on the right.
    expect(marks.right).toBeGreaterThan(692 / 792);
    expect(marks.left).toBeGreaterThan(655 / 792);
    expect(marks.top).toBeCloseTo(72 / 612, 1);
  });

  it('marks recognised words of a scan where they stood, turned and askew as it is', async () => {
    const scan = await sharp({
      create: { width: 800, height: 400, channels: 3, background: 'white' },
    })
      .png()
      .toBuffer();
    const look = { size: 20, bold: false, monospaced: false, rightToLeft: false };
    const segment = { ...look, text: 'Bags weigh at most 23 kg.', left: 40, right: 340, y: 700 };
    const recognised = {
      number: 1,
      height: 800,
      confidence: 90,
      turns: 1,
      rows: [{ page: 1, y: 700, segments: [segment] }],
    };
    const request = { mimeType: 'image/png', content: scan, text: 'Bags weigh at most 23 kg.' };
    const marks = await markedOn(await drawn({ ...request, recognised }));
    expect(marks).toMatchObject({ width: 400, height: 800 });
    expect(marks.left).toBeCloseTo(0.1, 1);
    expect(marks.right).toBeCloseTo(0.85, 1);
    expect(marks.top).toBeCloseTo(1 - 718 / 800, 1);
    const askew = await markedOn(
      await drawn({ ...request, recognised: { ...recognised, angle: 0.1 } }),
    );
    // The mark is lower to the left of the middle, and rises to the right.
    expect(askew.bottom - askew.top).toBeGreaterThan(marks.bottom - marks.top + 0.02);
  });

  it('draws no picture that is damaged', async () => {
    const content = Buffer.from('no picture');
    await expect(drawn({ mimeType: 'image/png', content })).rejects.toMatchObject({
      code: 'parse_failed',
    });
  });
});
