import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client, type Document, type Page } from '../support/client.js';
import { encode } from '../support/encode.js';
import { epub, odt, pptx, relationships, shape, sheetData, xlsx } from '../support/office-files.js';
import { docx, documentXml, paragraph, type Upload, uploadFile } from '../support/files.js';
import { pageOf, pdf } from '../support/pdf.mjs';
import { PATIENCE_MS } from '../support/recognition.js';
import { eventually } from '../support/service.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

interface Passage {
  text: string;
  heading: string | null;
  page: number | null;
  locator?: object | null;
}

const GERMAN =
  'Größe und Gewicht: die Prüfung ergab für alle Maße ähnliche Werte. Das Ergebnis wurde bestätigt.';
const FRENCH =
  'L’été dernier, nous avons reçu “les clés” du château — pour 5 € à côté de la forêt.';
const POLISH = 'Klienci mogą zwrócić każde zamówienie w ciągu trzydziestu dni. Zażółć gęślą jaźń.';
const RUSSIAN =
  'Покупатели могут вернуть любой заказ в течение тридцати дней после доставки. Возврат денег занимает пять рабочих дней.';
const CHINESE = '客户可以在收到订单后三十天内退货。退款将在五个工作日内支付。';
const TAIWANESE = '客戶可以在收到訂單後三十天內退貨。退款將在五個工作日內支付。';
const JAPANESE =
  'お客様は商品到着後三十日以内であれば返品することができます。返金は五営業日以内に行われます。';
const KOREAN =
  '고객은 배송 후 삼십 일 이내에 모든 주문을 반품할 수 있습니다. 환불은 오 영업일 이내에 지급됩니다.';

/** A file of which the last third is missing. */
const cut = (bytes: Buffer) => bytes.subarray(0, (bytes.length * 2) / 3);

