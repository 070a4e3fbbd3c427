import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client, type Document, type Page } from '../support/client.js';
import { uploadFile } from '../support/files.js';
import { pageOf, pdf } from '../support/pdf.mjs';
import { eventually } from '../support/service.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';
import { sql } from '../support/sql.js';
import { engine } from '../support/test-database.js';

interface Place {
  heading: string | null;
  page: number | null;
  locator: object | null;
}

const places = (rows: readonly object[]) =>
  rows.map((row) => {
    const { heading, page, locator } = row as Place;
    return { heading, page, locator };
  });

describe('where a passage stands', () => {
  let service: SharedService;
  let alice: Client;
  let partner: Client;
  let kbId: string;
  let secret: string;

  beforeAll(async () => {
    service = await sharedService();
    alice = new Client(service, newUserId('alice'));
    partner = new Client(service);
    kbId = (await alice.createKnowledgeBase()).id;
    secret = (await alice.createApiKey(kbId)).api_key;
    await alice.addDocument(kbId, {
      title: 'Returns',
      text: '# Returns\n\n## Refunds\n\nRefunds are paid within five working days.',
      mime_type: 'text/markdown',
    });
    const pages = ['Nothing of interest is written here.', 'Penguins live on cold ice.'];
    const file = { name: 'penguins.pdf', bytes: pdf(pages.map((line) => pageOf([line]))) };
    const { id } = (await uploadFile(alice, kbId, file)).body as Document;
    await eventually(async () => {
      return (await alice.get<Document>(`/documents/${id}`)).body.status === 'ready';
    });
  });

  const ask = (message: string) => partner.chat(secret, message, { top_k: 1 });

  it.each([
    ['refunds', { heading: 'Returns › Refunds', page: null, locator: null }],
    ['penguins', { heading: null, page: 2, locator: { page: 2 } }],
  ])(
    'is returned with results, sources, stored sources and passages: %s',
    async (question, place) => {
      const { results } = (await partner.query(secret, question, { top_k: 1 })).body;
      expect(places(results)).toEqual([place]);
      const { sources, conversation_id: conversation } = (await ask(question)).body;
      expect(places(sources)).toEqual([place]);
      const [, answer] = await alice.messages(conversation);
      expect(answer?.sources).toEqual(sources);
      const path = `/documents/${String(results[0]?.document_id)}/chunks`;
      const { data } = (await alice.get<Page<Place>>(path)).body;
      expect(places(data)).toContainEqual(place);
    },
  );

  it.each([{ slide: 3 }, { sheet: 'Sales “2026”', row: 12 }, { chapter: 'The Raven' }])(
    'is in the terms of the format: %j',
    async (locator) => {
      await sql(
        service.environment,
        `UPDATE passages SET locator = '${JSON.stringify(locator)}' WHERE kb_id = '${kbId}' AND page = 2`,
      );
      const { results } = (await partner.query(secret, 'penguins', { top_k: 1 })).body;
      expect(places(results)).toEqual([{ heading: null, page: 2, locator }]);
    },
  );

  it('is null in the sources of answers that were stored without it', async () => {
    const { conversation_id: conversation } = (await ask('refunds')).body;
    const where = `WHERE conversation_id = '${conversation}' AND role = 'assistant'`;
    await sql(
      service.environment,
      engine === 'postgres'
        ? `UPDATE messages SET sources = jsonb_build_array((sources -> 0) - 'heading' - 'locator') ${where}`
        : `UPDATE messages SET sources = json_remove(sources, '$[0].heading', '$[0].locator') ${where}`,
    );
    const [, answer] = await alice.messages(conversation);
    expect(places(answer?.sources ?? [])).toEqual([{ heading: null, page: null, locator: null }]);
  });
});
