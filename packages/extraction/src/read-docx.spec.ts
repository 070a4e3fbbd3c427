import { describe, expect, it } from '@jest/globals';
import { docx, documentXml, paragraph, zip, type ZipEntry } from '../../../test/support/files.js';
import { relationships } from '../../../test/support/office-files.js';
import { outline, read } from '../test/reading.js';
import { readDocx } from './read-docx.js';

const of = async (body: string, more: readonly ZipEntry[] = []) =>
  outline((await read(readDocx, docx(documentXml(body), more))).blocks);

const run = (text: string, properties = '') =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`;
const cell = (text: string, properties = '') =>
  `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(text)}</w:tc>`;
const row = (...cells: string[]) => `<w:tr>${cells.join('')}</w:tr>`;
const item = (text: string, list: number, level = 0) =>
  `<w:p><w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr></w:pPr>${run(text)}</w:p>`;

const level = (depth: number, format: string, text: string) =>
  `<w:lvl w:ilvl="${depth}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`;
const NUMBERING = {
  name: 'word/numbering.xml',
  content: `<w:numbering><w:abstractNum w:abstractNumId="7">${level(0, 'decimal', '%1.')}${level(1, 'lowerLetter', '%1.%2)')}</w:abstractNum><w:abstractNum w:abstractNumId="8">${level(0, 'bullet', '·')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="8"/></w:num><w:num w:numId="3"><w:abstractNumId w:val="7"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num></w:numbering>`,
};

/** A formula of Word: `m:` elements by what is in them. */
const math = (content: string) => `<m:oMath>${content}</m:oMath>`;
const m = (name: string, ...parts: string[]) => `<m:${name}>${parts.join('')}</m:${name}>`;
const sign = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
const set = (name: string, ...properties: string[]) =>
  `<m:${name}Pr>${properties.join('')}</m:${name}Pr>`;
const val = (name: string, value: string) => `<m:${name} m:val="${value}"/>`;

