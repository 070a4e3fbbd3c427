import { describe, expect, it } from '@jest/globals';
import type { DocumentWarning } from '../block.js';
import type { ExtractionRequest } from '../extract.js';
import { Recognition } from './recognition.js';

type Options = Pick<ExtractionRequest, 'ocr' | 'maxPages' | 'recognised'>;

const AUTO: Options = { ocr: 'auto', maxPages: 100, recognised: [] };
const LOOK = { y: 10, size: 10, bold: false, monospaced: false, rightToLeft: false };
const SEGMENT = { left: 0, right: 10, text: 'Refund', ...LOOK };
const ROW = { page: 1, y: 10, segments: [SEGMENT] };

const recognised = (number: number, confidence: number) => ({
  number,
  height: 800,
  rows: [ROW],
  confidence,
});

function collectWarnings(recognition: Recognition): DocumentWarning[] {
  const warnings: DocumentWarning[] = [];
  recognition.warn((warning) => warnings.push(warning));
  return warnings;
}

describe(Recognition.name, () => {
  it('recognises the pages whose text is missing', () => {
    const recognition = new Recognition(AUTO);
    recognition.offer(1, false);
    recognition.offer(2, true);
    expect(recognition.pagesToRecognise).toEqual([2]);
    expect(collectWarnings(recognition)).toMatchObject([
      { code: 'recognition_pending', pages: [2] },
    ]);
  });

  it('recognises every page where it is asked to', () => {
    const recognition = new Recognition({ ...AUTO, ocr: 'always' });
    recognition.offer(1, false);
    expect(recognition.pagesToRecognise).toEqual([1]);
  });

  it('neither recognises pages nor uses what was recognised while it is off', () => {
    const recognition = new Recognition({
      ...AUTO,
      ocr: 'off',
      recognised: [JSON.stringify(recognised(1, 90))],
    });
    recognition.offer(2, true);
    expect(recognition.page(1)).toBeUndefined();
    expect(recognition.pagesToRecognise).toEqual([]);
    expect(recognition.isMissed).toBe(true);
    expect(collectWarnings(recognition)).toEqual([]);
  });

  it('leaves out the pages beyond the limit, counting those recognised before, and says so', () => {
    const recognition = new Recognition({
      ...AUTO,
      maxPages: 2,
      recognised: [JSON.stringify(recognised(1, 90))],
    });
    recognition.offer(2, true);
    recognition.offer(3, true);
    expect(recognition.pagesToRecognise).toEqual([2]);
    expect(collectWarnings(recognition)).toMatchObject([
      { code: 'recognised', pages: [1] },
      { code: 'recognition_limited', pages: [3] },
      { code: 'recognition_pending', pages: [2] },
    ]);
  });

  it('tells the pages in order and their mean confidence', () => {
    const recognition = new Recognition({
      ...AUTO,
      recognised: [recognised(2, 81), recognised(1, 90)].map((page) => JSON.stringify(page)),
    });
    expect(collectWarnings(recognition)).toMatchObject([
      { code: 'recognised', pages: [1, 2], confidence: 86 },
    ]);
  });

  it('tells the pages that could not be recognised', () => {
    const failed = { ...recognised(1, 0), rows: [], isFailed: true };
    const recognition = new Recognition({ ...AUTO, recognised: [JSON.stringify(failed)] });
    expect(collectWarnings(recognition)).toMatchObject([{ code: 'page_unreadable', pages: [1] }]);
  });
});
