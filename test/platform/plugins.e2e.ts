import { describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { Service } from '../support/service.js';

interface Ready {
  readonly plugins: string[];
}

const statusOf = async (service: Service, path: string, method = 'GET') =>
  (await fetch(`${service.url}${path}`, { method, headers: { 'X-Idp-User-Id': 'alice' } })).status;

describe('PLUGINS', () => {
  it('none runs the core alone', async () => {
    const service = await Service.start({ PLUGINS: 'none' });
    const alice = new Client(service, 'alice');
    const ready = await fetch(`${service.url}/health/ready`);
    expect(((await ready.json()) as Ready).plugins).toEqual([]);

    const { id } = await alice.createKnowledgeBase();
    await alice.addDocument(id, { title: 'Returns', text: 'Orders may be returned in 30 days.' });
    const { api_key } = await alice.createApiKey(id);
    const answer = await fetch(`${service.url}/api/v1/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key, message: 'When may orders be returned?' }),
    });
    expect(await answer.json()).toMatchObject({ answered: true });

    expect(await statusOf(service, `/api/v1/kbs/${id}/sources`)).toBe(404);
    expect(await statusOf(service, '/mcp', 'POST')).toBe(404);
    expect(await statusOf(service, '/v1/models')).toBe(404);
    const { paths } = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
      paths: object;
    };
    expect(Object.keys(paths)).toContain('/api/v1/chat');
    expect(Object.keys(paths)).not.toContain('/api/v1/kbs/{kb_id}/sources');
    await service.stop();
  });

  // All that is refused: choose-plugins.spec.ts and require-compatible.spec.ts.
  it('ends the start if a plugin needs one that is left out', async () => {
    const { code, output } = await Service.refusal({ PLUGINS: 'gaps' });
    expect(code).toBe(1);
    expect(output).toContain(
      'The plugin gaps needs the plugin analytics, which PLUGINS leaves out',
    );
  });

  it.each([
    ['SEARCH_URL', 'opensearch', { SEARCH_URL: 'https://search.example:9200' }],
    ['AUDIT_LOG', 'audit-stream', { AUDIT_LOG: 'stdout' }],
    [
      'DATABASE_REPLICA_URL',
      'read-replica',
      {
        DATABASE_URL: 'postgres://primary.example/latchkey',
        DATABASE_REPLICA_URL: 'postgres://standby.example/latchkey',
      },
    ],
  ])('cannot leave out what %s needs', async (variable, plugin, environment) => {
    const { code, output } = await Service.refusal({ ...environment, PLUGINS: `-${plugin}` });
    expect(code).toBe(1);
    expect(output).toContain(`${variable} needs the plugin ${plugin}, which PLUGINS leaves out`);
  });
});
