import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Client, type Document, outcome } from '../support/client.js';
import { furnish } from '../support/furnish.js';
import { eventually } from '../support/service.js';

interface Dated extends Document {
  date: { value: string; from: string } | null;
}

const FRONT_MATTER = '---\ndate: 2024-05-06\n---\nThe monthly rate is 90 euros.';

describe('the date of a document', () => {
  let alice: Client;
  let partner: Client;
  let kbId: string;

  beforeAll(async () => {
    ({ alice, partner, kbId } = await furnish());
  });

  let count = 0;
  const add = async (title: string, text: string, more: object = {}) => {
    const body = { title, text: `${text}\n\n${++count}`, mime_type: 'text/markdown', ...more };
    return (await alice.addDocument(kbId, body)).id;
  };
  const getDate = async (id: string) => (await alice.get<Dated>(`/documents/${id}`)).body.date;
  const patch = (id: string, body: object) => alice.call('PATCH', `/documents/${id}`, body);

  it.each([
    ['that is given', 'Rates 2025', FRONT_MATTER, { date: '2023-07' }, '2023-07', 'given'],
    ['of its file', 'Rates 2025', FRONT_MATTER, {}, '2024-05-06', 'file'],
    ['of its title', 'Rates 2025', '# Rates 2026\n\nThe rate is 9.', {}, '2025', 'title'],
    ['of a day in its title', 'Minutes 2025-03-01', 'The rate is 9.', {}, '2025-03-01', 'title'],
    ['of its headings', 'Rates', '# Rates 2026\n\nThe rate is 9.', {}, '2026', 'heading'],
  ])('is the one %s', async (_, title, text, more, value, from) => {
    expect(await getDate(await add(title, text, more))).toEqual({ value, from });
  });

  it('is null where nothing says it, or several years are named', async () => {
    expect(await getDate(await add('Rates', 'The rate in 2026 is 9.'))).toBeNull();
    expect(await getDate(await add('Rates 2024 and 2025', 'The rate is 9.'))).toBeNull();
  });

  it('can be given later, stays through replacements, and can be taken back', async () => {
    const external = { external_id: 'rates/dated' };
    const id = await add('Rates 2025', 'The rate is 9.', external);
    expect(outcome(await patch(id, { date: '2024-12-31' }))).toBe('200');
    expect(await getDate(id)).toEqual({ value: '2024-12-31', from: 'given' });
    await add('Rates 2026', 'The rate is 10.', { ...external, on_duplicate: 'replace' });
    expect(await getDate(id)).toEqual({ value: '2024-12-31', from: 'given' });
    expect(outcome(await patch(id, { date: null }))).toBe('200');
    await eventually(async () => (await getDate(id))?.from === 'title');
    expect(await getDate(id)).toEqual({ value: '2026', from: 'title' });
  });

  it.each(['2025-02-30', '2025-13', '25', '2025-3-1', '0000', 2025, '2025-03-01T00:00:00Z', ''])(
    'cannot be %j',
    async (date) => {
      const body = { title: 'Rates', text: `The rate is ${++count}.`, date };
      expect(outcome(await alice.call('POST', `/kbs/${kbId}/documents`, body))).toBe(
        '400 validation_failed',
      );
    },
  );

  it('is given by pipelines, too, and shown with results', async () => {
    const { api_key: key } = await alice.createApiKey(kbId, {
      scopes: ['query', 'documents:write'],
    });
    const body = { title: 'Tariff', text: 'The tariff of the ferry is 7 euros.', date: '2022' };
    const headers = { authorization: `Bearer ${key}` };
    const put = await partner.call('PUT', '/ingest/documents/ferry', body, headers);
    expect(outcome(put)).toBe('202');
    const find = async () => {
      const asked = { api_key: key, message: 'What is the tariff of the ferry?' };
      return (await partner.post<{ results: Dated[] }>('/query', asked)).body.results[0]?.date;
    };
    await eventually(async () => (await find())?.from === 'given');
    expect(await find()).toEqual({ value: '2022', from: 'given' });
  });
});
