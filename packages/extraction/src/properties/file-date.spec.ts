import { describe, expect, it } from '@jest/globals';
import { zip } from '../../../../test/support/files.js';
import type { ReadingContext } from '../block.js';
import { DOCX, EML, EPUB, HTML, MARKDOWN, ODT, PDF, XLSX } from '../formats.js';
import { readFileDate } from './file-date.js';
import { readPartialDate } from './partial-date.js';

const CONTEXT = { progress: () => undefined, warn: () => undefined } as unknown as ReadingContext;
const read = (type: string, content: string | Uint8Array) =>
  readFileDate(type, typeof content === 'string' ? Buffer.from(content) : content, CONTEXT);

const core = (elements: string) =>
  zip([
    {
      name: 'docProps/core.xml',
      content: `<cp:coreProperties xmlns:cp="c" xmlns:dcterms="d">${elements}</cp:coreProperties>`,
    },
  ]);

describe(readFileDate.name, () => {
  it('reads when an Office document was changed last, else when it was made', async () => {
    const created = '<dcterms:created>2024-01-02T10:00:00Z</dcterms:created>';
    const modified = '<dcterms:modified>2025-03-01T23:30:00-05:00</dcterms:modified>';
    expect(await read(DOCX, core(created + modified))).toBe('2025-03-01');
    expect(await read(XLSX, core(created))).toBe('2024-01-02');
  });

  it('reads OpenDocument and EPUB', async () => {
    const meta =
      '<office:meta xmlns:office="o" xmlns:dc="d"><dc:date>2025-04-05T06:07:08</dc:date></office:meta>';
    expect(await read(ODT, zip([{ name: 'meta.xml', content: meta }]))).toBe('2025-04-05');
    const book =
      '<package xmlns:dc="d"><meta property="dcterms:modified">2026-01-01T00:00:00Z</meta><dc:date>2019-06</dc:date></package>';
    expect(await read(EPUB, zip([{ name: 'OEBPS/book.opf', content: book }]))).toBe('2019-06');
  });

  it('reads when a mail was sent', async () => {
    const mail = 'From: a@example.com\nDate: Tue, 01 Oct 2024 23:34:56 -0500\n\nDate: 2020-01-01';
    expect(await read(EML, mail)).toBe('2024-10-01');
  });

  it('reads the tags of a page, that of its last change first', async () => {
    const page = `<head><meta property="article:published_time" content="2023-02-03T04:05:06Z">
      <meta content='2024-05-06' name='dcterms.modified'></head>`;
    expect(await read(HTML, page)).toBe('2024-05-06');
    expect(await read(HTML, '<p>2024-05-06</p>')).toBeNull();
  });

  it('reads the front matter of Markdown', async () => {
    expect(await read(MARKDOWN, '---\ntitle: A\ndate: 2025-03-01\n---\ntext')).toBe('2025-03-01');
    expect(await read(MARKDOWN, '+++\ndate = "2025-03"\n+++\ntext')).toBe('2025-03');
    expect(await read(MARKDOWN, 'date: 2025-03-01')).toBeNull();
  });

  it('says nothing of a file that it cannot read', async () => {
    for (const type of [DOCX, PDF, EPUB, 'text/plain']) expect(await read(type, 'x')).toBeNull();
  });
});

describe(readPartialDate.name, () => {
  it.each([
    ["D:20250301120000+01'00'", '2025-03-01'],
    ['2025', '2025'],
    ['2025-03', '2025-03'],
    ['2025-02-30', undefined],
    ['2025-13', undefined],
    ['1980-01-01T00:00:00Z', undefined],
    ['2999-01-01', undefined],
    ['yesterday', undefined],
    ['', undefined],
  ])('reads “%s” as %s', (text, date) => {
    expect(readPartialDate(text)).toBe(date);
  });
});
