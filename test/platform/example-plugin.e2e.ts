import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { plugin } from '../../examples/plugin/revocations.plugin.js';
import { Client } from '../support/client.js';
import { eventually } from '../support/service.js';
import { TestingApp } from '../support/testing-app.js';

describe('examples/plugin', () => {
  let app: TestingApp;
  beforeAll(async () => {
    const plugins = [{ ...plugin, name: 'revocations' }];
    app = await TestingApp.start({ PLUGINS: 'none' }, { plugins });
  });
  afterAll(() => app.stop());

  it('counts the revoked keys of each knowledge base, and shows the count to members alone', async () => {
    const alice = new Client(app, 'alice');
    const [kb, other] = [await alice.createKnowledgeBase(), await alice.createKnowledgeBase()];
    const { id } = await alice.createApiKey(kb.id);
    await alice.createApiKey(kb.id);
    expect((await alice.call('PATCH', `/api-keys/${id}/revoke`)).status).toBe(200);

    const path = `/kbs/${kb.id}/revocations`;
    await eventually(async () => {
      const { body } = await alice.get<{ revocations: number }>(path);
      return body.revocations === 1;
    });
    expect((await alice.get(`/kbs/${other.id}/revocations`)).body).toEqual({ revocations: 0 });
    expect((await new Client(app, 'bob').get(path)).status).toBe(404);
  });
});

describe('docs/plugins.md', () => {
  it('has a row for every plugin', () => {
    const rows = readFileSync('docs/plugins.md', 'utf8').matchAll(/^\| `([a-z-]+)` /gm);
    expect(Array.from(rows, ([, name]) => name)).toEqual(
      expect.arrayContaining(readdirSync('src/plugins')),
    );
  });
});