describe('a DOCX', () => {
  it.each([
    ['a fraction', m('f', m('num', sign('a+b')), m('den', sign('2'))), String.raw`\frac{a+b}{2}`],
    ['a power', m('sSup', m('e', sign('x')), m('sup', sign('10'))), 'x^{10}'],
    ['an index', m('sSub', m('e', sign('α')), m('sub', sign('i'))), String.raw`\alpha_i`],
    ['a root', m('rad', m('deg', sign('3')), m('e', sign('x'))), String.raw`\sqrt[3]{x}`],
    [
      'a sum',
      m(
        'nary',
        set('nary', val('chr', '∑')),
        m('sub', sign('i=1')),
        m('sup', sign('n')),
        m('e', sign('i')),
      ),
      String.raw`\sum_{i=1}^n i`,
    ],
    [
      'an integral',
      m('nary', m('sub', sign('0')), m('sup', sign('1')), m('e', sign('x'))),
      String.raw`\int_0^1 x`,
    ],
    [
      'brackets',
      m('d', set('d', val('begChr', '['), val('endChr', ']')), m('e', sign('x'))),
      String.raw`\left[x\right]`,
    ],
    [
      'a matrix',
      m(
        'm',
        m('mr', m('e', sign('1')), m('e', sign('0'))),
        m('mr', m('e', sign('0')), m('e', sign('1'))),
      ),
      String.raw`\begin{matrix}1 & 0 \\ 0 & 1\end{matrix}`,
    ],
    ['a function', m('func', m('fName', sign('sin')), m('e', sign('θ'))), String.raw`\sin \theta`],
    ['an accent', m('acc', set('acc', val('chr', '⃗')), m('e', sign('v'))), String.raw`\vec{v}`],
    ['an unknown element', m('new', sign('x≤1')), String.raw`x\leq 1`],
  ])('writes %s as LaTeX', async (_, formula, latex) => {
    const body = `<w:p>${run('With ')}${math(formula)}${run('.')}</w:p>`;
    expect(await of(body)).toEqual([`With $${latex}$.`]);
  });

  it('says of check boxes whether they are checked, however they are drawn', async () => {
    const control = (state: string, drawn: string) =>
      `<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="${state}"/><w14:checkedState w14:val="2612"/></w14:checkbox></w:sdtPr><w:sdtContent><w:r>${drawn}</w:r></w:sdtContent></w:sdt>`;
    const field = (properties: string) =>
      `<w:r><w:fldChar><w:ffData><w:checkBox><w:default w:val="0"/>${properties}</w:checkBox></w:ffData></w:fldChar></w:r>`;
    const body = [
      `<w:p>${control('1', '<w:sym w:font="Wingdings" w:char="F0FE"/>')}${run(' Insured')}</w:p>`,
      `<w:p>${control('0', '<w:t>o</w:t>')}${run(' Paid')}</w:p>`,
      `<w:p>${field('<w:checked/>')}${run(' Sent')}</w:p>`,
      `<w:p>${field('')}${run(' Kept')}</w:p>`,
    ].join('');
    expect(await of(body)).toEqual(['☒ Insured', '☐ Paid', '☒ Sent', '☐ Kept']);
  });

  it('has headings by the names and the outline levels of styles', async () => {
    const outlined = `<w:p><w:pPr><w:outlineLvl w:val="2"/></w:pPr>${run('Third')}</w:p>`;
    const body = paragraph('First', 'Heading1') + paragraph('Second', 'Heading2') + outlined;
    expect(await of(body)).toEqual(['# First', '## Second', '### Third']);
  });

  it('numbers its lists as they are displayed', async () => {
    const body = [
      item('one', 1),
      item('inner', 1, 1),
      item('inner', 1, 1),
      item('two', 1),
      item('inner', 1, 1),
      item('dot', 2),
      item('again', 3),
    ].join('');
    expect(await of(body, [NUMBERING])).toEqual([
      '1. one',
      '  1.a) inner',
      '  1.b) inner',
      '2. two',
      '  2.a) inner',
      '– dot',
      '1. again',
    ]);
  });

  it('goes on counting a list behind other paragraphs, in any list of its kind', async () => {
    const body = [
      item('one', 1),
      paragraph('Wait.'),
      item('two', 1),
      item('dot', 2),
      `<w:tbl>${row(cell('a'), cell('b'))}</w:tbl>`,
      item('three', 1),
      item('again', 3),
      paragraph('Check.'),
      item('and on', 3),
    ].join('');
    expect(await of(body, [NUMBERING])).toEqual([
      '1. one',
      'Wait.',
      '2. two',
      '– dot',
      '| a | b',
      '3. three',
      '1. again',
      'Check.',
      '2. and on',
    ]);
  });

  it('repeats a cell merged over rows, and names columns by a header row', async () => {
    const table = [
      row(cell('Country'), cell('Days')).replace('<w:tr>', '<w:tr><w:trPr><w:tblHeader/></w:trPr>'),
      row(cell('Iceland', '<w:vMerge w:val="restart"/>'), cell('9')),
      row(cell('', '<w:vMerge/>'), cell('12')),
      row(cell('Both', '<w:gridSpan w:val="2"/>')),
    ].join('');
    expect(await of(`<w:tbl>${table}</w:tbl>`)).toEqual([
      '[Country | Days]',
      '| Iceland | 9',
      '| Iceland | 12',
      '| Both | ',
    ]);
  });

  const nested = (...rows: string[]) =>
    `<w:tc>${paragraph('See:')}<w:tbl>${rows.join('')}</w:tbl>${paragraph('Done.')}</w:tc>`;
  it.each<[what: string, rows: string[], lines: string[]]>([
    [
      'with a header of its own',
      [
        row(
          cell('Deposit'),
          nested(
            row(cell('Room'), cell('Price')),
            row(cell('Single'), cell('120')),
            row(cell('Double'), cell('180')),
          ),
        ),
        row(cell('Pets'), cell('None')),
      ],
      ['| Deposit | See: Room Single, Price 120; Room Double, Price 180. Done.', '| Pets | None'],
    ],
    [
      'with names only',
      [
        row(cell('Room'), cell('Extras')),
        row(cell('1'), nested(row(cell('Breakfast'), cell('12')), row(cell('Parking'), cell('9')))),
      ],
      ['[Room | Extras]', '| 1 | See: Breakfast 12; Parking 9. Done.'],
    ],
    [
      'in each row but the first',
      [
        row(cell('Room'), cell('Extras')),
        ...['1', '2'].map((room) =>
          row(cell(room), nested(row(cell('Bed'), cell(room)), row(cell('Bath'), cell(room)))),
        ),
      ],
      ['[Room | Extras]', '| 1 | See: Bed 1; Bath 1. Done.', '| 2 | See: Bed 2; Bath 2. Done.'],
    ],
    [
      'where the outer one only arranges the page',
      [row(cell(''), nested(row(cell('Room'), cell('Price')), row(cell('Single'), cell('120'))))],
      ['See:', '[Room | Price]', '| Single | 120', 'Done.'],
    ],
  ])('has the rows of a table that has another one in it, %s', async (_, rows, lines) => {
    expect(await of(`<w:tbl>${rows.join('')}</w:tbl>`)).toEqual(lines);
  });

  it('reads a table of one column as paragraphs', async () => {
    expect(await of(`<w:tbl>${row(cell('A box'))}${row(cell('around text'))}</w:tbl>`)).toEqual([
      'A box',
      'around text',
    ]);
  });

  it('has footnotes behind the paragraph that refers to them', async () => {
    const body = `<w:p>${run('Text')}<w:r><w:footnoteReference w:id="2"/></w:r>${run(' goes on.')}</w:p>${paragraph('Next.')}`;
    const notes = {
      name: 'word/footnotes.xml',
      content: `<w:footnotes><w:footnote w:type="separator" w:id="0">${paragraph('---')}</w:footnote><w:footnote w:id="2">${paragraph('A note.')}</w:footnote></w:footnotes>`,
    };
    expect(await of(body, [notes])).toEqual(['Text goes on.', '(note) A note.', 'Next.']);
  });

  it('has text boxes once, behind the paragraph that they stand in', async () => {
    const box = `<w:txbxContent>${paragraph('In the box.')}</w:txbxContent>`;
    const body = `<w:p>${run('Around')}<w:r><mc:AlternateContent xmlns:mc="mc"><mc:Choice>${box}</mc:Choice><mc:Fallback>${box}</mc:Fallback></mc:AlternateContent></w:r>${run(' it.')}</w:p>`;
    expect(await of(body)).toEqual(['Around it.', 'In the box.']);
  });

  it('leaves out deleted and hidden text, the codes of fields and the table of contents', async () => {
    const contents = `<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj></w:sdtPr><w:sdtContent>${paragraph('Returns 3')}</w:sdtContent></w:sdt>`;
    const body = `${contents}<w:p>${run('Kept')}<w:del>${run(' deleted')}</w:del>${run(' hidden', '<w:vanish/>')}<w:r><w:instrText>PAGE</w:instrText></w:r><w:ins>${run(' added')}</w:ins></w:p>`;
    expect(await of(body)).toEqual(['Kept added']);
  });

  it('says that it has hidden text', async () => {
    const body = `<w:p>${run('Kept')}${run(' hidden', '<w:vanish/>')}</w:p>`;
    const { warnings } = await read(readDocx, docx(documentXml(body)));
    expect(warnings).toEqual([{ code: 'hidden_left_out', what: 'hidden text' }]);
    const marks = `<w:p><w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>${run('Kept', '<w:vanish w:val="0"/>')}</w:p>`;
    expect((await read(readDocx, docx(documentXml(marks)))).warnings).toEqual([]);
  });

  const marked = (text: string, mark: string, style = '') =>
    `<w:p><w:pPr>${style}<w:rPr><w:${mark} w:id="1"/></w:rPr></w:pPr>${run(text)}</w:p>`;
  it.each<[what: string, body: string, lines: string[]]>([
    ['was deleted', marked('One', 'del') + paragraph(' sentence.'), ['One sentence.']],
    ['was moved', marked('One', 'moveFrom') + paragraph(' sentence.'), ['One sentence.']],
    [
      'was deleted twice',
      marked('One', 'del') + marked(' long', 'del') + paragraph(' sentence.'),
      ['One long sentence.'],
    ],
    ['was inserted', marked('One.', 'ins') + paragraph('Two.'), ['One.', 'Two.']],
    ['was deleted at the end', paragraph('One.') + marked('Two.', 'del'), ['One.', 'Two.']],
    [
      'was deleted before a heading',
      marked('Terms', 'del') + paragraph(' of use', 'Heading1'),
      ['# Terms of use'],
    ],
    [
      'was deleted before a table and at the end of a cell',
      marked('One.', 'del') +
        `<w:tbl>${row(`<w:tc>${marked('a', 'del')}</w:tc>`, cell('b'))}</w:tbl>`,
      ['One.', '| a | b'],
    ],
  ])('joins paragraphs whose end %s', async (_, body, lines) => {
    expect(await of(body)).toEqual(lines);
  });

  it.each<[what: string, rows: string[], lines: string[]]>([
    [
      'begin in a later column',
      [
        row(cell('Item'), cell('2025'), cell('2026')),
        row(cell('77')).replace('<w:tr>', '<w:tr><w:trPr><w:gridBefore w:val="2"/></w:trPr>'),
        row(cell('5'), cell('6')).replace(
          '<w:tr>',
          '<w:tr><w:trPr><w:gridBefore w:val="1"/><w:gridAfter w:val="0"/></w:trPr>',
        ),
      ],
      ['| Item | 2025 | 2026', '|  |  | 77', '|  | 5 | 6'],
    ],
    [
      'end before the last column',
      [
        row(cell('a'), cell('b'), cell('c')),
        row(cell('d'), cell('e')).replace(
          '<w:tr>',
          '<w:tr><w:trPr><w:gridAfter w:val="1"/></w:trPr>',
        ),
      ],
      ['| a | b | c', '| d | e'],
    ],
    [
      'begin beside a merged cell',
      [
        row(cell('a'), cell('b', '<w:vMerge w:val="restart"/>')),
        row(cell('', '<w:vMerge/>')).replace(
          '<w:tr>',
          '<w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr>',
        ),
        row(cell('c'), cell('d')),
      ],
      ['| a | b', '|  | b', '| c | d'],
    ],
  ])('has rows that %s', async (_, rows, lines) => {
    expect(await of(`<w:tbl>${rows.join('')}</w:tbl>`)).toEqual(lines);
  });

  const mono = (text: string, font = 'Courier New') =>
    `<w:p><w:r><w:rPr><w:rFonts w:ascii="${font}"/></w:rPr><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
  it.each<[what: string, body: string, lines: string[]]>([
    ['in Courier', mono('def f(n):') + mono('    return n'), ['(code) def f(n):\n    return n']],
    [
      'in another font for code',
      paragraph('So:') + mono('if x:', 'Cascadia Code') + mono('  y()', 'DejaVu Sans Mono'),
      ['So:', '(code) if x:\n  y()'],
    ],
    [
      'indented by tabs and by spaces that do not break',
      `${mono('if x:')}<w:p><w:r><w:rPr><w:rFonts w:ascii="Consolas"/></w:rPr><w:tab/><w:t>y()</w:t></w:r></w:p>${mono('\u00a0\u00a0z()')}`,
      ['(code) if x:\n\ty()\n  z()'],
    ],
    [
      'in one paragraph of several lines',
      '<w:p><w:r><w:rPr><w:rFonts w:ascii="Consolas"/></w:rPr><w:t>if x:</w:t><w:br/><w:t xml:space="preserve">  y()</w:t></w:r></w:p>',
      ['(code) if x:\n  y()'],
    ],
  ])('keeps the indentation of code %s', async (_, body, lines) => {
    expect(await of(body)).toEqual(lines);
  });

  it('takes no text for code that is only typed so', async () => {
    const long = `    ${'It is a letter. '.repeat(10)}`;
    expect(await of(mono('Dear Sir,') + mono(long))).toEqual(['Dear Sir,', long.trim()]);
    expect(await of(mono('npm ci') + mono('npm test'))).toEqual(['npm ci', 'npm test']);
    expect(await of(mono('f(x)', 'Monotype Corsiva') + mono('  y', 'Arial'))).toEqual([
      'f(x)',
      'y',
    ]);
  });

  const margin = (kind: string, name: string, body: string) =>
    [[kind, `${name}.xml`], { name: `word/${name}.xml`, content: `<w:x>${body}</w:x>` }] as const;
  const field = (code: string, result: string) =>
    `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> ${code} </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${run(result)}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;
  it.each<
    [what: string, margins: (readonly [readonly [string, string], ZipEntry])[], lines: string[]]
  >([
    [
      'once, though three kinds of pages have it',
      [
        margin('header', 'h1', paragraph('Policy 77-1204')),
        margin('header', 'h2', paragraph('Policy 77-1204')),
        margin('footer', 'f1', paragraph('Policy 77-1204') + paragraph('Nord AS, Bergen')),
      ],
      ['Policy 77-1204', 'Text.', 'Nord AS, Bergen'],
    ],
    [
      'without the numbers of pages',
      [
        margin('header', 'h1', `<w:p>${run('Contract 4711 – page ')}${field('PAGE', '1')}</w:p>`),
        margin(
          'footer',
          'f1',
          `<w:p>${run('Page ')}${field('PAGE', '1')}${run(' of ')}<w:fldSimple w:instr=" NUMPAGES ">${run('9')}</w:fldSimple></w:p>`,
        ),
      ],
      ['Contract 4711 – page', 'Text.'],
    ],
    ['but not what the text says', [margin('header', 'h1', paragraph('Text.'))], ['Text.']],
    [
      'as far as it can be read',
      [margin('header', 'h1', '<w:p'), margin('header', 'h2', paragraph('Policy', 'Heading1'))],
      ['Policy', 'Text.'],
    ],
  ])('has what stands above and below its pages %s', async (_, margins, lines) => {
    const more = [
      relationships(
        'word/document.xml',
        margins.map(([relationship]) => relationship),
      ),
      ...margins.map(([, part]) => part),
    ];
    expect(await of(paragraph('Text.'), more)).toEqual(lines);
  });

  it('joins lines of code', async () => {
    const styles = `<w:styles><w:style w:styleId="Code"><w:name w:val="Source Code"/></w:style></w:styles>`;
    const bytes = zip([
      { name: 'word/styles.xml', content: styles },
      {
        name: 'word/document.xml',
        content: documentXml(paragraph('if x:', 'Code') + paragraph('  y()', 'Code')),
      },
    ]);
    expect(outline((await read(readDocx, bytes)).blocks)).toEqual(['(code) if x:\n  y()']);
  });

  it('takes bold paragraphs for headings where it has no others', async () => {
    const bold = `<w:p>${run('Returns', '<w:b/>')}</w:p>`;
    expect(await of(bold + paragraph('Within thirty days.'))).toEqual([
      '# Returns',
      'Within thirty days.',
    ]);
    expect(await of(paragraph('Title', 'Heading1') + bold)).toEqual(['# Title', 'Returns']);
  });

  it('is read without its lists when they are damaged, and says so', async () => {
    const broken = { name: 'word/numbering.xml', content: '<w:numbering><broken' };
    const { blocks, warnings } = await read(readDocx, docx(documentXml(item('one', 1)), [broken]));
    expect(outline(blocks)).toEqual(['one']);
    expect(warnings).toMatchObject([{ code: 'part_unreadable' }]);
  });

  it.each<[what: string, bytes: Uint8Array, code: string]>([
    ['is cut off', docx(documentXml(paragraph('Hi'))).subarray(0, 900), 'parse_failed'],
    ['is empty', zip([{ name: 'word/other.xml', content: '<x/>' }]), 'parse_failed'],
    [
      'is encrypted',
      zip([{ name: 'word/document.xml', content: 'x', encrypted: true }]),
      'encrypted',
    ],
    ['is no XML', docx('Hello'), 'parse_failed'],
    ['is nested too deeply', docx(documentXml('<w:sdt>'.repeat(2000))), 'parse_failed'],
    [
      'defines entities',
      docx(documentXml(paragraph('&x;')).replace('?>', '?><!DOCTYPE x [<!ENTITY x "y">]>')),
      'parse_failed',
    ],
  ])('that %s is refused', async (_, bytes, code) => {
    await expect(read(readDocx, bytes)).rejects.toMatchObject({ code });
  });
});
