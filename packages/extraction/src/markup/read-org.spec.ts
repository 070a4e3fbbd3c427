import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { outline, read } from '../../test/reading.js';
import { readOrg } from './read-org.js';

const FILE = readFileSync(new URL('../../test/files/workshop.org', import.meta.url));
const readOutline = async (source: string | Buffer) =>
  outline((await read(readOrg, source)).blocks);

describe(readOrg.name, () => {
  it('reads headings, lists, tables, code, formulas and notes', async () => {
    expect(await readOutline(FILE)).toEqual([
      '# Workshop Manual',
      '## Lathes',
      'Clean the spindle after every shift, see\nthe rota. Oil M8 only.',
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
      String.raw`\[F = \frac{m v^2}{r}\]`,
      'A quotation from Zürich.',
      '– ☒ inspected',
      '– ☐ signed',
      '– Backlash: Play between two gears.',
      '(note) Mineral oil of class 32.',
    ]);
  });

  it('keeps the state of a task, without its priority and tags', async () => {
    expect(await readOutline('* TODO [#A] Order oil :shop:urgent:\n* DONE Sweep')).toEqual([
      '# ☐ Order oil',
      '# ☒ Sweep',
    ]);
  });

  it('keeps the text after a drawer that does not end', async () => {
    expect(await readOutline(':NOTES:\nStill here.')).toEqual([':NOTES:\nStill here.']);
  });

  it('reads a table of 20,000 rows and marks without ends in linear time', async () => {
    const before = process.cpuUsage();
    await readOutline(`${'| a | b |\n'.repeat(20_000)}\n${'*a /b [[c '.repeat(50_000)}`);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(5000);
  });
});
