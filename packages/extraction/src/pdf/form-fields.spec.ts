import { describe, expect, it } from '@jest/globals';
import { pdf } from '../../../../test/support/pdf.mjs';
import { at, read, getTexts } from '../../test/pdf-lines.js';

/** A field of a form, 20 points high, its middle on the baseline of a line beside it. */
const field = (left: number, middle: number, entries: string, subtype = 'Widget') =>
  `<< /Type /Annot /Subtype /${subtype} /Rect [${left} ${middle - 10} ${left + 200} ${middle + 10}] ${entries} >>`;

async function textOfForm(page: string, fields: readonly string[]): Promise<string> {
  const numbers = fields.map((_, index) => `${index + 4} 0 R`).join(' ');
  const file = pdf([page], { objects: fields, entries: `/Annots [${numbers}]` });
  return getTexts((await read(file)).blocks).join(' ');
}

describe('a form in a PDF', () => {
  it('has what was filled in beside the words that ask for it', async () => {
    const page =
      at(72, 700, 'Name:') + at(72, 650, 'Reasons:') + at(72, 580, 'Paid') + at(72, 540, 'Sick');
    const text = await textOfForm(page, [
      field(150, 700, '/FT /Tx /V (Henrietta Lacks)'),
      field(150, 650, '/FT /Ch /V <FEFF004D006F00760069006E0067>'),
      field(150, 580, '/FT /Btn /V /Yes /AS /Yes'),
      field(150, 540, '/FT /Btn /AS /Off'),
    ]);
    expect(text).toBe('Name: Henrietta Lacks Reasons: Moving Paid ☒ Sick ☐');
  });

  it('has what a field has from the one that it is part of', async () => {
    const page = at(72, 700, 'Name:') + at(72, 650, 'Password:') + at(72, 600, 'Paid');
    const part = (middle: number, parent: number, entries = '') =>
      field(150, middle, `/Parent ${parent} 0 R ${entries}`);
    const objects = [
      ...[part(700, 7), part(650, 8), part(600, 9, '/AS /Yes')],
      '<< /T (a) /FT /Tx /V (Henrietta Lacks) /Kids [4 0 R] >>',
      `<< /T (b) /FT /Tx /V (hunter2) /Ff ${1 << 13} /Kids [5 0 R] >>`,
      '<< /T (c) /FT /Btn /V /Yes /Kids [6 0 R] >>',
    ];
    const file = pdf([page], {
      objects,
      entries: '/Annots [4 0 R 5 0 R 6 0 R]',
      catalog: '/AcroForm << /Fields [7 0 R 8 0 R 9 0 R] >>',
    });
    const text = getTexts((await read(file)).blocks).join(' ');
    expect(text).toBe('Name: Henrietta Lacks Password: Paid ☒');
  });

  it('has the lines of a large field, and texts that were put onto the page', async () => {
    const text = await textOfForm(at(72, 700, 'Remarks'), [
      field(72, 650, '/FT /Tx /V (First line\\rSecond line)'),
      field(72, 500, '/Contents (Approved by the board)', 'FreeText'),
    ]);
    expect(text).toBe('Remarks First line Second line Approved by the board');
  });

  it('shows no password, nothing hidden, and no button that is only pressed', async () => {
    const text = await textOfForm(at(72, 700, 'Name:'), [
      field(150, 700, `/FT /Tx /V (hunter2) /Ff ${1 << 13}`),
      field(150, 650, '/FT /Tx /V (hidden) /F 2'),
      field(150, 600, `/FT /Btn /Ff ${1 << 16}`),
      field(150, 550, '/Contents (A remark beside the text)', 'Text'),
    ]);
    expect(text).toBe('Name:');
  });
});
