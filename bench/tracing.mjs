// What traces cost: a service answers the same questions while none, a tenth or all of its requests
// are recorded, as their `traceparent` says, so that it is one process; two of the same kind differ
// by more than traces take. CPU time per request is measured, which other work on the machine hardly
// changes.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { createDatabase, startPostgres } from '../test/support/postgres.mjs';
import { fromService } from './from-service.mjs';
import { addKnowledgeBase } from './fixtures/knowledge-bases.mjs';
import { readText, spread } from './fixtures/text.mjs';
import { cpuSeconds, median, report, round, startService } from './support.mjs';

/**
 * @typedef {object} Variant
 * @property {import('./support.mjs').Service} service
 * @property {string} secret
 * @property {number} [recorded] the share of requests whose traces are recorded
 * @property {number[]} cpuMs
 */

const PASSAGES = 500;
const ROUNDS = 11;
/** Requests of each variant in a round. */
const REQUESTS = 300;
const CONNECTIONS = 4;
/** Within which recorded spans are sent, so that each round pays for its own. */
const SEND_MS = 100;
const MAX_RATIO = 1.03;
const CALLS = 5_000_000;
/** Of a question, on each engine. */
const SPANS = { SQLite: 5, PostgreSQL: 11 };
/** Spans that the SDK alone makes and sends; fewer at once than its queue holds. */
const SDK_SPANS = 40_000;
const SDK_BATCH = 2000;

const OFF = 'off';
const AGAIN = 'off, a second process';
const NONE = 'on, none recorded';
const TENTH = 'on, a tenth recorded';
const ALL = 'on, all recorded';

export default async function tracing() {
  const collector = createServer((request, response) => {
    request.resume().on('end', () => response.end());
  }).listen(0, '127.0.0.1');
  const { url: serverUrl, server } = await startPostgres();
  try {
    const { port } = /** @type {import('node:net').AddressInfo} */ (collector.address());
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_BSP_SCHEDULE_DELAY: String(SEND_MS),
    };
    const rows = [];
    const offMs = [];
    const sdkMs = (await costOfSdk(port)) / 1000;
    for (const [engine, spans] of Object.entries(SPANS)) {
      const { passages, questions } = readText();
      const start = async (/** @type {NodeJS.ProcessEnv} */ tracing) => {
        const database =
          engine === 'SQLite' ? {} : { DATABASE_URL: await createDatabase(serverUrl) };
        const service = await startService({ ...database, ...tracing });
        return { service, secret: await addKnowledgeBase(service, passages, PASSAGES) };
      };
      const [off, again, on] = [await start({}), await start({}), await start(environment)];
      /** @type {Record<string, Variant>} */
      const variants = {
        [OFF]: { ...off, cpuMs: [] },
        [AGAIN]: { ...again, cpuMs: [] },
        [NONE]: { ...on, recorded: 0, cpuMs: [] },
        [TENTH]: { ...on, recorded: 0.1, cpuMs: [] },
        [ALL]: { ...on, recorded: 1, cpuMs: [] },
      };
      await measure(Object.values(variants), questions);
      const msOf = (/** @type {string} */ name) => variants[name]?.cpuMs ?? [];
      const ratio = (/** @type {string} */ name, /** @type {string} */ to) =>
        median(msOf(name).map((ms, turn) => ms / Number(msOf(to)[turn])));
      offMs.push(median(msOf(OFF)));
      for (const name of Object.keys(variants)) {
        const toNone = [TENTH, ALL].includes(name) ? ratio(name, NONE) : undefined;
        rows.push({
          engine,
          traces: name,
          'CPU ms for a request': round(median(msOf(name))),
          'to off': round(ratio(name, OFF), 3),
          'to none recorded': toNone === undefined ? '' : round(toNone, 3),
          verdict: toNone === undefined ? '' : toNone <= MAX_RATIO ? 'met' : 'missed',
        });
      }
      rows.push({
        engine,
        traces: `${spans} spans of the SDK alone`,
        'CPU ms for a request': round(spans * sdkMs, 3),
        'to off': '',
        'to none recorded': round(1 + (spans * sdkMs) / median(msOf(NONE)), 3),
        verdict: '',
      });
      for (const { service } of [off, again, on]) await service.stop();
    }
    const nanoseconds = await costOff();
    report('tracing', {
      notes: [
        `medians of ${ROUNDS} rounds; in each, every variant answers the same ${REQUESTS} questions by /query, ${CONNECTIONS} at once; ${PASSAGES} passages`,
        `ratios are taken within a round; the one to the same process with none recorded is aimed at ${MAX_RATIO} at most; the second process without traces shows by how much two processes differ`,
        `switched off, a span costs ${round(nanoseconds, 1)} ns: ${SPANS.PostgreSQL} for a request are ${round((SPANS.PostgreSQL * nanoseconds) / 1e4 / Math.min(...offMs), 4)} % of it`,
        `the SDK alone takes ${round(1000 * sdkMs, 1)} µs of CPU to make a span with three attributes and to send it: a floor for all traces`,
      ],
      tables: { 'CPU time of /query': rows },
    });
  } finally {
    collector.closeAllConnections();
    collector.close();
    await server.stop();
  }
}

