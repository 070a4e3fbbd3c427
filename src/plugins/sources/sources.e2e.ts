import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BucketServer, CREDENTIALS as KEYS } from '../../../packages/sources/test/bucket-server.js';
import { Client, outcome } from '../../../test/support/client.js';
import { eventually, Service } from '../../../test/support/service.js';
import { freePort } from '../../../test/support/postgres.mjs';
import { newUserId } from '../../../test/support/shared-service.js';
import {
  SOURCE_FOLDERS,
  type SourceRun,
  Sources,
  TestFolder,
  TestSite,
} from '../../../test/support/sources.js';
import { WebhookReceiver } from '../../../test/support/webhook-receiver.js';
import { withPlugins } from '../../../test/support/requirement.js';

/** More runs than a process has at a time. */
const MANY = 9;
/** Documents of a bucket. */
const BUCKET = 40;
const NOTHING = { added: 0, changed: 0, deleted: 0, unchanged: 0, failed: 0 };

describe('sources', () => {
  let service: Service;
  let alice: Client;
  let sources: Sources;
  let folder: TestFolder;
  let metricsPort: number;

  beforeAll(async () => {
    metricsPort = await freePort();
    const environment = {
      METRICS_PORT: String(metricsPort),
      ...{ SOURCE_FOLDERS, SOURCE_ALLOW_PRIVATE: 'yes', WEBHOOK_ALLOW_PRIVATE: 'yes' },
    };
    service = await Service.start(environment);
    alice = new Client(service, newUserId('alice'));
  });

  afterAll(() => service.stop());

  beforeEach(async () => {
    sources = new Sources(alice, (await alice.createKnowledgeBase()).id);
    folder = new TestFolder();
    writePages();
  });

  const text = (index: number) =>
    `# Page ${index}\n\nThe code of door ${index} is ${index}${index}.`;
  const writePages = () => {
    for (let index = 0; index < 5; index++) folder.write(`page-${index}.md`, text(index));
  };
  const moveAway = () => {
    folder.move('.', '../moved-away-' + sources.kbId);
  };
  const page = (title: string, body: string) =>
    `<html><head><title>${title}</title></head><body><main><p>${body}</p></main></body></html>`;
  const connect = (more: object = {}) => sources.connect('folder', { path: folder.path }, more);

  it('bring documents in, and keep in step with them', async () => {
    const source = await connect();
    expect(source).toMatchObject({ state: 'active', next_run_at: null, last_synced_at: null });
    expect(await sources.run(source.id, { preview: true })).toMatchObject({
      status: 'complete',
      preview: true,
      counts: { ...NOTHING, added: 5 },
    });
    expect(await sources.documents()).toEqual([]);
    expect((await sources.run(source.id)).counts).toEqual({ ...NOTHING, added: 5 });
    const [document] = await sources.documents();
    expect(document).toMatchObject({ source_id: source.id, external_id: null });
    expect(document?.synced_at).not.toBeNull();
    expect(document?.source_url).toMatch(/^file:\/\/\/page-\d\.md$/);

    folder.write('page-1.md', text(11));
    folder.move('page-2.md', 'deep/page-2.md');
    folder.write('new.md', text(6));
    expect((await sources.run(source.id)).counts).toEqual({
      ...{ added: 2, changed: 1, deleted: 1, unchanged: 3, failed: 0 },
    });
    const addresses = (await sources.documents()).map(({ source_url }) => source_url?.slice(8));
    expect(addresses.sort()).toEqual(
      ['deep/page-2.md', 'new.md', 'page-0.md', 'page-1.md', 'page-3.md', 'page-4.md'].sort(),
    );
    expect((await sources.run(source.id)).counts).toEqual({ ...NOTHING, unchanged: 6 });
    expect((await sources.get(source.id)).last_synced_at).not.toBeNull();
  });

  it('answer nothing of a document that is gone, from the end of the run', async () => {
    const key = await alice.createApiKey(sources.kbId);
    const source = await connect();
    await sources.run(source.id);
    const found = async () =>
      (await alice.query(key.api_key, 'What is the code of door 3?')).body.results.map(
        ({ text: passage }) => passage.includes('door 3'),
      );
    await eventually(async () => (await found()).includes(true));
    folder.remove('page-3.md');
    expect((await sources.run(source.id)).counts).toMatchObject({ deleted: 1 });
    expect(await found()).not.toContain(true);
  });

  it('say who may read a document, also when only that changes', async () => {
    const key = await alice.createApiKey(sources.kbId);
    const found = async () =>
      (await alice.query(key.api_key, 'What is the code of door 3?')).body.results.some(
        ({ text: passage }) => passage.includes('door 3'),
      );
    const source = await connect();
    await sources.run(source.id);
    await eventually(found);
    const { path } = folder;
    const change = (access: object) =>
      alice.call('PATCH', `/sources/${source.id}`, { config: { path, access } });
    await change({ 'page-3.md': { allow: ['group:hr'] } });
    expect((await sources.run(source.id)).counts).toEqual({ ...NOTHING, changed: 1, unchanged: 4 });
    expect(await found()).toBe(false);
    await change({});
    await sources.run(source.id);
    expect(await found()).toBe(true);
    // A rule holds though the content that changed with it cannot be loaded.
    folder.write('page-3.md', '');
    await change({ 'page-3.md': { allow: ['everyone'], deny: ['group:guests'] } });
    expect((await sources.run(source.id)).counts).toMatchObject({ changed: 0, failed: 1 });
    expect(await found()).toBe(false);
    folder.write('page-3.md', text(3));
    expect((await sources.run(source.id)).counts).toMatchObject({ changed: 1, failed: 0 });
    await eventually(found);
  });

  describe('with access rules', () => {
    const HR = { allow: ['group:hr'] };
    const place = ({ source_url }: { source_url: string | null }) => source_url?.slice(8) ?? '';
    const PAGES = [0, 1, 2, 3, 4].map((index) => `page-${index}.md`);
    /** The places of documents that whoever asks may read. */
    const open = async (...principals: string[]) => {
      const documents = await sources.documents();
      const checked = documents.map(async ({ id, source_url }) => {
        const path = `/documents/${id}/access-check`;
        const { body } = await alice.post<{ allowed: boolean }>(path, { principals });
        return body.allowed ? [place({ source_url })] : [];
      });
      return (await Promise.all(checked)).flat().sort();
    };
    const change = (id: string, access: object) =>
      alice.call('PATCH', `/sources/${id}`, { config: { path: folder.path, access } });
    const codes = ({ errors }: SourceRun) => errors.map(({ key, code }) => [key, code]);

    it('hold back what a path without documents may be meant for, until it is confirmed', async () => {
      folder.write('hr/pay.md', text(7));
      const source = await sources.connect('folder', { path: folder.path, access: { HR } });
      const asking = await sources.run(source.id);
      expect(asking).toMatchObject({ status: 'needs_confirmation', counts: { added: 6 } });
      const asked = [
        [null, 'held_back'],
        ['HR', 'access_path_unmatched'],
      ];
      expect(codes(asking)).toEqual(asked);
      expect(asking.errors[1]?.message).toContain('hr');
      expect((await sources.get(source.id)).state).toBe('needs_confirmation');
      expect(await open('group:hr')).toEqual(PAGES);
      expect(codes(await sources.run(source.id))).toEqual(asked);
      // In one normal form.
      await change(source.id, { ' ./hr/': HR });
      expect(await sources.run(source.id)).toMatchObject({ status: 'complete', errors: [] });
      expect((await sources.get(source.id)).config).toMatchObject({ access: { hr: HR } });
      expect(await open()).toEqual(PAGES);
      expect(await open('group:hr')).toEqual(['hr/pay.md', ...PAGES]);
      // What was open closes too, and a preview says so before.
      await change(source.id, { hrr: HR });
      const preview = await sources.run(source.id, { preview: true });
      expect(preview).toMatchObject({ status: 'complete', counts: { changed: 6 } });
      expect(codes(preview)).toEqual([
        [null, 'held_back'],
        ['hrr', 'access_path_unmatched'],
      ]);
      expect(await open()).toEqual(PAGES);
      expect((await sources.run(source.id)).status).toBe('needs_confirmation');
      expect(await open('group:hr')).toEqual([]);
      const confirmed = await sources.run(source.id, { confirm: true });
      expect(confirmed).toMatchObject({ status: 'complete', counts: { changed: 6 } });
      expect(await open()).toEqual(['hr/pay.md', ...PAGES]);
      const next = await sources.run(source.id);
      expect(next).toMatchObject({ status: 'complete', counts: { unchanged: 6 } });
      expect(codes(next)).toEqual([['hrr', 'access_path_unmatched']]);
    });

    it('hold back only what is new when a folder gets another name', async () => {
      folder.write('hr/pay.md', text(7));
      const access = { '': { allow: ['everyone'] }, hr: HR };
      const source = await sources.connect('folder', { path: folder.path, access });
      expect((await sources.run(source.id)).status).toBe('complete');
      folder.move('hr', 'staff');
      expect(await sources.run(source.id)).toMatchObject({
        ...{ status: 'needs_confirmation', counts: { added: 1, deleted: 1, unchanged: 5 } },
        errors: [{ code: 'held_back' }, { key: 'hr', code: 'access_path_unmatched' }],
      });
      expect(await open('group:hr')).toEqual(PAGES);
      folder.move('staff', 'hr');
      expect((await sources.run(source.id)).status).toBe('complete');
      expect(await open('group:hr')).toEqual(['hr/pay.md', ...PAGES]);
    });

    it('keep rules that a person has set through moves and absences', async () => {
      const source = await connect();
      await sources.run(source.id);
      const documents = await sources.documents();
      const set = { name: 'Staff', allow: ['group:staff'] };
      const { body } = await alice.post<{ id: string }>(`/kbs/${sources.kbId}/access-sets`, set);
      const patch = (name: string, fields: object) => {
        const id = documents.find((one) => place(one) === name)?.id ?? '';
        return alice.call('PATCH', `/documents/${id}`, fields);
      };
      await patch('page-1.md', { access: HR });
      await patch('page-2.md', { access_set: body.id });
      const expectClosed = async (one: string, two: string) => {
        const others = ['page-0.md', 'page-3.md', 'page-4.md'];
        expect(await open()).toEqual(others);
        expect(await open('group:hr')).toEqual([one, ...others].sort());
        expect(await open('group:staff')).toEqual([two, ...others].sort());
      };
      // Away for one run, and back with another content.
      for (const name of ['page-1.md', 'page-2.md']) {
        folder.move(name, '.away/' + name);
        expect((await sources.run(source.id)).counts.deleted).toBe(1);
        folder.move('.away/' + name, name);
        folder.write(name, text(17));
        expect((await sources.run(source.id)).counts.added).toBe(1);
      }
      await expectClosed('page-1.md', 'page-2.md');
      // Moved, then changed, then under a rule of the source that goes again.
      folder.move('page-1.md', 'deep/one.md');
      await sources.run(source.id);
      folder.write('page-2.md', text(18));
      await sources.run(source.id);
      await expectClosed('deep/one.md', 'page-2.md');
      await change(source.id, { deep: { allow: ['group:board'] }, 'PAGE-2.md': HR });
      expect((await sources.run(source.id)).status).toBe('needs_confirmation');
      expect(await open('group:board')).toContain('deep/one.md');
      expect(await open('group:staff')).not.toContain('page-2.md');
      await change(source.id, {});
      await sources.run(source.id);
      await expectClosed('deep/one.md', 'page-2.md');
    });

    it('keep rules that a person has set until the rules of the source change', async () => {
      folder.write('deep/one.md', text(7));
      const access = { deep: HR };
      const source = await sources.connect('folder', { path: folder.path, access });
      await sources.run(source.id);
      const found = (await sources.documents()).find((one) => place(one) === 'deep/one.md');
      const own = { access: { allow: ['user:ceo'] } };
      await alice.call('PATCH', `/documents/${found?.id ?? ''}`, own);
      const expectOwn = async () => {
        expect(await open('group:hr')).toEqual(PAGES);
        expect(await open('user:ceo')).toContain('deep/one.md');
      };
      folder.write('deep/one.md', text(8));
      expect((await sources.run(source.id)).counts.changed).toBe(1);
      await expectOwn();
      folder.move('deep/one.md', '.away');
      await sources.run(source.id);
      folder.move('.away', 'deep/two.md');
      expect(await sources.run(source.id)).toMatchObject({ status: 'complete', errors: [] });
      folder.move('deep/two.md', 'deep/one.md');
      await sources.run(source.id);
      await expectOwn();
      await change(source.id, { deep: { allow: ['group:board'] } });
      await sources.run(source.id);
      expect(await open('user:ceo')).toEqual(PAGES);
      expect(await open('group:board')).toContain('deep/one.md');
    });

    it.each(['on_delete', 'legal_hold'])(
      'move rules that a person has set with a document, also if %s keeps the former one',
      async (reason) => {
        const source = await connect(reason === 'on_delete' ? { on_delete: 'keep' } : {});
        await sources.run(source.id);
        const found = (await sources.documents()).find((one) => place(one) === 'page-1.md');
        await alice.call('PATCH', `/documents/${found?.id ?? ''}`, { access: HR });
        if (reason === 'legal_hold') await alice.set(sources.kbId, { legal_hold: true });
        folder.move('page-1.md', 'deep/one.md');
        expect((await sources.run(source.id)).counts).toMatchObject({ added: 1, deleted: 0 });
        const others = PAGES.filter((name) => name !== 'page-1.md');
        expect(await open()).toEqual(others);
        expect(await open('group:hr')).toEqual(['deep/one.md', ...PAGES]);
        await alice.set(sources.kbId, { legal_hold: false });
      },
    );

    it('do not restore rules that a person has removed', async () => {
      const source = await connect();
      await sources.run(source.id);
      const ruled = async (access: object | null) => {
        const found = (await sources.documents()).find((one) => place(one) === 'page-1.md');
        await alice.call('PATCH', `/documents/${found?.id ?? ''}`, { access });
      };
      const awayAndBack = async () => {
        folder.move('page-1.md', '.away/page-1.md');
        await sources.run(source.id);
        folder.move('.away/page-1.md', 'page-1.md');
        await sources.run(source.id);
      };
      await ruled(HR);
      await awayAndBack();
      expect(await open()).not.toContain('page-1.md');
      await ruled(null);
      await awayAndBack();
      expect(await open()).toEqual(PAGES);
    });
  });

  it('ask before more than a tenth is deleted, and then delete', async () => {
    const source = await connect();
    await sources.run(source.id);
    folder.remove('page-3.md');
    folder.remove('page-4.md');
    folder.write('new.md', text(7));
    const asking = await sources.run(source.id);
    expect(asking).toMatchObject({
      status: 'needs_confirmation',
      counts: { added: 1, changed: 0, deleted: 2, unchanged: 3, failed: 0 },
    });
    expect((await sources.get(source.id)).state).toBe('needs_confirmation');
    expect(await sources.documents()).toHaveLength(5);
    const confirmed = await sources.run(source.id, { confirm: true });
    expect(confirmed).toMatchObject({ status: 'complete', counts: { added: 1, deleted: 2 } });
    expect(await sources.documents()).toHaveLength(4);
    expect((await sources.get(source.id)).state).toBe('active');
  });

  it('keep missing documents if they are told to', async () => {
    const source = await connect({ on_delete: 'keep' });
    await sources.run(source.id);
    for (const index of [1, 2, 3]) folder.remove(`page-${index}.md`);
    expect(await sources.run(source.id)).toMatchObject({
      status: 'complete',
      counts: { ...NOTHING, unchanged: 2 },
    });
    expect(await sources.documents()).toHaveLength(5);
  });

  it('delete nothing after a listing that fails or is empty', async () => {
    const source = await connect();
    await sources.run(source.id);
    moveAway();
    const away = await sources.run(source.id);
    expect(away).toMatchObject({ status: 'failed', errors: [{ key: null, code: 'not_found' }] });
    folder.write('sub/.hidden', '');
    const empty = await sources.run(source.id);
    expect(empty).toMatchObject({ status: 'failed', errors: [{ code: 'incomplete_listing' }] });
    expect((await sources.get(source.id)).state).toBe('failing');
    expect(await sources.documents()).toHaveLength(5);
    writePages();
    expect((await sources.run(source.id)).status).toBe('complete');
    expect((await sources.get(source.id)).state).toBe('active');
  });

  withPlugins('webhooks').it('report a failure and its end, once each', async () => {
    const receiver = await WebhookReceiver.start();
    const url = `http://127.0.0.1:${receiver.port}/hook`;
    await alice.createWebhook(sources.kbId, url, 'source.failed', 'source.recovered');
    const source = await connect();
    await sources.run(source.id);
    moveAway();
    expect((await sources.run(source.id)).status).toBe('failed');
    folder.write('sub/.hidden', '');
    expect((await sources.run(source.id)).status).toBe('failed');
    writePages();
    expect((await sources.run(source.id)).status).toBe('complete');
    await eventually(() => receiver.received.length >= 2);
    expect(receiver.received.map(({ body }) => body)).toMatchObject([
      { type: 'source.failed', data: { source_id: source.id, error_code: 'not_found' } },
      { type: 'source.recovered', data: { source_id: source.id, state: 'active' } },
    ]);
    await receiver.stop();
  });

  it('name the documents that cannot be read, and keep the former version of those', async () => {
    const source = await connect();
    await sources.run(source.id);
    folder.write('page-1.md', '');
    folder.write('program.bin', '\0\x01\x02\0');
    const run = await sources.run(source.id);
    expect(run).toMatchObject({ status: 'complete', counts: { failed: 2, unchanged: 4 } });
    expect(run.errors.map(({ key, code }) => [key, code]).sort()).toEqual([
      ['page-1.md', 'unreadable'],
      ['program.bin', 'unsupported_media_type'],
    ]);
    expect(await sources.documents()).toHaveLength(5);
    // What is known to be refused would not be added.
    expect(await sources.run(source.id, { preview: true })).toMatchObject({
      counts: { ...NOTHING, changed: 1, unchanged: 4, failed: 1 },
      errors: [{ key: 'program.bin', code: 'unsupported_media_type' }],
    });
  });

  it('do not touch documents of other origin, nor are theirs touched', async () => {
    const uploaded = await alice.addDocument(sources.kbId, { title: 'Mine', text: text(0) });
    const [first, second] = [await connect(), await connect()];
    await sources.run(first.id);
    expect((await sources.run(second.id)).counts).toEqual({ ...NOTHING, added: 5 });
    expect(await sources.documents()).toHaveLength(11);
    const ofFirst = `/kbs/${sources.kbId}/documents?source_id=${first.id}`;
    expect((await alice.get(ofFirst)).body).toMatchObject({
      ...{ total: 5, data: Array(5).fill({ source_id: first.id }) },
    });
    const documents = await sources.documents();
    const page = documents.find(({ source_id: id, title }) => id === first.id && /1/.test(title));
    // A document that a user replaces is brought back in step.
    const replacement = { title: 'Page', text: 'Other', on_duplicate: 'replace' };
    await alice.call('PATCH', `/documents/${page?.id}`, { external_id: 'mine' });
    await alice.post(`/kbs/${sources.kbId}/documents`, { ...replacement, external_id: 'mine' });
    expect((await sources.run(first.id)).counts).toEqual({ ...NOTHING, changed: 1, unchanged: 4 });
    const repaired = (await sources.documents()).find(({ id }) => id === page?.id);
    expect(repaired).toMatchObject({ sha256: page?.sha256, external_id: 'mine' });

    const kept = await alice.call('DELETE', `/sources/${first.id}`);
    expect(kept).toMatchObject({ status: 200, body: { success: true } });
    const removed = await alice.call('DELETE', `/sources/${second.id}?documents=delete`);
    expect(removed.status).toBe(200);
    const left = await sources.documents();
    expect(left).toHaveLength(6);
    expect(left.every(({ source_id }) => source_id === null)).toBe(true);
    expect(left.map(({ id }) => id)).toContain(uploaded.id);
    expect((await alice.get(`/sources/${first.id}`)).status).toBe(404);
  });

  it('have one run at a time, which can be cancelled', async () => {
    const server = await BucketServer.start();
    for (let index = 0; index < BUCKET; index++) server.objects.set(`${index}.md`, text(index));
    const source = await sources.connect('s3', server.config, { credentials: KEYS });
    // Some are added, and the rest is not answered before it is cancelled.
    const held: ServerResponse[] = [];
    let loaded = 0;
    server.intercept = ({ method }, response, { pathname }) => {
      const isHeld = method === 'GET' && pathname.endsWith('.md') && loaded++ >= BUCKET / 2;
      if (isHeld) held.push(response);
      return isHeld;
    };
    const begun = await sources.begin(source.id);
    await eventually(() => held.length > 0);
    expect((await sources.begin(source.id)).id).toBe(begun.id);
    const preview = await alice.post(`/sources/${source.id}/run`, { preview: true });
    expect(outcome(preview)).toBe('409 source_running');
    const cancelled = await alice.post(`/sources/${source.id}/cancel`, undefined);
    expect(cancelled).toMatchObject({ status: 200, body: { id: source.id, state: 'active' } });
    expect(await sources.ended(source.id, begun.id)).toMatchObject({ status: 'cancelled' });
    server.intercept = () => false;
    for (const response of held) response.destroy();
    expect(await sources.run(source.id)).toMatchObject({ status: 'complete' });
    expect(await sources.documents()).toHaveLength(BUCKET);
    await server.stop();
  });

  it('take turns between users: runs of one that do not end do not delay another', async () => {
    const server = await BucketServer.start();
    const held: ServerResponse[] = [];
    server.intercept = (_request, response) => held.push(response) > 0;
    const mallory = new Client(service, newUserId('mallory'));
    const many = new Sources(mallory, (await mallory.createKnowledgeBase()).id);
    const runs: { id: string; sourceId: string }[] = [];
    for (let index = 0; index < MANY; index++) {
      const more = { credentials: KEYS };
      const { id: sourceId } = await many.connect('s3', server.config, more);
      runs.push({ id: (await many.begin(sourceId)).id, sourceId });
    }
    await eventually(() => held.length > 0);
    const { id } = await connect();
    expect(await sources.run(id)).toMatchObject({ status: 'complete', counts: { added: 5 } });
    for (const { sourceId } of runs) {
      expect(await many.runs(sourceId)).toMatchObject([{ status: 'running' }]);
      await mallory.post(`/sources/${sourceId}/cancel`, {});
    }
    for (const run of runs) await many.ended(run.sourceId, run.id);
    await server.stop();
  });

  it('run by their schedule, unless they are paused', async () => {
    const source = await connect({ schedule: { cron: '* * * * *', timezone: 'Europe/Berlin' } });
    expect(source.next_run_at).not.toBeNull();
    await eventually(async () => (await sources.runs(source.id)).length > 0);
    const [begun] = await sources.runs(source.id);
    const run = await sources.ended(source.id, begun?.id ?? '');
    expect(run).toMatchObject({ status: 'complete', counts: { ...NOTHING, added: 5 } });
    const paused = await alice.call('PATCH', `/sources/${source.id}`, { state: 'paused' });
    expect(paused).toMatchObject({ status: 200, body: { state: 'paused', next_run_at: null } });
    await sources.run(source.id);
    expect((await sources.get(source.id)).state).toBe('paused');
    const active = await alice.call('PATCH', `/sources/${source.id}`, { state: 'active' });
    expect(active).toMatchObject({ body: { state: 'active', next_run_at: expect.any(String) } });
  });

  it('have a metric for the time since the last sync, unless they are paused', async () => {
    const [source, paused] = [await connect(), await connect()];
    await alice.call('PATCH', `/sources/${paused.id}`, { state: 'paused' });
    const lags = async () => {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      const lines = text.matchAll(/^latchkey_source_lag_seconds\{source_id="(\w+)"\} (\S+)$/gm);
      return new Map([...lines].map(([, id = '', seconds]) => [id, Number(seconds)]));
    };
    await eventually(async () => ((await lags()).get(source.id) ?? 0) > 1);
    expect((await lags()).has(paused.id)).toBe(false);
    await sources.run(source.id);
    const since = Date.parse(String((await sources.get(source.id)).last_synced_at));
    expect((await lags()).get(source.id)).toBeLessThan((Date.now() - since) / 1000 + 1);
  });

  it('are tested before they are connected, and refused if they are malformed', async () => {
    const test = (config: object) =>
      alice.post(`/kbs/${sources.kbId}/sources/test`, { type: 'folder', config });
    expect((await test({ path: folder.path })).body).toEqual({ ok: true });
    const missing = await test({ path: `${folder.path}/missing` });
    expect(missing).toMatchObject({
      status: 200,
      body: { ok: false, error: { code: 'not_found' } },
    });
    for (const config of [{ path: '/etc' }, { path: 'docs' }, {}, { path: folder.path, x: 1 }]) {
      expect(outcome(await test(config))).toBe('400 validation_failed');
    }
    const valid = { type: 'folder', name: 'Docs', config: { path: folder.path } };
    for (const wrong of [
      { type: 'ftp' },
      { name: '' },
      { config: [] },
      { schedule: { every_minutes: 0 } },
      { schedule: {} },
      { schedule: { cron: 'daily' } },
      { schedule: { every_minutes: 5, cron: '* * * * *' } },
      { on_delete: 'forget' },
      { state: 'paused' },
    ]) {
      const answer = await alice.post(`/kbs/${sources.kbId}/sources`, { ...valid, ...wrong });
      expect(outcome(answer)).toBe('400 validation_failed');
    }
  });

  it('may be websites', async () => {
    const site = await TestSite.start();
    const url = `http://127.0.0.1:${site.port}`;
    site.pages.set('/', page('Home', '<a href="/a">A</a> <a href="/b">B</a>'));
    site.pages.set('/a', page('A', 'The code of door A is 17.'));
    site.pages.set('/b', page('B', 'The code of door B is 18.'));
    const source = await sources.connect('website', { start_urls: [`${url}/`] });
    expect(await sources.run(source.id)).toMatchObject({
      status: 'complete',
      counts: { ...NOTHING, added: 3 },
    });
    expect(await sources.titles()).toEqual(['A', 'B', 'Home']);
    const addresses = (await sources.documents()).map(({ source_url }) => source_url);
    expect(addresses).toContain(`${url}/a`);
    site.pages.set('/', page('Home', '<a href="/a">A</a>'));
    site.pages.delete('/b');
    expect((await sources.run(source.id)).counts).toMatchObject({ changed: 1, deleted: 1 });
    expect(await sources.titles()).toEqual(['A', 'Home']);
    await site.stop();
    expect(await sources.run(source.id)).toMatchObject({ status: 'failed' });
    expect(await sources.titles()).toEqual(['A', 'Home']);
  });

  it('are recorded in the audit trail, and deleted with their knowledge base', async () => {
    const source = await connect();
    await sources.run(source.id);
    const { body } = await alice.get<{ data: { action: string; actor: string }[] }>(
      `/kbs/${sources.kbId}/audit-events?limit=100`,
    );
    const actions = body.data.map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['source.created', 'source.run_requested']));
    const added = body.data.filter(({ action }) => action === 'document.added');
    expect(new Set(added.map(({ actor }) => actor))).toEqual(new Set([source.id]));
    await alice.call('DELETE', `/kbs/${sources.kbId}`);
    expect((await alice.get(`/sources/${source.id}`)).status).toBe(404);
  });
});
