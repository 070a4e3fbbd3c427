import { describe, expect, it } from '@jest/globals';
import { odt } from '../../../test/support/office-files.js';
import { outline, read } from '../test/reading.js';
import { readOdt } from './read-odt.js';

const of = async (...parts: Parameters<typeof odt>) =>
  outline((await read(readOdt, odt(...parts))).blocks);
const p = (text: string) => `<text:p>${text}</text:p>`;

describe('an ODT', () => {
  it('has headings, paragraphs and notes', async () => {
    const note =
      '<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>A note.</text:p></text:note-body></text:note>';
    const body = `<text:h text:outline-level="2">Returns</text:h>${p(`Text<text:s/>goes${note} on.<text:line-break/>Here.`)}`;
    expect(await of(body)).toEqual(['## Returns', 'Text goes on.\nHere.', '(note) A note.']);
  });

  it('has lists with their numbers', async () => {
    const list =
      '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/><text:list-level-style-bullet text:level="2"/></text:list-style>';
    const item = (inside: string) => `<text:list-item>${inside}</text:list-item>`;
    const body = `<text:list text:style-name="L">${item(p('one') + `<text:list>${item(p('inner'))}</text:list>`)}${item(p('two'))}</text:list>`;
    expect(await of(body, list)).toEqual(['1. one', '  – inner', '2. two']);
  });

  const NUMBERED =
    '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/><text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")"/></text:list-style>';
  const list = (items: readonly string[], attributes = '') =>
    `<text:list text:style-name="L" ${attributes}>${items.map((text) => `<text:list-item>${text.startsWith('<') ? text : p(text)}</text:list-item>`).join('')}</text:list>`;
  it.each<[what: string, body: string, lines: string[]]>([
    [
      'that goes on with the one before',
      list(['a', 'b']) + p('x') + list(['c'], 'text:continue-numbering="true"'),
      ['1. a', '2. b', 'x', '3. c'],
    ],
    [
      'that goes on with one that it names',
      list(['a'], 'xml:id="one"') +
        list(['b'], 'xml:id="two"') +
        list(['c'], 'text:continue-list="one"') +
        list(['d'], 'text:continue-list="one"'),
      ['1. a', '1. b', '2. c', '3. d'],
    ],
    [
      'that begins anew',
      list(['a', 'b']) + list(['c'], 'text:continue-numbering="false"'),
      ['1. a', '2. b', '1. c'],
    ],
    [
      'that begins with a number of its own',
      list(['a']) +
        list(['<text:p>b</text:p>'], 'text:continue-numbering="true"').replace(
          '<text:list-item>',
          '<text:list-item text:start-value="9">',
        ) +
        list(['c'], 'text:continue-numbering="true"'),
      ['1. a', '9. b', '10. c'],
    ],
    [
      'whose inner list goes on',
      list(['a', list(['x', 'y'])]) +
        list([list(['z'], 'text:continue-numbering="true"')], 'text:continue-numbering="true"'),
      ['1. a', '  a) x', '  b) y', '  c) z'],
    ],
  ])('numbers a list %s', async (_, body, lines) => {
    expect(await of(body, NUMBERED)).toEqual(lines);
  });

  it('has the rows of a table that has another one in a cell', async () => {
    const cell = (inside: string) => `<table:table-cell>${inside}</table:table-cell>`;
    const row = (...cells: string[]) => `<table:table-row>${cells.join('')}</table:table-row>`;
    const inner = `<table:table>${row(cell(p('Bed')), cell(p('12')))}${row(cell(p('Bath')), cell(p('9')))}</table:table>`;
    const body = `<table:table>${row(cell(p('Room')), cell(inner))}${row(cell(p('Pets')), cell(p('None')))}</table:table>`;
    expect(await of(body)).toEqual(['| Room | Bed 12; Bath 9.', '| Pets | None']);
  });

  it('keeps the indentation of code by its font', async () => {
    const styles =
      '<style:style style:name="C"><style:text-properties style:font-name="Liberation Mono"/></style:style>';
    const code = (text: string) => `<text:p text:style-name="C">${text}</text:p>`;
    expect(await of(code('if x:') + code('<text:s text:c="4"/>y()') + p('So.'), styles)).toEqual([
      '(code) if x:\n    y()',
      'So.',
    ]);
  });

  it('has what stands above and below its pages once, without their numbers', async () => {
    const master = (name: string) =>
      `<style:master-page style:name="${name}"><style:header>${p('Policy 77-1204')}</style:header><style:footer>${p('Page <text:page-number>1</text:page-number>')}${p('Nord AS')}</style:footer></style:master-page>`;
    const styles = {
      name: 'styles.xml',
      content: `<office:document-styles><office:master-styles>${master('a')}${master('b')}</office:master-styles></office:document-styles>`,
    };
    expect(await of(p('Text.'), '', [styles])).toEqual(['Policy 77-1204', 'Text.', 'Nord AS']);
  });

  it('has the values of its charts, and says which have none', async () => {
    const cell = (text: string) => `<table:table-cell>${p(text)}</table:table-cell>`;
    const row = (...cells: string[]) =>
      `<table:table-row>${cells.map(cell).join('')}</table:table-row>`;
    const chart = `<office:document-content><office:body><office:chart><chart:chart><chart:title>${p('Sales')}</chart:title><chart:plot-area><chart:axis>${p('Year')}</chart:axis></chart:plot-area><table:table table:name="local-table"><table:table-header-rows>${row('', 'Revenue')}</table:table-header-rows>${row('2025', '410')}${row('2026', '530')}</table:table></chart:chart></office:chart></office:body></office:document-content>`;
    const entry = (folder: string) =>
      `<manifest:file-entry manifest:full-path="${folder}/" manifest:media-type="application/vnd.oasis.opendocument.chart"/>`;
    const object = (folder: string) =>
      p(`<draw:frame><draw:object xlink:href="./${folder}"/></draw:frame>`);
    const parts = [
      { name: 'META-INF/manifest.xml', content: `<m>${entry('O1')}${entry('O2')}</m>` },
      { name: 'O1/content.xml', content: chart },
      { name: 'O2/content.xml', content: '<office' },
    ];
    const body = p('Before.') + object('O1') + object('O2') + p('After.');
    const { blocks, warnings } = await read(readOdt, odt(body, '', parts));
    expect(outline(blocks)).toEqual([
      'Before.',
      '(caption) Sales',
      '[ | Revenue]',
      '| 2025 | 410',
      '| 2026 | 530',
      'After.',
    ]);
    expect(warnings).toEqual([{ code: 'not_read', what: 'chart' }]);
  });

  it('says that it has hidden text', async () => {
    const styles =
      '<style:style style:name="H"><style:text-properties text:display="none"/></style:style>';
    for (const body of [
      p('a<text:span text:style-name="H">hidden</text:span>'),
      p('a') + `<text:section text:display="none">${p('hidden')}</text:section>`,
      p('a<text:hidden-text>hidden</text:hidden-text>'),
    ]) {
      const { blocks, warnings } = await read(readOdt, odt(body, styles));
      expect(outline(blocks)).toEqual(['a']);
      expect(warnings).toEqual([{ code: 'hidden_left_out', what: 'hidden text' }]);
    }
  });

  it('has formulas as LaTeX, and stands damaged ones', async () => {
    const object = (folder: string) =>
      `<draw:frame><draw:object xlink:href="./${folder}"/></draw:frame>`;
    const entry = (folder: string) =>
      `<manifest:file-entry manifest:full-path="${folder}/" manifest:media-type="application/vnd.oasis.opendocument.formula"/>`;
    const fraction = (prefix: string) =>
      ['math', 'mfrac', 'mi', '/mi', 'mn', '/mn', '/mfrac', '/math'].reduce(
        (xml, tag) =>
          xml + `<${tag.replace(/^\/?/, `$&${prefix}`)}>${{ mi: 'a', mn: '2' }[tag] ?? ''}`,
        '',
      );
    const folders = ['Object 1', 'Object 2', 'Object 3'];
    const body = `${p(`Half is ${object('Object 1')}.`)}${object('Object 2')}${p(`Lost ${object('Object 3')}`)}`;
    const parts = [
      {
        name: 'META-INF/manifest.xml',
        content: `<manifest>${folders.map(entry).join('')}</manifest>`,
      },
      { name: 'Object 1/content.xml', content: fraction('') },
      { name: 'Object 2/content.xml', content: fraction('math:') },
    ];
    expect(await of(body, '', parts)).toEqual([
      String.raw`Half is $\frac{a}{2}$.`,
      String.raw`$\frac{a}{2}$`,
      'Lost',
    ]);
  });

  it('has tables with the names of their columns and merged cells', async () => {
    const cell = (text: string, attributes = '') =>
      `<table:table-cell ${attributes}>${p(text)}</table:table-cell>`;
    const row = (cells: string) => `<table:table-row>${cells}</table:table-row>`;
    const body = `<table:table><table:table-header-rows>${row(cell('Country') + cell('Days'))}</table:table-header-rows>${row(cell('Iceland', 'table:number-rows-spanned="2"') + cell('9'))}${row(`<table:covered-table-cell/>${cell('12')}`)}</table:table>`;
    expect(await of(body)).toEqual(['[Country | Days]', '| Iceland | 9', '| Iceland | 12']);
  });

  it('leaves out deleted text, comments, the table of contents and hidden text', async () => {
    const styles =
      '<style:style style:name="H"><style:text-properties text:display="none"/></style:style>';
    const body = `<text:tracked-changes>${p('deleted')}</text:tracked-changes><text:table-of-content>${p('Returns 3')}</text:table-of-content>${p('Kept<office:annotation><text:p>comment</text:p></office:annotation><text:span text:style-name="H"> hidden</text:span>.')}`;
    expect(await of(body, styles)).toEqual(['Kept.']);
  });

  it('stands levels, spans and repetitions of any size', async () => {
    const cell = `<table:table-cell table:number-columns-repeated="1000000000">${p('x')}</table:table-cell>`;
    const body = `<text:h text:outline-level="1000000000">Deep</text:h>${p('a<text:s text:c="1000000000"/>b')}<table:table><table:table-row>${cell}</table:table-row></table:table>`;
    const lines = await of(body);
    expect(lines[0]).toMatch(/^#{1,10} Deep$/);
    expect(lines[1]).toBe('a b');
  });

  it.each<[what: string, bytes: Uint8Array, code: string]>([
    ['is cut off', odt(p('Hi')).subarray(0, 300), 'parse_failed'],
    [
      'is encrypted',
      odt(p('Hi'), '', [
        {
          name: 'META-INF/manifest.xml',
          content:
            '<manifest:manifest><manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry></manifest:manifest>',
        },
      ]),
      'encrypted',
    ],
  ])('that %s is refused', async (_, bytes, code) => {
    await expect(read(readOdt, bytes)).rejects.toMatchObject({ code });
  });
});
