import { crc32, deflateRawSync } from 'node:zlib';
import type { Client, Document, Problem } from './client.js';

/** Files as people upload them, and as they should not. */

export interface ZipEntry {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** What the directory says, if not the truth. */
  readonly declaredSize?: number;
  /** Whether it says that it is encrypted. */
  readonly encrypted?: boolean;
  /** Whether it stands in the archive uncompressed. */
  readonly stored?: boolean;
}

export function zip(entries: readonly ZipEntry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, declaredSize, encrypted, stored } of entries) {
    const bytes = Buffer.from(content);
    const packed = stored ? bytes : deflateRawSync(bytes, { level: 9 });
    const fileName = Buffer.from(name);
    const header = Buffer.alloc(26);
    header.writeUInt16LE(20, 0);
    header.writeUInt16LE(encrypted ? 0x801 : 0x800, 2);
    header.writeUInt16LE(stored ? 0 : 8, 4);
    header.writeUInt32LE(crc32(bytes), 10);
    header.writeUInt32LE(packed.length, 14);
    header.writeUInt32LE(declaredSize ?? bytes.length, 18);
    header.writeUInt16LE(fileName.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), header, fileName, packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    const version = Buffer.from([20, 0]);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02'), version, header, place, fileName]));
    files.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...files, central, Buffer.from('PK\x05\x06'), end]);
}

const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

/** A paragraph of WordprocessingML; with a style such as `Heading1` it is a heading. */
export const paragraph = (text: string, style?: string) =>
  `<w:p>${style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : ''}<w:r><w:t>${text}</w:t></w:r></w:p>`;

/** @param body WordprocessingML */
export const documentXml = (body: string) =>
  `${XML}<w:document xmlns:w="${W}"><w:body>${body}</w:body></w:document>`;

export function docx(document: string | Uint8Array, more: readonly ZipEntry[] = []): Buffer {
  const style = (name: string, level: number) =>
    `<w:style w:type="paragraph" w:styleId="${name}"><w:name w:val="heading ${level}"/></w:style>`;
  return zip([
    {
      name: '[Content_Types].xml',
      content: `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    },
    {
      name: '_rels/.rels',
      content: `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    },
    {
      name: 'word/styles.xml',
      content: `${XML}<w:styles xmlns:w="${W}">${style('Heading1', 1)}${style('Heading2', 2)}</w:styles>`,
    },
    { name: 'word/document.xml', content: document },
    ...more,
  ]);
}

/** A file to upload: its name, its bytes, what the client says that it is. */
export interface Upload {
  readonly name: string;
  readonly bytes: string | Uint8Array;
  readonly type?: string;
}

export async function uploadFile(
  client: Client,
  kbId: string,
  { name, bytes, type }: Upload,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
) {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.append('file', new Blob([bytes], type === undefined ? {} : { type }), name);
  return sendForm(client, kbId, form, headers);
}

export async function sendForm(
  client: Client,
  kbId: string,
  form: FormData,
  headers: Record<string, string> = {},
) {
  const encoded = new Response(form);
  const body = new Uint8Array(await encoded.arrayBuffer());
  return client.post<Document & Problem>(`/kbs/${kbId}/documents`, body, {
    'content-type': encoded.headers.get('content-type') ?? '',
    ...headers,
  });
}
