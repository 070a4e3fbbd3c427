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

  it('expands no entities, and refuses what is nested too deeply', async () => {
    expect(await xml('<!DOCTYPE a [<!ENTITY x "boom">]><a><b>&x;</b></a>')).toEqual(['a › b: &x;']);
    await expect(xml('<a>'.repeat(1000))).rejects.toMatchObject({ code: 'parse_failed' });
  });
});
