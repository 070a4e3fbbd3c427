import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { outline, read } from '../test/reading.js';
import { readAsciidoc } from './read-asciidoc.js';

describe(readAsciidoc.name, () => {
  it('reads headings, lists, tables, code and notes', async () => {
    const file = readFileSync(new URL('../test/files/returns.adoc', import.meta.url));
    expect(outline((await read(readAsciidoc, file)).blocks)).toEqual(
      expect.arrayContaining([
        '# Returns Handbook',
        '### Steps',
        '1. Pack it.',
        '  – with the slip',
        '| Iceland | 9',
        '(code) def days(n):\n    return n + 1',
        '1. Counted from the delivery.',
      ]),
    );
  });

  it('reads no other file', async () => {
    const text =
      '= Title\n\ninclude::/etc/passwd[]\n\n:docfile: /etc/passwd\n\nimage::/etc/passwd[]';
    const { blocks } = await read(readAsciidoc, text);
    expect(outline(blocks).join('\n')).not.toContain('root:');
  });
});
