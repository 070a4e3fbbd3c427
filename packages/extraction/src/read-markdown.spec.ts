import { describe, expect, it } from '@jest/globals';
import { outline, read } from '../test/reading.js';
import { readMarkdown } from './read-markdown.js';

const of = async (markdown: string) => outline((await read(readMarkdown, markdown)).blocks);

describe('Markdown', () => {
  it('has headings, paragraphs, lists, code and tables without their marks', async () => {
    const source = [
      '# Set **up** {#setup}',
      'Use `npm`, see [the \\[guide\\]](https://example.com "Title") ![logo](x.png).[^1]',
      '- one\n  - inner\n- [x] two\n\n3. three',
      '```sh\n# no heading\nexport A=1\n```',
      '| Name | Value |\n| --- | :-: |\n| `a` | **1** |',
      '> Quoted.',
      '[^1]: A note.',
      '---',
      'Set\\_up  \nagain.',
    ].join('\n\n');
    expect(await of(source)).toEqual([
      '# Set up',
      'Use npm, see the [guide] .',
      '– one',
      '  – inner',
      '– ☒ two',
      '3. three',
      '(code) # no heading\nexport A=1',
      '[Name | Value]',
      '| a | 1',
      'Quoted.',
      '(note) A note.',
      'Set_up\nagain.',
    ]);
  });

  it('has what stands in it as HTML', async () => {
    const table = '<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>';
    expect(await of(`Text<br/>here.\n\n${table}\n\n<!-- comment -->`)).toEqual([
      'Text\nhere.',
      '[A | B]',
      '| 1 | 2',
    ]);
  });

  it('loses imports, exports, and the tags of components but not their titles', async () => {
    const source = [
      '---\ntitle: Setup\nicon: gear\n---',
      "import { Tip } from './tip'\nimport X from './x';",
      'export const y = {\n  a: 1,\n};',
      '{/* comment */}',
      '<Tip kind={"a" > "b" ? 1 : {}}>\n    Set **both**.\n</Tip>',
      '<Accordion title="How long?">\n\n  Five days.\n\n</Accordion>',
      'import duties are paid by you, and `<Tip>` stays in `code`.',
      '```jsx\nimport a from "b"\n<Tip>x</Tip>\n```',
    ].join('\n\n');
    expect(await of(source)).toEqual([
      '# Setup',
      'icon: gear',
      'Set both.',
      'How long?',
      'Five days.',
      'import duties are paid by you, and <Tip> stays in code.',
      '(code) import a from "b"\n<Tip>x</Tip>',
    ]);
  });

  it('is read in pieces, in each of which code stays code', async () => {
    const filler = 'Words and words and words.\n\n'.repeat(3000);
    const source = `# One\n\n${filler}\`\`\`\n# code\n\n${filler}\n\`\`\`\n# Two\n\nEnd.`;
    const { blocks, progress } = await read(readMarkdown, source);
    expect(outline(blocks).filter((line) => line.startsWith('#'))).toEqual(['# One', '# Two']);
    expect(blocks.filter(({ kind }) => kind === 'code')).toHaveLength(1);
    expect(progress).toBeGreaterThan(1);
  });

  it.each<[what: string, source: string]>([
    ['brackets', '['.repeat(50_000)],
    ['tags that do not end', '<Tip a={'.repeat(5000)],
    ['ticks', '`x``'.repeat(10_000)],
    ['fences', '```\n\n'.repeat(5001)],
    ['imports that do not end', 'import {\n\n'.repeat(5000)],
  ])('of nothing but %s is read in a moment', async (_, source) => {
    await expect(of(`Text.\n\n${source}`)).resolves.toContain('Text.');
  });

  it.each([
    [
      'YAML',
      '---\ntitle: "Deploy: guide"\nowner: Kim # of sales\nversion: 4.2\ntags: [a, "b c"]\nauthors:\n  - Ann\n  - Bob\nsummary: >\n  Two\n  lines.\n---\n\nText.',
      [
        '# Deploy: guide',
        'owner: Kim\nversion: 4.2\ntags: a, b c\nauthors: Ann, Bob\nsummary: Two lines.',
        'Text.',
      ],
    ],
    [
      'TOML',
      '+++\ntitle = \'Deploy guide\'\ndate = 2026-04-01\ntags = ["a", "b"]\n[params]\nowner = "Kim"\n+++\nText.',
      ['# Deploy guide', 'date: 2026-04-01\ntags: a, b\nowner: Kim', 'Text.'],
    ],
    [
      'a title that the text repeats',
      '---\nTitle: Deploy guide\nversion: 4\n---\n# Deploy guide\n\nText.',
      ['# Deploy guide', 'version: 4', 'Text.'],
    ],
    ['no title', '---\nowner: 王\n---\nText.', ['owner: 王', 'Text.']],
    ['lines that are none', 'Text.\n\n---\n\nowner: Kim\n\n---\n', ['Text.', 'owner: Kim']],
  ])('has the title and fields of front matter: %s', async (_, source, expected) => {
    expect(await of(source)).toEqual(expected);
  });

  it('has the texts that stand for pictures, but no names', async () => {
    expect(
      await of(
        '![Architecture with three nodes](a.png)\n\nSee ![build](b.svg) ![三个节点][c].\n\n[c]: d.png',
      ),
    ).toEqual(['Architecture with three nodes', 'See 三个节点.']);
  });
});
