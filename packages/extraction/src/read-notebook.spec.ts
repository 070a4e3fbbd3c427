import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { outline, read } from '../test/reading.js';
import { readNotebook } from './read-notebook.js';

const notebook = (...cells: object[]) => JSON.stringify({ nbformat: 4, cells });
const of = async (content: string) => outline((await read(readNotebook, content)).blocks);

describe(readNotebook.name, () => {
  it('reads texts and code of a notebook', async () => {
    const file = readFileSync(new URL('../test/files/notebook.ipynb', import.meta.url));
    const lines = outline((await read(readNotebook, file)).blocks);
    expect(lines.slice(0, 2)).toEqual([
      '# Returns',
      'Customers may return any order within thirty days[1]. See our\nsite.',
    ]);
    expect(lines).toContain('(code) def days(n):\n    return n + 1');
    expect(lines).toContain('| Iceland | 9');
  });

  it('keeps outputs that are text or tables, and no pictures without recognition', async () => {
    const picture = { output_type: 'display_data', data: { 'image/png': 'iVBORw0KGgo=' } };
    const printed = { output_type: 'stream', text: ['\u001b[31m3 rows\u001b[0m\n'] };
    const html = '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>';
    const frame = {
      output_type: 'execute_result',
      data: { 'text/html': [html], 'text/plain': 'a' },
    };
    const outputs = [printed, picture, frame];
    expect(await of(notebook({ cell_type: 'code', source: ['show()\n'], outputs }))).toEqual([
      '(code) show()',
      '(code) 3 rows',
      '[a | b]',
      '| 1 | 2',
    ]);
  });

  it('stands cells of any form', async () => {
    const cells = [
      null,
      1,
      {},
      { cell_type: 'code', source: { a: 1 }, outputs: [null, { data: 3 }] },
    ];
    expect(await of(JSON.stringify({ cells }))).toEqual([]);
    expect(await of('{"cells": ')).toEqual(['{"cells":']);
  });
});
