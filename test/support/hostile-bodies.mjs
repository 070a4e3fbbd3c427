import { Blob } from 'node:buffer';

/**
 * Requests that are cheap to send and were dear to answer: bodies of up to 1 MiB that are made to be slow
 * before or while they are validated. Used by the tests of attacks and by `npm run bench -- attacks`.
 */

/** @typedef {'nobody' | 'a client token' | 'an API key' | 'a user'} Sender */

/**
 * @typedef {object} HostileBody
 * @property {string} name
 * @property {Sender} sender
 * @property {string} path with `{kb_id}` for a knowledge base that the sender may use
 * @property {string} [method] POST unless given
 * @property {Record<string, string>} [headers]
 * @property {() => string | FormData} body
 */

const MIB = 1024 * 1024;

/**
 * @param {number} count
 * @param {(index: number) => string} entry
 */
const repeated = (count, entry) => Array.from({ length: count }, (_, index) => entry(index)).join();

/** @param {number} count */
const fields = (count) => repeated(count, (index) => `"f${index}":1`);

/** @param {number} count */
const objects = (count) => repeated(count, () => '{}');

/** @param {number} count */
const texts = (count) => repeated(count, (index) => `"s${index}"`);

/** Lists of a hundred, which no limit of a list's length refuses. */
const listsOfLists = () => repeated(3000, () => `[${repeated(100, () => '[]')}]`);

const questionsWithUnknownFields = () => repeated(2000, () => `{${fields(50)}}`);

/** @param {string} text */
const inMultipart = (text) => {
  const form = new globalThis.FormData();
  form.append('file', new Blob(['A text.']), 'a.txt');
  form.append('metadata', text);
  return form;
};

const manyParts = () => {
  const form = new globalThis.FormData();
  for (let index = 0; index < 2000; index++) form.append(`f${index}`, '1');
  return form;
};

const TOOL_CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search",';
const ACCEPT = { accept: 'application/json, text/event-stream' };
const RETRIEVAL = '"query":"x","retrieval_setting":{"top_k":5}';

