import { describe, expect, it } from '@jest/globals';
import { outline, read } from '../test/reading.js';
import { readText } from './read-text.js';

const of = async (text: string) => outline((await read(readText, text)).blocks);

describe('plain text', () => {
  it('is parted into paragraphs at empty lines and page breaks', async () => {
    expect(await of('One.\r\n\r\nTwo\nlines.\n \n\fThree.')).toEqual([
      'One.',
      'Two\nlines.',
      'Three.',
    ]);
  });

  it('has headings only where they are underlined', async () => {
    expect(
      await of('Returns\n=======\nWithin thirty days.\n\nRefunds\n-------\n\nRETURNS'),
    ).toEqual(['# Returns', 'Within thirty days.', '## Refunds', 'RETURNS']);
  });

  it('joins lines that a program has wrapped, and no others', async () => {
    const wrapped =
      'Customers may return any order within thirty days after its delivery, and\nthe refund is paid within five working days, in the way that the order was\npaid.';
    const lines = 'Jane Doe\n12 Main Street\nSpringfield';
    expect(await of(`${wrapped}\n\n${lines}`)).toEqual([wrapped.replaceAll('\n', ' '), lines]);
  });
});
