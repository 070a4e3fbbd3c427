import { describe, expect, it } from '@jest/globals';
import { docx, documentXml, zip } from '../../../../test/support/files.js';
import { epub, odt, pptx, xlsx } from '../../../../test/support/office-files.js';
import { outline, read } from '../../test/reading.js';
import type { Reader } from '../block.js';
import { readDocx } from '../read-docx.js';
import { readEpub } from '../read-epub.js';
import { readHtml } from '../read-html.js';
import { readMarkdown } from '../read-markdown.js';
import { readOds } from '../read-ods.js';
import { readOdt } from '../read-odt.js';
import { readPptx } from '../read-pptx.js';
import { readRtf } from '../read-rtf.js';
import { readXlsx } from '../read-xlsx.js';

const readLines = async (reader: Reader, content: string | Uint8Array) =>
  outline((await read(reader, content)).blocks);

/** A paragraph of each format by its runs. */
const word = (runs: string, styles = '') =>
  docx(documentXml(`<w:p>${runs}</w:p>`), [
    { name: 'word/styles.xml', content: `<w:styles>${styles}</w:styles>` },
  ]);
const run = (text: string, properties = '') =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const open = (paragraph: string, styles: string) => odt(`<text:p>${paragraph}</text:p>`, styles);
const span = (text: string, style: string) =>
  `<text:span text:style-name="${style}">${text}</text:span>`;
const textStyle = (name: string, properties: string) =>
  `<style:style style:name="${name}"><style:text-properties ${properties}/></style:style>`;
const slide = (runs: string) =>
  pptx([{ shapes: `<p:sp><p:txBody><a:p>${runs}</a:p></p:txBody></p:sp>` }]);
const slideRun = (text: string, properties = '') =>
  `<a:r><a:rPr ${properties}</a:rPr><a:t>${text}</a:t></a:r>`;
const rtf = (text: string) =>
  Buffer.from(
    `{\\rtf1\\ansi{\\fonttbl{\\f0\\fswiss Arial;}{\\f1\\froman\\fcharset2 Symbol;}{\\f2\\fcharset2 Wingdings;}}${text}}`,
    'latin1',
  );
const sheet = (runs: string) =>
  xlsx([{ name: 'S', data: '<row r="1"><c r="A1" t="s"><v>0</v></c></row>' }], {}, [
    { name: 'xl/sharedStrings.xml', content: `<sst><si>${runs}</si></sst>` },
  ]);
const sheetRun = (text: string, properties = '') => `<r><rPr>${properties}</rPr><t>${text}</t></r>`;
const ods = (paragraph: string, styles: string) =>
  zip([
    { name: 'mimetype', content: 'application/vnd.oasis.opendocument.spreadsheet', stored: true },
    {
      name: 'content.xml',
      content: `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet><table:table table:name="S"><table:table-row><table:table-cell office:value-type="string"><text:p>${paragraph}</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></office:body></office:document-content>`,
    },
  ]);

const FONTS = '<w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/>';
const SUP = '<w:vertAlign w:val="superscript"/>';

describe('signs of symbol fonts', () => {
  it.each<[what: string, reader: Reader, content: string | Uint8Array, text: string]>([
    [
      'DOCX as elements',
      readDocx,
      word(
        `${run('Dose ')}<w:r><w:sym w:font="Symbol" w:char="F0A3"/></w:r>${run(' 5 mg ')}<w:r><w:sym w:font="Wingdings" w:char="F0FC"/></w:r>`,
      ),
      'Dose ≤ 5 mg ✓',
    ],
    [
      'DOCX in runs of the font',
      readDocx,
      word(run('Load ') + run('\uf0b3', FONTS) + run(' 4 k') + run('W', FONTS)),
      'Load ≥ 4 kΩ',
    ],
    [
      'DOCX by the style of a run',
      readDocx,
      word(
        run('Tolerance ') + run('\uf0b1', '<w:rStyle w:val="S"/>') + run('2'),
        `<w:style w:type="character" w:styleId="S"><w:name w:val="Sign"/><w:rPr>${FONTS}</w:rPr></w:style>`,
      ),
      'Tolerance ±2',
    ],
    [
      'DOCX as fields',
      readDocx,
      word(
        `${run('x ')}<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> SYMBOL 179 \\f "Symbol" \\s 11 </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>${run(' 7')}`,
      ),
      'x ≥ 7',
    ],
    [
      'ODT',
      readOdt,
      open(
        `Dose ${span('\uf0a3', 'T1')} 5 mg ${span('\uf0fe', 'T2')}`,
        '<style:font-face style:name="Symbol1" svg:font-family="Symbol"/>' +
          textStyle('T1', 'style:font-name="Symbol1"') +
          textStyle('T2', 'fo:font-family="Wingdings"'),
      ),
      'Dose ≤ 5 mg ☑',
    ],
    [
      'RTF as bytes',
      readRtf,
      rtf(String.raw`Dose {\f1\'a3} 5 mg, {\f1 W}, {\f2\'fc}`),
      'Dose ≤ 5 mg, Ω, ✓',
    ],
    [
      'RTF in the private use area',
      readRtf,
      rtf(String.raw`Heat \f1\u-3919?\f0 2 \f1\u-3920?\f0 C {\f2\u-3844?}`),
      'Heat ±2 °C ✓',
    ],
    [
      'PPTX',
      readPptx,
      slide(
        slideRun('Dose ', '>') +
          slideRun('\uf0a3', '><a:latin typeface="Symbol"/><a:sym typeface="Symbol"/>') +
          slideRun(' 5 mg ', '>') +
          slideRun('à', '><a:sym typeface="Wingdings"/>') +
          slideRun(' voilà \uf0fc', '><a:sym typeface="Wingdings"/>'),
      ),
      'Dose ≤ 5 mg → voilà ✓',
    ],
    [
      'HTML',
      readHtml,
      '<main><p>Dose <font face="Symbol">&pound;</font> 5 mg, <span style="font-family: Symbol">m</span>m, <span style="font-family:Wingdings;color:red">ü</span></p></main>',
      'Dose ≤ 5 mg, μm, ✓',
    ],
    [
      'HTML that is set in letters within',
      readHtml,
      '<main><p><font face="Symbol">a <font face="Arial">a</font> b</font> a</p></main>',
      'α a β a',
    ],
    ['XLSX', readXlsx, sheet(sheetRun('x ') + sheetRun('£', '<rFont val="Symbol"/>')), 'x ≤'],
  ])('of %s are read', async (_, reader, content, text) => {
    expect((await readLines(reader, content)).at(-1)).toContain(text);
  });

  it('leave out signs of other fonts in the private use area', async () => {
    expect(
      await readLines(readDocx, word(run('Call \uf095 us', '<w:rFonts w:ascii="Icons"/>'))),
    ).toEqual(['Call us']);
  });
});

