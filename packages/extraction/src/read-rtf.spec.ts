import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { outline, read } from '../test/reading.js';
import { readRtf } from './read-rtf.js';

const of = async (body: string) =>
  outline((await read(readRtf, Buffer.from(`{\\rtf1\\ansi ${body}}`, 'latin1'))).blocks);

describe(readRtf.name, () => {
  it('reads what LibreOffice has written', async () => {
    const file = readFileSync(new URL('../test/files/returns.rtf', import.meta.url));
    const lines = outline((await read(readRtf, file)).blocks);
    expect(lines).toEqual(
      expect.arrayContaining([
        '# 1 Returns',
        'Customers may return any order within thirty days. See our site.',
        '(note) Counted from the delivery.',
        '## 1.1 Steps',
        '1. Pack it.',
        '[Country | Days]',
        '| Iceland | 9',
        'A quotation – “Grüße” from Zürich.',
      ]),
    );
  });

  it.each([
    ['Western European text', String.raw`Gr\'fc\'dfe`, 'Grüße'],
    ['a code page', String.raw`\ansicpg1251 \'cf\'f0\'e8`, 'При'],
    [
      'the code page of a font',
      String.raw`{\fonttbl{\f1\fcharset128 MS;}}\f1 \'93\'fa\'96{`,
      '日本',
    ],
    [
      'a Western European font in a Russian document',
      String.raw`\ansicpg1251{\fonttbl{\f1\fcharset0 Arial;}}\f1 \'80 5`,
      '€ 5',
    ],
    ['Unicode with substitutes', String.raw`\uc1 \u8364?5 {\uc2\u26085\'93\'fa}x`, '€5 日x'],
    ['words for characters', String.raw`a\emdash b\~c\ldblquote d\rdblquote\{\}`, 'a—b c“d”{}'],
  ])('decodes %s', async (_, rtf, text) => {
    const closed = rtf.endsWith('{') ? `${rtf.slice(0, -1)}\\'7b` : rtf;
    expect(await of(closed)).toEqual([text]);
  });

  it('leaves out what is hidden, deleted, or for machines', async () => {
    const parts = [
      String.raw`{\info{\title x}}{\pict 89504e47}{\header Running head\par}`,
      String.raw`{\field{\*\fldinst HYPERLINK "https://a"}{\fldrslt A link}}{\v hidden}{\deleted gone}`,
      String.raw`{\*\unknown what}{\*\shppict{\pict 00}}. End{\bin4 {{{{}.`,
    ];
    expect(await of(parts.join(''))).toEqual(['A link. End.']);
  });

  it('knows headings by their styles', async () => {
    const styles = String.raw`{\stylesheet{\s0 Normal;}{\s1\b heading 1;}{\s2 Title;}}`;
    expect(
      await of(
        String.raw`${styles}\pard\s2 On lamps\par\pard\s1 Lamps\par\pard\s0 They shine.\par`,
      ),
    ).toEqual(['# On lamps', '# Lamps', 'They shine.']);
  });

  it('stands files of any form', async () => {
    expect(await of('}}}}a{\\cell\\row\\b')).toEqual(['a']);
    expect(await of(String.raw`\u99999999999? \uc99999 \u65?b \bin-5 c`)).toHaveLength(1);
    await expect(of('{'.repeat(100_000))).rejects.toMatchObject({ code: 'parse_failed' });
  });
});
