import { describe, expect, it } from '@jest/globals';
import { outline, read } from '../test/reading.js';
import { readHtml } from './read-html.js';

const of = async (html: string) => outline((await read(readHtml, html)).blocks);
/** A page that declares its content. */
const content = (html: string) => of(`<html><body><main>${html}</main></body></html>`);

const TEXT =
  'Customers may return any order within thirty days after its delivery, and the refund is paid within five working days. ';

const MATHML: readonly (readonly [string, string, string])[] = [
  ['a fraction', '<mfrac><mi>a</mi><mrow><mn>2</mn><mi>b</mi></mrow></mfrac>', '\\frac{a}{2b}'],
  ['powers and indices', '<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>', 'x_i^2'],
  [
    'roots',
    '<msqrt><mi>x</mi></msqrt><mroot><mi>y</mi><mn>3</mn></mroot>',
    '\\sqrt{x}\\sqrt[3]{y}',
  ],
  [
    'a sum',
    '<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>i</mi>',
    '\\sum_{i=1}^ni',
  ],
  ['an accent', '<mover><mi>v</mi><mo>→</mo></mover>', '\\vec{v}'],
  [
    'a matrix',
    '<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr></mtable>',
    '\\begin{matrix}1 & 0\\end{matrix}',
  ],
  [
    'names and text',
    '<mi>sin</mi><mi>θ</mi><mtext> if </mtext><mi>x</mi><mo>≠</mo><mn>0</mn>',
    '\\sin \\theta \\text{ if }x\\neq 0',
  ],
];

it.each(MATHML)('writes %s of MathML as LaTeX', async (_, math, latex) => {
  expect(await content(`<p>Here <math>${math}</math> ends.</p>`)).toEqual([
    `Here $${latex}$ ends.`,
  ]);
});

