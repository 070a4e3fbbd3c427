import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, type Document, outcome } from '../support/client.js';
import { docx, documentXml, paragraph, uploadFile, zip } from '../support/files.js';
import { epub, odt, pptx, shape, xlsx } from '../support/office-files.js';
import { pageOf, pdf } from '../support/pdf.mjs';
import { eventually, Service } from '../support/service.js';

const MIB = 1024 * 1024;
const TIME_LIMIT_MS = 60_000;
const MEMORY_LIMIT_BYTES = 256 * MIB;
/** Below what the event loop stands when one of these is read on it: some seconds. */
const HEALTH_LIMIT_MS = 1000;
/** A busy machine can disturb one measurement; what holds the service up shows in each. */
const MEASUREMENTS = 3;

/** Memory of a process and its children, where the system tells. */
function memoryOf(pid: number): number {
  if (!existsSync(`/proc/${pid}/status`)) return 0;
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const own = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
    );
    return children.reduce((sum, child) => sum + memoryOf(Number(child)), own);
  } catch {
    // It has ended meanwhile.
    return 0;
  }
}

/** Runs `work` and looks at the service meanwhile. */
async function observe(service: Service, work: () => Promise<void>) {
  const before = memoryOf(service.pid);
  const latencies: number[] = [];
  let peak = before;
  const stop = new AbortController();
  const watching = (async () => {
    while (!stop.signal.aborted) {
      const start = performance.now();
      await (await fetch(`${service.url}/health/live`)).text();
      latencies.push(performance.now() - start);
      peak = Math.max(peak, memoryOf(service.pid));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  await work();
  stop.abort();
  await watching;
  latencies.sort((a, b) => a - b);
  return { growth: peak - before, p99: latencies[Math.floor(latencies.length * 0.99)] ?? 0 };
}

const wordBomb = () => docx(documentXml(paragraph('a'.repeat(200 * MIB))));
const nestedBomb = () => docx(documentXml('<w:p>'.repeat(3 * MIB)));
const tagBomb = () => docx(documentXml('<w:p/>'.repeat(20 * MIB)));
const cellBomb = () => {
  const row = `<row>${'<c><v>1</v></c>'.repeat(1000)}</row>`;
  return xlsx([{ name: 'A', data: row.repeat(2000) }]);
};
/** As a program exports it: texts that are all different, and numbers. */
const exportOf = (rows: number) => {
  const cells = (row: number) =>
    Array.from({ length: 10 }, (_, n) =>
      n % 2 === 0
        ? `<c t="inlineStr"><is><t>Order ${row} of customer ${row * n}</t></is></c>`
        : `<c><v>${row / (n + 1)}</v></c>`,
    );
  const data = Array.from({ length: rows }, (_, row) => `<row>${cells(row).join('')}</row>`);
  return xlsx([{ name: 'Orders', data: data.join('') }]);
};
/** More letters than are recognised in the time that a page has. */
const smallPrint = () => {
  let state = 5;
  const letter = () => {
    state = (state * 16_807) % 2_147_483_647;
    return 'abcdefghijklmnopqrstuvwxyz0123456789     '.charAt(state % 41);
  };
  const lines = Array.from({ length: 155 }, () => Array.from({ length: 250 }, letter).join(''));
  return `BT /F1 4 Tf 20 780 Td 4.8 TL ${lines.map((line) => `(${line}) Tj T*`).join(' ')} ET`;
};
const stringBomb = () => xlsx([{ name: 'A', data: '' }], { strings: ['a'.repeat(200 * MIB)] });
const slideBomb = () => pptx([{ shapes: shape('body', ['a'.repeat(200 * MIB)]) }]);
const chapterBomb = () => epub([{ body: `<p>${'a'.repeat(200 * MIB)}</p>` }]);
const letterBomb = () => odt(`<text:p>${'a'.repeat(200 * MIB)}</text:p>`);
const mailBomb = () => {
  const parts = slideBomb().toString('base64').replaceAll(/.{76}/g, '$&\n');
  return Buffer.from(
    `From: a@b.c\nMIME-Version: 1.0\nContent-Type: application/zip; name=a.pptx\nContent-Transfer-Encoding: base64\n\n${parts}\n`,
  );
};
const lyingBomb = () => {
  const bytes = Buffer.alloc(200 * MIB, 'a');
  return zip([{ name: 'word/document.xml', content: bytes, declaredSize: 1000 }]);
};
const streamBomb = () => {
  const line = '(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa) Tj T* ';
  return pdf([`BT /F1 12 Tf ${line.repeat((200 * MIB) / line.length)} ET`]);
};
const zeroBomb = () => pdf([Buffer.alloc(300 * MIB, ' ')]);
const pageBomb = () => pdf([pageOf(['Again.'])], { times: 100_000 });
const xxe = (doctype: string) => docx(documentXml(paragraph('&x;')).replace('?>', `?>${doctype}`));
const encrypted = () =>
  pdf([pageOf(['secret'])], {
    trailer: `/Encrypt 4 0 R /ID [<${'00'.repeat(16)}> <${'00'.repeat(16)}>]`,
    objects: [
      `<< /Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O <${'11'.repeat(32)}> /U <${'22'.repeat(32)}> >>`,
    ],
  });

describe('a hostile file', () => {
  let service: Service;
  let alice: Client;
  let kbId: string;

  beforeAll(async () => {
    service = await Service.start();
    alice = new Client(service, 'alice');
    kbId = (await alice.createKnowledgeBase()).id;
  });

  afterAll(() => service.stop());

  it.each<[what: string, name: string, make: () => Buffer, code: RegExp]>([
    ['a DOCX that unpacks to 200 MiB', 'bomb.docx', wordBomb, /^too_large$/],
    ['a DOCX that lies about it', 'liar.docx', lyingBomb, /^(too_large|parse_failed)$/],
    ['a DOCX of nothing but tags', 'tags.docx', tagBomb, /^too_large$/],
    ['an XLSX of two million cells', 'cells.xlsx', cellBomb, /^too_large$/],
    ['an XLSX that unpacks to 200 MiB', 'strings.xlsx', stringBomb, /^too_large$/],
    ['a PPTX that unpacks to 200 MiB', 'bomb.pptx', slideBomb, /^too_large$/],
    ['an EPUB that unpacks to 200 MiB', 'bomb.epub', chapterBomb, /^too_large$/],
    ['an ODT that unpacks to 200 MiB', 'bomb.odt', letterBomb, /^too_large$/],
    ['a mail with an attached bomb', 'bomb.eml', mailBomb, /^too_large$/],
    ['a DOCX nested 3 million deep', 'deep.docx', nestedBomb, /^too_large|parse_(failed|timeout)$/],
    ['a PDF whose page unpacks to 200 MiB', 'page.pdf', streamBomb, /^too_large|parse_timeout$/],
    ['a PDF of spaces', 'spaces.pdf', zeroBomb, /^too_large|parse_timeout|no_text_extracted$/],
    ['a PDF of 100,000 pages', 'pages.pdf', pageBomb, /^too_large$/],
  ])(
    '%s fails in time, in little memory, and nobody notices',
    async (_, name, make, code) => {
      const bytes = make();
      expect(bytes.length).toBeLessThan(MIB);
      const delays: number[] = [];
      while (delays.length < MEASUREMENTS && !delays.some((p99) => p99 < HEALTH_LIMIT_MS)) {
        const { id } = await alice.createKnowledgeBase();
        let document: Document | undefined;
        const { growth, p99 } = await observe(service, async () => {
          const answer = await uploadFile(alice, id, { name, bytes });
          expect(outcome(answer)).toBe('202');
          await eventually(async () => {
            document = (await alice.get<Document>(`/documents/${answer.body.id}`)).body;
            return document.status === 'failed' || document.status === 'ready';
          }, TIME_LIMIT_MS);
        });
        expect([document?.status, document?.error?.code]).toEqual([
          'failed',
          expect.stringMatching(code),
        ]);
        expect(document?.attempts).toBe(1);
        expect(growth).toBeLessThan(MEMORY_LIMIT_BYTES);
        delays.push(p99);
      }
      expect(Math.min(...delays)).toBeLessThan(HEALTH_LIMIT_MS);
    },
    MEASUREMENTS * TIME_LIMIT_MS + 20_000,
  );

  it.each<[what: string, name: string, make: () => Buffer]>([
    [
      'XML entities of a file',
      'xxe.docx',
      () => xxe('<!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/passwd">]>'),
    ],
    [
      'XML entities of an address',
      'ssrf.docx',
      () => xxe(`<!DOCTYPE x [<!ENTITY x SYSTEM "${service.url}/">]>`),
    ],
    [
      'entities of entities',
      'laughs.docx',
      () => xxe('<!DOCTYPE x [<!ENTITY a "lollol"><!ENTITY x "&a;&a;&a;">]>'),
    ],
    [
      'names that lead elsewhere',
      'slip.docx',
      () => docx(documentXml(paragraph('Hello')), [{ name: '../../../etc/evil', content: 'x' }]),
    ],
    [
      'encrypted parts',
      'locked.docx',
      () => zip([{ name: 'word/document.xml', content: 'x', encrypted: true }]),
    ],
    [
      'its second half missing',
      'half.docx',
      () => {
        const whole = docx(documentXml(paragraph('Hello')));
        return whole.subarray(0, whole.length - 100);
      },
    ],
    ['no document in it', 'empty.docx', () => zip([{ name: 'word/other.xml', content: '<x/>' }])],
    ['a password', 'encrypted.pdf', encrypted],
    [
      'its second half missing',
      'half.pdf',
      () => {
        const whole = pdf([pageOf(['Hello'])]);
        return whole.subarray(0, whole.length / 2);
      },
    ],
    [
      'nothing behind its first line',
      'nothing.pdf',
      () => Buffer.from('%PDF-1.7\nThis is no PDF.\n%%EOF\n'),
    ],
    ['no page', 'pageless.pdf', () => pdf([])],
  ])('fails with a message if it has %s (%s)', async (_, name, make) => {
    const { body, status } = await uploadFile(alice, kbId, { name, bytes: make() });
    expect(status).toBe(202);
    let document: Document | undefined;
    await eventually(async () => {
      document = (await alice.get<Document>(`/documents/${body.id}`)).body;
      return document.status === 'failed' || document.status === 'ready';
    }, TIME_LIMIT_MS);
    const isLocked = /^(?:locked|encrypted)\./.test(name);
    expect(document?.error).toEqual({
      code: expect.stringMatching(
        isLocked ? /^encrypted$/ : /^(?:parse_failed|no_text_extracted)$/,
      ),
      message: expect.stringMatching(/^[A-Z].*\.$/),
    });
    expect(document?.error?.message).not.toMatch(/Error|\bat \//);
    expect((await alice.get<{ data: [] }>(`/documents/${body.id}/chunks`)).body.data).toEqual([]);
  });

  it(
    'does not make an export of 400,000 cells suspicious, which is read in little memory too',
    async () => {
      let document: Document | undefined;
      const { growth } = await observe(service, async () => {
        const { body } = await uploadFile(alice, kbId, {
          name: 'orders.xlsx',
          bytes: exportOf(40_000),
        });
        await eventually(async () => {
          document = (await alice.get<Document>(`/documents/${body.id}`)).body;
          return document.status === 'failed' || document.status === 'ready';
        }, 2 * TIME_LIMIT_MS);
      });
      expect([document?.status, document?.error]).toEqual(['ready', null]);
      // The process that reads it may use 208 MiB; the service gets, stores and indexes 4,400 passages.
      expect(growth).toBeLessThan(MEMORY_LIMIT_BYTES + 128 * MIB);
    },
    2 * TIME_LIMIT_MS + 20_000,
  );

  it(
    'has a page that is given up at its limit of processor time, and the others are recognised',
    async () => {
      await alice.call('PATCH', `/kbs/${kbId}/settings`, { ocr: 'always' });
      const { body } = await uploadFile(alice, kbId, {
        name: 'dense.pdf',
        bytes: pdf([smallPrint(), pageOf(['All is well on the second page.'])]),
      });
      let document: (Document & { warnings: { code: string; pages?: number[] }[] }) | undefined;
      await eventually(async () => {
        document = (await alice.get<NonNullable<typeof document>>(`/documents/${body.id}`)).body;
        return document.status === 'failed' || document.status === 'ready';
      }, 5 * TIME_LIMIT_MS);
      await alice.call('PATCH', `/kbs/${kbId}/settings`, { ocr: null });
      expect(document?.warnings.map(({ code, pages }) => [code, pages])).toEqual([
        ['recognised', [2]],
        ['page_unreadable', [1]],
      ]);
    },
    6 * TIME_LIMIT_MS,
  );

  it('leaves the next one readable, and nothing behind it', async () => {
    const { body } = await uploadFile(alice, kbId, {
      name: 'fine.pdf',
      bytes: pdf([pageOf(['All is well.'])]),
    });
    await eventually(
      async () => (await alice.get<Document>(`/documents/${body.id}`)).body.status === 'ready',
    );
    await eventually(() => readdirSync(`${service.dataDir}/uploads`).length === 0);
  });
});
