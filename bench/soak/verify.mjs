import { setTimeout as pause } from 'node:timers/promises';

const PARALLEL = 8;
const SETTLE_TIMEOUT_MS = 180_000;

/**
 * Looks for what was acknowledged.
 *
 * @param {import('./workload.mjs').Workload} workload
 * @param {import('./service-client.mjs').ServiceClient[]} hosts
 * @returns {Promise<Record<string, string | number>[]>} a row for each kind
 */
export async function verify(workload, [client, ...others]) {
  if (!client) throw new Error('There is no host');
  const { documents, conversations, revoked, secret, kbId } = workload;
  await untilIndexed(client, kbId);
  const missing = await count(documents, async ({ id, marker }) => {
    const { body } = await client.once('GET', `/documents/${id}`);
    const question = { api_key: secret, message: marker, top_k: 1 };
    const found = await client.once('POST', '/query', question);
    return body.status !== 'ready' || found.body.results?.[0]?.document_id !== id;
  });
  const { body } = await client.once('GET', `/kbs/${kbId}/documents?limit=1`);
  const incomplete = await count([...conversations], async ([id, messages]) => {
    const answer = await client.once('GET', `/conversations/${id}/messages?limit=100`);
    const stored = answer.body.data?.map((/** @type {{ id: string }} */ message) => message.id);
    return !messages.every((message) => stored?.includes(message));
  });
  const working = await count(revoked, async ({ secret: api_key }) => {
    const uses = [client, ...others].map((host) =>
      host.once('POST', '/query', { api_key, message: 'Anything?' }),
    );
    return (await Promise.all(uses)).some(({ status }) => status !== 401);
  });
  const messages = [...conversations.values()].flat().length;
  return [
    {
      what: 'documents, each found by its own word',
      acknowledged: documents.length,
      lost: missing,
    },
    {
      what: 'documents, none twice',
      acknowledged: documents.length,
      lost: body.total - documents.length,
    },
    {
      what: `conversations, of ${messages} answers`,
      acknowledged: conversations.size,
      lost: incomplete,
    },
    {
      what: 'uses of revoked keys let in',
      acknowledged: workload.keys.revoked,
      lost: workload.letIn,
    },
    { what: 'revoked keys that work at the end', acknowledged: revoked.length, lost: working },
  ];
}

/**
 * @param {import('./service-client.mjs').ServiceClient} client
 * @param {string} kbId
 */
async function untilIndexed(client, kbId) {
  const deadline = performance.now() + SETTLE_TIMEOUT_MS;
  for (const status of ['pending', 'processing']) {
    const path = `/kbs/${kbId}/documents?status=${status}&limit=1`;
    while ((await client.once('GET', path)).body.total !== 0) {
      if (performance.now() > deadline) return;
      await pause(200);
    }
  }
}

/**
 * @template T
 * @param {T[]} items
 * @param {(item: T) => Promise<boolean>} fails
 */
async function count(items, fails) {
  const rest = [...items];
  let failed = 0;
  const lane = async () => {
    for (let item = rest.pop(); item !== undefined; item = rest.pop()) {
      if (await fails(item)) failed++;
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, lane));
  return failed;
}
