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
