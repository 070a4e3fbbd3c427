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

  it('has its front matter', async () => {
    const text = '---\r\ntitle: Deploy guide\r\nowner: Kim\r\n---\r\n\r\nBody.\r\n';
    const lines = ['# Deploy guide', 'owner: Kim', 'Body.'];
    expect(outline((await read(readAsciidoc, text)).blocks)).toEqual(lines);
  });

  it('replaces attributes, also those of attributes and of the header', async () => {
    const text =
      '= The Atlas\nAnn Lee\n:name: Atlas\n:full: {name} 4 \\\n  of 2026\n\nUse {full} by {author}: {doctitle}.';
    expect(outline((await read(readAsciidoc, text)).blocks)).toContain(
      'Use Atlas 4 of 2026 by Ann Lee: The Atlas.',
    );
  });

  it.each([
    ['an attribute', `:a: ${'x'.repeat(3000)}\n\n${'{a} '.repeat(1000)}`],
    [
      'attributes of attributes',
      `:a: ${'x'.repeat(99)}\n:b: ${'{a}'.repeat(40)}\n\n${'{b}\n\n'.repeat(1000)}`,
    ],
    ['an attribute set within the text', `{set:a:${'x'.repeat(3000)}}\n\n${'{a} '.repeat(1000)}`],
    ['the title', `= ${'x'.repeat(30_000)}\n\n${'{doctitle} '.repeat(100)}`],
    ['titles that are linked', `[[a]]\n== ${'x'.repeat(30_000)}\n\n${'<<a>> '.repeat(100)}`],
  ])('refuses a document that would grow too large: %s', async (_, text) => {
    await expect(read(readAsciidoc, text)).rejects.toMatchObject({ code: 'too_large' });
  });

  it('reads no other file', async () => {
    const text =
      '= Title\n\ninclude::/etc/passwd[]\n\n:docfile: /etc/passwd\n\nimage::/etc/passwd[]';
    const { blocks } = await read(readAsciidoc, text);
    expect(outline(blocks).join('\n')).not.toContain('root:');
  });
});
