import { beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import {
  askedUntilServed,
  Client,
  type Document,
  outcome,
  type Page,
} from '../../../test/support/client.js';
import { docx, documentXml, paragraph, uploadFile } from '../../../test/support/files.js';
import { pptx, relationships, shape } from '../../../test/support/office-files.js';
import { pageOf, pdf } from '../../../test/support/pdf.mjs';
import { PATIENCE_MS } from '../../../test/support/recognition.js';
import { scan } from '../../../test/support/scans.js';
import { eventually } from '../../../test/support/service.js';
import {
  newUserId,
  sharedService,
  type SharedService,
} from '../../../test/support/shared-service.js';

interface Chunk {
  readonly id: string;
  readonly page: number | null;
  readonly locator: { readonly slide?: number } | null;
}

const LINES = ['Customers may return any order within thirty days,', 'and are refunded at once.'];

describe('a page of an original', () => {
  let service: SharedService;
  let userId: string;
  let alice: Client;
  let kbId: string;

  beforeAll(async () => {
    service = await sharedService();
    userId = newUserId('alice');
    alice = new Client(service, userId);
    kbId = (await alice.createKnowledgeBase()).id;
  });

  const read = async (name: string, bytes: Buffer) => {
    const { id } = (await uploadFile(alice, kbId, { name, bytes })).body as Document;
    await eventually(
      async () => (await alice.get<Document>(`/documents/${id}`)).body.status === 'ready',
      PATIENCE_MS,
    );
    const { data } = (await alice.get<Page<Chunk>>(`/documents/${id}/chunks`)).body;
    return { id, passages: data };
  };
  const open = (id: string, query: string, headers = { 'x-idp-user-id': userId }) =>
    askedUntilServed(() =>
      fetch(`${service.url}/api/v1/documents/${id}/original?${query}`, { headers }),
    );
  const placeOf = ({ headers }: Response) =>
    ['page', 'page-count', 'marked-at'].map((name) => {
      const value = headers.get(name);
      return value === null ? null : Number(value);
    });

  it('is a picture of a PDF, with the passage marked where it stands', async () => {
    const bytes = pdf([pageOf(['Nothing of interest is here.']), pageOf(LINES)]);
    const { id, passages } = await read('returns.pdf', bytes);
    const passage = passages.find(({ page }) => page === 2);
    const answer = await open(id, `highlight=${passage?.id}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    // The first line is 32 of 792 points below the top.
    expect(placeOf(answer)).toEqual([2, 2, expect.closeTo(0.027, 2)]);
    const marked = Buffer.from(await answer.arrayBuffer());
    expect(await sharp(marked).metadata()).toMatchObject({ format: 'png', height: 1600 });
    const plain = await open(id, 'page=2');
    expect(placeOf(plain)).toEqual([2, 2, null]);
    expect(Buffer.from(await plain.arrayBuffer()).equals(marked)).toBe(false);
    const other = await open(id, `page=1&highlight=${passage?.id}`);
    expect(placeOf(other)).toEqual([1, 2, null]);
  });

  it(
    'is a picture of a scan, with the recognised words marked',
    async () => {
      const bytes = await (await scan(LINES)).png().toBuffer();
      const { id, passages } = await read('scan.png', bytes);
      const answer = await open(id, `highlight=${passages[0]?.id}`);
      expect(answer.headers.get('content-type')).toBe('image/png');
      expect(placeOf(answer)).toEqual([1, 1, expect.closeTo(0.027, 2)]);
    },
    2 * PATIENCE_MS,
  );

  it(
    'has what was recognised in every picture of a document',
    async () => {
      const drawing = (id: string) =>
        `<w:p><w:r><w:drawing><a:blip r:embed="${id}"/></w:drawing></w:r></w:p>`;
      const texts = ['Walruses live on ice.', 'Seals are insured against bears.'];
      const pictures = await Promise.all(
        texts.map(async (text) => (await scan([text])).trim({ margin: 20 }).png().toBuffer()),
      );
      const body = `${paragraph('Terms')}${drawing('r1')}${drawing('r2')}`;
      const bytes = docx(documentXml(body), [
        relationships(
          'word/document.xml',
          texts.map((_, n) => ['image', `media/image${n}.png`] as const),
        ),
        ...pictures.map((content, n) => ({ name: `word/media/image${n}.png`, content })),
      ]);
      const { id } = await read('terms.docx', bytes);
      await eventually(async () => {
        const { text } = await alice.get(`/documents/${id}/chunks`);
        return texts.every((each) => text.includes(each));
      }, PATIENCE_MS);
      const html = await (await open(id, 'page=1')).text();
      for (const text of texts) expect(html).toContain(text);
    },
    3 * PATIENCE_MS,
  );

  it('is HTML of slides, in which nothing runs', async () => {
    const slides = ['Our plans are large.', 'Sales <doubled> in autumn.'].map((text, n) => ({
      shapes: shape('title', [`Slide ${n + 1}`]) + shape('body', [text.replace('<', '&lt;')]),
    }));
    const { id, passages } = await read('plans.pptx', pptx(slides));
    const passage = passages.find(
      ({ locator }) => locator && 'slide' in locator && locator.slide === 2,
    );
    const answer = await open(id, `highlight=${passage?.id}`);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toMatch(
      /^sandbox; default-src 'none'; style-src 'sha256-[\w+/]{43}='$/,
    );
    expect(placeOf(answer)).toEqual([2, 2, 0]);
    const html = await answer.text();
    expect(html).toContain(`<mark id="${passage?.id}">`);
    expect(html).toContain('Sales &lt;doubled&gt; in autumn');
    expect(html).not.toContain('Our plans');
  });

  it('is shown by its number when another reading has replaced the passage', async () => {
    const { id, passages } = await read('once.pdf', pdf([pageOf([...LINES, 'Only once.'])]));
    await alice.call('POST', `/documents/${id}/reindex`);
    await eventually(async () => {
      const { data } = (await alice.get<Page<Chunk>>(`/documents/${id}/chunks`)).body;
      return data[0] !== undefined && data[0].id !== passages[0]?.id;
    });
    const highlight = `highlight=${passages[0]?.id}`;
    // Its words are marked until the passages of the former reading are removed.
    expect(placeOf(await open(id, `page=1&${highlight}`)).slice(0, 2)).toEqual([1, 1]);
    expect((await open(id, highlight)).status).toBe(200);
  });

  it('is the nearest one to a passage that another reading has replaced, and says so', async () => {
    const text = Array.from({ length: 9 }, (_, n) => `# Part ${n}\n\n${`Term${n} `.repeat(120)}`);
    const { id, passages } = await read('replaced.md', Buffer.from(text.join('\n\n')));
    const cited = passages[4]?.id ?? '';
    await alice.call('POST', `/documents/${id}/reindex`);
    await eventually(async () => {
      const { data } = (await alice.get<Page<Chunk>>(`/documents/${id}/chunks`)).body;
      return data[0] !== undefined && data[0].id !== passages[0]?.id;
    });
    const answer = await open(id, `highlight=${cited}`);
    expect(answer.status).toBe(200);
    const html = await answer.text();
    expect(html).toContain('<p class="note" role="note">The document was read again');
    // Its words are known until the passages of the former reading are removed.
    if (answer.headers.get('marked-at') !== null) expect(html).toContain(`<mark id="${cited}">`);
    const current = (await alice.get<Page<Chunk>>(`/documents/${id}/chunks`)).body.data;
    const marked = await (await open(id, `highlight=${current[4]?.id}`)).text();
    expect(marked).not.toContain('role="note"');
    for (const passage of current) expect(marked).toContain(`id="${passage.id}"`);
  });

  it('is refused if it does not exist or may not be seen', async () => {
    const { id } = await alice.addDocument(kbId, { title: 'Short', text: 'Short is beautiful.' });
    expect((await open(id, 'page=1')).status).toBe(200);
    const statusOf = async (query: string, user = userId) => {
      const client = new Client(service, user);
      return outcome(
        await askedUntilServed(() => client.get(`/documents/${id}/original?${query}`)),
      );
    };
    expect(await statusOf('page=2')).toBe('404 not_found');
    for (const page of ['0', '-1', 'x', '1.5', '']) {
      expect(await statusOf(`page=${page}`)).toBe('400 validation_failed');
    }
    expect(await statusOf('page=1', newUserId('mallory'))).toBe('404 not_found');
    const others = await read('other.pdf', pdf([pageOf(['Foreign text is elsewhere.'])]));
    expect(await statusOf(`highlight=${others.passages[0]?.id}`)).toBe('404 not_found');
  });

  it('is refused with a reason for a file that has no pages to show', async () => {
    const { id } = (
      await uploadFile(alice, kbId, { name: 'cut.pdf', bytes: Buffer.from('%PDF-1.4 damaged') })
    ).body as Document;
    await eventually(async () => {
      return (await alice.get<Document>(`/documents/${id}`)).body.status === 'failed';
    });
    const answer = await askedUntilServed(() => alice.get(`/documents/${id}/original?page=1`));
    expect(outcome(answer)).toBe('422 page_unreadable');
  });

  it('is drawn for a credential one after the other, and refused when too many wait', async () => {
    const { id } = await read('many.pdf', pdf([pageOf([...LINES, 'Many times.'])]));
    const answers: Response[] = [];
    // Again where the requests came so slowly that few of them waited.
    await eventually(async () => {
      answers.push(...(await Promise.all(Array.from({ length: 12 }, () => open(id, 'page=1')))));
      return answers.some(({ status }) => status === 429);
    });
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.headers.get('retry-after')).toBe('1');
    expect((await open(id, 'page=1')).status).toBe(200);
  });

  it('has its neighbours in the list of passages', async () => {
    const text = Array.from({ length: 9 }, (_, n) => `# Part ${n}\n\n${`Word${n} `.repeat(120)}`);
    const { id, passages } = await read('long.md', Buffer.from(text.join('\n\n')));
    expect(passages.length).toBeGreaterThan(4);
    const around = async (chunk: string | undefined) => {
      const path = `/documents/${id}/chunks?around=${chunk}`;
      return (await alice.get<Page<Chunk>>(path)).body.data.map((each) => each.id);
    };
    const ids = passages.map((passage) => passage.id);
    expect(await around(ids[2])).toEqual(ids.slice(1, 4));
    expect(await around(ids[0])).toEqual(ids.slice(0, 2));
    expect(await around('chk_none')).toEqual([]);
  });
});
