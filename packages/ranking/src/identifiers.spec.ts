import { describe, expect, it } from '@jest/globals';
import { findIdentifiers, orderByIdentifiers } from './identifiers.js';

const TEXTS: Readonly<Record<number, { heading: string | null; text: string }>> = {
  1: { heading: 'Keys', text: 'The secret key is a key. See clause 17.3 or 7.30.' },
  2: { heading: 'Other', text: 'MY_SECRET_KEY and SECRET_KEY_BASE. QH-14090.' },
  3: { heading: 'Variables', text: 'Set SECRET_KEY, and see 7.3.' },
  4: { heading: 'Variables › SECRET_KEY', text: 'A key for cookies.' },
};
const hits = [1, 2, 3, 4].map((number) => ({ number, score: 1 / number, fingerprint: undefined }));
const order = (...identifiers: string[]) =>
  orderByIdentifiers(hits, identifiers, (number) => {
    const found = TEXTS[number];
    return (
      found && {
        ...{ number, passageId: '', documentId: '', documentTitle: '', externalId: null },
        ...{
          sourceUrl: null,
          metadata: {},
          language: null,
          page: null,
          locator: null,
          date: null,
          contentDate: '2026-01-31',
          updatedAt: '2026-01-31T00:00:00.000Z',
          validUntil: null,
          documentVersion: 1,
          cells: null,
          ...found,
        },
      }
    );
  });

describe(findIdentifiers, () => {
  it.each([
    ['What is SECRET_KEY for?', ['secret_key']],
    ['Fehler ERR-4012 und ERR-4013', ['err-4012', 'err-4013']],
    ['what does clause 7.3 say?', ['7.3']],
    ['Is the BA-350 dishwasher-proof?', ['ba-350']],
    ['black-and-white e-mail and/or well-known', []],
  ])('%s', (question, identifiers) => {
    expect(findIdentifiers(question)).toEqual(identifiers);
  });
});

describe(orderByIdentifiers, () => {
  const numbers = (...identifiers: string[]) => order(...identifiers).map(({ number }) => number);

  it('puts the section of that name first, then what has it as it stands', () => {
    expect(numbers('secret_key')).toEqual([4, 3, 1, 2]);
    expect(numbers('7.3')).toEqual([3, 1, 2, 4]);
  });

  it('keeps the order where none has it, and the scores in their places', () => {
    expect(numbers('qh-1409')).toEqual([1, 2, 3, 4]);
    expect(order('secret_key').map(({ score }) => score)).toEqual(hits.map(({ score }) => score));
  });
});