describe('a document', () => {
  let service: SharedService;
  let alice: Client;
  let kbId: string;

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, newUserId('alice'));
    kbId = (await alice.createKnowledgeBase()).id;
  });

  /** Uploads a file and waits until it is ready, or has failed. */
  async function add(file: Upload): Promise<{ document: Document; passages: Passage[] }> {
    const answer = await uploadFile(alice, kbId, file, { on_duplicate: 'replace' });
    if (answer.status !== 202) throw new Error(answer.text);
    let document = answer.body as Document;
    await eventually(async () => {
      document = (await alice.get<Document>(`/documents/${answer.body.id}`)).body;
      return document.status === 'ready' || document.status === 'failed';
    }, PATIENCE_MS);
    const { body } = await alice.get<Page<Passage>>(`/documents/${document.id}/chunks?limit=100`);
    return { document, passages: body.data };
  }

  it('is read page by page from PDF, and each passage has its page', async () => {
    const pages = Array.from({ length: 12 }, (_, n) =>
      pageOf([`Page ${n + 1} tells of penguin${n + 1}.`, '', 'It says no more.']),
    );
    const { document, passages } = await add({ name: 'penguins.pdf', bytes: pdf(pages) });
    expect(document.status).toBe('ready');
    expect(passages.map(({ page }) => page)).toEqual(pages.map((_, n) => n + 1));
    passages.forEach(({ text }, n) => {
      expect(text).toContain(`penguin${n + 1}.`);
      expect(text).toContain('It says no more.');
    });
    const key = await alice.createApiKey(kbId);
    const partner = new Client(service);
    const { results } = (await partner.query(key.api_key, 'penguin7')).body;
    expect(results).toMatchObject([{ document_id: document.id, page: 7 }]);
  });

  it('has whole words and sentences again from PDF', async () => {
    const lines = [
      'Customers may return any order within thirty days after its deliv-',
      'ery, and the refund is paid within five working days. A proof-of-',
      'purchase is needed. Nothing else is asked for by anybody at all.',
    ];
    const { passages } = await add({ name: 'words.pdf', bytes: pdf([pageOf(lines)]) });
    expect(passages.map(({ text }) => text)).toEqual([
      'Customers may return any order within thirty days after its delivery, and the refund is paid within five working days. A proof-of-purchase is needed. Nothing else is asked for by anybody at all.',
    ]);
  });

  it(
    'fails as no_text_extracted if it is a PDF without text, like a scan',
    async () => {
      const { document, passages } = await add({
        name: 'scan.pdf',
        bytes: pdf(['0 0 10 10 re f']),
      });
      expect(document).toMatchObject({ status: 'failed', error: { code: 'no_text_extracted' } });
      expect(passages).toEqual([]);
    },
    2 * PATIENCE_MS,
  );

  it('keeps headings and table rows from DOCX', async () => {
    const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`;
    const row = (...cells: string[]) => `<w:tr>${cells.map(cell).join('')}</w:tr>`;
    const body = [
      paragraph('Returns', 'Heading1'),
      paragraph('Customers may return any order &amp; parcel.'),
      paragraph('Refunds', 'Heading2'),
      paragraph('Paid within five working days.'),
      paragraph('Shipping', 'Heading1'),
      `<w:tbl>${row('Country', 'Days')}${row('Iceland', '9')}</w:tbl>`,
    ].join('');
    const { passages } = await add({ name: 'returns.docx', bytes: docx(documentXml(body)) });
    expect(passages.map(({ heading }) => heading)).toEqual([
      'Returns',
      'Returns › Refunds',
      'Shipping',
    ]);
    expect(passages[0]?.text).toBe('Customers may return any order & parcel.');
    expect(passages[2]?.text).toContain('| Iceland | 9 |');
    expect(passages.every(({ page }) => page === null)).toBe(true);
  });

  it('keeps symbols, powers and embedded texts from DOCX, and reports what is missing', async () => {
    const run = (text: string, properties = '') =>
      `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
    const body = [
      `<w:p>${run('Take ')}<w:r><w:sym w:font="Symbol" w:char="F0A3"/></w:r>${run(' 5 mg for 10')}${run('6', '<w:vertAlign w:val="superscript"/>')}${run(' cells')}${run(' secretly', '<w:vanish/>')}${run('.')}</w:p>`,
      '<w:altChunk r:id="r1"/><w:p><c:chart r:id="r2"/></w:p>',
    ].join('');
    const bytes = docx(documentXml(body), [
      relationships('word/document.xml', [
        ['aFChunk', 'terms.html'],
        ['chart', 'chart.xml'],
      ]),
      { name: 'word/terms.html', content: '<h1>Terms</h1><p>Notice is six weeks.</p>' },
      { name: 'word/chart.xml', content: '<chartSpace/>' },
    ]);
    const { document, passages } = await add({ name: 'dose.docx', bytes });
    expect(passages.map(({ heading, text }) => [heading, text])).toEqual([
      [null, 'Take ≤ 5 mg for 10⁶ cells.'],
      ['Terms', 'Notice is six weeks.'],
    ]);
    expect(document).toMatchObject({
      warnings: [
        { code: 'hidden_left_out', message: 'Hidden parts are left out: hidden text.' },
        { code: 'not_read', message: 'Some parts are not read: chart.' },
      ],
    });
    for (const message of ['10^6 cells', '10⁶ cells']) {
      const { body: found } = await alice.post<{ results: { text: string }[] }>(
        `/kbs/${kbId}/query`,
        { message, top_k: 1 },
      );
      expect([message, found.results[0]?.text]).toEqual([message, 'Take ≤ 5 mg for 10⁶ cells.']);
    }
  });

  it('has the slides of PPTX as headings, with their notes', async () => {
    const title = (text: string) => shape('title', [text]);
    const slides = [
      { shapes: title('Returns') + shape('body', ['Thirty days', 'Any order']), notes: 'Say why.' },
      { shapes: title('Refunds') + shape('body', ['Five working days']) },
    ];
    const { document, passages } = await add({ name: 'returns.pptx', bytes: pptx(slides) });
    expect(document).toMatchObject({ status: 'ready', error: null });
    const text = passages.map((passage) => `${passage.heading}: ${passage.text}`).join('\n');
    for (const words of ['Returns', '– Thirty days', 'Say why.', 'Refunds', 'Five working days']) {
      expect(text).toContain(words);
    }
  });

  it('has the column names in each passage from XLSX and CSV', async () => {
    const rows = Array.from({ length: 400 }, (_, n) => [`Article ${n}`, n, 'in stock']);
    const data = sheetData([['Name', 'Price', 'State'], ...rows]);
    const csv = [['Name', 'Price', 'State'], ...rows].map((row) => row.join(';')).join('\n');
    for (const file of [
      { name: 'stock.xlsx', bytes: xlsx([{ name: 'Stock', data }]) },
      { name: 'stock.csv', bytes: csv },
    ]) {
      const { document, passages } = await add(file);
      expect([file.name, document.error]).toEqual([file.name, null]);
      expect(passages.length).toBeGreaterThan(1);
      for (const { text } of passages) expect(text).toMatch(/Name.*Price.*State/);
      expect(passages.map(({ text }) => text).join('\n')).toMatch(/Article 399.*399.*in stock/);
    }
  });

  it('keeps headings from EPUB and ODT', async () => {
    const book = epub([{ title: 'The Storm', body: '<p>It rained.</p>' }]);
    const letter = odt(
      '<text:h text:outline-level="1">Returns</text:h><text:p>Thirty days.</text:p>',
    );
    const read = [
      await add({ name: 'storm.epub', bytes: book }),
      await add({ name: 'returns.odt', bytes: letter }),
    ];
    expect(read.map(({ document }) => 'mime_type' in document && document.mime_type)).toEqual([
      'application/epub+zip',
      'application/vnd.oasis.opendocument.text',
    ]);
    expect(
      read.map(({ passages }) => passages.map(({ heading, text }) => [heading, text])),
    ).toEqual([[['The Storm', 'It rained.']], [['Returns', 'Thirty days.']]]);
  });

  it('has the subject of a mail as the heading, and its attachments', async () => {
    const mail = [
      'From: Jane <jane@example.com>\nTo: shop@example.com\nSubject: A lamp',
      'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html',
      '\n<p>It is <b>broken</b>.</p>\n--b\nContent-Type: text/csv',
      'Content-Disposition: attachment; filename=orders.csv\n\nOrder;Days\n1234;9\n--b--\n',
    ].join('\n');
    const { document, passages } = await add({ name: 'lamp.eml', bytes: mail });
    expect(document).toMatchObject({ mime_type: 'message/rfc822', error: null });
    expect(passages.every(({ heading }) => heading?.startsWith('A lamp'))).toBe(true);
    const text = passages.map((passage) => passage.text).join('\n');
    expect(text).toContain('From: Jane <jane@example.com>');
    expect(text).toContain('It is broken.');
    expect(text).toMatch(/1234.*9/);
  });

  it.each<[what: string, file: Upload, code: string]>([
    ['PPTX without slides', { name: 'a.pptx', bytes: pptx([]) }, 'no_text_extracted'],
    [
      'XLSX without cells',
      { name: 'a.xlsx', bytes: xlsx([{ name: 'A', data: '' }]) },
      'no_text_extracted',
    ],
    ['ODT without text', { name: 'a.odt', bytes: odt('') }, 'no_text_extracted'],
    ['EPUB without text', { name: 'a.epub', bytes: epub([{ body: '' }]) }, 'no_text_extracted'],
    ['CSV without cells', { name: 'a.csv', bytes: ',,\n,,\n' }, 'no_text_extracted'],
    [
      'HTML without text',
      { name: 'a.html', bytes: '<html><script>x</script></html>' },
      'no_text_extracted',
    ],
    ['Markdown without text', { name: 'a.md', bytes: '---\n' }, 'no_text_extracted'],
    [
      'PPTX that is cut off',
      { name: 'b.pptx', bytes: cut(pptx([{ shapes: '' }])) },
      'parse_failed',
    ],
    [
      'XLSX that is cut off',
      { name: 'b.xlsx', bytes: cut(xlsx([{ name: 'A', data: '' }])) },
      'parse_failed',
    ],
    ['ODT that is cut off', { name: 'b.odt', bytes: cut(odt('')) }, 'parse_failed'],
    ['EPUB that is cut off', { name: 'b.epub', bytes: cut(epub([{ body: '' }])) }, 'parse_failed'],
    [
      'HTML nested too deeply',
      { name: 'b.html', bytes: `<html>${'<div>'.repeat(2000)}x` },
      'parse_failed',
    ],
  ])('fails with a message if it is %s', async (_, file, code) => {
    const { document, passages } = await add(file);
    expect(document).toMatchObject({ status: 'failed', error: { code } });
    expect(document.error?.message).toMatch(/^[A-Z].*\.$/);
    expect(passages).toEqual([]);
  });

  it('keeps the front matter fields and the text of MDX', async () => {
    const bytes = [
      '---\r\ntitle: Setup\r\nicon: gear\r\n---\r\n\r\nimport { Tip } from "./tip"\r\n',
      '# Setup\r\n\r\n<Tip kind={"a" > "b" ? 1 : {}}>\r\nSet **both** variables.\r\n</Tip>\r\n',
      '```bash\n# no heading\nexport A=1\n```\n\n---\n\n## Next {#next}\n\n{props.children} and so on.',
    ].join('\n');
    const { passages } = await add({ name: 'setup.mdx', bytes });
    const text = passages.map((passage) => passage.text).join('\n');
    expect(text).toContain('icon: gear');
    expect(text).toContain('Set both variables.');
    expect(text).toContain('# no heading');
    expect(text).toContain('and so on.');
    expect(passages.map(({ heading }) => heading)).toContain('Setup');
  });

  it('keeps the headings of Markdown of any length', async () => {
    const filler = 'Words and words and words.\n\n'.repeat(200);
    const parts = Array.from({ length: 40 }, (_, n) => `# Part ${n}\n\n${filler}`);
    const bytes = `${parts.join('')}\`\`\`\n# code\n\n${filler.repeat(40)}\n# code\n\`\`\`\n# Last\n\nEnd.`;
    const { document } = await add({ name: 'long.md', bytes });
    const headings: (string | null)[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: string = `limit=100${cursor && `&cursor=${cursor}`}`;
      const { body } = await alice.get<Page<Passage>>(`/documents/${document.id}/chunks?${page}`);
      headings.push(...body.data.map(({ heading }) => heading));
      cursor = body.next_cursor;
    }
    expect(headings).toHaveLength(document.chunk_count);
    expect([...new Set(headings)]).toEqual([...parts.map((_, n) => `Part ${n}`), 'Last']);
  });

  it.each<[encoding: string, text: string, bytes: Uint8Array]>([
    ['UTF-8', CHINESE, Buffer.from(CHINESE)],
    ['UTF-8 with a mark', GERMAN, Buffer.from(`\ufeff${GERMAN}`)],
    ['UTF-16 LE', RUSSIAN, Buffer.from(`\ufeff${RUSSIAN}`, 'utf16le')],
    ['UTF-16 BE', CHINESE, Buffer.from(`\ufeff${CHINESE}`, 'utf16le').swap16()],
    ['Latin-1', GERMAN, Buffer.from(GERMAN, 'latin1')],
    ['windows-1252', FRENCH, windows1252(FRENCH)],
    ['windows-1250', POLISH, encode(POLISH, 'windows-1250')],
    ['windows-1251', RUSSIAN, encode(RUSSIAN, 'windows-1251')],
    ['KOI8-R', RUSSIAN, encode(RUSSIAN, 'koi8-r')],
    ['GB18030', CHINESE, encode(CHINESE, 'gb18030')],
    ['Big5', TAIWANESE, encode(TAIWANESE, 'big5')],
    ['Shift_JIS', JAPANESE, encode(JAPANESE, 'shift_jis')],
    ['EUC-JP', JAPANESE, encode(JAPANESE, 'euc-jp')],
    ['EUC-KR', KOREAN, encode(KOREAN, 'euc-kr')],
  ])('is read as it was written in %s', async (encoding, text, bytes) => {
    const { document, passages } = await add({ name: `${encoding}.txt`, bytes });
    expect(document.error).toBeNull();
    expect(passages.map((passage) => passage.text)).toEqual([text]);
  });

  it('is read in the encoding that its HTML declares', async () => {
    const page = (charset: string) =>
      `<html><head><meta charset="${charset}"></head><body><article><p>£</p></article></body></html>`;
    const short = Buffer.from(page('windows-1253').replace('£', '\xe1\xe2\xe3'), 'latin1');
    expect((await add({ name: 'greek.html', bytes: short })).passages[0]?.text).toBe('αβγ');
  });

  it('is read in a guessed encoding if it is one word, and reports that', async () => {
    const { document, passages } = await add({
      name: 'word.txt',
      bytes: Buffer.from('Größe', 'latin1'),
    });
    expect(passages[0]?.text).toBe('Größe');
    expect(document.warnings.map(({ code }) => code)).toEqual(['encoding_guessed']);
  });

  it.each<[what: string, bytes: Uint8Array]>([
    ['UTF-8 that is broken', Buffer.concat([Buffer.from(GERMAN), Buffer.from([0xc3, 0xff])])],
    ['UTF-16 that is broken', Buffer.from([0xff, 0xfe, 0x41, 0x00, 0x00, 0xd8, 0x41, 0x00])],
  ])('fails with a message, rather than being mangled, in %s', async (what, bytes) => {
    const { document, passages } = await add({ name: `${what}.txt`, bytes });
    expect(document.error).toEqual({
      code: 'parse_failed',
      message:
        'The encoding of the text cannot be told; name it in `charset`, or save it as UTF-8.',
    });
    expect(passages).toEqual([]);
  });
});

/** Which Node cannot tell from Latin-1. */
function windows1252(text: string): Uint8Array {
  const special: Record<string, number> = { '’': 0x92, '“': 0x93, '”': 0x94, '—': 0x97, '€': 0x80 };
  return Uint8Array.from(text, (char) => special[char] ?? char.charCodeAt(0));
}
