import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client, type Document } from '../support/client.js';
import { docx, documentXml, uploadFile, zip } from '../support/files.js';
import { pptx, sheetData, xlsx } from '../support/office-files.js';
import { pdf } from '../support/pdf.mjs';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

interface Table {
  columns: string[];
  rows: string[][];
}

const COLUMNS = ['Plan', 'Per month (EUR)', 'Per year (EUR)'];
const ROWS = [
  ['Basic', '9.50', '96.00'],
  ['Team', '24.00', '241.00'],
];
const ALL = [COLUMNS, ...ROWS];

const tagged = (row: string, cell: (text: string) => string) =>
  ALL.map((cells) => `<${row}>${cells.map(cell).join('')}</${row}>`).join('');
const bars = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
const ods = `<office:document-content><office:body><office:spreadsheet><table:table table:name="S">${ALL.map(
  (cells, at) =>
    `<table:table-row>${cells.map((text, column) => `<table:table-cell${at > 0 && column > 0 ? ' office:value-type="float"' : ''}><text:p>${text}</text:p></table:table-cell>`).join('')}</table:table-row>`,
).join('')}</table:table></office:spreadsheet></office:body></office:document-content>`;

const FILES = {
  'plans.csv': ALL.map((cells) => cells.join(';')).join('\n'),
  'plans.xlsx': xlsx([{ name: 'Plans', data: sheetData(ALL) }]),
  'plans.ods': zip([
    {
      name: 'mimetype',
      content: 'application/vnd.oasis.opendocument.spreadsheet',
      stored: true,
    },
    { name: 'content.xml', content: ods },
  ]),
  'plans.html': `<h1>Plans</h1><table>${tagged('tr', (text) => `<td>${text}</td>`)}</table>`,
  'plans.md': [bars(COLUMNS), bars(['---', '---', '---']), ...ROWS.map(bars)].join('\n'),
  'plans.docx': docx(
    documentXml(
      `<w:tbl>${tagged('w:tr', (text) => `<w:tc><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`)}</w:tbl>`,
    ),
  ),
  'plans.pptx': pptx([
    {
      shapes: `<p:graphicFrame><a:graphic><a:graphicData><a:tbl>${tagged('a:tr', (text) => `<a:tc><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`)}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`,
    },
  ]),
  'plans.pdf': pdf([
    ALL.flatMap((cells, row) =>
      cells.map(
        (text, column) =>
          `BT /F1 12 Tf ${72 + 140 * column} ${700 - 16 * row} Td (${text.replace(/[()]/g, '\\$&')}) Tj ET`,
      ),
    ).join(' '),
  ]),
};

describe('a table', () => {
  let service: SharedService;
  let alice: Client;
  let partner: Client;

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, newUserId('alice'));
    partner = new Client(service);
  });

  async function withFile(name: string, content: string | Buffer) {
    const kbId = (await alice.createKnowledgeBase()).id;
    const { api_key: key } = await alice.createApiKey(kbId);
    const answer = await uploadFile(alice, kbId, { name, bytes: Buffer.from(content) });
    const { status } = await alice.readDocument((answer.body as Document).id);
    expect(status).toBe('ready');
    return { kbId, key };
  }

  it.each(Object.keys(FILES))(
    'is answered as rows and columns from %s, and its cells are found',
    async (name) => {
      const { kbId, key } = await withFile(name, FILES[name as keyof typeof FILES]);
      const question = 'What is the price of the Basic plan per year?';
      const asked = await partner.query(key, question, { tables: true });
      expect(asked.body.results).toMatchObject([{ table: { columns: COLUMNS, rows: ROWS } }]);
      const {
        query_id: _,
        latency_ms: __,
        ...tried
      } = (
        await alice.post<{ results: { table: Table }[] } & Record<string, unknown>>(
          `/kbs/${kbId}/query`,
          {
            message: question,
            tables: true,
          },
        )
      ).body;
      expect(tried).toEqual({ results: asked.body.results });
      const without = asked.body.results.map((result) => ({ ...result, table: undefined }));
      for (const more of [{}, { tables: false }]) {
        const { results } = (await partner.query(key, question, more)).body;
        expect(JSON.stringify(results)).toBe(JSON.stringify(without));
      }
      const { answer, answered } = (await partner.chat(key, question)).body;
      expect(answered).toBe(true);
      expect(answer).toBe(`96.00\n${COLUMNS.join(' | ')}\nBasic | 9.50 | 96.00 [1]`);
    },
  );

  it('has no columns if it names none, and is quoted without a header', async () => {
    const html = `<table>${[
      ['Support', 'by telephone and letter'],
      ['Backups', 'kept for thirty days'],
    ]
      .map((cells) => `<tr>${cells.map((text) => `<td>${text}</td>`).join('')}</tr>`)
      .join('')}</table>`;
    const { key } = await withFile('facts.html', html);
    const { results } = (await partner.query(key, 'backups', { tables: true })).body;
    expect(results).toMatchObject([
      {
        table: {
          columns: [],
          rows: [
            ['Support', 'by telephone and letter'],
            ['Backups', 'kept for thirty days'],
          ],
        },
      },
    ]);
    const { answer } = (await partner.chat(key, 'How long are backups kept?')).body;
    expect(answer).toBe('Backups | kept for thirty days [1]');
  });

  it('is missing from a result without one, and from a refused request', async () => {
    const { key } = await withFile('text.md', 'Backups are kept for thirty days.');
    const { results } = (await partner.query(key, 'backups', { tables: true })).body;
    expect(results).toHaveLength(1);
    expect(results[0]).not.toHaveProperty('table');
    const refused = await partner.query(key, 'backups', { tables: 'yes' });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({
      code: 'validation_failed',
      errors: [{ field: 'tables' }],
    });
  });
});
