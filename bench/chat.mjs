// What /chat adds to a model: to its latency, to a stream's first byte, and to each delta of many.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';
import { createDatabase, startPostgres } from '../test/support/postgres.mjs';
import { cpuSeconds, quantile, report, round, startService } from './support.mjs';

/** @typedef {import('./support.mjs').Service} Service */
/** @typedef {{ whole: number, firstByte: number, text: string }} Timing milliseconds */

const ROUNDS = 300;
const WARM_UP_ROUNDS = 50;
const DOCUMENTS = 200;
const STREAMS = 200;
/** So many are begun at once. */
const BATCH = 10;
const DELTAS = 100;
const MAX_ADDED_MS = 5;
const MAX_DELTA_DELAY_MS = 100;

const agent = new Agent({ keepAlive: true });

export default async function chat() {
  const model = fork(new URL('chat/model-server.mjs', import.meta.url));
  const [port] = await once(model, 'message');
  const modelUrl = `http://127.0.0.1:${port}/v1`;
  const { url: serverUrl, server } = await startPostgres();
  try {
    const rows = [];
    const databases = {
      SQLite: {},
      PostgreSQL: { DATABASE_URL: await createDatabase(serverUrl) },
    };
    for (const [engine, database] of Object.entries(databases)) {
      const service = await startService({
        ...database,
        LLM_BASE_URL: modelUrl,
        // A model of embeddings that is installed meanwhile would be counted.
        EMBEDDINGS: 'off',
        LLM_MODEL: 'instant',
        LLM_MODELS: `slow-${DELTAS}`,
      });
      try {
        const { kbId, secret } = await furnish(service);
        const alone = await oneByOne(service, modelUrl, secret);
        await service.call('PATCH', `/kbs/${kbId}/settings`, { model: `slow-${DELTAS}` });
        rows.push({ engine, ...alone, ...(await sideBySide(service, secret)) });
      } finally {
        await service.stop();
      }
    }
    writeSection(rows);
  } finally {
    model.disconnect();
    await server.stop();
  }
}

/** @param {Service} service */
async function furnish(service) {
  const { id: kbId } = await service.call('POST', '/kbs', { name: 'Handbook' });
  const { api_key: secret } = await service.call('POST', `/kbs/${kbId}/api-keys`, {
    name: 'Benchmark',
    environment: 'live',
    rate_limit_per_minute: 1_000_000,
  });
  for (let n = 0; n < DOCUMENTS; n++) {
    const text = `Customers may return order type ${n} within ${n} days of delivery. `.repeat(20);
    await service.call('POST', `/kbs/${kbId}/documents`, { title: `Returns ${n}`, text });
  }
  const ready = () => service.call('GET', `/kbs/${kbId}/documents?status=ready&limit=1`);
  while ((await ready()).total < DOCUMENTS);
  return { kbId, secret };
}

/**
 * Each question goes to the model itself, to /query and to /chat before the next one, so that
 * whatever else the machine does meets them alike.
 *
 * @param {Service} service
 * @param {string} modelUrl
 * @param {string} secret
 */
async function oneByOne(service, modelUrl, secret) {
  const direct = [];
  const search = [];
  const answers = [];
  const streams = [];
  for (let turn = 0; turn < WARM_UP_ROUNDS + ROUNDS; turn++) {
    const body = { api_key: secret, message: `How long may customers return order type ${turn}?` };
    const messages = [{ role: 'user', content: body.message.repeat(20) }];
    const timings = [
      await post(`${modelUrl}/chat/completions`, { model: 'instant', messages, stream: true }),
      await post(`${service.url}/api/v1/query`, body),
      await post(`${service.url}/api/v1/chat`, body),
      await post(`${service.url}/api/v1/chat`, { ...body, stream: true }),
    ];
    if (turn < WARM_UP_ROUNDS) continue;
    direct.push(timings[0]?.whole ?? NaN);
    search.push(Number(JSON.parse(timings[1]?.text ?? '').latency_ms));
    answers.push(timings[2]?.whole ?? NaN);
    streams.push(timings[3]?.firstByte ?? NaN);
  }
  // It is reported in whole milliseconds, so the mean says more than the median.
  const searchMs = search.reduce((sum, ms) => sum + ms, 0) / search.length;
  return {
    direct: quantile(direct, 0.5),
    search: searchMs,
    chat: quantile(answers, 0.5),
    added: quantile(answers, 0.5) - quantile(direct, 0.5) - searchMs,
    firstByteP50: quantile(streams, 0.5),
    firstByteP99: quantile(streams, 0.99),
  };
}

