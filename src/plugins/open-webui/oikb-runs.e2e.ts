import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DiscoveryService } from '@nestjs/core';
import { Client } from '../../../test/support/client.js';
import { OikbClient } from '../../../test/support/oikb-client.js';
import { newUserId } from '../../../test/support/shared-service.js';
import { type Source, Sources } from '../../../test/support/sources.js';
import { TestingApp } from '../../../test/support/testing-app.js';
import { OikbRuns } from './oikb-runs.js';

const LATER_MS = 20 * 60_000;
const FILES = { 'a.md': '# A', 'b.md': '# B' };

describe(OikbRuns.name, () => {
  let app: TestingApp;

  beforeAll(async () => {
    app = await TestingApp.start();
  });

  afterAll(() => app.stop());

  /** Runs the job as it will run later. */
  const endIdle = () => {
    const providers = app.module.get(DiscoveryService, { strict: false }).getProviders();
    // The plugin is imported by the service, which has classes of its own.
    const runs = providers.find(({ name }) => name === OikbRuns.name)?.instance as OikbRuns;
    return runs.endIdle({
      ...{ signal: new AbortController().signal, mayContinue: () => Promise.resolve(true) },
      ...{ now: () => Promise.resolve(new Date(Date.now() + LATER_MS)), begin: () => undefined },
    });
  };

  it('end when their client sends nothing more', async () => {
    const userId = newUserId('alice');
    const alice = new Client(app, userId);
    const { id: kbId } = await alice.createKnowledgeBase();
    const sources = new Sources(alice, kbId);
    const { id } = await sources.connect('oikb', {});
    const oikb = new OikbClient(app.url, id, { 'x-idp-user-id': userId });
    const newest = async () => (await sources.runs(id))[0];
    const stateOf = async () => (await sources.get(id)).state;

    await oikb.diff(FILES);
    expect((await newest())?.status).toBe('running');
    await endIdle();
    // Nothing came, so it was a dry run.
    expect(await newest()).toMatchObject({
      status: 'complete',
      preview: true,
      counts: { added: 2 },
    });
    const { last_synced_at } = await alice.get<Source>(`/sources/${id}`).then(({ body }) => body);
    expect(last_synced_at).toBeNull();

    await oikb.diff(FILES);
    await oikb.upload('a.md', '# A');
    await endIdle();
    expect(await newest()).toMatchObject({
      ...{ status: 'failed', counts: { added: 1 } },
      errors: [{ message: expect.stringContaining('1 of its files') }],
    });
    expect(await stateOf()).toBe('failing');

    await oikb.sync(FILES);
    expect(await newest()).toMatchObject({
      status: 'complete',
      counts: { added: 1, unchanged: 1 },
    });
    expect(await stateOf()).toBe('active');
  });
});
