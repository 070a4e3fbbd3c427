// What other protocols add to /query: the same search, asked in turn through each of them.
import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import { median, quantile, report, round, startService } from './support.mjs';

const DOCUMENTS = 200;
const WARM_UP = 100;
const ROUNDS = 1000;
const MOST_ADDED_MS = 3;
const QUESTIONS = ['How long may customers return an order?', 'returns after delivery', 'order 7'];

/** @typedef {{ name: string, path: string, body: (question: string) => object }} Protocol */

/** @param {string} kbId @returns {Protocol[]} */
const protocols = (kbId) => [
  { name: '/query', path: '/api/v1/query', body: (message) => ({ message }) },
  {
    name: 'MCP, tools/call of search',
    path: '/mcp',
    body: (query) => ({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'search', arguments: { query } },
    }),
  },
  {
    name: 'OpenAI, vector store search',
    path: `/v1/vector_stores/${kbId}/search`,
    body: (query) => ({ query, max_num_results: 5 }),
  },
  {
    name: 'Dify, retrieval',
    path: '/dify/retrieval',
    body: (query) => ({ knowledge_id: kbId, query, retrieval_setting: { top_k: 5 } }),
  },
];

export default async function compareProtocols() {
  const service = await startService();
  const agent = new Agent({ keepAlive: true });
  try {
    const { id: kbId } = await service.call('POST', '/kbs', { name: 'Protocols' });
    await fill(service, kbId);
    const key = await service.call('POST', `/kbs/${kbId}/api-keys`, {
      ...{ name: 'bench', environment: 'live', rate_limit_per_minute: 1_000_000 },
    });
    const all = protocols(kbId);
    /** @type {Map<string, number[]>} */
    const took = new Map(all.map(({ name }) => [name, []]));
    for (let round = 0; round < WARM_UP + ROUNDS; round++) {
      const question = String(QUESTIONS[round % QUESTIONS.length]);
      // Each is first, second and so on equally often.
      for (let place = 0; place < all.length; place++) {
        const protocol = all[(round + place) % all.length];
        if (!protocol) continue;
        const ms = await timed(agent, service.url, key.api_key, protocol, question);
        if (round >= WARM_UP) took.get(protocol.name)?.push(ms);
      }
    }
    writeSection(took);
  } finally {
    agent.destroy();
    await service.stop();
  }
}

/**
 * @param {import('./support.mjs').Service} service
 * @param {string} kbId
 */
async function fill(service, kbId) {
  for (let number = 0; number < DOCUMENTS; number++) {
    await service.call('POST', `/kbs/${kbId}/documents`, {
      title: `Policy ${number}`,
      text: `Customers may return order ${number} within ${number + 2} days of delivery.`,
    });
  }
  for (;;) {
    const { total } = await service.call('GET', `/kbs/${kbId}/documents?status=ready&limit=1`);
    if (total === DOCUMENTS) return;
  }
}

/**
 * @param {Agent} agent
 * @param {string} url
 * @param {string} secret
 * @param {Protocol} protocol
 * @param {string} question
 * @returns {Promise<number>} milliseconds until the answer was read
 */
async function timed(agent, url, secret, { name, path, body }, question) {
  const begun = performance.now();
  const sent = request(url + path, {
    agent,
    method: 'POST',
    headers: {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
  });
  sent.end(JSON.stringify(body(question)));
  /** @type {import('node:http').IncomingMessage} */
  const response = await new Promise((resolve, reject) => {
    sent.once('response', resolve).once('error', reject);
  });
  const answer = await text(response);
  const ms = performance.now() - begun;
  if (response.statusCode !== 200 || !answer.includes('Customers may return')) {
    throw new Error(`${name}: ${response.statusCode} ${answer}`);
  }
  return ms;
}

/** @param {Map<string, number[]>} took */
function writeSection(took) {
  const floor = took.get('/query') ?? [];
  const rows = [...took].map(([name, times]) => {
    const added = median(times.map((ms, index) => ms - Number(floor[index])));
    return {
      protocol: name,
      'p50 ms': round(median(times)),
      'p95 ms': round(quantile(times, 0.95)),
      'added ms': round(added),
      'ratio to /query': round(median(times) / median(floor)),
      verdict: added <= MOST_ADDED_MS ? 'met' : 'missed',
    };
  });
  report('protocols', {
    notes: [
      `${DOCUMENTS} documents, SQLite; one request at a time over kept connections, ${ROUNDS} rounds, in each of which every protocol asks the same question, in turns of who begins`,
      `added: the median of the differences within a round; the aim is ${MOST_ADDED_MS} ms at most`,
    ],
    tables: { 'The same search through each protocol': rows },
  });
}