/**
 * Many streams at once: how late each delta comes after the model has said it.
 *
 * @param {Service} service
 * @param {string} secret
 */
async function sideBySide(service, secret) {
  const body = { api_key: secret, message: 'How long may customers return?', stream: true };
  /** @type {number[]} */
  const delays = [];
  const read = (/** @type {string} */ text) => {
    const now = performance.timeOrigin + performance.now();
    for (const [, said] of text.matchAll(/"text":" ?@(\d+\.\d+)/g)) delays.push(now - Number(said));
  };
  /** @type {Promise<Timing>[]} */
  const streams = [];
  let open = 0;
  while (streams.length < STREAMS) {
    const batch = Array.from({ length: BATCH }, () => {
      return new Promise((begun) => {
        const stream = post(`${service.url}/api/v1/chat`, body, (text) => {
          begun(undefined);
          // Only what comes while all are open counts.
          if (open === STREAMS) read(text);
        });
        streams.push(stream);
        stream.catch(begun);
      });
    });
    await Promise.all(batch);
    open += BATCH;
  }
  const before = cpuSeconds(service.pid);
  const timings = await Promise.all(streams);
  const used = cpuSeconds(service.pid) - before;
  if (timings.some(({ text }) => !text.includes('event: message_end'))) {
    throw new Error('A stream did not end as it should');
  }
  return {
    deltas: delays.length,
    cpuPerDelta: (used / delays.length) * 1e6,
    delayP50: quantile(delays, 0.5),
    delayP99: quantile(delays, 0.99),
  };
}

/**
 * @param {string} url
 * @param {object} body
 * @param {(text: string) => void} read called with whatever comes
 * @returns {Promise<Timing>}
 */
async function post(url, body, read = () => undefined) {
  const start = performance.now();
  const outgoing = request(url, {
    agent,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  });
  outgoing.end(JSON.stringify(body));
  const [response] = await once(outgoing, 'response');
  let firstByte = NaN;
  let text = '';
  for await (const bytes of response.setEncoding('utf8')) {
    firstByte = Number.isNaN(firstByte) ? performance.now() - start : firstByte;
    text += bytes;
    read(bytes);
  }
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode} ${text}`);
  return { whole: performance.now() - start, firstByte, text };
}

/** @param {({ engine: string } & Awaited<ReturnType<typeof oneByOne>> & Awaited<ReturnType<typeof sideBySide>>)[]} rows */
function writeSection(rows) {
  const verdict = (/** @type {boolean} */ met) => (met ? 'met' : 'missed');
  report('chat', {
    notes: [
      `one at a time, ${ROUNDS} questions, each put to the model itself, /query and /chat in turn; a model that answers at once; ${DOCUMENTS} documents, 5 passages`,
      `added: /chat less the model itself less the search (as /query tells it), p50, at most ${MAX_ADDED_MS} ms`,
      `first byte: of a /chat stream, from the request on`,
      `streams: ${STREAMS} at once on one process, a delta of each every 100 ms; the delay of a delta from the model’s server to the client, p99 below ${MAX_DELTA_DELAY_MS} ms`,
    ],
    tables: {
      'Latency of /chat, ms': rows.map((row) => ({
        engine: row.engine,
        'model itself p50': round(row.direct),
        'search mean': round(row.search),
        '/chat p50': round(row.chat),
        'added p50': round(row.added),
        verdict: verdict(row.added <= MAX_ADDED_MS),
        'first byte p50': round(row.firstByteP50),
        'first byte p99': round(row.firstByteP99),
      })),
      'Delay of deltas, ms': rows.map((row) => ({
        engine: row.engine,
        deltas: row.deltas,
        'CPU µs each': Math.round(row.cpuPerDelta),
        p50: round(row.delayP50),
        p99: round(row.delayP99),
        verdict: verdict(row.delayP99 < MAX_DELTA_DELAY_MS),
      })),
    },
  });
}
