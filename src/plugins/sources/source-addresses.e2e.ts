import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CREDENTIALS as KEYS } from '../../../packages/sources/test/bucket-server.js';
import { WebSite } from '../../../packages/sources/test/web-site.js';
import { Client } from '../../../test/support/client.js';
import { NameServer, ROUTED_ADDRESS } from '../../../test/support/name-server.js';
import { Service } from '../../../test/support/service.js';
import { Sources } from '../../../test/support/sources.js';

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
    expect(names.questions('docs.example.com')).toBeGreaterThanOrEqual(2);
    expect(site.requests).toEqual([]);
    const mail = await alice.post(`/kbs/${sources.kbId}/sources/test`, {
      ...{ type: 'imap', config: { url: `imap://mail.example.com:${new URL(site.url).port}` } },
      credentials: { username: 'ada', password: 'mail-password' },
    });
    expect(mail.body).toMatchObject({ ok: false, error: { code: 'not_allowed' } });
    expect(names.questions('mail.example.com')).toBe(1);
  });

  describe('that a server redirects to', () => {
    const HOPS = ['a name that is private', 'an address that is private'] as const;
    let within: WebSite;
    let publicUrl: string;

    beforeEach(async () => {
      within = await WebSite.start();
      names.addressesOf['docs.example.com'] = [ROUTED_ADDRESS];
      names.addressesOf['within.example.com'] = ['127.0.0.1'];
      publicUrl = `http://docs.example.com:${new URL(site.url).port}`;
    });

    afterEach(async () => {
      site.intercept = () => false;
      delete names.addressesOf['docs.example.com'];
      await within.stop();
    });

    const redirectAll = (
      hop: (typeof HOPS)[number],
      isAsked: (path: string) => boolean = () => true,
    ) => {
      const { port } = new URL(within.url);
      const target = hop === HOPS[0] ? `http://within.example.com:${port}` : within.url;
      site.intercept = ({ url = '' }, response) => {
        const isHop = url.startsWith('/hop');
        if (url === '/robots.txt' || !(isHop || isAsked(url))) return false;
        response.writeHead(302, { location: isHop ? `${target}/secret` : '/hop' }).end();
        return true;
      };
    };

    it.each(HOPS)('get nothing at a later hop to %s, and nothing is lost', async (hop) => {
      const { id: kbId } = await alice.createKnowledgeBase();
      const website = new Sources(alice, kbId);
      const links = ['/a', '/b', '/c'];
      site.page('/', 'Home', links);
      for (const link of links) site.page(link, `Page ${link}`, [], `Rule ${link}.`);
      site.pages.set('/sitemap.xml', `<urlset><url><loc>${publicUrl}/a</loc></url></urlset>`);
      const config = { start_urls: [`${publicUrl}/`] };
      const source = await website.connect('website', config);
      expect(await website.run(source.id)).toMatchObject({ status: 'complete' });
      const stored = async () => (await website.documents()).map(({ id, sha256 }) => [id, sha256]);
      const before = await stored();
      expect(before).toHaveLength(4);

      const refused = {
        status: 'failed',
        errors: [
          { key: null, code: 'not_allowed', message: expect.stringContaining('is not public') },
        ],
      };
      redirectAll(hop);
      expect(await website.run(source.id)).toMatchObject(refused);
      redirectAll(hop, (path) => path === '/sitemap.xml');
      await alice.call('PATCH', `/sources/${source.id}`, {
        config: { ...config, sitemap_url: `${publicUrl}/sitemap.xml` },
      });
      expect(await website.run(source.id)).toMatchObject(refused);
      expect(await stored()).toEqual(before);
      // A page that leads elsewhere is there no more, and the run says why.
      redirectAll(hop, (path) => path === '/a');
      await alice.call('PATCH', `/sources/${source.id}`, { config });
      const left = await website.run(source.id);
      expect(left).toMatchObject({
        status: 'complete',
        counts: { deleted: 1, unchanged: 3 },
        errors: [{ key: null, code: 'left_out' }],
      });
      expect(within.requests).toEqual([]);
    });

    it.each(HOPS)('are sent neither requests nor credentials, such as %s', async (hop) => {
      redirectAll(hop);
      for (const [type, config, credentials] of [
        ['website', { start_urls: [`${publicUrl}/`] }, {}],
        ['s3', { endpoint: publicUrl, bucket: 'documents' }, KEYS],
        ['git', { url: `${publicUrl}/repository.git` }, { token: 'git-token' }],
        ['confluence', { base_url: publicUrl, space: 'DOCS' }, { token: 'wiki-token' }],
        ['webdav', { url: publicUrl }, { token: 'dav-token' }],
      ] as const) {
        const tested = await alice.post(`/kbs/${sources.kbId}/sources/test`, {
          ...{ type, config, credentials },
        });
        // A store's redirect is not followed at all: it is signed for one server.
        const code = type === 's3' ? 'not_found' : 'not_allowed';
        expect([type, tested.body]).toMatchObject([type, { ok: false, error: { code } }]);
      }
      expect(within.requests).toEqual([]);
    });
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
