import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { Client } from '../support/client.js';
import { recognitionIn, withPicture } from '../support/recognition.js';
import {
  paddleOcr,
  type RecognitionAnswer,
  RecognitionServer,
} from '../support/recognition-server.js';
import { scan } from '../support/scans.js';
import { eventually, Service } from '../support/service.js';

const KEY = 'key-of-the-recognition-server';
const TEXT = 'The valve opens at four bar';

const docling: RecognitionAnswer = [
  200,
  {
    status: 'success',
    document: {
      json_content: {
        pages: { 1: { size: { width: 600, height: 800 } } },
        texts: [
          {
            text: TEXT,
            prov: [
              { page_no: 1, bbox: { l: 50, t: 700, r: 300, b: 688, coord_origin: 'BOTTOMLEFT' } },
            ],
          },
        ],
      },
    },
  },
];
const NOT_FOUND: RecognitionAnswer = [404, { detail: 'Not Found' }];

describe('a server that recognises pages', () => {
  let server: RecognitionServer;
  let service: Service;
  let alice: Client;
  let kbId: string;
  let picture: Buffer;

  beforeAll(async () => {
    picture = await (await scan([TEXT])).trim({ margin: 20 }).png().toBuffer();
    server = await RecognitionServer.start();
    service = await Service.start({ OCR_BASE_URL: server.url, OCR_API_KEY: KEY });
    alice = new Client(service, 'alice');
    ({ id: kbId } = await alice.createKnowledgeBase());
  });

  afterEach(() => {
    server.asked.length = 0;
  });

  afterAll(async () => {
    await service.stop();
    await server.stop();
    expect(service.logs).not.toContain(KEY);
  });

  const { upload: uploadNew, documentOf, ended, textOf } = recognitionIn(() => ({ alice, kbId }));
  const upload = (name: string, bytes: Buffer) =>
    uploadNew(name, bytes, { on_duplicate: 'replace' });

  it('is asked as docling-serve is, with each page as a picture', async () => {
    server.answer = (path) => (path === '/v1/convert/file' ? docling : NOT_FOUND);
    const id = await upload('docling.png', picture);
    expect((await ended(id)).warnings).toEqual([
      { code: 'recognised', message: expect.any(String), pages: [1] },
    ]);
    expect(await textOf(id)).toContain(TEXT);
    expect(server.asked.map(({ path, key }) => [path, key])).toEqual([['/v1/convert/file', KEY]]);
    expect(server.asked[0]?.body).toContain('\x89PNG');
    expect(server.asked[0]?.body).toMatch(/name="to_formats"\r\n\r\njson/);
  });

  it('is asked as PaddleOCR is where it has no such path', async () => {
    server.answer = (path) => (path === '/ocr' ? paddleOcr(TEXT) : NOT_FOUND);
    const id = await upload('paddle.png', await sharp(picture).negate().png().toBuffer());
    expect((await ended(id)).warnings).toEqual([
      { code: 'recognised', message: expect.any(String), pages: [1], confidence: 93 },
    ]);
    expect(await textOf(id)).toContain(TEXT);
    const body = JSON.parse(server.asked.at(-1)?.body ?? '') as { file: string; fileType: number };
    expect(body.fileType).toBe(1);
    expect(Buffer.from(body.file, 'base64').toString('latin1')).toMatch(/^\x89PNG/);
  });

  it('leaves out a page that it rejects, and keeps the text around it', async () => {
    server.answer = () => [422, { detail: 'too strange' }];
    const id = await upload('rejected.docx', withPicture('A text of its own.', picture));
    const document = await ended(id);
    expect(document.status).toBe('ready');
    expect(document.warnings).toEqual([{ code: 'page_unreadable', message: expect.any(String) }]);
    expect(await textOf(id)).toBe('A text of its own.');
  });

  it.each<[string, RecognitionAnswer]>([
    ['is busy', [503, 'no']],
    ['answers something else', [200, { hello: 'there' }]],
    ['answers no JSON', [200, '<html>']],
    ['answers without end', [200, JSON.stringify('x'.repeat(9_000_000))]],
    ['sends away', [307, {}, { location: 'http://127.0.0.1:1/' }]],
  ])('is waited for while it %s, and what has text can be found', async (state, bad) => {
    server.answer = () => bad;
    const id = await upload(`${state}.docx`, withPicture(`Text while it ${state}.`, picture));
    // A busy server is asked again at once.
    await eventually(() => server.asked.length >= (state === 'is busy' ? 2 : 1));
    await eventually(() => service.logs.includes('Text recognition is paused: 127.0.0.1'));
    expect(await textOf(id)).toBe(`Text while it ${state}.`);
    expect(['pending', 'processing']).toContain((await documentOf(id)).status);
    server.answer = (path) => (path === '/ocr' ? paddleOcr(TEXT) : NOT_FOUND);
    expect((await ended(id)).status).toBe('ready');
    expect(await textOf(id)).toContain(TEXT);
  });
});
