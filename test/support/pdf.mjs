import { Buffer } from 'node:buffer';
import { deflateSync } from 'node:zlib';

/**
 * The stream of a page that shows lines of ASCII text.
 *
 * @param {readonly string[]} lines
 */
export const pageOf = (lines) =>
  `BT /F1 12 Tf 72 760 Td 14 TL ${lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj T*`).join(' ')} ET`;

/**
 * @param {readonly (string | Uint8Array)[]} pages their content streams, which are deflated
 * @param {object} options
 * @param {string} [options.trailer] goes into the trailer, such as `/Encrypt 4 0 R`
 * @param {number} [options.times] how often the pages come, all of them
 * @param {readonly string[]} [options.objects] from number 4 on
 * @param {string} [options.catalog] goes into the catalog, such as `/AcroForm 4 0 R`
 * @param {string} [options.entries] go into the dictionary of each page, such as `/Annots [4 0 R]`
 * @returns {Buffer}
 */
export function pdf(
  pages,
  { trailer = '', times = 1, objects = [], catalog = '', entries = '' } = {},
) {
  const first = 4 + objects.length;
  const kids = `${pages.map((_, n) => `${first + 2 * n} 0 R`).join(' ')} `.repeat(times);
  const bodies = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length * times} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...objects,
    ...pages.flatMap((content, n) => {
      const packed = deflateSync(Buffer.from(content), { level: 9 });
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${first + 2 * n + 1} 0 R ${entries} >>`,
        Buffer.concat([
          Buffer.from(`<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`),
          packed,
          Buffer.from('\nendstream'),
        ]),
      ];
    }),
  ];
  const parts = [Buffer.from('%PDF-1.4\n')];
  /** @type {number[]} */
  const offsets = [];
  let offset = Number(parts[0]?.length);
  for (const [index, body] of bodies.entries()) {
    const object = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(body),
      Buffer.from('\nendobj\n'),
    ]);
    offsets.push(offset);
    offset += object.length;
    parts.push(object);
  }
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  const size = bodies.length + 1;
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${offset}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(end)]);
}
