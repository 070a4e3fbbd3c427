import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { outline, read } from '../../test/reading.js';
import { readRst } from './read-rst.js';

const FILE = readFileSync(new URL('../../test/files/workshop.rst', import.meta.url));
const outlineOf = async (source: string | Buffer) => outline((await read(readRst, source)).blocks);

describe(readRst.name, () => {
  it('reads headings, lists, tables, code, formulas and notes', async () => {
    expect(await outlineOf(FILE)).toEqual([
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
    expect(await outlineOf(table)).toEqual(['[品名 | Price]', '| Oil can | 4', '| On request | ']);
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
    expect(await outlineOf(source)).toEqual(['Hot.', 'Wear gloves.', 'Run:', '(code) make all']);
  });

  it('reads hostile nesting and marks without ends in linear time', async () => {
    const nested = Array.from({ length: 2000 }, (_, depth) => `${' '.repeat(depth)}- a`).join(
      '\n\n',
    );
    const before = process.cpuUsage();
    await outlineOf(`${nested}\n\n${'*a `b '.repeat(50_000)}\n\n${'==== ==\n'.repeat(20_000)}`);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(5000);
  });
});
