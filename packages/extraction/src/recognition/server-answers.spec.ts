import { describe, expect, it } from '@jest/globals';
import { readDoclingPage, readPaddleOcrPage } from './server-answers.js';

/** At 144 dots per inch two pixels are a point. */
const PAGE = { number: 3, width: 1200, height: 1600, dpi: 144 };

const getPlaces = (page: ReturnType<typeof readDoclingPage>) =>
  page?.rows.map(({ y, segments: [segment] }) => [segment?.text, segment?.left, y]);

describe(readPaddleOcrPage.name, () => {
  const answer = (prunedResult: object) => ({
    errorCode: 0,
    result: { ocrResults: [{ prunedResult }] },
  });

  it('puts lines where their boxes are, and says how sure it is', () => {
    const page = readPaddleOcrPage(
      answer({
        rec_texts: ['Valves', 'Open at 4 bar'],
        rec_scores: [0.98, 0.9],
        rec_boxes: [
          [100, 80, 300, 120],
          [100, 180, 500, 200],
        ],
      }),
      PAGE,
    );
    expect(getPlaces(page)).toEqual([
      ['Valves', 50, 740],
      ['Open at 4 bar', 50, 700],
    ]);
    expect(page).toMatchObject({ number: 3, height: 800, confidence: 93 });
  });

  it('leaves out lines without a place, and takes a page without any', () => {
    expect(readPaddleOcrPage(answer({ rec_texts: ['x'], rec_boxes: [] }), PAGE)?.rows).toEqual([]);
    expect(readPaddleOcrPage(answer({ rec_texts: [] }), PAGE)?.rows).toEqual([]);
  });

  it.each([null, 'text', {}, { result: {} }, { result: { ocrResults: [{}] } }])(
    'does not take %j for an answer',
    (other) => {
      expect(readPaddleOcrPage(other, PAGE)).toBeUndefined();
    },
  );
});

describe(readDoclingPage.name, () => {
  const box = (l: number, t: number, r: number, b: number, coord_origin: string) => ({
    ...{ l, t, r, b },
    coord_origin,
  });

  it('puts paragraphs and cells where their boxes are', () => {
    const page = readDoclingPage(
      {
        status: 'success',
        document: {
          json_content: {
            pages: { 1: { size: { width: 600, height: 800 } } },
            texts: [
              {
                text: 'Valves',
                prov: [{ page_no: 1, bbox: box(50, 760, 150, 746, 'BOTTOMLEFT') }],
              },
              { text: 'no place', prov: [] },
            ],
            tables: [
              {
                data: {
                  table_cells: [{ text: '4 bar', bbox: box(300, 100, 340, 110, 'TOPLEFT') }],
                },
              },
            ],
          },
        },
      },
      PAGE,
    );
    expect(getPlaces(page)).toEqual([
      ['Valves', 50, 746],
      ['4 bar', 300, 690],
    ]);
    expect(page?.isUnrated).toBe(true);
  });

  it('reads Markdown of a server that gives nothing else', () => {
    const page = readDoclingPage(
      { document: { md_content: '## Valves\n\n- Open at 4 bar' } },
      PAGE,
    );
    expect(getPlaces(page)?.map(([text]) => text)).toEqual(['Valves', 'Open at 4 bar']);
  });

  it.each([null, [], { document: {} }, { detail: 'Not Found' }])(
    'does not take %j for an answer',
    (other) => {
      expect(readDoclingPage(other, PAGE)).toBeUndefined();
    },
  );
});
