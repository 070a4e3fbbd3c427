import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { outline, read } from '../test/reading.js';
import { readRtf } from './read-rtf.js';

const of = async (body: string) =>
  outline((await read(readRtf, Buffer.from(`{\\rtf1\\ansi ${body}}`, 'latin1'))).blocks);

describe(readRtf.name, () => {
  it('reads what LibreOffice has written', async () => {
    const file = readFileSync(new URL('../test/files/returns.rtf', import.meta.url));
    const lines = outline((await read(readRtf, file)).blocks);
    expect(lines).toEqual(
      expect.arrayContaining([
        '# 1 Returns',
        'Customers may return any order within thirty days. See our site.',
        '(note) Counted from the delivery.',
        '## 1.1 Steps',
        '1. Pack it.',
        '[Country | Days]',
        '| Iceland | 9',
        'A quotation – “Grüße” from Zürich.',
      ]),
    );
  });

  it.each([
    ['Western European text', String.raw`Gr\'fc\'dfe`, 'Grüße'],
    ['a code page', String.raw`\ansicpg1251 \'cf\'f0\'e8`, 'При'],
    [
      'the code page of a font',
      String.raw`{\fonttbl{\f1\fcharset128 MS;}}\f1 \'93\'fa\'96{`,
      '日本',
    ],
    [
      'a Western European font in a Russian document',
      String.raw`\ansicpg1251{\fonttbl{\f1\fcharset0 Arial;}}\f1 \'80 5`,
      '€ 5',
    ],
    ['Unicode with substitutes', String.raw`\uc1 \u8364?5 {\uc2\u26085\'93\'fa}x`, '€5 日x'],
    ['words for characters', String.raw`a\emdash b\~c\ldblquote d\rdblquote\{\}`, 'a—b c“d”{}'],
  ])('decodes %s', async (_, rtf, text) => {
    const closed = rtf.endsWith('{') ? `${rtf.slice(0, -1)}\\'7b` : rtf;
    expect(await of(closed)).toEqual([text]);
  });

  it.each([
    [
      'down',
      String.raw`\trowd\clvmgf\cellx3000\cellx6000 North\cell Jan 5\cell\row\trowd\clvmrg\cellx3000\cellx6000 \cell Feb 6\cell\row`,
      ['| North | Jan 5', '| North | Feb 6'],
    ],
    [
      'across, as old programs write it',
      String.raw`\trowd\cellx1000\cellx2000\cellx3000 a\cell b\cell c\cell\row\trowd\cellx1000\clmgf\cellx2000\clmrg\cellx3000 d\cell e\cell\cell\row`,
      ['| a | b | c', '| d | e | e'],
    ],
    [
      'across, by their edges',
      String.raw`\trowd\cellx1000\cellx2000\cellx3000 a\cell b\cell c\cell\row\trowd\cellx1000\cellx3010 d\cell e\cell\row`,
      ['| a | b | c', '| d | e | e'],
    ],
    [
      'in both ways',
      String.raw`\trowd\clmgf\clvmgf\cellx1000\clmrg\clvmgf\cellx2000\cellx3000 a\cell\cell 1\cell\row\trowd\clmgf\clvmrg\cellx1000\clmrg\clvmrg\cellx2000\cellx3000\cell\cell 2\cell\row`,
      ['| a | a | 1', '| a | a | 2'],
    ],
    [
      'nowhere, in a row that begins in a later column',
      String.raw`\trowd\cellx1000\cellx2000\cellx3000 a\cell b\cell c\cell\row\trowd\trleft2000\cellx3000 77\cell\row`,
      ['[a | b | c]', '|  |  | 77'],
    ],
    [
      'with the definition behind the cells, under a header',
      String.raw`\trowd\trhdr\cellx1000\cellx2000 Area\cell Day\cell\row\intbl North\cell 5\cell\trowd\clvmgf\cellx1000\cellx2000\row\intbl\cell 6\cell\trowd\clvmrg\cellx1000\cellx2000\row`,
      ['[Area | Day]', '| North | 5', '| North | 6'],
    ],
  ])('repeats cells that are merged %s', async (_, table, lines) => {
    expect(await of(`${table}\\pard End.\\par`)).toEqual([...lines, 'End.']);
  });

  it('has the rows of a table that has another one in a cell', async () => {
    const nested = String.raw`\itap2 Bed\nestcell 12\nestcell{\*\nesttableprops\trowd\cellx500\cellx900\nestrow}{\nonesttables\par}\itap2 Bath\nestcell 9\nestcell{\*\nesttableprops\trowd\cellx500\cellx900\nestrow}{\nonesttables\par}`;
    const table = String.raw`\trowd\cellx1000\cellx2000\pard\intbl Room\cell\pard\intbl See:\par\pard\intbl${nested}\pard\intbl Done.\cell\row\trowd\cellx1000\cellx2000\pard\intbl Pets\cell None\cell\row\pard End.\par`;
    expect(await of(table)).toEqual([
      '| Room | See: Bed 12; Bath 9. Done.',
      '| Pets | None',
      'End.',
    ]);
  });

  it('joins paragraphs whose end was deleted or is hidden', async () => {
    expect(
      await of(String.raw`One{\deleted\par} sentence.\par Two{\v\par} words.\par Three.\par`),
    ).toEqual(['One sentence.', 'Two words.', 'Three.']);
  });

  it('says that it has hidden text', async () => {
    const { warnings } = await read(readRtf, String.raw`{\rtf1 a{\v hidden}{\deleted gone}}`);
    expect(warnings).toEqual([{ code: 'hidden_left_out', what: 'hidden text' }]);
    expect((await read(readRtf, String.raw`{\rtf1 a{\deleted gone}}`)).warnings).toEqual([]);
  });

  it('leaves out what is hidden, deleted, or for machines', async () => {
    const parts = [
      String.raw`{\info{\title x}}{\pict 89504e47}`,
      String.raw`{\field{\*\fldinst HYPERLINK "https://a"}{\fldrslt A link}}{\v hidden}{\deleted gone}`,
      String.raw`{\*\unknown what}{\*\shppict{\pict 00}}. End{\bin4 {{{{}.`,
    ];
    expect(await of(parts.join(''))).toEqual(['A link. End.']);
  });

  it.each<[what: string, margins: string, lines: string[]]>([
    [
      'of all, first and left pages, once',
      String.raw`{\header Policy 77-1204\par}{\headerf Policy 77-1204\par}{\footer Nord AS, Bergen\par}{\footerl Left\par}`,
      ['Policy 77-1204', 'Text.', 'Nord AS, Bergen', 'Left'],
    ],
    [
      'without numbers of pages',
      String.raw`{\header Contract 4711 - page {\field{\*\fldinst { PAGE }}{\fldrslt 3}} of {\field{\*\fldinst NUMPAGES}{\fldrslt{\b 7}}}\par}{\footer Page \chpgn\par}`,
      ['Contract 4711 - page of', 'Text.'],
    ],
    ['but not what the text says', String.raw`{\header Text.\par}`, ['Text.']],
    [
      'in a table, after their last paragraph without an end',
      String.raw`{\header\trowd\cellx1000\cellx2000\intbl Policy\cell 77-1204\cell\row\pard Valid in 2026}`,
      ['| Policy | 77-1204', 'Valid in 2026', 'Text.'],
    ],
    ['of nothing', String.raw`{\header\par}{\footer\pard\par}`, ['Text.']],
  ])('has headers and footers %s', async (_, margins, lines) => {
    expect(await of(String.raw`${margins}\pard Text.\par`)).toEqual(lines);
    expect(await of(String.raw`\pard Te${margins}xt.\par`)).toEqual(lines);
  });

  it('shows what other fields say, and numbers of pages in the text', async () => {
    expect(
      await of(
        String.raw`See page {\field{\*\fldinst PAGEREF _Toc1}{\fldrslt 7}} of {\field{\*\fldinst PAGE}{\fldrslt 9}}.\par`,
      ),
    ).toEqual(['See page 7 of 9.']);
  });

  it('knows headings by their styles', async () => {
    const styles = String.raw`{\stylesheet{\s0 Normal;}{\s1\b heading 1;}{\s2 Title;}}`;
    expect(
      await of(
        String.raw`${styles}\pard\s2 On lamps\par\pard\s1 Lamps\par\pard\s0 They shine.\par`,
      ),
    ).toEqual(['# On lamps', '# Lamps', 'They shine.']);
  });

  it('stands files of any form', async () => {
    expect(await of('}}}}a{\\cell\\row\\b')).toEqual(['a']);
    expect(await of(String.raw`\u99999999999? \uc99999 \u65?b \bin-5 c`)).toHaveLength(1);
    await expect(of('{'.repeat(100_000))).rejects.toMatchObject({ code: 'parse_failed' });
  });
});
