import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import {
  atOnce,
  Client,
  type IssuedApiKey,
  type KnowledgeBase,
  outcome,
  outcomes,
} from '../support/client.js';
import { figure } from '../support/figure.js';
import { eventually, Service } from '../support/service.js';
import { sql } from '../support/sql.js';
import { tool } from '../support/requirement.js';

const DOCUMENT = { title: 'Returns', text: 'Customers may return any order within 30 days.' };

const run = (command: string, ...values: string[]) => spawnSync(command, values).status === 0;

const canMount = (() => {
  const directory = mkdtempSync(join(tmpdir(), 'latchkey-mount-'));
  const can = run('mount', '-t', 'tmpfs', 'tmpfs', directory) && run('umount', directory);
  rmSync(directory, { recursive: true });
  return can;
})();
const mount = tool('mount, with the right to it,', canMount);

mount.describe('a file system of its own', () => {
  let directory: string;
  let filler: string;
  let service: Service;
  let alice: Client;
  let kb: KnowledgeBase;
  let key: IssuedApiKey;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'latchkey-disk-'));
    filler = join(directory, 'filler');
    expect(run('mount', '-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', directory)).toBe(true);
    service = await Service.start({ DATA_DIR: join(directory, 'data') });
    alice = new Client(service, 'alice');
    kb = await alice.createKnowledgeBase();
    key = await alice.createApiKey(kb.id);
    await alice.addDocument(kb.id, DOCUMENT);
  });

  afterEach(async () => {
    await service.stop();
    run('umount', directory);
    rmSync(directory, { recursive: true, force: true });
  });

  const found = async () =>
    (await new Client(service).query(key.api_key, 'return')).body.results.map(({ text }) => text);
  const expectReads = async () => {
    expect(outcome(await alice.get(`/kbs/${kb.id}`))).toBe('200');
    expect(outcome(await alice.get(`/kbs/${kb.id}/documents`))).toBe('200');
    expect(await found()).toEqual([DOCUMENT.text]);
  };
  const expectIntegrity = async () => {
    expect(await sql(service.environment, 'PRAGMA integrity_check')).toEqual([
      { integrity_check: 'ok' },
    ]);
  };

  /** Leaves not one byte. */
  function fillDisk(): void {
    writeFileSync(filler, '');
    for (let size = 1024 * 1024; size >= 1;) {
      try {
        appendFileSync(filler, Buffer.alloc(size));
      } catch {
        size /= 4;
      }
    }
  }

  it('refuses writes with 503 when full, serves reads, and recovers once there is room', async () => {
    await expectReads();
    fillDisk();
    const acknowledged: string[] = [];
    const seen = new Set<string>();
    // A little may still fit into pages that the database has already.
    await eventually(async () => {
      const answer = await alice.post<KnowledgeBase>('/kbs', { name: 'x'.repeat(100) });
      seen.add(outcome(answer));
      if (answer.status === 201) acknowledged.push(answer.body.id);
      return answer.status !== 201;
    });
    for (const call of [
      () => alice.post(`/kbs/${kb.id}/documents`, { title: 'No', text: 'No room. '.repeat(5000) }),
      () => alice.post(`/kbs/${kb.id}/api-keys`, { name: 'No', environment: 'live' }),
    ]) {
      seen.add(outcome(await call()));
    }
    seen.delete('201');
    expect([...seen]).toEqual(['503 database_unavailable']);
    await expectReads();
    // A query writes nothing before it is answered.
    const ask = () => new Client(service).query(key.api_key, 'return');
    expect(outcomes(await atOnce(40, ask))).toEqual({ 200: 40 });
    expect((await fetch(`${service.url}/health/live`)).status).toBe(200);

    rmSync(filler);
    const begin = performance.now();
    await eventually(async () => (await alice.post('/kbs', { name: 'Room' })).status === 201);
    figure(
      `full disk: writes again ${Math.round(performance.now() - begin)} ms after there is room`,
    );
    expect((await alice.addDocument(kb.id, { title: 'B', text: 'Bees.' })).status).toBe('ready');
    for (const id of acknowledged) expect(outcome(await alice.get(`/kbs/${id}`))).toBe('200');
    await expectIntegrity();
    expect(await service.stop()).toBe(0);
  });

  it('refuses writes with 503 when it takes none, serves reads, and recovers by itself', async () => {
    await expectReads();
    // The kernel refuses each write to a file, as a file system does that has turned read-only.
    const writable = (limit: string) =>
      run('prlimit', '--pid', String(service.pid), `--fsize=${limit}:unlimited`);
    expect(writable('0')).toBe(true);
    expect(outcome(await alice.post('/kbs', { name: 'No' }))).toBe('503 database_unavailable');
    expect(outcome(await alice.call('PATCH', `/api-keys/${key.id}/revoke`))).toBe(
      '503 database_unavailable',
    );
    await expectReads();
    expect(writable('unlimited')).toBe(true);
    const begin = performance.now();
    await eventually(async () => (await alice.post('/kbs', { name: 'Yes' })).status === 201);
    figure(`no write taken: writes again ${Math.round(performance.now() - begin)} ms after`);
    await expectReads();
    await expectIntegrity();
  });

  it('refuses the start in one line when read-only, and changes nothing', async () => {
    await service.stop();
    expect(run('mount', '-o', 'remount,ro', directory)).toBe(true);
    const { code, output } = await Service.refusal(service.environment);
    expect([code, output.trim()]).toEqual([
      1,
      `DATA_DIR, ${service.dataDir}, cannot be used: it must be writable`,
    ]);
    expect(run('mount', '-o', 'remount,rw', directory)).toBe(true);
    service = await Service.start(service.environment);
    alice = new Client(service, 'alice');
    await expectReads();
  });
});
