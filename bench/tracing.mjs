// What traces cost: services that differ only in tracing answer the same questions in turns. CPU
// time per request is measured, because traces take it and other work on the machine hardly
// changes it.
import { createServer } from 'node:http';
import { performance } from 'node:perf_hooks';
import { createDatabase, startPostgres } from '../test/support/postgres.mjs';
import { fromService } from './from-service.mjs';
import { addKnowledgeBase } from './fixtures/knowledge-bases.mjs';
import { readText, spread } from './fixtures/text.mjs';
import { cpuSeconds, median, report, round, startService } from './support.mjs';

/** @typedef {import('./support.mjs').Service} Service */
/** @typedef {{ service: Service, secret: string, cpuMs: number[] }} Variant */

const CHUNKS = 500;
const ROUNDS = 15;
/** Requests to each service in a round. */
const REQUESTS = 300;
const CONNECTIONS = 4;
const MAX_RATIO = 1.03;
const CALLS = 5_000_000;
/** A request calls inSpan at most so often. */
const SPANS = 10;

const OFF = 'off';
const AGAIN = 'off, a second process';
const TENTH = 'a tenth of the traces';
const ALL = 'all traces';

export default async function tracing() {
  const collector = createServer((request, response) => {
    request.resume().on('end', () => response.end());
  }).listen(0, '127.0.0.1');
  const { url: serverUrl, server } = await startPostgres();
  try {
    const { port } = /** @type {import('node:net').AddressInfo} */ (collector.address());
    const on = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` };
    const sampler = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio' };
    const variants = {
      [OFF]: {},
      [AGAIN]: {},
      [TENTH]: { ...on, ...sampler, OTEL_TRACES_SAMPLER_ARG: '0.1' },
      [ALL]: on,
    };
    const rows = [];
    const offMs = [];
    for (const engine of ['SQLite', 'PostgreSQL']) {
      /** @type {Map<string, Variant>} */
      const services = new Map();
      const { passages, questions } = readText();
      for (const [name, environment] of Object.entries(variants)) {
        const database =
          engine === 'SQLite' ? {} : { DATABASE_URL: await createDatabase(serverUrl) };
        const service = await startService({ ...database, ...environment });
        const secret = await addKnowledgeBase(service, passages, CHUNKS);
        services.set(name, { service, secret, cpuMs: [] });
      }
      await measure([...services.values()], questions);
      const off = services.get(OFF)?.cpuMs ?? [];
      offMs.push(median(off));
      for (const [name, { service, cpuMs }] of services) {
        const ratio = median(cpuMs.map((ms, turn) => ms / Number(off[turn])));
        rows.push({
          engine,
          traces: name,
          'CPU ms for a request': round(median(cpuMs)),
          'to off': round(ratio, 3),
          verdict: name === OFF ? '' : ratio <= MAX_RATIO ? 'met' : 'missed',
        });
        await service.stop();
      }
    }
    const nanoseconds = await costOff();
    report('tracing', {
      notes: [
        `medians of ${ROUNDS} rounds; in each, every service answers the same ${REQUESTS} questions by /query, ${CONNECTIONS} at once; ${CHUNKS} chunks`,
        `the ratio is taken within a round, and its median is aimed at ${MAX_RATIO} at most; the second process without traces shows what is chance`,
        `switched off, a span costs ${round(nanoseconds, 1)} ns: ${SPANS} for a request are ${round((SPANS * nanoseconds) / 1e4 / Math.min(...offMs), 4)} % of it`,
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
 * @param {Variant[]} services
 * @param {string[]} questions
 */
async function measure(services, questions) {
  for (let turn = -1; turn < ROUNDS; turn++) {
    const messages = spread(questions, REQUESTS, turn + 1);
    // So that each service is first as often as last.
    const order = turn % 2 === 0 ? services : services.toReversed();
    for (const { service, secret, cpuMs } of order) {
      const before = cpuSeconds(service.pid);
      const rest = messages.values();
      const ask = async () => {
        for (const message of rest) {
          await service.call('POST', '/query', { api_key: secret, message });
        }
      };
      await Promise.all(Array.from({ length: CONNECTIONS }, ask));
      // The first round warms up.
      if (turn >= 0) cpuMs.push(((cpuSeconds(service.pid) - before) * 1000) / REQUESTS);
    }
  }
}

/** @returns {Promise<number>} nanoseconds that a span takes without tracing */
async function costOff() {
  const { inSpan } = await fromService('telemetry/tracing.js');
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
