import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WebSite } from '../../packages/sources/test/web-site.js';
import { Client } from '../support/client.js';
import { NameServer } from '../support/name-server.js';
import { Service } from '../support/service.js';
import { Sources } from '../support/sources.js';

describe('the addresses of sources', () => {
  let names: NameServer;
  let service: Service;
  let alice: Client;
  let sources: Sources;
  let site: WebSite;

  beforeAll(async () => {
    names = await NameServer.start();
    site = await WebSite.start();
    site.page('/', 'Home');
    service = await Service.start(names.environment);
    alice = new Client(service, 'alice');
    sources = new Sources(alice, (await alice.createKnowledgeBase()).id);
  });

  afterAll(async () => {
    await service.stop();
    await Promise.all([site.stop(), names.stop()]);
  });

  it('are checked when a name is looked up: one that leads to this machine gets nothing', async () => {
    names.addresses = ['127.0.0.1'];
    const config = { start_urls: [`http://docs.example.com:${new URL(site.url).port}/`] };
    const tested = await alice.post(`/kbs/${sources.kbId}/sources/test`, {
      ...{ type: 'website', config },
    });
    expect(tested.body).toMatchObject({ ok: false, error: { code: 'not_allowed' } });
    const source = await sources.connect('website', config);
    const run = await sources.run(source.id);
    expect(run).toMatchObject({ status: 'failed', errors: [{ code: 'not_allowed' }] });
    expect(names.questions['docs.example.com']).toBeGreaterThanOrEqual(2);
    expect(site.requests).toEqual([]);
  });

  it.each(['10.0.0.1', '169.254.169.254', '192.168.0.1'])(
    'are not %s, also beside a public one',
    async (address) => {
      names.addresses = ['93.184.216.34', address];
      const config = { start_urls: [`http://at-${address.replaceAll('.', '-')}.example.com/`] };
      const tested = await alice.post(`/kbs/${sources.kbId}/sources/test`, {
        ...{ type: 'website', config },
      });
      expect(tested.body).toMatchObject({ ok: false, error: { code: 'not_allowed' } });
    },
  );
});