/** @type {HostileBody[]} */
export const HOSTILE_BODIES = [
  {
    name: '90,000 unknown fields, /leaked-api-keys',
    sender: 'nobody',
    path: '/api/v1/leaked-api-keys',
    body: () => `{${fields(90_000)}}`,
  },
  {
    name: '5,000 unknown fields in 64 KiB, /leaked-api-keys',
    sender: 'nobody',
    path: '/api/v1/leaked-api-keys',
    body: () => `{${fields(5000)}}`,
  },
  {
    name: '300,000 objects in a list, /leaked-api-keys',
    sender: 'nobody',
    path: '/api/v1/leaked-api-keys',
    body: () => `{"api_keys":[${objects(300_000)}]}`,
  },
  {
    name: '1 MiB without a signature, /leaked-api-keys/github',
    sender: 'nobody',
    path: '/api/v1/leaked-api-keys/github',
    headers: { 'github-public-key-identifier': 'x', 'github-public-key-signature': 'eA==' },
    body: () => `[${repeated(99_000, (index) => `{"${index.toString(36)}":1}`)}]`,
  },
  {
    name: '90,000 fields, a path that does not exist',
    sender: 'nobody',
    path: '/api/v1/nothing',
    body: () => `{${fields(90_000)}}`,
  },
  {
    name: '90,000 unknown fields, /query',
    sender: 'a client token',
    path: '/api/v1/query',
    body: () => `{"message":"x",${fields(90_000)}}`,
  },
  {
    name: '5,000 unknown fields in 64 KiB, /chat',
    sender: 'a client token',
    path: '/api/v1/chat',
    body: () => `{"message":"x",${fields(5000)}}`,
  },
  {
    name: '300,000 messages, /v1/chat/completions',
    sender: 'a client token',
    path: '/v1/chat/completions',
    body: () => `{"model":"latchkey","messages":[${objects(300_000)}]}`,
  },
  {
    name: '300,000 conditions, /dify/retrieval',
    sender: 'a client token',
    path: '/dify/retrieval',
    body: () =>
      `{"knowledge_id":"x",${RETRIEVAL},"metadata_condition":{"conditions":[${objects(300_000)}]}}`,
  },
  {
    name: '100,000 fields in the arguments of a tool, /mcp',
    sender: 'a client token',
    path: '/mcp',
    headers: ACCEPT,
    body: () => `${TOOL_CALL}"arguments":{"query":"x",${repeated(90_000, (i) => `"f${i}":1`)}}}}`,
  },
  {
    name: '300,000 lists in the arguments of a tool, /mcp',
    sender: 'a client token',
    path: '/mcp',
    headers: ACCEPT,
    body: () => `${TOOL_CALL}"arguments":{"query":[${listsOfLists()}]}}}`,
  },
  {
    name: 'an id of 1 MiB, /mcp',
    sender: 'a client token',
    path: '/mcp',
    headers: ACCEPT,
    body: () => `{"jsonrpc":"2.0","id":"${'x'.repeat(MIB - 100)}","method":"nothing"}`,
  },
  {
    name: 'a method with a name of 1 MiB, /mcp',
    sender: 'a client token',
    path: '/mcp',
    headers: ACCEPT,
    body: () => `{"jsonrpc":"2.0","id":1,"method":"${'x'.repeat(MIB - 100)}"}`,
  },
  {
    name: 'a tool with a name of 1 MiB, /mcp',
    sender: 'a client token',
    path: '/mcp',
    headers: ACCEPT,
    body: () =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${'x'.repeat(MIB - 200)}"}}`,
  },
  {
    name: 'an argument with a name of 1 MiB, /mcp',
    sender: 'a client token',
    path: '/mcp',
    headers: ACCEPT,
    body: () => `${TOOL_CALL}"arguments":{"query":"x","${'x'.repeat(MIB - 200)}":1}}}`,
  },
  {
    name: '90,000 fields in the metadata of a document, /ingest/documents',
    sender: 'an API key',
    method: 'PUT',
    path: '/api/v1/ingest/documents/hostile',
    body: () => `{"title":"x","text":"x","metadata":{${fields(90_000)}}}`,
  },
  {
    name: '90,000 scopes, /kbs/{kb_id}/api-keys',
    sender: 'a user',
    path: '/api/v1/kbs/{kb_id}/api-keys',
    body: () => `{"name":"x","environment":"live","scopes":[${texts(90_000)}]}`,
  },
  {
    name: '90,000 events, /kbs/{kb_id}/webhooks',
    sender: 'a user',
    path: '/api/v1/kbs/{kb_id}/webhooks',
    body: () => `{"url":"https://receiver.invalid","events":[${texts(90_000)}]}`,
  },
  {
    name: '300,000 questions, /kbs/{kb_id}/evaluations',
    sender: 'a user',
    path: '/api/v1/kbs/{kb_id}/evaluations',
    body: () => `{"questions":[${objects(300_000)}]}`,
  },
  {
    name: '2,000 questions of 50 unknown fields, /kbs/{kb_id}/evaluations',
    sender: 'a user',
    path: '/api/v1/kbs/{kb_id}/evaluations',
    body: () => `{"questions":[${questionsWithUnknownFields()}]}`,
  },
  {
    name: '90,000 unknown fields and an Idempotency-Key, /kbs',
    sender: 'a user',
    path: '/api/v1/kbs',
    headers: { 'idempotency-key': 'x' },
    body: () => `{"name":"x",${fields(90_000)}}`,
  },
  {
    name: '90,000 fields where no body is read, /kbs/{kb_id}/reindex',
    sender: 'a user',
    path: '/api/v1/kbs/{kb_id}/reindex',
    body: () => `{${fields(90_000)}}`,
  },
  {
    name: '300,000 lists in a name, /kbs',
    sender: 'a user',
    path: '/api/v1/kbs',
    body: () => `{"name":[${listsOfLists()}]}`,
  },
  {
    name: '99,000 objects of other fields, /kbs',
    sender: 'a user',
    path: '/api/v1/kbs',
    body: () => `{"name":[${repeated(99_000, (index) => `{"${index.toString(36)}":1}`)}]}`,
  },
  {
    name: '64 KiB of metadata in a form, /kbs/{kb_id}/documents',
    sender: 'a user',
    path: '/api/v1/kbs/{kb_id}/documents',
    body: () => inMultipart(`{${fields(5000)}}`),
  },
  {
    name: '2,000 parts of a form, /kbs/{kb_id}/documents',
    sender: 'a user',
    path: '/api/v1/kbs/{kb_id}/documents',
    body: manyParts,
  },
];

/**
 * Sends one, on behalf of whom it wants.
 *
 * @param {string} url of the service
 * @param {HostileBody} hostile
 * @param {{ kbId: string, userId: string, token: string, apiKey: string }} who
 * @returns {Promise<{ status: number, bytes: number, text: string }>} the answer
 */
export async function sendHostile(url, hostile, { kbId, userId, token, apiKey }) {
  const { sender, path, method = 'POST', headers = {}, body } = hostile;
  const content = body();
  const response = await globalThis.fetch(url + path.replace('{kb_id}', kbId), {
    method,
    headers: {
      ...(typeof content === 'string' && { 'content-type': 'application/json' }),
      ...(sender === 'a user' && { 'x-idp-user-id': userId }),
      ...(sender === 'a client token' && { authorization: `Bearer ${token}` }),
      ...(sender === 'an API key' && { authorization: `Bearer ${apiKey}` }),
      ...headers,
    },
    body: content,
  });
  const text = await response.text();
  return { status: response.status, bytes: Buffer.byteLength(text), text };
}
