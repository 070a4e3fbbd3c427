import { existsSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client, type Document, type Page } from '../support/client.js';
import { uploadFile } from '../support/files.js';
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

  async function add(name: string, bytes: string | Uint8Array, type: string) {
    const answer = await uploadFile(alice, kbId, { name, bytes });
    expect(answer.body).toMatchObject({ mime_type: type });
    let document = answer.body as Document;
    await eventually(async () => {
      document = (await alice.get<Document>(`/documents/${answer.body.id}`)).body;
      return document.status === 'ready' || document.status === 'failed';
    });
    const { body } = await alice.get<Page<Passage>>(`/documents/${document.id}/chunks?limit=100`);
    const text = body.data.map((passage) => `${passage.heading ?? ''}\n${passage.text}`).join('\n');
    return { error: document.error, text };
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

  it('says that it is encrypted', async () => {
    const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
    const { error } = await add('locked.docx', real('locked.docx'), type);
    expect(error).toEqual({ code: 'encrypted', message: 'The document is encrypted.' });
  });
});
