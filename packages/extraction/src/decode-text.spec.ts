import { describe, expect, it } from '@jest/globals';
import { decodeText } from './decode-text.js';
import { detectByBytes, findMarkedEncoding } from './marked-encoding.js';
import { Unreadable } from './unreadable.js';

const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const bytes = (...parts: (Uint8Array | number[])[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part)));

describe(decodeText.name, () => {
  it.each([
    ['UTF-8', Buffer.from('Größe: 5 €'), 'Größe: 5 €'],
    ['UTF-8 with a mark', bytes([0xef, 0xbb, 0xbf], Buffer.from('Größe')), 'Größe'],
    ['UTF-16LE', bytes([0xff, 0xfe], Buffer.from('Größe', 'utf16le')), 'Größe'],
    ['UTF-16BE', bytes([0xfe, 0xff], utf16be('Größe')), 'Größe'],
    ['UTF-16LE without a mark', Buffer.from('Größe: 5 €', 'utf16le'), 'Größe: 5 €'],
    ['UTF-16BE without a mark', utf16be('Возврат денег за заказ'), 'Возврат денег за заказ'],
    [
      'windows-1252 that says so',
      bytes(latin1('<meta charset="windows-1252">'), [0x80, 0x93, 0x85, 0x94]),
      '<meta charset="windows-1252">€“…”',
    ],
    [
      'ISO-8859-1, which browsers read as windows-1252',
      bytes(latin1('<?xml version="1.0" encoding="ISO-8859-1"?>'), [0x96, 0xe9]),
      '<?xml version="1.0" encoding="ISO-8859-1"?>–é',
    ],
    [
      'Latin-1 that looks like it',
      latin1('Die Größe der Räume ist für alle Gäste ausreichend, sagte der Wärter müde.'),
      'Die Größe der Räume ist für alle Gäste ausreichend, sagte der Wärter müde.',
    ],
    [
      'ISO-2022-JP, which is ASCII with escapes',
      bytes([0x1b, 0x24, 0x42, 0x46, 0x7c, 0x4b, 0x5c, 0x1b, 0x28, 0x42]),
      '日本',
    ],
  ])('reads %s', (_, content, text) => {
    expect(decodeText(content)).toBe(text);
  });

  it.each([
    ['UTF-8 that is cut off after a mark', bytes([0xef, 0xbb, 0xbf, 0xc3])],
    ['mostly UTF-8 with a wrong byte', bytes(Buffer.from('Größe, Käse, Öl'), [0xff])],
    ['an unknown encoding', bytes(latin1('<meta charset="klingon">'), [0xff])],
    ['control characters', bytes(latin1('<meta charset="windows-1252">'), [0xe9, 0x81])],
  ])('refuses %s', (_, content) => {
    expect(() => decodeText(content)).toThrow(Unreadable);
  });
});

describe(findMarkedEncoding.name, () => {
  it('knows no encoding without a mark', () => {
    expect(findMarkedEncoding(Buffer.from('Größe'))).toBeUndefined();
    expect(findMarkedEncoding(new Uint8Array())).toBeUndefined();
  });

  it('takes no other bytes for UTF-16', () => {
    for (const bytes of ['Hi\0', 'a\0b\0\0c', '\x01\0\x02\0\x03\0\x04\0']) {
      expect(detectByBytes(Buffer.from(bytes, 'latin1'))).toBeUndefined();
    }
  });
});
