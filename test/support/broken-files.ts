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

/** Of each format with pages, parts or pixels. */
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
  ];
}
