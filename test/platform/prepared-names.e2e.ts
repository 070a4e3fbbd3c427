import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, Client, type Document, outcome, type Page } from '../support/client.js';
import { sendForm } from '../support/files.js';
import { eventually } from '../support/service.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

type Described = Document & { readonly metadata: Record<string, unknown> };

/**
 * The runtime's parser may give a name with an escape the name that an earlier object of the process has
 * in its place (nodejs/node#63785): somebody prepares this one, and `gr\u00f6\u00dfe` is called so.
 */
const PREPARED = 'gr\\u0';
/** As Python's `json.dumps` writes it. */
const SECRET = '"gr\\u00f6\\u00dfe":"secret"';
const QUESTION = 'May orders be returned?';

describe('names that somebody has prepared', () => {
  let service: SharedService;
  let mallory: Client;
  let malloryKb: string;
  let malloryKey: Record<string, string>;
  let alice: Client;
  let kbId: string;
  /** Opens all documents but those that are secret. */
  let restricted: string;

  beforeAll(async () => {
    service = await sharedService();
    mallory = new Client(service, newUserId('mallory'));
    alice = new Client(service, newUserId('alice'));
    malloryKb = (await mallory.createKnowledgeBase()).id;
    malloryKey = bearer((await mallory.createApiKey(malloryKb)).api_key);
    kbId = (await alice.createKnowledgeBase()).id;
    const filter = { type: 'ne', key: 'größe', value: 'secret' };
    restricted = (await alice.createApiKey(kbId, { filter })).api_key;
  });

  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const call = (path: string, body: string, headers: Record<string, string> = {}) =>
    new Client(service).call('POST', `/../..${path}`, body, headers);
  const forged = (part: string) => Buffer.from(part).toString('base64url');

  /** A document, with metadata as text. */
  const add = (client: Client, kb: string, metadata: string) =>
    client.post<Document>(
      `/kbs/${kb}/documents`,
      `{"title":"Returns","text":${JSON.stringify(`Orders may be returned. ${metadata}`)},"metadata":${metadata}}`,
    );
  const upload = (client: Client, kb: string, metadata: Blob) => {
    const form = new FormData();
    form.append('metadata', metadata);
    form.append('file', new Blob([`Orders may be returned. ${Math.random()}`]), 'returns.txt');
    return sendForm(client, kb, form);
  };

  const read = async ({ body: { id } }: Answer<Document>) => {
    await alice.readDocument(id);
    return (await alice.get<Described>(`/documents/${id}`)).body.metadata;
  };
  const found = async () =>
    (await new Client(service).query(restricted, QUESTION)).body.results.map(
      ({ document_id: id }) => id,
    );

  const WAYS: Record<string, (json: string) => Promise<Answer<unknown>>> = {
    'the header of a forged token': (json) =>
      call(
        '/api/v1/query',
        '{"message":"Hi"}',
        bearer(`rag_client_${forged(json)}.e30.${'A'.repeat(43)}`),
      ),
    'the claims of a forged token': (json) =>
      call(
        '/api/v1/query',
        '{"message":"Hi"}',
        bearer(`rag_client_e30.${forged(json)}.${'A'.repeat(43)}`),
      ),
    'a body without a credential': (json) => call('/api/v1/query', json),
    'a body that is refused': (json) => mallory.post('/kbs', json),
    'a call of MCP': (json) =>
      call('/mcp', `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${json}}`, {
        ...malloryKey,
        accept: 'application/json, text/event-stream',
      }),
    'a request of OpenAI’s protocol': (json) => call('/v1/chat/completions', json, malloryKey),
    'a request of Dify’s': (json) => call('/dify/retrieval', json, malloryKey),
    'metadata that is stored': (json) => add(mallory, malloryKb, json),
    'a part of multipart': (json) =>
      upload(mallory, malloryKb, new Blob([json], { type: 'application/json' })),
  };
  const ways = Object.keys(WAYS);
  const refused = {
    'the header of a forged token': '401 invalid_api_key',
    'the claims of a forged token': '401 invalid_api_key',
    'a body without a credential': '401 api_key_required',
    'a body that is refused': '400 validation_failed',
  };

  it.each(ways)('do not change the names of the next upload, prepared by %s', async (way) => {
    const first = `way_${ways.indexOf(way)}`;
    const answer = await WAYS[way]?.(JSON.stringify({ [first]: 1, [PREPARED]: 2 }));
    if (answer && way in refused)
      expect(outcome(answer)).toBe(refused[way as keyof typeof refused]);
    const metadata = `{"${first}":2026,${SECRET}}`;
    const uploads = [
      await add(alice, kbId, metadata),
      await upload(alice, kbId, new Blob([metadata])),
      await upload(alice, kbId, new Blob([metadata], { type: 'application/json' })),
    ];
    for (const uploaded of uploads) {
      expect(await read(uploaded)).toEqual({ [first]: 2026, größe: 'secret' });
    }
    expect(await found()).toEqual([]);
  });

  it('rename nothing that is read from the database, where names with quotes have escapes', async () => {
    const quoted = '{"stored":1,"say \\"hi\\"":"x"}';
    const uploaded = await add(alice, kbId, quoted);
    await alice.readDocument(uploaded.body.id);
    // What the escaped name begins with, in as many characters as it has.
    for (const way of ways) await WAYS[way]?.('{"stored":1,"say \\\\\\"hi":2}');
    await eventually(async () => {
      const { body } = await mallory.get<Page<Document>>(`/kbs/${malloryKb}/documents`);
      return body.data.every(({ status }) => status === 'ready');
    });
    await new Client(service).post('/query', { message: QUESTION, top_k: 50 }, malloryKey);
    // As text: the parser of this process has seen both as well.
    const answers = [
      await alice.get(`/documents/${uploaded.body.id}`),
      await new Client(service).query(restricted, QUESTION),
    ];
    for (const { text } of answers) expect(text).toContain(quoted);
  });

  it('are kept as they are, with every escape', async () => {
    const names = ['a\\b', '"', '\\', '\t', '/', '\u2028', '🙂', 'größe', PREPARED];
    const metadata = Object.fromEntries(names.map((name, index) => [name, index]));
    const escaped = `{${names
      .map((name, index) => {
        const units = name
          .split('')
          .map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
        return `"${units.map((unit) => `\\u${unit}`).join('')}":${index}`;
      })
      .join()}}`;
    expect(await read(await add(alice, kbId, escaped))).toEqual(metadata);
  });
});
