import { describe, expect, it } from '@jest/globals';
import { toRecognisedText } from './page-text.js';

/** At 144 dots per inch two pixels are a point. */
const PAGE = { height: 1600, dpi: 144 };
const HEIGHT = 20;

function buildLine(y: number, words: readonly (readonly [string, number, number, number?])[]) {
  const box = { x0: 0, y0: y - HEIGHT, x1: 1000, y1: y };
  return {
    bbox: box,
    baseline: { ...box, y0: y },
    rowAttributes: { rowHeight: HEIGHT },
    words: words.map(([text, x0, x1, confidence = 90]) => ({
      text,
      confidence,
      bbox: { ...box, x0, x1 },
    })),
  };
}

const buildPage = (...lines: ReturnType<typeof buildLine>[]) =>
  toRecognisedText(3, [{ paragraphs: [{ lines }] }], PAGE);
const getTexts = (page: ReturnType<typeof buildPage>) =>
  page.rows.map(({ segments }) => segments.map(({ text }) => text));

describe(toRecognisedText.name, () => {
  it('puts words where they stood, in points from the lower left corner', () => {
    const page = buildPage(buildLine(200, [['Refunds', 100, 180]]));
    expect(page).toMatchObject({ number: 3, height: 800, confidence: 90 });
    expect(page.rows).toMatchObject([{ page: 3, y: 700, segments: [{ left: 50, right: 90 }] }]);
  });

  it('separates columns, but not words', () => {
    const words = [
      ['Weight', 100, 160],
      ['limit', 168, 210],
      ['23 kg', 500, 560],
    ] as const;
    expect(getTexts(buildPage(buildLine(200, words)))).toEqual([['Weight limit', '23 kg']]);
  });

  it('writes no spaces between Chinese words', () => {
    const words = [
      ['退款', 100, 140],
      ['政策', 142, 182],
    ] as const;
    expect(getTexts(buildPage(buildLine(200, words)))).toEqual([['退款政策']]);
  });

  it('leaves out stains, which are recognised as words of little confidence', () => {
    const page = buildPage(
      buildLine(200, [['Refunds', 100, 180]]),
      buildLine(300, [['~;', 100, 120, 10]]),
    );
    expect(getTexts(page)).toEqual([['Refunds']]);
  });

  it('has no confidence in a page without words', () => {
    expect(buildPage()).toMatchObject({ rows: [], confidence: 0 });
  });
});
