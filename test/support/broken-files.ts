import { docx, documentXml, paragraph } from './files.js';
import { epub, odt, pptx, relationships, shape, sheetData, xlsx } from './office-files.js';
import { pageOf, pdf } from './pdf.mjs';
import { noise } from './scans.js';

const OFFICE = 'application/vnd.openxmlformats-officedocument';

/** Numbers from 0 to below 1 that are the same at each run (mulberry32). */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A file that is cut off, has wrong bytes, or goes on as another one. */
export function broken(file: Buffer, other: Buffer, next: () => number): Buffer {
  const at = (length: number) => Math.floor(next() * length);
  switch (at(3)) {
    case 0:
      return file.subarray(0, at(file.length));
    case 1: {
      const copy = Buffer.from(file);
      for (let n = at(20); n >= 0; n--) copy[at(copy.length)] = at(256);
      return copy;
    }
    default:
      return Buffer.concat([file.subarray(0, at(file.length)), other.subarray(at(other.length))]);
  }
}

/** A text in each text format for which there is no file of a real program. */
const TEXTS: readonly (readonly [type: string, text: string])[] = [
  [
    'message/rfc822',
    [
      'From: a@example.com\nSubject: =?utf-8?q?Caf=C3=A9?=\nMIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html; charset=utf-8',
      'Content-Transfer-Encoding: quoted-printable\n\n<p>Gr=C3=BC=C3=9Fe</p>\n--b',
      'Content-Type: text/csv; name=a.csv\nContent-Disposition: attachment',
      'Content-Transfer-Encoding: base64\n\nSXRlbTtQcmljZQpTaG9lOzEyLjU=\n--b--\n',
    ].join('\n'),
  ],
  [
    'text/html',
    [
      '<!doctype html><html><head><title>T</title></head><body><main><h1>One</h1>',
      '<table><tr><th colspan="2">Item</th></tr><tr><td>Shoe</td><td>12.5</td></tr></table>',
      '<ul><li>A<ul><li>B</li></ul></li></ul><math><mfrac><mi>a</mi><mn>2</mn></mfrac></math>',
      '<pre>code</pre></main></body></html>',
    ].join('\n'),
  ],
  [
    'text/markdown',
    [
      '---\ntitle: T\n---\n\n# One\n\n| Item | Price |\n| --- | --- |\n| Shoe | 12.5 |\n\n- A',
      '  1. B[^1]\n\n```js\ncode\n```\n\n<Tip kind={{}}>**x**</Tip>\n\n[^1]: Note\n',
    ].join('\n'),
  ],
  ['text/csv', '"Item";"Price"\n"Shoe, ""A"", new";12,5\n"two\nlines";7\n'],
  ['application/json', '{"shop": {"city": "Berlin", "rows": [{"a": 1}, {"a": [null, true]}]}}'],
  [
    'text/vtt',
    'WEBVTT\n\nNOTE x\n\n1\n00:01.000 --> 00:04.000 align:start\n<v Jane>Hello <i>there</i>.</v>\n',
  ],
  ['application/x-subrip', '1\n00:00:01,000 --> 00:00:04,000\nHello there.\n'],
  ['text/plain', '\ufeffGrüße aus Köln\n\n1. Eins\n   2. Zwei\n\nTable:  a   b\n'],
];

/** A file of each format with pages, parts or pixels, and of each text format. */
export async function madeFiles(): Promise<(readonly [type: string, file: Buffer])[]> {
  const grains = noise(120);
  const picture = await grains.clone().png().toBuffer();
  const media = (part: string) => [
    relationships(part, [['image', 'media/a.png']]),
    { name: `${part.slice(0, part.lastIndexOf('/'))}/media/a.png`, content: picture },
  ];
  const blip = '<a:blip r:embed="r1"/>';
  const word = `${paragraph('Text')}<w:p><w:r><w:drawing>${blip}</w:drawing></w:r></w:p>`;
  const drawing = 'xl/drawings/a.xml';
  const sheet = {
    name: 'One',
    data: sheetData([
      ['Item', 'Price'],
      ['Shoe', 12.5],
    ]),
  };
  return [
    ['application/pdf', pdf([pageOf(['One', 'Two']), pageOf(['Three'])])],
    [`${OFFICE}.wordprocessingml.document`, docx(documentXml(word), media('word/document.xml'))],
    [
      `${OFFICE}.presentationml.presentation`,
      pptx([{ shapes: `${shape('title', ['T'])}${blip}` }], media('ppt/slides/slide1.xml')),
    ],
    [
      `${OFFICE}.spreadsheetml.sheet`,
      xlsx([sheet], { strings: ['a'], formats: ['0.00'] }, [
        relationships('xl/worksheets/sheet1.xml', [['drawing', '../drawings/a.xml']]),
        { name: drawing, content: `<wsDr><oneCellAnchor>${blip}</oneCellAnchor></wsDr>` },
        ...media(drawing),
      ]),
    ],
    [
      'application/vnd.oasis.opendocument.text',
      odt('<text:p>Text<draw:image xlink:href="Pictures/a.png"/></text:p>', '', [
        { name: 'Pictures/a.png', content: picture },
      ]),
    ],
    ['application/epub+zip', epub([{ title: 'One', body: '<p>Text</p><img src="a.png"/>' }])],
    ['image/png', picture],
    ['image/jpeg', await grains.clone().jpeg().toBuffer()],
    ['image/tiff', await grains.clone().tiff().toBuffer()],
    ['image/webp', await grains.clone().webp().toBuffer()],
    ...TEXTS.map(([type, text]) => [type, Buffer.from(text)] as const),
  ];
}
