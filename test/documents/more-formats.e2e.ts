import { existsSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client, type Document, type Page } from '../support/client.js';
import { uploadFile } from '../support/files.js';
import { sheetData, xlsx } from '../support/office-files.js';
import { eventually } from '../support/service.js';
import { newUserId, sharedService } from '../support/shared-service.js';

interface Passage {
  text: string;
  heading: string | null;
}

/** A file that a real program has written. */
const real = (name: string) =>
  readFileSync(new URL(`../../packages/extraction/test/files/${name}`, import.meta.url));

/** Files, their media type, and what stands in their passages: headings and text. */
const FILES: [name: string, bytes: string | Uint8Array, type: string, texts: string[]][] = [
  [
    'article.xml',
    real('jats.xml'),
    'application/xml',
    ['Returns Handbook › Returns', 'within thirty days.', '| Iceland | 9 |'],
  ],
  [
    'notebook.ipynb',
    real('notebook.ipynb'),
    'application/x-ipynb+json',
    ['Returns › Steps', 'def days(n):', '| Iceland | 9 |'],
  ],
  [
    'returns.rtf',
    real('returns.rtf'),
    'application/rtf',
    ['1 Returns › 1.1 Steps', '1. Pack it.', '| Iceland | 9 |', 'Counted from the delivery.'],
  ],
  [
    'stock.ods',
    real('stock.ods'),
    'application/vnd.oasis.opendocument.spreadsheet',
    ['Lamp', '12.5', 'in stock'],
  ],
  [
    'returns.odp',
    real('returns.odp'),
    'application/vnd.oasis.opendocument.presentation',
    ['Returns', '1. Pack it.', '| Iceland | 9 |'],
  ],
  [
    'lamp.msg',
    real('lamp.msg'),
    'application/vnd.ms-outlook',
    ['A broken lamp', 'Please send another to Zürich.', '| 1234 | 9 |'],
  ],
  ['returns.adoc', real('returns.adoc'), 'text/asciidoc', ['Returns › Steps', '| Iceland | 9 |']],
  ['workshop.rst', real('workshop.rst'), 'text/x-rst', ['Lathes › Steps', '| Lathe | 40 |']],
  ['workshop.org', real('workshop.org'), 'text/org', ['Lathes › Steps', '| Lathe | 40 |']],
  [
    'ean.xlsx',
    xlsx([
      {
        name: 'Stock',
        data: sheetData([
          ['Product', 'EAN'],
          ['Lamp', 4006381333931],
          ['Chair', 4006381333948],
        ]),
      },
    ]),
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ['| Lamp | 4006381333931 |', '| Chair | 4006381333948 |'],
  ],
  [
    'ids.json',
    '[{"user_id":1098765432109876543,"name":"Ann","amount":1.10},{"user_id":1098765432109876544,"name":"Bob","amount":2.50}]',
    'application/json',
    ['| 1098765432109876543 | Ann | 1.10 |', '| 1098765432109876544 | Bob | 2.50 |'],
  ],
  ['shop.json', '{"shop": {"city": "Berlin"}}', 'application/json', ['shop › city: Berlin']],
  [
    'talk.vtt',
    'WEBVTT\n\n00:01.000 --> 00:04.000\n<v Jane>Hello there.</v>\n',
    'text/vtt',
    ['[00:01] Jane: Hello there.'],
  ],
  [
    'talk.srt',
    '1\n00:00:01,000 --> 00:00:04,000\nHello there.\n',
    'application/x-subrip',
    ['[00:00:01] Hello there.'],
  ],
];

describe('a document of a further format', () => {
  let alice: Client;
  let kbId: string;

  beforeAll(async () => {
    alice = new Client(await sharedService(), newUserId('alice'));
    kbId = (await alice.createKnowledgeBase()).id;
  });

  async function add(
    name: string,
    bytes: string | Uint8Array,
    type: string,
    fields: Record<string, string> = {},
  ) {
    const answer = await uploadFile(alice, kbId, { name, bytes }, fields);
    expect(answer.body).toMatchObject({ mime_type: type });
    let document = answer.body as Document;
    await eventually(async () => {
      document = (await alice.get<Document>(`/documents/${answer.body.id}`)).body;
      return document.status === 'ready' || document.status === 'failed';
    });
    const { body } = await alice.get<Page<Passage>>(`/documents/${document.id}/chunks?limit=100`);
    const text = body.data.map((passage) => `${passage.heading ?? ''}\n${passage.text}`).join('\n');
    return { id: document.id, error: document.error, warnings: document.warnings, text };
  }

  it.each(FILES)('is read: %s', async (name, bytes, type, texts) => {
    const { error, text } = await add(name, bytes, type);
    expect(error).toBeNull();
    for (const words of texts) expect(text).toContain(words);
  });

  it.each([
    ['returns.doc', 'application/msword', '| Iceland | 9 |'],
    ['stock.xls', 'application/vnd.ms-excel', '12.5'],
  ])(
    'is read where LibreOffice is, which is named where it is not: %s',
    async (name, type, words) => {
      const { error, text } = await add(name, real(name), type);
      if (existsSync('/usr/bin/soffice'))
        expect([error, text]).toEqual([null, expect.stringContaining(words)]);
      else
        expect(error).toMatchObject({
          code: 'unsupported_type',
          message: expect.stringContaining('LibreOffice'),
        });
    },
  );

  it('says what it leaves out', async () => {
    const data = sheetData([
      ['Plan', 'Price'],
      ['Basic', 10],
      ['Legacy', 7],
    ]).replace('<row r="3"', '<row hidden="1" r="3"');
    const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
    const { text, warnings } = await add('plans.xlsx', xlsx([{ name: 'Plans', data }]), type);
    expect(text).not.toContain('Legacy');
    expect(warnings).toEqual([
      { code: 'hidden_left_out', message: 'Hidden parts are left out: row 3 of “Plans”.' },
    ]);
  });

  // windows-1250
  const names = Buffer.from('Imi\xea;Miasto\n\xa3ukasz;\xa3\xf3d\x9f\n', 'latin1');

  it('is read in an encoding that is guessed, which a warning names, or in the one that is given', async () => {
    const guessed = await add('guessed.csv', names, 'text/csv');
    expect([guessed.text, guessed.warnings]).toEqual([
      expect.stringContaining('| Łukasz | Łódź |'),
      [{ code: 'encoding_guessed', message: expect.stringContaining('windows-1250') }],
    ]);
    const more = Buffer.concat([names, Buffer.from('Ola;Pozna\xf1\n', 'latin1')]);
    const given = await add('given.csv', more, 'text/csv', { charset: 'CP1250' });
    expect([given.text, given.warnings]).toEqual([expect.stringContaining('| Ola | Poznań |'), []]);
    // The original is shown as it is read.
    const view = await alice.get(`/documents/${given.id}/original?page=1`);
    expect(view.text).toContain('Poznań');
    const wrong = await add('wrong.csv', Buffer.concat([more, more]), 'text/csv', {
      charset: 'utf-8',
    });
    expect(wrong.error).toMatchObject({ code: 'parse_failed' });
    const unknown = { charset: 'klingon', on_duplicate: 'replace' };
    const refused = await uploadFile(alice, kbId, { name: 'a.csv', bytes: names }, unknown);
    expect([refused.status, refused.body]).toMatchObject([400, { code: 'validation_failed' }]);
  });

  it('says that it is encrypted', async () => {
    const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
    const { error } = await add('locked.docx', real('locked.docx'), type);
    expect(error).toEqual({ code: 'encrypted', message: 'The document is encrypted.' });
  });
});
