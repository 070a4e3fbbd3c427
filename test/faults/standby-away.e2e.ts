import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import {
  atOnce,
  inTurns,
  Client,
  type IssuedApiKey,
  type KnowledgeBase,
  outcome,
  outcomes,
  PatientClient,
} from '../support/client.js';
import { figure } from '../support/figure.js';
import { DEFAULT_TIMEOUTS } from '../support/launch.mjs';
import { createDatabase, startOwnPostgres } from '../support/postgres.mjs';
import { eventually, Service } from '../support/service.js';
import { STALLED_MS } from '../support/stalled.js';

const CONNECTIONS = 4;
const WRITES = 20;
const ROUNDS = 3;

describe('with the only synchronous standby away', () => {
  let postgres: Awaited<ReturnType<typeof startOwnPostgres>>;
  let admin: pg.Client;
  let service: Service;
  let alice: Client;
  /** Where a refusal is not what is looked for. */
  let patient: PatientClient;
  let kb: KnowledgeBase;
  let key: IssuedApiKey;

  beforeAll(async () => {
    postgres = await startOwnPostgres();
    admin = new pg.Client({ connectionString: postgres.url });
    await admin.connect();
    // Without this, its own statements would wait, too.
    await admin.query('SET synchronous_commit = local');
    service = await Service.start({
      ...DEFAULT_TIMEOUTS,
      DATABASE_URL: await createDatabase(postgres.url),
      DATABASE_POOL_SIZE: String(CONNECTIONS),
    });
    alice = new Client(service, 'alice');
    patient = new PatientClient(service, 'alice');
    kb = await patient.createKnowledgeBase();
    key = await patient.createApiKey(kb.id);
    await patient.addDocument(kb.id, { title: 'Returns', text: 'Return any order in 30 days.' });
    expect(outcome(await patient.query(key.api_key, 'return'))).toBe('200');
  });

  afterAll(async () => {
    await service.stop();
    await admin.end();
    await postgres.remove();
  });

  async function require(standby: string): Promise<void> {
    await admin.query(`ALTER SYSTEM SET synchronous_standby_names = '${standby}'`);
    await admin.query('SELECT pg_reload_conf()');
    const isSet = async () => {
      const { rows } = await admin.query('SHOW synchronous_standby_names');
      return JSON.stringify(rows).includes(`"${standby}"`);
    };
    await eventually(isSet);
  }

  async function waitingCommits(): Promise<number> {
    const sql = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event = 'SyncRep'`;
    const { rows } = await admin.query<{ n: number }>(sql);
    return rows[0]?.n ?? NaN;
  }

  const write = (client = alice) => client.post<KnowledgeBase>('/kbs', { name: 'Written' });
  const health = async () => (await fetch(`${service.url}/health/ready`)).json();

  it('refuses writes, answers what needs none, and says so', async () => {
    await require('missing');
    // Each process of PostgreSQL hears of it by itself.
    await eventually(async () => outcome(await write()) === '503 database_unavailable');
    for (let round = 0; round < ROUNDS; round++) {
      expect(outcomes(await atOnce(WRITES, () => write()))).toEqual({
        '503 database_unavailable': WRITES,
      });
    }
    expect(await waitingCommits()).toBeLessThanOrEqual(2 * CONNECTIONS);
    figure(`Standby away: ${await waitingCommits()} commits wait of ${ROUNDS * WRITES} writes`);

    const begin = performance.now();
    // One for each connection: more would wait for one.
    const asked = await inTurns(WRITES, CONNECTIONS, () => patient.query(key.api_key, 'return'));
    expect(outcomes(asked)).toEqual({ '200': WRITES });
    expect(outcome(await patient.query(`${key.api_key.slice(0, -1)}!`, 'return'))).toMatch(/^401/);
    expect(outcome(await patient.get(`/kbs/${kb.id}/documents`))).toBe('200');
    expect(performance.now() - begin).toBeLessThan(STALLED_MS);
    expect(await health()).toMatchObject({ status: 'ok', writes: 'unavailable' });
  });

  it('goes on by itself when commits no longer wait', async () => {
    await require('');
    await eventually(async () => outcome(await write()) === '201');
    expect(outcomes(await inTurns(WRITES, CONNECTIONS, () => write(patient)))).toEqual({
      '201': WRITES,
    });
    expect(await health()).not.toHaveProperty('writes');
  });
});
