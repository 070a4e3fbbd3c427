import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { zip } from './files.js';
import { pageOf, pdf } from './pdf.mjs';

export const TEXT = 'Customers may return any order within 30 days.';

const PDF = 'application/pdf';
const MARK = Buffer.from('\ufeff\n');
const HEADER = Buffer.from('POST \xff\r\n', 'latin1');
const OFFICE = 'application/vnd.openxmlformats-officedocument';
const ODT = 'application/vnd.oasis.opendocument.text';
const part = (name: string) => zip([{ name, content: '<x/>' }]);
const odf = (type: string) => zip([{ name: 'mimetype', content: type, stored: true }]);

/** A part of a multipart body, as it is written, with `|` for the ends of lines. */
export const filePart = (name: string) =>
  `--x|Content-Disposition: form-data; name="file"; ${name}||${TEXT}|`;

type Bytes = string | Uint8Array;

/** Files, the type that their senders claim, and the one that their content has. */
export const TYPED_FILES: [
  what: string,
  name: string,
  bytes: Bytes,
  type: string | undefined,
  expected: string,
][] = [
  ['a PDF', 'notes.txt', pdf([pageOf(['Hi'])]), 'text/plain', 'application/pdf'],
  [
    'HTML',
    'page.txt',
    '<!-- x -->\n<!DOCTYPE html><html><p>Hi</p></html>',
    'text/plain',
    'text/html',
  ],
  ['HTML by its name', 'page.html', '<p>Hi</p>', undefined, 'text/html'],
  ['Markdown by its name', 'page.mdx', '# Hi', 'application/octet-stream', 'text/markdown'],
  ['Markdown as declared', 'page', '# Hi', 'text/markdown', 'text/markdown'],
  ['text', 'page.pdf', 'Hi', 'application/pdf', 'text/plain'],
  ['text about PDF', 'pdf.md', '# PDF\n\n%PDF-1.7 is its first line: é', '', 'text/markdown'],
  ['a PDF behind a mark', 'a', Buffer.concat([MARK, pdf([pageOf(['Hi'])])]), '', PDF],
  ['a PDF behind a header', 'a', Buffer.concat([HEADER, pdf([pageOf(['Hi'])])]), '', PDF],
  ['a DOCX', 'a.pptx', part('word/document.xml'), '', `${OFFICE}.wordprocessingml.document`],
  ['slides', 'a.docx', part('ppt/presentation.xml'), '', `${OFFICE}.presentationml.presentation`],
  ['a spreadsheet', 'a.docx', part('xl/workbook.xml'), '', `${OFFICE}.spreadsheetml.sheet`],
  ['a book', 'a.zip', odf('application/epub+zip'), '', 'application/epub+zip'],
  ['an OpenDocument text', 'a', odf(ODT), 'application/pdf', ODT],
  ['a mail', 'a.txt', 'From: a@b.c\nMIME-Version: 1.0\nSubject: Hi\n\nHi', '', 'message/rfc822'],
  ['text that begins like a mail', 'a.txt', 'From: me\nSubject: Hi\n\nHi', '', 'text/plain'],
  ['rich text', 'a.txt', '{\\rtf1 Hi}', '', 'application/rtf'],
  ['XML', 'a', '<?xml version="1.0"?><a>Hi</a>', '', 'application/xml'],
  ['CSV by its name', 'a.csv', 'a,b\n1,2', 'application/vnd.ms-excel', 'text/csv'],
  ['CSV as declared', 'a', 'a,b\n1,2', 'text/csv', 'text/csv'],
];

export const FILES_OF_OTHER_TYPES: [what: string, name: string, bytes: Bytes][] = [
  ['an archive without documents', 'a.zip', zip([{ name: 'a.bin', content: '\0' }])],
  ['a program', 'a.jar', zip([{ name: 'META-INF/MANIFEST.MF', content: 'Main: A' }])],
  ['a binary spreadsheet', 'a.xlsx', zip([{ name: 'xl/workbook.bin', content: 'x' }])],
  ['another OpenDocument', 'a.odt', odf('application/vnd.oasis.opendocument.graphics')],
  ['bytes of any kind', 'a.txt', randomBytes(5000)],
  ['PostScript', 'a.txt', '%!PS-Adobe-3.0\n(Hi) show'],
  ['text with NUL', 'a.txt', 'Hi\0'],
];

export const BAD_FIELDS: [field: string, fields: Record<string, string>][] = [
  ['colour', { colour: 'red' }],
  ['text', { text: 'Another text.' }],
  ['state', { state: 'deactivated' }],
  ['title', { title: ' ' }],
  ['title', { title: 'x'.repeat(501) }],
  ['title', { title: 'x'.repeat(100_000) }],
  ['metadata', { metadata: 'year' }],
  ['metadata', { metadata: '[1]' }],
  ['metadata', { metadata: '{"__proto__": {"polluted": true}}' }],
  ['metadata', { metadata: `${'{"a":'.repeat(40)}1${'}'.repeat(40)}` }],
  ['external_id', { external_id: '' }],
  ['source_url', { source_url: 'javascript:alert(1)' }],
  ['mime_type', { mime_type: 'application/pdf' }],
  ['on_duplicate', { on_duplicate: 'overwrite' }],
];

export const BAD_BODIES = [
  ['no file', '--x|Content-Disposition: form-data; name="title"||Hi|--x--|'],
  ['a file that is none', '--x|Content-Disposition: form-data; name="file"||Hi|--x--|'],
  ['two files', `${filePart('filename="a"')}${filePart('filename="b"')}--x--|`],
  ['a file of another name', `${filePart('filename="a"').replace('"file"', '"other"')}--x--|`],
  [
    'a field twice',
    `${'--x|Content-Disposition: form-data; name="title"||Hi|'.repeat(2)}${filePart('filename="a"')}--x--|`,
  ],
  [
    'a field called __proto__',
    `--x|Content-Disposition: form-data; name="__proto__"||Hi|${filePart('filename="a"')}--x--|`,
  ],
  ['its end missing', filePart('filename="a"')],
  ['another boundary', filePart('filename="a"').replaceAll('--x', '--y')],
  ['nothing', ''],
  ['JSON', '{"title":"Hi","text":"Hi"}'],
];

/**
 * Sends alice's file that does not end, until the connection is closed.
 *
 * @returns the status of the answer, which comes before
 */
export async function statusOfUnending(
  url: string,
  headers: OutgoingHttpHeaders,
): Promise<number | undefined> {
  const outgoing = request(url, {
    method: 'POST',
    headers: {
      'x-idp-user-id': 'alice',
      'content-type': 'multipart/form-data; boundary=x',
      ...headers,
    },
  });
  outgoing.on('error', () => undefined);
  outgoing.write(filePart('filename="a.txt"').replaceAll('|', '\r\n'));
  const sending = setInterval(() => outgoing.write('x'.repeat(64 * 1024)), 1);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  response.resume();
  await new Promise((resolve) => outgoing.once('close', resolve));
  clearInterval(sending);
  return response.statusCode;
}
