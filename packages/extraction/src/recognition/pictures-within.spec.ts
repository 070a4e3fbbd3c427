import { beforeAll, describe, expect, it } from '@jest/globals';
import { docx, documentXml, paragraph, zip } from '../../../../test/support/files.js';
import {
  epub,
  odt,
  pptx,
  relationships,
  shape,
  sheetData,
  xlsx,
} from '../../../../test/support/office-files.js';
import { pageOf, pdf } from '../../../../test/support/pdf.mjs';
import { noise, scan } from '../../../../test/support/scans.js';
import { readTwice } from '../../test/reading-twice.js';
import { DOCX, EML, EPUB, HTML, ODP, ODS, ODT, PDF, PPTX, RTF, XLSX } from '../formats.js';

const NOTEBOOK = 'application/x-ipynb+json';

const LINES = ['Pressure relief valve opens', 'at four bar of pressure'];
const SEEN = LINES.join(' ');
const BLIP = '<a:blip r:embed="r1"/>';
/** Enough letters that the page counts as one with a text of its own. */
const prose = (...words: string[]) =>
  pageOf(words.map((word) => `This page has a text of its own about ${word} and more.`));

let picture: Buffer;
let icon: Buffer;
let grey: { data: Buffer; width: number; height: number };

beforeAll(async () => {
  const drawn = (await scan(LINES)).trim({ margin: 20 });
  picture = await drawn.clone().png().toBuffer();
  icon = await drawn.clone().resize(32, 32).png().toBuffer();
  const { data, info } = await drawn.extractChannel(0).raw().toBuffer({ resolveWithObject: true });
  grey = { data, width: info.width, height: info.height };
});

