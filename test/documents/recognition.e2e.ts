import sharp from 'sharp';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Client, Document as AnyDocument, Page } from '../support/client.js';
import { docx, documentXml, paragraph, uploadFile } from '../support/files.js';
import { furnish } from '../support/furnish.js';
import { relationships } from '../support/office-files.js';
import { pageOf, pdf } from '../support/pdf.mjs';
import { pdfOfScans, scan } from '../support/scans.js';
import { eventually } from '../support/service.js';

interface Warning {
  readonly code: string;
  readonly message: string;
  readonly pages?: number[];
  readonly confidence?: number;
}

type Document = AnyDocument & { readonly mime_type: string; readonly warnings: Warning[] };

interface Recognised {
  readonly document: Document;
  readonly text: string;
  readonly pages: (number | null)[];
}

const RETURNS = [
  'Returns policy',
  '',
  'Customers may send back any order within thirty days.',
  'The money is transferred within five working days.',
];
const WARRANTY = [
  'Warranty',
  '',
  'Bicycle frames are guaranteed for ten years after delivery.',
  'Batteries of electric bicycles are guaranteed for two years.',
];
/** As drawn, a page takes a few seconds of a busy processor, and of a low priority. */
const PATIENCE_MS = 120_000;

describe('recognition', () => {
  let alice: Client;
  let kbId: string;

  beforeAll(async () => {
    ({ alice, kbId } = await furnish());
  });

  const ended = async (id: string): Promise<Document> => {
    let document: Document | undefined;
    await eventually(async () => {
      document = (await alice.get<Document>(`/documents/${id}`)).body;
      return document.status === 'ready' || document.status === 'failed';
    }, PATIENCE_MS);
    if (!document) throw new Error('There is no document');
    return document;
  };

  async function read(name: string, bytes: Buffer, fields: Record<string, string> = {}) {
    const answer = await uploadFile(alice, kbId, { name, bytes }, fields);
    expect(answer.status).toBe(202);
    return recognised(await ended(answer.body.id));
  }

  async function recognised(document: Document): Promise<Recognised> {
    const { body } = await alice.get<Page<{ text: string; page: number | null }>>(
      `/documents/${document.id}/chunks?limit=100`,
    );
    return {
      document,
      text: body.data.map(({ text }) => text).join('\n'),
      pages: body.data.map(({ page }) => page),
    };
  }

  it.each(['png', 'jpeg', 'webp', 'tiff'] as const)(
    'reads a picture of the type %s, and says how sure it is',
    async (format) => {
      const picture = (await scan(RETURNS)).toFormat(format);
      const { document, text } = await read(`returns.${format}`, await picture.toBuffer());
      expect([document.status, document.mime_type]).toEqual(['ready', `image/${format}`]);
      expect(text).toContain('send back any order within thirty days');
      expect(document.warnings).toEqual([
        expect.objectContaining({ code: 'recognised', pages: [1] }),
      ]);
      expect(document.warnings[0]?.confidence).toBeGreaterThan(80);
    },
    PATIENCE_MS,
  );

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
    PATIENCE_MS,
  );

  it(
    'reads each page of a TIFF',
    async () => {
      const pages = [await scan(RETURNS), await scan(WARRANTY)];
      const pngs = await Promise.all(pages.map((page) => page.png().toBuffer()));
      const both = await sharp(pngs, { join: { animated: true } })
        .tiff()
        .toBuffer();
      const { document, text, pages: cited } = await read('two.tiff', both);
      expect(document.warnings).toMatchObject([{ code: 'recognised', pages: [1, 2] }]);
      expect(text).toContain('within thirty days');
      expect(text).toContain('guaranteed for ten years');
      expect(new Set(cited)).toEqual(new Set([1, 2]));
    },
    PATIENCE_MS,
  );

  it(
    'refuses a picture of 200 megapixels before it is decoded',
    async () => {
      const blank = { width: 20_000, height: 10_000, channels: 3 as const, background: 'white' };
      const bytes = await sharp({ create: blank, limitInputPixels: false })
        .toColourspace('b-w')
        .png()
        .toBuffer();
      const { document } = await read('wall.png', bytes);
      expect([document.status, document.error?.code]).toEqual(['failed', 'too_large']);
    },
    PATIENCE_MS,
  );

  it.each([
    ['on its side', 90],
    ['on its head', 180],
    ['askew', 2],
  ])(
    'reads a page that lies %s',
    async (_, degrees) => {
      const lines = [...RETURNS, '', ...WARRANTY, '', ...RETURNS.map((line) => `${line} Again.`)];
      const upright = await scan(lines);
      const turned = upright.rotate(degrees, { background: 'white' }).png();
      const { text } = await read(`turned-${degrees}.png`, await turned.toBuffer());
      expect(text).toContain('Bicycle frames are guaranteed for ten years');
    },
    PATIENCE_MS,
  );

  it(
    'is done as the settings say, and pages that were recognised are not recognised again',
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
    PATIENCE_MS,
  );

  it(
    'goes behind everything else',
    async () => {
      const pages = await Promise.all(
        Array.from({ length: 6 }, (_, n) => scan([...RETURNS, `Copy ${n}.`])),
      );
      const scanned = await uploadFile(alice, kbId, {
        name: 'many.pdf',
        bytes: await pdfOfScans(pages),
      });
      const text = await alice.addDocument(kbId, { title: 'Text', text: 'Opened at nine.' });
      expect(text.status).toBe('ready');
      const { body } = await alice.get<Document>(`/documents/${scanned.body.id}`);
      expect(['pending', 'processing']).toContain(body.status);
      expect((await ended(scanned.body.id)).status).toBe('ready');
    },
    PATIENCE_MS,
  );

  it(
    'reads pictures in a document, whose text can be searched before',
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

  it(
    'names the command that installs a language which is missing',
    async () => {
      const bytes = await (await scan(RETURNS)).png().toBuffer();
      const { document, text } = await read('japanese.png', bytes, {
        languages: 'ja',
        on_duplicate: 'replace',
      });
      expect(text).toContain('within thirty days');
      expect(document.warnings.map(({ code, message }) => [code, message])).toContainEqual([
        'language_not_installed',
        expect.stringContaining('npm run models -- install ocr:ja'),
      ]);
    },
    PATIENCE_MS,
  );

  it.each([
    ['cut off', async () => (await (await scan(RETURNS)).png().toBuffer()).subarray(0, 400)],
    ['no picture inside', () => Promise.resolve(Buffer.from('89504e470d0a1a0a00', 'hex'))],
    ['blank', async () => (await scan([])).png().toBuffer()],
  ])(
    'fails a picture that is %s',
    async (name, bytes) => {
      const { document } = await read(`${name}.png`, await bytes());
      expect(document.status).toBe('failed');
      expect(['parse_failed', 'no_text_extracted']).toContain(document.error?.code);
    },
    PATIENCE_MS,
  );
});
