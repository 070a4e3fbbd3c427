import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type ApiKey,
  atOnce,
  Client,
  type Document,
  type IssuedApiKey,
  type KnowledgeBase,
  outcome,
  type Page,
} from '../support/client.js';
import { figure } from '../support/figure.js';
import { eventually, Service } from '../support/service.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const DOCUMENTS = 30;

/** One of two processes has a clock that is wrong by a day. */
describe.each([
  ['ahead', DAY_MS],
  ['behind', -DAY_MS],
])('a clock moved a day %s', (name, offset) => {
  let clock: string;
  let right: Service;
  let wrong: Service;
  let alice: Client;
  let kb: KnowledgeBase;
  let key: IssuedApiKey;

  const setClock = (ms: number) => {
    writeFileSync(clock, String(ms));
  };

  beforeAll(async () => {
    clock = join(mkdtempSync(join(tmpdir(), 'latchkey-')), 'clock');
    setClock(0);
    right = await Service.start();
    wrong = await Service.start({
      ...right.environment,
      NODE_OPTIONS: '--import=./test/support/clock.mjs',
      CLOCK_FILE: clock,
    });
    alice = new Client(right, 'alice');
    kb = await alice.createKnowledgeBase();
    key = await alice.createApiKey(kb.id);
  });

  afterAll(() => Promise.all([right.stop(), wrong.stop()]));

  const useOn = async (service: Service, { api_key }: IssuedApiKey) =>
    outcome(await new Client(service).query(api_key, 'Anything?'));
  /** As the clock jumps under a running process, and back. */
  async function whileMoved(work: () => Promise<void>): Promise<void> {
    setClock(offset);
    try {
      await work();
    } finally {
      setClock(0);
    }
  }

  it('leaves revoked keys revoked, ended ones ended, and the others usable', async () => {
    const revoked = await alice.createApiKey(kb.id);
    const lasting = await alice.createApiKey(kb.id, {
      expires_at: new Date(Date.now() + DAY_MS / 2).toISOString(),
    });
    const account = await alice.createServiceAccount(kb.id);
    const soon = new Date(Date.now() + 10_000).toISOString();
    const ended = await alice.createApiKey(kb.id, { expires_at: soon });
    const managing = await alice.createManagementKey(account.id, ['kbs:write'], {
      expires_at: soon,
    });
    const atWrong = new Client(wrong, 'alice');
    const manageOn = async (service: Service, path: string) =>
      outcome(
        await new Client(service).call('GET', path, undefined, {
          authorization: `Bearer ${managing.api_key}`,
        }),
      );
    await whileMoved(async () => {
      expect(outcome(await atWrong.call('PATCH', `/api-keys/${revoked.id}/revoke`))).toBe('200');
      await eventually(async () => (await useOn(right, ended)) === '401 api_key_expired');
      for (const service of [wrong, right]) {
        expect(await useOn(service, revoked)).toBe('401 api_key_revoked');
        expect(await useOn(service, ended)).toBe('401 api_key_expired');
        expect(await useOn(service, lasting)).toBe('200');
        expect(await manageOn(service, '/kbs')).toBe('401 api_key_expired');
        expect(await manageOn(service, '/key')).toBe('401 api_key_expired');
      }
    });
    expect(await useOn(wrong, revoked)).toBe('401 api_key_revoked');
    expect((await alice.get<ApiKey>(`/api-keys/${revoked.id}`)).body.state).toBe('deactivated');
  });

  it('locks nobody out: neither while it is moved nor once it is put right', async () => {
    const limited = await alice.createApiKey(kb.id, { rate_limit_per_minute: 1000 });
    const useOften = async () => {
      const results = await atOnce(20, () => useOn(wrong, limited));
      expect(new Set(results)).toEqual(new Set(['200']));
    };
    await useOften();
    await whileMoved(useOften);
    await useOften();
    expect(await useOn(wrong, key)).toBe('200');
  });

  it('has no job done twice', async () => {
    await whileMoved(async () => {
      const clients = [alice, new Client(wrong, 'alice')];
      const text = (n: number) =>
        Array.from({ length: 40 }, (_, part) => `# ${part}\n\nText ${n} and ${part}.`).join('\n\n');
      for (let n = 0; n < DOCUMENTS; n++) {
        const answer = await clients[n % 2]?.post<Document>(`/kbs/${kb.id}/documents`, {
          title: `Document ${n}`,
          mime_type: 'text/markdown',
          text: text(n),
        });
        expect(answer && outcome(answer)).toBe('202');
      }
      const list = `/kbs/${kb.id}/documents?limit=100`;
      await eventually(
        async () =>
          (await alice.get<Page<Document>>(`${list}&status=ready`)).body.total === DOCUMENTS,
      );
      const { data } = (await alice.get<Page<Document>>(list)).body;
      const again = data.filter(({ attempts }) => attempts !== 1);
      figure(`clock a day ${name}: ${again.length} of ${data.length} documents indexed twice`);
      expect(again.map(({ title, attempts }) => [title, attempts])).toEqual([]);
    });
  });
});