describe('an HTML page', () => {
  it('has headings, paragraphs, lists and code', async () => {
    const html = `<h1>Returns <a href="#returns">¶</a></h1><p>Within <b>thirty</b>\n  days.<br>Or not.</p>
      <ul><li>one<ul><li>inner</li></ul></li><li><p>two</p><p>more</p></li></ul>
      <ol start="3"><li>three</li></ol><pre><code>if x:\n  y()\n</code></pre>`;
    expect(await content(html)).toEqual([
      '# Returns',
      'Within thirty days.\nOr not.',
      '– one',
      '  – inner',
      '– two',
      'more',
      '3. three',
      '(code) if x:\n  y()',
    ]);
  });

  it('has formulas as LaTeX, and the states of tasks', async () => {
    const math =
      '<math><semantics><mi>a</mi><annotation encoding="application/x-tex">a = \\pi r^2</annotation></semantics></math>';
    const tasks =
      '<ul><li><input type="checkbox" checked> done</li><li><input type="checkbox">open</li></ul>';
    expect(
      await content(`<p>The area is ${math}.</p><p><input type="checkbox">Dark</p>${tasks}`),
    ).toEqual(['The area is $a = \\pi r^2$.', 'Dark', '– ☒ done', '– ☐ open']);
  });

  it('has tables with the names of their columns and merged cells', async () => {
    const html = `<table><caption>Days</caption><tr><th>Country</th><th>Days</th></tr>
      <tr><td rowspan="2">Iceland</td><td>9</td></tr><tr><td>12</td></tr></table>`;
    expect(await content(html)).toEqual([
      '(caption) Days',
      '[Country | Days]',
      '| Iceland | 9',
      '| Iceland | 12',
    ]);
  });

  it('has the rows of a table that has another one in a cell', async () => {
    const inner =
      '<table><tr><th>Room</th><th>Price</th></tr><tr><td>Single</td><td>120</td></tr></table>';
    const html = `<table><tr><td>Deposit</td><td>By room: ${inner}</td></tr><tr><td>Pets</td><td>None</td></tr></table>`;
    expect(await content(html)).toEqual([
      '| Deposit | By room: Room Single, Price 120.',
      '| Pets | None',
    ]);
  });

  it.each([
    ['letters', '<ol type="a"><li>x<li>y</ol>', ['a. x', 'b. y']],
    ['capital letters', '<ol type="A" start="3"><li>x</ol>', ['C. x']],
    [
      'Roman numerals',
      '<ol type="I"><li>x<li>y<li>z<li>w</ol>',
      ['I. x', 'II. y', 'III. z', 'IV. w'],
    ],
    [
      'letters by CSS',
      '<ol style="color:red; list-style-type: lower-roman"><li>x<li>y</ol>',
      ['i. x', 'ii. y'],
    ],
    ['numbers from another one on', '<ol start="7"><li>x<li>y</ol>', ['7. x', '8. y']],
    ['numbers of their own', '<ol><li>x<li value="7">y<li>z</ol>', ['1. x', '7. y', '8. z']],
    ['a form of their own', '<ol><li>x<li type="a">y</ol>', ['1. x', 'b. y']],
    ['numbers that fall', '<ol reversed><li>x<li>y<li>z</ol>', ['3. x', '2. y', '1. z']],
    [
      'numbers that fall from another one',
      '<ol reversed start="10"><li>x<li>y</ol>',
      ['10. x', '9. y'],
    ],
    [
      'numbers that are none',
      '<ol start="x"><li value="">x<li value="1.5">y</ol>',
      ['1. x', '2. y'],
    ],
    [
      'an inner list',
      '<ol type="i"><li>x<ol type="a"><li>y</ol><li>z</ol>',
      ['i. x', '  a. y', 'ii. z'],
    ],
  ])('numbers the items of lists by %s', async (_, html, lines) => {
    expect(await content(html)).toEqual(lines);
  });

  it('reads tables that only arrange the page as what is in them', async () => {
    const html = `<table><tr><td><table><tr><td><h2>News</h2></td><td><p>All is well.</p></td></tr></table></td></tr></table>`;
    expect(await content(html)).toEqual(['## News', 'All is well.']);
  });

  it('has short terms beside their definitions', async () => {
    expect(await content('<dl><dt>Refund</dt><dd>Money back.</dd></dl>')).toEqual([
      '– Refund: Money back.',
    ]);
  });

  it('leaves out link targets, pictures, citations and what is not seen', async () => {
    const html = `<p><a href="/wiki/Gates" title="Gates">Gates</a><sup><a href="#n">[14]</a></sup> left<img src="x.png" alt="x">
      <span style="display: none">hidden</span><span hidden>hidden</span><span aria-hidden="true">hidden</span>
      <script>x()</script><style>p{}</style><template>t</template><button>Copy</button>[sic].</p>
      <h2>Life <span>[edit]</span></h2>`;
    expect(await content(html)).toEqual(['Gates left [sic].', '## Life']);
  });

  it('leaves out the numbers of notes, but no powers', async () => {
    const html = `<p>It rose<sup><a href="#n1">1</a></sup> at four.<a href="#n2"><sup>2</sup></a></p>
      <p>All slept.<a epub:type="noteref" href="#n3">3</a> On 5 km<sup>2</sup> and page <a href="#p4">4</a>.</p>`;
    expect(await content(html)).toEqual(['It rose at four.', 'All slept. On 5 km² and page 4.']);
  });

  it('is read where it declares its content, without what is around it', async () => {
    const page = `<html><body><nav>Home</nav><header>Shop</header><div role="main"><h2>Returns</h2><p>${TEXT}</p></div><footer>Imprint</footer></body></html>`;
    expect(await of(page)).toEqual(['## Returns', TEXT.trim()]);
  });

  it('is read where most of its text is, if it declares nothing', async () => {
    const links = '<li><a href="/">Another page of ours</a></li>'.repeat(20);
    const page = `<html><head><title>Returns | Shop</title></head><body><div class="menu"><ul>${links}</ul></div><h1>Returns</h1><div class="text">${`<p>${TEXT.repeat(3)}</p>`.repeat(4)}</div></body></html>`;
    const lines = await of(page);
    expect(lines[0]).toBe('# Returns');
    expect(lines.slice(1)).toEqual(Array(4).fill(TEXT.repeat(3).trim()));
  });

  it('is read whole where it has nearly no links, so no navigation', async () => {
    const text = `<p>${TEXT.repeat(3)}</p>`.repeat(4);
    const page = `<html><body><h2>Returns</h2><div>${text}</div><div class="sidebar"><p>Keep the box.</p></div></body></html>`;
    expect(await of(page)).toEqual([
      '## Returns',
      ...Array<string>(4).fill(TEXT.repeat(3).trim()),
      'Keep the box.',
    ]);
  });

  it('has its one main heading, whatever its level', async () => {
    const links = '<li><a href="/">Another page of ours</a></li>'.repeat(20);
    const page = `<html><head><title>Returns</title></head><body><ul>${links}</ul><h2>Returns</h2><div>${`<p>${TEXT.repeat(3)}</p>`.repeat(4)}</div></body></html>`;
    expect((await of(page))[0]).toBe('# Returns');
  });

  it('leaves out a list of contents, but no chapters that stand in its place', async () => {
    const contents =
      '<div class="toctree-wrapper"><ul><li><a href="/a">Returns</a></li></ul></div>';
    expect(await content(`<p>${TEXT}</p>${contents}`)).toEqual([TEXT.trim()]);
    const chapters = `<div class="toctree-wrapper"><h2>Returns</h2><p>${TEXT}</p></div>`;
    expect(await content(chapters)).toEqual(['## Returns', TEXT.trim()]);
  });

  it('takes bold paragraphs for headings where it has no others', async () => {
    const text = '<p><b>Returns</b></p><p>Within thirty days.</p>';
    expect(await content(text)).toEqual(['# Returns', 'Within thirty days.']);
    expect(await content(`<h2>Policy</h2>${text}`)).toEqual([
      '## Policy',
      'Returns',
      'Within thirty days.',
    ]);
  });

  it('is read even if it never closes its tags', async () => {
    expect(await content('<font><a name="x">One.<br>'.repeat(2000))).toHaveLength(1);
    const deep = content('<div>'.repeat(2000));
    await expect(deep).rejects.toMatchObject({ code: 'parse_failed' });
  });

  it.each<[what: string, html: string]>([
    ['unclosed cells', '<table><tr><td>'.repeat(60)],
    [
      'spans of any size',
      '<table><tr><td colspan="1e9" rowspan="1e9">x</td><td>y</td></tr></table>',
    ],
    [
      'many rows that one cell spans',
      `<table><tr><td rowspan="65534">${'x'.repeat(300)}</td><td>1</td></tr>${'<tr><td>2</td></tr>'.repeat(20_000)}</table>`,
    ],
    ['lists of negative numbers', '<ol start="-99999999999999999999"><li>x</ol>'],
  ])('with %s is read in a moment', async (_, html) => {
    await expect(content(`<p>Text.</p>${html}`)).resolves.toContain('Text.');
  });

  it('has no blocks if it is empty', async () => {
    expect(await of('<html><body></body></html>')).toEqual([]);
    expect(await of('<!-- -->')).toEqual([]);
  });

  it.each([
    ['<?xml version="1.0"?>', '<html>'],
    ['', '<html xmlns="http://www.w3.org/1999/xhtml">'],
  ])('has the text in CDATA where it is XHTML: %s%s', async (declaration, html) => {
    const text = `${declaration}${html}<body><p>Bay <![CDATA[2 < 3]]> is shut.</p></body></html>`;
    expect(outline((await read(readHtml, text)).blocks)).toEqual(['Bay 2 < 3 is shut.']);
  });

  it('repeats merged cells, but not without end', async () => {
    const rows = (rest: string) =>
      `<table><tr><th>Area</th><th>Site</th><th>Days</th></tr><tr><td rowspan=2000>North</td><td>A</td><td>1</td></tr>${rest}</table>`;
    const many = '<tr><td>B</td><td>2</td></tr>'.repeat(1999);
    const { blocks } = await read(readHtml, rows(many));
    expect(outline(blocks).at(-1)).toBe('| North | B | 2');
    const label = 'x'.repeat(199);
    const bomb = `<table><tr><td>a</td><td colspan=999 rowspan=65000>${label}</td></tr>${'<tr><td>b'.repeat(1000)}</table>`;
    const bombs = (await read(readHtml, bomb.repeat(20))).blocks;
    expect(JSON.stringify(bombs).length).toBeLessThan(100 * bomb.length * 20);
  });
});