describe('raised and lowered text', () => {
  it.each<[what: string, reader: Reader, content: string | Uint8Array]>([
    [
      'DOCX',
      readDocx,
      word(
        run('10') +
          run('6', SUP) +
          run(' cells, H') +
          run('2', '<w:vertAlign w:val="subscript"/>') +
          run('O, 24') +
          run('1', SUP) +
          run(' months'),
      ),
    ],
    [
      'DOCX by the style of a run',
      readDocx,
      word(
        run('10') +
          run('6', '<w:rStyle w:val="Up"/>') +
          run(' cells, H') +
          run('2', '<w:rStyle w:val="Down"/>') +
          run('O, 24') +
          run('1', '<w:rStyle w:val="Up"/>') +
          run(' months'),
        `<w:style w:styleId="Up"><w:rPr>${SUP}</w:rPr></w:style><w:style w:styleId="Down"><w:rPr><w:vertAlign w:val="subscript"/></w:rPr></w:style>`,
      ),
    ],
    [
      'ODT',
      readOdt,
      open(
        `10${span('6', 'U')} cells, H${span('2', 'D')}O, 24${span('1', 'P')} months`,
        textStyle('U', 'style:text-position="super 58%"') +
          textStyle('D', 'style:text-position="-33% 58%"') +
          textStyle('P', 'style:text-position="33% 58%"'),
      ),
    ],
    ['RTF', readRtf, rtf(String.raw`10{\super 6} cells, H\sub 2\nosupersub O, 24{\up6 1} months`)],
    [
      'PPTX',
      readPptx,
      slide(
        slideRun('10', '>') +
          slideRun('6', 'baseline="30000">') +
          slideRun(' cells, H', '>') +
          slideRun('2', 'baseline="-25000">') +
          slideRun('O, 24', '>') +
          slideRun('1', 'baseline="30000">') +
          slideRun(' months', '>'),
      ),
    ],
    [
      'HTML',
      readHtml,
      '<main><p>10<sup>6</sup> cells, H<sub>2</sub>O, 24<sup>1</sup> months</p></main>',
    ],
    [
      'HTML by CSS',
      readHtml,
      '<main><p>10<span style="vertical-align:super">6</span> cells, H<span style="font-size:8pt; vertical-align: sub">2</span>O, 24<sup><i>1</i></sup> months</p></main>',
    ],
    [
      'EPUB',
      readEpub,
      epub([
        { title: 'T', body: '<p>10<sup>6</sup> cells, H<sub>2</sub>O, 24<sup>1</sup> months</p>' },
      ]),
    ],
    [
      'Markdown',
      readMarkdown,
      '10<sup>6</sup> cells, H<sub>2</sub>O, 24<sup class="fn">1</sup> months',
    ],
    [
      'XLSX',
      readXlsx,
      sheet(
        sheetRun('10') +
          sheetRun('6', '<vertAlign val="superscript"/>') +
          sheetRun(' cells, H') +
          sheetRun('2', '<vertAlign val="subscript"/>') +
          sheetRun('O, 24') +
          sheetRun('1', '<vertAlign val="superscript"/>') +
          sheetRun(' months'),
      ),
    ],
    [
      'ODS',
      readOds,
      ods(
        `10${span('6', 'U')} cells, H${span('2', 'D')}O, 24${span('1', 'U')} months`,
        textStyle('U', 'style:text-position="super 58%"') +
          textStyle('D', 'style:text-position="sub 58%"'),
      ),
    ],
  ])('of %s is read', async (_, reader, content) => {
    expect((await readLines(reader, content)).at(-1)).toContain('10⁶ cells, H₂O, 24¹ months');
  });

  it('stays raised in a paragraph of several runs, and ends with it', async () => {
    const text = run('10') + run('1', SUP) + run('2', SUP) + run(' m');
    expect(await readLines(readDocx, word(text))).toEqual(['10¹² m']);
  });
});