const IMAGE = '<draw:frame><draw:image xlink:href="Pictures/valve.png"/></draw:frame>';
/** The body of an OpenDocument file that has the picture. */
const openDocument = (kind: string, body: string) =>
  zip([
    {
      name: 'content.xml',
      content: `<office:document-content><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    },
    { name: 'Pictures/valve.png', content: picture },
  ]);
const withPicture = (blip: string) => `<w:p><w:r><w:drawing>${blip}</w:drawing></w:r></w:p>`;
const media = (part: string, content: Buffer) => [
  relationships(part, [['image', 'media/image1.png']]),
  { name: `${part.slice(0, part.lastIndexOf('/'))}/media/image1.png`, content },
];

describe('a picture in a document', () => {
  it.each([
    [
      'DOCX',
      DOCX,
      () =>
        docx(
          documentXml(`${paragraph('Before')}${withPicture(BLIP)}${paragraph('After')}`),
          media('word/document.xml', picture),
        ),
      ['Before', SEEN, 'After'],
    ],
    [
      'DOCX, in a cell',
      DOCX,
      () =>
        docx(
          documentXml(
            `<w:tbl><w:tr><w:tc>${paragraph('Valve')}</w:tc><w:tc>${paragraph('4')}${withPicture(BLIP)}</w:tc></w:tr></w:tbl>${paragraph('After')}`,
          ),
          media('word/document.xml', picture),
        ),
      ['| Valve | 4', SEEN, 'After'],
    ],
    [
      'PPTX',
      PPTX,
      () =>
        pptx(
          [{ shapes: `${shape('title', ['Valves'])}<p:pic>${BLIP}</p:pic>` }],
          media('ppt/slides/slide1.xml', picture),
        ),
      ['# Valves', SEEN],
    ],
    [
      'ODT',
      ODT,
      () =>
        odt(`<text:p>Before</text:p><text:p>${IMAGE}</text:p><text:p>After</text:p>`, '', [
          { name: 'Pictures/valve.png', content: picture },
        ]),
      ['Before', SEEN, 'After'],
    ],
    [
      'ODT, in a cell',
      ODT,
      () =>
        odt(
          `<table:table><table:table-row><table:table-cell><text:p>4</text:p><text:p>${IMAGE}</text:p></table:table-cell><table:table-cell><text:p>bar</text:p></table:table-cell></table:table-row></table:table><text:p>After</text:p>`,
          '',
          [{ name: 'Pictures/valve.png', content: picture }],
        ),
      ['| 4 | bar', SEEN, 'After'],
    ],
    [
      'XLSX',
      XLSX,
      () => {
        const anchor = (row: number, inside: string) =>
          `<xdr:twoCellAnchor><xdr:from><xdr:row>${row - 1}</xdr:row></xdr:from><xdr:to><xdr:row>90</xdr:row></xdr:to>${inside}</xdr:twoCellAnchor>`;
        return xlsx(
          [
            { name: 'Valves', data: sheetData([['Before'], [], [], [], ['After']]) },
            { name: 'Empty', data: '' },
          ],
          {},
          [
            ...[1, 2].map((n) =>
              relationships(`xl/worksheets/sheet${n}.xml`, [['drawing', '../drawings/a.xml']]),
            ),
            { name: 'xl/drawings/a.xml', content: `<xdr:wsDr>${anchor(1, BLIP)}</xdr:wsDr>` },
            relationships('xl/drawings/a.xml', [['image', '../media/a.png']]),
            { name: 'xl/media/a.png', content: picture },
          ],
        );
      },
      ['# Valves', 'Before', SEEN, 'After'],
    ],
    [
      'ODS',
      ODS,
      () => {
        const row = (cell: string) =>
          `<table:table-row><table:table-cell>${cell}</table:table-cell></table:table-row>`;
        const rows = [`${IMAGE}<text:p>Before</text:p>`, '', '<text:p>After</text:p>'].map(row);
        const sheet = (name: string, content: string) =>
          `<table:table table:name="${name}">${content}</table:table>`;
        const empty = `<table:shapes>${IMAGE}</table:shapes>`;
        return openDocument('spreadsheet', sheet('Valves', rows.join('')) + sheet('Empty', empty));
      },
      ['# Valves', 'Before', SEEN, 'After'],
    ],
    [
      'ODP',
      ODP,
      () =>
        openDocument(
          'presentation',
          `<draw:page>${IMAGE}</draw:page><draw:page>${IMAGE}</draw:page>`,
        ),
      ['# Slide 1', SEEN],
    ],
    [
      'RTF, also in a cell and as old programs have it',
      RTF,
      () => {
        const drawn = `{\\pict\\pngblip{\\*\\picprop{\\sn x}}\n${picture.toString('hex').replace(/.{120}/g, '$&\n')}}`;
        return Buffer.from(
          `{\\rtf1 Before\\par{\\*\\shppict${drawn}}{\\nonshppict${drawn}}\\par\\intbl 4${drawn}\\cell bar\\cell\\row\\pard After\\par}`,
        );
      },
      ['Before', SEEN, '| 4 | bar', 'After'],
    ],
    [
      'HTML',
      HTML,
      () => {
        const url = `data:image/png;base64,${picture.toString('base64')}`;
        return Buffer.from(
          `<main><p>Before</p><ul><li>One <img src="${url}"> point</li></ul><img src="${url}"><p>After</p></main>`,
        );
      },
      ['Before', '– One point', SEEN, 'After'],
    ],
    [
      'EPUB',
      EPUB,
      () =>
        epub(
          [{ title: 'Valves', body: '<p>Before</p><img src="../media/valve.png"/><p>After</p>' }],
          [{ name: 'book/media/valve.png', content: picture }],
        ),
      ['# Valves', 'Before', SEEN, 'After'],
    ],
    [
      'mail',
      EML,
      () => {
        const part = (headers: string, body: string) => `--b\r\n${headers}\r\n\r\n${body}\r\n`;
        const encoded = (content: Buffer, headers: string) =>
          part(`${headers}\r\nContent-Transfer-Encoding: base64`, content.toString('base64'));
        return Buffer.from(
          `From: a@example.com\r\nSubject: Valves\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n${part('Content-Type: text/html', '<p>Before</p><img src="cid:valve"><p>After</p>')}${encoded(picture, 'Content-Type: image/png\r\nContent-ID: <valve>')}${encoded(icon, 'Content-Type: image/png; name=icon.png\r\nContent-Disposition: attachment')}--b--\r\n`,
        );
      },
      ['# Valves', 'From: a@example.com', 'Before', SEEN, 'After', 'Attachments: icon.png'],
    ],
    [
      'scan attached to a mail',
      EML,
      () =>
        Buffer.from(
          `From: a@example.com\r\nSubject: Valves\r\nMIME-Version: 1.0\r\nContent-Type: application/pdf; name=scan.pdf\r\nContent-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\n${pdf([figure(40, 500, 530)]).toString('base64')}\r\n`,
        ),
      ['# Valves', 'From: a@example.com', '## scan.pdf', SEEN],
    ],
    [
      'picture in a ZIP that is attached to a mail',
      EML,
      () =>
        Buffer.from(
          `From: a@example.com\r\nSubject: Valves\r\nMIME-Version: 1.0\r\nContent-Type: application/zip; name=scans.zip\r\nContent-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\n${zip([{ name: 'scan.png', content: picture }]).toString('base64')}\r\n`,
        ),
      ['# Valves', 'From: a@example.com', '## scans.zip', '### scan.png', SEEN],
    ],
    [
      'notebook',
      NOTEBOOK,
      () => {
        const base64 = picture.toString('base64');
        const shown = (data: object) => ({ output_type: 'display_data', data });
        const outputs = [
          shown({ 'image/png': base64.replace(/.{76}/g, '$&\n') }),
          shown({ 'image/png': [base64.slice(0, 76), base64.slice(76)] }),
        ];
        const cells = [
          { cell_type: 'code', source: 'draw()', outputs },
          { cell_type: 'markdown', source: 'After' },
        ];
        return Buffer.from(JSON.stringify({ nbformat: 4, cells }));
      },
      ['(code) draw()', SEEN, 'After'],
    ],
    [
      'PDF',
      PDF,
      () =>
        pdf([
          `${prose('valves', 'pumps', 'pipes')} ${figure(72, 300, 300)}`,
          `${prose('heat', 'cold', 'frost')} ${figure(72, 300, 300)}`,
        ]),
      [expect.stringContaining('valves'), SEEN, expect.stringContaining('frost')],
    ],
  ])(
    'of the format %s is recognised once, and stands where it stood',
    async (_, type, file, expected) => {
      const { before, after } = await readTwice(type, file());
      const lines = after.blocks.map((line) => line.replaceAll('\n', ' '));
      expect(lines).toEqual(expected);
      expect(before.wanted).toHaveLength(1);
      expect(before.warnings).toEqual([
        { code: 'recognition_pending', message: expect.any(String) },
      ]);
      expect(after.wanted).toEqual([]);
      expect(after.warnings).toEqual([
        { code: 'recognised', message: expect.any(String), confidence: expect.any(Number) },
      ]);
    },
  );

  it('is left out while recognition is off', async () => {
    const file = docx(
      documentXml(`${paragraph('Before')}${withPicture(BLIP)}`),
      media('word/document.xml', picture),
    );
    const { before } = await readTwice(DOCX, file, 'off');
    expect(before).toEqual({ blocks: ['Before'], warnings: [], wanted: [] });
  });

  it.each([
    ['too small for words', () => Promise.resolve(icon)],
    ['damaged', () => Promise.resolve(picture.subarray(0, 60))],
    [
      'a vector graphic',
      () => Promise.resolve(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
    ],
  ])('costs nothing when it is %s', async (_, content) => {
    const file = docx(documentXml(`${paragraph('Text')}${withPicture(BLIP)}`), [
      ...media('word/document.xml', await content()),
    ]);
    const { before } = await readTwice(DOCX, file);
    expect(before).toEqual({ blocks: ['Text'], warnings: [], wanted: [] });
  });

  it('adds nothing when it has no text', async () => {
    const stones = await noise(200).blur(3).png().toBuffer();
    const file = docx(documentXml(`${paragraph('Text')}${withPicture(BLIP)}`), [
      ...media('word/document.xml', stones),
    ]);
    const { after } = await readTwice(DOCX, file);
    expect(after).toEqual({ blocks: ['Text'], warnings: [], wanted: [] });
  });

  it('does not count as text that is too large', async () => {
    const large = Buffer.concat([picture, Buffer.alloc(130 * 1024 * 1024)]);
    const file = docx(documentXml(`${paragraph('Text')}${withPicture(BLIP)}`), [
      ...media('word/document.xml', large),
    ]);
    const { before } = await readTwice(DOCX, file);
    expect(before).toEqual({ blocks: ['Text'], warnings: [], wanted: [] });
  });
});

/** The content of a page that shows the picture in so many points of width, from the lower left corner. */
function figure(left: number, bottom: number, width: number): string {
  const { data, width: across, height: down } = grey;
  const height = (width * down) / across;
  const pixels = `${data.toString('hex').replace(/.{4000}/g, '$&\n')}>`;
  return `q ${width} 0 0 ${height} ${left} ${bottom} cm BI /W ${across} /H ${down} /CS /G /BPC 8 /F /AHx ID ${pixels} EI Q`;
}
