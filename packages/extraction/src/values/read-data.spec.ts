import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { outline, read } from '../../test/reading.js';
import { readJson } from './read-json.js';
import { readXmlDocument } from './read-xml-document.js';

const json = async (value: unknown) =>
  outline((await read(readJson, JSON.stringify(value))).blocks);
const xml = async (text: string) => outline((await read(readXmlDocument, text)).blocks);

describe(readJson.name, () => {
  it('says each value with its path', async () => {
    const shop = {
      name: 'Lamps',
      open: true,
      address: { city: 'Berlin', zip: 10115 },
      tags: ['a', 'b'],
    };
    expect(await json(shop)).toEqual([
      'name: Lamps\nopen: true\naddress › city: Berlin\naddress › zip: 10115\ntags: a, b',
    ]);
  });

  it('makes a table of records, and numbers those that are none', async () => {
    expect(
      await json({
        orders: [
          { id: 1, days: 9 },
          { id: 2, note: 'late' },
        ],
      }),
    ).toEqual(['(caption) orders', '[id | days | note]', '| 1 | 9 | ', '| 2 |  | late']);
    expect(
      await json([
        { id: 1, parts: [1, 2] },
        { id: 2, parts: [] },
      ]),
    ).toEqual(['[1] › id: 1\n[1] › parts: 1, 2', '[2] › id: 2']);
  });

  it('reads one value a line, and as text what is no JSON', async () => {
    expect(outline((await read(readJson, '{"a":1,"b":2}\n{"a":3,"b":4}\n')).blocks)).toEqual([
      '[a | b]',
      '| 1 | 2',
      '| 3 | 4',
    ]);
    expect(outline((await read(readJson, '// settings\n{a: 1}')).blocks)).toEqual([
      '// settings\n{a: 1}',
    ]);
  });

  it.each([
    [
      '[{"id":1098765432109876543,"sum":1.10},{"id":1098765432109876544,"sum":2.50}]',
      ['[id | sum]', '| 1098765432109876543 | 1.10', '| 1098765432109876544 | 2.50'],
    ],
    [
      '{"id":1098765432109876543,"x":-0.0}\n{"id":1098765432109876544,"x":1E5}',
      ['[id | x]', '| 1098765432109876543 | -0.0', '| 1098765432109876544 | 1E5'],
    ],
    [
      '{"rate":19.00,"big":123456789012345678901234567890,"text":"\\"1.10 \\\\","n":7}',
      ['rate: 19.00\nbig: 123456789012345678901234567890\ntext: "1.10 \\\nn: 7'],
    ],
  ])('has the digits of %s as they are written', async (text, lines) => {
    expect(outline((await read(readJson, text)).blocks)).toEqual(lines);
  });

  it('is read in linear time also where no text ends', async () => {
    const text = `{"a": ${'\\"'.repeat(500_000)}`;
    expect(outline((await read(readJson, text)).blocks)[0]).toMatch(/^\{"a"/);
  });

  it('refuses values that are nested too deeply, and repeats no long path', async () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    await expect(read(readJson, deep)).rejects.toMatchObject({ code: 'parse_failed' });
    const name = 'x'.repeat(100_000);
    const lines = await json({ [name]: { [name]: { a: 1 } } });
    expect(lines[0]?.length).toBeLessThan(300);
  });
});

describe(readXmlDocument.name, () => {
  it('reads an article with its title, authors, headings, lists, tables and notes', async () => {
    const file = readFileSync(new URL('../../test/files/jats.xml', import.meta.url));
    const lines = outline((await read(readXmlDocument, file)).blocks);
    expect(lines.slice(0, 6)).toEqual([
      '# Returns Handbook',
      'Jane Doe, Bob Roe',
      '## Abstract',
      'How parcels come back.',
      '## Returns',
      'Customers may return any order within thirty days. See our site.',
    ]);
    for (const line of ['### Steps', '1. Pack it.', '[Country | Days]', '| Iceland | 9']) {
      expect(lines).toContain(line);
    }
    expect(lines).toContain('Counted from the delivery.');
  });

  it('says each value of other documents with its path', async () => {
    const order = '<item sku="a1"><name>Lamp</name></item><item sku="b2"><name>Desk</name></item>';
    expect(
      await xml(
        `<?xml version="1.0"?><order xmlns="urn:x" id="7"><to>Jane <b>Doe</b></to>${order}</order>`,
      ),
    ).toEqual([
      'order › id: 7\norder › to: Jane Doe',
      '(caption) order › item',
      '[sku | name]',
      '| a1 | Lamp',
      '| b2 | Desk',
    ]);
  });

  const item = (title: string, description: string) =>
    `<rss><channel><item><title>${title}</title><description>${description}</description></item></channel></rss>`;
  it.each([
    [
      item('<![CDATA[Closed in August]]>', '<![CDATA[From 3 to 14 <August>.]]>'),
      [
        'rss › channel › item › title: Closed in August\nrss › channel › item › description: From 3 to 14 <August>.',
      ],
    ],
    [
      item(
        'Oslo <![CDATA[& Bergen]]>',
        '<![CDATA[<p>Closed<br>from <b>3</b> May.</p><ul><li>Call us</li></ul>]]>',
      ),
      [
        'rss › channel › item › title: Oslo & Bergen\nrss › channel › item › description: Closed from 3 May. Call us',
      ],
    ],
    [
      '<feed><entry><content type="html">&lt;p&gt;Open &amp;amp; warm&lt;/p&gt;</content></entry></feed>',
      ['feed › entry › content › type: html\nfeed › entry › content: Open & warm'],
    ],
    ['<a><b><![CDATA[one]]></b><b><![CDATA[two]]></b><c><![CDATA[]]></c></a>', ['a › b: one, two']],
    [
      '<article><title><![CDATA[Guide]]></title><section><title>Use</title><para>Type <![CDATA[a < b]]>.</para><programlisting><![CDATA[if (a < b)\n  go();]]></programlisting></section></article>',
      ['# Guide', '## Use', 'Type a < b.', '(code) if (a < b)\n  go();'],
    ],
  ])('has the text of CDATA and of HTML in it: %s', async (text, lines) => {
    expect(await xml(text)).toEqual(lines);
  });

  it('expands no entities, and refuses what is nested too deeply', async () => {
    expect(await xml('<!DOCTYPE a [<!ENTITY x "boom">]><a><b>&x;</b></a>')).toEqual(['a › b: &x;']);
    await expect(xml('<a>'.repeat(1000))).rejects.toMatchObject({ code: 'parse_failed' });
  });
});
