import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { docx, documentXml, paragraph, uploadFile } from '../support/files.js';
import { furnish } from '../support/furnish.js';
import { relationships } from '../support/office-files.js';
import { pageOf, pdf } from '../support/pdf.mjs';
import { PATIENCE_MS, recognitionIn, RETURNS, WARRANTY } from '../support/recognition.js';
import { paddleOcr, RecognitionServer } from '../support/recognition-server.js';
import { pdfOfScans, scan } from '../support/scans.js';
import { eventually, Service } from '../support/service.js';

describe('recognition', () => {
  let alice: Client;
  let kbId: string;

  beforeAll(async () => {
    ({ alice, kbId } = await furnish());
  });

  const { read, recognised, ended } = recognitionIn(() => ({ alice, kbId }));

  it(
    'reads the scanned pages of a PDF beside those that have text of their own',
    async () => {
      const scanned = await pdfOfScans([await scan(RETURNS), await scan(WARRANTY)]);
      const { document, text, pages } = await read('scanned.pdf', scanned);
      expect(document.warnings).toEqual([
        expect.objectContaining({ code: 'recognised', pages: [1, 2] }),
      ]);
      expect(text).toContain('five working days');
      expect(text).toContain('guaranteed for ten years');
      expect(pages[0]).toBe(1);

      const own = await read('own.pdf', pdf([pageOf(RETURNS)]));
      expect(own.document.warnings).toEqual([]);
    },
    2 * PATIENCE_MS,
  );

  it(
    'follows the settings, and does not recognise a page twice',
    async () => {
      const settings = (body: object) => alice.call('PATCH', `/kbs/${kbId}/settings`, body);
      await settings({ ocr: 'off' });
      const bytes = await pdfOfScans([
        await scan([...WARRANTY, 'First.']),
        await scan([...WARRANTY, 'Second.']),
      ]);
      const { document } = await read('setting.pdf', bytes);
      expect(document.error).toEqual({
        code: 'no_text_extracted',
        message: expect.stringContaining('ocr'),
      });

      await settings({ ocr: 'auto', ocr_max_pages: 1 });
      await alice.call('POST', `/documents/${document.id}/reindex`);
      const first = await recognised(await ended(document.id));
      expect(first.text).toContain('First.');
      expect(first.text).not.toContain('Second.');
      expect(first.document.warnings.map(({ code, pages }) => [code, pages])).toEqual([
        ['recognised', [1]],
        ['recognition_limited', [2]],
      ]);

      await settings({ ocr_max_pages: null });
      await alice.call('POST', `/documents/${document.id}/reindex`);
      const both = await recognised(await ended(document.id));
      expect(both.text).toContain('Second.');
      expect(both.document.warnings.map(({ code, pages }) => [code, pages])).toEqual([
        ['recognised', [1, 2]],
      ]);

      // A page with text of its own, which is recognised all the same.
      await settings({ ocr: 'always' });
      const own = await read('always.pdf', pdf([pageOf([...RETURNS, ...WARRANTY])]));
      expect(own.document.warnings).toMatchObject([{ code: 'recognised', pages: [1] }]);
      expect(own.text).toContain('within thirty days');
      await settings({ ocr: null });
    },
    4 * PATIENCE_MS,
  );

  it(
    'does not delay documents with text of their own',
    async () => {
      const server = await RecognitionServer.start();
      const { promise, resolve } = Promise.withResolvers<undefined>();
      server.answer = async (path) => {
        await promise;
        return path === '/ocr' ? paddleOcr('Orders go back.') : [404, {}];
      };
      const service = await Service.start({ OCR_BASE_URL: server.url });
      try {
        const bob = new Client(service, 'bob');
        const { id } = await bob.createKnowledgeBase();
        const place = recognitionIn(() => ({ alice: bob, kbId: id }));
        const scanned = await place.upload('many.pdf', await pdfOfScans([await scan(RETURNS)]));
        await eventually(() => server.asked.length > 0, PATIENCE_MS);
        const text = await bob.addDocument(id, { title: 'Text', text: 'Opened at nine.' });
        expect(text.status).toBe('ready');
        expect(['pending', 'processing']).toContain((await place.documentOf(scanned)).status);
        resolve(undefined);
        expect((await place.ended(scanned)).status).toBe('ready');
      } finally {
        resolve(undefined);
        await service.stop();
        await server.stop();
      }
    },
    PATIENCE_MS,
  );

  it(
    'reads pictures in a document',
    async () => {
      const picture = await (await scan(WARRANTY)).trim({ margin: 20 }).png().toBuffer();
      const blip = '<w:p><w:r><w:drawing><a:blip r:embed="r1"/></w:drawing></w:r></w:p>';
      const bytes = docx(documentXml(`${paragraph('Terms')}${blip}${paragraph('End')}`), [
        relationships('word/document.xml', [['image', 'media/image1.png']]),
        { name: 'word/media/image1.png', content: picture },
      ]);
      const { document, text } = await read('terms.docx', bytes);
      expect(document.status).toBe('ready');
      expect(text.replaceAll('\n', ' ')).toMatch(/^Terms.*guaranteed for ten years.*End$/);
      expect(document.warnings).toEqual([
        { code: 'recognised', message: expect.any(String), confidence: expect.any(Number) },
      ]);
    },
    PATIENCE_MS,
  );

  it('takes languages, as a list, repeated, or separated by commas', async () => {
    const bytes = await (await scan(['Hi'])).png().toBuffer();
    const given = async (languages: string) => {
      const answer = await uploadFile(
        alice,
        kbId,
        { name: 'languages.png', bytes },
        { languages, on_duplicate: 'replace' },
      );
      return answer.status;
    };
    expect(await given('en,de')).toBe(202);
    expect(await given('english')).toBe(400);
    expect(await given('en,de,fr,es,zh,it')).toBe(400);
    const json = await alice.call('POST', `/kbs/${kbId}/documents`, {
      title: 'In two languages',
      text: 'Hallo. Hello.',
      languages: ['de', 'en'],
    });
    expect(json.status).toBe(202);
  });
});
