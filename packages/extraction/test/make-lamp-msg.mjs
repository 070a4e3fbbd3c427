// Writes files/lamp.msg, a mail of nobody, in the container of Outlook: node packages/extraction/test/make-lamp-msg.mjs
import { Buffer } from 'node:buffer';
import { writeFileSync } from 'node:fs';
import { burn } from '@kenjiuno/msgreader/lib/Burner.js';

const [DIRECTORY, DOCUMENT, ROOT] = [1, 2, 5];
/** From 1601 to 1970, in 100 ns. */
const FILETIME_EPOCH = 116_444_736_000_000_000n;

/** @type {import('@kenjiuno/msgreader/lib/Burner.js').Entry[]} */
const entries = [];

/**
 * @param {string} name
 * @param {number[]} children
 * @param {number} [type]
 */
function folder(name, children, type = DIRECTORY) {
  return entries.push({ name, type, length: 0, children }) - 1;
}

/**
 * @param {string} name
 * @param {Buffer} content
 */
function stream(name, content) {
  const entry = {
    name,
    type: DOCUMENT,
    length: content.length,
    binaryProvider: () => Uint8Array.from(content),
  };
  return entries.push(entry) - 1;
}

/** @param {Record<string, string | Buffer>} values by the number of the property, in hexadecimal digits */
const streamsOf = (values) =>
  Object.entries(values).map(([property, value]) =>
    typeof value === 'string'
      ? stream(`__substg1.0_${property}001F`, Buffer.from(value, 'utf16le'))
      : stream(`__substg1.0_${property}0102`, value),
  );

/**
 * @param {number} headerBytes
 * @param {[tag: number, value: bigint][]} properties
 */
function propertiesOf(headerBytes, properties) {
  const content = Buffer.alloc(headerBytes + 16 * properties.length);
  for (const [index, [tag, value]] of properties.entries()) {
    const at = headerBytes + 16 * index;
    content.writeUInt32LE(tag, at);
    content.writeUInt32LE(6, at + 4);
    content.writeBigUInt64LE(value, at + 8);
  }
  return stream('__properties_version1.0', content);
}

/** @param {string} at */
const fileTime = (at) => BigInt(Date.parse(at)) * 10_000n + FILETIME_EPOCH;

// The root is the first entry, and its children are known last.
folder('Root Entry', [], ROOT);
const html =
  '<html><body><p>It is <b>broken</b>.</p><p>Please send another to Zürich.</p></body></html>';
const recipient = folder('__recip_version1.0_#00000000', [
  propertiesOf(8, [[0x0c15_0003, 1n]]),
  ...streamsOf({ 3001: 'Shop', 3002: 'SMTP', 3003: 'shop@example.com' }),
]);
const attachment = folder('__attach_version1.0_#00000000', [
  propertiesOf(8, [[0x3705_0003, 1n]]),
  ...streamsOf({
    3001: 'orders.csv',
    3701: Buffer.from('Order;Days\n1234;9\n'),
    3704: 'orders.csv',
    3707: 'orders.csv',
  }),
]);
entries[0] = {
  name: 'Root Entry',
  type: ROOT,
  length: 0,
  children: [
    propertiesOf(32, [
      [0x0e06_0040, fileTime('2026-03-02T10:31:00Z')],
      [0x0039_0040, fileTime('2026-03-02T10:30:00Z')],
    ]),
    ...streamsOf({
      '001A': 'IPM.Note',
      '0037': 'A broken lamp',
      '0C1A': 'Jane Doe',
      '0C1E': 'SMTP',
      '0C1F': 'jane@example.com',
      1000: 'It is broken.\r\nPlease send another.',
      1013: Buffer.from(html, 'latin1'),
    }),
    recipient,
    attachment,
  ],
};
writeFileSync(new URL('files/lamp.msg', import.meta.url), burn(entries));
