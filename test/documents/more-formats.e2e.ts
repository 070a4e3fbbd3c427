import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client, type Document, type Page } from '../support/client.js';
import { uploadFile } from '../support/files.js';
import { eventually } from '../support/service.js';
import { newUserId, sharedService } from '../support/shared-service.js';

interface Chunk {
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

  it.each(FILES)('is read: %s', async (name, bytes, type, texts) => {
    const answer = await uploadFile(alice, kbId, { name, bytes });
    expect(answer.body).toMatchObject({ mime_type: type });
    let document = answer.body as Document;
    await eventually(async () => {
      document = (await alice.get<Document>(`/documents/${answer.body.id}`)).body;
      return document.status === 'ready' || document.status === 'failed';
    });
    expect(document.error).toBeNull();
    const { body } = await alice.get<Page<Chunk>>(`/documents/${document.id}/chunks?limit=100`);
    const all = body.data.map(({ heading, text }) => `${heading ?? ''}\n${text}`).join('\n');
    for (const text of texts) expect(all).toContain(text);
  });
});
