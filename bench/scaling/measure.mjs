// What each kind of request costs: CPU time of the service and of PostgreSQL, WAL, statements, rows.
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { createDatabase, startPostgres } from '../../test/support/postgres.mjs';
import { readText } from '../fixtures/text.mjs';
import { startService } from '../support.mjs';
import { AT_ONCE, requestsToMeasure } from './cases.mjs';
import { DatabaseCounters, FLAGS } from './database-counters.mjs';
import { CHUNKS_PER_DOCUMENT, Library } from './library.mjs';
import { startRedis } from './redis.mjs';
import { sendAll } from './requests.mjs';

/**
 * @typedef {import('./database-counters.mjs').Counters} Counters
 *
 * @typedef {object} Cost of one request, or of one document
 * @property {number} serviceCpuMs
 * @property {number} databaseCpuMs
 * @property {number} walBytes
 * @property {number} statements
 * @property {Record<string, number>} rows that it adds, by table
 *
 * @typedef {object} Costs
 * @property {{ processor: string, node: string, at: string, source: string }} machine
 * @property {{ chunks: number, bytesOfText: number }} document
 * @property {Record<string, Cost>} requests
 * @property {Cost} idle each second, of one process
 * @property {Record<string, { bytes: number, rows: number }>} tables
 */

const IDLE_SECONDS = 20;
/** After documents were loaded: what they leave to do in the background. */
const SETTLE_MS = 15_000;
/** Records of use are written at most 5 s after the answer. */
const FLUSH_MS = 6000;
/** Of which the statements are counted. */
const COUNTED = 80;
const SMALL = 100;
const LARGE = 600;
/** Of the requests of a kind, as many again come first. */
const WARM_UP_PART = 4;
/** Documents, before those that are measured. */
const WARM_UP = 100;

/** @returns {Promise<Costs>} */
export async function measureCosts() {
  const { url: serverUrl, server, directory } = await startPostgres({ flags: FLAGS });
  const redis = await startRedis();
  const postmaster = Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const url = await createDatabase(serverUrl);
  const service = await startService({ DATABASE_URL: url });
  const withRedis = await startService({ ...service.environment, REDIS_URL: redis.url });
  const counters = await DatabaseCounters.connect(url, postmaster);
  try {
    const { passages, questions, source } = readText();
    const meter = new Meter(counters, service.pid);
    const library = new Library(service.url, passages);
    const small = await library.create();
    await library.fill(small.id, SMALL);
    const large = await library.create();
    await library.fill(large.id, WARM_UP);
    meter.idle = await meter.measureIdle();
    let bytes = 0;
    const documents = LARGE - WARM_UP - COUNTED;
    /** @type {Record<string, Cost>} */
    const requests = {};
    requests['document'] = await meter.measureOnce(documents, async (count) => {
      bytes += await library.fill(large.id, count);
    });
    const cases = requestsToMeasure({ service, withRedis, small, large, questions });
    for (const [name, request] of Object.entries(cases)) {
      requests[name] = await meter.measure((request.by ?? service).pid, request);
      console.log(name, requests[name]);
    }
    const processor = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`;
    return {
      machine: { processor, node: process.version, at: new Date().toISOString(), source },
      document: { chunks: CHUNKS_PER_DOCUMENT, bytesOfText: Math.round(bytes / (LARGE - WARM_UP)) },
      requests,
      idle: meter.idle,
      tables: await tableSizes(counters),
    };
  } finally {
    await counters.close();
    await Promise.all([service.stop(), withRedis.stop()]);
    await redis.stop();
    await server.stop();
  }
}

/** @param {DatabaseCounters} counters */
async function tableSizes(counters) {
  // A benchmark fills no more than some quarters of an hour, whose rows are too few to measure.
  await counters.client.query(
    `INSERT INTO usage_counts
     SELECT (jsonb_populate_record(u, jsonb_build_object('quarter', u.quarter - n))).*
     FROM usage_counts u, generate_series(1, 10000) n
     WHERE u.ctid = (SELECT min(ctid) FROM usage_counts)`,
  );
  return counters.sizes();
}

class Meter {
  /** @type {Cost | undefined} */
  idle;

  /**
   * @param {DatabaseCounters} counters
   * @param {number} service its process id
   */
  constructor(counters, service) {
    this.counters = counters;
    this.service = service;
  }

  /** @returns {Promise<Cost>} each second, of two processes that nobody asks anything */
  async measureIdle() {
    await this.counters.client.query('VACUUM (ANALYZE)');
    await pause(SETTLE_MS);
    const wait = () => pause(IDLE_SECONDS * 1000);
    const cost = await this.#between(this.service, IDLE_SECONDS, wait);
    return { ...cost, statements: await this.#countStatements(this.service, IDLE_SECONDS, wait) };
  }

  /**
   * @param {number} count
   * @param {(count: number) => Promise<unknown>} work
   * @returns {Promise<Cost>} of one of `count`
   */
  async measureOnce(count, work) {
    const cost = await this.#between(this.service, count, () => work(count));
    const again = () => work(COUNTED);
    const statements = await this.#countStatements(this.service, COUNTED, again);
    return { ...cost, statements };
  }

  /**
   * @param {number} pid of the process that answers
   * @param {import('./cases.mjs').RequestToMeasure} request
   */
  async measure(pid, { count, ask, isRecorded = false }) {
    const send = async (/** @type {number} */ requests) => {
      await sendAll(requests, AT_ONCE, ask);
      if (isRecorded) await pause(FLUSH_MS);
    };
    await send(count / WARM_UP_PART);
    const cost = await this.#between(pid, count, () => send(count));
    return { ...cost, statements: await this.#countStatements(pid, COUNTED, () => send(COUNTED)) };
  }

  /**
   * @param {number} pid
   * @param {number} count
   * @param {() => Promise<unknown>} work
   * @returns {Promise<number>} for one of `count`
   */
  async #countStatements(pid, count, work) {
    await this.counters.countStatements(true);
    const { statements } = await this.#between(pid, count, work);
    await this.counters.countStatements(false);
    return statements;
  }

  /**
   * What the work costs more than doing nothing for as long.
   *
   * @param {number} pid
   * @param {number} count
   * @param {() => Promise<unknown>} work
   * @returns {Promise<Cost>} of one of `count`
   */
  async #between(pid, count, work) {
    const rowsBefore = await this.counters.rows();
    const before = await this.counters.read(pid);
    const began = performance.now();
    await work();
    const seconds = (performance.now() - began) / 1000;
    const after = await this.counters.read(pid);
    const rowsAfter = await this.counters.rows();
    const per = (/** @type {number} */ difference, /** @type {number} */ idle = 0) =>
      Math.max(0, (difference - idle * seconds) / count);
    const { idle } = this;
    const added = Object.entries(rowsAfter).map(
      ([table, rows]) => /** @type {const} */ ([table, per(rows - (rowsBefore[table] ?? 0))]),
    );
    return {
      serviceCpuMs: per((after.serviceCpu - before.serviceCpu) * 1000, idle?.serviceCpuMs),
      databaseCpuMs: per((after.databaseCpu - before.databaseCpu) * 1000, idle?.databaseCpuMs),
      walBytes: per(after.walBytes - before.walBytes, idle?.walBytes),
      statements: per(after.statements - before.statements, idle?.statements),
      rows: Object.fromEntries(added.filter(([, rows]) => rows > 0)),
    };
  }
}
