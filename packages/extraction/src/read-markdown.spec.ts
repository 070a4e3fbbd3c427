import { describe, expect, it } from '@jest/globals';
import { growth } from '../test/growth.js';
import { outline, read } from '../test/reading.js';
import { readFrontMatter } from './markdown/front-matter.js';
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
    [
      'signs of comments within quotes, and comments',
      '---\n# Of the team\ntitle: "Ticket # 42: how to"\nowner: \'Bob\'\'s # 1\' # of two\nby: "say \\" # 3"\ntags: ["a # b", c] # d\nnote: Don\'t # ask\ncolor: #fff or C# # sharp\nempty: # later\n  - one\n---\nText.',
      [
        '# Ticket # 42: how to',
        "owner: Bob''s # 1\nby: say \\\" # 3\ntags: a # b, c\nnote: Don't\ncolor: #fff or C#\nempty: one",
        'Text.',
      ],
    ],
    [
      'a text with the sign of comments',
      '---\nsummary: |\n  # One\n  two # three\n\n  four\nowner: Kim\n---\nText.',
      ['summary: # One two # three four\nowner: Kim', 'Text.'],
    ],
    [
      'values of several lines',
      '---\ntags: [\n  a,\n  "b",\n]\nauthors:\n- Ann\n- Bob\n---\nText.',
      ['tags: a, b\nauthors: Ann, Bob', 'Text.'],
    ],
    [
      'names in quotes and with other signs',
      '---\n"title": Guide\nog:type: article\n$id: a7\n---\nText.',
      ['# Guide', 'og:type: article\n$id: a7', 'Text.'],
    ],
    [
      'TOML with a table of indented fields',
      '+++\n\n# Of the team\ntitle = "Guide" # long\n\n[params] # more\n  owner = "Kim"\n+++\nText.',
      ['# Guide', 'owner: Kim', 'Text.'],
    ],
    [
      'a separator of lines that is none',
      '---\ntitle: One\u2028two\n---\nText.',
      ['# One two', 'Text.'],
    ],
    ['lines that are none', 'Text.\n\n---\n\nowner: Kim\n\n---\n', ['Text.', 'owner: Kim']],
  ])('has the title and fields of front matter: %s', async (_, source, expected) => {
    expect(await of(source)).toEqual(expected);
  });

  it.each([
    [
      'text without a field',
      '---\n\n# Welcome\n\nWe close at 5 pm.\n\n---\n\n# Agenda\n\nOne.',
      ['# Welcome', 'We close at 5 pm.', '# Agenda', 'One.'],
    ],
    [
      'text beside what looks like a field',
      '---\nNote: closed.\n\nWe close at 5 pm.\n\n---\n\nEnd.',
      ['Note: closed.', 'We close at 5 pm.', 'End.'],
    ],
    [
      'a heading and what looks like a field',
      '---\n\n# Welcome\n\nHours: 9 to 5\n\n---\n\nEnd.',
      ['# Welcome', 'Hours: 9 to 5', 'End.'],
    ],
    ['a list', '---\n- one\n- two\n\n---\nEnd.', ['– one', '– two', 'End.']],
    [
      'a list below text',
      '---\nNote: closed\n\n- one\n\n---\nEnd.',
      ['Note: closed', '– one', 'End.'],
    ],
    ['a heading alone', '---\n# Welcome\n\n---\nEnd.', ['# Welcome', 'End.']],
    ['nothing', '---\n---\nEnd.', ['End.']],
  ])('has all that stands between two rules: %s', async (_, source, expected) => {
    expect(await of(source)).toEqual(expected);
  });

  it.each<[what: string, line: (size: number) => string]>([
    ['signs of comments', (size) => `a: b${' # x'.repeat(size)}\u2028y`],
    ['spaces', (size) => `a:${' '.repeat(size)}\u2028${' '.repeat(size)}y`],
    ['quotes', (size) => `a: ${'"\' '.repeat(size)}\u2028y`],
    ['brackets', (size) => `a: ${'['.repeat(size)}\u2028${']'.repeat(size)}`],
    ['commas', (size) => `a: [${','.repeat(size)}]`],
    ['names', (size) => `${'a '.repeat(size)}: b`],
  ])('has front matter of many %s, read in linear time', async (_, line) => {
    const source = (size: number) => `---\ntitle: Guide\n${line(size)}\n---\n`;
    expect(await growth((size) => readFrontMatter(source(size)), 4000)).toBeLessThan(24);
  });

  it('has front matter of many brackets, however deep', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const shown = await of(`---\ntitle: Guide\ntags: [[a, b], [c]]\ndeep: ${deep}\n---\nText.`);
    expect([shown[0], shown.at(-1)]).toEqual(['# Guide', 'Text.']);
  });

  it('has the texts that stand for pictures, but no names', async () => {
    expect(
      await of(
        '![Architecture with three nodes](a.png)\n\nSee ![build](b.svg) ![三个节点][c].\n\n[c]: d.png',
      ),
    ).toEqual(['Architecture with three nodes', 'See 三个节点.']);
  });
});
