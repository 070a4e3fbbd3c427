import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { growth } from '../../test/growth.js';
import { outline, read } from '../../test/reading.js';
import { readRst } from './read-rst.js';

const FILE = readFileSync(new URL('../../test/files/workshop.rst', import.meta.url));
const readOutline = async (source: string | Buffer) =>
  outline((await read(readRst, source)).blocks);

describe(readRst.name, () => {
  it('reads headings, lists, tables, code, formulas and notes', async () => {
    expect(await readOutline(FILE)).toEqual([
      '# Workshop Manual',
      'Author: Latchkey maintainers',
      '## Lathes',
      'Clean the spindle after every shift, see the\nrota. Oil M8 only.',
      '### Steps',
      '1. Stop the motor.',
      '2. Remove the guard:',
      '  – loosen both screws',
      '  – lift it',
      '### Intervals',
      '[Machine | Hours]',
      '| Lathe | 40',
      '| Drill press | 120',
      '(code) def due(hours):\n    return hours > 40',
      String.raw`The speed is $v = \pi d n$ and`,
      String.raw`$F = \frac{m v^2}{r}$`,
      'A quotation from Zürich.',
      '– ☒ inspected',
      '– ☐ signed',
      'Backlash\nPlay between two gears.',
      '(note) Mineral oil of class 32.',
    ]);
  });

  it('raises and lowers text, and takes escapes away, but not those of code and formulas', async () => {
    const source = String.raw`H\ :sub:${'`2`'}\ O, 10\ :sup:${'`6`'} cells, 24\ :superscript:${'`1`'} months, E = mc\ :sup:${'`2`'}

A \*star\*, re\ ${'``C:\\new``'}\ start, C:\new and :math:${'`\\frac{a}{b}`'}.
`;
    expect(await readOutline(source)).toEqual([
      'H₂O, 10⁶ cells, 24¹ months, E = mc²',
      String.raw`A *star*, reC:\newstart, C:\new and $\frac{a}{b}$.`,
    ]);
  });

  it('reads grid tables with cells of several lines, wide characters and spans', async () => {
    const table = `
+-------+-------+
| 品名  | Price |
+=======+=======+
| Oil   | 4     |
| can   |       |
+-------+-------+
| On request    |
+---------------+
`;
    expect(await readOutline(table)).toEqual([
      '[品名 | Price]',
      '| Oil can | 4',
      '| On request | ',
    ]);
  });

  it('reads what directives hold, and no comments or tables of contents', async () => {
    const source = `
.. toctree::
   :maxdepth: 2

   install

.. This is a comment.

.. _target:

.. warning:: Hot.

   Wear :ref:\`gloves <ppe>\`.

Run::

   make all
`;
    expect(await readOutline(source)).toEqual(['Hot.', 'Wear gloves.', 'Run:', '(code) make all']);
  });

  it('reads hostile nesting and marks without ends in linear time', async () => {
    const nested = Array.from({ length: 2000 }, (_, depth) => `${' '.repeat(depth)}- a`).join(
      '\n\n',
    );
    const before = process.cpuUsage();
    await readOutline(`${nested}\n\n${'*a `b '.repeat(50_000)}\n\n${'==== ==\n'.repeat(20_000)}`);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(5000);
  });

  it.each([
    [
      'values with commas',
      '.. csv-table:: Prices\n   :header: "Item", "Price"\n\n   "Bolt", 5\n   "Nut, small", 7\n',
      ['(caption) Prices', '[Item | Price]', '| Bolt | 5', '| Nut, small | 7'],
    ],
    [
      'values with another delimiter, whose first row names the columns',
      '.. csv-table::\n   :header-rows: 1\n   :delim: ;\n\n   Item; "Price; net"\n   Bolt; 5\n',
      ['[Item | Price; net]', '| Bolt | 5'],
    ],
    [
      'values without names',
      '.. csv-table::\n\n   Bolt, 5\n   Nut, 7\n',
      ['| Bolt | 5', '| Nut | 7'],
    ],
    [
      'lists of cells',
      '.. list-table:: Stock\n   :header-rows: 1\n   :widths: 10 20\n\n   * - Item\n     - Price\n   * - Bolt,\n       long\n     - 5\n   * - Nut\n     -\n',
      ['(caption) Stock', '[Item | Price]', '| Bolt, long | 5', '| Nut | '],
    ],
  ])('reads tables as %s', async (_, source, expected) => {
    expect(await readOutline(source)).toEqual(expected);
  });

  it('says which file of values it does not read', async () => {
    const { warnings } = await read(readRst, '.. csv-table::\n   :file: prices.csv\n');
    expect(warnings).toMatchObject([{ code: 'not_read', what: 'prices.csv' }]);
  });

  it('puts texts in the place of their names, and the text that stands for a picture', async () => {
    const source = `
Use |the product| daily, |logo| and |other| |copy| a || b.

.. |the product| replace:: Atlas
   two
.. |copy| unicode:: 0xA9 U+2026 .. copyright
.. |logo| image:: a.png
   :alt: with its logo

.. image:: b.png
   :alt: Plan of the hall

.. figure:: c.png
   :alt: The lathe from above

   Our lathe.
`;
    expect(await readOutline(source)).toEqual([
      'Use Atlas two daily, with its logo and |other| ©… a || b.',
      'Plan of the hall',
      'The lathe from above',
      'Our lathe.',
    ]);
  });

  it('takes a few rows of a table as its header, whatever is said', async () => {
    const table = (rows: number, count: number) =>
      `.. csv-table::\n   :header-rows: ${count}\n\n${Array.from({ length: rows }, (_, n) => `   ${n},x\n`).join('')}`;
    expect(await readOutline(table(4, 2))).toEqual(['[0 1 | x x]', '| 2 | x', '| 3 | x']);
    expect(await readOutline(table(6, 5))).toEqual(['[0 1 2 3 | x x x x]', '| 4 | x', '| 5 | x']);
    expect(await readOutline(table(150_000, 150_000))).toHaveLength(149_997);
  });

  it('joins rows of a header in time that is proportional to their cells', async () => {
    const source = (size: number) =>
      `.. csv-table::\n   :header-rows: ${size}\n\n   ${'a,'.repeat(size)}b\n${'   a\n'.repeat(size)}`;
    expect(await growth((size) => readOutline(source(size)), 600)).toBeLessThan(24);
  });

  it('writes no more for names than a document may hold', async () => {
    const source = (uses: number) =>
      `.. |a| replace:: ${'x'.repeat(100_000)}\n\n${'|a| and\n'.repeat(uses)}`;
    expect((await readOutline(source(3))).join('')).toHaveLength(300_014);
    await expect(read(readRst, source(1000))).rejects.toMatchObject({ code: 'too_large' });
    const apart = source(1) + '\n* |a|\n'.repeat(30);
    await expect(read(readRst, apart)).rejects.toMatchObject({ code: 'too_large' });
  });

  it.each([
    ['a grid', (size: number) => `${'+-'.repeat(size)}+\n${'|\n'.repeat(size)}`],
    [
      'columns',
      (size: number) => `${'= '.repeat(size)}=\n${'a\n'.repeat(size)}${'= '.repeat(size)}=\n`,
    ],
  ])('reads tables drawn as %s up to a number of cells', async (_, table) => {
    await expect(read(readRst, table(100))).resolves.toBeDefined();
    await expect(read(readRst, table(1500))).rejects.toMatchObject({ code: 'too_large' });
  });
});