/**
 * @param {Variant[]} variants
 * @param {string[]} questions
 */
async function measure(variants, questions) {
  for (let turn = -1; turn < ROUNDS; turn++) {
    const messages = spread(questions, REQUESTS, turn + 1);
    // So that each variant is first as often as last.
    const order = turn % 2 === 0 ? variants : variants.toReversed();
    for (const { service, secret, recorded, cpuMs } of order) {
      const before = cpuSeconds(service.pid);
      const rest = messages.entries();
      const ask = async () => {
        for (const [n, message] of rest) {
          const isRecorded = n % 10 < 10 * (recorded ?? 0);
          await query(service.url, { api_key: secret, message }, isRecorded);
        }
      };
      await Promise.all(Array.from({ length: CONNECTIONS }, ask));
      await pause(3 * SEND_MS);
      // The first round warms up.
      if (turn >= 0) cpuMs.push(((cpuSeconds(service.pid) - before) * 1000) / REQUESTS);
    }
  }
}

/**
 * @param {string} url
 * @param {object} body
 * @param {boolean} isRecorded
 */
async function query(url, body, isRecorded) {
  const ids = `${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}`;
  const response = await globalThis.fetch(`${url}/api/v1/query`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      traceparent: `00-${ids}-${isRecorded ? '01' : '00'}`,
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`/query: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}

/** @returns {Promise<number>} nanoseconds that a span takes without tracing */
async function costOff() {
  const { inSpan } = await fromService('platform/telemetry/tracing.js');
  const nothing = Promise.resolve();
  const direct = () => nothing;
  const call = (/** @type {(work: () => unknown) => unknown} */ run) => {
    const began = performance.now();
    for (let n = 0; n < CALLS; n++) run(direct);
    return ((performance.now() - began) * 1e6) / CALLS;
  };
  const wrapped = (/** @type {() => unknown} */ work) => inSpan('name', {}, work);
  const bare = (/** @type {() => unknown} */ work) => work();
  return median(Array.from({ length: ROUNDS }, () => Math.max(0, call(wrapped) - call(bare))));
}

/**
 * @param {number} port of the collector
 * @returns {Promise<number>} microseconds of CPU that the SDK takes for a span
 */
async function costOfSdk(port) {
  const url = `http://127.0.0.1:${port}/v1/traces`;
  const processor = new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) });
  const provider = new TracerProvider({ spanProcessors: [processor] });
  const tracer = provider.getTracer('bench');
  const attributes = { one: 'a value', two: 'a value', three: 'a value' };
  const make = async () => {
    for (let n = 0; n < SDK_BATCH; n++) tracer.startSpan('a span', { attributes }).end();
    await provider.forceFlush();
  };
  await make();
  const before = process.cpuUsage();
  for (let n = 0; n < SDK_SPANS; n += SDK_BATCH) await make();
  const { user, system } = process.cpuUsage(before);
  await provider.shutdown();
  return (user + system) / SDK_SPANS;
}
