import { describe, expect, it } from '@jest/globals';
import {
  docx,
  documentXml,
  paragraph,
  zip,
  type ZipEntry,
} from '../../../../test/support/files.js';
import { relationships } from '../../../../test/support/office-files.js';
import { outline, read } from '../../test/reading.js';
import { readDocx } from '../read-docx.js';

const AROUND = (inside: string) => paragraph('Before.') + inside + paragraph('After.');
const CHUNK = '<w:altChunk r:id="r1"/>';

/** A document whose relationships `r1`, `r2` … are these parts of `word/`. */
async function of(body: string, parts: readonly (readonly [type: string, part: ZipEntry])[]) {
  const bytes = docx(documentXml(body), [
    relationships(
      'word/document.xml',
      parts.map(([type, { name }]) => [type, name.replace('word/', '')]),
    ),
    ...parts.map(([, part]) => part),
  ]);
  const { blocks, warnings } = await read(readDocx, bytes);
  return { lines: outline(blocks), warnings };
}

const chunk = (name: string, content: string | Buffer): [string, ZipEntry] => [
  'aFChunk',
  { name: `word/${name}`, content },
];

const MHT = [
  'MIME-Version: 1.0',
  'Content-Type: multipart/related; boundary="x"',
  '',
  '--x',
  'Content-Type: text/html; charset="utf-8"',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  '<html><body><h1>Terms</h1><p>Notice is six=20weeks.</p></body></html>',
  '--x--',
].join('\r\n');

const chartXml = (value: string) =>
  `<c:chartSpace><c:chart><c:plotArea><c:barChart><c:ser><c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>Revenue</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache><c:pt idx="0"><c:v>2025</c:v></c:pt></c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache><c:pt idx="0"><c:v>${value}</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>`;
const drawing = (inside: string) =>
  `<w:p><w:r><w:drawing><a:graphic><a:graphicData>${inside}</a:graphicData></a:graphic></w:drawing></w:r></w:p>`;

describe('a document in a DOCX', () => {
  it.each<[what: string, part: [string, ZipEntry], lines: string[]]>([
    [
      'HTML',
      chunk('a.html', '<html><body><h1>Terms</h1><p>14 days.</p></body></html>'),
      ['# Terms', '14 days.'],
    ],
    ['HTML without a name that says so', chunk('a.dat', '<p>14 days.</p>'), ['14 days.']],
    ['text', chunk('a.txt', 'Grüße – 14 days.'), ['Grüße – 14 days.']],
    ['RTF', chunk('a.rtf', String.raw`{\rtf1\ansi 14 \b days\b0.\par}`), ['14 days.']],
    ['a saved page', chunk('a.mht', MHT), ['# Terms', 'Notice is six weeks.']],
    ['DOCX', chunk('a.docx', docx(documentXml(paragraph('14 days.')))), ['14 days.']],
    [
      'DOCX in DOCX',
      chunk(
        'a.docx',
        docx(documentXml(CHUNK), [
          relationships('word/document.xml', [['aFChunk', 'b.html']]),
          { name: 'word/b.html', content: '<p>14 days.</p>' },
        ]),
      ),
      ['14 days.'],
    ],
  ])('is read as %s, where it stands', async (_, part, lines) => {
    expect(await of(AROUND(CHUNK), [part])).toEqual({
      lines: ['Before.', ...lines, 'After.'],
      warnings: [],
    });
    expect((await of(CHUNK, [part])).lines).toEqual(lines);
  });

  it('stands behind the table in which it is', async () => {
    const table = `<w:tbl><w:tr><w:tc>${paragraph('Row')}</w:tc><w:tc>${CHUNK}${paragraph('1')}</w:tc></w:tr></w:tbl>`;
    const { lines } = await of(table, [chunk('a.html', '<p>14 days.</p>')]);
    expect(lines).toEqual(['| Row | 1', '14 days.']);
  });

  it.each<[what: string, parts: [string, ZipEntry][]]>([
    ['of another format', [chunk('a.bin', Buffer.from([1, 2, 3]))]],
    ['that is damaged', [chunk('a.docx', Buffer.from('PK\x03\x04 what'))]],
    ['that is missing', []],
  ])('%s is left out, and a warning says so', async (_, parts) => {
    expect(await of(AROUND(CHUNK), parts)).toEqual({
      lines: ['Before.', 'After.'],
      warnings: [{ code: 'not_read', what: 'embedded chunk' }],
    });
  });

  it('is read a hundred times at most, however they stand in each other', async () => {
    const { lines, warnings } = await of(CHUNK.repeat(150), [chunk('a.html', '<p>14 days.</p>')]);
    expect(lines).toHaveLength(100);
    expect(warnings).toContainEqual({ code: 'not_read', what: 'embedded chunk' });
    // Each has the one before twice.
    let inner: Buffer = zip([{ name: 'word/document.xml', content: documentXml(paragraph('x')) }]);
    for (let depth = 0; depth < 12; depth++) {
      inner = docx(documentXml(CHUNK + CHUNK), [
        relationships('word/document.xml', [['aFChunk', 'a.docx']]),
        { name: 'word/a.docx', content: inner },
      ]);
    }
    expect(outline((await read(readDocx, inner)).blocks).length).toBeLessThan(100);
  });
});

describe('a drawing in a DOCX', () => {
  it('has the values of its chart and the text of its diagram, where they stand', async () => {
    const body = AROUND(drawing('<c:chart r:id="r1"/>') + drawing('<dgm:relIds r:dm="r2"/>'));
    const diagram =
      '<dgm:dataModel><dgm:ptLst><dgm:pt><dgm:t><a:p><a:r><a:t>Head of sales: Ida Moe</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>';
    const { lines, warnings } = await of(body, [
      ['chart', { name: 'word/charts/chart1.xml', content: chartXml('410') }],
      ['diagramData', { name: 'word/diagrams/data1.xml', content: diagram }],
    ]);
    expect(lines).toEqual([
      'Before.',
      '[ | Revenue]',
      '| 2025 | 410',
      'Head of sales: Ida Moe',
      'After.',
    ]);
    expect(warnings).toEqual([]);
  });

  it.each<[what: string, inside: string, content: string, name: string]>([
    ['a chart without values', '<c:chart r:id="r1"/>', '<c:chartSpace/>', 'chart'],
    ['a chart of a newer kind', '<cx:chart r:id="r1"/>', '<cx:chartSpace/>', 'chart'],
    ['a damaged chart', '<c:chart r:id="r1"/>', '<c:chartSpace', 'chart'],
    ['an empty diagram', '<dgm:relIds r:dm="r1"/>', '<dgm:dataModel/>', 'SmartArt'],
  ])('that is %s has a warning', async (_, inside, content, what) => {
    expect(
      await of(AROUND(drawing(inside)), [['chart', { name: 'word/charts/c.xml', content }]]),
    ).toEqual({ lines: ['Before.', 'After.'], warnings: [{ code: 'not_read', what }] });
  });
});
