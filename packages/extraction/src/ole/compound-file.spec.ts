import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { docx, documentXml, paragraph } from '../../../../test/support/files.js';
import { outline, read } from '../../test/reading.js';
import { detectFileType } from '../detect-type.js';
import { DOC, DOCX, MSG, XLS, XLSX } from '../formats.js';
import { readDoc, readXls } from '../read-legacy-office.js';
import { readDocx } from '../read-docx.js';
import { readMsg } from '../read-msg.js';

const real = (name: string) => readFileSync(new URL(`../../test/files/${name}`, import.meta.url));
const detectType = (content: Buffer, name = '') =>
  detectFileType({
    name,
    declaredType: '',
    sample: content.subarray(0, 65_536),
    readAt: (position, length) => Promise.resolve(content.subarray(position, position + length)),
    partNames: () => {
      throw new Error('It is no archive.');
    },
  });

describe(detectFileType.name, () => {
  it.each([
    ['lamp.msg', MSG],
    ['returns.doc', DOC],
    ['stock.xls', XLS],
    ['locked.docx', DOCX],
  ])('tells that of %s by what stands in its root', async (name, type) => {
    expect(await detectType(real(name), name)).toBe(type);
  });

  it('takes the kind of an encrypted document from its name', async () => {
    expect(await detectType(real('locked.docx'), 'stock.XLSX')).toBe(XLSX);
  });

  it('ends with any directory', async () => {
    const file = real('returns.doc');
    for (let at = 0; at < file.length; at += 97) {
      const broken = Buffer.from(file);
      broken.fill(at % 251, at, at + 8);
      await detectType(broken);
      await detectType(file.subarray(0, at));
    }
  });
});

describe(readMsg.name, () => {
  it('reads a mail of Outlook with its attachments', async () => {
    expect(outline((await read(readMsg, real('lamp.msg'))).blocks)).toEqual([
      '# A broken lamp',
      'From: Jane Doe <jane@example.com>\nTo: Shop <shop@example.com>\nDate: 2026-03-02 10:31 UTC',
      'It is broken.',
      'Please send another to Zürich.',
      '## orders.csv',
      '[Order | Days]',
      '| 1234 | 9',
    ]);
  });

  it('refuses one that is cut off', async () => {
    const content = real('lamp.msg').subarray(0, 1000);
    await expect(read(readMsg, content)).rejects.toMatchObject({ code: 'parse_failed' });
  });
});

describe('an encrypted document', () => {
  const doc = real('returns.doc');
  // The flags of the first record of the stream `WordDocument`.
  const flags = doc.indexOf(Buffer.from('eca5', 'hex')) + 10;
  const locked = Buffer.from(doc);
  locked.writeUInt16LE(locked.readUInt16LE(flags) | 0x100, flags);

  it.each([
    ['DOCX', readDocx, real('locked.docx')],
    ['DOC', readDoc, locked],
  ])('of %s says so', async (_, reader, content) => {
    await expect(read(reader, content)).rejects.toMatchObject({ code: 'encrypted' });
  });

  it('is not what a damaged one is', async () => {
    const content = docx(documentXml(paragraph('Hi'))).subarray(0, 500);
    await expect(read(readDocx, content)).rejects.toMatchObject({ code: 'parse_failed' });
    await expect(read(readXls, Buffer.from('no workbook'))).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:parse_failed|unsupported_type)$/),
    });
  });
});
