import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { runCommand } from '../support/command.js';
import { Service } from '../support/service.js';

/** What other users may do with what there is, by path; empty when nothing. */
function openToOthers(dataDir: string): Record<string, string> {
  const names = readdirSync(dataDir, { recursive: true }) as string[];
  return Object.fromEntries(
    ['.', ...names].flatMap((name) => {
      const entry = lstatSync(join(dataDir, name));
      const open = !entry.isSymbolicLink() && (entry.mode & 0o077) !== 0;
      return open ? [[name, (entry.mode & 0o777).toString(8)]] : [];
    }),
  );
}

async function use(service: Service): Promise<void> {
  const alice = new Client(service, 'alice');
  const { id } = await alice.createKnowledgeBase();
  const { api_key } = await alice.createApiKey(id);
  await alice.addDocument(id, { title: 'Returns', text: 'Returned within 30 days.' });
  const form = new FormData();
  form.set('file', new Blob(['Open at nine.']), 'opening.txt');
  const uploaded = await fetch(`${service.url}/api/v1/kbs/${id}/documents`, {
    ...{ method: 'POST', headers: { 'x-idp-user-id': 'alice' }, body: form },
  });
  expect(uploaded.status).toBe(202);
  expect((await new Client(service).query(api_key, 'Returned when?')).status).toBe(200);
}

// The files are those of the embedded database.
describe('DATA_DIR', () => {
  let service: Service;

  beforeAll(async () => {
    service = await Service.start();
    await use(service);
  });

  afterAll(() => service.stop());

  it('is nobody’s but the service’s, whatever is made in it', async () => {
    const names = readdirSync(service.dataDir, { recursive: true }).join(' ');
    expect(names).toMatch(/latchkey\.sqlite-wal/);
    expect(names).toMatch(/api-key-pepper/);
    expect(names).toMatch(/search\/kb_\w+\.sqlite/);
    expect(names).toMatch(/uploads/);
    expect(openToOthers(service.dataDir)).toEqual({});
    await service.stop();
    expect(openToOthers(service.dataDir)).toEqual({});
  });

  it('is closed at the start where an older version left it open, and doctor tells before', async () => {
    await service.stop();
    const { environment, dataDir } = service;
    const outside = join(
      mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), 'o-')),
      'f',
    );
    writeFileSync(outside, 'not ours');
    chmodSync(outside, 0o644);
    symlinkSync(outside, join(dataDir, 'link'));
    for (const name of ['.', ...(readdirSync(dataDir, { recursive: true }) as string[])]) {
      if (name === 'link') continue;
      const path = join(dataDir, name);
      chmodSync(path, lstatSync(path).isDirectory() ? 0o755 : 0o644);
    }
    const doctor = async () =>
      (await runCommand('operations/doctor.command.js', environment)).output;
    expect(await doctor()).toMatch(/^problem {2}Other users of this machine can reach/m);

    service = await Service.start(environment);
    expect(openToOthers(dataDir)).toEqual({});
    expect(await doctor()).toMatch(/^ok {7}No other user of this machine can reach/m);
    await use(service);
    expect(openToOthers(dataDir)).toEqual({});
    expect((lstatSync(outside).mode & 0o777).toString(8)).toBe('644');
  });
});
