import { describe, expect, it } from '@jest/globals';
import { findText } from './find-text.js';

function foundIn(text: string, pieces: readonly string[]): (string | null)[] {
  const found = findText(text, pieces);
  return pieces.map((piece, index) => {
    const range = found.get(index);
    return range ? piece.slice(range.start, range.end) : null;
  });
}

describe(findText.name, () => {
  it('finds the lines of a passage, from where it begins in one to where it ends in another', () => {
    const lines = [
      'Orders are shipped on Mondays. Customers may return an order',
      'within thirty days after its deliv-',
      'ery, and are refunded. Gifts cannot be returned at all.',
      'Nothing of this line is in it.',
    ];
    const passage =
      'Customers may return an order within thirty days after its delivery, and are refunded.';
    expect(foundIn(passage, lines)).toEqual([
      'Customers may return an order',
      'within thirty days after its deliv-',
      'ery, and are refunded.',
      null,
    ]);
  });

  it('finds lines in another order, and not what they share with other sentences', () => {
    const lines = [
      'the second line of the passage in a column',
      'the first line of the passage, above it',
      'the end of the agreement',
    ];
    const passage =
      'The first line of the passage, above it the second line of the passage in a column';
    expect(foundIn(passage, lines)).toEqual([lines[0], lines[1], null]);
  });

  it('finds short cells of a row where they stand side by side', () => {
    const cells = ['Weight', 'limit', '23 kg', 'Length', '23 kg'];
    expect(foundIn('| Weight | limit | 23 kg |', cells)).toEqual([
      'Weight',
      'limit',
      '23 kg',
      null,
      null,
    ]);
  });

  it('finds a passage once where its sentences are repeated elsewhere', () => {
    const sentence = 'Returns are free of charge within the country.';
    const pieces = [sentence, 'Something else stands here.', `${sentence} We pay the postage.`];
    expect(foundIn(`${sentence} We pay the postage.`, pieces)).toEqual([
      null,
      null,
      `${sentence} We pay the postage.`,
    ]);
  });

  it('finds Chinese text, accents set apart, and ligatures', () => {
    expect(foundIn('退款在三十天内', ['我们的退款在三十天内完成'])).toEqual(['退款在三十天内']);
    expect(
      foundIn('Rückgabe von eﬃzienten Geräten', ['Ru\u0308ckgabe von effizienten Geräten']),
    ).toEqual(['Ru\u0308ckgabe von effizienten Geräten']);
  });

  it('finds a word that is all of the passage, and nothing of an empty one', () => {
    expect(foundIn('Yes', ['No', 'Yes.'])).toEqual([null, 'Yes.']);
    expect(foundIn('–', ['–', ''])).toEqual([null, null]);
  });

  it('takes little longer where every letter is the same', () => {
    const start = process.cpuUsage().user;
    findText('a'.repeat(14_000), ['a'.repeat(50_000)]);
    expect(process.cpuUsage().user - start).toBeLessThan(1_000_000);
  });
});
