import { describe, expect, it } from '@jest/globals';
import { read } from '../../../test/reading.js';
import { LatexTables } from './latex-tables.js';
import { readLatex } from './read-latex.js';

/** An array that counts how often something of it is read. */
function counted() {
  const count = { reads: 0 };
  const html = new Proxy<string[]>([], {
    get(target, key, receiver): unknown {
      count.reads++;
      return Reflect.get(target, key, receiver);
    },
  });
  return { count, html };
}

/** Counts the reads of HTML for nested tables. */
function countReads(depth: number, filling: string): number {
  const { count, html } = counted();
  const tables = new LatexTables();
  for (let n = 0; n < depth; n++) {
    tables.begin(html);
    tables.beginCell(html);
    html.push('a');
    tables.endCell(html);
    html.push(filling);
  }
  for (let n = 0; n < depth; n++) tables.end(html);
  return count.reads;
}

describe(LatexTables.name, () => {
  it.each([
    ['text', 'b'],
    ['white space', ' '],
    ['nothing', ''],
  ])('reads what it has written a few times, with tables in each other and %s', (_, filling) => {
    expect(countReads(400, filling)).toBeLessThan(3 * countReads(200, filling));
  });

  it('leaves a document of tables in each other to the limit of nesting', async () => {
    const source = `${String.raw`\begin{tabular}{l}a&`.repeat(9000)}${String.raw`\end{tabular}`.repeat(9000)}`;
    await expect(read(readLatex, source)).rejects.toMatchObject({ code: 'parse_failed' });
  });
});
